"""`ossa rig` of several bodies in one file: a tree for each under a root that moves no vertex."""
import math

from harness import INPUT, CommandTest, main, tube, tube_faces

POSES = 5


NAMES = ["rest.obj"] + [f"pose-{i + 1}.obj" for i in range(POSES)]


class Roots(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        """scene.glb, a rig of the scene, and what was said of it"""
        self.write_scene()
        (self.folder / "scene.txt").write_text(self.ossa("rig", *NAMES, "-o", "scene.glb").stdout)

    def write_scene(self):
        """two tubes that bend each in its own rhythm, and a floor"""
        for i, name in enumerate(NAMES):
            lines, first = [], 1
            parts = [(tube(0.25 * i), (0, 0, 0)), (tube(0.8 * math.sin(2.1 * i)), (0.3 * math.sin(1.3 * i), 0, 2))]
            floor = [(-9, -2, -9), (9, -2, -9), (9, -2, 9), (-9, -2, 9)]
            for vertices, at in parts:
                lines += ["v " + " ".join(f"{a + b:.6f}" for a, b in zip(vertex, at)) for vertex in vertices]
                lines += ["f " + " ".join(str(k + first) for k in face) for face in tube_faces()]
                first += len(vertices)
            lines += [f"v {x} {y} {z}" for x, y, z in floor] + ["f " + " ".join(str(k + first) for k in (0, 3, 2, 1))]
            (self.folder / name).write_text("\n".join(lines) + "\n")

    def bones(self, path):
        return self.json("inspect", "--json", path)["rig"]["bones"]

    def test_each_body_has_a_tree(self):
        self.assertIn("3 bodies move independently of each other, 1 of one bone", (self.folder / "scene.txt").read_text())
        roots = [bone["name"] for bone in self.bones("scene.glb") if bone["kind"] == "root"]
        self.assertEqual(roots[0], "root")
        self.assertEqual(len(roots), 4)
        self.assertEqual(roots[3], "body_3")
        found = self.json("compare", "--json", "scene.glb", *NAMES)["metrics"]["rms_percent"]
        self.ossa("rig", "--roots", "one", "--body", "none", *NAMES, "-o", "one.glb")
        one = self.json("compare", "--json", "one.glb", *NAMES)["metrics"]["rms_percent"]
        self.assertLess(found, 0.5 * one)
        self.assertEqual([bone["name"] for bone in self.bones("one.glb") if bone["kind"] == "root"], [self.bones("one.glb")[0]["name"]])

    def test_the_motion_is_fitted_again(self):
        before = self.json("compare", "--json", "scene.glb", *NAMES)["metrics"]["rms_percent"]
        self.ossa("rig", "--skeleton", "scene.glb", *NAMES[1:], "-o", "again.glb")
        after = self.json("compare", "--json", "again.glb", *NAMES)["metrics"]["rms_percent"]
        self.assertLess(after, 1.01 * before + 1e-4)

    def test_formats_keep_the_motion(self):
        before = self.json("compare", "--json", "scene.glb", *NAMES)["metrics"]["rms_percent"]
        self.ossa("convert", "scene.glb", "scene.dae")
        after = self.json("compare", "--json", "scene.dae", *NAMES)["metrics"]["rms_percent"]
        self.assertAlmostEqual(after, before, delta=1e-3)

    def test_what_knows_one_tree_refuses(self):
        bone = next(bone["name"] for bone in self.bones("scene.glb") if bone["name"].startswith("body_1_"))
        done = self.ossa("edit", "scene.glb", *NAMES[1:], "--split", f"{bone} 0.5", "--resolve", "-o", "a.glb", expect=INPUT)
        self.assertIn("3 bodies with a root each", done.stderr)
        self.ossa("edit", "scene.glb", "--split", f"{bone} 0.5", "-o", "b.glb")
        done = self.ossa("rig", "--with", "scene.glb", "--solve", "joints,motion", *NAMES[1:], "-o", "c.glb", expect=INPUT)
        self.assertIn("3 bodies with a root each", done.stderr)

    def test_options_about_one_root_are_told(self):
        done = self.ossa("rig", *NAMES, "--body", "none", "--root-bone", "bone_01", "-o", "scene.glb")
        self.assertIn("without effect: --root-bone (there are several bodies", done.stderr)
        done = self.ossa("rig", *NAMES, "--body", "none", "--bones", 2, "-o", "few.glb")
        self.assertIn("2 bones were wanted, but 3 bodies move independently of each other", done.stderr)


main()
