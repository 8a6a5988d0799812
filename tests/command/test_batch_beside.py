"""`ossa batch`: files beside outputs. Images of one name are each output's own, in any order of the work."""
import json
import os
import shutil

from batch_case import OPTIONS, WORDS, BatchTest
from harness import main, png

COLORS = {"a": (255, 0, 0), "b": (0, 255, 0)}
ENDINGS = ["dae", "usda", "gltf"]


class Beside(BatchTest):
    def write_textured(self, name, color, image="skin.png"):
        """a mesh NAME/NAME.obj whose material has the image beside it; as glTF, too"""
        self.write_mesh(f"{name}/{name}.obj")
        path = self.folder / f"{name}/{name}.obj"
        path.write_text(f"mtllib {name}.mtl\nusemtl skin\n" + path.read_text().replace("\nf ", "\nvt 0 0\nf ", 1))
        lines = [line if not line.startswith("f ") else "f " + " ".join(f"{i}/1" for i in line.split()[1:])
                 for line in path.read_text().splitlines()]
        path.write_text("\n".join(lines) + "\n")
        (path.parent / f"{name}.mtl").write_text(f"newmtl skin\nmap_Kd {image}\n")
        (path.parent / image).write_bytes(png(*color))
        gltf = path.with_suffix(".gltf")
        self.ossa("convert", path, gltf, "-q")
        scene = json.loads(gltf.read_text())
        scene["images"] = [{"uri": image}]
        gltf.write_text(json.dumps(scene))

    def write_textured_assets(self):
        for name, color in COLORS.items():
            self.write_textured(name, color)
        lines = []
        for name in COLORS:
            for ending in ENDINGS:
                source = f"{name}/{name}.{'gltf' if ending == 'gltf' else 'obj'}"
                lines.append({"id": f"{name}-{ending}", "input": source, "output": f"out/{name}.{ending}", "options": OPTIONS})
        self.write_lines(*lines)
        return lines

    def images(self):
        return {path.name: path.read_bytes() for path in (self.folder / "out").glob("*.png")}

    def everything(self):
        return {path.name: path.read_bytes() for path in (self.folder / "out").iterdir() if not path.name.endswith(".json")}

    def test_images_of_one_name(self):
        lines = self.write_textured_assets()
        self.batch("--jobs", 4)
        wanted = {f"{name}.{ending}.skin.png": png(*color) for name, color in COLORS.items() for ending in ENDINGS}
        self.assertEqual(self.images(), wanted)
        for name in COLORS:
            for ending in ENDINGS:
                self.assertIn(f"{name}.{ending}.skin.png", (self.folder / f"out/{name}.{ending}").read_text())
        # the same bytes in another order, beside what was there
        first = self.everything()
        shutil.rmtree(self.folder / "out")
        for line in reversed(lines):
            self.write_lines(line)
            self.batch("--jobs", 1)
        self.assertEqual(self.everything(), first)

    def test_the_same_bytes_as_of_ossa_rig(self):
        self.write_textured("a", COLORS["a"])
        self.write_lines({"id": "a", "input": "a/a.obj", "output": "out/a.dae", "options": OPTIONS})
        self.batch()
        made = self.everything()
        shutil.rmtree(self.folder / "out")
        os.mkdir(self.folder / "out")
        self.ossa("rig", "a/a.obj", "-o", "out/a.dae", *WORDS, "--image-names", "output", "-q")
        now = self.everything()
        self.assertEqual({name: data for name, data in now.items() if name.endswith(".png")}, {"a.dae.skin.png": png(*COLORS["a"])})
        self.assertEqual(sorted(now), sorted(made))
        # without it the name of the source stays, and nothing is written over
        self.ossa("rig", "a/a.obj", "-o", "out/b.dae", *WORDS, "-q")
        self.assertEqual((self.folder / "out/skin.png").read_bytes(), png(*COLORS["a"]))

    def test_an_image_that_changes_is_written_over(self):
        self.write_textured_assets()
        self.batch()
        (self.folder / "a/skin.png").write_bytes(png(9, 9, 9))
        self.assertEqual(self.batch()["done"], len(ENDINGS))
        images = self.images()
        self.assertEqual(len(images), len(COLORS) * len(ENDINGS))
        for ending in ENDINGS:
            self.assertEqual(images[f"a.{ending}.skin.png"], png(9, 9, 9))
            self.assertEqual(images[f"b.{ending}.skin.png"], png(*COLORS["b"]))

    def test_files_beside_are_made_again_where_they_are_gone(self):
        self.write_textured_assets()
        self.batch()
        line = self.report()["b-gltf"]
        self.assertEqual([file["path"] for file in line["beside"]], ["out/b.bin", "out/b.gltf.skin.png"])
        self.assertEqual([file["path"] for file in line["outputs"]], ["out/b.gltf"])
        self.assertEqual(self.batch()["skipped"], len(COLORS) * len(ENDINGS))
        (self.folder / "out/b.gltf.skin.png").unlink()
        (self.folder / "out/a.bin").unlink()
        (self.folder / "out/b.dae.skin.png").write_bytes(b"")
        self.assertEqual(self.batch()["done"], 3)
        self.assertEqual(self.images()["b.dae.skin.png"], png(*COLORS["b"]))
        # the same size is taken for the same contents, unless all bytes are compared
        (self.folder / "out/b.dae.skin.png").write_bytes(png(*COLORS["a"]))
        self.assertEqual(self.batch()["skipped"], len(COLORS) * len(ENDINGS))
        self.assertEqual(self.batch("--verify")["done"], 1)

    def test_images_and_materials_that_come_later(self):
        self.write_textured("a", COLORS["a"])
        self.ossa("convert", "a/a.obj", "a/a.dae", "-q")
        self.write_lines(*({"id": ending, "input": f"a/a.{ending}", "output": f"out/{ending}.glb", "options": OPTIONS} for ending in ("obj", "dae")))
        (self.folder / "a/skin.png").rename(self.folder / "skin.png")
        (self.folder / "a/a.mtl").rename(self.folder / "a.mtl")
        self.batch()
        self.assertIn("image-missing", str(self.report()["dae"]["warnings"]))
        self.assertEqual(self.batch()["skipped"], 2)
        # without its library the OBJ file names no image
        (self.folder / "skin.png").rename(self.folder / "a/skin.png")
        self.assertEqual(self.batch()["done"], 1)
        self.assertNotIn("image-missing", str(self.report()["dae"]["warnings"]))
        (self.folder / "a.mtl").rename(self.folder / "a/a.mtl")
        self.assertEqual(self.batch()["done"], 1)
        for ending in ("obj", "dae"):
            self.assertIn(png(*COLORS["a"]), (self.folder / f"out/{ending}.glb").read_bytes())

    def test_what_a_killed_process_has_left_goes(self):
        self.write_textured_assets()
        self.batch()
        (self.folder / "out/a.dae.ossa.lock").write_text("elsewhere 1-2-3 pid:[1] 77 1000 5.0")
        left = [self.folder / f"out/a.dae{middle}.tmp77" for middle in ("", ".skin.png")]
        others = [self.folder / f"out/{name}" for name in ("a.dae.b.glb.tmp77", "a.daex.tmp77", "a.dae.tmpx", "a.dae.x.y.png.tmp7")]
        for path in left + others:
            path.write_bytes(b"")
        (self.folder / "out/a.dae.ossa.json").unlink()
        self.batch("--lock-seconds", 5)
        self.assertEqual([path for path in left if path.exists()], [])
        self.assertEqual([path for path in others if not path.exists()], [])


if __name__ == "__main__":
    main()
