"""`ossa rig --forbid, --apart, --together, --lock`: constraints on bones that are made."""
from harness import INPUT, USAGE, CommandTest, main


class Constraints(CommandTest):
    """out.glb is a rig without constraints, until it is made again"""

    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        self.ossa("sample", "biped", "--faces", 1200, "--frames", 6, "-o", "biped", "-q")
        self.rig()

    def rig(self, *options, expect=0):
        command = ["rig", "biped/rest.obj", *(f"biped/pose-{i + 1}.obj" for i in range(6)), "--method", "examples", *options, "-o", "out.glb"]
        return self.ossa(*command, expect=expect).stderr if expect else self.json(*command, "--json")

    def bones(self):
        return {bone["name"]: bone for bone in self.json("inspect", "--json", "out.glb")["rig"]["bones"]}

    def parent(self, bones, name):
        parent = bones[name]["parent"]
        return parent if isinstance(parent, str) or parent is None else list(bones)[parent]

    def test_forbidden_bones_are_not_parent_and_child(self):
        self.assertEqual(self.parent(self.bones(), "hand_L"), "lowerarm_L")
        told = self.rig("--forbid", "hand_L,lowerarm_L")
        self.assertEqual(told["edits"], ["forbid hand_L lowerarm_L", "solve"])
        bones = self.bones()
        self.assertNotEqual(self.parent(bones, "hand_L"), "lowerarm_L")
        # the numbers are of the rig that is written
        files = [f"biped/pose-{i + 1}.obj" for i in range(6)]
        compared = self.json("compare", "--json", "out.glb", "biped/rest.obj", *files)["metrics"]
        self.assertAlmostEqual(compared["rms_percent"], told["hierarchy"]["rms_percent"], delta=1e-3)

    def test_bones_together_are_one(self):
        before = self.bones()
        self.rig("--together", "lowerarm_L,hand_L")
        self.assertEqual(len(self.bones()), len(before) - 1)
        self.assertNotIn("hand_L", self.bones())

    def test_points_stand_for_bones(self):
        bones = self.bones()
        where = lambda name: ",".join(str(value) for value in bones[name]["tail"])
        told = self.rig("--together", f"{where('hand_L')} {where('toe_L')}")
        self.assertEqual(told["edits"][0], "together hand_L toe_L")
        self.assertIn("farther from the mesh", self.rig("--forbid", "500,0,0,head", expect=USAGE))

    def test_points_apart_split_a_bone(self):
        bones = self.bones()
        joint, tail = bones["head"]["joint"], bones["head"]["tail"]
        at = lambda share: ",".join(str(a + share * (b - a)) for a, b in zip(joint, tail))
        told = self.rig("--apart", f"{at(0.05)},{at(1)}")
        self.assertEqual(told["edits"][0], "split head")
        self.assertEqual(len(self.bones()), len(bones) + 1)
        self.assertIn("same half", self.rig("--apart", f"{at(1)},{at(1)}", expect=USAGE))

    def test_one_mesh_has_constraints_too(self):
        told = self.json("rig", "biped/rest.obj", "--together", "lowerarm_L,hand_L", "-o", "out.glb", "--json")
        self.assertEqual(told["edits"][-1], "solve")
        self.assertNotIn("hand_L", self.bones())

    def test_locks_stay_in_the_solve(self):
        before = self.bones()["toe_L"]["joint"]
        self.rig("--forbid", "hand_L,lowerarm_L", "--lock", "joint,toe_L")
        for one, other in zip(before, self.bones()["toe_L"]["joint"]):
            self.assertAlmostEqual(one, other, delta=1e-5)

    def test_bad_constraints_are_refused(self):
        self.assertIn("nose", self.rig("--forbid", "nose,head", expect=USAGE))
        self.assertIn("--forbid head", self.rig("--forbid", "head", expect=USAGE))
        self.assertIn("--lock is about bones that exist", self.rig("--lock", "joint,head", expect=USAGE))
        self.assertIn("painted", self.rig("--lock", "painted", "--forbid", "head,neck", expect=USAGE))
        contradiction = self.rig("--apart", "head,neck", "--together", "head,neck", expect=INPUT)
        self.assertIn("apart head neck", contradiction)
        given = self.ossa("rig", "--with", "out.glb", "biped/pose-1.obj", "--forbid", "head,neck", "-o", "b.glb", expect=USAGE)
        self.assertIn("ossa edit out.glb --forbid", given.stderr)


if __name__ == "__main__":
    main()
