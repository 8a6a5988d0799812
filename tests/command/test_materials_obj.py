"""How a surface looks goes from format to format: materials, textures, images, and what `ossa inspect` says of them."""
import json
import re
import struct

from harness import DONE, CommandTest, main, png, tube, tube_faces

SKIN, METAL, NORMAL = png(200, 100, 50, 4, 2), png(0, 128, 255), png(128, 128, 255)

LIBRARY = """# by hand
newmtl skin of Ann
Kd 0.5 0.25 1
Pr 0.75
Pm 0.5
map_Kd -o 0.5 0.25 0 -s 2 3 1 maps/skin ä 50%.png
map_Pr -imfchan g maps/metal.png
map_Pm -imfchan b maps/metal.png
norm -bm 0.5 C:\\art\\normal.png
newmtl glass
Kd 1 1 1
Ke 0.25 0.5 1
Ns 250
d 0.5
"""


def glb_json(path):
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def glb_images(path):
    root, binary = glb_json(path)
    views = [root["bufferViews"][image["bufferView"]] for image in root.get("images", [])]
    return [binary[view.get("byteOffset", 0):view.get("byteOffset", 0) + view["byteLength"]] for view in views]


class Materials(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "maps").mkdir()
        (self.folder / "maps" / "skin ä 50%.png").write_bytes(SKIN)
        (self.folder / "maps" / "metal.png").write_bytes(METAL)
        (self.folder / "normal.png").write_bytes(NORMAL)
        (self.folder / "my lib.mtl").write_text(LIBRARY)
        vertices, faces = tube(0.6), tube_faces()
        lines = ["mtllib my lib.mtl"] + [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
        lines += [f"vt {x / 4 + 0.5:.6f} {y / 4 + 0.5:.6f}" for x, y, z in vertices]
        for name, part in (("skin of Ann", faces[:100]), ("glass", faces[100:])):
            lines += [f"usemtl {name}"] + ["f " + " ".join(f"{i + 1}/{i + 1}" for i in face) for face in part]
        (self.folder / "a.obj").write_text("\n".join(lines) + "\n")

    def assert_materials(self, path):
        root, _ = glb_json(path)
        skin, glass = root["materials"]
        self.assertEqual((skin["name"], glass["name"]), ("skin of Ann", "glass"))
        surface = skin["pbrMetallicRoughness"]
        self.assertEqual(surface["baseColorFactor"], [0.5, 0.25, 1, 1])
        self.assertEqual((surface["metallicFactor"], surface["roughnessFactor"]), (0.5, 0.75))
        self.assertEqual(surface["baseColorTexture"]["extensions"]["KHR_texture_transform"]["scale"], [2, 3])
        self.assertEqual(skin["normalTexture"]["scale"], 0.5)
        self.assertEqual((glass["alphaMode"], glass["pbrMetallicRoughness"]["baseColorFactor"]), ("BLEND", [1, 1, 1, 0.5]))
        self.assertEqual(glass["emissiveFactor"], [0.25, 0.5, 1])
        self.assertAlmostEqual(glass["pbrMetallicRoughness"]["roughnessFactor"], 0.5)
        self.assertEqual(glb_images(path), [SKIN, METAL, NORMAL])

    def test_obj_to_glb_and_back(self):
        self.ossa("convert", "a.obj", "b.glb")
        self.assert_materials(self.folder / "b.glb")
        self.ossa("convert", "b.glb", "c.obj")
        library = (self.folder / "c.mtl").read_text()
        self.assertIn("map_Kd -o 0.5 0.25 0 -s 2 3 1 c_skin", library)
        self.assertEqual((self.folder / "c_metal.png").read_bytes(), METAL)
        self.ossa("convert", "c.obj", "d.glb")
        self.assert_materials(self.folder / "d.glb")
        self.ossa("convert", "d.glb", "c.obj")
        self.assertEqual((self.folder / "c.mtl").read_text(), library)
        self.assertEqual([name for name in self.files() if name.startswith("c")],
                         ["c.mtl", "c.obj", "c_metal.png", "c_normal.png", "c_skin_ä_50_.png"])

    def test_a_rigged_obj(self):
        self.ossa("rig", "a.obj", "-o", "rig.glb", "-o", "rig.usda", "--method", "contraction", "--body", "none", "-q")
        self.assert_materials(self.folder / "rig.glb")
        text = (self.folder / "rig.usda").read_text()
        self.assertEqual(sorted(set(re.findall("inputs:file = @(.*)@", text))),
                         ["./maps/metal.png", "./maps/skin ä 50%.png", "./normal.png"])
        self.assertEqual(text.count("rel material:binding"), 2)

    def test_files_in_another_folder(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "metal.png").write_bytes(b"mine")
        for _ in range(2):
            self.ossa("convert", "a.obj", "out/a.obj")
            self.ossa("convert", "a.obj", "out/a.usda")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["a.mtl", "a.obj", "a.usda", "metal-2.png", "metal.png", "normal.png", "skin ä 50%.png"])
        self.assertEqual((self.folder / "out" / "metal.png").read_bytes(), b"mine")
        self.assertEqual((self.folder / "out" / "metal-2.png").read_bytes(), METAL)
        self.ossa("convert", "out/a.obj", "b.glb")
        self.assert_materials(self.folder / "b.glb")

    def test_pieces_that_are_missing(self):
        (self.folder / "normal.png").unlink()
        told = self.ossa("convert", "a.obj", "b.glb")
        self.assertIn("images that it names are not beside it", told.stderr)
        (self.folder / "my lib.mtl").unlink()
        told = self.ossa("convert", "a.obj", "b.glb")
        self.assertIn("material libraries that it names are not beside it", told.stderr)
        self.assertIn("my lib.mtl", told.stderr)
        self.assertEqual([material["name"] for material in glb_json(self.folder / "b.glb")[0]["materials"]], ["skin of Ann", "glass"])

    def test_inspect(self):
        told = self.json("inspect", "--json", "a.obj")
        skin, glass = told["materials"]
        self.assertEqual((skin["name"], skin["color"], skin["metallic"], skin["alpha"]), ("skin of Ann", [0.5, 0.25, 1, 1], 0.5, "opaque"))
        self.assertEqual((glass["alpha"], glass["textures"]), ("blend", {}))
        self.assertEqual(skin["textures"], {"base_color": {"image": 0, "uv_set": 0}, "metallic_roughness": {"image": 2, "uv_set": 0},
                                            "normal": {"image": 1, "uv_set": 0}})
        image = told["images"][0]
        self.assertEqual((image["type"], image["bytes"], image["width"], image["height"]), ("image/png", len(SKIN), 4, 2))
        self.assertEqual(image["file"], "maps/skin ä 50%.png")
        self.assertEqual((told["mesh"]["materials"], told["mesh"]["uv_sets"]), (2, 1))
        text = self.ossa("inspect", "a.obj").stdout
        for words in ("color 0.5 0.25 1, metallic 0.5, roughness 0.75", "blend 0.5", "image/png", "4 x 2", "base_color skin"):
            self.assertIn(words, text)
        # images inside a file, and a mesh of names alone
        self.ossa("convert", "a.obj", "b.glb")
        self.assertNotIn("file", {key for key, value in self.json("inspect", "--json", "b.glb")["images"][0].items() if value})
        (self.folder / "my lib.mtl").unlink()
        told = self.json("inspect", "--json", "a.obj")
        self.assertEqual((told["materials"], told["images"]), ([{"name": "skin of Ann"}, {"name": "glass"}], []))
        self.assertEqual(self.ossa("inspect", "a.obj", expect=DONE).stdout.count("skin of Ann"), 1)


if __name__ == "__main__":
    main()
