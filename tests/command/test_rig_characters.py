"""`ossa rig --character`: several characters of one topology get one skeleton and one set of weights, each its own joints and motions."""
import os

import numpy as np

from character_samples import Creature, write_obj, write_pc2
from harness import INPUT, USAGE, CommandTest, main

SIDES = {"man": "-l", "woman": "-r", "child": None}


def is_limb(name):
    return any(word in name for word in ("arm", "hand", "thigh", "shin", "foot", "toe"))


# where bones do not matter: few of them, and looking for a body takes most of the time
FEW = ("--bones", 4, "--body", "none")


class Characters(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        self.ossa("sample", "biped", "--faces", 2000, "--frames", 3, "-o", "biped", "-q")
        self.ossa("convert", "biped/truth.glb", "truth.json", "-q")
        made = type(self)
        made.creature, made.joints = Creature(self.folder / "truth.json", self.folder / "biped/rest.obj"), {}
        lengths = {"man": (1, 1, 1, 1), "woman": (0.85, 1.05, 95, 0.9), "child": (0.7, 0.9, 0.7, 0.95)}
        for seed, (name, (limbs, others, size, thickness)) in enumerate(lengths.items()):
            rest, joints = self.creature.shaped(lambda bone: limbs if is_limb(bone) else others, size, thickness)
            write_obj(self.folder / f"{name}.obj", rest, self.creature.faces)
            write_pc2(self.folder / f"{name}.pc2", self.creature.posed(rest, joints, lambda bone: self.moves(name, bone), 8, seed))
            self.joints[name] = joints / np.linalg.norm(np.ptp(rest, axis=0))

    def moves(self, name, bone):
        return bone.endswith(SIDES[name]) if SIDES[name] else bone[-2:] not in ("-l", "-r")

    words = ["rig", "man.obj", "man.pc2", "--character", "woman.obj,woman.pc2", "--character", "child.obj,child.pc2"]

    def rig(self, name):
        self.ossa("convert", name, "rig.json", "-q")
        return Creature(self.folder / "rig.json", self.folder / "biped/rest.obj")

    def refused(self, status, words, *command):
        before = sorted(path.name for path in self.folder.iterdir())
        self.assertIn(words, self.ossa(*command, expect=status).stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_one_tree_of_pieces_that_slide_is_told(self):
        for name, frames in (("a", 4), ("b", 6)):
            self.ossa("sample", "slides", "--faces", 1000, "--frames", frames, "-o", name, "-q")
        told = self.json("rig", "a/rest.obj", "a/pose-#.obj", "--character", "b/rest.obj,b/pose-#.obj", "-o", "a.glb", "--json")
        self.assertIn("bodies-joined", [warning["code"] for warning in told["warnings"]])

    def test_one_skeleton_for_three(self):
        told = self.json(*self.words, "--bones", 19, "-o", "crowd.glb", "--report", "crowd.json", "--json")
        files = ["crowd.glb", "crowd.json", "crowd-woman.glb", "crowd-woman.json", "crowd-child.glb", "crowd-child.json"]
        self.assertEqual(told["files"], files)
        self.assertEqual([one["frames"] for one in told["characters"]], [8, 8, 8])
        self.assertEqual(sum(one["base"] for one in told["characters"]), 1)
        self.assertLess(told["solved_rms_percent"], 2e-4)
        self.assertGreater(told["carried_rms_percent"], 50 * told["solved_rms_percent"])
        first, diagonal = self.rig("crowd.glb"), {}
        for name, file in (("man", "crowd.glb"), ("woman", "crowd-woman.glb"), ("child", "crowd-child.glb")):
            rig = self.rig(file)
            self.assertTrue((rig.weights == first.weights).all())
            self.assertEqual([(bone["name"], bone["parent"], bone["kind"]) for bone in rig.bones],
                             [(bone["name"], bone["parent"], bone["kind"]) for bone in first.bones])
            same = [int(np.abs(self.creature.weights - column[:, None]).sum(0).argmin()) for column in rig.weights.T]
            self.assertEqual(sorted(same), list(range(19)))
            self.assertLess(np.abs(rig.weights - self.creature.weights[:, same]).max(), 2e-3)
            rest = self.creature.rest if name == "man" else None
            diagonal[name] = None if rest is None else np.linalg.norm(np.ptp(rest, axis=0))
            # in own diagonals; the root's joint changes nothing
            size = np.linalg.norm(np.ptp(np.array([line.split()[1:] for line in (self.folder / f"{name}.obj").read_text().splitlines()
                                                   if line.startswith("v ")], float), axis=0))
            away = np.linalg.norm(rig.joints / size - self.joints[name][same], axis=1)
            self.assertLess(away[[bone["parent"] >= 0 for bone in rig.bones]].max(), 2e-3)
            compared = self.json("compare", "--json", file, f"{name}.obj", f"{name}.pc2")["metrics"]
            self.assertLess(compared["rms_percent"], 1e-3)
        # alone each has fewer bones
        alone = self.json("rig", "woman.obj", "woman.pc2", "--bones", 19, "-o", "alone.glb", "--json")
        self.assertLess(len(alone["bones"]), 12)
        # in print, the same bytes in another order
        done = self.ossa("rig", "child.obj", "child.pc2", "--character", "man.obj,man.pc2", "--character", "woman.obj,woman.pc2", "--bones", 19,
                         "-o", "other.glb")
        self.assertRegex(done.stdout, r"man\.obj: 8 poses, RMS")
        for one, other in (("crowd.glb", "other-man.glb"), ("crowd-woman.glb", "other-woman.glb"), ("crowd-child.glb", "other.glb")):
            self.assertEqual((self.folder / one).read_bytes(), (self.folder / other).read_bytes())

    def test_animated_files_and_one_that_does_not_move(self):
        self.ossa(*self.words, "--bones", 19, "--body", "none", "-o", "crowd.glb", "-q")
        told = self.json("rig", "crowd.glb", "--character", "crowd-child.glb", "--character", "woman.obj", "--body", "none", "-o", "a.glb", "-o", "a.fbx", "--json")
        self.assertEqual(told["files"][-2:], ["a-woman.glb", "a-woman.fbx"])
        self.assertEqual([one["frames"] for one in told["characters"]], [8, 8, 0])
        self.assertEqual([warning["code"] for warning in told["warnings"] if "woman.obj" in warning["message"]], ["still-character"])
        self.assertEqual(self.json("inspect", "--json", "a-woman.glb")["animations"], [])
        self.assertIn("no motion", self.ossa("rig", "man.obj", "man.pc2", "--character", "woman.obj", *FEW, "-o", "b.glb").stdout)

    def test_names_of_outputs(self):
        told = self.json("rig", "man.obj", "man.pc2", *["--character", "man.obj,man.pc2"] * 2, *FEW, "-o", "twins.glb", "--json")
        self.assertEqual(told["files"], ["twins.glb", "twins-2.glb", "twins-3.glb"])
        self.ossa("rig", "man.obj", "man.pc2", "--character", "child.obj,child.pc2", "--levels", 2, "--bones", 12, "--body", "none", "-q")
        for name in ("man-rigged", "man-rigged-lod1", "man-rigged-child", "man-rigged-child-lod1"):
            self.assertTrue((self.folder / f"{name}.glb").is_file())
        # a file with a comma in its name
        (self.folder / "a,b.obj").write_bytes((self.folder / "child.obj").read_bytes())
        self.ossa("rig", "man.obj", "man.pc2", "--character", "a,b.obj", *FEW, "-o", "c.glb", "-q")
        self.assertTrue((self.folder / "c-a,b.glb").is_file())

    def test_names_that_are_long_or_no_utf8(self):
        long, bad = "a" * 62 + "é", os.fsdecode(b"bad\xff")
        for name in (long, bad):
            (self.folder / f"{name}.obj").write_bytes((self.folder / "child.obj").read_bytes())
        told = self.json("rig", "man.obj", "man.pc2", "--character", f"{long}.obj", "--character", f"{bad}.obj", *FEW, "-o", "a.glb", "--json")
        files = ["a.glb", f"a-{'a' * 62}.glb", "a-bad?.glb"]
        self.assertEqual(told["files"], files)
        self.assertEqual(told["writes"], sorted(files))
        self.assertEqual([one["rest"] for one in told["characters"]], ["man.obj", f"{long}.obj", "bad?.obj"])
        self.assertTrue((self.folder / files[1]).is_file() and (self.folder / f"a-{bad}.glb").is_file())

    def test_endings_of_two_parts(self):
        self.ossa("rig", "man.obj", "man.pc2", "--character", "child.obj", "--levels", 2, "--bones", 12, "--body", "none", "-o", "a.weights.csv", "-q")
        self.assertTrue((self.folder / "a-child-lod1.weights.csv").is_file())

    def test_frames_in_which_nobody_moves(self):
        done = self.ossa("rig", "man.obj", "man.obj", "--character", "child.obj,child.obj", *FEW, "-o", "a.glb")
        self.assertRegex(done.stdout, r"child\.obj: 1 pose, RMS [^;]*; joints inside: [0-9.]+ %")
        self.assertNotIn("nan", done.stdout)

    def test_what_is_wrong_with_a_character_names_it(self):
        write_obj(self.folder / "flat.obj", np.ones_like(self.creature.rest), self.creature.faces)
        self.refused(INPUT, "flat.obj: all faces", "rig", "man.obj", "man.pc2", "--character", "flat.obj", "-o", "x.glb")
        # poses of its own, counted once
        told = self.json("rig", "man.obj", "man.pc2", "--character", "child.obj,flat.obj", *FEW, "-o", "x.glb", "--json")
        sizes = [warning for warning in told["warnings"] if warning["code"] == "pose-size"]
        self.assertEqual([warning["count"] for warning in sizes], [1])
        self.assertIn("child.obj: pose 1 is 0 times", sizes[0]["message"])

    def test_mirror_images(self):
        points, joints = self.creature.shaped(lambda bone: 1.1)
        bent = self.creature.posed(points, joints, lambda bone: is_limb(bone), 1, 5, 90)[0]
        write_obj(self.folder / "mirrored.obj", bent * [-1, 1, 1], self.creature.faces)
        write_obj(self.folder / "bent.obj", bent, self.creature.faces)
        told = self.json("rig", "man.obj", "--character", "bent.obj", "--character", "mirrored.obj", "-o", "a.glb", "--json")
        warnings = [warning["message"][:28] for warning in told["warnings"] if warning["code"] == "mirrored-character"]
        self.assertEqual(warnings, ["mirrored.obj is a mirror ima"])

    def test_other_topologies_are_refused(self):
        points, faces = self.creature.rest, self.creature.faces
        write_obj(self.folder / "order.obj", points, faces[::-1])
        other = [list(face) for face in faces]
        other[3][0] = other[400][0]
        write_obj(self.folder / "faces.obj", points, other)
        write_obj(self.folder / "fewer.obj", points, faces[:-1])
        self.ossa("sample", "tube", "--faces", 1000, "--frames", 1, "-o", "tube", "-q")
        for name, words in (("order.obj", "another order"), ("faces.obj", "not of one topology"),
                            ("fewer.obj", f"{len(faces) - 1} faces and man.obj has {len(faces)}"),
                            ("tube/rest.obj", f"vertices and man.obj has {len(points)}")):
            self.refused(INPUT, words, "rig", "man.obj", "man.pc2", "--character", name, "-o", "x.glb")

    def test_bad_words(self):
        pair = ["rig", "man.obj", "man.pc2", "--character", "woman.obj,woman.pc2", "-o", "x.glb"]
        for words in (["--with", "biped/truth.glb"], ["--forbid", "a,b"], ["--add-shapes", 3], ["--free-bones"], ["--twist", 1],
                      ["--symmetry", "detect"], ["--refine", 0], ["--reference", 2], ["--articulation", "face"]):
            self.refused(USAGE, words[0], *pair, *words)
        self.refused(USAGE, "a file name is missing", "rig", "man.obj", "--character", "woman.obj,", "-o", "x.glb")
        self.refused(USAGE, "written twice", *pair, "-o", "x-woman.glb")
        self.refused(INPUT, "nowhere.obj", "rig", "man.obj", "--character", "nowhere.obj", "-o", "x.glb")
        self.ossa("convert", "biped/truth.glb", "y-z.glb", "-q")
        self.refused(USAGE, "is an input too", "rig", "biped/truth.glb", "--character", "y-z.glb", "--character", "y-z.glb", "-o", "y-z.glb")


if __name__ == "__main__":
    main()
