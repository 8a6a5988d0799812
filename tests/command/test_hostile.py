"""Every file of ../shared/corpus/hostile and static through `ossa inspect` and `ossa rig`: a result or one clear line, never
a crash, a hang, a NaN, or a file left behind by a failure. Skipped without ../shared."""
import json
import os
import subprocess
import sys
from pathlib import Path

from harness import LONG, OSSA, CommandTest, main, some_of_each_folder

CORPUS = Path(__file__).resolve().parents[3] / "shared/corpus"
SECONDS = 120


class Hostile(CommandTest):
    def run_on(self, *words):
        return subprocess.run([OSSA, *words], capture_output=True, cwd=self.folder, timeout=SECONDS)

    def check(self, done, path):
        """done, or refused in one line"""
        errors = [line for line in done.stderr.decode(errors="replace").splitlines() if ": warning: " not in line]
        self.assertIn(done.returncode, (0, 2, 3, 4), f"{path}: {errors[-20:]}")
        self.assertEqual(len(errors), 0 if done.returncode == 0 else 1, f"{path}: {errors[-20:]}")
        return done.returncode == 0

    def files(self):
        files = sorted(path for group in ("hostile", "static") for path in (CORPUS / group).rglob("*") if path.is_file())
        if not files:
            self.skipTest("skipped: ../shared/corpus is not there")
        return list(some_of_each_folder(files, 6))

    def test_inspect_and_rig(self):
        files, read, rigged = self.files(), 0, 0
        # what `inspect` cannot read is refused by the same readers: some of these are enough
        unreadable = set(files if LONG else some_of_each_folder(files, 1))
        for path in files:
            done = self.run_on("inspect", "--json", path)
            is_read = self.check(done, path)
            if is_read:
                self.assertNotIn("NaN", json.dumps(json.loads(done.stdout)), path)
            read += is_read
            rigged += (is_read or path in unreadable) and self.rig(path)
        print(f"{read} files were read, {rigged} rigged", file=sys.stderr)

    def rig(self, path):
        """as the rest mesh and as its own pose: nothing moves, much is degenerate"""
        done = self.run_on("rig", path, path, "--bones", "6", "--refine", "1", "-o", "out.glb", "--json")
        is_rigged = self.check(done, path)
        if is_rigged:
            told = json.loads(done.stdout)
            self.assertTrue(all(abs(x) < 1e30 for bone in told["bones"] for x in bone["joint"] + bone["tail"]), path)
            self.check(self.run_on("compare", "out.glb", path, path), path)
            os.remove(self.folder / "out.glb")
        self.assertEqual(os.listdir(self.folder), [], path)
        return is_rigged


main()
