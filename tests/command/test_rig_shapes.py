"""`ossa rig --add-shapes`: corrective shapes, through the command and its files."""
import json

from harness import USAGE, CommandTest, main


# which body the shape may be changes nothing here, and looking for it takes most of the time
RIG = ("--body", "none")


class Shapes(CommandTest):
    """a.glb and b.glb are rigs of one sample, without shapes and with them; beside them what was said of each"""

    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        files = self.sample()
        (self.folder / "a.json").write_text(self.ossa("rig", *files, *RIG, "-o", "a.glb", "--json").stdout)
        (self.folder / "b.json").write_text(self.ossa("rig", *files, *RIG, "-o", "b.glb", "--add-shapes", 30, "--json").stdout)

    def sample(self, bulge=2):
        files = ["biped/rest.obj", *(f"biped/pose-{i + 1}.obj" for i in range(24))]
        if bulge != 2 or not (self.folder / "biped").exists():
            self.ossa("sample", "biped", "--faces", 1500, "--frames", 24, "--bulge", bulge, "-o", "biped", "-q")
        return files

    def rms(self, rig, files):
        return self.json("compare", "--json", rig, *files)["metrics"]["rms_percent"]

    def test_shapes_lower_the_error_and_travel(self):
        files = self.sample()
        without, told = (json.loads((self.folder / f"{name}.json").read_text()) for name in "ab")
        shapes = told["shapes"]
        self.assertNotIn("shapes", without)
        self.assertGreater(len(shapes["list"]), 2)
        self.assertAlmostEqual(shapes["before_rms_percent"], without["hierarchy"]["rms_percent"], delta=1e-6)
        self.assertLess(told["hierarchy"]["rms_percent"], 0.8 * without["hierarchy"]["rms_percent"])
        self.assertLessEqual(shapes["rms_percent"], shapes["held_rms_percent"])
        self.assertLess(shapes["held_rms_percent"], shapes["before_rms_percent"])
        names = {bone["name"] for bone in self.json("inspect", "--json", "b.glb")["rig"]["bones"]}
        for shape in shapes["list"]:
            self.assertIn(shape["bone"], names)
            self.assertIn(shape["bone"], shape["name"])
            self.assertLess(abs(shape["from"]), abs(shape["to"]))
        inspected = self.json("inspect", "--json", "b.glb")["morphs"]
        self.assertEqual([shape["follows"]["bone"] for shape in inspected], [shape["bone"] for shape in shapes["list"]])
        self.assertRegex(self.ossa("inspect", "b.glb").stdout, r"_shape +\d+ vertices, follows \w+ from [-\d.e+]+ to [-\d.]+ degrees")
        # the file's own motion shows them: as a rig, as a rig written again, as frames
        rms = told["hierarchy"]["rms_percent"]
        self.ossa("convert", "b.glb", "again.glb", "-q")
        self.ossa("convert", "b.glb", "b.pc2", "-q")
        for rig in ("b.glb", "again.glb"):
            self.assertAlmostEqual(self.rms(rig, files), rms, delta=1e-4)
            self.assertLess(self.rms(rig, [files[0], "b.pc2"]), 1e-4)
        printed = self.ossa("rig", *files, *RIG, "-o", "c.glb", "--add-shapes", 30).stdout
        self.assertRegex(printed, r"shapes +\d+ corrective, on \d+ vertices: RMS [\d.]+ to [\d.]+ %; of frames left out [\d.]+ %")
        self.assertEqual((self.folder / "b.glb").read_bytes(), (self.folder / "c.glb").read_bytes())

    def test_frames_that_were_held_out(self):
        words = ["compare", "--holdout", "--json", *self.sample(), *RIG, "--split", "halves"]
        without, told = self.json(*words), self.json(*words, "--add-shapes", 30)
        self.assertEqual(without["shapes"], 0)
        self.assertGreater(told["shapes"], 1)
        for part in ("fitted", "held"):
            self.assertLess(told["hierarchy"]["rms_percent"][part], without["hierarchy"]["rms_percent"][part])

    def test_another_motion_moves_them(self):
        files = self.sample()
        told = self.json("rig", "--with", "b.glb", *files[13:], "-o", "later.glb", "--json")
        plain = self.json("rig", "--with", "a.glb", *files[13:], "-o", "plain-later.glb", "--json")
        self.assertLess(told["hierarchy"]["rms_percent"], 0.8 * plain["hierarchy"]["rms_percent"])
        self.assertAlmostEqual(self.rms("later.glb", [files[0], *files[13:]]), told["hierarchy"]["rms_percent"], delta=1e-4)
        # weights that are solved again have others, or none
        again = self.ossa("rig", "--with", "b.glb", *files[1:], "--solve", "weights,motion", "-o", "solved.glb")
        self.assertIn("corrective shapes are for the weights", again.stderr)
        more = self.json("rig", "--with", "b.glb", *files[1:], "--solve", "weights,motion", "--add-shapes", 30, "-o", "more.glb", "--json")
        self.assertGreater(len(more["shapes"]["list"]), 2)

    def test_formats_that_do_not_move_them(self):
        files = self.sample()
        self.ossa("rig", *files, *RIG, "-o", "b.glb", "--add-shapes", 2, "-q")
        told = self.ossa("convert", "b.glb", "b.dae").stderr
        self.assertIn("morph targets that nothing moves (2 shapes)", told)
        told = self.ossa("edit", "b.glb", "--rename", "bone_01,arm", "-o", "edited.glb").stderr
        self.assertNotIn("nothing moves", told)

    def test_what_has_no_meaning(self):
        files = self.sample(0)
        self.assertIn("nothing moves", self.ossa("rig", files[0], "--add-shapes", 3, "-o", "a.glb", expect=USAGE).stderr)
        words = ["rig", *files, "--add-shapes", 3, "--free-bones", "-o", "a.glb"]
        self.assertIn("leave out one of them", self.ossa(*words, expect=USAGE).stderr)
        self.assertIn("--shape-worth", self.ossa("rig", *files, "--shape-worth", 101, "-o", "a.glb", expect=USAGE).stderr)
        # what bones explain has no shape
        self.assertEqual(self.json("rig", *files, *RIG, "--add-shapes", 30, "-o", "a.glb", "--json")["shapes"]["list"], [])


if __name__ == "__main__":
    main()
