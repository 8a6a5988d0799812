"""`ossa rig --with`: bones of a file keep their places, and get weights, joints and motion."""
import json
import struct

from harness import INPUT, USAGE, CommandTest, main


class GivenBones(CommandTest):
    def sample(self, kind="biped", frames=10):
        self.ossa("sample", kind, "--faces", 1200, "--frames", frames, "-o", kind, "-q")
        return f"{kind}/truth.glb", [f"{kind}/rest.obj", *(f"{kind}/pose-{i + 1}.obj" for i in range(frames))]

    def skeleton(self, rig, name="bones.bvh", scale=1, at_rest=True):
        """the bones of a rig alone, without motion; not at rest: as ossa writes motion, with the root at the origin"""
        self.ossa("convert", rig, name, "-q")
        if not at_rest:
            return name
        path, root, lines = self.folder / name, self.bones(rig)[0]["joint"], []
        text = path.read_text()
        for line in text.split("MOTION")[0].splitlines():
            words = line.split()
            if words and words[0] == "OFFSET":
                offset, root = [float(word) + place for word, place in zip(words[1:], root)], [0, 0, 0]
                line = "OFFSET " + " ".join(str(scale * value) for value in offset)
            lines.append(line)
        still = " ".join(["0"] * (3 + 3 * text.count("CHANNELS")))
        path.write_text("\n".join([*lines, "MOTION", "Frames: 1", "Frame Time: 0.04", still, ""]))
        return name

    def bones(self, path):
        return self.json("inspect", "--json", path)["rig"]["bones"]

    def refused(self, status, words, *command):
        self.assertIn(words, self.ossa(*command, expect=status).stderr)

    def test_a_skeleton_gets_weights_and_motion_from_frames(self):
        truth, files = self.sample()
        told = self.json("rig", "--with", self.skeleton(truth), *files, "-o", "a.glb", "--json")
        self.assertTrue(told["given"]["bound"] and told["given"]["weights"] and not told["given"]["joints"])
        self.assertGreater(told["given"]["before_rms_percent"], 5 * told["given"]["rms_percent"])
        self.assertLess(told["hierarchy"]["rms_percent"], 0.05)
        self.assertEqual({bone["name"] for bone in self.bones("a.glb")}, {bone["name"] for bone in self.bones(truth)})
        compared = self.json("compare", "--json", "a.glb", *files)["metrics"]
        self.assertAlmostEqual(compared["rms_percent"], told["hierarchy"]["rms_percent"], delta=1e-3)
        # in print
        self.assertIn("weights by bone heat", self.ossa("rig", "--with", "bones.bvh", *files, "-o", "b.glb").stdout)
        self.assertEqual((self.folder / "a.glb").read_bytes(), (self.folder / "b.glb").read_bytes())

    def test_helper_bones(self):
        truth, files = self.sample(frames=12)
        self.ossa("edit", truth, "--remove", "head", "-o", "cut.glb", "-q")
        words = ["rig", "--with", "cut.glb", *files[1:], "--solve", "weights,motion", "--json"]
        without = self.json(*words, "-o", "a.glb")
        told = self.json(*words, "--add-bones", 3, "--worth", 0.02, "-o", "b.glb")
        self.assertEqual((without["given"]["added_bones"], told["given"]["added_bones"]), (0, 1))
        self.assertLess(10 * told["hierarchy"]["rms_percent"], without["hierarchy"]["rms_percent"])
        given, now, true = self.bones("a.glb"), self.bones("b.glb"), {bone["name"]: bone for bone in self.bones(truth)}
        self.assertEqual(now[-1]["name"], "neck_helper")
        self.assertEqual([bone["joint"] for bone in now[:-1]], [bone["joint"] for bone in given])
        for ours, wanted in zip(now[-1]["joint"], true["head"]["joint"]):
            self.assertAlmostEqual(ours, wanted, delta=0.01)
        # it moves with the frames
        self.assertLess(self.json("compare", "--json", "b.glb", *files)["metrics"]["rms_percent"], 0.02)
        # in print, and nothing of it where nothing is worth it
        words[-1] = "-o"
        self.assertIn("1 helper bones", self.ossa(*words, "c.glb", "--add-bones", 3, "--worth", 0.02).stdout)
        self.assertNotIn("helper", self.ossa(*words, "d.glb", "--add-bones", 3, "--worth", 50).stdout)
        self.assertEqual((self.folder / "a.glb").read_bytes(), (self.folder / "d.glb").read_bytes())

    def test_delta_mush_is_baked_into_weights(self):
        truth, files = self.sample()
        told = self.json("rig", "--with", truth, truth, "--delta-mush", 10, "--influences", 8, "-o", "a.glb", "--json")["given"]
        self.assertTrue(told["weights"] and not told["joints"])
        # how far the smoothed frames are from the bones' own, and what the new weights leave of that
        self.assertGreater(told["before_rms_percent"], 0.1)
        self.assertLess(told["rms_percent"], 0.8 * told["before_rms_percent"])
        # the motion stays
        motion = ["convert", "a.glb", "a.bvh", "-q"], ["convert", truth, "b.bvh", "-q"]
        for words in motion:
            self.ossa(*words)
        ours, theirs = ((self.folder / name).read_text().split("MOTION")[1].split()[5:] for name in ("a.bvh", "b.bvh"))
        self.assertLess(max(abs(float(a) - float(b)) for a, b in zip(ours, theirs, strict=True)), 1e-4)
        # of some of its frames
        told = self.json("rig", "--with", truth, truth, "--delta-mush", 10, "--frames", "2:8:2", "-o", "c.glb", "--json")
        self.assertEqual((told["frames"], told["given"]["key_frames"]), (4, 4))
        # frames of their own, with the motion that fits them
        told = self.json("rig", "--with", truth, *files[1:4], "--delta-mush", 10, "--solve", "weights,motion", "-o", "b.glb", "--json")
        self.assertLess(told["given"]["rms_percent"], told["given"]["before_rms_percent"])

    def test_delta_mush_needs_frames_and_a_rig(self):
        truth, files = self.sample(frames=2)
        self.refused(USAGE, "name it by --with", "rig", *files, "--delta-mush", 2, "-o", "a.glb")
        for rounds in ("0", "-1", "1001", "many", "3.5"):
            self.refused(USAGE, "1 to 1000", "rig", "--with", truth, truth, "--delta-mush", rounds, "-o", "a.glb")
        self.refused(INPUT, "there are none", "rig", "--with", self.skeleton(truth), files[0], "--delta-mush", 2, "-o", "a.glb")
        self.refused(INPUT, "own motion is to stay", "rig", "--with", truth, files[1], "--delta-mush", 2, "-o", "a.glb")
        self.assertFalse((self.folder / "a.glb").exists())

    def test_helper_bones_need_frames_and_a_rig(self):
        truth, files = self.sample(frames=2)
        self.refused(USAGE, "name them by --with", "rig", *files, "--add-bones", 2, "-o", "a.glb")
        self.refused(USAGE, "give frames", "rig", "--with", self.skeleton(truth), files[0], "--add-bones", 2, "-o", "a.glb")
        self.refused(USAGE, "--solve weights,motion", "rig", "--with", truth, *files[1:], "--add-bones", 2, "-o", "a.glb")
        self.refused(USAGE, "add-bones", "rig", "--with", truth, *files[1:], "--solve", "weights,motion", "--add-bones", "many", "-o", "a.glb")
        self.assertFalse((self.folder / "a.glb").exists())

    def test_a_skeleton_alone_is_bound_to_one_mesh(self):
        truth, files = self.sample()
        told = self.json("rig", files[0], "--with", self.skeleton(truth), "-o", "a.glb", "--json")
        self.assertTrue(told["given"]["bound"])
        self.assertNotIn("weights", told["given"])
        # every bone of the file
        facts = self.json("inspect", "--json", "a.glb")["rig"]
        self.assertEqual(len(facts["bones"]), len(self.bones(truth)))

    def test_an_fbx_of_bones_alone_is_a_skeleton(self):
        # as Blender and Maya write an armature without a mesh and without keys
        _, files = self.sample(frames=1)
        joints = [("hips", 0, (0, 0.96, 0)), ("chest", 1, (0, 0.26, 0)), ("head", 2, (0, 0.3, 0))]
        models = "".join(f'\tModel: {10 + i}, "Model::{name}", "LimbNode" {{\n\t\tVersion: 232\n\t\tProperties70:  {{\n\t\t\tP: '
                         f'"Lcl Translation", "Lcl Translation", "", "A",{x},{y},{z}\n\t\t}}\n\t}}\n\tNodeAttribute: {20 + i}, '
                         f'"NodeAttribute::{name}", "LimbNode" {{\n\t\tTypeFlags: "Skeleton"\n\t}}\n'
                         for i, (name, _, (x, y, z)) in enumerate(joints))
        links = "".join(f'\tC: "OO",{10 + i},{9 + above if above else 5}\n\tC: "OO",{20 + i},{10 + i}\n'
                        for i, (_, above, _) in enumerate(joints))
        (self.folder / "bones.fbx").write_text(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\nGlobalSettings:  {\n"
            '\tVersion: 1000\n\tProperties70:  {\n\t\tP: "UnitScaleFactor", "double", "Number", "",100\n\t}\n}\nObjects:  {\n'
            '\tModel: 5, "Model::Armature", "Null" {\n\t\tVersion: 232\n\t}\n\tNodeAttribute: 6, "NodeAttribute::Armature", "Null" {\n'
            f'\t\tTypeFlags: "Null"\n\t}}\n{models}}}\nConnections:  {{\n\tC: "OO",5,0\n\tC: "OO",6,5\n{links}}}\n')
        self.ossa("rig", files[0], "--with", "bones.fbx", "-o", "bound.glb", "-q")
        self.assertEqual([bone["name"] for bone in self.bones("bound.glb")], ["hips", "chest", "head"])

    def test_a_skeleton_in_another_unit_is_scaled_or_refused(self):
        truth, files = self.sample(frames=1)
        for name, scale in (("m", 1), ("cm", 100), ("inch", 1 / 0.0254)):
            told = self.ossa("rig", files[0], "--with", self.skeleton(truth, f"{name}.bvh", scale), "-o", f"{name}.glb")
            self.assertEqual("times as large" in told.stderr, scale != 1)
        places = [[bone["joint"] for bone in self.bones(f"{name}.glb")] for name in ("m", "cm", "inch")]
        for other in places[1:]:
            for a, b in zip(places[0], other):
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x, y, delta=1e-5)
        # a file of motion has its root at the origin, and begins somewhere
        told = self.ossa("rig", files[0], "--with", self.skeleton(truth, "moves.bvh", at_rest=False), "-o", "moved.glb")
        self.assertIn("moved by", told.stderr)
        for a, b in zip(places[0], [bone["joint"] for bone in self.bones("moved.glb")]):
            self.assertLess(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, 0.1)
        # in some unit any skeleton fits the box of a mesh: most joints must be inside
        self.ossa("sample", "snake", "--faces", 1200, "--frames", 1, "-o", "snake", "-q")
        self.refused(INPUT, "does not lie in the mesh", "rig", "snake/rest.obj", "--with", "cm.bvh", "-o", "far.glb")
        (self.folder / "far.obj").write_text("v 0 0 1e6\nv 1 0 1e6\nv 0 1 1e6\nf 1 2 3\n")
        self.refused(INPUT, "does not lie in the mesh", "rig", "far.obj", "--with", "cm.bvh", "-o", "far.glb")
        self.assertFalse((self.folder / "far.glb").exists())

    def test_hinges_turn_about_their_axis_on_demand(self):
        # flesh that bulges: a fit without bounds turns hinges about other axes, too
        self.ossa("sample", "biped", "--faces", 1200, "--frames", 6, "--bulge", 2, "-o", "biped", "-q")
        given = ["rig", "--with", "biped/truth.glb", "biped/rest.obj", *(f"biped/pose-{i + 1}.obj" for i in range(6)), "--json", "-o"]
        free, hinged = self.json(*given, "free.glb"), self.json(*given, "hinged.glb", "--solve", "hinges")
        errors = [told["hierarchy"]["rms_percent"] for told in (free, hinged)]
        self.assertLess(errors[0], errors[1])
        self.assertLess(errors[1], 1.2 * errors[0])
        for path, is_hinged in (("free.glb", False), ("hinged.glb", True)):
            self.ossa("convert", path, path + ".py", "-q")
            text = (self.folder / (path + ".py")).read_text()
            limits = text[text.index("LIMITS = ["):].partition("]")[0]
            lines = [line for line in limits.splitlines() if line.startswith('    ("shin')]
            self.assertEqual(len(lines), 2)
            for line in lines:
                _, _, y, z, _ = eval(line.rstrip(","))
                self.assertEqual(max(map(abs, y + z)) < 1e-3, is_hinged, line)

    def test_what_is_solved_is_chosen(self):
        truth, files = self.sample()
        frames = files[1:]
        before = self.bones(truth)
        # a whole rig keeps its weights unless they are asked for
        told = self.json("rig", "--with", truth, *frames, "--rest", files[0], "-o", "motion.glb", "--json")
        self.assertEqual((told["given"]["bound"], "weights" in told["given"]), (False, False))
        again = self.ossa("rig", "--skeleton", truth, *frames, "--rest", files[0], "-o", "older.glb", "-q")
        self.assertEqual((self.folder / "motion.glb").read_bytes(), (self.folder / "older.glb").read_bytes(), again)
        told = self.json("rig", "--with", truth, *frames, "--rest", files[0], "--solve", "weights,joints,motion", "-o",
                         "all.glb", "--json")
        self.assertTrue(told["given"]["weights"] and told["given"]["joints"])
        told = self.json("rig", "--with", truth, *frames, "--rest", files[0], "--solve", "weights", "-o", "own.glb", "--json")
        self.assertLess(told["hierarchy"]["rms_percent"], 0.05)
        self.assertEqual([bone["name"] for bone in self.bones("own.glb")], [bone["name"] for bone in before])

    def test_locks_keep_bones_and_painted_vertices(self):
        truth, files = self.sample()
        self.ossa("rig", files[0], "--with", self.skeleton(truth), "-o", "heat.glb", "-q")
        solve = ["rig", "--with", "heat.glb", *files[1:], "--rest", files[0], "--solve", "weights,motion", "-q"]
        self.ossa(*solve, "-o", "free.glb")
        self.ossa(*solve, "--lock", "weights,head", "--lock", "joint,neck", "-o", "kept.glb")
        self.assertNotEqual((self.folder / "free.glb").read_bytes(), (self.folder / "kept.glb").read_bytes())
        heat, kept = (self.weights_of(name, "head") for name in ("heat.glb", "kept.glb"))
        self.assertEqual(len(heat), len(kept))
        for a, b in zip(heat, kept):
            self.assertAlmostEqual(a, b, delta=2e-4)
        self.refused(USAGE, 'no bone "wing"', *solve, "--lock", "weights,wing", "-o", "x.glb")
        self.refused(USAGE, "--lock takes", *solve, "--lock", "head", "-o", "x.glb")
        self.refused(INPUT, "no vertex colours", *solve, "--lock", "painted", "-o", "x.glb")

    def test_painted_vertices_keep_their_weights(self):
        truth, files = self.sample(frames=2)
        lines = (self.folder / files[0]).read_text().splitlines()
        vertices = [i for i, line in enumerate(lines) if line.startswith("v ")]
        for n, i in enumerate(vertices):
            lines[i] += f" {n % 2} 0 0"
        (self.folder / "painted.obj").write_text("\n".join(lines) + "\n")
        self.ossa("rig", "painted.obj", "--with", self.skeleton(truth), "-o", "heat.glb", "-q")
        solve = ["rig", "--with", "heat.glb", *files[1:], "--rest", "painted.obj", "--solve", "weights,motion", "--json"]
        free = self.json(*solve, "-o", "free.glb")["given"]
        kept = self.json(*solve, "--lock", "painted", "-o", "kept.glb")["given"]
        self.assertGreater(free["vertices_changed"], 0.9 * len(vertices))
        self.assertLessEqual(kept["vertices_changed"], (len(vertices) + 1) // 2)
        self.assertLess(free["rms_percent"], kept["rms_percent"])
        self.assertLess(kept["rms_percent"], kept["before_rms_percent"])

    def weights_of(self, name, bone):
        """the weights of a bone at all vertices of a GLB, in their order"""
        data = (self.folder / name).read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        gltf, start = json.loads(data[20:20 + size]), 28 + size
        joints = [gltf["nodes"][node]["name"] for node in gltf["skins"][0]["joints"]]
        attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
        kinds = {5121: ("B", 1 / 255), 5123: ("H", 1 / 65535), 5126: ("f", 1)}

        def read(accessor, scaled):
            accessor = gltf["accessors"][accessor]
            view = gltf["bufferViews"][accessor["bufferView"]]
            kind, scale = kinds[accessor["componentType"]]
            step = view.get("byteStride", 4 * struct.calcsize(kind))
            at = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            rows = [struct.unpack_from(f"<4{kind}", data, at + i * step) for i in range(accessor["count"])]
            return [[value * (scale if scaled else 1) for value in row] for row in rows]

        pairs = zip(read(attributes["JOINTS_0"], False), read(attributes["WEIGHTS_0"], True))
        wanted = joints.index(bone)
        return [sum(w for j, w in zip(row, weights) if j == wanted) for row, weights in pairs]

    def test_what_contradicts_is_refused_before_the_work(self):
        truth, files = self.sample(frames=2)
        bones = self.skeleton(truth)
        self.refused(USAGE, "name them by --with", "rig", *files, "--solve", "weights", "-o", "x.glb")
        self.refused(USAGE, "name them by --with", "rig", *files, "--lock", "weights,head", "-o", "x.glb")
        self.refused(USAGE, "give one of them", "rig", "--with", truth, "--skeleton", truth, *files, "-o", "x.glb")
        self.refused(USAGE, 'not "weight"', "rig", "--with", truth, *files, "--solve", "weight", "-o", "x.glb")
        self.refused(USAGE, "needs motion too", "rig", "--with", truth, *files, "--solve", "joints", "-o", "x.glb")
        self.refused(USAGE, "--bones is an option of making a rig", "rig", "--with", truth, *files, "--bones", 3, "-o", "x.glb")
        self.refused(USAGE, "--solve weights,motion", "rig", "--skeleton", truth, *files, "--influences", 3, "-o", "x.glb")
        self.refused(INPUT, "without a mesh", "rig", "--skeleton", bones, *files, "-o", "x.glb")
        self.refused(INPUT, "own motion is to stay", "rig", "--with", bones, *files, files[1], "--solve", "weights", "-o", "x.glb")
        self.ossa("sample", "tube", "--faces", 1000, "--frames", 1, "-o", "tube", "-q")
        self.refused(INPUT, "vertices", "rig", "--with", truth, "tube/rest.obj", "tube/pose-1.obj", "-o", "x.glb")
        self.assertFalse((self.folder / "x.glb").exists())


if __name__ == "__main__":
    main()
