"""`ossa rig --method volume` and `ossa inspect --voxels`: the paper's options, written stages, and meshes that have no volume, too many voxels, parts apart, thin limbs, huge numbers, boxes in boxes, faces inside out."""
import json
import math
import random
import subprocess
import sys
from pathlib import Path

from harness import INPUT, LIMIT, OSSA, USAGE, WRITE, CommandTest, main, some_of_each_folder, tube, tube_faces, write_obj

CORPUS = Path(__file__).resolve().parents[2].parent / "shared/corpus"
BOX = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]


def box(low, size):
    return [tuple(low[k] + corner[k] * size[k] for k in range(3)) for corner in CORNERS]


def joined(*boxes):
    vertices = [vertex for corners in boxes for vertex in corners]
    return vertices, [tuple(8 * i + corner for corner in face) for i in range(len(boxes)) for face in BOX]


class Volume(CommandTest):
    def mesh(self, vertices, faces, name="mesh.obj"):
        write_obj(self.folder / name, vertices, faces)
        return name

    def rig(self, name, *words):
        """the report of a rig, whose joints are finite and weights there"""
        told = self.json("rig", name, "--method", "volume", *words, "-o", "out.glb", "--json", "-q")
        self.assertEqual(told["method"], "volume")
        self.assertTrue(all(math.isfinite(x) for bone in told["bones"] for x in bone["joint"] + bone["tail"]))
        self.ossa("inspect", "out.glb", "-q")
        return told

    def codes(self, told):
        return {warning["code"] for warning in told["warnings"]}

    # ---- options ----

    def test_the_papers_parameters(self):
        name = self.mesh(tube(1.2, 48, 16), tube_faces(48, 16))
        words = ["--voxel-size", 0.02, "--exposure", 0.1, "--closeness", 0.05, "--min-fraction", 0.05, "--max-fraction", 0.4, "--tolerance", 0.05]
        paper = self.rig(name, *words, "--refine", 0)
        self.assertGreater(len(paper["bones"]), 2)
        # ends are not removed for a number of segments, with a warning; a larger closeness finds fewer
        self.assertIn("more-bones", self.codes(self.rig(name, *words, "--refine", 0, "--segments", 2)))
        fewer = self.rig(name, *words, "--closeness", 0.2, "--refine", 0, "--segments", 2)
        self.assertEqual(len(fewer["bones"]), 2)
        # without --refine 0 the paper's parameters have no part, which is told
        told = self.rig(name, "--segments", 4)
        self.assertIn("unused-options", self.codes(told))
        self.assertEqual(len(told["bones"]), len(self.rig(name)["bones"]))
        self.assertEqual(len(self.rig(name, "--bones", 6, "--symmetry", "off")["bones"]), 6)
        for option in ("voxel-size", "exposure", "closeness", "min-fraction", "max-fraction", "tolerance"):
            self.ossa("rig", name, "--method", "volume", f"--{option}", -1, "-o", "out.glb", expect=USAGE)
        for option in ("--joints", "--adaptive"):
            self.ossa("rig", name, "--method", "volume", option, "curve", "-o", "out.glb", expect=USAGE)
        self.ossa("rig", name, "--method", "volume", "--root", "top", "-o", "out.glb", expect=USAGE)
        self.ossa("rig", name, "--method", "contraction", "--voxel-size", 0.01, "-o", "out.glb", expect=USAGE)

    def test_options_choose_the_method(self):
        name = self.mesh(tube(0.5), tube_faces())
        self.assertEqual(self.json("rig", name, "--voxel-size", 0.03, "-o", "a.glb", "--json", "-q")["method"], "volume")
        told = self.json("rig", name, "-o", "a.glb", "--json", "-q")
        self.assertIn("inside", told["chosen"]["reason"])
        self.assertEqual(told["chosen"]["method"], told["method"])

    def test_options_choose_the_method_for_poses_too(self):
        rest, pose = self.mesh(tube(0), tube_faces(), "rest.obj"), self.mesh(tube(0.5), tube_faces(), "pose.obj")
        told = self.json("rig", rest, pose, "--voxel-size", 0.03, "-o", "a.glb", "--json", "-q")
        self.assertEqual((told["method"], told["frames"]), ("volume", 1))
        # both methods for one mesh have this one, so it names neither: nothing is left aside in silence
        error = self.ossa("rig", rest, pose, "--spurs", 3, "-o", "a.glb", expect=USAGE)
        self.assertIn("--method contraction or --method volume", error.stderr)
        error = self.ossa("rig", rest, pose, "--voxel-size", 0.03, "--alpha", 1, "-o", "a.glb", expect=USAGE)
        self.assertIn("no method has both", error.stderr)

    def test_options_of_different_methods_are_named(self):
        name = self.mesh(tube(0.5), tube_faces())
        told = self.ossa("rig", name, "--voxel-size", 0.03, "--pieces", "separate", "-o", "a.glb", expect=USAGE).stderr
        self.assertIn("--voxel-size", told)
        self.assertIn("--pieces", told)

    def test_the_table_of_voxels(self):
        name = self.mesh(tube(1.2, 48, 16), tube_faces(48, 16))
        told = self.json("inspect", name, "--voxels", "--voxel-size", 0.01, "--json")["voxels"]
        self.assertIn(max(told["grid"]), (100, 101))
        self.assertAlmostEqual(told["voxel_size"], 0.01, 6)
        self.assertGreater(told["interior"], told["medial"])
        self.assertGreater(told["segments"], 1)
        text = self.ossa("inspect", name, "--voxels", "--voxel-size", 0.01).stdout
        self.assertIn("x".join(map(str, told["grid"])), text)
        self.assertGreater(told["anchor_sets"], told["segments"])
        for word in ("voxels", "interior", "medial", "extremes", "paths", "segments", "anchors", "heart"):
            self.assertIn(word, text)
        (self.folder / "looks").mkdir()
        self.ossa("inspect", name, "--stages", "looks", "-q")
        self.assertEqual(sorted(path.name for path in (self.folder / "looks").iterdir()),
                         ["anchors.ply", "extremes.ply", "heart.ply", "medial.ply", "path-voxels.ply", "paths.obj", "segments.obj", "voxels.ply"])
        head = (self.folder / "looks/anchors.ply").read_bytes().split(b"end_header")[0].decode()
        self.assertIn("property list uint uint segments", head)
        self.assertIn("property uchar blue", head)
        self.ossa("inspect", name, "--stages", "nowhere", expect=WRITE)

    # ---- bad input ----

    def test_nothing_to_fill(self):
        line = self.mesh([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)])
        self.assertIn("area", self.ossa("rig", line, "--method", "volume", "-o", "out.glb", expect=INPUT).stderr)
        self.assertFalse((self.folder / "out.glb").exists())

    def test_flat_things_get_a_rig(self):
        triangle = self.mesh([(0, 0, 0), (3, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        self.rig(triangle)
        self.assertIn("paper-surface", self.codes(self.rig(triangle, "--refine", 0)))
        sheet = [(x / 10, y / 10, 0) for y in range(11) for x in range(21)]
        faces = [(21 * y + x, 21 * y + x + 1, 21 * y + x + 22, 21 * y + x + 21) for y in range(10) for x in range(20)]
        self.rig(self.mesh(sheet, faces))

    def test_too_small_voxels(self):
        name = self.mesh(*joined(box((0, 0, 0), (1, 1, 1))))
        told = self.ossa("rig", name, "--method", "volume", "--voxel-size", 0.0001, "-o", "out.glb", expect=LIMIT).stderr
        self.assertRegex(told, r"0[.]\d+")

    def test_parts_apart(self):
        name = self.mesh(*joined(box((0, 0, 0), (1, 4, 1)), box((6, 0, 0), (0.5, 1, 0.5))))
        told = self.rig(name)
        self.assertIn("voxel-parts", self.codes(told))
        self.assertIn("paper-pieces", self.codes(self.rig(name, "--refine", 0)))
        parts = self.json("inspect", name, "--voxels", "--json")["voxels"]
        self.assertEqual(parts["parts"], 2)
        self.assertGreater(parts["left_out"], 0)

    def test_limbs_as_thin_as_a_voxel(self):
        # a body with four legs thinner than one voxel of the size asked for
        legs = [box((x, -3, z), (0.02, 3.1, 0.02)) for x in (0.1, 2.8) for z in (0.1, 0.8)]
        name = self.mesh(*joined(box((0, 0, 0), (3, 1, 1)), *legs))
        for words in ([], ["--voxel-size", 0.02], ["--refine", 0]):
            told = self.rig(name, *words)
            low = min(min(bone["joint"][1], bone["tail"][1]) for bone in told["bones"])
            self.assertLess(low, -2, words)

    def test_huge_numbers(self):
        vertices, faces = tube(0.8), tube_faces()
        usual = self.rig(self.mesh(vertices, faces))
        big = "\n".join(["v %r %r %r" % tuple(1e30 * x for x in vertex) for vertex in vertices] +
                        ["f " + " ".join(str(i + 1) for i in face) for face in faces])
        (self.folder / "big.obj").write_text(big + "\n")
        self.assertEqual(len(self.rig("big.obj")["bones"]), len(usual["bones"]))

    def test_a_box_in_a_box(self):
        inner = box((0.4, 1.5, 0.4), (0.2, 1, 0.2))
        name = self.mesh(*joined(box((0, 0, 0), (1, 4, 1)), inner))
        told = self.rig(name)
        self.assertEqual(told["hierarchy"]["joints_inside"], 1)

    def test_inside_out(self):
        vertices, faces = tube(0.8, 32, 12), tube_faces(32, 12)
        right = self.rig(self.mesh(vertices, faces))
        wrong = self.rig(self.mesh(vertices, [face[::-1] for face in faces]))
        self.assertEqual([bone["parent"] for bone in right["bones"]], [bone["parent"] for bone in wrong["bones"]])

    def test_a_soup(self):
        # every face by itself, a tenth of them missing, in any order and sense
        random.seed(5)
        self.ossa("sample", "octopus", "--faces", 4000, "--frames", 1, "-o", "octopus", "-q")
        lines = (self.folder / "octopus/rest.obj").read_text().splitlines()
        points = [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]
        faces = [[int(word.split("/")[0]) - 1 for word in line.split()[1:]] for line in lines if line.startswith("f ")]
        random.shuffle(faces)
        vertices, soup = [], []
        for face in faces[len(faces) // 50:]:
            soup.append(tuple(range(len(vertices), len(vertices) + len(face))))
            vertices += [tuple(x + random.uniform(-1e-3, 1e-3) for x in points[i]) for i in face]
        told = self.rig(self.mesh(vertices, soup))
        children = {bone["parent"] for bone in told["bones"]}
        ends = sum(i not in children for i in range(len(told["bones"])))
        self.assertIn(ends, range(8, 12))
        self.assertGreaterEqual(told["hierarchy"]["joints_inside"], 0.95)

    def test_corpus(self):
        files = sorted(path for path in (CORPUS / "static").rglob("*") if path.suffix in (".obj", ".ply", ".off", ".stl"))
        if not files:
            self.skipTest("skipped: ../shared/corpus is not there")
        rigged = 0
        for path in some_of_each_folder(files, 1):
            if subprocess.run([OSSA, "inspect", path, "-q"], capture_output=True).returncode != 0:
                continue
            facts = self.json("inspect", path, "--json")["mesh"]
            told = self.rig(path)
            rigged += 1
            closed = facts["border_edges"] + facts["crowded_edges"] == 0 and facts["pieces"] == 1
            inside = told["hierarchy"]["joints_inside"]
            if facts["volume"] != 0 and (closed or facts["faces"] > 20):
                self.assertGreaterEqual(inside, 1 if closed else 0.95, f"{path.name}: {inside}")
        print(f"{rigged} files were rigged", file=sys.stderr)


main()
