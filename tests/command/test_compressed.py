"""glTF files that Draco's and meshoptimizer's own encoders compressed are read as the files that they were made from."""
import json
import struct
import subprocess
import sys
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import INPUT, LIMIT, OSSA, CommandTest, main
from test_kept_files import write_scene

ENCODER = OSSA.parent / "tests" / "compress_gltf"
if not ENCODER.exists():
    sys.exit(print("skipped: ossa is built without Draco or meshoptimizer"))

# what may be lost of positions, directions and the rest: nothing, or half a step of the encoder's grid
LOSS = {"meshopt": (0, 0, 0), "fallback": (0, 0, 0), "sequential": (5e-4, 2e-3, 5e-4), "filters": (5e-4, 2 / 127, 0)}


# how many bones the paper makes depends on how positions are rounded
STILL = ("--method", "contraction", "--body", "none", "--refine", "0", "--bones", 6)
RIG = (*STILL, "--clip", "pan")


def split(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def join(path, gltf, binary):
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def loss_of(kind, name):
    positions, directions, others = LOSS[kind]
    if name in ("NORMAL", "TANGENT"):
        return directions
    return positions if name == "POSITION" else others


def triangles_of(scene, index):
    """each from its smallest vertex on: encoders turn them"""
    triangles = scene.numbers(index).reshape(-1, 3)
    first = triangles.argmin(1)[:, None]
    return np.take_along_axis(triangles, (first + np.arange(3)) % 3, 1)


class Compressed(CommandTest):
    rigged = {}

    def setUp(self):
        super().setUp()
        write_scene(self.folder / "in.glb")

    def compress(self, kind):
        subprocess.run([ENCODER, self.folder / "in.glb", self.folder / f"{kind}.glb", kind], check=True)
        return split(self.folder / f"{kind}.glb")

    def again(self, source, words=RIG):
        """the file with a rig, and what was said; each is made once"""
        if source not in Compressed.rigged:
            told = self.ossa("rig", source, "-o", "out.glb", *words)
            Compressed.rigged[source] = Scene(self.folder / "out.glb"), told.stderr
        return Compressed.rigged[source]

    def assert_same(self, before, after, kind, name, a, b):
        a, b = before.floats(a), after.floats(b)
        self.assertEqual(a.shape, b.shape, (kind, name))
        self.assertLessEqual(np.abs(a - b).max(), loss_of(kind, name), (kind, name))

    def assert_same_primitive(self, before, after, kind, p, q):
        self.assertTrue((np.sort(triangles_of(before, p["indices"]), 0) == np.sort(triangles_of(after, q["indices"]), 0)).all())
        for name, index in p["attributes"].items():
            if name[:6] not in ("JOINTS", "WEIGHT"):
                self.assert_same(before, after, kind, name, index, q["attributes"][name])
        for one, other in zip(p["targets"], q["targets"]):
            for name, index in one.items():
                self.assertLessEqual(np.abs(before.floats(index) - after.floats(other[name])).max(), 2e-2 if kind == "filters" else 1e-3)

    def assert_plain(self, scene):
        text = json.dumps(scene.json)
        self.assertNotIn("draco", text)
        self.assertNotIn("meshopt", text)
        for accessor in range(len(scene.json["accessors"])):
            item, values = scene.json["accessors"][accessor], scene.numbers(accessor)
            if "min" in item:
                self.assertEqual(np.float32(item["min"]).tolist(), values.min(0).astype(np.float32).tolist())
                self.assertEqual(np.float32(item["max"]).tolist(), values.max(0).astype(np.float32).tolist())

    def test_files_are_read_as_before_compression(self):
        before, _ = self.again("in.glb")
        for kind in LOSS:
            gltf, _ = self.compress(kind)
            self.assertIn("compression", json.dumps(gltf))
            after, said = self.again(f"{kind}.glb")
            self.assertIn("are written expanded", said)
            self.assert_plain(after)
            for key in ("materials", "cameras", "scenes", "extras"):
                self.assertEqual(before.json[key], after.json[key])
            for mesh, same in zip(before.json["meshes"], after.json["meshes"]):
                for p, q in zip(mesh["primitives"], same["primitives"]):
                    self.assert_same_primitive(before, after, kind, p, q)
            images = [[scene.view(image["bufferView"]) for image in scene.json["images"]] for scene in (before, after)]
            self.assertEqual(*images)

    def test_animations_are_expanded(self):
        for kind, limit in (("meshopt", 0), ("filters", 1e-4)):
            self.compress(kind)
            before, after = Scene(self.folder / "in.glb"), self.again(f"{kind}.glb")[0]
            for name in ("smile", "pan"):
                keys = []
                for scene in (before, after):
                    animation = next(a for a in scene.json["animations"] if a["name"] == name)
                    keys.append([scene.floats(animation["samplers"][0][key]) for key in ("input", "output")])
                for a, b in zip(*keys):
                    self.assertLessEqual(np.abs(a - b).max(), limit, (kind, name))

    def test_vertices_in_another_order(self):
        self.compress("edgebreaker")
        before, after = Scene(self.folder / "in.glb"), self.again("edgebreaker.glb", STILL)[0]
        self.assert_plain(after)
        for (one, triangles), (other, others) in zip(before.surfaces(), after.surfaces(), strict=True):
            centers = [surface["POSITION"][corners].mean(1) for surface, corners in ((one, triangles), (other, others))]
            self.assertEqual(*(len(c) for c in centers))
            distance = np.linalg.norm(centers[0][:, None] - centers[1][None], axis=2)
            self.assertLess(distance.min(0).max(), 1e-3)
            self.assertLess(distance.min(1).max(), 1e-3)

    def test_what_is_brought_beside_is_not_needed(self):
        """a primitive whose accessors have data is read from it, whatever its extension holds"""
        gltf, binary = split(self.folder / "in.glb")
        gltf["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
        gltf["extensionsUsed"].append("KHR_draco_mesh_compression")
        join(self.folder / "both.glb", gltf, binary)
        self.assert_plain(self.again("both.glb")[0])

    def assert_refused(self, kind, change, words, junk=False, expect=INPUT):
        gltf, binary = self.compress(kind)
        change(gltf)
        if junk:
            binary = binary[:100] + bytes(0x55 for _ in binary[100:])
        join(self.folder / "bad.glb", gltf, binary)
        told = self.ossa("inspect", "bad.glb", expect=expect)
        self.assertIn(words, told.stderr)
        self.assertIn("bad.glb", told.stderr)

    def test_bad_views_are_refused(self):
        def view(gltf, mode):
            return next(v for v in gltf["bufferViews"] if v.get("extensions", {}).get("EXT_meshopt_compression", {}).get("mode") == mode)

        def change(mode, key, value, outside=False):
            def apply(gltf):
                found = view(gltf, mode)
                (found if outside else found["extensions"]["EXT_meshopt_compression"])[key] = value
            return apply

        for mode, key, value, words in (
                ("ATTRIBUTES", "mode", "WAVES", "has a mode that ossa does not know: WAVES"),
                ("ATTRIBUTES", "mode", 5, "has a mode that ossa does not know: none"),
                ("ATTRIBUTES", "filter", "COLOR", "has a filter that ossa does not know: COLOR"),
                ("ATTRIBUTES", "filter", "QUATERNION", "is against its rules"),
                ("ATTRIBUTES", "byteStride", 6, "is against its rules"),
                ("ATTRIBUTES", "byteStride", 1024, "is against its rules"),
                ("ATTRIBUTES", "byteStride", 0, "is against its rules"),
                ("TRIANGLES", "byteStride", 1, "is against its rules"),
                ("TRIANGLES", "count", 7, "is against its rules"),
                ("ATTRIBUTES", "count", 1 << 50, "elements of"),
                ("ATTRIBUTES", "count", -1, "must be a whole number"),
                ("ATTRIBUTES", "buffer", 9, "there are only 2 buffers"),
                ("ATTRIBUTES", "byteOffset", 1 << 40, "reaches past"),
                ("ATTRIBUTES", "byteLength", 3, "is damaged, or of a newer version than meshoptimizer"),
                ("INDICES", "byteLength", 2, "is damaged, or of a newer version")):
            self.assert_refused("meshopt", change(mode, key, value), words)
        self.assert_refused("meshopt", change("ATTRIBUTES", "byteLength", 12, True), "has 12 bytes, but EXT_meshopt_compression says")
        self.assert_refused("meshopt", lambda gltf: None, "npx @gltf-transform/cli copy IN OUT", True)

    def test_bad_primitives_are_refused(self):
        def primitive(gltf):
            return gltf["meshes"][0]["primitives"][0]

        def extension(gltf):
            return primitive(gltf)["extensions"]["KHR_draco_mesh_compression"]

        def counts(gltf, count):
            for name in primitive(gltf)["attributes"]:
                gltf["accessors"][primitive(gltf)["attributes"][name]]["count"] = count

        def indices(gltf):
            return gltf["accessors"][primitive(gltf)["indices"]]

        for change, words in (
                (lambda gltf: extension(gltf).pop("bufferView"), "names no buffer view"),
                (lambda gltf: extension(gltf).update(bufferView=999), "there are only"),
                (lambda gltf: primitive(gltf).update(mode=5), "is not an indexed list of triangles"),
                (lambda gltf: primitive(gltf).pop("indices"), "is not an indexed list of triangles"),
                (lambda gltf: indices(gltf).update(count=3), "holds more than the 3 indices"),
                (lambda gltf: indices(gltf).update(count=30000), "its accessors have 30000 and"),
                (lambda gltf: indices(gltf).update(componentType=5126), "cannot hold indices"),
                (lambda gltf: counts(gltf, 3), "and 3 vertices of its accessors"),
                (lambda gltf: counts(gltf, 4000), "and 4000: the file is damaged"),
                (lambda gltf: gltf["accessors"][primitive(gltf)["attributes"]["NORMAL"]].update(count=5), "has accessors of"),
                (lambda gltf: extension(gltf)["attributes"].update(NORMAL=77), "has no NORMAL of the type of accessor"),
                (lambda gltf: extension(gltf)["attributes"].update(NORMAL=-1), "has no NORMAL of the type of accessor")):
            self.assert_refused("sequential", change, words)
        self.assert_refused("sequential", lambda gltf: indices(gltf).update(count=1 << 40), "asks for far more numbers", expect=LIMIT)
        self.assert_refused("edgebreaker", lambda gltf: indices(gltf).update(count=3), "holds more than the 3 indices")
        self.assert_refused("edgebreaker", lambda gltf: counts(gltf, 3), "holds more than")
        self.assert_refused("sequential", lambda gltf: None, "damaged, or not of Draco's bitstream 2.2", True)


if __name__ == "__main__":
    main()
