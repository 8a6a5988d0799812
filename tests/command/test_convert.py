"""`ossa convert` between formats, and `ossa rig` of one animated file."""
import json
import math
import struct

from harness import INPUT, USAGE, WRITE, CommandTest, main, write_moving_cubes


def read_obj(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    vertices = [tuple(map(float, words[1:4])) for words in lines if words[:1] == ["v"]]
    faces = [tuple(int(word.split("/")[0]) - 1 for word in words[1:]) for words in lines if words[:1] == ["f"]]
    return vertices, faces


def read_pc2(path):
    data = path.read_bytes()
    magic, _, vertices, _, _, frames = struct.unpack_from("<12siiffi", data)
    assert magic == b"POINTCACHE2\0"
    numbers = struct.unpack_from(f"<{3 * vertices * frames}f", data, 32)
    points = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
    return [points[i * vertices:(i + 1) * vertices] for i in range(frames)]


def apart(a, b):
    """the largest distance between points of two lists in the same order"""
    assert len(a) == len(b)
    return max(math.dist(p, q) for p, q in zip(a, b))


class Meshes(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_tubes(0)
        self.vertices, self.faces = read_obj(self.folder / "rest.obj")

    def test_through_other_formats_and_back(self):
        for name in ("a.ply", "a.glb", "a.gltf", "a.dae"):
            self.ossa("convert", "rest.obj", name)
            self.ossa("convert", name, f"{name}.obj")
            vertices, faces = read_obj(self.folder / f"{name}.obj")
            self.assertLess(apart(self.vertices, vertices), 1e-6, name)
            self.assertEqual(sum(len(face) - 2 for face in self.faces), sum(len(face) - 2 for face in faces), name)

    def test_up_and_unit(self):
        self.ossa("convert", "rest.obj", "z.obj", "--up", "z", "--unit", 0.01)
        turned = [(100 * x, -100 * z, 100 * y) for x, y, z in self.vertices]
        self.assertLess(apart(turned, read_obj(self.folder / "z.obj")[0]), 1e-4)
        self.ossa("convert", "z.obj", "back.obj", "--input-up", "z", "--input-unit", 0.01)
        self.assertLess(apart(self.vertices, read_obj(self.folder / "back.obj")[0]), 1e-6)

    def test_a_mesh_is_no_rig(self):
        self.assertIn("rest.obj", self.ossa("convert", "rest.obj", "a.bvh", expect=INPUT).stderr)

    def test_a_gltf_takes_no_other_files_bin(self):
        (self.folder / "a.bin").write_bytes(b"mine")
        for _ in range(2):
            self.assertIn("its buffer is a-2.bin", self.ossa("convert", "rest.obj", "a.gltf").stderr)
            self.assertEqual((self.folder / "a.bin").read_bytes(), b"mine")
            self.assertEqual(self.files(), ["a-2.bin", "a.bin", "a.gltf", "rest.obj"])
            self.assertEqual(self.json("inspect", "--json", "a.gltf")["mesh"]["vertices"], len(self.vertices))
        # what it has stays its own
        (self.folder / "a.bin").unlink()
        self.ossa("convert", "rest.obj", "a.gltf")
        self.assertEqual(self.files(), ["a-2.bin", "a.gltf", "rest.obj"])
        self.assertEqual(self.ossa("convert", "rest.obj", "b.gltf").stderr, "")
        self.assertIn("b.bin", self.files())

    def test_bad_calls(self):
        self.ossa("convert", "rest.obj", expect=USAGE)
        self.assertIn(".glb", self.ossa("convert", "rest.obj", "a.xyz", expect=USAGE).stderr)
        self.assertIn("rest.obj", self.ossa("convert", "rest.obj", "rest.obj", expect=USAGE).stderr)
        self.assertEqual(self.files(), ["rest.obj"])


class Motion(CommandTest):
    def setUp(self):
        super().setUp()
        self.names = self.write_tubes(6)
        self.poses = [read_obj(self.folder / name)[0] for name in self.names[1:]]

    def test_caches_and_sequences(self):
        self.ossa("convert", *self.names, "a.pc2", "--fps", 25)
        self.ossa("convert", "a.pc2", "b.mdd")
        self.ossa("convert", "rest.obj", "b.mdd", "f_###.obj")
        for i, pose in enumerate(self.poses):
            self.assertLess(apart(pose, read_obj(self.folder / f"f_{i + 1:03}.obj")[0]), 1e-5)
        self.ossa("convert", "rest.obj", "f_#.obj", "c.pc2", "--frames", "2:6:2")
        frames = read_pc2(self.folder / "c.pc2")
        self.assertEqual(len(frames), 3)
        for frame, pose in zip(frames, self.poses[1::2]):
            self.assertLess(apart(pose, frame), 1e-5)

    def test_a_moving_mesh_in_one_file(self):
        self.ossa("convert", *self.names, "moving.glb")
        told = self.json("inspect", "--json", "moving.glb")
        self.assertTrue(told["animations"][0]["shapes"])
        self.ossa("convert", "moving.glb", "back.pc2")
        frames = read_pc2(self.folder / "back.pc2")
        self.assertEqual(len(frames), 6)
        self.assertLess(max(apart(a, b) for a, b in zip(frames, self.poses)), 1e-5)
        # and it can be rigged as it is
        self.ossa("rig", "moving.glb", "--body", "none", "--bones", 3, "-o", "rig.glb", "-q")
        self.assertLess(self.json("compare", "--json", "rig.glb", "moving.glb")["metrics"]["rms_percent"], 1)

    def test_a_cache_fits_the_mesh_beside_it(self):
        # corners of other programs' files are cut at every edge of a cube: 24 vertices at 8 places, which always agree
        write_moving_cubes(self.folder / "cube.gltf", [(0, None)])
        for name in ("a.glb", "a.ply", "a.dae", "a.pc2", "a.mdd", "a_#.obj", "a.obj"):
            self.ossa("convert", "cube.gltf", name)
        frames = read_pc2(self.folder / "a.pc2")
        self.assertEqual([len(frame) for frame in frames], [24, 24, 24])
        self.assertLess(apart(frames[0], read_obj(self.folder / "a.obj")[0]), 1e-6)
        self.assertGreater(apart(frames[2], frames[0]), 1)
        for i, frame in enumerate(frames):
            self.assertLess(apart(frame, read_obj(self.folder / f"a_{i + 1}.obj")[0]), 1e-6)
        # the cache moves each of the meshes that were written of the same file
        for mesh in ("a.glb", "a.ply", "a.dae", "a.obj"):
            self.assertEqual(self.json("inspect", "--json", mesh)["mesh"]["vertices"], 24, mesh)
            for cache in ("a.pc2", "a.mdd"):
                self.ossa("convert", mesh, cache, "b_#.obj")
                self.assertLess(apart(frames[2], read_obj(self.folder / "b_3.obj")[0]), 1e-6, mesh)

    def test_moving_parts_become_joints(self):
        # body - arm - hand of different sizes, and ground that stands still
        write_moving_cubes(self.folder / "robot.gltf", [(0, None), (3, 0), (2, 1), (9, None)], ["body", "arm", "hand", "ground"],
                           [0.5, 1, 1.5, 1], still=[3])
        self.assertIsNone(self.json("convert", "--json", "robot.gltf", "truth.pc2")["left_out"])
        truth = read_pc2(self.folder / "truth.pc2")
        told = self.ossa("inspect", "robot.gltf")
        self.assertIn("parts", told.stderr)
        for name in ("a.dae", "b.glb"):
            self.ossa("convert", "robot.gltf", name)
            bones = self.json("inspect", "--json", name)["rig"]["bones"]
            self.assertEqual([(bone["name"], bone["parent"], bone["vertices"]) for bone in bones],
                             [("root", -1, 24), ("body", 0, 24), ("arm", 1, 24), ("hand", 2, 24)])
            self.ossa("convert", name, "back.pc2")
            for ours, back in zip(truth, read_pc2(self.folder / "back.pc2")):
                self.assertLess(apart(ours, back), 1e-5 * 12, name)
        # frames stay what they were
        self.assertEqual(len(truth), 3)
        self.assertGreater(apart(truth[0], truth[2]), 3)

    def test_vertices_are_joined_for_rigging_alone(self):
        write_moving_cubes(self.folder / "cube.gltf", [(0, None)])
        for words, vertices in (((), 8), (("--keep-vertices",), 24)):
            self.ossa("rig", "cube.gltf", *words, "-o", "rig.dae", "-o", "rig.glb", "-q")
            self.assertEqual(self.json("inspect", "--json", "rig.dae")["mesh"]["vertices"], vertices)
            # the file that it came from keeps its own
            self.assertEqual(self.json("inspect", "--json", "rig.glb")["mesh"]["vertices"], 24)

    def test_only_the_shape_fits(self):
        self.ossa("convert", *self.names, "moving.glb")
        self.assertIn("left out", self.ossa("convert", "moving.glb", "rest.ply").stdout)

    def test_outputs_never_replace_inputs(self):
        self.ossa("convert", *self.names, "f_###.obj")
        before = {name: (self.folder / name).read_bytes() for name in self.files()}
        for words in (("f_###.obj", "f_002.obj"), ("f_#.obj", "f_###.obj"), ("f_001.obj", "f_002.obj", "f_###.obj"),
                      (*self.names, "pose-#.obj")):
            self.assertIn("is an input too", self.ossa("convert", *words, expect=USAGE).stderr)
        self.assertEqual(before, {name: (self.folder / name).read_bytes() for name in self.files()})

    def test_a_shorter_sequence_warns_of_the_longer_one(self):
        self.ossa("convert", *self.names, "f_#.obj")
        done = self.ossa("convert", *self.names, "f_#.obj", "--frames", "1:4")
        self.assertIn("f_#.obj: other numbered files", done.stderr)
        self.assertIn("(2 files)", done.stderr)

    def test_bad_frames(self):
        for text in ("0:3", "9:", "2:1", "1:3:0", "x"):
            self.ossa("convert", *self.names, "a.pc2", "--frames", text, expect=USAGE)


class Rigs(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_once(lambda: self.ossa("rig", *self.write_tubes(5), "--body", "none", "--bones", 3, "-o", "rig.glb", "-q"))
        self.truth = self.frames("rig.glb")
        self.bones = self.json("inspect", "--json", "rig.glb")["rig"]["bones"]

    def frames(self, name):
        self.ossa("convert", name, f"{name}.pc2")
        return read_pc2(self.folder / f"{name}.pc2")

    def test_round_trips(self):
        for name, options in (("a.glb", ()), ("a.gltf", ()), ("a.dae", ()), ("b.dae", ("--collada", "1.4.1")),
                              ("c.dae", ("--up", "z", "--unit", "0.01")), ("d.dae", ("--bone-axis", "x"))):
            self.ossa("convert", "rig.glb", name, *options)
            bones = self.json("inspect", "--json", name)["rig"]["bones"]
            self.assertEqual([(bone["name"], bone["parent"]) for bone in bones],
                             [(bone["name"], bone["parent"]) for bone in self.bones], name)
            for ours, back in zip(self.truth, self.frames(name)):
                self.assertLess(apart(ours, back), 1e-5 * 4, name)

    def test_motion_of_another_file(self):
        self.ossa("convert", "rig.glb", "motion.bvh")
        self.ossa("convert", "rig.glb", "again.glb", "--motion", "motion.bvh")
        for ours, back in zip(self.truth, self.frames("again.glb")):
            self.assertLess(apart(ours, back), 1e-3)

    def test_a_rigged_file_is_rigged_again(self):
        self.ossa("rig", "rig.glb", "--body", "none", "--bones", 2, "-o", "fewer.glb", "-q")
        self.assertEqual(len(self.json("inspect", "--json", "fewer.glb")["rig"]["bones"]), 2)

    def test_every_format_takes_a_rig(self):
        for name in ("rig.py", "rig.bvh", "rig.usda", "rig.json", "rig.weights.csv", "rig.skeleton.csv"):
            self.ossa("convert", "rig.glb", name)
            self.assertGreater((self.folder / name).stat().st_size, 100, name)
        json.loads((self.folder / "rig.json").read_text())

    def test_a_broken_skin_is_no_mesh(self):
        self.ossa("convert", "rig.glb", "rig.gltf")
        text = json.loads((self.folder / "rig.gltf").read_text())
        text["skins"][0]["joints"] = [999] * len(text["skins"][0]["joints"])
        (self.folder / "broken.gltf").write_text(json.dumps(text))
        for name in ("a.dae", "a.glb"):
            self.assertIn("broken.gltf", self.ossa("convert", "broken.gltf", name, expect=INPUT).stderr)
        self.assertNotIn("a.dae", self.files())

    def test_what_is_left_out_is_reported(self):
        self.assertIn("skeleton and weights", self.json("convert", "--json", "rig.glb", "a.ply")["left_out"])
        self.assertIsNone(self.json("convert", "--json", "rig.glb", "a.dae")["left_out"])

    def write_two_clips(self):
        self.ossa("convert", "rig.glb", "two.gltf")
        text = json.loads((self.folder / "two.gltf").read_text())
        text["animations"].append(dict(text["animations"][0], name="again"))
        (self.folder / "two.gltf").write_text(json.dumps(text))

    def test_animations_that_move_no_joint_are_told_as_such(self):
        """no choice of animations takes them; a glTF file keeps them"""
        self.write_two_clips()
        text = json.loads((self.folder / "two.gltf").read_text())
        text["nodes"].append({"name": "lamp"})
        channel = dict(text["animations"][0]["channels"][0])
        channel["target"] = {"node": len(text["nodes"]) - 1, "path": channel["target"]["path"]}
        text["animations"].append({"name": "swing", "channels": [channel], "samplers": text["animations"][0]["samplers"]})
        text["scenes"][0]["nodes"].append(len(text["nodes"]) - 1)
        (self.folder / "two.gltf").write_text(json.dumps(text))
        still, every = "1 animation that moves no joint", "(--clip takes another, --clip all takes all)"
        for words, left_out in ((("a.fbx",), still), (("a.fbx", "--clip", "all"), still), (("a.glb",), None), (("a.glb", "--clip", "all"), None),
                                (("a.glb", "--clip", "again"), f"1 other animation {every}"),
                                (("a.fbx", "--clip", "3"), f"2 other animations {every}; {still}"),
                                (("a.bvh", "--clip", "again"), f"1 other animation (--clip takes another); {still}")):
            self.assertEqual(self.json("convert", "--json", "two.gltf", *words)["left_out"], left_out, words)
        other = "1 other animation (--clip takes another)"
        for words, left_out in ((("a.glb",), other), (("a.fbx",), f"{other}; {still}"), (("a.glb", "-o", "a.dae"), f"{other}; {still}")):
            told = self.json("pose", "two.gltf", "--json", "--clip", "again", "-o", *words)
            self.assertEqual(told["left_out"], left_out)
        # the warning names it where the output goes without it, and only there
        told = 'only glTF holds of its file: nodes that hold nothing, as sockets 1 ("lamp"), animations of cameras, lights and such nodes 1 (2 parts)'
        for command in (("convert", "two.gltf"), ("pose", "two.gltf", "--clip", "all", "-o")):
            for name in ("a.glb", "a.gltf"):
                self.assertNotIn("warning", self.ossa(*command, name).stderr)
            for name in ("a.fbx", "a.dae", "a.py"):
                self.assertIn(told, self.ossa(*command, name).stderr)
        self.assertIn(told, self.ossa("convert", "two.gltf", "a.obj").stderr)

    def test_all_motions(self):
        self.write_two_clips()
        self.assertEqual(self.json("convert", "--json", "two.gltf", "one.glb")["clips"], 2)
        self.assertIn("1 other animation", self.json("convert", "--json", "two.gltf", "one.dae")["left_out"])
        self.assertIn("1 other animation", self.json("convert", "--json", "two.gltf", "one.glb", "--clip", "again")["left_out"])
        for words in (("two.gltf",), ("rig.glb", "--motion", "two.gltf")):
            told = self.json("convert", "--json", *words, "all.glb", "--clip", "all", "--loop", "--motion-fps", 30,
                             "--root-motion", "in-place")
            self.assertEqual((told["clips"], told["loop"]["closed"], told["left_out"]), (2, 2, None))
            self.assertGreater(told["loop"]["degrees"], 1)
            self.assertEqual([clip["name"] for clip in self.json("inspect", "--json", "all.glb")["animations"]], ["pose", "again"])
        self.assertIn("again", self.json("convert", "--json", "two.gltf", "all.bvh", "--clip", "all")["left_out"])
        self.assertIn("2", self.ossa("convert", "two.gltf", "all.pc2", "--clip", "all", expect=USAGE).stderr)

    def test_roots_are_added_for_the_travel(self):
        self.ossa("convert", "rig.glb", "a.glb", "--root-motion", "extract")
        bones = self.json("inspect", "--json", "a.glb")["rig"]["bones"]
        self.assertEqual(len(bones), len(self.bones) + 1)
        for ours, back in zip(self.truth, self.frames("a.glb")):
            self.assertLess(apart(ours, back), 1e-5 * 4)

    def test_an_unknown_clip(self):
        done = self.ossa("convert", "rig.glb", "a.glb", "--clip", "jump", expect=USAGE)
        self.assertIn("\"pose\"", done.stderr)


main()
