"""`ossa batch`: manifests that are made, reports that are collected, scripts and examples."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from batch_case import SOME, WORDS, BatchTest
from harness import DONE, INPUT, OSSA, USAGE, main


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
        self.ossa("batch", "work/m.jsonl", "--make", "in/*.obj", "--out", "out/{name}.glb", *WORDS)
        line = json.loads((self.folder / "work/m.jsonl").read_text())
        self.assertEqual((line["input"], line["output"]), ("../in/a.obj", "../out/a.glb"))
        self.ossa("batch", "work/m.jsonl")
        self.assertTrue((self.folder / "out/a.glb").exists())
        # what a batch has written is no input of the next
        lines = self.make("**/*.*", "--out", "next/{name}-{ending}.glb")
        self.assertNotIn("out/a.glb", [line["input"] for line in lines])

    def test_a_manifest_is_made_again(self):
        self.write_mesh("a.obj")
        self.ossa("batch", "m.jsonl", "--make", "**/*", "--out", "out/{name}.glb", *WORDS)
        first = (self.folder / "m.jsonl").read_bytes()
        self.batch()
        self.report()
        # neither itself nor its reports are in it
        self.ossa("batch", "./m.jsonl", "--make", "**/*", "--out", "out/{name}.glb", *WORDS)
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
        self.ossa("batch", "beasts.jsonl", "--make", "in/*.obj", "--out", "out/{name}.glb", *WORDS)

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


if __name__ == "__main__":
    main()
