"""`ossa batch`: lines that are wrong, faults of assets and of the place where they are written."""
import json
import os
import random
import re
import signal
import struct
import subprocess

from batch_case import SOME, BatchTest
from harness import INPUT, LIMIT, OSSA, USAGE, WRITE, main


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


if __name__ == "__main__":
    main()
