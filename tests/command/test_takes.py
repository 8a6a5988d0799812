"""`ossa rig` of several takes: animations of one file, caches, and poses, each a motion of its own in the rig."""
from harness import INPUT, USAGE, CommandTest, main

# which body the shape may be and the other method change nothing here, and take most of the time
RIG = ("--body", "none", "--method", "examples")


class Takes(CommandTest):
    def setUp(self):
        super().setUp()
        self.poses = [f"biped/pose-{i + 1}.obj" for i in range(12)]
        self.write_once(self.write)

    def write(self):
        self.ossa("sample", "biped", "--faces", 2000, "--frames", 12, "-o", "biped", "-q")
        self.ossa("convert", "biped/rest.obj", *self.poses[:5], "walk.pc2", "-q")
        self.ossa("convert", "biped/rest.obj", *self.poses[5:9], "run.pc2", "-q")

    def motions(self, path):
        return {clip["name"]: clip["keys"] for clip in self.json("inspect", "--json", path)["animations"]}

    def error(self, *command):
        return self.json("compare", "--json", *command)["metrics"]["rms_percent"]

    def rig(self, *words):
        return self.json("rig", "biped/rest.obj", *words, "--bones", 19, *RIG, "--json")

    def test_caches_and_poses_become_motions(self):
        told = self.rig("walk.pc2", "run.pc2", *self.poses[9:], "--keep-order", "-o", "rig.glb")
        self.assertEqual([(take["name"], take["first"], take["frames"]) for take in told["motions"]],
                         [("walk", 0, 5), ("run", 5, 4), ("pose", 9, 3)])
        self.assertEqual(told["frames"], 12)
        self.assertEqual(self.motions("rig.glb"), {"walk": 5, "run": 4, "pose": 3})
        # the same skeleton and weights as of all poses in one
        one = self.rig(*self.poses, "-o", "one.glb")
        self.assertNotIn("motions", one)
        self.assertAlmostEqual(one["hierarchy"]["rms_percent"], told["hierarchy"]["rms_percent"], delta=1e-6)
        for clip, frames in (("walk", self.poses[:5]), ("run", self.poses[5:9]), ("pose", self.poses[9:])):
            self.ossa("convert", "rig.glb", f"{clip}.glb", "--clip", clip, "-q")
            self.assertLess(self.error(f"{clip}.glb", "biped/rest.obj", *frames), 1e-3)
            self.assertGreater(self.error(f"{clip}.glb", "biped/rest.obj", *self.poses[4:4 + len(frames)]), 0.1)

    def test_animations_of_one_file(self):
        self.rig("walk.pc2", "run.pc2", "--keep-order", "-o", "two.glb")
        self.ossa("rig", "two.glb", "--clip", "all", "--bones", 19, *RIG, "-o", "again.glb", "-o", "again.fbx", "-o", "again.usda", "-q")
        self.assertEqual(self.motions("again.glb"), {"walk": 5, "run": 4})
        for clip in ("walk", "run"):
            self.assertLess(self.error("again.glb", "two.glb", "--clip", clip), 1e-3)
        # in the order that is asked for, a part of each
        told = self.json("rig", "two.glb", "--clip", "run,walk", "--frames", "2:3", "--bones", 10, *RIG, "-o", "some.glb", "--json")
        self.assertEqual([(take["name"], take["frames"]) for take in told["motions"]], [("run", 2), ("walk", 2)])
        self.assertIn("walk", self.ossa("rig", "two.glb", "--clip", "walk,fly", "-o", "x.glb", expect=USAGE).stderr)
        # an animation that moves nothing is none
        self.assertEqual(self.motions("again.fbx"), {"walk": 5, "run": 4})

    def test_animations_that_are_left_out_are_named(self):
        self.rig("walk.pc2", "run.pc2", "--keep-order", "-o", "two.glb")
        self.ossa("convert", "two.glb", "two.dae", "--clip", "all", "-q")
        for source in ("two.glb", "two.dae"):
            done = self.ossa("rig", source, "--bones", 10, *RIG, "-o", "one.fbx")
            self.assertRegex(done.stdout, r"left out +1 other animation \(--clip takes another, --clip all takes all\)")
            told = self.json("rig", source, "--clip", "all", "--bones", 10, *RIG, "-o", "all.fbx", "--json")
            self.assertIsNone(told["left_out"])

    def test_motion_of_given_bones(self):
        self.rig("walk.pc2", "-o", "given.glb")
        self.ossa("rig", "--with", "given.glb", "run.pc2", "walk.pc2", "--keep-order", "-o", "both.glb", "-q")
        self.assertEqual(self.motions("both.glb"), {"run": 4, "walk": 5})
        self.ossa("rig", "--with", "given.glb", "run.pc2", "walk.pc2", "--keep-order", "--delta-mush", 3, "--solve", "weights,motion",
                  "-o", "mush.glb", "-q")
        self.assertEqual(self.motions("mush.glb"), {"run": 4, "walk": 5})

    def test_one_motion_where_it_is_wanted(self):
        for words in (["--one-motion"], ["--free-bones"]):
            told = self.rig("walk.pc2", "run.pc2", *words, "-o", "rig.glb")
            self.assertNotIn("motions", told)
            self.assertEqual(list(self.motions("rig.glb").values()), [9])
        told = self.ossa("rig", "biped/rest.obj", "walk.pc2", "run.pc2", "-o", "walk.bvh")
        self.assertIn("the others are left out", told.stderr)
        self.assertRegex(told.stdout, r"motions +run 4, walk 5")

    def test_takes_of_other_meshes_are_refused(self):
        self.ossa("sample", "tube", "--faces", 1000, "--frames", 3, "-o", "tube", "-q")
        self.ossa("convert", "tube/rest.obj", "tube/pose-#.obj", "tube.pc2", "-q")
        told = self.ossa("rig", "biped/rest.obj", "walk.pc2", "tube.pc2", "-o", "x.glb", expect=INPUT)
        self.assertIn("tube.pc2", told.stderr)
        self.assertFalse((self.folder / "x.glb").exists())


if __name__ == "__main__":
    main()
