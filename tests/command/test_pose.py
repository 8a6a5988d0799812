"""`ossa pose`: posed joints, edited curves; parsing, and that the rest of the character does not change."""
import json
import math
import struct

from harness import INPUT, USAGE, WRITE, CommandTest, main


def read_obj(path):
    return [tuple(map(float, line.split()[1:4])) for line in path.read_text().splitlines() if line.startswith("v ")]


def read_pc2(path):
    data = path.read_bytes()
    _, _, vertices, _, _, frames = struct.unpack_from("<12siiffi", data)
    numbers = struct.unpack_from(f"<{3 * vertices * frames}f", data, 32)
    points = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
    return [points[i * vertices:(i + 1) * vertices] for i in range(frames)]


def apart(a, b):
    assert len(a) == len(b)
    return max(math.dist(p, q) for p, q in zip(a, b))


class Pose(CommandTest):
    """a tube of two bones along x; the second bends about z in the poses"""

    def setUp(self):
        super().setUp()
        self.write_once(self.write)
        bones = self.json("inspect", "--json", "tube.glb")["rig"]["bones"]
        self.child, self.joint, self.root = bones[1]["name"], bones[1]["joint"], bones[0]["name"]
        self.rest = read_obj(self.folder / "rest.obj")
        self.before = self.frames("tube.glb")
        # which end of the tube the second bone moves
        self.side = 1 if bones[1]["tail"][0] > bones[1]["joint"][0] else -1

    def write(self):
        self.ossa("rig", *self.write_tubes(6), "--body", "none", "--bones", 2, "--names", "numbers", "-o", "tube.glb", "-q")

    def frames(self, name):
        self.ossa("convert", name, f"{name}.pc2")
        return read_pc2(self.folder / f"{name}.pc2")

    def pose(self, *words, **options):
        return self.ossa("pose", "tube.glb", *words, **options)

    def end(self, points, sign):
        """vertices far out on one side"""
        return [p for p, rest in zip(points, self.rest) if sign * rest[0] > 1.5]

    # ---- what edits do ----

    def test_a_bent_mesh(self):
        self.pose("-o", "bent.obj", "--rest", "--joint", self.child, "--bend", 60)
        bent = read_obj(self.folder / "bent.obj")
        self.assertLess(apart(self.end(bent, -self.side), self.end(self.rest, -self.side)), 1e-4)
        # 60 degrees about z through the joint, the way in which the poses bend
        lift = self.end(self.before[-1], self.side)[0][1] - self.end(self.rest, self.side)[0][1]
        angle = math.copysign(math.radians(60), lift * self.side)
        (x, y, _), c, s = self.joint, math.cos(angle), math.sin(angle)
        turned = [(x + c * (p[0] - x) - s * (p[1] - y), y + s * (p[0] - x) + c * (p[1] - y), p[2]) for p in self.rest]
        self.assertLess(apart(self.end(turned, self.side), self.end(bent, self.side)), 0.05)

    def test_only_the_frames_named(self):
        self.pose("-o", "a.glb", "--joint", self.child, "--rotate", "0,0,40", "--at", "3:4", "--ease", 1)
        moved = [apart(a, b) for a, b in zip(self.before, self.frames("a.glb"))]
        for frame, (least, most) in enumerate([(0, 1e-5), (0.3, 3), (0.8, 4), (0.8, 4), (0.3, 3), (0, 1e-5)]):
            self.assertTrue(least <= moved[frame] <= most, moved)
        self.assertLess(moved[1], moved[2])

    def test_order_and_several_joints(self):
        self.pose("-o", "a.glb", "--joint", f"{self.root},{self.child}", "--set", "rest", "--joint", self.child, "--rotate", "10,0,0")
        self.pose("-o", "b.glb", "--joint", self.child, "--set", "10,0,0", "--joint", self.root, "--set", "0,0,0")
        for a, b in zip(self.frames("a.glb"), self.frames("b.glb")):
            self.assertLess(apart(a, b), 1e-5)
        self.pose("-o", "c.glb", "--joint", self.child, "--rotate", "10,0,0", "--set", "rest", "--joint", self.root, "--set", "rest")
        self.assertGreater(apart(self.frames("a.glb")[0], self.frames("c.glb")[0]), 0.01)

    def test_keys(self):
        self.pose("-o", "a.glb", "--joint", self.child, "--key", "6=rest", "--key", "2=0,0,30", "--at", "all")
        after = self.frames("a.glb")
        self.pose("-o", "held.glb", "--joint", self.child, "--set", "0,0,30")
        held = self.frames("held.glb")
        for frame in (0, 1):
            self.assertLess(apart(after[frame], held[frame]), 1e-5)
        joints = self.json("pose", "a.glb", "--list", "--json")["joints"]
        self.assertAlmostEqual(max(abs(x) for x in sum(joints[1]["turns"], [])), 30, delta=1e-3)

    def test_scale_move_speed(self):
        self.pose("-o", "a.glb", "--joint", "all", "--scale", 0, "--joint", self.root, "--move", "0,2,0", "--speed", 2)
        for frame, before in zip(self.frames("a.glb"), self.before):
            # stiff, wherever the root was
            shift = [frame[0][k] - self.rest[0][k] for k in range(3)]
            self.assertLess(apart(frame, [tuple(p[k] + shift[k] for k in range(3)) for p in self.rest]), 1e-4)
        told = self.json("inspect", "--json", "a.glb")["rig"]["clip"]
        self.assertAlmostEqual(told["seconds"], self.json("inspect", "--json", "tube.glb")["rig"]["clip"]["seconds"] / 2, places=5)

    def test_outputs_agree(self):
        self.pose("-o", "a.glb", "-o", "a.pc2", "-o", "a_##.obj", "-o", "a.obj", "--frame", 4, "--joint", self.child, "--bend", 20)
        cache = read_pc2(self.folder / "a.pc2")
        for a, b in zip(cache, self.frames("a.glb")):
            self.assertLess(apart(a, b), 1e-5)
        self.assertEqual((self.folder / "a_04.obj").read_bytes(), (self.folder / "a.obj").read_bytes())
        self.assertLess(apart(cache[3], read_obj(self.folder / "a.obj")), 1e-5)

    def test_frames_crop_first(self):
        self.pose("-o", "a.glb", "--frames", "3:5", "--joint", self.child, "--set", "rest", "--at", 1)
        after = self.frames("a.glb")
        self.assertEqual(len(after), 3)
        self.assertGreater(apart(after[0], self.before[2]), 0.01)
        self.assertLess(apart(after[1], self.before[3]), 1e-5)

    # ---- limits ----

    def test_limits(self):
        self.ossa("rig", "rest.obj", "pose-#.obj", "--body", "none", "--bones", 2, "--names", "numbers", "--limit-slack", 0, "-o", "tube.dae", "-q")
        joint = self.json("pose", "tube.dae", "--list", "--json")["joints"][1]
        self.assertIsNotNone(joint["limits"])
        for told, turned in zip(joint["limits"], joint["turns"]):
            self.assertLess(max(abs(a - b) for a, b in zip(told, turned)), 0.02)
        bend = ("--joint", self.child, "--bend", 30, "--at", "6")
        done = self.ossa("pose", "tube.dae", "-o", "a.glb", *bend)
        self.assertIn(f"past the limits, the farthest {self.child}", done.stderr)
        self.assertEqual(self.ossa("pose", "tube.dae", "-o", "b.glb", *bend, "--limits", "ignore").stderr, "")
        done = self.ossa("pose", "tube.dae", "-o", "c.glb", *bend, "--limits", "clamp")
        self.assertEqual(done.stderr, "")
        self.assertLess(apart(self.frames("c.glb")[5], self.before[5]), 0.01)
        self.assertGreater(apart(self.frames("b.glb")[5], self.before[5]), 0.3)
        # what was beyond its limits before is not the edit's
        self.assertEqual(self.ossa("pose", "b.glb", "-o", "d.glb", "--joint", self.root, "--move", "0,1,0").stderr, "")

    def test_a_fresh_rig_has_the_limits_of_its_motion(self):
        root, joint = self.json("pose", "tube.glb", "--list", "--json")["joints"][:2]
        self.assertIsNone(root["limits"])
        for told, turned in zip(joint["limits"], joint["turns"]):
            self.assertLess(abs(turned[0] - 5 - told[0]) + abs(turned[1] + 5 - told[1]), 0.01)
        bend = ("--joint", self.child, "--bend", 30, "--at", "6")
        self.assertIn(f"past the limits, the farthest {self.child}", self.pose("-o", "a.glb", *bend).stderr)
        self.assertEqual(self.pose("-o", "b.glb", *bend, "--limits", "clamp").stderr, "")
        # edits do not widen them
        self.assertEqual(self.json("pose", "a.glb", "--list", "--json")["joints"][1]["limits"], joint["limits"])

    def test_nothing_to_clamp_to(self):
        self.ossa("convert", "tube.glb", "tube.bvh")
        self.assertIn("no joint has limits",
                      self.ossa("pose", "tube.bvh", "-o", "a.bvh", "--limits", "clamp", expect=INPUT).stderr)

    def test_a_skeleton_alone(self):
        self.ossa("convert", "tube.glb", "tube.bvh")
        self.ossa("pose", "tube.bvh", "-o", "a.bvh", "--joint", self.child, "--bend", 20)
        self.assertNotEqual((self.folder / "a.bvh").read_bytes(), (self.folder / "tube.bvh").read_bytes())
        for words in (("a.obj", "--frame", 2), ("a.pc2",)):
            self.assertIn("skeleton alone", self.ossa("pose", "tube.bvh", "-o", *words, expect=INPUT).stderr)

    def test_what_is_left_out_is_reported(self):
        self.assertIsNone(self.json("pose", "tube.glb", "--json", "-o", "a.glb")["left_out"])
        self.assertIn("1 animation (--rest)", self.pose("-o", "a.glb", "--rest").stdout)
        self.ossa("convert", "tube.glb", "two.gltf")
        text = json.loads((self.folder / "two.gltf").read_text())
        text["animations"].append(dict(text["animations"][0], name="again"))
        (self.folder / "two.gltf").write_text(json.dumps(text))
        told = self.json("pose", "two.gltf", "--json", "--clip", "again", "-o", "a.glb", "--joint", self.child, "--bend", 5)
        self.assertIn("1 other animation (--clip", told["left_out"])

    # ---- words ----

    def test_loops_stay_closed(self):
        """vertices at both ends of the pin of a linkage: as far apart as at rest, or not where that is not wanted"""
        self.ossa("sample", "linkage", "--faces", 2000, "--frames", 2, "-o", "linkage", "-q")
        rig = ("pose", "linkage/truth.glb", "--rest", "-j", "crank", "--bend", "130")
        rest = read_obj(self.folder / "linkage/rest.obj")
        pin = (-0.2, 0.8, 0.185)
        near = sorted(range(len(rest)), key=lambda v: math.dist(rest[v], pin))
        coupler = next(v for v in near if rest[v][2] > 0.19)
        rocker = next(v for v in near if 0.1 < rest[v][2] < 0.18)

        def slid(*words):
            done = self.ossa(*rig, *words, "-o", "posed.obj")
            self.assertNotIn("warning", done.stderr)
            posed = read_obj(self.folder / "posed.obj")
            return math.dist(posed[coupler], posed[rocker])

        closed, open_ = slid(), slid("--no-close-loops")
        # both are about the pin's radius from its axis and turn about it
        self.assertLess(closed, 0.12)
        self.assertGreater(open_, 0.2)
        done = self.ossa("pose", "linkage/truth.glb", "--rest", "-j", "crank,coupler,rocker", "--bend", 30, "-o", "posed.glb")
        self.assertIn("cannot close the loops again", done.stderr)
        self.assertIn("coupler and rocker", done.stderr)

    def test_dependent_bones_turn_along(self):
        self.ossa("sample", "machine", "--faces", 1000, "--frames", 6, "-o", "machine", "-q")
        joints = self.json("pose", "machine/truth.glb", "--list", "--json")["joints"]
        told = {joint["name"]: joint["turns_as"] for joint in joints}
        self.assertEqual((told["crank"], told["wheel-2"]["driver"]), (None, "crank"))
        self.assertAlmostEqual(told["wheel-2"]["ratio"], 0.5)
        line = next(line for line in self.ossa("pose", "machine/truth.glb", "--list").stdout.splitlines() if "wheel-2" in line)
        self.assertTrue(line.endswith("0.5 times crank +10"), line)
        done = self.ossa("pose", "machine/truth.glb", "--rest", "--joint", "crank", "--bend", 30, "-o", "turned.glb")
        self.assertNotIn("dependent-turned", done.stderr)
        turned = {joint["name"]: joint["turns"] for joint in self.json("pose", "turned.glb", "--list", "--json")["joints"]}
        self.assertEqual({name: round(max(abs(end) for pair in turned[name] for end in pair), 3) for name in ("crank", "wheel-1", "wheel-2", "mast")},
                         {"crank": 30, "wheel-1": 45, "wheel-2": 15, "mast": 0})
        done = self.ossa("pose", "machine/truth.glb", "--rest", "--joint", "wheel-1", "--bend", 30, "-o", "alone.glb")
        self.assertIn("wheel-1 turns as crank does, and was turned on its own", done.stderr)

    def test_twist_bones_turn_along(self):
        """by half of the twist of the hand about the forearm, which a bend of the hand has little of"""
        self.ossa("sample", "arms", "--faces", 1000, "--frames", 6, "-o", "arms", "-q")
        told = {joint["name"]: joint["turns_as"] for joint in self.json("pose", "arms/truth.glb", "--list", "--json")["joints"]}
        twist = told["forearm-twist-l"]
        self.assertEqual((told["hand-l"], twist["driver"], twist["ratio"]), (None, "hand-l", 0.5))
        for mine, true in zip(twist["driver_axis"], (0.48, -0.32, 0.16)):
            self.assertAlmostEqual(mine, true / math.hypot(0.48, 0.32, 0.16), places=6)
        line = next(line for line in self.ossa("pose", "arms/truth.glb", "--list").stdout.splitlines() if "forearm-twist-l" in line)
        self.assertTrue(line.endswith("0.5 times the twist of hand-l"), line)
        for turn, wanted in (("0,40,0", 20), ("40,0,0", 0)):
            self.ossa("pose", "arms/truth.glb", "--rest", "--joint", "hand-l", "--rotate", turn, "-o", "turned.glb")
            turned = {joint["name"]: joint["turns"] for joint in self.json("pose", "turned.glb", "--list", "--json")["joints"]}
            most = max(abs(end) for pair in turned["forearm-twist-l"] for end in pair)
            self.assertAlmostEqual(most, wanted, delta=0.6)
            self.assertEqual(max(abs(end) for pair in turned["forearm-twist-r"] for end in pair), 0)

    def test_list(self):
        text = self.pose("--list").stdout
        self.assertIn(self.child, text)
        joint = self.json("pose", "tube.glb", "--list", "--json")["joints"][1]
        self.assertEqual(joint["name"], self.child)
        self.assertAlmostEqual(math.hypot(*joint["bends_about"]), 1, places=5)
        self.assertGreater(max(high - low for low, high in joint["turns"]), 20)

    def test_what_was_done_is_reported(self):
        words = ("--joint", self.child, "--bend", 20, "--at", "2:3", "--ease", 1, "--joint", self.root, "--move", "0,1,0")
        self.assertIn(f"edit       {self.child}: bend 20 at 2:3 ease 1\nedit       {self.root}: move 0,1,0\n",
                      self.pose("-o", "a.glb", *words).stdout)
        told = self.json("pose", "tube.glb", "--json", "-o", "a.glb", *words)
        self.assertEqual(told["edits"][0], {"joint": self.child, "edit": "bend 20 at 2:3 ease 1"})
        self.assertEqual(told["files"], ["a.glb"])

    def test_names_that_are_nearly_right(self):
        done = self.pose("-o", "a.glb", "--joint", self.child[:-1] + "x", "--bend", 10, expect=USAGE)
        self.assertIn("did you mean", done.stderr)
        self.assertIn("--list", done.stderr)
        self.assertNotIn("did you mean", self.pose("-o", "a.glb", "--joint", "elephants_nose", "--bend", 10, expect=USAGE).stderr)
        self.pose("-o", "a.glb", "--joint", self.child.upper(), "--bend", 10)

    def test_words_that_are_wrong(self):
        j = ("--joint", self.child)
        for words, told in ((("--bend", 10), "of which joint"), ((*j, "--at", "2:3"), "belongs to the edit before it"),
                            ((*j, "--ease", 3, "--bend", 10), "belongs to the edit before it"),
                            ((*j, "--rotate", "10"), "three angles"), ((*j, "--rotate", "1,2,x"), "three angles"),
                            ((*j, "--rotate", "1,2,3,4"), "three angles"), ((*j, "--rotate", "1,nan,2"), "three angles"),
                            ((*j, "--rotate", "rest"), "three angles"), ((*j, "--bend", "much"), "one angle"),
                            ((*j, "--bend", 1, "--at", "0:3"), "counted from 1"), ((*j, "--bend", 1, "--at", "3:9"), "the motion has 6"),
                            ((*j, "--bend", 1, "--at", "4:3"), "ends before"), ((*j, "--bend", 1, "--at", "x"), "12, 10:20"),
                            ((*j, "--bend", 1, "--at", ":"), "12, 10:20"), ((*j, "--bend", 1, "--at", "1:2:3"), "12, 10:20"),
                            ((*j, "--bend", 1, "--ease", "-1"), "number of frames"), ((*j, "--bend", 1, "--about", "world"), "for --rotate"),
                            ((*j, "--rotate", "1,2,3", "--about", "me"), "own, parent or world"), ((*j, "--key", "0,0,1"), "FRAME=X,Y,Z"),
                            ((*j, "--key", "7=0,0,1"), "no frame 7"), ((*j, "--key", "2=0,0,1", "--key", "2=rest"), "two keys"),
                            ((*j, "--move", "0,1,0"), "for the root"), (("--joint", "all", "--bend", 10), "no meaning for all"),
                            ((*j, "--scale", "inf"), "a factor"), (("--frame", 2), "no output is one")):
            self.assertIn(told, self.pose("-o", "a.glb", *words, expect=USAGE).stderr, words)
        self.assertIn("-o FILE", self.pose(expect=USAGE).stderr)
        self.assertIn("choose one with --frame", self.pose("-o", "a.obj", expect=USAGE).stderr)
        self.assertIn("no frame 7", self.pose("-o", "a.obj", "--frame", 7, expect=USAGE).stderr)
        self.assertIn("is an input too", self.pose("-o", "tube.glb", expect=USAGE).stderr)
        self.pose("-o", "nowhere/a.glb", expect=WRITE)
        self.ossa("pose", "rest.obj", "-o", "a.glb", expect=INPUT)
        self.assertNotIn("a.glb", self.files())
        self.assertNotIn("a.obj", self.files())

    def test_a_rig_without_motion(self):
        self.ossa("convert", "tube.glb", "still.gltf")
        text = json.loads((self.folder / "still.gltf").read_text())
        del text["animations"]
        (self.folder / "still.gltf").write_text(json.dumps(text))
        self.ossa("pose", "still.gltf", "-o", "a.obj", "--joint", self.child, "--rotate", "0,0,0")
        self.assertLess(apart(read_obj(self.folder / "a.obj"), self.rest), 1e-5)


main()
