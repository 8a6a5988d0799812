"""glTF files that are valid but unusual, or that break a rule which costs no part of the shape: each says what it is, once."""
import copy
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

import test_props
from gltf_scene import Scene
from harness import INPUT, CommandTest, main
from lod_scene import save
from test_kept_files import write_scene

RIG = ("--method", "contraction", "--body", "none", "--refine", "0")


class Odd(CommandTest):
    def change(self, edit, write=lambda path: write_scene(path, animated=False)):
        """in.glb: a scene after `edit` of its JSON, which may append to its bytes"""
        write(self.folder / "in.glb")
        scene = Scene(self.folder / "in.glb")
        binary = edit(scene.json, scene.binary)
        save(self.folder / "in.glb", scene.json, scene.binary if binary is None else binary)

    def told(self, *words):
        return self.ossa(*words).stderr

    # ---- numbers ----

    def test_numbers_beyond_64_bits(self):
        kept = {"guid": 16045690984833335023, "low": -9223372036854775809, "long": 10 ** 400, "real": 0.5, "most": 9223372036854775807,
                "text": 'a \\ "16045690984833335023', "list": [18446744073709551616, 1, -10 ** 400]}

        def number(gltf, _):
            gltf["extras"] = kept

        self.change(number)
        told = self.told("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assertIn("numbers beyond 64 bits are written as doubles: the nearest, or the largest (5 numbers)", told)
        most = sys.float_info.max
        expected = dict(kept, guid=float(kept["guid"]), low=float(kept["low"]), long=most, list=[2.0 ** 64, 1, -most])
        self.assertEqual(Scene(self.folder / "out.glb").json["extras"], expected)

    # ---- primitives ----

    def test_primitives_that_share_positions_alone(self):
        """each primitive has vertices of its own then: those that only the other one uses are copies of used ones"""
        def differ(gltf, _):
            for mesh in gltf["meshes"]:
                second = mesh["primitives"][1]
                second["attributes"] = {key: value for key, value in second["attributes"].items() if key != "TEXCOORD_1"}

        self.change(differ)
        self.assertNotIn("in no face", self.told("rig", "in.glb", "-o", "out.glb", *RIG))
        # a vertex that is nowhere else is told, as before
        def add_vertex(gltf, binary):
            for mesh in gltf["meshes"]:
                for primitive in mesh["primitives"]:
                    primitive["attributes"] = {"POSITION": primitive["attributes"]["POSITION"]}
                    primitive.pop("targets")
            accessor = gltf["accessors"][gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
            view = gltf["bufferViews"][accessor["bufferView"]]
            first = view["byteOffset"] + accessor.get("byteOffset", 0)
            points = binary[first:first + 12 * accessor["count"]] + np.array([0, 9, 0], "float32").tobytes()
            gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(points)})
            accessor.update({"bufferView": len(gltf["bufferViews"]) - 1, "byteOffset": 0, "count": accessor["count"] + 1})
            accessor["max"][1] = 9
            return binary + points

        self.change(add_vertex)
        self.assertIn("are in no face: they follow the root (1 vertex)", self.told("rig", "in.glb", "-o", "out.glb", *RIG))

    def test_lines_of_a_mesh_of_several_nodes_count_once(self):
        def add_lines(gltf, _):
            primitives = gltf["meshes"][0]["primitives"]
            primitives.append({"attributes": {"POSITION": primitives[0]["attributes"]["POSITION"]}, "mode": 1,
                               "targets": primitives[0].get("targets", [])})
            gltf["nodes"] += [{"name": f"copy {i}", "mesh": 0, "translation": [i, 0, 0]} for i in (1, 2)]
            gltf["scenes"][0]["nodes"] += [len(gltf["nodes"]) - 2, len(gltf["nodes"]) - 1]

        self.change(add_lines)
        told = self.told("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assertIn("have no positions, are no part of the mesh (1 primitive)", told)
        self.assertIn("they follow the root (1 primitive)", told)

    def test_counts_of_targets_that_differ(self):
        def drop(gltf, _):
            second = gltf["meshes"][0]["primitives"][1]
            second["targets"] = second["targets"][:1]

        self.change(drop)
        for words in (("rig", "in.glb", "-o", "out.glb", *RIG), ("convert", "in.glb", "out.fbx")):
            told = self.told(*words)
            self.assertIn("have fewer than its 2 morph targets: those that are missing move nothing there (1 primitive)", told)
            self.assertNotIn("in no face", told)
        self.change(lambda *_: None)
        self.assertNotIn("morph targets", self.told("rig", "in.glb", "-o", "out.glb", *RIG))

    # ---- sparse accessors ----

    def sparse(self, places):
        """puts the values of some positions of the first mesh to where they are already, in this order"""
        def edit(gltf, binary):
            index = gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
            accessor = gltf["accessors"][index]
            first = gltf["bufferViews"][accessor["bufferView"]]["byteOffset"] + accessor.get("byteOffset", 0)
            values = b"".join(binary[first + 12 * (k % 9):first + 12 * (k % 9) + 12] for k in places)
            views = gltf["bufferViews"]
            for data in (np.array(places, "uint32").tobytes(), values):
                views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
                binary += data
            accessor["sparse"] = {"count": len(places), "indices": {"bufferView": len(views) - 2, "componentType": 5125},
                                  "values": {"bufferView": len(views) - 1}}
            return binary
        self.change(edit)

    def test_sparse_indices(self):
        for places, wrong in (([1, 3, 5], 0), ([3, 1, 5], 1), ([5, 3, 3], 2)):
            self.sparse(places)
            told = self.told("convert", "in.glb", "out.glb")
            self.assertEqual("indices of sparse accessors do not increase" in told, wrong > 0, places)
            if wrong:
                self.assertIn(f"({wrong} {'index' if wrong == 1 else 'indices'})", told)
        self.sparse([1, 9000])
        self.assertIn("sparse index 9000 is not below", self.ossa("convert", "in.glb", "out.glb", expect=INPUT).stderr)

    # ---- images ----

    def test_missing_images_count_once(self):
        write_scene(self.folder / "in.glb", "gone.png", None, animated=False)
        for words in (("rig", "in.glb", "-o", "out.glb", *RIG), ("convert", "in.glb", "out.glb"), ("convert", "in.glb", "out.gltf"),
                      ("rig", "in.glb", "-o", "out.glb", "-o", "more.glb", "-o", "out.dae", *RIG)):
            told = self.told(*words)
            self.assertEqual(told.count("gone.png"), 1, told)
            self.assertIn("(1 image)", told)

    def test_a_missing_image_of_many_materials_counts_once(self):
        (self.folder / "in.mtl").write_text("".join(f"newmtl m{i}\nmap_Kd gone.png\n" for i in range(40)) + "newmtl x\nmap_Kd lost.png\n")
        (self.folder / "in.obj").write_text("mtllib in.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n" +
                                            "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(40)) + "usemtl x\nf 1 2 3\n")
        self.assertIn("(2 images)", self.told("convert", "in.obj", "out.glb"))

    def test_images_without_data(self):
        def empty(gltf, _):
            gltf["images"][0] = {"name": "nothing"}

        self.change(empty)
        told = self.told("convert", "in.glb", "out.glb")
        self.assertIn("images have neither a uri nor a bufferView", told)
        self.assertIn("e.g. image 0 (1 image)", told)

    def test_no_image_beside_an_obj_that_it_does_not_name(self):
        def shade(gltf, _):
            gltf["materials"] = [{"name": "shaded", "occlusionTexture": {"index": 0}, "emissiveTexture": {"index": 1}},
                                 {"name": "other", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1, "texCoord": 1}}}]

        self.change(shade)
        before = set(self.files())
        told = self.told("convert", "in.glb", "out.obj")
        self.assertEqual(set(self.files()) - before, {"out.obj", "out.mtl"})
        self.assertIn("materials have what MTL cannot say", told)
        self.assertIn("(2 materials)", told)

    # ---- animations ----

    def clips(self, names):
        """the act of the props, once for each name; None: without one"""
        def repeat(gltf, _):
            act = gltf["animations"][0]
            gltf["animations"] = [dict(copy.deepcopy(act), name=name) for name in names]
            for animation in gltf["animations"]:
                if animation["name"] is None:
                    del animation["name"]

        self.change(repeat, test_props.write_scene)

    def animations(self, name):
        """by name: what is moved"""
        animations = Scene(self.folder / name).json["animations"]
        paths = {animation["name"]: sorted({channel["target"]["path"] for channel in animation["channels"]}) for animation in animations}
        self.assertEqual(len(paths), len(animations), "two have one name")
        return paths

    def test_names_of_animations(self):
        whole = ["rotation", "translation", "weights"]
        for names, wanted in (([None] * 3, ["in", "in_2", "in_3"]), (["act"] * 3, ["act", "act_2", "act_3"]),
                              ([None, "act", None], ["in", "act", "in_2"]), (["act", "act", "act_2"], ["act", "act_3", "act_2"])):
            self.clips(names)
            told = [facts["name"] for facts in self.json("inspect", "in.glb", "--json")["animations"]]
            self.assertEqual(told, wanted)
            # body and face of each stay together
            for words in (("convert", "in.glb", "out.glb"), ("rig", "in.glb", "-o", "out.glb", "--body", "none", "--clip", "all"),
                          ("convert", "in.glb", "out.glb", "--clip", ",".join(wanted))):
                self.ossa(*words)
                self.assertEqual(self.animations("out.glb"), {name: whole for name in wanted}, words)
            for middle in ("out.fbx", "out.dae"):
                self.ossa("convert", "in.glb", middle, "--clip", "all")
                self.ossa("convert", middle, "back.glb", "--clip", "all")
                self.assertEqual(sorted(self.animations("back.glb")), sorted(wanted), middle)

    def test_one_of_several(self):
        for names, chosen, wanted in (([None] * 3, "2", "in_2"), ([None] * 3, "in_3", "in_3"), (["act"] * 3, "3", "act_3"), (["act"] * 2, "act", "act")):
            self.clips(names)
            for words in (("rig", "in.glb", "-o", "out.glb", "--body", "none"), ("convert", "in.glb", "out.glb")):
                self.ossa(*words, "--clip", chosen)
                scene = Scene(self.folder / "out.glb").json
                bones = {joint for skin in scene["skins"] for joint in skin["joints"]}
                moving = [animation.get("name") for animation in scene["animations"]
                          if any(channel["target"]["node"] in bones for channel in animation["channels"])]
                self.assertEqual(moving, [wanted], (names, chosen, words))

    def test_compare_reads_the_motion_that_it_compares(self):
        def add_face(gltf, _):
            face = copy.deepcopy(gltf["animations"][0])
            face["channels"] = [channel for channel in face["channels"] if channel["target"]["path"] == "weights"]
            gltf["animations"] = [dict(face, name="face"), gltf["animations"][0], dict(copy.deepcopy(gltf["animations"][0]), name="other")]

        self.change(add_face, test_props.write_scene)
        self.ossa("convert", "in.glb", "rig.glb", "--clip", "all")
        for chosen in ("act", "other"):
            done = self.ossa("compare", "rig.glb", "in.glb", "--clip", chosen, "--morphs", "keep")
            self.assertNotIn("are not in the rig", done.stderr)
            self.assertIn("RMS", done.stdout)


if __name__ == "__main__":
    main()
