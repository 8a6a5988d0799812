"""`ossa batch` on a Slurm of four nodes on this machine: shards, kills, requeues, collecting, throughput.

usage: test_slurm.py OSSA [unittest's words]      OSSA_BATCH_ASSETS: how many assets (default 32; docs/batch.md's figures: 500)
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import assets
import cluster

OSSA = Path(sys.argv.pop(1)).resolve()
COUNT = int(os.environ.get("OSSA_BATCH_ASSETS", "32"))
SHARDS = 4


def ossa(*words, cwd, expect=0, environment=None):
    done = subprocess.run([str(OSSA), *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=1200, env=environment)
    if done.returncode != expect:
        raise AssertionError(f"ossa {words}: {done.returncode}, not {expect}\n{done.stdout}{done.stderr}")
    return done


def bytes_of(folder):
    """every file under out, but for the batch's own notes: name and hash"""
    files = {}
    for path in sorted((folder / "out").rglob("*")):
        if path.is_file() and not path.name.endswith(".ossa.json"):
            files[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


def report_of(folder):
    """the merged report without what differs from run to run"""
    lines = [json.loads(line) for line in (folder / "m.batch/report.jsonl").read_text().splitlines()]
    for line in lines:
        line.pop("run", None)
    return lines


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="ossa-slurm-"))
        cls.place.chmod(0o755)
        cls.cluster = cluster.Cluster(cls.place / "cluster", SHARDS)
        cls.total = assets.make_folder(cls.place / "in", COUNT)
        ossa("batch", "m.jsonl", "--make", "in/**/*", "--out", "out/{folder}/{name}-{ending}.glb", "--method", "volume", cwd=cls.place)
        # what all others are compared with: one process, one asset after the other
        cls.reference = cls.fresh("reference")
        ossa("batch", "m.jsonl", "--jobs", 2, cwd=cls.reference, expect=1)
        ossa("batch", "m.jsonl", "--collect", "--thumbnails", 0, cwd=cls.reference, expect=1)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()
        if "OSSA_BATCH_KEEP" in os.environ:
            print(cls.place)
        else:
            shutil.rmtree(cls.place)

    @classmethod
    def fresh(cls, name):
        """a folder with the same manifest and inputs, and no outputs"""
        folder = cls.place / name
        folder.mkdir()
        (folder / "in").symlink_to("../in")
        shutil.copy(cls.place / "m.jsonl", folder)
        return folder

    def submit(self, folder, shards, *words):
        said = ossa("batch", "m.jsonl", "--slurm", "--submit", "--shards", shards, "--thumbnails", 0, "--json", *words, cwd=folder,
                    environment=self.cluster.environment)
        return json.loads(said.stdout)

    def wait_until_done(self, folder, count, seconds=120):
        """waits for `count` lines of the reports"""
        def lines():
            return sum(path.read_text().count("\n") for path in (folder / "m.batch").glob("shard-*.jsonl"))
        self.cluster.wait_for(lambda: lines() >= count, seconds, f"{count} lines of reports in {folder}")

    def shard_process(self, folder, shard):
        """the process that works on a shard"""
        wanted = [b"batch", str(folder / "m.jsonl").encode(), f"{shard}".encode()]
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if all(word in words for word in wanted):
                return int(path.parent.name)
        return None

    def check_same(self, folder):
        self.assertEqual(bytes_of(folder), bytes_of(self.reference))
        self.assertEqual(report_of(folder), report_of(self.reference))
        left = [str(path) for path in folder.rglob("*") if ".tmp" in path.name or ".lock" in path.name]
        self.assertEqual(left, [])

    def test_four_shards(self):
        folder = self.fresh("four")
        self.submit(folder, 4)
        self.cluster.wait_for_jobs(600)
        self.check_same(folder)
        statuses = [line["status"] for line in report_of(folder)]
        self.assertEqual(len(statuses), self.total)
        self.assertIn("failed", statuses)
        self.assertTrue((folder / "m.batch/index.html").exists())

    def test_sixteen_shards_one_killed_and_resumed(self):
        folder = self.fresh("sixteen")
        self.submit(folder, 16)
        self.wait_until_done(folder, self.total // 4)
        running = [line[0].rsplit("_", 1)[1] for line in self.cluster.jobs("RUNNING")]
        victim = next(filter(None, (self.shard_process(folder, f"{task}/16") for task in running)))
        os.kill(victim, signal.SIGKILL)
        self.cluster.wait_for_jobs(600)
        # what collected has told what is missing; the whole array again does only that
        before = report_of(folder)
        self.assertIn("missing", [line["status"] for line in before])
        self.submit(folder, 16)
        self.cluster.wait_for_jobs(600)
        self.check_same(folder)

    def test_a_node_dies_and_its_shard_is_requeued(self):
        folder = self.fresh("node")
        self.submit(folder, 4)
        self.wait_until_done(folder, self.total // 4)
        name = self.cluster.jobs("RUNNING")[0][2]
        self.cluster.kill_node(name)
        # the others go on; Slurm notices the silence, and gives the shard to another node
        self.cluster.wait_for_jobs(600)
        self.cluster.start_node(name)
        self.cluster.wait_for(lambda: self.cluster.idle() == SHARDS, 60, "node back")
        self.check_same(folder)

    def test_stopped_and_requeued(self):
        folder = self.fresh("requeue")
        job = self.submit(folder, 2)["array_job"]
        self.wait_until_done(folder, self.total // 4)
        # SIGTERM first, which lets the shard end in order
        self.cluster.command("scontrol", "requeue", f"{job}_1")
        self.cluster.wait_for_jobs(600)
        self.check_same(folder)

    def test_throughput_of_four_loops(self):
        folder, loops = self.fresh("shards"), self.fresh("loops")
        lines = [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]
        (loops / "out").mkdir()
        for line in lines:
            (loops / line["output"]).parent.mkdir(parents=True, exist_ok=True)
        # loops with equal shares, the best that one can write by hand
        shares = [lines[i::SHARDS] for i in range(SHARDS)]
        scripts = ["\n".join(f"'{OSSA}' rig '{line['input']}' -o '{line['output']}' --method volume --threads 1 -q" for line in share) for share in shares]
        begin = time.monotonic()
        running = [subprocess.Popen(["sh", "-c", script], cwd=loops, stderr=subprocess.DEVNULL) for script in scripts]
        for process in running:
            process.wait()
        by_loops = time.monotonic() - begin
        begin = time.monotonic()
        self.submit(folder, SHARDS)
        self.cluster.wait_for(lambda: not [line for line in self.cluster.jobs() if line[3] == "ossa-batch"], 600, "end of the array")
        by_shards = time.monotonic() - begin
        self.cluster.wait_for_jobs(600)
        self.check_same(folder)
        share = by_loops / by_shards
        print(f"throughput: {self.total} assets in {by_loops:.1f} s by loops, in {by_shards:.1f} s by shards: {100 * share:.0f} %", flush=True)
        # starting an array takes a second or two, which few assets do not make up for
        self.assertGreater(share, 0.9 if self.total >= 400 else 0.6)


if __name__ == "__main__":
    # one that is stopped for time ends its cluster, too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    unittest.main(verbosity=2)
