"""`ossa batch`: what is done again and what is not, how it ends, how it is divided. Clusters: tests/batch/run."""
import base64
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from batch_case import OPTIONS, SOME, WORDS, BatchTest
from harness import DONE, LONG, STOPPED, USAGE, main, write_moving_cubes


class Work(BatchTest):
    def test_what_is_done_is_not_done_again_and_what_changed_is(self):
        self.write_assets("a", "b")
        self.assertEqual(self.batch()["done"], 2)
        made = (self.folder / "out/a.glb").stat().st_mtime_ns
        self.assertEqual(self.batch()["skipped"], 2)
        self.assertEqual((self.folder / "out/a.glb").stat().st_mtime_ns, made)
        # other options
        self.write_lines(self.asset("a", options={**OPTIONS, "bones": 3}), self.asset("b"))
        result = self.batch()
        self.assertEqual((result["done"], result["skipped"]), (1, 1))
        # another input
        self.write_mesh("b.obj", 0.9)
        self.assertEqual(self.batch()["done"], 1)
        # a new time of the same bytes is no change
        os.utime(self.folder / "b.obj")
        self.assertEqual(self.batch()["skipped"], 2)
        # an output that is gone
        (self.folder / "out/a.glb").unlink()
        self.assertEqual(self.batch()["done"], 1)
        # one that was changed to other bytes of the same number: only --verify sees it
        path = self.folder / "out/a.glb"
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
        self.assertEqual(self.batch()["skipped"], 2)
        self.assertEqual(self.batch("--verify")["done"], 1)
        self.assertEqual(self.leftovers(), [])

    def test_the_same_bytes_as_of_ossa_rig(self):
        self.write_assets("a")
        self.batch()
        self.ossa("rig", "a.obj", "-o", "plain.glb", *WORDS, "-q")
        self.assertEqual((self.folder / "out/a.glb").read_bytes(), (self.folder / "plain.glb").read_bytes())

    def test_an_input_that_no_line_names(self):
        write_moving_cubes(self.folder / "c.gltf", [(0, None), (2, 0), (2, 1)])
        gltf = json.loads((self.folder / "c.gltf").read_text())
        buffer = base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1])
        gltf["buffers"][0]["uri"] = "c.bin"
        (self.folder / "c.gltf").write_text(json.dumps(gltf))
        (self.folder / "c.bin").write_bytes(buffer)
        self.write_lines({"id": "c", "input": "c.gltf", "output": "c.glb", "options": {"body": "none"}})
        self.assertEqual(self.batch()["done"], 1)
        self.assertEqual(self.batch()["skipped"], 1)
        (self.folder / "c.bin").write_bytes(buffer + b"\0\0\0\0")
        self.assertEqual(self.batch()["done"], 1)

    def test_failures_are_kept_until_they_are_asked_for(self):
        (self.folder / "a.obj").write_text("nothing\n")
        self.write_lines(self.asset("a"), self.asset("gone"))
        self.assertEqual(self.batch(expect=SOME)["failed"], 2)
        self.assertEqual(self.batch()["skipped"], 2)
        self.assertEqual(self.batch("--retry-failed", expect=SOME)["failed"], 2)
        self.write_mesh("a.obj")
        self.write_mesh("gone.obj")
        # the input has changed, or is there now
        self.assertEqual(self.batch()["done"], 2)
        self.assertEqual({line["status"] for line in self.report().values()}, {"done"})
        self.assertEqual(self.collected.returncode, DONE)

    def test_several_inputs_and_outputs(self):
        names = self.write_tubes(2)
        self.write_lines({"id": "t", "inputs": names, "outputs": ["o/t.glb", "o/t.dae"], "options": {"report": "o/t.html", "body": "none", "refine": 0, "no-such": 1}})
        self.batch(expect=SOME)
        self.assertEqual(self.code_of("t"), "usage")
        self.write_lines({"id": "t", "inputs": names, "outputs": ["o/t.glb", "o/t.dae"], "options": {"report": "o/t.html", "body": "none", "refine": 0}})
        self.batch()
        line = self.report()["t"]
        self.assertEqual([output["path"] for output in line["outputs"]], ["o/t.glb", "o/t.dae", "o/t.html"])
        self.assertEqual(line["frames"], 2)
        self.assertGreater(line["metrics"]["rms_percent"], 0)

    def test_names(self):
        names = ["two words", "it's", 'a "b"', "line\nbreak", "-dash", "käfer", "{name}", "$HOME", "a\\b", "*"]
        self.write_assets(*names)
        self.write_lines(*({**self.asset(name), "id": name} for name in names))
        self.assertEqual(self.batch()["done"], len(names))
        self.assertEqual(sorted(path.stem for path in (self.folder / "out").glob("*.glb")), sorted(names))
        self.assertEqual(set(self.report()), set(names))

    def test_outputs_that_the_user_sends_outside(self):
        (self.folder / "inner").mkdir()
        self.write_mesh("inner/a.obj")
        self.write_lines({**self.asset("a"), "output": "../outside/a.glb"}, name="inner/m.jsonl")
        self.ossa("batch", "inner/m.jsonl")
        self.assertTrue((self.folder / "outside/a.glb").exists())

    def test_hashes_are_those_of_siphash(self):
        if not shutil.which("openssl"):
            self.skipTest("no openssl")
        self.write_assets("a")
        self.batch()
        said = subprocess.run(["openssl", "mac", "-macopt", "hexkey:" + "00" * 16, "-macopt", "size:16", "-in", "out/a.glb", "SipHash"],
                              cwd=self.folder, capture_output=True, text=True)
        if said.returncode != 0:
            self.skipTest("openssl has no SipHash")
        self.assertEqual(self.report()["a"]["outputs"][0]["hash"], said.stdout.strip().lower())


class Ends(BatchTest):
    NAMES = [f"t{i}" for i in range(8)]
    # what is interrupted takes longer than to notice that it runs
    options = {"method": "volume"}

    def test_sigterm_ends_in_order(self):
        self.write_assets(*self.NAMES)
        process = self.begin("--jobs", 2)
        report = self.folder / "m.batch/shard-0001-of-0001.jsonl"
        self.wait_for(lambda: report.exists() and report.read_text().count("\n") >= 2)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, STOPPED, errors)
        self.assertEqual(self.leftovers(), [])
        before = len(report.read_text().splitlines())
        self.assertEqual({line["status"] for line in map(json.loads, report.read_text().splitlines())}, {"done"})
        self.assertLess(before, len(self.NAMES))
        result = self.batch()
        self.assertEqual((result["skipped"], result["done"]), (before, len(self.NAMES) - before))

    def test_a_killed_batch_takes_its_children_along_and_is_resumed(self):
        self.write_assets(*self.NAMES)
        process = self.begin("--jobs", 2)
        report = self.folder / "m.batch/shard-0001-of-0001.jsonl"
        self.wait_for(lambda: report.exists() and report.read_text().count("\n") >= 2 and len(self.children_of(process)) == 2)
        children = self.children_of(process)
        process.kill()
        process.communicate()
        self.wait_for(lambda: not any(Path(f"/proc/{child}/cmdline").exists() and Path(f"/proc/{child}/cmdline").read_bytes() for child in children))
        self.assertNotEqual(self.leftovers(), [])
        # the last line was just being written
        with open(report, "a") as stream:
            stream.write('{"id":"t0","sta')
        result = self.batch()
        self.assertEqual(result["failed"], 0)
        self.assertGreaterEqual(result["skipped"], 2)
        self.assertEqual(self.leftovers(), [])
        self.assertEqual({line["status"] for line in self.report().values()}, {"done"})

    @unittest.skipUnless(LONG, "waits: make test-batch runs it")
    def test_a_lock_of_another_machine(self):
        self.write_assets("a")
        (self.folder / "out").mkdir()
        lock = self.folder / "out/a.glb.ossa.lock"
        lock.write_text("elsewhere 1-2-3 pid:[1] 77 1000 5.0")
        (self.folder / "out/a.glb.tmp77").write_text("half")
        begin = time.monotonic()
        self.assertEqual(self.batch("--lock-seconds", 5)["done"], 1)
        self.assertGreater(time.monotonic() - begin, 5)
        self.assertEqual(self.leftovers(), [])

    def test_two_batches_at_once(self):
        self.write_assets(*self.NAMES)
        processes = [self.begin("--jobs", 2, "--shard", shard) for shard in ("1/2", "2/2")] + [self.begin("--jobs", 2)]
        results = [json.loads(process.communicate(timeout=60)[0]) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0, 0])
        # each asset was done once
        self.assertEqual(sum(result["done"] for result in results), len(self.NAMES))
        self.assertEqual(self.leftovers(), [])

    @unittest.skipUnless(LONG, "waits: make test-batch runs it")
    def test_one_shard_has_one_process(self):
        self.write_lines(self.slow())
        process = self.begin("--lock-seconds", 5)
        self.wait_for(lambda: self.children_of(process))
        told = self.batch("--lock-seconds", 5, expect=USAGE)
        self.assertRegex(told, f"worked on already, by host '.*', process {process.pid}")
        self.assertRegex(told, f"belongs to host '.*', process {process.pid}; waiting 5 seconds")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


class Shards(BatchTest):
    def assign(self, count, environment=None):
        """ids of each shard: inputs that are not there fail at once"""
        shards = []
        for shard in range(1, count + 1):
            shutil.rmtree(self.folder / "m.batch", ignore_errors=True)
            if environment:
                self.batch(expect=SOME, env={**os.environ, **environment(shard)})
            else:
                self.batch("--shard", f"{shard}/{count}", expect=SOME)
            path = self.folder / f"m.batch/shard-{shard:04d}-of-{count:04d}.jsonl"
            shards.append(sorted(json.loads(line)["id"] for line in path.read_text().splitlines()))
            for sidecar in (self.folder / "out").glob("*.json"):
                sidecar.unlink()
        return shards

    def test_by_size(self):
        sizes = [1000, 1, 1, 1, 500, 500, 250, 250, 250, 250, 0, 0, 0, 0]
        self.write_lines(*(self.asset(f"a{i}", bytes=size) for i, size in enumerate(sizes)))
        shards = self.assign(3)
        loads = [sum(sizes[int(name[1:])] for name in shard) for shard in shards]
        self.assertEqual(sorted(name for shard in shards for name in shard), sorted(f"a{i}" for i in range(len(sizes))))
        self.assertLessEqual(max(loads) - min(loads), 250)
        self.assertEqual(sorted(sum(sizes[int(name[1:])] == 0 for name in shard) for shard in shards), [1, 1, 2])
        # an array of Slurm needs no --shard, from whatever number on
        told = self.assign(3, lambda shard: {"SLURM_ARRAY_TASK_ID": str(8 + 2 * shard), "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "2",
                                             "SLURM_ARRAY_TASK_COUNT": "3"})
        self.assertEqual(told, shards)


if __name__ == "__main__":
    main()
