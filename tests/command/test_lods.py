"""Levels of detail: `ossa transfer RIG OTHER...` into one file or several, glTF files that have levels already, and levels of articulation of `ossa rig`."""
import base64
import json
import sys
import unittest
import urllib.parse

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import INPUT, USAGE, WRITE, CommandTest, main, write_obj
from lod_scene import SIZES, pair_file, save, tube_file
from test_kept_files import Writer
from test_transfer import difference

FACES = (6000, 2500, 1000)
RIG = ("--method", "contraction", "--body", "none", "--refine", "0")


def weights_of(scene, mesh):
    """by the name of each joint, the weights of all vertices of a mesh's first primitive"""
    node = next(n for n in scene.json["nodes"] if n.get("mesh") == mesh)
    names = [scene.json["nodes"][j]["name"] for j in scene.json["skins"][node["skin"]]["joints"]]
    attributes = scene.json["meshes"][mesh]["primitives"][0]["attributes"]
    table = np.zeros((len(scene.numbers(attributes["POSITION"])), len(names)))
    for k in range(2):
        if f"JOINTS_{k}" in attributes:
            joints, values = scene.numbers(attributes[f"JOINTS_{k}"]).astype(int), scene.floats(attributes[f"WEIGHTS_{k}"])
            for c in range(4):
                np.add.at(table, (np.arange(len(table)), joints[:, c]), values[:, c])
    return dict(zip(names, table.T))


def level_nodes(scene):
    """the node that names levels, and these"""
    base = next(n for n in scene.json["nodes"] if "MSFT_lod" in n.get("extensions", {}))
    return base, [scene.json["nodes"][i] for i in base["extensions"]["MSFT_lod"]["ids"]]


class Articulation(CommandTest):
    """`ossa rig --levels`: a file for each level of articulation"""

    def setUp(self):
        super().setUp()
        self.ossa("sample", "biped", "--faces", 1000, "--frames", 3, "-o", "biped", "-q")
        self.poses = [f"biped/pose-{i}.obj" for i in (1, 2, 3)]

    def rig(self, *words):
        return self.json("rig", *words, "--json", "-q")

    def assert_nested(self, levels):
        """each level has some of the joints of the one before, as many as the report says"""
        places, counts = None, []
        for level in levels:
            bones = self.json("inspect", level["files"][0], "--json")["rig"]["bones"]
            self.assertEqual(len(bones), level["bones"])
            counts.append(len(bones))
            here = {bone["name"]: [round(x, 5) for x in bone["joint"]] for bone in bones}
            if places is not None:
                self.assertTrue(here.items() <= places.items())
            places = here
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.assertLess(counts[-1], counts[0] / 3)

    def test_of_one_mesh(self):
        # --levels alone chooses no method
        for method, words in (("contraction", ()), ("volume", ("--method", "volume"))):
            told = self.rig("biped/rest.obj", *words, "--levels", 3, "-o", "man.glb", "-o", "man.dae")
            self.assertEqual(told["method"], method)
            self.assertEqual([level["files"] for level in told["levels"]],
                             [["man.glb", "man.dae"], ["man-lod1.glb", "man-lod1.dae"], ["man-lod2.glb", "man-lod2.dae"]])
            self.assertEqual([level["rms_percent"] for level in told["levels"]], [None] * 3)
            self.assert_nested(told["levels"])

    def test_of_poses(self):
        told = self.rig("biped/rest.obj", *self.poses, "--levels", 3, "-o", "man.glb")
        self.assert_nested(told["levels"])
        errors = [level["rms_percent"] for level in told["levels"]]
        self.assertEqual(errors[0], told["hierarchy"]["rms_percent"])
        self.assertEqual(errors, sorted(errors))
        # what is printed of a level is the error of its file
        measured = self.json("compare", "man-lod1.glb", "biped/rest.obj", *self.poses, "--json")
        self.assertAlmostEqual(measured["metrics"]["rms_percent"], errors[1], delta=1e-4 * errors[1])
        text = self.ossa("rig", "biped/rest.obj", *self.poses, "--levels", 2, "-o", "man.glb").stdout
        self.assertRegex(text, rf"man-lod1.glb: {told['levels'][1]['bones']} bones, RMS [0-9.]+ %")

    def test_more_levels_than_there_are(self):
        told = self.rig("biped/rest.obj", "--levels", 16, "-o", "man.fbx")
        self.assertLess(len(told["levels"]), 8)
        self.assertEqual(told["levels"][-1]["bones"], 1)
        self.assertEqual([w["count"] for w in told["warnings"] if w["code"] == "fewer-levels"], [16 - len(told["levels"])])

    def test_what_is_refused(self):
        # a folder that cannot be written, before the work
        self.ossa("rig", "biped/rest.obj", "--levels", 2, "-o", "nowhere/man.glb", expect=WRITE)
        told = self.ossa("rig", "biped/rest.obj", *self.poses, "--levels", 2, "--free-bones", "-o", "man.glb", expect=USAGE).stderr
        self.assertIn("--free-bones", told)
        self.ossa("rig", "biped/rest.obj", "--levels", 17, "-o", "man.glb", expect=USAGE)


class Written(CommandTest):
    made = {}

    def setUp(self):
        super().setUp()
        for faces in FACES:
            if faces not in Written.made:
                self.ossa("sample", "hand", "-o", str(faces), "--faces", faces, "--frames", 2)
                Written.made[faces] = (self.folder / f"{faces}/truth.glb").read_bytes()
            (self.folder / str(faces)).mkdir(exist_ok=True)
            (self.folder / f"{faces}/truth.glb").write_bytes(Written.made[faces])
        self.rig, *self.others = (f"{faces}/truth.glb" for faces in FACES)

    def write_with_tangents(self, name, size, tangent, **place):
        """a tube at a node, with one tangent for all vertices; two of each where `tangent` has two"""
        gltf, binary = pair_file(size, ("left",))
        gltf["nodes"][0].update(place)
        attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
        count = gltf["accessors"][attributes["NORMAL"]]["count"]
        data = np.tile(np.array(tangent, np.float32), count).tobytes()
        attributes["TANGENT"] = len(gltf["accessors"])
        gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]), "componentType": 5126, "count": count, "type": "VEC4"})
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        save(self.folder / name, gltf, binary + data)

    def test_tangents_of_some_vertices_are_counted(self):
        """an object has them of all vertices or none"""
        self.write_with_tangents("fine.glb", SIZES[0], [0, 0, 1, 1])
        self.ossa("rig", "fine.glb", "-o", "rig.glb", *RIG)
        self.write_with_tangents("low.glb", SIZES[2], [0, 0, 1, 1])
        scene = Scene(self.folder / "low.glb")
        (first,), accessors = scene.json["meshes"][0]["primitives"], scene.json["accessors"]
        other = {**first, "attributes": {key: len(accessors) + i for i, key in enumerate(first["attributes"])}}
        accessors += [accessors[number] for number in first["attributes"].values()]
        del other["attributes"]["TANGENT"]
        scene.json["meshes"][0]["primitives"].append(other)
        save(self.folder / "low.glb", scene.json, scene.binary)
        self.assertIn("without its tangents", self.ossa("transfer", "rig.glb", "low.glb", "--lod", "-o", "out.glb").stderr)
        meshes = Scene(self.folder / "out.glb").json["meshes"]
        self.assertEqual(["TANGENT" in mesh["primitives"][0]["attributes"] for mesh in meshes], [True, False])

    def test_tangents_of_morph_targets_are_counted(self):
        """of the added level alone: the finest mesh stays its file"""
        for name, size in (("fine.glb", SIZES[0]), ("low.glb", SIZES[2])):
            gltf, binary = pair_file(size, ("left",))
            primitive = gltf["meshes"][0]["primitives"][0]
            numbers = primitive["attributes"]["POSITION"], primitive["attributes"]["NORMAL"]
            primitive["targets"] = [{"POSITION": numbers[0], "TANGENT": numbers[1]}, {"POSITION": numbers[0]}]
            gltf["meshes"][0]["weights"] = [0, 0]
            save(self.folder / name, gltf, binary)
        self.ossa("rig", "fine.glb", "-o", "rig.glb", *RIG)
        told = self.ossa("transfer", "rig.glb", "low.glb", "--lod", "-o", "out.glb").stderr
        self.assertIn("without the tangents of its morph targets", told)
        self.assertIn("(1 target)", told)
        meshes = Scene(self.folder / "out.glb").json["meshes"]
        self.assertEqual([[sorted(target) for target in mesh["primitives"][0]["targets"]] for mesh in meshes],
                         [[["POSITION", "TANGENT"], ["POSITION"]], 2 * [["NORMAL", "POSITION"]]])

    def tangents_of_levels(self, path):
        scene = Scene(self.folder / path)
        primitives = [mesh["primitives"][0]["attributes"] for mesh in scene.json["meshes"]]
        return [scene.floats(attributes["TANGENT"]) for attributes in primitives]

    def test_tangents_of_added_levels_stay(self):
        """turned with their node, and with the whole; a mirror exchanges the sides of the third axis"""
        turn, mirror = {"rotation": [0, 0.6, 0, 0.8]}, {"scale": [1, 1, -1]}
        self.write_with_tangents("fine.glb", SIZES[0], [0, 0, 1, 1])
        self.ossa("rig", "fine.glb", "-o", "rig.glb", *RIG)
        for place, options, wanted in ((turn, (), [0.96, 0, 0.28, 1]), (mirror, (), [0, 0, -1, -1]), ({}, ("--up", "z"), [0, -1, 0, 1])):
            self.write_with_tangents("low.glb", SIZES[2], [0, 0, 1, 1], **place)
            done = self.ossa("transfer", "rig.glb", "low.glb", "--lod", "--place", "keep", "-o", "out.glb", *options)
            self.assertNotIn("tangents", done.stderr)
            levels = self.tangents_of_levels("out.glb")
            self.assertEqual(len(levels), 2)
            self.assertLess(np.abs(levels[1] - wanted).max(), 1e-5)

    def test_meshes_keep_weights_of_their_own(self):
        """of the same joints: the samples' are exact"""
        facts = self.json("transfer", "--json", self.rig, *self.others, "-o", "out.glb")
        self.assertEqual([level["keeps_weights"] for level in facts["levels"]], [True, True])
        made = Scene(self.folder / "out.glb")
        for mesh, other in enumerate(self.others, 1):
            self.assertLess(difference(weights_of(made, mesh), weights_of(Scene(self.folder / other), 0)), 1e-6)
        facts = self.json("transfer", "--json", self.rig, *self.others, "-o", "out.glb", "--no-own-weights")
        self.assertEqual([level["keeps_weights"] for level in facts["levels"]], [False, False])
        made = Scene(self.folder / "out.glb")
        self.assertGreater(difference(weights_of(made, 1), weights_of(Scene(self.folder / self.others[0]), 0)), 1e-4)
        # without a skin there is nothing to keep; of other joints it is told
        self.ossa("convert", self.others[1], "plain.obj", "-q")
        other = Scene(self.folder / self.others[0])
        for joint in other.json["skins"][0]["joints"]:
            other.json["nodes"][joint]["name"] = f"other {joint}"
        save(self.folder / "other.glb", other.json, other.binary)
        told = self.ossa("transfer", self.rig, "other.glb", "plain.obj", "-o", "out.glb")
        self.assertIn("(1 level)", told.stderr)
        self.assertNotIn("its own", told.stdout)

    def test_one_file_of_all(self):
        facts = self.json("transfer", "--json", self.rig, *self.others, "-o", "out.glb", "--levels", "3")
        scene = Scene(self.folder / "out.glb")
        base, levels = level_nodes(scene)
        shown = set(scene.shown())
        self.assertEqual([level["mesh"] for level in levels], [1, 2])
        for level in levels:
            self.assertNotIn(scene.json["nodes"].index(level), shown)
        self.assertIn(scene.json["nodes"].index(base), shown)
        self.assertIn("MSFT_lod", scene.json["extensionsUsed"])
        self.assertNotIn("extensionsRequired", scene.json)
        # as many faces on a piece of the screen for each level
        faces = [len(scene.numbers(mesh["primitives"][0]["indices"])) / 3 for mesh in scene.json["meshes"]]
        coverage = base["extras"]["MSFT_screencoverage"]
        np.testing.assert_allclose(coverage, [faces[1] / faces[0], faces[2] / faces[0], 0])
        # fewer joints for each level, of one skeleton
        joints = [scene.json["skins"][node["skin"]]["joints"] for node in (base, *levels)]
        self.assertTrue(set(joints[2]) < set(joints[1]) < set(joints[0]))
        self.assertEqual([len(j) for j in joints], [16, 8, 4])
        self.assertEqual([level["bones"] for level in facts["levels"]], [8, 4])
        self.assertEqual(facts["files"], ["out.glb"])
        self.assertEqual(len(scene.json["animations"]), 1)
        self.ossa("inspect", "out.glb")

    def test_all_bones_by_default(self):
        self.ossa("transfer", self.rig, *self.others, "-o", "out.glb")
        scene = Scene(self.folder / "out.glb")
        for mesh, faces in enumerate(FACES):
            truth = weights_of(Scene(self.folder / f"{faces}/truth.glb"), 0)
            self.assertLessEqual(difference(weights_of(scene, mesh), truth), 0.02, faces)

    def test_fewer_bones_take_the_weights_of_more(self):
        self.ossa("transfer", self.rig, *self.others, "-o", "all.glb")
        self.ossa("transfer", self.rig, *self.others, "-o", "few.glb", "--levels", "2")
        every, few = Scene(self.folder / "all.glb"), Scene(self.folder / "few.glb")
        for mesh in (1, 2):
            a, b = weights_of(every, mesh), weights_of(few, mesh)
            self.assertTrue(set(b) < set(a))
            parents = {every.json["nodes"][c]["name"]: n["name"] for n in every.json["nodes"] for c in n.get("children", [])}
            sums = {name: np.zeros(len(next(iter(a.values())))) for name in b}
            for name in a:
                target = name
                while target not in b:
                    target = parents[target]
                sums[target] += a[name]
            self.assertLess(max(np.abs(sums[name] - b[name]).max() for name in b), 1e-6)

    def test_one_level_below(self):
        self.ossa("transfer", self.rig, self.others[0], "-o", "out.glb", "--lod")
        self.assertEqual(len(level_nodes(Scene(self.folder / "out.glb"))[1]), 1)

    def test_files_of_their_own(self):
        facts = self.json("transfer", "--json", self.rig, *self.others, "-o", "a-{level}.glb", "-o", "b.dae", "--levels", "3")
        self.assertEqual(facts["files"], ["a-0.glb", "a-1.glb", "a-2.glb", "b.dae", "b-lod1.dae", "b-lod2.dae"])
        bones = [self.json("inspect", "--json", f"a-{i}.glb")["rig"]["bones"] for i in range(3)]
        self.assertEqual([len(b) if isinstance(b, list) else b for b in bones], [16, 8, 4])
        for name in facts["files"]:
            self.assertTrue((self.folder / name).exists(), name)

    def test_materials_of_each_and_images_once(self):
        (self.folder / "tube").mkdir()
        gltf, binary = tube_file()
        save(self.folder / "lods.glb", gltf, binary)
        self.ossa("rig", "lods.glb", "-o", "rig.glb", *RIG)
        for i in (1, 2):
            own, numbers = tube_file()
            own["scenes"] = [{"nodes": [i]}]
            del own["nodes"][0]["extensions"]
            save(self.folder / f"{i}.glb", own, numbers)
        self.ossa("transfer", "rig.glb", "1.glb", "2.glb", "-o", "out.glb")
        scene = Scene(self.folder / "out.glb")
        base, levels = level_nodes(scene)
        looks = [scene.json["materials"][scene.json["meshes"][node["mesh"]]["primitives"][0]["material"]] for node in (base, *levels)]
        self.assertEqual([look["name"] for look in looks], ["look 0", "look 1", "look 2"])
        self.assertEqual([look["pbrMetallicRoughness"]["metallicFactor"] for look in looks], [0, 0.25, 0.5])

    def test_images_in_uris_are_there_once(self):
        """in base64 and with percent signs; an image of other bytes is one more"""
        names = ("fine.glb", "mid.glb", "low.glb")
        # glTF has the origin at the upper left, so that UVs only have to be there
        for name, size, value in zip(names, SIZES, (1, 1, 2)):
            gltf, binary = pair_file(size, ("left",))
            writer = Writer()
            writer.binary, writer.views, writer.accessors = binary, gltf["bufferViews"], gltf["accessors"]
            primitive = gltf["meshes"][0]["primitives"][0]
            count = gltf["accessors"][primitive["attributes"]["POSITION"]]["count"]
            primitive["attributes"]["TEXCOORD_0"] = writer.array(np.zeros((count, 2)))
            skin, glow = (b"\x89PNG" + bytes([kind, value] * 50) for kind in (1, 2))
            gltf["images"] = [{"name": "skin", "uri": "data:image/png;base64," + base64.b64encode(skin).decode()},
                              {"name": "glow", "uri": "data:image/png," + urllib.parse.quote_from_bytes(glow)}]
            gltf["textures"] = [{"source": 0}, {"source": 1}]
            gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
            gltf["materials"][0].update(emissiveTexture={"index": 1}, emissiveFactor=[1, 1, 1], name=name)
            save(self.folder / name, gltf, writer.binary)
        self.ossa("rig", "fine.glb", "-o", "rig.glb", *RIG)
        for levels, images in ((("mid.glb",), 2), (("mid.glb", "low.glb"), 4)):
            self.ossa("transfer", "rig.glb", *levels, "--lod", "-o", "out.glb")
            scene = Scene(self.folder / "out.glb")
            self.assertEqual(len(scene.json["images"]), images)
            self.assertEqual(len(scene.json["textures"]), images)
            used = [material["pbrMetallicRoughness"]["baseColorTexture"]["index"] for material in scene.json["materials"]]
            self.assertEqual([scene.json["textures"][i]["source"] for i in used][:2], [0, 0])

    def furnish(self, gltf, binary, strength):
        """a glowing material with a clear coat, a camera and extras"""
        gltf["materials"][0].update({"emissiveFactor": [0.1, 0.2, 0.3], "extensions": {
            "KHR_materials_clearcoat": {"clearcoatFactor": 1}, "KHR_materials_emissive_strength": {"emissiveStrength": strength}}})
        gltf["extensionsUsed"] = ["KHR_materials_clearcoat", "KHR_materials_emissive_strength"]
        gltf["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
        gltf["meshes"][0]["extras"], gltf["nodes"][0]["camera"] = {"mine": 1}, 0
        return gltf, binary

    def test_what_files_of_levels_have_is_told_or_kept(self):
        for name, size in (("fine.glb", SIZES[0]), ("low.glb", SIZES[2])):
            save(self.folder / name, *self.furnish(*pair_file(size, ("left",)), 7))
        self.ossa("rig", "fine.glb", "-o", "rig.glb", *RIG)
        told = self.ossa("transfer", "rig.glb", "low.glb", "--lod", "-o", "out.glb").stderr
        self.assertIn("low.glb: is written as a level of detail, without what else is in its file: cameras 1, extras 1 (\"left\") (2 parts)", told)
        # the material is that of the finest file, whole, also where the glow is factor and strength
        self.assertEqual([len(material["extensions"]) for material in Scene(self.folder / "out.glb").json["materials"]], [2])
        save(self.folder / "low.glb", *self.furnish(*pair_file(SIZES[2], ("left", "right")), 6))
        told = self.ossa("transfer", "rig.glb", "low.glb", "--lod", "-o", "out.glb").stderr
        self.assertIn("its file: cameras 1, materials with extensions 1 (\"look\"), extras 2 (4 parts)", told)

    def assert_refused(self, words, *line, expect=INPUT):
        self.assertIn(words, self.ossa("transfer", *line, expect=expect).stderr)

    def test_what_is_refused(self):
        write_obj(self.folder / "far.obj", [(9, 9, 9), (10, 9, 9), (9, 10, 9)], [(0, 1, 2)])
        (self.folder / "empty.obj").write_text("v 0 0 0\n")
        self.assert_refused("give the meshes from fine to coarse", self.rig, *reversed(self.others), "-o", "x.glb")
        self.assert_refused("far.obj: ", self.rig, self.others[0], "far.obj", "-o", "x.glb")
        self.assert_refused("empty.obj", self.rig, self.others[0], "empty.obj", "-o", "x.glb")
        self.assert_refused("--levels is for levels of detail", self.rig, self.others[0], "-o", "x.glb", "--levels", "2", expect=USAGE)
        self.assert_refused("one of the endings", self.rig, *self.others, "-o", "x-{level}.obj", expect=USAGE)
        self.assertFalse((self.folder / "x.glb").exists())


class Scenes(CommandTest):
    """levels of several objects"""
    SIZES = ((24, 12), (12, 8), (8, 6))

    def write(self, name, size, names=("left", "right")):
        save(self.folder / name, *pair_file(size, names))
        return name

    def make(self, *levels):
        """a rig of two objects, and levels of it; what was written"""
        if not (self.folder / "rig.glb").exists():
            self.ossa("rig", self.write("in.glb", self.SIZES[0]), "-o", "rig.glb", *RIG)
        others = [self.write(f"{i + 1}.glb", self.SIZES[i + 1], names) for i, names in enumerate(levels)]
        self.ossa("transfer", "rig.glb", *others, "-o", "out.glb", "--levels", "3", "--lod")
        return Scene(self.folder / "out.glb")

    def shown_of(self, scene):
        """by node of the scene that names levels: what these show, None for nothing"""
        nodes, made = scene.json["nodes"], {}
        for base in (n for n in nodes if "MSFT_lod" in n.get("extensions", {})):
            self.assertEqual(len(base["extras"]["MSFT_screencoverage"]), 1 + len(base["extensions"]["MSFT_lod"]["ids"]))
            made[base["name"]] = [nodes[i]["name"] if "mesh" in nodes[i] else None for i in base["extensions"]["MSFT_lod"]["ids"]]
        return made

    def assert_whole(self, scene):
        """nothing is left over: each node is shown or a level, each mesh at one; each skin is of the skeleton that is shown; skinned
        meshes are below nothing"""
        nodes, shown = scene.json["nodes"], set(scene.shown())
        levels = {i for n in nodes for i in n.get("extensions", {}).get("MSFT_lod", {}).get("ids", [])}
        self.assertFalse(shown & levels)
        self.assertEqual(shown | levels, set(range(len(nodes))))
        self.assertEqual(sorted(n["mesh"] for n in nodes if "mesh" in n), list(range(len(scene.json["meshes"]))))
        self.assertEqual({n["skin"] for n in nodes if "skin" in n}, set(range(len(scene.json["skins"]))))
        self.assertLessEqual({j for skin in scene.json["skins"] for j in skin["joints"]}, shown)
        below = {c for n in nodes for c in n.get("children", [])}
        self.assertFalse([i for i, n in enumerate(nodes) if "skin" in n and i in below])

    def joint_counts(self, scene):
        """of the finest mesh and of each level"""
        nodes, skins = scene.json["nodes"], scene.json["skins"]
        base, levels = level_nodes(scene)
        return [len(skins[node["skin"]]["joints"]) for node in (base, *levels)]

    def test_objects_name_their_own_levels(self):
        scene = self.make(("right", "left"), ("left", "right"))
        self.assert_whole(scene)
        self.assertEqual(self.shown_of(scene), {"left": ["left_lod1", "left_lod2"], "right": ["right_lod1", "right_lod2"]})
        # one material, that of the file of the rig
        self.assertEqual([look["extras"] for look in scene.json["materials"]], [{"kept": 2}])

    def test_levels_of_fewer_and_of_more_objects(self):
        scene = self.make(("right",), ("left",))
        self.assert_whole(scene)
        self.assertEqual(self.shown_of(scene), {"left": [None, "left_lod2"], "right": ["right_lod1", None]})
        scene = self.make(("other", "right", "left"), ("right", "other"))
        self.assert_whole(scene)
        expected = {"left": ["left_lod1", "other_lod2"], "right": ["right_lod1", "right_lod2"], "nothing": ["other_lod1", None]}
        self.assertEqual(self.shown_of(scene), expected)

    def test_levels_stay_in_every_pass(self):
        """converted, rigged anew and with levels put in place of the old ones"""
        first = self.make(("right", "left"), ("left", "right"))
        counts = self.joint_counts(first)
        self.assertTrue(counts[2] < counts[1] < counts[0])
        self.ossa("convert", "out.glb", "converted.glb")
        self.ossa("rig", "converted.glb", "-o", "rigged.glb", *RIG)
        self.ossa("transfer", "converted.glb", "1.glb", "2.glb", "-o", "replaced.glb", "--levels", "3")
        for name in ("converted.glb", "rigged.glb", "replaced.glb"):
            scene = Scene(self.folder / name)
            self.assert_whole(scene)
            self.assertEqual(self.shown_of(scene), self.shown_of(first), name)
            self.assertEqual(self.joint_counts(scene), counts, name)
            self.assertEqual(len(scene.json["nodes"]), len(first.json["nodes"]), name)
            for mesh in range(len(scene.json["meshes"])):
                self.assertLess(difference(weights_of(scene, mesh), weights_of(first, mesh)), 1e-3, name)

    def test_as_many_bones_as_before(self):
        """also where the new bones have other names"""
        counts = self.joint_counts(self.make(("left", "right"), ("left", "right")))
        gltf = Scene(self.folder / "out.glb")
        for joint in gltf.json["skins"][0]["joints"]:
            gltf.json["nodes"][joint]["name"] = f"other {joint}"
        save(self.folder / "renamed.glb", gltf.json, gltf.binary)
        self.ossa("rig", "renamed.glb", "-o", "rigged.glb", *RIG)
        self.assertEqual(self.joint_counts(Scene(self.folder / "rigged.glb")), counts)


class Kept(CommandTest):
    """glTF files that have levels"""

    def test_other_formats_say_that_levels_are_left_out(self):
        self.write()
        told = self.ossa("convert", "in.glb", "out.obj").stderr
        self.assertIn("without what only glTF holds of its file: levels of detail 2 (\"level 1\" and others), extras 1 (3 parts)", told)

    def write(self, change=None, name="in.glb"):
        gltf, binary = tube_file()
        if change:
            change(gltf)
        save(self.folder / name, gltf, binary)

    def assert_levels_follow(self, scene):
        """each vertex of a level has about the weights of the nearest one of the finest mesh"""
        positions = [scene.floats(mesh["primitives"][0]["attributes"]["POSITION"]) for mesh in scene.json["meshes"]]
        finest = weights_of(scene, 0)
        for mesh in (1, 2):
            near = np.linalg.norm(positions[mesh][:, None] - positions[0][None], axis=2).argmin(1)
            own = weights_of(scene, mesh)
            self.assertEqual(list(own), list(finest))
            self.assertLess(difference(own, {name: values[near] for name, values in finest.items()}), 0.02)
            self.assertLess(np.abs(sum(own.values()) - 1).max(), 1e-5)

    def test_levels_are_rigged(self):
        self.write()
        self.assertEqual(self.json("inspect", "--json", "in.glb")["mesh"]["vertices"], 49 * 24)
        told = self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assertNotIn("outside", told.stderr)
        before, after = Scene(self.folder / "in.glb"), Scene(self.folder / "out.glb")
        base, levels = level_nodes(after)
        self.assertEqual([node["mesh"] for node in (base, *levels)], [0, 1, 2])
        self.assertEqual(base["extras"], {"MSFT_screencoverage": [0.5, 0.25, 0.01]})
        for mesh in range(3):
            for key in ("POSITION", "NORMAL"):
                a, b = (s.numbers(s.json["meshes"][mesh]["primitives"][0]["attributes"][key]) for s in (before, after))
                self.assertEqual(a.tobytes(), b.tobytes())
        self.assert_levels_follow(after)
        # and again, in place of the old rig
        self.ossa("rig", "out.glb", "-o", "again.glb", *RIG)
        again = Scene(self.folder / "again.glb")
        self.assertEqual(len(again.json["nodes"]), len(after.json["nodes"]))
        self.assert_levels_follow(again)

    def test_levels_keep_weights_of_their_own(self):
        """while the rig is the file's: else weights are those of the finest mesh"""
        self.write()
        self.ossa("rig", "in.glb", "-o", "rigged.glb", *RIG)
        own = Scene(self.folder / "rigged.glb")
        binary = bytearray(own.binary)
        attributes = own.json["meshes"][1]["primitives"][0]["attributes"]
        accessor = own.json["accessors"][attributes["WEIGHTS_0"]]
        view = own.json["bufferViews"][accessor["bufferView"]]
        self.assertEqual(accessor["componentType"], 5126)
        # an artist's, of the first two joints
        values = np.tile(np.array([0.75, 0.25, 0, 0], np.float32), (accessor["count"], 1))
        at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        binary[at:at + values.nbytes] = values.tobytes()
        joints = own.json["accessors"][attributes["JOINTS_0"]]
        kind = {5121: np.uint8, 5123: np.uint16}[joints["componentType"]]
        values = np.tile(np.array([1, 0, 0, 0], kind), (joints["count"], 1))
        view = own.json["bufferViews"][joints["bufferView"]]
        at = view.get("byteOffset", 0) + joints.get("byteOffset", 0)
        binary[at:at + values.nbytes] = values.tobytes()
        save(self.folder / "own.glb", own.json, bytes(binary))
        own = Scene(self.folder / "own.glb")
        for words in ((), ("--up", "z"), ("--keep-skin",)):
            told = self.ossa("convert", "own.glb", "out.glb", *words).stderr
            self.assertNotIn("levels of detail", told)
            after = Scene(self.folder / "out.glb")
            for mesh in range(3):
                self.assertLess(difference(weights_of(after, mesh), weights_of(own, mesh)), 1e-6, words)
        # a new rig; joints of the level alone
        self.assertIn("(2 levels)", self.ossa("rig", "own.glb", "-o", "out.glb", *RIG, "--bones", 3).stderr)
        self.assert_levels_follow(Scene(self.folder / "out.glb"))
        gltf = own.json
        skin = json.loads(json.dumps(gltf["skins"][0]))
        gltf["nodes"][skin["joints"][0]]["children"].append(len(gltf["nodes"]))
        skin["joints"][1] = len(gltf["nodes"])
        gltf["nodes"].append({"name": "unheard of"})
        level_nodes(own)[1][0]["skin"] = len(gltf["skins"])
        gltf["skins"].append(skin)
        save(self.folder / "renamed.glb", gltf, own.binary)
        self.assertIn("(1 level)", self.ossa("convert", "renamed.glb", "out.glb").stderr)
        self.assert_levels_follow(Scene(self.folder / "out.glb"))

    def test_levels_move_with_the_mesh(self):
        self.write()
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG, "--up", "z", "--unit", "0.01")
        before, after = Scene(self.folder / "in.glb"), Scene(self.folder / "out.glb")
        turn = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        for mesh in range(3):
            a, b = (s.json["meshes"][mesh]["primitives"][0]["attributes"] for s in (before, after))
            self.assertLess(np.abs(before.floats(a["POSITION"]) @ turn.T * 100 - after.floats(b["POSITION"])).max(), 1e-2)
            self.assertLess(np.abs(before.floats(a["NORMAL"]) @ turn.T - after.floats(b["NORMAL"])).max(), 1e-3)

    def test_levels_at_nodes_of_their_own(self):
        """transforms of levels, a group of a level, and levels that are in the scene"""
        def change(gltf):
            gltf["nodes"][1]["translation"] = [0, 0, 0.001]
            gltf["nodes"][2] = {"name": "group", "children": [3]}
            gltf["nodes"].append({"name": "inner", "mesh": 2})
            gltf["scenes"][0]["nodes"] = [4]
            gltf["nodes"].append({"name": "all", "children": [0, 1]})

        self.write(change)
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        scene = Scene(self.folder / "out.glb")
        self.assertEqual(self.json("inspect", "--json", "in.glb")["mesh"]["vertices"], 49 * 24)
        self.assert_levels_follow(scene)
        nodes = scene.json["nodes"]
        self.assertNotIn("level 1", {nodes[n]["name"] for n in scene.shown()})
        # the group was nothing but its mesh, which the finest one names now
        self.assertEqual([node["name"] for node in level_nodes(scene)[1]], ["level 1", "inner"])
        self.assertNotIn("group", {node.get("name") for node in nodes})
        self.ossa("rig", "out.glb", "-o", "again.glb", *RIG)
        again = Scene(self.folder / "again.glb")
        self.assert_levels_follow(again)
        self.assertEqual(len(again.json["nodes"]), len(nodes))

    def test_a_group_that_is_more_stays(self):
        def change(gltf):
            gltf["nodes"][2] = {"name": "group", "children": [3, 4], "extras": {"mine": 1}}
            gltf["nodes"] += [{"name": "inner", "mesh": 2}, {"name": "socket", "translation": [0, 1, 0]}]

        self.write(change)
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.ossa("rig", "out.glb", "-o", "again.glb", *RIG)
        for name in ("out.glb", "again.glb"):
            scene = Scene(self.folder / name)
            group = level_nodes(scene)[1][1]
            self.assertEqual([scene.json["nodes"][n]["name"] for n in group["children"]], ["inner", "socket"])
            self.assert_levels_follow(scene)

    def test_bad_levels(self):
        for ids in ([0], [99], [-1], [1, 1], ["1"], [], [1.5], None):
            self.write(lambda gltf: gltf["nodes"][0]["extensions"]["MSFT_lod"].update(ids=ids))
            told = self.ossa("convert", "in.glb", "out.glb")
            if ids is not None:
                self.assertIn("name levels of detail (MSFT_lod) that are not there", told.stderr, ids)
            self.assertNotIn("99", json.dumps(Scene(self.folder / "out.glb").json["nodes"][0].get("extensions", {})))

        def circle(gltf):
            gltf["nodes"][1]["extensions"] = {"MSFT_lod": {"ids": [0]}}

        def below(gltf):
            gltf["nodes"][0]["children"] = [1]

        def nothing(gltf):
            gltf["meshes"][2]["primitives"][0]["mode"] = 1

        for change, is_bad in ((circle, True), (below, True), (nothing, False)):
            self.write(change)
            told = self.ossa("rig", "in.glb", "-o", "out.glb", *RIG) if change == nothing else self.ossa("convert", "in.glb", "out.glb")
            self.assertEqual("MSFT_lod" in told.stderr, is_bad)
            self.ossa("inspect", "out.glb")


if __name__ == "__main__":
    main()
