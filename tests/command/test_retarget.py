"""`ossa convert --motion` of other people's motion: what cannot be carried over is said, what can is carried as far as it goes."""
import json
import math
import struct

from harness import INPUT, USAGE, CommandTest, main


def joint(name, offset, children, root=False):
    """the lines of a joint of a BVH file"""
    channels = "6 Xposition Yposition Zposition" if root else "3"
    inner = [line for child in children for line in joint(*child)] or ["End Site", "{", "OFFSET 0 -5 0", "}"]
    return [("ROOT " if root else "JOINT ") + name, "{", "OFFSET %g %g %g" % offset, f"CHANNELS {channels} Zrotation Xrotation Yrotation",
            *inner, "}"]


def human(fingers=0, forearms=True, legs=True, width=10.0, arms=("Left", "Right")):
    """arms out, names of Mixamo"""
    def arm(side, out):
        return (side + "Arm", (10 * out, 0, 0), [] if not forearms else [(side + "ForeArm", (25 * out, 0, 0), [(side + "Hand", (25 * out, 0, 0), [
            (f"{side}HandFinger{i}", (3 * out, 0, 0.1 * i), []) for i in range(fingers)])])])

    def leg(side, out):
        return (side + "UpLeg", (width * out, -5, 0), [(side + "Leg", (0, -42, 0), [(side + "Foot", (0, -42, 0), [
            (side + "ToeBase", (0, -6, 12), [])])])])
    chest = [("Neck", (0, 25, 0), [("Head", (0, 10, 0), [])]), *(arm(side, 1 if side == "Left" else -1) for side in arms)]
    trunk = ("Spine", (0, 10, 0), [("Spine1", (0, 20, 0), chest)])
    return joint("Hips", (0, 95, 0), [trunk] + ([leg("Left", 1), leg("Right", -1)] if legs else []), root=True)


class Retarget(CommandTest):
    def setUp(self):
        super().setUp()
        self.ossa("sample", "biped", "-o", "sample", "--faces", 2000, "--frames", 4)

    def bvh(self, name, lines, frames, swing=10.0):
        numbers = sum(int(line.split()[1]) for line in lines if line.startswith("CHANNELS")) - 3
        rows = [" ".join(["0", "95", f"{f}"] + [f"{swing * math.sin(f / 5 + i):g}" for i in range(numbers)]) for f in range(frames)]
        text = ["HIERARCHY", *lines, "MOTION", f"Frames: {frames}", "Frame Time: 0.0333333", *rows]
        (self.folder / name).write_text("\n".join(text) + "\n")
        return name

    def carry(self, source, *words, rig="sample/truth.glb", **options):
        return self.ossa("convert", rig, "out.glb", "--motion", source, *words, **options)

    def change_sample(self, name, change):
        """the sample with other nodes"""
        data = (self.folder / "sample/truth.glb").read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        document = json.loads(data[20:20 + length])
        change({node.get("name"): node for node in document["nodes"]})
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        rest = data[20 + length:]
        (self.folder / name).write_bytes(
            struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
        return name

    def test_a_human(self):
        self.assertNotIn("warning", self.carry(self.bvh("walk.bvh", human(), 20)).stderr)

    def test_a_report(self):
        walk = self.bvh("walk.bvh", human(), 10)
        done = self.carry(walk, "--report", "report.html", "--report", "report.json")
        self.assertIn("report.html", done.stdout)
        self.assertIn("Motion of another body", (self.folder / "report.html").read_text())
        facts = json.loads((self.folder / "report.json").read_text())["retarget"]
        self.assertEqual(facts["match"], "roles")
        self.assertGreater(len(facts["segments"]), 8)
        carried = json.loads(self.carry(walk, "--json").stdout)
        self.assertEqual(carried["retarget"]["segments"], facts["segments"])
        # of a rig that is converted alone, and of no rig
        self.ossa("convert", "sample/truth.glb", "same.glb", "--report", "same.json")
        self.assertNotIn("retarget", json.loads((self.folder / "same.json").read_text()))
        self.assertIn("--report", self.ossa("convert", "sample/rest.obj", "same.ply", "--report", "no.json", expect=INPUT).stderr)
        self.assertIn(".html or .json", self.carry(walk, "--report", "report.txt", expect=USAGE).stderr)

    def test_joints_in_place_of_frames(self):
        walk, rig = self.bvh("walk.bvh", human(), 5), "sample/truth.glb"
        for words, named in ((("--skeleton", rig, walk), rig), ((walk,), "RIG"), (("sample/rest.obj", walk), "RIG")):
            error = self.ossa("rig", *words, "-o", "out.glb", expect=INPUT).stderr
            self.assertIn(f"ossa convert {named} OUT --motion {walk}", error)
        # frames of another mesh that have no joints get no such advice
        error = self.ossa("rig", "--skeleton", rig, "sample/pose-1.obj", "sample/pose-2.obj", "walk.bvh", "-o", "out.glb", expect=INPUT).stderr
        self.assertNotIn("--motion", error)

    def test_nothing_moves(self):
        self.assertIn("has joints but no motion", self.carry(self.bvh("none.bvh", human(), 0), expect=INPUT).stderr)

    def test_one_frame(self):
        self.carry(self.bvh("one.bvh", human(), 1))

    def test_hundreds_of_fingers(self):
        self.assertNotIn("limbs", self.carry(self.bvh("fingers.bvh", human(fingers=100), 3)).stderr)

    def test_three_bones(self):
        three = self.bvh("three.bvh", joint("Hips", (0, 95, 0), [("Spine", (0, 10, 0), [("Head", (0, 50, 0), [])])], root=True), 2)
        self.assertIn("keep their rest pose", self.carry(three).stderr)
        self.assertIn("three.bvh", self.carry(three, "--match", "roles", expect=INPUT).stderr)

    def test_no_legs(self):
        walk, torso = self.bvh("walk.bvh", human(), 2), self.bvh("torso.bvh", human(legs=False), 2)
        self.assertIn("torso.bvh", self.carry(torso, "--match", "roles", expect=INPUT).stderr)
        self.ossa("convert", torso, "torso.glb")
        self.assertIn("the rig", self.carry(walk, "--match", "roles", rig="torso.glb", expect=INPUT).stderr)

    def test_no_forearms(self):
        said = self.carry(self.bvh("short.bvh", human(forearms=False), 2)).stderr
        self.assertIn("limbs of the rig have no counterpart there and keep their rest pose, e.g. forearm-l (4 bones)", said)

    def test_arms_that_are_missing(self):
        both = int(self.carry(self.bvh("both.bvh", human(), 4)).stdout.split(" bones by role")[0].split()[-1])
        for arms, missing in ((("Left",), 3), (("Right",), 3), ((), 6)):
            source = self.bvh(f"arms{len(arms)}.bvh", human(arms=arms), 4)
            done = self.carry(source)
            self.assertIn(f"follow     {both - missing} bones by role", done.stdout)
            self.assertIn(f"keep their rest pose, e.g. {'upperarm-r' if 'Left' in arms else 'upperarm-l'} ({missing} bones)", done.stderr)
            # and the other way round
            self.ossa("convert", source, "few.glb")
            self.assertIn(f"follow     {both - missing} bones by role", self.carry("sample/truth.glb", rig="few.glb").stdout)

    def test_legs_at_one_place(self):
        bad = self.bvh("thin.bvh", [line.replace("OFFSET 0 -5 0", "OFFSET 0 0 0") for line in human(width=0)], 2)
        self.assertIn("nobody can say where it faces", self.carry(bad, expect=INPUT).stderr)

    def test_of_a_dog(self):
        self.ossa("sample", "quadruped", "-o", "dog", "--faces", 2000, "--frames", 3)
        said = self.carry("dog/truth.glb", expect=INPUT).stderr
        self.assertIn("is the motion of a quadruped, and the rig is a human", said)

    def test_frames_far_from_rest(self):
        self.carry(self.bvh("far.bvh", human(), 10, swing=170))

    def test_no_hips(self):
        def rename(nodes):
            nodes["hips"]["name"] = "blob"
        self.carry(self.change_sample("blob.glb", rename), "--match", "roles")

    def test_two_conventions(self):
        def rename(nodes):
            for own, other in (("upperarm-l", "LeftArm"), ("forearm-l", "LeftForeArm"), ("hand-l", "LeftHand")):
                nodes[own]["name"] = "mixamorig:" + other
        said = self.carry(self.change_sample("two.glb", rename), "--match", "roles")
        self.assertIn("19 bones by role", said.stdout)
        self.assertNotIn("limbs", said.stderr)

    def test_scale_and_shear(self):
        def scale(nodes):
            nodes["spine"]["scale"] = [1.5, 0.7, 1.2]
        self.assertIn("scaled, sheared or mirrored", self.carry(self.change_sample("scaled.glb", scale), "--match", "roles").stderr)

        def vanish(nodes):
            nodes["spine"]["scale"] = [0, 0, 0]
        self.carry(self.change_sample("gone.glb", vanish), "--match", "roles")

        def mirror(nodes):
            nodes["hips"]["scale"] = [-1, 1, 1]
        self.carry(self.change_sample("mirrored.glb", mirror), "--match", "roles")


if __name__ == "__main__":
    main()
