"""`ossa inspect` and `ossa compare` on files with known counts."""
import json
import os
import struct
import subprocess

from harness import INPUT, USAGE, CommandTest, main, tube, tube_faces, write_moving_cubes, write_obj


class Inspecting(CommandTest):
    def test_a_mesh(self):
        self.write_tubes(0)
        mesh = self.json("inspect", "--json", "rest.obj")["mesh"]
        self.assertEqual((mesh["vertices"], mesh["faces"], mesh["face_quads"], mesh["triangles"]), (300, 288, 288, 576))
        self.assertEqual((mesh["pieces"], mesh["border_edges"], mesh["crowded_edges"]), (1, 24, 0))
        self.assertEqual((mesh["minimum"][0], mesh["maximum"][0]), (-2, 2))
        text = self.ossa("inspect", "rest.obj").stdout
        for word in ("Wavefront OBJ", "300", "288 quads", "24 on a border"):
            self.assertIn(word, text)

    def test_the_name_does_not_matter(self):
        self.write_tubes(0)
        (self.folder / "rest.obj").rename(self.folder / "rest.stl")
        self.assertEqual(self.json("inspect", "--json", "rest.stl")["format"], "obj")

    def test_a_cache(self):
        vertices, frames = 3, 2
        head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertices, 0, 1, frames)
        (self.folder / "a.pc2").write_bytes(head + struct.pack("<18f", *range(18)))
        told = self.json("inspect", "--json", "a.pc2")
        self.assertEqual(told["frames"], {"frames": frames, "vertices": vertices})
        self.assertIn("frames", self.ossa("inspect", "a.pc2").stdout)

    def test_a_rig(self):
        names = self.write_tubes()
        self.ossa("rig", *names, "--body", "none", "--bones", 3, "--refine", 0, "-o", "tube.glb", "-q")
        rig = self.json("inspect", "--json", "tube.glb")["rig"]
        self.assertEqual([bone["parent"] for bone in rig["bones"]][0], -1)
        self.assertEqual(len(rig["bones"]), 3)
        text = self.ossa("inspect", "tube.glb").stdout
        for bone in rig["bones"]:
            self.assertIn(bone["name"], text)

    def test_cameras_lights_and_tangents(self):
        write_moving_cubes(self.folder / "cube.gltf", [(0, None), (3, None)], ["body", "lamp"])
        gltf = json.loads((self.folder / "cube.gltf").read_text())
        gltf["accessors"].append({"componentType": 5126, "count": 24, "type": "VEC4"})
        first = gltf["meshes"][0]["primitives"][0]
        gltf["meshes"][0].update(name="skin", primitives=[first, {**first, "attributes": {**first["attributes"], "TANGENT": 4}}])
        gltf["cameras"] = [{"name": "Eye", "type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
        gltf["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {}}, {"name": "Sun", "type": "directional"}]}}
        gltf["extensionsUsed"] = ["KHR_lights_punctual"]
        gltf["nodes"] += [{"camera": 0}, {"name": "sky", "extensions": {"KHR_lights_punctual": {"light": 1}}}]
        gltf["nodes"][1]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        gltf["scenes"][0]["nodes"] += [2, 3]
        (self.folder / "cube.gltf").write_text(json.dumps(gltf))
        told = self.json("inspect", "--json", "cube.gltf")
        self.assertEqual(told["cameras"], [{"name": "Eye", "type": "perspective"}])
        self.assertEqual(told["lights"], [{"name": "lamp", "type": "spot"}, {"name": "sky", "type": "directional"}])
        self.assertEqual(told["tangents"], [{"mesh": "skin", "primitive": 1}])
        text = self.ossa("inspect", "cube.gltf").stdout
        self.assertRegex(text, r"\ncameras      1\n  Eye +perspective\nlights       2\n  lamp +spot\n  sky +directional\n"
                               r"tangents     1 primitive\n  skin +primitive 2\n")
        # a mesh without a rig, and formats that have none
        self.write_tubes(0)
        told = self.json("inspect", "--json", "rest.obj")
        self.assertEqual((told["cameras"], told["lights"], told["tangents"]), ([], [], []))
        self.assertNotIn("cameras", self.ossa("inspect", "rest.obj").stdout)

    def test_custom_properties_of_binary_fbx_are_counted(self):
        write_moving_cubes(self.folder / "cube.gltf", [(0, None)])
        self.ossa("convert", "cube.gltf", "cube.fbx", "-q")
        self.assertEqual(self.json("inspect", "cube.fbx", "--json")["warnings"], [])
        data = (self.folder / "cube.fbx").read_bytes()
        of_model = data.index(b"Model", data.index(b"Objects"))
        flags = data.index(b"S\x02\0\0\0A+", of_model)
        (self.folder / "cube.fbx").write_bytes(data[:flags] + b"S\x02\0\0\0AU" + data[flags + 7:])
        told = [one for one in self.json("inspect", "cube.fbx", "--json")["warnings"] if one["code"] == "scene-not-read"]
        self.assertEqual([one["count"] for one in told], [1])
        self.assertRegex(told[0]["message"], r'custom properties 1 \("[A-Za-z ]+"\)')

    def test_morph_targets_and_uv_sets(self):
        write_moving_cubes(self.folder / "cube.gltf", [(0, None)])
        gltf = json.loads((self.folder / "cube.gltf").read_text())
        primitive = gltf["meshes"][0]["primitives"][0]
        gltf["accessors"].append({"componentType": 5126, "count": 24, "type": "VEC2"})
        primitive["attributes"].update({"TEXCOORD_0": 4, "TEXCOORD_1": 4})
        primitive["targets"] = [{"POSITION": 0}]
        gltf["meshes"][0]["extras"] = {"targetNames": ["large"]}
        (self.folder / "cube.gltf").write_text(json.dumps(gltf))
        told = self.json("inspect", "--json", "cube.gltf")
        self.assertEqual((told["mesh"]["uv_sets"], told["morphs"]), (2, [{"name": "large", "vertices": 24, "weight": 0.0}]))
        text = self.ossa("inspect", "cube.gltf").stdout
        for words in ("in the first of 2 sets", "sets, 1 morph target\n", "large"):
            self.assertIn(words, text)
        self.write_tubes(0)
        told = self.json("inspect", "--json", "rest.obj")
        self.assertEqual((told["mesh"]["uv_sets"], told["morphs"], told["materials"], told["images"]), (0, [], [], []))

    def test_looks_and_names_of_images(self):
        """one letter for each: a name is no path, unless it is long"""
        write_moving_cubes(self.folder / "cube.gltf", [(0, None)])
        gltf = json.loads((self.folder / "cube.gltf").read_text())
        names = ("prüf bild/1", "skin.v2/base.png", "/home/someone/projects/characters/textures/long.png", None)
        gltf["materials"], gltf["meshes"][0]["primitives"][0]["material"] = [
            {"name": "look", "emissiveFactor": [1, 0.5, 0], "doubleSided": True}], 0
        gltf["images"] = [{"name": name, "uri": "data:image/png;base64,iVBORw0KGgo="} if name else
                          {"uri": "data:image/png;base64,iVBORw0KGgo="} for name in names]
        (self.folder / "cube.gltf").write_text(json.dumps(gltf))
        told = self.json("inspect", "--json", "cube.gltf")["images"]
        self.assertEqual([image["name"] for image in told], ["prüf_bild_1", "skin_v2_base", "long", "image"])
        self.assertIn(", emission 1 0.5 0, double-sided\n", self.ossa("inspect", "cube.gltf").stdout)

    def test_mirrored_objects(self):
        write_moving_cubes(self.folder / "cubes.gltf", [(0, None), (3, None)])
        gltf = json.loads((self.folder / "cubes.gltf").read_text())
        gltf["nodes"][1]["scale"] = [1, -2, 1]
        (self.folder / "cubes.gltf").write_text(json.dumps(gltf))
        text = self.ossa("inspect", "cubes.gltf").stdout
        self.assertRegex(text, "at 3 0 0, scale 1 2 1, mirrored\n")
        self.assertEqual(text.count("mirrored"), 1)

    def test_bent_joints(self):
        self.ossa("rig", *self.write_tubes(), "--body", "none", "--bones", 3, "--refine", 0, "-o", "tube.glb", "-q")
        told = self.json("inspect", "--json", "--bend", "tube.glb")
        bend = told["bend"]
        self.assertEqual((bend["joints"], len(bend["bones"])), (2, 3))
        # the tube is open: it has no volume; the root is not bent
        self.assertIsNone(bend["volume_90_percent"])
        self.assertIsNone(bend["bones"][0]["crossing_90_percent"])
        self.assertGreaterEqual(bend["crossing_worst_percent"], bend["crossing_90_percent"])
        self.assertNotIn("bend", self.json("inspect", "--json", "tube.glb"))
        text = self.ossa("inspect", "--bend", "tube.glb").stdout
        for word in ("Weight bleeding", "Crossing, worst joint", told["rig"]["bones"][1]["name"]):
            self.assertIn(word, text)
        self.assertIn("no rig to bend", self.ossa("inspect", "--bend", "rest.obj", expect=INPUT).stderr)

    def test_stages_of_contraction(self):
        self.write_tubes(0)
        told = self.json("inspect", "--json", "rest.obj", "--contraction", "--bones", 5, "--stages", ".")["contraction"]
        self.assertEqual((told["vertices"], told["pieces"], told["points"], told["edges"]), (300, 1, 5, 4))
        self.assertEqual((told["pulls"][0], len(told["volume_shares"])), (0, told["steps"] + 1))
        files = {path.name for path in self.folder.glob("*.obj")}
        self.assertLessEqual({"graph.obj", "curve.obj", f"step-{told['steps']:02}.obj"}, files)
        self.assertEqual((self.folder / "curve.obj").read_text().count("\nl "), told["edges"] + told["cut"])
        done = self.ossa("inspect", "rest.obj", "--contraction")
        for word in ("mesh graph", "control points", "W_L"):
            self.assertIn(word, done.stdout)
        # the tube is open, which the paper does not take
        self.assertIn("closed meshes", done.stderr)
        (self.folder / "a.pc2").write_bytes(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 3, 0, 1, 2) + struct.pack("<18f", *range(18)))
        self.assertIn("no mesh to contract", self.ossa("inspect", "a.pc2", "--contraction", expect=INPUT).stderr)

    def test_warnings_are_counted_once(self):
        """however often the file is read: it is asked for clips, a rig and a mesh"""
        write_obj(self.folder / "walk_1.obj", tube(0), tube_faces())
        write_obj(self.folder / "walk_2.obj", tube(0), tube_faces())
        write_obj(self.folder / "walk_40.obj", tube(0), tube_faces() + [(0, 0, 1), (2, 2, 1)])
        self.assertIn("3, walk_1.obj to walk_40.obj", self.ossa("inspect", "walk_#.obj").stdout)
        self.assertEqual(self.json("inspect", "--json", "walk_#.obj")["files"], 3)
        self.assertNotIn("files", self.json("inspect", "--json", "walk_1.obj"))
        told = self.json("inspect", "--json", "walk_#.obj")["warnings"]
        self.assertEqual([(warning["code"], warning["count"]) for warning in told], [("sequence-gaps", 37)])
        told = self.json("inspect", "--json", "walk_40.obj")["warnings"]
        self.assertEqual([(warning["code"], warning["count"]) for warning in told], [("degenerate-faces", 2)])
        (self.folder / "a.bvh").write_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                                           "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 4000000000\nFrame Time: 0.1\n"
                                           "0 0 0\n1 0 0\n")
        told = self.json("inspect", "--json", "a.bvh")["warnings"]
        self.assertEqual([(warning["code"], warning["count"]) for warning in told], [("bvh-frames", 1)])
        self.assertIn("states 4000000000 frames but holds 2", told[0]["message"])

    def test_pipes(self):
        """a pipe gives its bytes once, and is asked for them several times"""
        names = self.write_tubes(3)
        rest = (self.folder / "rest.obj").read_text()
        for path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self.assertEqual(self.json("inspect", "--json", path, input=rest)["mesh"]["vertices"], 300)
        self.ossa("convert", "/dev/stdin", "a.glb", input=rest)
        self.assertEqual(self.json("inspect", "--json", "a.glb")["mesh"]["vertices"], 300)
        # another process at the other end, as <(...) has it
        reading, writing = os.pipe()
        with subprocess.Popen(["cat", self.folder / names[3]], stdout=writing):
            os.close(writing)
            self.ossa("rig", "rest.obj", names[1], names[2], f"/dev/fd/{reading}", "--body", "none", "--bones", 2, "-o", "a.glb", "-q",
                      pass_fds=[reading])
        os.close(reading)
        self.assertIn("is empty", self.ossa("inspect", "/dev/stdin", input="", expect=INPUT).stderr)
        os.mkfifo(self.folder / "fifo")
        self.assertIn("pipe", self.ossa("inspect", "fifo", expect=INPUT).stderr)

    def test_pictures_are_named_as_they_are(self):
        self.ossa("rig", *self.write_tubes(), "--body", "none", "--bones", 2, "--refine", 0, "-o", "a.glb", "-q")
        self.assertIn(".png", self.ossa("render", "a.glb", "-o", "a.jpg", expect=USAGE).stderr)
        self.assertNotIn("a.jpg", self.files())
        self.ossa("render", "a.glb", "-o", "a.PNG", "--width", 64, "--height", 64)
        self.assertEqual((self.folder / "a.PNG").read_bytes()[1:4], b"PNG")

    def test_pictures_count_frames_from_1(self):
        self.ossa("rig", *self.write_tubes(), "--body", "none", "--bones", 2, "--refine", 0, "-o", "a.glb", "-q")
        self.ossa("convert", "a.glb", "second.glb", "--frames", 2, "-q")

        def picture(rig, frames):
            told = self.json("render", "--json", rig, "-o", "a.png", "--width", 80, "--height", 80, "--frames", frames)
            return told["frames"], (self.folder / "a.png").read_bytes()

        self.assertEqual(picture("a.glb", "2"), picture("second.glb", "1"))
        self.assertNotEqual(picture("a.glb", "1"), picture("a.glb", "2"))
        self.assertEqual(picture("a.glb", "2:4"), picture("a.glb", "2-4"))
        self.assertEqual(picture("a.glb", "2:"), picture("a.glb", "2-4"))
        self.assertEqual(picture("a.glb", "1:4:2"), picture("a.glb", "1,3"))
        self.assertEqual(picture("a.glb", "rest,all")[0], 5)
        for frames in ("0", "5", "1-5", "0:2", "-1"):
            self.assertIn("counted from 1" if frames != "-1" else "from 1 on",
                          self.ossa("render", "a.glb", "-o", "a.png", "--frames", frames, expect=USAGE).stderr, frames)
        for frames in ("", "2-1", "1:2:0", "a", "1,", "1-", "1:2:3:4"):
            self.assertIn("--frames", self.ossa("render", "a.glb", "-o", "a.png", "--frames", frames, expect=USAGE).stderr, frames)

    def test_what_it_cannot_read(self):
        (self.folder / "junk").write_bytes(b"\0\1\2\3" * 100)
        self.assertIn("junk", self.ossa("inspect", "junk", expect=INPUT).stderr)
        self.ossa("inspect", expect=USAGE)


class Comparing(CommandTest):
    def setUp(self):
        super().setUp()
        self.names = self.write_tubes()
        self.write_once(lambda: self.ossa("rig", *self.names, "--body", "none", "--bones", 2, "--refine", 0, "-o", "tube.glb", "-q"))

    def test_table(self):
        text = self.ossa("compare", "tube.glb", *self.names).stdout
        for word in ("RMS error", "Largest error", "Normals", "Joints inside"):
            self.assertIn(word, text)

    def test_compare_with_another_skeleton(self):
        self.assertNotIn("truth", self.json("compare", "--json", "tube.glb", *self.names))
        told = self.json("compare", "--json", "tube.glb", *self.names, "--truth", "tube.glb")["truth"]
        self.assertEqual(told["true_to_ours"], 0)
        self.assertEqual(told["jacc_percent"], 0)
        self.assertIn("Recall", self.ossa("compare", "tube.glb", *self.names, "--truth", "tube.glb").stdout)
        self.ossa("compare", "tube.glb", *self.names, "--truth", "rest.obj", expect=INPUT)

    def test_without_poses(self):
        metrics = self.json("compare", "--json", "tube.glb", "rest.obj")["metrics"]
        self.assertIsNone(metrics["rms_percent"])
        self.assertLess(metrics["weight_sum_error"], 1e-6)

    def test_vertices_in_another_order_match_by_position(self):
        told = self.json("compare", "--json", "tube.glb", *self.names)["metrics"]["rms_percent"]
        count = 300
        order = [(i * 7) % count for i in range(count)]  # new place of each vertex
        for index, name in enumerate(self.names):
            vertices = tube(0.9 * index / 4)
            moved = [None] * count
            for old, new in enumerate(order):
                moved[new] = vertices[old]
            write_obj(self.folder / name, moved, [tuple(order[i] for i in face) for face in tube_faces()])
        again = self.json("compare", "--json", "tube.glb", *self.names)["metrics"]["rms_percent"]
        self.assertAlmostEqual(told, again, places=5)

    def test_parts_that_touch_stay_separate(self):
        # two cubes side by side, the second one turns: their corners share four places, and are weighted differently
        write_moving_cubes(self.folder / "cubes.gltf", [(0, None), (2, 0)], ["still", "turning"], still=[0])
        self.ossa("convert", "cubes.gltf", "rig.glb")
        self.ossa("convert", "cubes.gltf", "rest.obj")
        self.ossa("convert", "cubes.gltf", "f_#.obj")
        for step in (1, 5, 7, 11):
            for name in ("rest.obj", "f_1.obj", "f_2.obj", "f_3.obj"):
                lines = (self.folder / name).read_text().splitlines()
                vertices = [line for line in lines if line.startswith("v ")]
                order = [i * step % 48 for i in range(48)]  # new place of each vertex
                moved = [None] * 48
                for old, new in enumerate(order):
                    moved[new] = vertices[old]
                faces = [" ".join(["f"] + [str(order[int(word.split("/")[0]) - 1] + 1) for word in line.split()[1:]])
                         for line in lines if line.startswith("f ")]
                (self.folder / f"moved-{name}").write_text("\n".join(moved + faces) + "\n")
            told = self.json("compare", "--json", "rig.glb", "moved-rest.obj", "moved-f_#.obj")["metrics"]
            self.assertLess(told["max_percent"], 1e-3, step)

    def test_another_mesh_is_refused(self):
        write_obj(self.folder / "other.obj", tube(0.0, 20, 14), tube_faces(20, 14))
        done = self.ossa("compare", "tube.glb", "other.obj", expect=INPUT)
        for word in ("other.obj", "tube.glb", "294"):
            self.assertIn(word, done.stderr)

    def test_counts_of_keyframes_and_poses_differ(self):
        done = self.ossa("compare", "tube.glb", "rest.obj", "pose-1.obj", expect=INPUT)
        self.assertIn("keyframes of 4 poses, 1 given", done.stderr)


class Bodies(CommandTest):
    def setUp(self):
        super().setUp()
        self.ossa("sample", "biped", "--faces", 3000, "--frames", 1, "-o", ".", "-q")

    def test_a_recognized_body_is_described(self):
        self.ossa("rig", "rest.obj", "-o", "a.glb", "-q")
        text = self.ossa("inspect", "a.glb").stdout
        self.assertRegex(text, r"\nbody +human, score [0-9.]+: [0-9e.]+ to 1 against no body")
        self.assertRegex(text, r"\nfaces +\+z, up \+y; [0-9e.]+ to 1 that left and right are not exchanged")
        self.assertRegex(text, r"thigh_L .* left thigh")
        rig = self.json("inspect", "a.glb", "--json")["rig"]
        self.assertEqual(rig["body"]["kind"], "human")
        self.assertGreater(rig["body"]["score"], 0)
        thigh = next(bone for bone in rig["bones"] if bone["name"] == "thigh_R")
        self.assertEqual((thigh["part"], thigh["side"], thigh["number"]), ("thigh", "right", 0))
        self.ossa("render", "a.glb", "--color", "roles", "-o", "a.png", "--width", 200, "--height", 200, "-q")

    def test_what_was_not_recognized_is_not_described(self):
        self.ossa("rig", "rest.obj", "--body", "none", "-o", "a.glb", "-q")
        self.assertNotIn("\nbody", self.ossa("inspect", "a.glb").stdout)
        self.assertIsNone(self.json("inspect", "a.glb", "--json")["rig"]["body"])
        done = self.ossa("render", "a.glb", "--color", "roles", "-o", "a.png", expect=INPUT)
        self.assertIn("--color bones", done.stderr)


main()
