"""`--report` of rig and compare: a self-contained page, the same numbers as JSON."""
import json
import re
import xml.etree.ElementTree

from harness import USAGE, WRITE, CommandTest, main, write_moving_cubes


class Report(CommandTest):
    def page(self, name):
        """the page, which is XML too and asks for nothing outside of it"""
        text = (self.folder / name).read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(text)
        plain = re.sub(r'base64,[^"]*"', '"', text)
        for word in ("http:", "https:", "//", "url(", "<script", "href="):
            self.assertNotIn(word, plain)
        return root, " ".join("".join(root.itertext()).split())

    def titles(self, root):
        return [title.text for title in root.iter("h2")] + [title.text for title in root.iter("h3")]

    def test_poses(self):
        names = self.write_tubes(6)
        done = self.ossa("rig", *names, "--bones", 2, "-o", "tube.glb", "--report", "tube.html", "--report", "tube.json")
        self.assertIn("tube.html", done.stdout)
        self.assertIn("tube.json", done.stdout)
        numbers = json.loads((self.folder / "tube.json").read_text())
        root, words = self.page("tube.html")
        self.assertEqual(root.find("head/title").text, "rest.obj: rig report")
        for title in ("In numbers", "Warnings", "The worst frame", "Joints bent", "Where the errors are", "By frame", "By bone", "Skeleton", "How it was made"):
            self.assertIn(title, self.titles(root))
        self.assertEqual(len(list(root.iter("img"))), 5)
        # the method tried both ways, and the larger error by the number that JSON has
        self.assertRegex(words, r"Why this method: RMS of drafts [0-9.]+ % by examples, [0-9.]+ % by sequence")
        self.assertIn(f"at vertex {numbers['hierarchy']['max_vertex']}, in frame {numbers['hierarchy']['max_frame'] + 1}", words)
        for bone in numbers["bones"]:
            self.assertIn(bone["name"], words)
        self.every_metric_is_reported(done.stdout, numbers, words)

    def every_metric_is_reported(self, printed, numbers, words):
        """by its name in JSON, by its title on the terminal and on the page; tests/studio/test_server.py looks into the studio"""
        errors = next(table for table in self.json("help", "metrics", "--json") if table["name"] == "errors")
        for metric in errors["metrics"]:
            self.assertIn(metric["name"], numbers["hierarchy"])
            self.assertRegex(printed, rf"(?m)^ *{re.escape(metric['title'])} +[0-9.e-]+ +[0-9.e-]+( |$)")
            self.assertIn(metric["title"], words)
            self.assertIn(metric["help"] if not metric.get("detail_of") else metric["title"], words)

    def test_error_curve(self):
        names = self.write_tubes(4)
        wanted = [word for ending in ("csv", "json", "svg") for word in ("--error-curve", f"curve.{ending}")]
        done = self.ossa("rig", *names, "--body", "none", "--bones", 3, "-o", "tube.glb", *wanted)
        self.assertIn("curve.svg", done.stdout)
        rows = (self.folder / "curve.csv").read_text().splitlines()
        curve = json.loads((self.folder / "curve.json").read_text())
        self.assertEqual(rows[0], "bones,rms_percent,face_normal_rms,parts_rms_percent")
        self.assertEqual([int(row.split(",")[0]) for row in rows[1:]], list(range(1, 31)))
        self.assertEqual(len(curve["levels"]), 30)
        self.assertGreater(curve["levels"][0]["rms_percent"], 5 * curve["levels"][2]["rms_percent"])
        xml.etree.ElementTree.parse(self.folder / "curve.svg")
        # refused before any work
        self.ossa("rig", *names, "--error-curve", "curve.png", "-o", "no.glb", expect=USAGE)
        self.ossa("rig", names[0], "--error-curve", "curve.csv", "-o", "no.glb", expect=USAGE)
        self.assertFalse((self.folder / "no.glb").exists())

    def test_examples_have_a_curve_over_bones(self):
        names = self.write_tubes(4)
        self.ossa("rig", *names, "--body", "none", "--bones", 3, "--method", "examples", "-o", "tube.glb", "--report", "tube.html", "-q")
        root, words = self.page("tube.html")
        self.assertIn("By the number of bones", self.titles(root))
        self.assertIn("this rig", words)
        # the file has the end of the hierarchy: the same curve
        self.ossa("compare", "tube.glb", *names, "--report", "compare.html", "-q")
        told = [re.findall(r"bones [1-9]: RMS [^<]*", (self.folder / name).read_text()) for name in ("tube.html", "compare.html")]
        self.assertGreater(len(told[0]), 1)
        self.assertEqual(told[0], told[1])

    def test_one_mesh(self):
        self.ossa("sample", "hand", "--faces", 3000, "-o", "hand", "-q")
        self.ossa("rig", "hand/rest.obj", "-o", "hand.glb", "--report", "hand.html", "-q")
        root, words = self.page("hand.html")
        self.assertIn("without motion", words)
        self.assertEqual(root.find("head/title").text, "rest.obj: rig report", "not where it lies")
        self.assertNotIn("Where the errors are", self.titles(root))
        self.assertEqual(len(list(root.iter("img"))), 5)

    def test_warnings_say_what_to_do(self):
        write_moving_cubes(self.folder / "machine.gltf", [(0, None), (4, 0)], names=["a", "a"])
        told = self.json("rig", "machine.gltf", "--body", "none", "--bones", 9, "-o", "machine.glb", "--report", "machine.html", "--report", "machine.json", "--json")
        self.assertEqual(told["files"], ["machine.glb", "machine.html", "machine.json"])
        warnings = json.loads((self.folder / "machine.json").read_text())["warnings"]
        self.assertTrue(warnings)
        _, words = self.page("machine.html")
        for warning in warnings:
            self.assertIn(warning["code"], words)
            self.assertIn(" ".join(warning["advice"].replace("`", "").split()), words)

    def test_a_rig_that_gets_a_motion(self):
        names = self.write_tubes(4)
        self.ossa("rig", *names, "--body", "none", "--bones", 2, "-o", "tube.glb", "-q")
        self.ossa("rig", "--skeleton", "tube.glb", "--rest", *names, "-o", "again.glb", "--report", "again.html", "-q")
        root, words = self.page("again.html")
        self.assertIn("By frame", self.titles(root))
        self.assertIn("moving through 4 frames", words)

    def test_compare(self):
        names = self.write_tubes(5)
        self.ossa("rig", *names, "--body", "none", "--bones", 2, "-o", "tube.glb", "-q")
        told = self.json("compare", "tube.glb", *names, "--truth", "tube.glb", "--report", "compare.html", "--report", "compare.json", "--json")
        numbers = json.loads((self.folder / "compare.json").read_text())
        self.assertAlmostEqual(told["metrics"]["rms_percent"], numbers["hierarchy"]["rms_percent"], places=9)
        self.assertEqual(numbers["nearness"], told["truth"])
        root, words = self.page("compare.html")
        self.assertIn("Against another skeleton", self.titles(root))
        self.assertRegex(words, "By (examples|sequence) ")
        self.assertIn("By frame", self.titles(root))
        self.ossa("compare", "tube.glb", "rest.obj", "--report", "weights.html", "-q")
        root, words = self.page("weights.html")
        self.assertIn("There are no frames to compare with", words)
        refused = self.ossa("compare", "--holdout", *names, "--bones", 2, "--report", "a.html", expect=USAGE).stderr
        self.assertIn("--report", refused)

    def test_odd_names(self):
        names = self.write_tubes(3)
        odd = "a <b> & 'c' \"d\".obj"
        (self.folder / "rest.obj").rename(self.folder / odd)
        self.ossa("rig", odd, *names[1:], "--body", "none", "--bones", 2, "-o", "tube.glb", "--report", "tube.html", "-q")
        root, _ = self.page("tube.html")
        self.assertEqual(next(root.iter("h1")).text, odd)

    def test_where_reports_cannot_go(self):
        names = self.write_tubes(2)
        for path in ("a.txt", "html", "report"):
            told = self.ossa("rig", *names, "--report", path, "-o", "a.glb", expect=USAGE).stderr
            self.assertIn(".html or .json", told)
        self.assertIn("none", self.ossa("rig", *names, "--report", "none/a.html", "-o", "a.glb", expect=WRITE).stderr)
        self.assertIn("written twice", self.ossa("rig", *names, "--report", "a.html", "--report", "a.html", "-o", "a.glb", expect=USAGE).stderr)


main()
