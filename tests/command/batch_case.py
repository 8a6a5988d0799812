"""What the tests of `ossa batch` share: assets, manifests, what was reported."""
import json
import subprocess
import sys
import time
from pathlib import Path

from harness import DONE, OSSA, CommandTest

sys.path.insert(0, str(Path(__file__).parent.parent / "batch"))
import assets

SOME = 1
# rigs in a twentieth of a second: how good they are is no matter here
OPTIONS = {"method": "contraction", "proxy-size": 300}
WORDS = ["--method", "contraction", "--proxy-size", "300"]


class BatchTest(CommandTest):
    options = OPTIONS

    def write_mesh(self, name="a.obj", bend=0.5, rings=16, sides=8):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(assets.obj(*assets.tube(bend, rings, sides, 4)))

    def write_lines(self, *lines, name="m.jsonl"):
        (self.folder / name).write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))

    def asset(self, name, **more):
        return {"id": name, "input": f"{name}.obj", "output": f"out/{name}.glb", "options": self.options, **more}

    def slow(self):
        """an asset that takes half a minute: weights of all bones, for every number of bones"""
        options = {"refine": 0, "bones": 24, "influences": 8, "local": False, "error-curve": "out/slow.csv"}
        return {"id": "slow", "inputs": self.write_tubes(8, 250, 80), "output": "out/slow.glb", "options": options}

    def write_assets(self, *names):
        for i, name in enumerate(names):
            self.write_mesh(f"{name}.obj", 0.3 + 0.1 * i)
        self.write_lines(*map(self.asset, names))

    def batch(self, *words, expect=DONE, **options):
        """runs it; the numbers that it prints"""
        done = subprocess.run([str(OSSA), "batch", "m.jsonl", "--json", *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, **options)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return json.loads(done.stdout) if done.stdout else done.stderr

    def report(self):
        """the merged report: line of each id"""
        self.collected = subprocess.run([str(OSSA), "batch", "m.jsonl", "--collect", "--thumbnails", "0", "--json"], cwd=self.folder,
                                        capture_output=True, text=True, timeout=60)
        lines = [json.loads(line) for line in (self.folder / "m.batch/report.jsonl").read_text().splitlines()]
        return {line["id"]: line for line in lines}

    def code_of(self, name):
        return self.report()[name]["code"]

    def begin(self, *words):
        return subprocess.Popen([str(OSSA), "batch", "m.jsonl", "--json", *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def wait_for(self, is_true):
        end = time.monotonic() + 30
        while not is_true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def children_of(self, process):
        path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return [int(word) for word in path.read_text().split()]

    def leftovers(self):
        return [str(path) for path in self.folder.rglob("*") if ".tmp" in path.name or ".lock" in path.name]
