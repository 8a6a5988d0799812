"""`ossa batch`: manifests, what is done again and what is not, faults of assets, kills, reports. Clusters: tests/batch/run."""
import base64
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

from harness import DONE, INPUT, LIMIT, LONG, OSSA, STOPPED, USAGE, WRITE, CommandTest, main, write_moving_cubes

sys.path.insert(0, str(Path(__file__).parent.parent / "batch"))
import assets

SOME = 1
OPTIONS = {"method": "volume"}


class BatchTest(CommandTest):
    def write_mesh(self, name="a.obj", bend=0.5, rings=16, sides=8):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(assets.obj(*assets.tube(bend, rings, sides, 4)))

    def write_lines(self, *lines, name="m.jsonl"):
        (self.folder / name).write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))

    def asset(self, name, **more):
        return {"id": name, "input": f"{name}.obj", "output": f"out/{name}.glb", "options": OPTIONS, **more}

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
        self.ossa("rig", "a.obj", "-o", "plain.glb", "--method", "volume", "-q")
        self.assertEqual((self.folder / "out/a.glb").read_bytes(), (self.folder / "plain.glb").read_bytes())

    def test_an_input_that_no_line_names(self):
        write_moving_cubes(self.folder / "c.gltf", [(0, None), (2, 0), (2, 1)])
        gltf = json.loads((self.folder / "c.gltf").read_text())
        buffer = base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1])
        gltf["buffers"][0]["uri"] = "c.bin"
        (self.folder / "c.gltf").write_text(json.dumps(gltf))
        (self.folder / "c.bin").write_bytes(buffer)
        self.write_lines({"id": "c", "input": "c.gltf", "output": "c.glb"})
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
        self.write_lines({"id": "t", "inputs": names, "outputs": ["o/t.glb", "o/t.dae"], "options": {"report": "o/t.html", "refine": 0, "no-such": 1}})
        self.batch(expect=SOME)
        self.assertEqual(self.code_of("t"), "usage")
        self.write_lines({"id": "t", "inputs": names, "outputs": ["o/t.glb", "o/t.dae"], "options": {"report": "o/t.html", "refine": 0}})
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


class Faults(BatchTest):
    def test_lines(self):
        self.write_assets("a", "b")
        deep = "[" * 80 + "]" * 80
        self.write_lines(self.asset("a"), "no json", '{"id": "open"', '[1]', '{"id": 7, "input": "a.obj", "output": "x.glb"}',
                         {"id": "no input", "output": "x.glb"}, {"id": "no output", "input": "a.obj"}, self.asset("a"),
                         {**self.asset("b"), "id": "twin", "output": "./out/../out/a.glb"}, self.asset("b"),
                         {**self.asset("b"), "id": "eats", "output": "a.obj"}, '{"id": "deep", "more": ' + deep + "}",
                         {**self.asset("b"), "id": "taken", "output": "y.glb", "options": {"json": True}},
                         {**self.asset("b"), "id": "dashes", "output": "z.glb", "options": {"--bones": 3}},
                         '{"id": "again", "id": "again", "input": "a.obj", "output": "w.glb"}', "", "  ")
        result = self.batch(expect=SOME)
        self.assertEqual((result["assets"], result["done"], result["failed"]), (15, 2, 13))
        lines = self.report()
        self.assertEqual(lines["a"]["status"], "done")
        self.assertEqual(lines["b"]["status"], "done")
        for name, words in {"line 2": "no JSON", "line 3": "no JSON", "line 4": "no JSON object", "line 5": 'no "id"', "no input": 'no "input"',
                            "no output": 'no "output"', "line 8": "the id of line 1", "twin": "line 9 of the manifest writes a file that line 1 writes",
                            "eats": "writes a file that line 1 reads", "line 12": "line 12", "taken": '"json" belongs to the batch',
                            "dashes": "leave the dashes away", "line 15": "line 15"}.items():
            self.assertEqual(lines[name]["code"], "manifest", name)
            self.assertIn(words, lines[name]["message"], name)

    def test_keys_that_nobody_knows_are_refused(self):
        self.write_assets("a")
        good = self.asset("a")
        self.write_lines(good, {**good, "id": "b", "output": "out/b.glb", "option": {"bones": 3}},
                         {**good, "id": "c", "output": "out/c.glb", "bytes": "12"},
                         {**good, "id": "d", "output": "out/d.glb", "bytes": -1},
                         {**good, "id": "e", "output": "out/e.glb", "quite-another": 1})
        self.batch(expect=SOME)
        report = self.report()
        self.assertEqual({name: report[name]["status"] for name in report},
                         {"a": "done", "b": "failed", "c": "failed", "d": "failed", "e": "failed"})
        self.assertIn('did you mean "options"?', report["b"]["message"])
        for name in "cd":
            self.assertIn('"bytes" must be the size', report[name]["message"])
        self.assertIn('no key "quite-another"; options of the command', report["e"]["message"])

    def test_an_output_is_no_sidecar(self):
        self.write_assets("a")
        good = self.asset("a")
        self.write_lines(good, {**good, "id": "b", "output": good["output"] + ".ossa.json"}, {**good, "id": "c", "output": "out/c.glb", "options": {"report": "r.ossa.json"}})
        self.batch(expect=SOME)
        report = self.report()
        self.assertEqual([report[name]["status"] for name in "abc"], ["done", "failed", "failed"])
        for name in "bc":
            self.assertIn("files that end in .ossa.json are the batch's own", report[name]["message"])
        self.assertEqual(self.batch(expect=SOME)["skipped"], 1)

    def test_outputs_that_meet_through_links(self):
        self.write_assets("a")
        good = self.asset("a")
        (self.folder / "out").mkdir()
        (self.folder / "other").symlink_to("out")
        (self.folder / "deep").symlink_to(self.folder / "out/new")
        self.write_lines(good, {**good, "id": "b", "output": "other/a.glb"},
                         {**good, "id": "c", "output": f"{self.folder}/other/../out/./a.glb"},
                         {**good, "id": "d", "output": "out/later/d.glb"}, {**good, "id": "e", "output": "other/later/d.glb"},
                         {**good, "id": "f", "output": "other/f.glb"})
        self.batch(expect=SOME)
        report = self.report()
        self.assertEqual([report[name]["status"] for name in "abcdef"], ["done", "failed", "failed", "done", "failed", "done"])
        for name, other in (("b", 1), ("c", 1), ("e", 4)):
            self.assertIn(f"line {other}", report[name]["message"])

    def test_two_dots_behind_a_link_are_those_of_the_disk(self):
        self.write_assets("a")
        good = self.asset("a")
        (self.folder / "real/sub").mkdir(parents=True)
        (self.folder / "link").symlink_to("real/sub")
        outputs = ["real/x.glb", "link/../x.glb", "x.glb", "link/x.glb", "real/sub/../sub/x.glb",
                   "new/one/../y.glb", "new/./y.glb", "new/../real/x.glb", "new/../new/../z.glb", "z.glb"]
        self.write_lines(*({**good, "id": str(i + 1), "output": output} for i, output in enumerate(outputs)))
        self.batch(expect=SOME)
        report = self.report()
        failed = {int(name): line["message"] for name, line in report.items() if line["status"] == "failed"}
        self.assertEqual(sorted(failed), [2, 5, 7, 8, 10])
        for number, first in ((2, 1), (5, 4), (7, 6), (8, 1), (10, 9)):
            self.assertIn(f"line {first}", failed[number])

    def test_places_of_outputs_are_those_of_the_disk(self):
        """random paths through folders, links and what is not there yet: two lines collide where the system's real paths are the same"""
        chance = random.Random(23)
        for folder in ("a/b/c", "d/e", "a/f"):
            (self.folder / folder).mkdir(parents=True)
        for link, target in {"to_b": "a/b", "a/up": "..", "d/far": "../a/b/c", "d/here": ".", "a/b/chain": "../../d/far", "whole": str(self.folder / "d")}.items():
            (self.folder / link).symlink_to(target)
        parts = ["a", "b", "c", "d", "e", "f", "to_b", "up", "far", "here", "chain", "whole", "new", "..", "..", ".", ""]
        outputs = ["/".join([*chance.choices(parts, k=chance.randrange(5)), chance.choice("xy") + ".glb"]).lstrip("/") for _ in range(150)]
        outputs = [output for output in outputs if not output.startswith("../..")]
        self.write_lines(*({"id": f"{i + 1}", "input": "gone.obj", "output": output} for i, output in enumerate(outputs)))
        first, expected = {}, {}
        for i, output in enumerate(outputs):
            # of the folder, as what is written is no link
            place = os.path.join(os.path.realpath(self.folder / os.path.dirname(output)), os.path.basename(output))
            expected[str(i + 1)] = first.setdefault(place, i + 1)
        # to be told of collisions alone, nothing is rigged
        self.batch("--asset-seconds", 20, "--jobs", 4, expect=SOME)
        found = {}
        for name, line in self.report().items():
            words = re.search(r"writes a file that line (\d+) writes", line["message"])
            found[name] = int(words[1]) if words else int(name)
        self.assertEqual(found, expected)
        self.assertGreater(len(outputs) - len(first), 20)
        self.assertGreater(len(first), 20)

    def test_inputs_through_links(self):
        self.write_assets("a", "b")
        (self.folder / "links").mkdir()
        (self.folder / "links/made").symlink_to("../out/a.glb")
        (self.folder / "again").symlink_to("links/made")
        (self.folder / "mesh.obj").symlink_to("b.obj")
        (self.folder / "self.obj").symlink_to("self.glb")
        lines = [self.asset("a"), {**self.asset("b"), "input": "links/made"}, {**self.asset("c"), "input": "again"},
                 {**self.asset("d"), "input": "mesh.obj"}, {**self.asset("e"), "input": "self.obj", "output": "self.glb"}]
        # whether what is written is there already changes nothing
        for lines in (lines, lines[::-1]):
            self.write_lines(*lines)
            self.batch(expect=SOME)
            report, number = self.report(), {line["id"]: i + 1 for i, line in enumerate(lines)}
            self.assertEqual([report[name]["status"] for name in "abcde"], ["done", "failed", "failed", "done", "failed"])
            for name, link, writer in (("b", "links/made", "a"), ("c", "again", "a"), ("e", "self.obj", "e")):
                self.assertEqual(report[name]["code"], "manifest")
                self.assertEqual(report[name]["message"],
                                 f"line {number[name]} of the manifest reads through the link {link} what line {number[writer]} writes")

    def test_outputs_that_are_links(self):
        self.write_assets("a", "b", "c")
        (self.folder / "out").mkdir()
        (self.folder / "kept.glb").write_text("not to be touched")
        (self.folder / "out/a.glb").symlink_to("../kept.glb")
        (self.folder / "out/b.glb").symlink_to("not-there.glb")
        self.batch(expect=SOME)
        report = self.report()
        self.assertEqual([report[name]["status"] for name in "abc"], ["failed", "failed", "done"])
        self.assertIn("writes out/a.glb, which is a link: name the file that it leads to, out/../kept.glb", report["a"]["message"])
        self.assertEqual((self.folder / "kept.glb").read_text(), "not to be touched")
        (self.folder / "out/a.glb").unlink()
        (self.folder / "out/b.glb").unlink()
        self.assertEqual(self.batch()["done"], 2)

    def test_folders_that_are_links_to_nothing(self):
        self.write_assets("a")
        (self.folder / "out").symlink_to("gone/away")
        self.batch(expect=SOME)
        line = self.report()["a"]
        self.assertEqual((line["code"], line["message"]), ("write", "out/a.glb: cannot be written: out is a link to gone/away, which is not there"))
        self.assertIn(f"out is a link to {self.folder}/gone/away, which is not there; --state", self.batch("--state", "out/state", expect=WRITE))
        # it is not the asset's fault
        (self.folder / "gone/away").mkdir(parents=True)
        self.assertEqual(self.batch()["done"], 1)

    def test_a_mark_of_the_encoding(self):
        self.write_assets("a")
        manifest = self.folder / "m.jsonl"
        manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes())
        self.assertEqual(self.batch()["done"], 1)

    def test_manifests_that_are_none(self):
        self.assertIn("cannot be opened", self.batch(expect=INPUT))
        self.write_lines("", "")
        self.assertIn("holds no asset", self.batch(expect=INPUT))
        os.mkfifo(self.folder / "pipe")
        self.assertIn("no file", self.ossa("batch", "pipe", expect=INPUT).stderr)
        self.assertIn("name a manifest", self.ossa("batch", expect=USAGE).stderr)
        self.write_lines(self.asset("a"))
        for shard in ("0/4", "5/4", "1", "a/b", "1/4x", "-1/4", "1/0"):
            self.assertIn("is not a shard", self.batch("--shard", shard, expect=USAGE))
        self.assertIn("makes a manifest", self.batch("--bones", 20, expect=USAGE))

    def test_a_long_line_costs_no_memory(self):
        self.write_assets("a")
        with open(self.folder / "m.jsonl", "a") as stream:
            stream.write('{"id": "' + "x" * (40 << 20) + '"}\n' + json.dumps(self.asset("b")) + "\n")
        self.write_mesh("b.obj")
        self.assertEqual(self.batch(expect=SOME)["done"], 2)
        self.assertIn("longer than 16 MB", self.report()["line 2"]["message"])

    def test_time_and_memory(self):
        self.write_mesh("a.obj")
        self.write_lines(self.slow())
        self.assertEqual(self.batch("--asset-seconds", 2, expect=SOME)["failed"], 1)
        line = self.report()["slow"]
        self.assertEqual((line["code"], line["message"]), ("timeout", "was not done within 2 seconds"))
        self.assertLess(line["run"]["seconds"], 20)
        # the rig may have been there when the time of its error curve was over: whole or not at all
        for path in (self.folder / "out").glob("slow.glb"):
            self.assertEqual(int.from_bytes(path.read_bytes()[8:12], "little"), path.stat().st_size)
        self.assertFalse((self.folder / "out/slow.csv").exists())
        # without a limit, as the small one may take longer in an instrumented build
        self.write_lines(self.slow(), self.asset("a"))
        result = self.batch()
        self.assertEqual((result["done"], result["skipped"]), (1, 1))
        self.batch("--asset-memory", 5, "--retry-failed", expect=SOME)
        self.assertEqual(self.code_of("slow"), "limit")
        self.assertEqual(self.leftovers(), [])

    def refuse_ten_gigabytes(self, name, begin, words):
        """what the command uses to refuse a file of ten gigabytes, which are zeros but for its begin"""
        with open(self.folder / name, "wb") as stream:
            stream.write(begin)
            stream.truncate(10 << 30)
        process = subprocess.Popen([str(OSSA), "rig", name, "-o", "out.glb", "-q"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        with process.stderr:
            said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (INPUT, LIMIT), name)
        self.assertIn(words, said, name)
        return used

    def test_files_of_ten_gigabytes_are_not_read_whole(self):
        text = b'{"asset":{"version":"2.0"}}  '
        glb = b"glTF" + struct.pack("<3I", 2, 20 + len(text), len(text)) + b"JSON" + text
        filled = glb[:8] + struct.pack("<I", 4000000000) + glb[12:]
        solid = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        ply = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n"
        for name, begin, words in (("a.glb", glb, "holds no triangles"), ("b.gltf", text, "holds no triangles"), ("c.obj", b"", "line 1: holds a zero byte"),
                                   ("d.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "line 5: holds a zero byte"), ("e.glb", b"", "not good JSON"),
                                   ("f.glb", filled, "holds no triangles"), ("g.bvh", b"", "line 1: holds a zero byte"),
                                   ("h.ply", b"", "line 1: holds a zero byte"), ("i.ply", b"ply\n", "line 2: holds a zero byte"),
                                   ("j.ply", ply, "line 8: holds a zero byte"), ("k.stl", solid, "line 9: holds a zero byte"),
                                   ("l.stl", b"", "no vertices"), ("m.off", b"", "line 1: holds a zero byte"),
                                   ("n.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n", "line 6: holds a zero byte"), ("o.dae", b"", "is not read"),
                                   ("p.abc", b"", "export it again"), ("q.pc2", b"", "without faces"), ("r.mdd", b"", "without faces"),
                                   ("s.usda", b"#usda 1.0\n", "USD")):
            used = self.refuse_ten_gigabytes(name, begin, words)
            # of KB and seconds of CPU; instrumented builds take more of both
            self.assertLess(used.ru_maxrss, 1 << 20, name)
            self.assertLess(used.ru_utime + used.ru_stime, 4, name)

    def test_a_refused_file_of_ten_gigabytes_is_not_hashed(self):
        self.write_mesh("small.obj")
        (self.folder / "nothing.obj").write_text("nothing\n")
        with open(self.folder / "large.obj", "wb") as stream:
            stream.truncate(10 << 30)
        self.write_lines(*map(self.asset, ("large", "nothing", "small")))
        before = os.times()
        self.batch("--jobs", 1, expect=SOME)
        after = os.times()
        # of CPU; ten gigabytes take ten times as long
        self.assertLess(after.children_user + after.children_system - before.children_user - before.children_system, 4)
        inputs = {name: json.loads((self.folder / f"out/{name}.glb.ossa.json").read_text())["inputs"] for name in ("large", "nothing", "small")}
        self.assertEqual({name: "hash" in inputs[name][0] for name in inputs}, {"large": False, "nothing": True, "small": True})
        self.assertEqual(self.batch()["skipped"], 3)
        # what has no hash is tried again where its time does not say enough
        for name in inputs:
            os.utime(self.folder / f"{name}.obj")
        result = self.batch(expect=SOME)
        self.assertEqual((result["skipped"], result["failed"]), (2, 1))
        self.assertEqual(self.batch("--verify", expect=SOME)["skipped"], 2)

    def test_a_crash_costs_one_asset(self):
        self.write_mesh("a.obj")
        self.write_lines(self.slow(), self.asset("a"))
        for number, code in ((signal.SIGSEGV, "crash"), (signal.SIGKILL, "killed")):
            process = self.begin("--jobs", 1, "--retry-failed")
            self.wait_for(lambda: self.children_of(process))
            os.kill(self.children_of(process)[0], number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, SOME)
            self.assertEqual(self.code_of("slow"), code)
        self.assertEqual(self.code_of("a"), "done")

    def test_places_that_cannot_be_written(self):
        self.write_assets("a", "b")
        (self.folder / "file").write_text("")
        self.write_lines({**self.asset("a"), "output": "file/a.glb"}, self.asset("b"))
        self.assertEqual(self.batch(expect=SOME)["done"], 1)
        self.assertIn("Not a directory", self.report()["a"]["message"])
        # it is not the asset's fault: no need to ask for it
        (self.folder / "file").unlink()
        self.assertEqual(self.batch()["done"], 1)
        (self.folder / "file2").write_text("")
        self.assertIn("--state", self.batch("--state", "file2/state", expect=WRITE))

    def test_a_full_disk(self):
        self.write_assets("a", "b", "c")
        limit = ["bash", "-c", 'ulimit -f 4; exec "$@"', "-", str(OSSA), "batch", "m.jsonl", "-q"]
        done = subprocess.run(limit, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, SOME, done.stderr)
        self.assertEqual({line["code"] for line in self.report().values()}, {"write"})
        self.assertEqual(list((self.folder / "out").glob("*.glb")), [])
        # then the report itself does not fit either: the batch ends, and nothing is cut
        for _ in range(4):
            done = subprocess.run(limit, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, WRITE, done.stderr)
        self.assertIn("run the same command again", done.stderr)
        report = (self.folder / "m.batch/shard-0001-of-0001.jsonl").read_text()
        self.assertTrue(report.endswith("}\n"))
        self.assertEqual(self.batch()["done"], 3)
        self.assertEqual(self.leftovers(), [])

    def test_a_clock_that_jumps_back(self):
        self.write_assets("a")
        self.batch()
        path = self.folder / "out/a.glb.ossa.json"
        future = json.loads(path.read_text())
        future["report"]["run"]["sequence"] = 4 * 10**15
        path.write_text(json.dumps(future))
        self.assertEqual(self.batch()["skipped"], 1)
        (self.folder / "a.obj").write_text("nothing\n")
        self.batch(expect=SOME)
        # the last run counts, although its clock says that it was before
        line = self.report()["a"]
        self.assertEqual((line["status"], line["run"]["sequence"]), ("failed", 4 * 10**15 + 1))

    def test_a_clock_that_jumps_back_after_a_failure_that_passes(self):
        # such a failure leaves a line in the report and no sidecar
        self.write_assets("a")
        (self.folder / "out").mkdir(exist_ok=True)
        (self.folder / "out/a.glb").mkdir()
        self.batch(expect=SOME)
        path = next((self.folder / "m.batch").glob("shard-*.jsonl"))
        line = json.loads(path.read_text())
        self.assertEqual(line["status"], "failed")
        line["run"]["sequence"] = 4 * 10**15
        path.write_text(json.dumps(line) + "\n")
        (self.folder / "out/a.glb").rmdir()
        self.batch()
        line = self.report()["a"]
        self.assertEqual((line["status"], line["run"]["sequence"]), ("done", 4 * 10**15 + 1))

    def test_a_spoilt_sidecar_is_none(self):
        self.write_assets("a")
        self.batch()
        for text in ("", "{", "[]", '{"report": 1}', '{"report": {"status": "done"}, "work": 7, "inputs": 3}'):
            (self.folder / "out/a.glb.ossa.json").write_text(text)
            self.assertEqual(self.batch()["done"], 1, text)


class Ends(BatchTest):
    NAMES = [f"t{i}" for i in range(8)]

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
        self.assertRegex(self.batch("--lock-seconds", 5, expect=USAGE), f"worked on already, by host '.*', process {process.pid}")
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


class Manifests(BatchTest):
    def make(self, *words, expect=DONE):
        done = self.ossa("batch", "--make", *words, expect=expect)
        return [json.loads(line) for line in done.stdout.splitlines()] if expect == DONE else done.stderr

    def fill(self, *paths):
        for path in paths:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(path)

    def test_patterns(self):
        self.fill("in/b.obj", "in/a.obj", "in/deep/er/c.obj", "in/deep/.hidden.obj", "in/.git/d.obj", "in/x[1].obj", "in/e.txt", "in/ä.obj")
        (self.folder / "in/loop").symlink_to("..")
        lines = self.make("in/**/*.obj", "--out", "out/{folder}/{name}.glb")
        self.assertEqual([line["id"] for line in lines], ["in/a.obj", "in/b.obj", "in/deep/er/c.obj", "in/x[1].obj", "in/ä.obj"])
        self.assertEqual([line["output"] for line in lines], ["out/a.glb", "out/b.glb", "out/deep/er/c.glb", "out/x[1].glb", "out/ä.glb"])
        self.assertEqual(lines[2]["bytes"], len("in/deep/er/c.obj"))
        for pattern, found in {"in/*.obj": 4, "in/?.obj": 3, "in/[!ab]*.obj": 2, "in/[a-c].obj": 2, "in/x[1].obj": 1, "in/x\\[1].obj": 1,
                               "**/c.obj": 1, "in/**": 6, "in/.git/*": 1, "in/**/**/c.obj": 1, "./in/*.obj": 4, "in/a.obj": 1,
                               "in/d*/*/*.obj": 1}.items():
            self.assertEqual(len(self.make(pattern, "--out", "o/{number}.glb")), found, pattern)
        self.assertIn("no file matches", self.make("in/*.none", "--out", "o/{name}.glb", expect=INPUT))

    def warn(self, *words):
        """a manifest that lacks something"""
        done = subprocess.run([str(OSSA), "batch", "--make", *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, SOME, done.stderr)
        return done

    def test_what_is_left_out_is_told(self):
        self.fill("in/a.obj", "in/deep/b.obj")
        (self.folder / "in/gone.obj").symlink_to("nowhere.obj")
        (self.folder / "in/loop").symlink_to("loop")
        for pattern in ("in/*.obj", "in/**/*.obj", "**/*.obj"):
            self.assertIn("in/gone.obj", [line["id"] for line in self.make(pattern, "--out", "o/{name}.glb")], pattern)
        # what would be behind a link nobody knows
        done = self.warn("in/*/*.obj", "--out", "o/{name}.glb")
        self.assertEqual([json.loads(line)["id"] for line in done.stdout.splitlines()], ["in/deep/b.obj"])
        self.assertIn("in/loop: cannot be read", done.stderr)
        for pattern in ("in/loop/*.obj", "in/loop/**/*.obj"):
            self.assertEqual(self.make(pattern, "--out", "o/{name}.glb", expect=INPUT).count("in/loop/: cannot be read"), 1)
        (self.folder / os.fsdecode(b"in/\xe9.obj")).write_text("")
        done = self.warn("in/*.obj", "--out", "o/{name}.glb")
        self.assertIn("in/?.obj: its name is not UTF-8", done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 2)

    def test_templates(self):
        self.fill("in/a/x.obj", "in/b/x.obj", "in/...obj")
        lines = self.make("in/*/x.obj", "--out", "{folder}-{name}.{ending}.{number}{{}.glb", "--report", "r/{folder}.html", "--bones", 20, "--no-rigid-pieces")
        self.assertEqual(lines[0], {"id": "in/a/x.obj", "input": "in/a/x.obj", "bytes": 10, "output": "a-x.obj.1{}.glb",
                                    "options": {"report": "r/a.html", "bones": 20, "rigid-pieces": False}})
        self.fill("in/c/y.glb")
        self.assertIn("in/c/y.glb would be written over itself", self.make("in/c/*.glb", "--out", "in/../in/c/{name}.glb", expect=USAGE))
        self.assertIn("would both be written to o/x.glb", self.make("in/*/x.obj", "--out", "o/{name}.glb", expect=USAGE))
        self.assertIn("{nam} is no part", self.make("in/*/x.obj", "--out", "o/{nam}.glb", expect=USAGE))
        self.assertIn("leads out of its folder", self.make("in/.*", "--out", "o/{name}/r.glb", expect=INPUT))
        self.assertEqual(self.make("in/a/x.obj", "--out", "../{name}.glb")[0]["output"], "../x.glb")
        self.assertIn("cannot hold a rig", self.make("in/a/x.obj", "--out", "{name}.obj", expect=USAGE))
        self.assertIn("--bones", self.make("in/a/x.obj", "--out", "{name}.glb", "--bones", "many", expect=USAGE))
        self.assertIn("there is no option --bonnes", self.make("in/a/x.obj", "--out", "{name}.glb", "--bonnes", 5, expect=USAGE))
        self.assertIn("say where", self.make("in/a/x.obj", expect=USAGE))

    def test_poses_and_overrides(self):
        self.fill("in/a/rest.obj", "in/a/p1.obj", "in/a/p2.obj", "in/b[1]/rest.obj", "in/b[1]/p1.obj", "in/c/rest.obj")
        (self.folder / "o.jsonl").write_text('{"match": "in/b*/**", "options": {"bones": 9, "refine": null}}\n\n{"match": "**/c/*", "skip": true}\n')
        lines = self.make("in/*/rest.obj", "--poses", "in/{folder}/*.obj", "--out", "{folder}.glb", "--refine", 0, "--overrides", "o.jsonl")
        self.assertEqual([line["inputs"] for line in lines], [["in/a/rest.obj", "in/a/p1.obj", "in/a/p2.obj"], ["in/b[1]/rest.obj", "in/b[1]/p1.obj"]])
        self.assertEqual([line["options"] for line in lines], [{"refine": 0}, {"bones": 9}])
        (self.folder / "o.jsonl").write_text('{"match": "x", "options": {}}\n{"options": {}}\n')
        self.assertIn('line 2 has no "match"', self.make("in/a/*", "--out", "{name}.glb", "--overrides", "o.jsonl", expect=INPUT))
        self.write_lines({"match": "*", "option": {"bones": 3}, "skip": False}, name="o.jsonl")
        self.assertIn("has other keys than", self.make("in/a/*", "--out", "{name}.glb", "--overrides", "o.jsonl", expect=INPUT))
        # zeros are no blanks, and what is too long is not read
        for size, words in ((100, "line 1 is no JSON"), (10 << 30, "line 1 is longer than 16 MB")):
            with open(self.folder / "o.jsonl", "wb") as stream:
                stream.truncate(size)
            self.assertIn(words, self.make("in/a/*", "--out", "{name}.glb", "--overrides", "o.jsonl", expect=INPUT))

    def test_a_manifest_elsewhere(self):
        self.write_mesh("in/a.obj")
        (self.folder / "work").mkdir()
        self.ossa("batch", "work/m.jsonl", "--make", "in/*.obj", "--out", "out/{name}.glb", "--method", "volume")
        line = json.loads((self.folder / "work/m.jsonl").read_text())
        self.assertEqual((line["input"], line["output"]), ("../in/a.obj", "../out/a.glb"))
        self.ossa("batch", "work/m.jsonl")
        self.assertTrue((self.folder / "out/a.glb").exists())
        # what a batch has written is no input of the next
        lines = self.make("**/*.*", "--out", "next/{name}-{ending}.glb")
        self.assertNotIn("out/a.glb", [line["input"] for line in lines])

    def test_a_manifest_is_made_again(self):
        self.write_mesh("a.obj")
        self.ossa("batch", "m.jsonl", "--make", "**/*", "--out", "out/{name}.glb", "--method", "volume")
        first = (self.folder / "m.jsonl").read_bytes()
        self.batch()
        self.report()
        # neither itself nor its reports are in it
        self.ossa("batch", "./m.jsonl", "--make", "**/*", "--out", "out/{name}.glb", "--method", "volume")
        self.assertEqual([json.loads(line)["id"] for line in first.splitlines()], ["a.obj"])
        self.assertEqual((self.folder / "m.jsonl").read_bytes(), first)
        mesh = (self.folder / "a.obj").read_bytes()
        (self.folder / "text.gltf").write_text('{"asset": {"version": "2.0"}}')
        for name in ("a.obj", "text.gltf", "out"):
            self.assertIn("is there and is no manifest", self.make_at(name))
        self.assertEqual((self.folder / "a.obj").read_bytes(), mesh)

    def make_at(self, name):
        return self.ossa("batch", name, "--make", "*.obj", "--out", "out/{name}.glb", expect=USAGE).stderr


class Results(BatchTest):
    def test_collecting(self):
        self.write_assets("a", "</script><b>")
        with open(self.folder / "m.jsonl", "a") as stream:
            stream.write(json.dumps(self.asset("bad")) + "\n" + json.dumps(self.asset("never", bytes=0)) + "\n")
        (self.folder / "bad.obj").write_text("nothing\n")
        for shard in ("1/2", "2/2"):
            subprocess.run([str(OSSA), "batch", "m.jsonl", "-q", "--shard", shard], cwd=self.folder, timeout=60)
        with open(self.folder / "m.jsonl", "a") as stream:
            stream.write(json.dumps(self.asset("later")) + "\n")
        said = self.batch("--collect", expect=SOME)
        self.assertEqual((said["assets"], said["done"], said["failed"], said["missing"]), (5, 2, 2, 1))
        self.assertEqual(said["codes"], {"input": 2})
        page = (self.folder / "m.batch/index.html").read_text()
        self.assertEqual(page.count("</script>"), 2)
        data = json.loads(page.split('id="data">')[1].split("</script>")[0])
        self.assertEqual(data["base"], "../")
        self.assertEqual([row["status"] for row in data["rows"]], ["failed", "failed", "missing", "done", "done"])
        for row in data["rows"]:
            self.assertEqual(bool(row["picture"]), row["status"] == "done")
            if row["picture"]:
                self.assertTrue((self.folder / "m.batch" / row["picture"]).read_bytes().startswith(b"\x89PNG"))

    def test_pictures_that_cannot_be_drawn_are_told(self):
        self.write_assets("a", "b")
        self.batch()
        (self.folder / "out/a.glb").write_text("no rig\n")
        done = subprocess.run([str(OSSA), "batch", "m.jsonl", "--collect"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("pictures that could not be drawn: 1;", done.stderr)
        self.assertEqual(len(list((self.folder / "m.batch/thumbs").glob("*.png"))), 1)

    def test_more_shards_than_files_that_may_be_open(self):
        self.write_assets("a", "b")
        for shard in range(1, 41):
            self.batch("--shard", f"{shard}/40")
        done = subprocess.run(["bash", "-c", 'ulimit -Sn 24; exec "$@"', "-", str(OSSA), "batch", "m.jsonl", "--collect", "--json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, json.loads(done.stdout)["done"]), (DONE, 2), done.stderr)

    def test_a_report_answers_the_line_that_means_the_same(self):
        self.write_assets("a", "line 1", "b")
        self.batch()
        # other words for the same work; a line of its own name, which is not its number
        self.write_lines(json.dumps(self.asset("a"), indent=None, separators=(",", ":")), {**self.asset("line 1"), "bytes": 1},
                         '{"id": "b", "id": "b", "input": "b.obj", "output": "out/b.glb"}')
        self.assertEqual({name: line["status"] for name, line in self.report().items()}, {"a": "done", "line 1": "done", "b": "missing"})
        self.batch(expect=SOME)
        self.assertEqual({name: line["status"] for name, line in self.report().items()}, {"a": "done", "line 1": "done", "line 3": "failed"})

    def test_ids_do_not_reach_the_terminal_raw(self):
        self.write_assets("a")
        name = "a\n\x1b[31m" + "x" * 500
        self.write_lines({**self.asset("a"), "id": name})
        self.batch()
        self.assertEqual(self.report()[name]["status"], "done")
        done = subprocess.run([str(OSSA), "batch", "m.jsonl", "--collect"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        took = next(line for line in done.stdout.splitlines() if line.startswith("took"))
        self.assertIn("a??[31mxxx", took)
        self.assertLess(len(took), 200)
        self.assertNotIn("\x1b", done.stdout)

    def test_names_with_control_characters_do_not_cut_messages(self):
        name = "a\nb\x1b[31m.obj"
        for words in (["rig", name], ["inspect", name], ["batch", name], [name]):
            done = subprocess.run([str(OSSA), *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("a?b?[31m.obj", done.stderr)
            self.assertNotIn("\x1b", done.stderr)

    def test_work_that_the_manifest_no_longer_asks_for_is_missing(self):
        self.write_assets("a")
        self.batch()
        self.write_lines(self.asset("a", options={"bones": 4}))
        self.assertEqual(self.code_of("a"), "missing")

    def test_scripts_for_slurm(self):
        folder = self.folder / "it's here"
        folder.mkdir()
        (folder / "m.jsonl").write_text("".join(json.dumps(self.asset(f"a{i}")) + "\n" for i in range(3)))
        self.ossa("batch", "it's here/m.jsonl", "--slurm", "--shards", 9, "--partition", "big", "--time", "1:00", "--node-memory", 500, "--cpus", 3,
                  "--sbatch=--account=films", "--retry-failed", "--asset-memory", 100)
        for name in ("array.sh", "collect.sh"):
            script = (folder / "m.batch" / name).read_text()
            subprocess.run(["sh", "-n", folder / "m.batch" / name], check=True)
            for line in ("--partition=big", "--time=1:00", "--mem=500M", "--cpus-per-task=3", "--account=films"):
                self.assertIn(f"#SBATCH {line}\n", script)
        self.assertIn("#SBATCH --array=1-3\n", (folder / "m.batch/array.sh").read_text())
        self.assertIn("must be one line", self.ossa("batch", "it's here/m.jsonl", "--slurm", "--partition", "a\nb", expect=USAGE).stderr)
        # the script runs, and what it runs is the shard
        done = subprocess.run([folder / "m.batch/array.sh"], env={**os.environ, "SLURM_ARRAY_TASK_ID": "2"}, cwd="/", capture_output=True, text=True)
        self.assertEqual(done.returncode, SOME, done.stderr)
        self.assertTrue((folder / "m.batch/shard-0002-of-0003.jsonl").exists())
        # submitted by a program called sbatch
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "sbatch").write_text('#!/bin/sh\necho "$PWD $*" >>"$0.log"\necho 17\n')
        (tools / "sbatch").chmod(0o755)
        path = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        said = self.json("batch", "it's here/m.jsonl", "--slurm", "--submit", "--json", env=path)
        self.assertEqual((said["array_job"], said["collect_job"]), ("17", "17"))
        state = folder / "m.batch"
        self.assertEqual((tools / "sbatch.log").read_text(),
                         f"{state} --parsable array.sh\n{state} --parsable --dependency=afterany:17 collect.sh\n")
        (tools / "sbatch").write_text("#!/bin/sh\necho no such partition >&2\nexit 1\n")
        done = self.ossa("batch", "it's here/m.jsonl", "--slurm", "--submit", expect=4, env=path)
        self.assertIn("no such partition", done.stderr)


class Examples(BatchTest):
    """the examples of docs/batch.md as they stand there"""

    def setUp(self):
        super().setUp()
        for i, name in enumerate(("lion", "two words", "it's")):
            self.write_mesh(f"in/{name}.obj", 0.3 + 0.1 * i)
        (self.folder / "in/broken.obj").write_text("nothing\n")
        (self.folder / "tools").mkdir()
        (self.folder / "tools/ossa").symlink_to(OSSA)
        self.path = {**os.environ, "PATH": f"{self.folder}/tools:{os.environ['PATH']}", "PARALLEL_HOME": str(self.folder)}
        self.ossa("batch", "beasts.jsonl", "--make", "in/*.obj", "--out", "out/{name}.glb", "--method", "volume")

    def example(self, heading):
        page = (Path(__file__).parents[2] / "docs/batch.md").read_text()
        return page.split(f"### {heading}\n")[1].split("```\n")[1]

    def run_program(self, *words):
        if not shutil.which(words[0]):
            self.skipTest(f"no {words[0]}")
        return subprocess.run(words, cwd=self.folder, env=self.path, capture_output=True, text=True, timeout=120)

    def check(self):
        lines = [json.loads(line) for line in (self.folder / "beasts.batch/report.jsonl").read_text().splitlines()]
        self.assertEqual([line["status"] for line in lines], ["failed", "done", "done", "done"])
        self.assertTrue((self.folder / "beasts.batch/index.html").exists())
        self.assertEqual(self.leftovers(), [])

    def test_gnu_parallel(self):
        if not shutil.which("parallel"):
            self.skipTest("no parallel")
        done = self.run_program("sh", "-c", self.example("GNU parallel"))
        self.assertEqual(done.returncode, SOME, done.stderr)
        self.check()

    def test_snakemake(self):
        (self.folder / "Snakefile").write_text(self.example("Snakemake"))
        done = self.run_program("snakemake", "--cores", "2")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.check()


main()
