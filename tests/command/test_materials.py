"""What comes in goes out in another format: materials, images and UVs of glTF through FBX and Collada, and back to glTF."""
import base64
import json
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import OSSA, CommandTest, data_uri, main

SCHEMAS = Path(__file__).resolve().parents[3] / "shared/schemas"


def png(red, green, blue, alpha):
    """an image of one pixel"""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes([0, red, green, blue, alpha]))) + chunk(b"IEND", b""))


IMAGES = {"base": png(200, 120, 80, 128), "normal": png(128, 128, 255, 255), "emission": png(9, 9, 90, 255), "orm": png(255, 99, 0, 255)}
MOVED = {"KHR_texture_transform": {"offset": [0.25, 0.125], "rotation": 0.5, "scale": [2, 3]}}
MATERIALS = [
    {"name": "skin", "alphaMode": "BLEND", "doubleSided": True, "emissiveFactor": [0.5, 0.25, 1], "emissiveTexture": {"index": 2},
     "normalTexture": {"index": 1, "scale": 0.75}, "occlusionTexture": {"index": 3, "strength": 0.5},
     "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 0.75], "metallicFactor": 0.5, "roughnessFactor": 0.25,
                              "baseColorTexture": {"index": 0, "extensions": MOVED}, "metallicRoughnessTexture": {"index": 3}}},
    {"name": "a leaf", "alphaMode": "MASK", "alphaCutoff": 0.25, "emissiveFactor": [1, 0.5, 0],
     "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
     "pbrMetallicRoughness": {"metallicFactor": 0.75, "baseColorTexture": {"index": 4}}},
    {"name": "plain"}]
COLORS = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 0, 1]]


def quads():
    """three squares side by side, one for each material"""
    positions = np.array([[x, y, 0] for x in range(4) for y in range(2)], "float32")
    uvs = np.array([[x / 3, y] for x in range(4) for y in range(2)], "float32")
    faces = [np.array([2 * i, 2 * i + 2, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 1], "uint16") for i in range(3)]
    parts = [positions.tobytes(), uvs.tobytes(), *(face.tobytes() for face in faces)]
    starts = np.cumsum([0] + [len(part) for part in parts])
    return {
        "asset": {"version": "2.0"}, "extensionsUsed": ["KHR_texture_transform", "KHR_materials_emissive_strength"], "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "quads"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2 + i, "material": i} for i in range(3)]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [3, 1, 0]},
                      {"bufferView": 1, "componentType": 5126, "count": 8, "type": "VEC2"}] +
        [{"bufferView": 2 + i, "componentType": 5123, "count": 6, "type": "SCALAR"} for i in range(3)],
        "bufferViews": [{"buffer": 0, "byteOffset": int(start), "byteLength": len(part)} for start, part in zip(starts, parts)],
        "buffers": [{"byteLength": int(starts[-1]), "uri": data_uri(b"".join(parts))}],
        "materials": MATERIALS, "samplers": [{"wrapS": 33071, "wrapT": 33648}],
        "images": [{"name": name, "uri": data_uri(data).replace("application/octet-stream", "image/png")} for name, data in IMAGES.items()],
        "textures": [{"source": i} for i in range(4)] + [{"source": 0, "sampler": 0}]}


def image_bytes(scene, image):
    return scene.view(image["bufferView"]) if "bufferView" in image else base64.b64decode(image["uri"].partition(",")[2])


def flat(material, scene, keeps_wraps):
    """what a material looks like: its numbers with the defaults, and of each texture the image's bytes and how it lies"""
    metallic = material.get("pbrMetallicRoughness", {})

    def texture(holder, key):
        info = holder.get(key)
        if not info:
            return None
        item = scene.json["textures"][info["index"]]
        moved = info.get("extensions", {}).get("KHR_texture_transform", {})
        sampler = scene.json["samplers"][item["sampler"]] if "sampler" in item else {}
        wraps = [sampler.get(key, 10497) for key in ("wrapS", "wrapT")] if keeps_wraps else []
        return (image_bytes(scene, scene.json["images"][item["source"]]), info.get("texCoord", 0), wraps,
                np.round([*moved.get("offset", [0, 0]), moved.get("rotation", 0), *moved.get("scale", [1, 1])], 5).tolist())

    strength = material.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
    emission = material.get("emissiveFactor", [0] * 3)
    if max(emission) > 1:
        raise ValueError(f"glTF allows no emissiveFactor of {emission}")
    return {"numbers": np.round([*metallic.get("baseColorFactor", [1] * 4), metallic.get("metallicFactor", 1),
                                 metallic.get("roughnessFactor", 1), *(strength * np.array(emission)),
                                 material.get("normalTexture", {}).get("scale", 1),
                                 material.get("occlusionTexture", {}).get("strength", 1),
                                 material.get("alphaCutoff", 0.5)], 5).tolist(),
            "alpha": (material.get("alphaMode", "OPAQUE"), material.get("doubleSided", False)),
            "textures": [texture(metallic, "baseColorTexture"), texture(metallic, "metallicRoughnessTexture"),
                         *(texture(material, key) for key in ("normalTexture", "occlusionTexture", "emissiveTexture"))]}


class Materials(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "quads.gltf").write_text(json.dumps(quads()))
        self.ossa("convert", "quads.gltf", "quads.glb")

    def check_round(self, middle, *options, keeps_wraps=True):
        self.ossa("convert", "quads.glb", middle, *options)
        self.ossa("convert", middle, "back.glb")
        before, after = Scene(self.folder / "quads.glb"), Scene(self.folder / "back.glb")
        self.assertEqual(len(after.json["images"]), len(IMAGES))
        found = {material["name"]: material for material in after.json["materials"]}
        for material in before.json["materials"]:
            self.assertEqual(flat(found[material["name"]], after, keeps_wraps), flat(material, before, keeps_wraps), material["name"])
        self.check_corners(before, after)

    def check_corners(self, before, after):
        """where every corner is and its UV, by material"""
        def corners(scene):
            for primitive in scene.json["meshes"][0]["primitives"]:
                at = scene.numbers(primitive["indices"])[:, 0]
                name = scene.json["materials"][primitive["material"]]["name"]
                places, uvs = (scene.floats(primitive["attributes"][key])[at] for key in ("POSITION", "TEXCOORD_0"))
                yield from ((name, *row) for row in np.round(np.hstack([places, uvs]), 5).tolist())
        self.assertEqual(set(corners(after)), set(corners(before)))

    def test_specular_and_glossiness(self):
        """what other models have of them; glTF keeps them"""
        name = "KHR_materials_pbrSpecularGlossiness"
        root, shown = quads(), {"index": 1}
        glossy = {"diffuseFactor": [0.5, 0.25, 0.125, 0.75], "diffuseTexture": {"index": 0}, "specularFactor": [1, 0.5, 0], "glossinessFactor": 0.75}
        with_map = {"diffuseFactor": [0.5, 0.25, 0.125, 1], "specularGlossinessTexture": shown, "glossinessFactor": 0.5}
        root["extensionsUsed"].append(name)
        root["materials"] = [
            {"name": "glossy", "alphaMode": "BLEND", "extensions": {name: glossy}},
            {"name": "mapped", "extensions": {name: with_map}, "pbrMetallicRoughness": {"metallicFactor": 1}},
            {"name": "both", "extensions": {name: glossy}, "pbrMetallicRoughness": {"baseColorTexture": shown, "roughnessFactor": 0.5}}]
        (self.folder / "gloss.gltf").write_text(json.dumps(root))
        for middle in ("gloss.dae", "gloss.usda", "gloss.obj"):
            self.assertIn("specular colours of materials 3", self.ossa("convert", "gloss.gltf", middle).stderr, middle)
        self.ossa("convert", "gloss.dae", "back.glb")
        back = Scene(self.folder / "back.glb")
        found = {material["name"]: flat(material, back, False) for material in back.json["materials"]}
        for material, numbers, image in (("glossy", [0.5, 0.25, 0.125, 0.75, 0, 0.25], "base"), ("mapped", [0.5, 0.25, 0.125, 1, 0, 0.75], None),
                                         ("both", [1, 1, 1, 1, 1, 0.5], "normal")):
            self.assertEqual(found[material]["numbers"][:6], numbers, material)
            texture = found[material]["textures"][0]
            self.assertEqual(texture and texture[0], image and IMAGES[image], material)
        self.assertNotIn("specular", self.ossa("convert", "gloss.gltf", "gloss.glb").stderr)
        kept = Scene(self.folder / "gloss.glb").json["materials"]
        self.assertEqual(kept, root["materials"])

    def test_collada_of_both_versions(self):
        self.check_round("new.dae", "--collada", "1.5")
        self.check_round("old.dae", "--collada", "1.4.1")
        self.assertEqual(((self.folder / "new_base.png")).read_bytes(), IMAGES["base"])

    def test_fbx(self):
        self.ossa("convert", "quads.glb", "quads.fbx")
        if not self.reads_fbx("quads.fbx"):
            self.skipTest("this build has no FBX reader")
        self.check_round("quads.fbx", keeps_wraps=False)

    def recolor(self, names):
        """squares of the colours of COLORS; their materials have these names, None: no name"""
        root = quads()
        root["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": color}} | ({"name": name} if name is not None else {})
                             for name, color in zip(names, COLORS)]
        primitives = root["meshes"][0]["primitives"]
        root["meshes"][0]["primitives"] = [{**primitives[min(i, 2)], "material": i} for i in range(len(names))]
        (self.folder / "named.gltf").write_text(json.dumps(root))
        self.ossa("convert", "named.gltf", "named.glb")

    def colors_of(self, path):
        """the names of materials, and the colours of faces in their order"""
        scene = Scene(self.folder / path)
        materials = scene.json["materials"]
        of_faces = []
        for primitive in scene.json["meshes"][0]["primitives"]:
            color = materials[primitive["material"]]["pbrMetallicRoughness"].get("baseColorFactor", [1] * 4)
            of_faces.append((scene.floats(primitive["attributes"]["POSITION"])[:, 0].min(), np.round(color, 5).tolist()))
        return [material.get("name", "") for material in materials], of_faces

    def check_names(self, names, written):
        """materials of any names stay as many, and on their faces; files have them by `written`"""
        self.recolor(names)
        before = self.colors_of("named.glb")
        self.assertEqual([color for _, color in before[1]], COLORS[:len(names)])
        for middle in ("middle.obj", "middle.dae", "middle.fbx"):
            with self.subTest(middle, names=names):
                self.ossa("convert", "named.glb", middle)
                if middle.endswith(".fbx") and not self.reads_fbx(middle):
                    continue
                self.ossa("convert", middle, "back.glb")
                found, colors = self.colors_of("back.glb")
                self.assertEqual(found, written)
                self.assertEqual([color for _, color in colors], [color for _, color in before[1]])
        self.assertEqual(re.findall("newmtl (.*)", (self.folder / "middle.mtl").read_text()), written)
        self.ossa("convert", "named.glb", "middle.usda")
        self.assertEqual(re.findall('def Material "(.*)"', (self.folder / "middle.usda").read_text()), [re.sub(r"\W", "_", name) for name in written])

    def reads_fbx(self, path):
        probe = subprocess.run([str(OSSA), "inspect", path], cwd=self.folder, capture_output=True, text=True)
        return "this build has no FBX" not in probe.stderr

    def test_materials_of_one_name(self):
        self.check_names(["Material"] * 4, ["Material", "Material_2", "Material_3", "Material_4"])

    def test_materials_without_names(self):
        self.check_names([None, "", None, "b"], ["material", "material_2", "material_3", "b"])

    def test_materials_of_long_names(self):
        start = "m" * 63
        self.check_names([start + "a", start + "b"], [start, "m" * 40 + "_2"])

    def test_materials_of_other_names(self):
        self.check_names(["skin of Ann", "b", "material"], ["skin of Ann", "b", "material"])

    def test_long_names_in_obj(self):
        """a library's materials differ though they begin with the same 63 bytes"""
        start = "m" * 63
        (self.folder / "long.mtl").write_text("".join(f"newmtl {start}{end}\nKd {color}\n" for end, color in (("a", "1 0 0"), ("b", "0 1 0"))))
        (self.folder / "long.obj").write_text("mtllib long.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                                              f"usemtl {start}b\nf 1 2 3\nusemtl {start}a\nf 2 4 3\n")
        told = self.json("inspect", "--json", "long.obj")["materials"]
        self.assertEqual([material["color"] for material in told], [[0, 1, 0, 1], [1, 0, 0, 1]])

    def test_usd_mirrors_textures(self):
        self.ossa("convert", "quads.glb", "quads.usda")
        self.assertEqual((self.folder / "quads.usda").read_text().count('inputs:wrapT = "mirror"'), 1)

    def test_obj_says_that_it_cannot_mirror(self):
        told = self.ossa("convert", "quads.glb", "quads.obj").stderr
        self.assertIn("(2 materials)", told)
        self.assertIn("Ke 4 2 0", (self.folder / "quads.mtl").read_text())

    def test_written_again_beside_the_images(self):
        """images that are there already are named, not copied"""
        self.ossa("convert", "quads.glb", "first.dae", "--collada", "1.5")
        before = sorted(path.name for path in self.folder.glob("*.png"))
        self.ossa("convert", "first.dae", "second.dae", "--collada", "1.5")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.png")), before)
        self.assertIn("<ref>first_base.png</ref>", (self.folder / "second.dae").read_text())

    def test_valid_by_the_schemas(self):
        """Khronos' 1.5 leaves samplers empty by a restriction without content; its text has instance_image in them"""
        if not shutil.which("xmllint") or not SCHEMAS.is_dir():
            self.skipTest("no xmllint or no schemas")
        for version, options in (("1_5", ("--collada", "1.5")), ("1_4_1", ("--collada", "1.4.1"))):
            self.ossa("convert", "quads.glb", "quads.dae", *options)
            text = (SCHEMAS / f"collada_schema_{version}.xsd").read_text()
            for stub in SCHEMAS.iterdir():
                shutil.copy(stub, self.folder / stub.name)
            (self.folder / "schema.xsd").write_text(text.replace('<xs:restriction base="fx_sampler_type"/>', '<xs:extension base="fx_sampler_type"/>'))
            result = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", "schema.xsd", "quads.dae"],
                                    env={"XML_CATALOG_FILES": str(SCHEMAS / "catalog_stub.xml"), "PATH": "/usr/bin"}, capture_output=True,
                                    text=True, cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr[:2000])


if __name__ == "__main__":
    main()
