"""`ossa transfer`: rigs carried to other meshes, in several formats; what is refused and what is said."""
import json
import sys
import unittest
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import INPUT, LONG, USAGE, CommandTest, main, tube, tube_faces, write_obj
from test_kept_files import write_scene

CORPUS = Path(__file__).resolve().parents[3] / "shared/corpus/characters"


def skin_of(scene):
    """positions and weights by the names of joints (a dictionary of columns) of the skinned meshes, one after the other"""
    joints = scene.json["skins"][0]["joints"]
    positions, weights = [], []
    for mesh in scene.json["meshes"]:
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            positions.append(scene.numbers(attributes["POSITION"]))
            table = np.zeros((len(positions[-1]), len(joints)))
            for k in range(8):
                if f"JOINTS_{k}" not in attributes:
                    break
                bones = scene.numbers(attributes[f"JOINTS_{k}"]).astype(int)
                values = scene.numbers(attributes[f"WEIGHTS_{k}"])
                scale = 1 if values.dtype == np.float32 else np.iinfo(values.dtype).max
                for c in range(4):
                    np.add.at(table, (np.arange(len(table)), bones[:, c]), values[:, c] / scale)
            weights.append(table)
    names = [scene.json["nodes"][j]["name"] for j in joints]
    return np.vstack(positions), dict(zip(names, np.vstack(weights).T))


def difference(a, b):
    """the share of its weight that a vertex has on other bones, mean over vertices"""
    return sum(np.abs(a.get(name, 0) - b.get(name, 0)) for name in {*a, *b}).mean() / 2


class Transfer(CommandTest):
    def setUp(self):
        super().setUp()
        self.ossa("sample", "hand", "-o", "a", "--faces", "8000", "--frames", "3")
        self.rig = "a/truth.glb"

    def test_a_coarser_and_a_finer_copy(self):
        for faces in (1000, 24000):
            self.ossa("sample", "hand", "-o", "b", "--faces", faces, "--frames", "1")
            facts = self.json("transfer", "--json", self.rig, "b/truth.glb", "-o", "out.glb")
            _, made = skin_of(Scene(self.folder / "out.glb"))
            _, truth = skin_of(Scene(self.folder / "b/truth.glb"))
            self.assertLessEqual(difference(made, truth), 0.02, faces)
            self.assertEqual(facts["weights"]["sure"] + facts["weights"]["inpainted"] + facts["weights"]["nearest"], facts["vertices"])
            self.assertEqual(facts["clips"], 1)

    def test_any_mesh_to_any_rig(self):
        """of the formats that hold meshes into those that hold rigs"""
        for source in ("obj", "ply", "glb"):
            self.ossa("convert", "a/rest.obj", f"mesh.{source}")
            for target in ("glb", "dae", "fbx", "usda"):
                text = self.ossa("transfer", self.rig, f"mesh.{source}", "-o", f"out.{target}").stdout
                self.assertIn("from the rig's surface", text)
            self.ossa("convert", "out.dae", "back.glb")
            _, made = skin_of(Scene(self.folder / "back.glb"))
            _, truth = skin_of(Scene(self.folder / self.rig))
            self.assertEqual({name for name in made if made[name].any()}, {name for name in truth if truth[name].any()})

    def test_what_else_a_gltf_file_holds_stays(self):
        write_scene(self.folder / "scene.glb", animated=False)
        write_obj(self.folder / "tube.obj", tube(0.6), tube_faces())
        self.ossa("rig", "tube.obj", "-o", "rig.glb", "--method", "contraction", "--body", "none")
        self.ossa("transfer", "rig.glb", "scene.glb", "-o", "out.glb")
        before, after = Scene(self.folder / "scene.glb"), Scene(self.folder / "out.glb")
        for name in ("cameras", "materials", "textures", "samplers", "extras", "extensions"):
            self.assertEqual(before.json[name], after.json[name], name)
        for a, b in zip(before.json["meshes"], after.json["meshes"]):
            for old, new in zip(a["primitives"], b["primitives"]):
                self.assertEqual(len(old["targets"]), len(new["targets"]))
                self.assertLess(set(old["attributes"]), set(new["attributes"]))
                self.assertIn("JOINTS_0", new["attributes"])
                for name in ("TEXCOORD_0", "TEXCOORD_1", "_HEAT"):
                    self.assertTrue((before.numbers(old["attributes"][name]) == after.numbers(new["attributes"][name])).all())

    def test_the_same_for_any_number_of_threads(self):
        self.ossa("sample", "hand", "-o", "b", "--faces", "2000", "--frames", "1")
        for threads in (1, 2, 3, 8):
            self.ossa("transfer", self.rig, "b/rest.obj", "-o", f"{threads}.glb", "--threads", threads, "--distance", "0.3")
        self.assertEqual(len({(self.folder / f"{threads}.glb").read_bytes() for threads in (1, 2, 3, 8)}), 1)

    def test_another_place_is_refused_with_what_to_do(self):
        self.ossa("convert", "a/rest.obj", "large.obj", "--unit", "0.01")
        refused = self.ossa("transfer", self.rig, "large.obj", "-o", "out.glb", expect=INPUT)
        self.assertIn("--input-unit", refused.stderr)
        self.assertFalse((self.folder / "out.glb").exists())
        self.assertEqual(self.json("transfer", "--json", self.rig, "large.obj", "-o", "out.glb", "--input-unit", "0.01")["weights"]["scale"], 1)
        facts = self.json("transfer", "--json", self.rig, "large.obj", "-o", "out.glb", "--place", "align")
        self.assertAlmostEqual(facts["weights"]["scale"], 100, delta=0.1)

    def test_bad_input(self):
        self.ossa("transfer", self.rig, "a/rest.obj", expect=USAGE)
        self.ossa("transfer", self.rig, "-o", "out.glb", expect=USAGE)
        self.ossa("transfer", self.rig, "a/rest.obj", "-o", "out.obj", expect=USAGE)
        self.ossa("transfer", self.rig, "missing.obj", "-o", "out.glb", expect=INPUT)
        self.ossa("transfer", "a/rest.obj", "a/rest.obj", "-o", "out.glb", expect=INPUT)
        self.ossa("convert", self.rig, "motion.bvh")
        self.assertIn("no faces", self.ossa("transfer", "motion.bvh", "a/rest.obj", "-o", "out.glb", expect=INPUT).stderr)
        (self.folder / "points.ply").write_text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                                                "property float z\nend_header\n0 0 0\n")
        self.ossa("transfer", self.rig, "points.ply", "-o", "out.glb", expect=INPUT)
        (self.folder / "nan.obj").write_text("v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n")
        self.ossa("transfer", self.rig, "nan.obj", "-o", "out.glb", expect=INPUT)
        self.assertFalse((self.folder / "out.glb").exists())

    def test_pieces_that_are_near_nothing_are_told(self):
        lines = (self.folder / "a/rest.obj").read_text().splitlines()
        count = sum(line.startswith("v ") for line in lines)
        box = [[float(x) for x in line.split()[1:4]] for line in lines if line.startswith("v ")]
        x, y, z = np.max(box, 0) + 0.5 * np.ptp(box, 0).max()
        lines += [f"v {x} {y} {z}", f"v {x + 0.01} {y} {z}", f"v {x} {y + 0.01} {z}", f"f {count + 1} {count + 2} {count + 3}"]
        (self.folder / "button.obj").write_text("\n".join(lines) + "\n")
        facts = self.json("transfer", "--json", self.rig, "button.obj", "-o", "out.glb")
        told = {warning["code"]: warning for warning in facts["warnings"]}
        self.assertEqual((told["unsure-pieces"]["count"], told["far-vertices"]["count"]), (1, 3))
        self.assertEqual(facts["weights"]["nearest"], 3)


@unittest.skipUnless(CORPUS.is_dir(), "the corpus is not there")
class Characters(CommandTest):
    """a character onto its own mesh divided by four: the artist's weights, between the vertices linear"""

    def test_four_times_the_faces(self):
        for path in sorted(CORPUS.glob("*/*.glb"))[::1 if LONG else 2]:
            scene = Scene(path)
            with self.subTest(path.name):
                self.ossa("convert", path, "rig.glb")
                self.ossa("convert", "rig.glb", "mesh.obj")
                vertices, faces = self.divided("mesh.obj")
                write_obj(self.folder / "fine.obj", vertices, faces)
                facts = self.json("transfer", "--json", "rig.glb", "fine.obj", "-o", "fine.glb", "--place", "keep")
                self.assertGreater(facts["weights"]["sure"], 0.9 * facts["vertices"], scene.json["asset"])
                # back onto the old vertices: what came over is what was there
                self.ossa("transfer", "fine.glb", "rig.glb", "-o", "back.glb")
                old, new = skin_of(Scene(self.folder / "rig.glb"))[1], skin_of(Scene(self.folder / "back.glb"))[1]
                self.assertLessEqual(difference(old, new), 0.02)

    def divided(self, name):
        """every triangle in four"""
        lines = (self.folder / name).read_text().splitlines()
        vertices = [tuple(float(x) for x in line.split()[1:4]) for line in lines if line.startswith("v ")]
        faces, middles, divided = [], {}, []
        for line in lines:
            corners = [int(word.split("/")[0]) - 1 for word in line.split()[1:]] if line.startswith("f ") else []
            faces += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
        for face in faces:
            between = []
            for a, b in zip(face, face[1:] + face[:1]):
                if (a, b) not in middles:
                    middles[a, b] = middles[b, a] = len(vertices)
                    vertices.append(tuple((x + y) / 2 for x, y in zip(vertices[a], vertices[b])))
                between.append(middles[a, b])
            divided += [(face[0], between[0], between[2]), (face[1], between[1], between[0]), (face[2], between[2], between[1]), tuple(between)]
        return vertices, divided


if __name__ == "__main__":
    main()
