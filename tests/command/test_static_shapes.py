"""Rigs of still meshes: every limb of the samples has an end of its own, and a shape that is turned, scaled or shuffled keeps its ends.
The small part of scripts/static_quality, with bounds in place of a table: lower limits, not targets."""
import sys
from pathlib import Path

from harness import OSSA, CommandTest, main

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/quality"))
try:
    from static_parts import Limbs, Stability, Work
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

LEAST_INSIDE = 0.85  # of the points along bones, of closed creatures of 5000 faces


class Shapes(CommandTest):
    def rows(self, part):
        work = Work(ROOT, self.folder, True, OSSA)
        for name, (function, *arguments) in part.tasks(work):
            yield " ".join(name), function(*arguments)

    def test_every_limb_has_an_end(self):
        for name, row in self.rows(Limbs()):
            self.assertEqual(row["found"], row["wanted"], name)
            self.assertGreaterEqual(float(row["bones_inside"]), LEAST_INSIDE, name)

    def test_the_same_shape_keeps_its_ends(self):
        for name, row in self.rows(Stability()):
            self.assertEqual(row["ends"], 9, name)  # eight arms and the head


main()
