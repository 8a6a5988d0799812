"""Levels of detail: `ossa transfer RIG OTHER...` into one file or several, and glTF files that have levels already."""
import json
import sys
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import INPUT, USAGE, CommandTest, main, write_obj
from lod_scene import SIZES, save, tube_file
from test_transfer import difference

FACES = (6000, 2500, 1000)
RIG = ("--method", "contraction", "--body", "none")


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


class Kept(CommandTest):
    """glTF files that have levels"""

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
        shown = {scene.json["nodes"][n]["name"] for n in scene.shown()}
        self.assertNotIn("level 1", shown)

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
