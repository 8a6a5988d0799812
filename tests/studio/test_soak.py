"""A short run of soak.py: random work, replays, kills. Seconds: OSSA_SOAK_SECONDS (make test-long gives it more)."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

from server import OSSA, main

SOAK = Path(__file__).parent / "soak.py"


class Soak(unittest.TestCase):
    def test_random_work_leaves_nothing_wrong(self):
        seconds = os.environ.get("OSSA_SOAK_SECONDS")
        words = ["--seconds", seconds] if seconds else ["--seconds", "1.5", "--only", "tube"]
        told = subprocess.run([sys.executable, str(SOAK), str(OSSA), *words, "--seed", "11"], capture_output=True, text=True)
        self.assertEqual(told.returncode, 0, told.stdout[-2000:] + told.stderr)
        self.assertIn('"replays"', told.stdout)


main()
