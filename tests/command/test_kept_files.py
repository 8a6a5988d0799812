"""What comes in goes out: a glTF file with materials, images, morph targets, cameras and extras that is rigged."""
import json
import struct
import subprocess
import sys
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene, matrix_of
from harness import OSSA, CommandTest, data_uri, main, png, tube, tube_faces


class Writer:
    """accessors and views of a glTF file, one after the other"""

    def __init__(self):
        self.binary, self.views, self.accessors = b"", [], []

    def view(self, data, **more):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **more})
        self.binary += data
        return len(self.views) - 1

    def array(self, values, kind="float32", **more):
        values = np.asarray(values, kind)
        code = {"float32": 5126, "uint16": 5123, "uint8": 5121}[kind]
        shape = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[values.shape[1] if values.ndim > 1 else 1]
        bounds = {}
        if kind == "float32" and shape in ("VEC3", "SCALAR"):
            flat = values.reshape(len(values), -1)
            bounds = {"min": flat.min(0).tolist(), "max": flat.max(0).tolist()}
        self.accessors.append({"bufferView": self.view(values.tobytes()), "componentType": code, "count": len(values), "type": shape,
                               **bounds, **more})
        return len(self.accessors) - 1


def tangents_of(normals):
    """some unit vector across each"""
    other = np.cross(normals, [0.3, 0.5, 0.8])
    return np.c_[other / np.linalg.norm(other, axis=1, keepdims=True), np.ones(len(normals))]


def part_of_tube(vertices, faces, wanted, place):
    """vertices and triangles of some faces, in the space of a node of that matrix; normals and tangents too"""
    triangles = np.array([t for face in faces for t in ((face[0], face[1], face[2]), (face[0], face[2], face[3]))])
    triangles = triangles[wanted(vertices[triangles].mean(1))]
    used, indices = np.unique(triangles, return_inverse=True)
    world, triangles = vertices[used], indices.reshape(-1, 3)
    normals = np.zeros_like(world)
    for t in triangles:
        normals[t] += np.cross(world[t[1]] - world[t[0]], world[t[2]] - world[t[0]])
    back = np.linalg.inv(place)
    local = world @ back[:3, :3].T + back[:3, 3]
    normals = normals @ place[:3, :3]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    if np.linalg.det(place[:3, :3]) < 0:
        triangles = triangles[:, ::-1]
    return local, normals, triangles


LEFT = {"translation": [0.5, -1, 2], "rotation": [0, 0.6, 0, 0.8], "scale": [2, 2, 2]}
RIGHT = {"translation": [0, 1, 0], "scale": [-1, 1, 1]}


def write_scene(path, image_uri="skin%20a.png", outside="skin a.png", animated=True, moves=("smile", "pan", "move"), **nodes):
    """A bent tube of two meshes at nodes with transforms, one of them mirrored, under a group; with all that glTF can hold beside."""
    writer = Writer()
    vertices, faces = np.array(tube(0.6)), tube_faces()
    meshes = []
    for place, wanted in ((nodes.get("left", LEFT), lambda p: p[:, 0] < 0), (nodes.get("right", RIGHT), lambda p: p[:, 0] >= 0)):
        local, normals, triangles = part_of_tube(vertices, faces, wanted, matrix_of(place))
        targets = [{"POSITION": writer.array(0.2 * normals), "NORMAL": writer.array(0.1 * normals[:, [1, 2, 0]]),
                    "TANGENT": writer.array(0.1 * normals[:, [2, 0, 1]])},
                   {"POSITION": writer.array(0.1 * local)}]
        attributes = {"POSITION": writer.array(local), "NORMAL": writer.array(normals), "TANGENT": writer.array(tangents_of(normals)),
                      "TEXCOORD_0": writer.array(local[:, :2]), "TEXCOORD_1": writer.array(local[:, 1:]),
                      "COLOR_0": writer.array(np.full((len(local), 4), 200), "uint8", normalized=True),
                      "_HEAT": writer.array(local[:, 0])}
        half = len(triangles) // 2
        primitives = [{"attributes": attributes, "indices": writer.array(part.flatten(), "uint16"), "material": k, "targets": targets}
                      for k, part in enumerate((triangles[:half], triangles[half:]))]
        meshes.append({"name": f"part {len(meshes)}", "primitives": primitives, "weights": [0, 0], "extras": {"targetNames": ["fat", "big"]}})
    times, face = writer.array([0, 1]), writer.array([0, 0, 1, 0.5])
    turns = writer.array([[0, 0, 0, 1], [0, 1, 0, 0]])
    inside = writer.view(png(255, 0, 0))
    gltf = {
        "asset": {"version": "2.0", "generator": "a test", "copyright": "someone", "extras": {"a": [1, 2.5, None]}},
        "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_unlit"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "color": [1, 0.5, 0.25]}]}},
        "scene": 1,
        "scenes": [{"name": "empty", "nodes": [5]}, {"name": "shown", "nodes": [0, 3], "extras": {"sky": "blue"}}],
        "nodes": [
            {"name": "group", "children": [1, 2]},
            {"name": "left", "mesh": 0, "extras": {"side": "l"}, **nodes.get("left", LEFT)},
            {"name": "right", "mesh": 1, "children": [4], **nodes.get("right", RIGHT)},
            {"name": "eye", "camera": 0, "translation": [0, 0, 5]},
            {"name": "lamp", "translation": [0, 3, 0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"name": "elsewhere"}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1}}],
        "meshes": meshes,
        "materials": [
            {"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.25}, "normalTexture": {"index": 1}},
            {"name": "cloth", "alphaMode": "MASK", "alphaCutoff": 0.25, "extensions": {"KHR_materials_unlit": {}}}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}],
        "samplers": [{"magFilter": 9728, "wrapS": 33071}],
        "images": [{"name": "inside", "bufferView": inside, "mimeType": "image/png"}, {"name": "outside", "uri": image_uri}],
        "animations": [
            {"name": "smile", "samplers": [{"input": times, "output": face}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "weights"}}]},
            {"name": "pan", "samplers": [{"input": times, "output": turns}], "channels": [{"sampler": 0, "target": {"node": 3, "path": "rotation"}}]},
            {"name": "move", "samplers": [{"input": times, "output": turns}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "accessors": writer.accessors,
        "bufferViews": writer.views,
        "extras": {"made": "by hand"},
    }
    gltf["animations"] = [animation for animation in gltf["animations"] if animation["name"] in moves]
    if not animated:
        del gltf["animations"]
    if outside:
        (path.parent / outside).write_bytes(png(0, 255, 0))
    binary = writer.binary + b"\0" * (-len(writer.binary) % 4)
    gltf["buffers"] = [{"byteLength": len(binary)}]
    if path.suffix == ".gltf":
        gltf["buffers"][0]["uri"] = data_uri(binary)
        path.write_text(json.dumps(gltf))
        return
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(binary), b"BIN\0") + binary)


RIG = ("--method", "contraction", "--body", "none", "--refine", "0", "--clip", "pan")


class Kept(CommandTest):
    shared = None  # the scene rigged once, for tests that only look at it

    def setUp(self):
        super().setUp()
        write_scene(self.folder / "in.glb")
        self.before = Scene(self.folder / "in.glb")

    def rigged(self):
        if not Kept.shared:
            self.rig("in.glb", "shared.glb")
            Kept.shared = (self.folder / "shared.glb").read_bytes()
        (self.folder / "out.glb").write_bytes(Kept.shared)
        return Scene(self.folder / "out.glb")

    def rig(self, source, target, *words):
        self.ossa("rig", source, "-o", target, *RIG, *words)
        return Scene(self.folder / target)

    def assert_same_list(self, after, name):
        self.assertEqual(self.before.json[name], after.json[name], name)

    def assert_same_accessor(self, after, before_index, after_index, what):
        a, b = dict(self.before.json["accessors"][before_index]), dict(after.json["accessors"][after_index])
        for accessor in (a, b):
            accessor.pop("bufferView")
        self.assertEqual(a, b, what)
        self.assertEqual(self.before.numbers(before_index).tobytes(), after.numbers(after_index).tobytes(), what)

    def assert_same_surfaces(self, after, limit=1e-5, **options):
        before, now = list(self.before.surfaces(**options)), list(after.surfaces(**options))
        self.assertEqual(len(before), len(now))
        for (a, triangles), (b, others) in zip(before, now):
            self.assertEqual(set(a), set(b))
            for key in a:
                self.assertLess(np.abs(a[key] - b[key]).max(), limit, key)
            self.assertTrue((np.sort(triangles, 1) == np.sort(others, 1)).all())

    def test_everything_else_stays(self):
        after = self.rigged()
        for name in ("asset", "extensions", "extensionsUsed", "cameras", "materials", "textures", "samplers", "extras", "scene"):
            self.assert_same_list(after, name)
        # nodes keep their order and names; bones follow
        names = [node.get("name") for node in after.json["nodes"]]
        self.assertEqual(names[:6], ["group", "left", "right", "eye", "lamp", "elsewhere"])
        self.assertEqual(after.json["nodes"][1]["extras"], {"side": "l"})
        self.assertEqual([scene["name"] for scene in after.json["scenes"]], ["empty", "shown"])
        self.assertEqual(after.json["scenes"][1]["extras"], {"sky": "blue"})
        self.assertEqual([mesh["name"] for mesh in after.json["meshes"]], ["part 0", "part 1"])
        self.assertEqual(after.json["meshes"][0]["extras"]["targetNames"], ["fat", "big"])

    def test_bytes_stay(self):
        after = self.rigged()
        # the mirrored mesh is written anew: its winding turns
        for p, q in zip(self.before.json["meshes"][0]["primitives"], after.json["meshes"][0]["primitives"]):
            self.assertEqual(p["material"], q["material"])
            self.assert_same_accessor(after, p["indices"], q["indices"], "indices")
            for key, index in p["attributes"].items():
                self.assert_same_accessor(after, index, q["attributes"][key], key)
            for a, b in zip(p["targets"], q["targets"]):
                for key, index in a.items():
                    self.assert_same_accessor(after, index, b[key], f"target {key}")
        for p, q in zip(self.before.json["meshes"][1]["primitives"], after.json["meshes"][1]["primitives"]):
            for key in ("TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "_HEAT"):
                self.assert_same_accessor(after, p["attributes"][key], q["attributes"][key], key)
        # primitives that share vertices share weights
        first, second = after.json["meshes"][0]["primitives"]
        self.assertEqual(first["attributes"], second["attributes"])

    def test_images_are_inside_a_glb(self):
        after = self.rigged()
        inside, outside = after.json["images"]
        self.assertEqual(after.view(inside["bufferView"]), png(255, 0, 0))
        self.assertEqual(after.view(outside["bufferView"]), png(0, 255, 0))
        self.assertEqual((outside["name"], outside["mimeType"]), ("outside", "image/png"))
        self.assertNotIn("uri", outside)

    def test_images_go_beside_a_gltf(self):
        after = self.rig("in.glb", "same.gltf")
        self.assertEqual(after.json["images"][1]["uri"], "skin%20a.png")
        (self.folder / "other").mkdir()
        (self.folder / "other" / "skin a.png").write_bytes(b"mine")
        for _ in range(2):
            after = self.rig("in.glb", "other/out.gltf")
            self.assertEqual(after.json["images"][1]["uri"], "skin%20a-2.png")
        self.assertEqual((self.folder / "other" / "skin a.png").read_bytes(), b"mine")
        self.assertEqual((self.folder / "other" / "skin a-2.png").read_bytes(), png(0, 255, 0))

    def test_images_that_are_not_there(self):
        for uri in ("gone.png", "../skin a.png", "/etc/passwd", "http://example.org/a.png"):
            write_scene(self.folder / "bad.glb", uri, None)
            told = self.ossa("rig", "bad.glb", "-o", "out.glb", *RIG)
            self.assertIn("are not beside it", told.stderr, uri)
            self.assertEqual(Scene(self.folder / "out.glb").json["images"][1]["uri"], uri)

    def test_images_that_are_links(self):
        secret, inside = self.folder / "secret.png", self.folder / "scene"
        secret.write_bytes(png(9, 9, 9))
        inside.mkdir()
        write_scene(inside / "in.glb", "link.png", "own.png")
        (inside / "link.png").symlink_to("../secret.png")
        told = self.ossa("rig", "scene/in.glb", "-o", "out.glb", *RIG)
        self.assertIn("are not beside it", told.stderr)
        self.assertEqual(Scene(self.folder / "out.glb").json["images"][1]["uri"], "link.png")
        # one that stays in the folder is an image like others
        (inside / "link.png").unlink()
        (inside / "link.png").symlink_to("own.png")
        after = self.rig("scene/in.glb", "out.glb")
        self.assertEqual(after.view(after.json["images"][1]["bufferView"]), png(0, 255, 0))

    def image_outside(self, data):
        """what becomes of a file that the scene names as skin a.png, and what is said of it"""
        write_scene(self.folder / "other.glb", animated=False)
        (self.folder / "skin a.png").write_bytes(data)
        told = self.ossa("convert", "other.glb", "out.glb")
        after = Scene(self.folder / "out.glb")
        return after, after.json["images"][1], told.stderr

    def test_images_of_another_type_than_their_name_says(self):
        jpeg = b"\xff\xd8\xff\xe0" + b"\0" * 60
        after, image, told = self.image_outside(jpeg)
        self.assertEqual((image["mimeType"], after.view(image["bufferView"]), told), ("image/jpeg", jpeg, ""))
        for data in (b"no image at all", b""):
            _, image, told = self.image_outside(data)
            self.assertIn("or are no images", told)
            self.assertEqual(image["uri"], "skin%20a.png")
        # nor is it copied
        (self.folder / "pair").mkdir()
        self.ossa("convert", "other.glb", "pair/out.gltf")
        self.assertEqual(list((self.folder / "pair").glob("*.png")), [])

    def test_images_are_not_decoded(self):
        """16384 x 16384 pixels by its head, and nothing behind"""
        size = struct.pack(">II", 16384, 16384)
        large = png(1, 2, 3)[:16] + size + png(1, 2, 3)[24:]
        after, image, told = self.image_outside(large)
        self.assertEqual((after.view(image["bufferView"]), told), (large, ""))

    def test_data_uris(self):
        image = data_uri(png(1, 2, 3) + b"\0" * 3000)
        write_scene(self.folder / "in.gltf", image, None)
        after = self.rig("in.gltf", "out.glb")
        self.assertEqual(after.json["images"][1]["uri"], image)
        self.assert_same_surfaces(after)

    def test_every_vertex_stays_where_it_is(self):
        after = self.rigged()
        for weights in ([0, 0], [1, 0], [0, 1], [0.5, 0.25]):
            self.assert_same_surfaces(after, weights=weights)

    def test_animations_of_the_rest(self):
        after = self.rigged()
        by_name = {animation["name"]: animation for animation in after.json["animations"]}
        # the mesh moved no longer as a whole: joints carry it
        self.assertEqual(sorted(by_name), ["pan", "smile"])
        target = by_name["smile"]["channels"][0]["target"]
        self.assertEqual(target["path"], "weights")
        self.assertEqual(after.json["nodes"][target["node"]]["mesh"], 0)
        self.assertEqual(by_name["pan"]["channels"][0]["target"], {"node": 3, "path": "rotation"})

    def test_a_new_rig_takes_the_place_of_the_old_one(self):
        # the same shape gets as many bones again
        first = self.rig("in.glb", "out.glb", "--refine", "1")
        second = self.rig("out.glb", "second.glb", "--refine", "1")
        self.assert_same_surfaces(second)
        self.assertEqual(len(first.json["nodes"]), len(second.json["nodes"]))
        self.assertEqual(len(first.json["accessors"]), len(second.json["accessors"]))
        self.assertLessEqual(abs(len(first.binary) - len(second.binary)), 64)

    def test_old_joints_can_stay(self):
        first = self.rigged()
        second = self.rig("out.glb", "second.glb", "--keep-skin")
        self.assertEqual(len(second.json["skins"]), len(first.json["skins"]))
        old = [node["name"] for node in first.json["nodes"]]
        self.assertEqual([node["name"] for node in second.json["nodes"]][:len(old)], old)
        self.assertGreater(len(second.json["nodes"]), len(old))
        self.assert_same_surfaces(second)

    def test_a_rig_is_converted_in_its_file(self):
        self.rigged()
        self.ossa("convert", "out.glb", "numbers.glb", "--names", "numbers", "-q")
        after = Scene(self.folder / "numbers.glb")
        self.assert_same_surfaces(after)
        self.assert_same_list(after, "materials")

    def test_a_mesh_is_converted_in_its_file(self):
        write_scene(self.folder / "in.glb", animated=False)
        self.before = Scene(self.folder / "in.glb")
        self.ossa("convert", "in.glb", "mesh.glb")
        after = Scene(self.folder / "mesh.glb")
        for name in set(self.before.json) - {"images", "buffers", "bufferViews", "accessors"}:
            self.assert_same_list(after, name)
        self.assert_same_surfaces(after)

    def assert_kept(self, after):
        """all lists are as they were, all numbers have the same bytes, but for what a .glb takes in of images beside it"""
        for name in set(self.before.json) - {"images", "buffers", "bufferViews"}:
            if name != "accessors":
                self.assert_same_list(after, name)
        self.assertEqual(len(self.before.json["accessors"]), len(after.json["accessors"]))
        for index in range(len(self.before.json["accessors"])):
            self.assert_same_accessor(after, index, index, f"accessor {index}")

    def test_motion_without_joints_is_converted_in_its_file(self):
        told = self.ossa("convert", "in.glb", "out.glb")
        self.assertNotIn("left out", told.stdout)
        after = Scene(self.folder / "out.glb")
        self.assert_kept(after)
        self.assertEqual([animation["name"] for animation in after.json["animations"]], ["smile", "pan", "move"])
        # a camera that turns moves no vertex
        write_scene(self.folder / "in.glb", moves=("pan",))
        self.before = Scene(self.folder / "in.glb")
        self.assertNotIn("left out", self.ossa("convert", "in.glb", "out.glb").stdout)
        after = Scene(self.folder / "out.glb")
        self.assert_same_list(after, "nodes")
        self.assertEqual([animation["name"] for animation in after.json["animations"]], ["pan"])

    def test_a_chosen_animation_goes_alone(self):
        told = self.ossa("convert", "in.glb", "out.glb", "--clip", "smile")
        self.assertIn("2 other animations", told.stdout)
        after = Scene(self.folder / "out.glb")
        self.assertEqual(after.json["animations"], self.before.json["animations"][:1])
        self.assert_same_list(after, "nodes")
        self.assert_same_surfaces(after, weights=[0.5, 0.25])

    def test_frames_that_are_asked_for_are_targets(self):
        """sampled or selected frames, and a file that is turned or scaled, are no longer the file's own"""
        for words, targets in ((("--fps", "10"), 11), (("--frames", "2"), 1), (("--input-up", "z"), 2), (("--input-unit", "0.01"), 2)):
            self.ossa("convert", "in.glb", "out.glb", *words)
            after = Scene(self.folder / "out.glb")
            self.assertEqual(len(after.json["meshes"]), 2, words)
            for mesh in after.json["meshes"]:
                self.assertEqual(len(mesh["primitives"][0]["targets"]), targets, words)

    def test_a_still_file_that_is_turned(self):
        write_scene(self.folder / "in.glb", animated=False)
        self.before = Scene(self.folder / "in.glb")
        self.ossa("convert", "in.glb", "out.glb", "--input-up", "z", "--input-unit", "0.1")
        places = [np.concatenate([surface["POSITION"] for surface, _ in list(scene.surfaces([0, 0]))])
                  for scene in (self.before, Scene(self.folder / "out.glb"))]
        self.assertLess(np.abs(0.1 * places[0][:, [0, 2, 1]].min(0) * [1, 1, 1] - (places[1] * [1, 1, -1]).min(0)).max(), 1e-5)

    def test_morph_targets_go_through_other_formats(self):
        """a mesh without the file that it came from: targets of two meshes, one of them mirrored, stay theirs"""
        write_scene(self.folder / "in.glb", animated=False)
        self.before = Scene(self.folder / "in.glb")
        self.ossa("convert", "in.glb", "same.glb", "--unit", "1")
        self.ossa("convert", "in.glb", "cm.glb", "--unit", "0.01")
        after = Scene(self.folder / "cm.glb")
        mesh = after.json["meshes"][0]
        self.assertEqual(mesh["extras"]["targetNames"], ["fat", "big"])
        self.assert_same_places(after, 100)

    def test_morph_targets_go_through_collada(self):
        write_scene(self.folder / "in.glb", animated=False)
        self.before = Scene(self.folder / "in.glb")
        self.ossa("convert", "in.glb", "face.dae")
        self.ossa("convert", "face.dae", "back.glb")
        after = Scene(self.folder / "back.glb")
        self.assertEqual(after.json["meshes"][0]["extras"]["targetNames"], ["fat", "big"])
        self.assert_same_places(after, 1)
        self.assertIn("2 targets", self.ossa("convert", "in.glb", "face.obj").stderr)

    def test_morph_targets_go_through_fbx(self):
        write_scene(self.folder / "in.glb", animated=False)
        self.before = Scene(self.folder / "in.glb")
        self.ossa("convert", "in.glb", "face.fbx")
        tried = subprocess.run([OSSA, "inspect", self.folder / "face.fbx"], capture_output=True, text=True)
        if "this build has no FBX" in tried.stderr:
            self.skipTest("this build reads no FBX")
        self.ossa("convert", "face.fbx", "back.glb")
        after = Scene(self.folder / "back.glb")
        self.assertEqual(after.json["meshes"][0]["extras"]["targetNames"], ["fat", "big"])
        self.assert_same_places(after, 1)

    def assert_same_places(self, after, scale):
        """every vertex of one file is where one of the other is, whatever the targets' weights; order and counts may differ"""
        for weights in ([0, 0], [1, 0], [0.5, 0.25]):
            then = np.concatenate([surface["POSITION"] for surface, _ in list(self.before.surfaces(weights))[::2]]) * scale
            now = np.concatenate([surface["POSITION"] for surface, _ in after.surfaces(weights)])
            apart = np.linalg.norm(then[:, None] - now[None], axis=2)
            self.assertLess(max(apart.min(0).max(), apart.min(1).max()), 1e-5 * scale)

    def test_a_turned_file(self):
        after = self.rig("in.glb", "z.glb", "--up", "z", "--unit", "0.01")
        turn = np.array([[100, 0, 0], [0, 0, -100], [0, 100, 0]])
        for weights in ([0, 0], [0.5, 0.25]):
            for (a, _), (b, _) in zip(self.before.surfaces(weights), after.surfaces(weights)):
                self.assertLess(np.abs(a["POSITION"] @ turn.T - b["POSITION"]).max(), 1e-3)
                for key in ("NORMAL", "TANGENT"):
                    self.assertLess(np.abs(a[key] @ turn.T / 100 - b[key]).max(), 1e-4, key)


if __name__ == "__main__":
    main()
