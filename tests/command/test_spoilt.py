"""`ossa rig --method contraction` on real-world meshes: 16 damaged variants of one creature, and every mesh of ../shared/corpus/static and hostile if it exists. The result is a usable rig, with warnings, or one clear line."""
import json
import subprocess
import sys
from pathlib import Path

from harness import LONG, OSSA, CommandTest, main, some_of_each_folder

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/quality"))
try:
    import numpy as np
    import shapes
    from skeletons import winding
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

CORPUS = ROOT.parent / "shared/corpus"
SECONDS = 120
LEAST_WEIGHT = 1e-4


class Spoilt(CommandTest):
    maxDiff = None

    def rig(self, path, *options):
        """the rig's file and the codes of its warnings; None where it was refused in one line"""
        done = subprocess.run([OSSA, "rig", path, "--method", "contraction", *options, "-o", "rig.json", "-o", "rig.glb", "--json"],
                              capture_output=True, cwd=self.folder, timeout=SECONDS)
        errors = [line for line in done.stderr.decode(errors="replace").splitlines() if ": warning: " not in line]
        self.assertIn(done.returncode, (0, 3), f"{path}: {errors[-5:]}")
        self.assertEqual(len(errors), 0 if done.returncode == 0 else 1, f"{path}: {errors[-5:]}")
        if done.returncode == 3:
            return None
        self.assertEqual(subprocess.run([OSSA, "inspect", "rig.glb"], capture_output=True, cwd=self.folder).returncode, 0, path)
        codes = {warning["code"] for warning in json.loads(done.stdout)["warnings"]}
        return json.loads((self.folder / "rig.json").read_text()), codes

    def faults(self, rig, codes, used, closed=None):
        """what is wrong with a rig and not said; `closed`: points and faces that its joints should be inside"""
        numbers = [x for bone in rig["bones"] for x in bone["joint"] + bone["tail"]]
        if not all(abs(x) < 1e30 for x in numbers):
            yield "a place that is no number"
        sums = [sum(weight for _, weight in pairs) for pairs in rig["weights"]]
        if any(abs(total - 1) > 1e-5 for vertex, total in enumerate(sums) if vertex in used):
            yield "vertices without weights"
        moving = {bone for vertex, pairs in enumerate(rig["weights"]) for bone, weight in pairs if weight > LEAST_WEIGHT and vertex in used}
        empty = len(rig["bones"]) - len(moving)
        if empty and not any("bone" in code for code in codes):
            yield f"{empty} of {len(rig['bones'])} bones without vertices"
        if closed is not None and not any("outside" in code for code in codes):
            points, faces = closed
            joints = np.array([bone["joint"] for bone in rig["bones"]])
            outside = int((np.abs(winding(joints, points, faces)) < 0.5).sum())
            if outside:
                yield f"{outside} of {len(joints)} joints outside"

    def test_spoilt_variants(self):
        self.ossa("sample", "biped", "--faces", 3000, "--frames", 1, "-o", "biped", "-q")
        points, faces = shapes.read_obj(self.folder / "biped/rest.obj")
        told = []
        for number, (name, spoil) in enumerate(shapes.SPOILT.items()):
            if number % 2 and not LONG:
                continue
            spoilt = spoil(points, faces)
            path = self.folder / (name.replace(" ", "-") + ".obj")
            shapes.write_obj(path, *spoilt)
            result = self.rig(path.name)
            if result is None:
                self.assertEqual(name, "flat sheet", "refused")
                continue
            # inside is decided by the undamaged shape, as far as the damaged one covers it
            whole = {"x 0.001": 0.001, "x 1000": 1000}.get(name, 1) * points, faces
            if name == "far away":
                whole = spoilt
            if name == "noise":
                whole = spoilt
            if name == "floating outside":
                whole = spoilt
            told += [f"{name}: {fault}" for fault in self.faults(*result, set(spoilt[1].ravel().tolist()), None if name == "flat sheet" else whole)]
        self.assertEqual(told, [])

    def test_corpus(self):
        files = sorted(path for group in ("static", "hostile") for path in (CORPUS / group).rglob("*") if path.is_file())
        if not files:
            self.skipTest("skipped: ../shared/corpus is not there")
        rigged, told = 0, []
        for path in some_of_each_folder(files, 3):
            if path.suffix in (".json", ".md", ".txt", ".mtl", ".png", ".jpg", ".bin"):
                continue
            # a coarse variant is enough to find failures, and several times faster
            result = self.rig(path, "--proxy-size", "1500")
            if result is None:
                self.assertFalse((self.folder / "rig.glb").exists(), path)
                continue
            rigged += 1
            mesh = json.loads(self.ossa("inspect", "--json", path).stdout)["mesh"]
            self.ossa("convert", path, "mesh.obj", "-q")
            points, faces = shapes.read_obj(self.folder / "mesh.obj")
            # winding numbers of faces that look to both sides mean nothing
            mixed = any("mixed-faces" in code for code in result[1])
            closed = not mixed and mesh["border_edges"] + mesh["crowded_edges"] == 0 and abs(mesh["volume"]) > 0
            whole = (points, faces) if closed and len(points) == len(result[0]["weights"]) else None
            told += [f"{path.name}: {fault}" for fault in self.faults(*result, set(faces.ravel().tolist()), whole)]
            (self.folder / "rig.glb").unlink()
        print(f"{rigged} files were rigged", file=sys.stderr)
        self.assertEqual(told, [])


main()
