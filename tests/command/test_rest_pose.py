"""`--rest-pose` of `ossa rig` and `ossa convert`: files in an exact T or A, read by code of their own, and the way back."""
import json
import math
import struct
import sys
from pathlib import Path

import numpy as np
from gltf_scene import Scene
from harness import INPUT, USAGE, CommandTest, main
from lod_scene import save

SHARED = Path(__file__).resolve().parents[3] / "shared"
ARM = [("upperarm", "lowerarm"), ("lowerarm", "hand")]
LEG = [("thigh", "calf"), ("calf", "foot")]


class Glb:
    """joints, vertices and motion of a GLB, by the nodes and by the inverse bind matrices"""

    def __init__(self, path):
        data = path.read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        self.json, self.binary = json.loads(data[20:20 + size]), data[20 + size + 8:]
        skin = self.json["skins"][0]
        self.names = [self.json["nodes"][n]["name"] for n in skin["joints"]]
        self.world, parent = {}, {c: i for i, n in enumerate(self.json["nodes"]) for c in n.get("children", [])}
        for n in range(len(self.json["nodes"])):
            self.place(n, parent)
        self.joint = {name: [row[3] for row in self.world[n]] for name, n in zip(self.names, skin["joints"])}
        binds = self.accessor(skin["inverseBindMatrices"])
        self.bound = {name: self.origin(binds[16 * i:16 * i + 16]) for i, name in enumerate(self.names)}
        primitive = self.json["meshes"][0]["primitives"][0]
        numbers = self.accessor(primitive["attributes"]["POSITION"])
        self.vertices = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]

    def place(self, node, parent):
        """world matrices: three rows"""
        if node in self.world:
            return
        x, y, z, w = self.json["nodes"][node].get("rotation", [0, 0, 0, 1])
        t = self.json["nodes"][node].get("translation", [0, 0, 0])
        own = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t[0]],
               [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t[1]],
               [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t[2]]]
        if node in parent:
            self.place(parent[node], parent)
            up = self.world[parent[node]]
            own = [[sum(up[i][k] * own[k][j] for k in range(3)) + (up[i][3] if j == 3 else 0) for j in range(4)] for i in range(3)]
        self.world[node] = own

    @staticmethod
    def origin(m):
        """where a rigid inverse bind matrix, by columns, takes to 0"""
        return [-sum(m[4 * i + k] * m[12 + k] for k in range(3)) for i in range(3)]

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        assert accessor["componentType"] == 5126
        begin, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", 4 * width)
        return [x for i in range(accessor["count"]) for x in struct.unpack_from(f"<{width}f", self.binary, begin + i * stride)]

    def motion(self):
        animation = self.json["animations"][0]
        return [(c["target"], self.accessor(animation["samplers"][c["sampler"]]["output"])) for c in animation["channels"]]

    def direction(self, a, b):
        along = [q - p for p, q in zip(self.joint[a], self.joint[b])]
        return [x / math.hypot(*along) for x in along]


def apart(a, b):
    return max(math.dist(p, q) for p, q in zip(a, b, strict=True))


class RestPose(CommandTest):
    """a biped with its arms down, rigged from one mesh, and its motion"""

    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        self.ossa("sample", "biped", "-o", ".", "--faces", 3000, "--frames", 3, "-q")
        self.ossa("rig", "rest.obj", "-o", "man.glb", "-q")
        self.ossa("rig", "--skeleton", "man.glb", "pose-1.obj", "pose-2.obj", "pose-3.obj", "-o", "moving.glb", "-q")

    def glb(self, name):
        return Glb(self.folder / name)

    def assert_pose(self, glb, pose):
        for name in glb.names:
            self.assertLess(math.dist(glb.joint[name], glb.bound[name]), 1e-5, name)
        for sign, side in (1, "_L"), (-1, "_R"):
            half = math.sqrt(0.5)
            goal = [sign, 0, 0] if pose == "t" else [sign * half, -half, 0]
            for a, b in ARM:
                self.assertLess(math.dist(glb.direction(a + side, b + side), goal), 1e-5, a)
            for a, b in LEG:
                self.assertLess(math.dist(glb.direction(a + side, b + side), [0, -1, 0]), 1e-5, a)

    def test_poses_are_exact_and_stand_on_the_ground(self):
        before = self.glb("man.glb")
        for pose in "ta":
            self.ossa("convert", "man.glb", "posed.glb", "--rest-pose", pose)
            posed = self.glb("posed.glb")
            self.assert_pose(posed, pose)
            self.assertAlmostEqual(min(v[1] for v in posed.vertices), min(v[1] for v in before.vertices), places=5)
            self.ossa("rig", "rest.obj", "-o", "made.glb", "--rest-pose", pose, "-q")
            self.assert_pose(self.glb("made.glb"), pose)

    def test_the_mesh_comes_back(self):
        self.ossa("convert", "man.glb", "t.glb", "--rest-pose", "t")
        self.ossa("convert", "t.glb", "a.glb", "--rest-pose", "a")
        self.ossa("convert", "a.glb", "back.glb", "--rest-pose", "modelled")
        before, back = self.glb("man.glb"), self.glb("back.glb")
        self.assertGreater(apart(before.vertices, self.glb("t.glb").vertices), 0.1)
        self.assertLess(apart(before.vertices, back.vertices), 1e-5)
        self.assertLess(max(math.dist(before.joint[n], back.joint[n]) for n in before.names), 1e-5)

    def test_what_is_in_the_pose_does_not_change(self):
        self.ossa("convert", "man.glb", "t.glb", "--rest-pose", "t")
        self.ossa("convert", "t.glb", "again.glb", "--rest-pose", "t")
        self.ossa("convert", "t.glb", "kept.glb", "--rest-pose", "keep")
        self.assertEqual((self.folder / "again.glb").read_bytes(), (self.folder / "kept.glb").read_bytes())

    def test_the_motion_stays(self):
        self.ossa("convert", "moving.glb", "kept.glb")
        self.ossa("convert", "moving.glb", "t.glb", "--rest-pose", "t")
        self.assertEqual(self.glb("kept.glb").motion(), self.glb("t.glb").motion())

    def test_a_frame_becomes_the_rest(self):
        self.ossa("convert", "moving.glb", "frame.glb", "--rest-pose", 2)
        self.ossa("convert", "frame.glb", "back.glb", "--rest-pose", "modelled")
        before, frame = self.glb("moving.glb"), self.glb("frame.glb")
        self.assertGreater(apart(before.vertices, frame.vertices), 0.01)
        self.assertLess(apart(before.vertices, self.glb("back.glb").vertices), 1e-5)
        self.assertIn("no frame 9", self.ossa("convert", "moving.glb", "x.glb", "--rest-pose", 9, expect=USAGE).stderr)

    def test_other_formats_have_the_pose(self):
        self.ossa("convert", "moving.glb", "t.glb", "--rest-pose", "t")
        wanted = self.glb("t.glb")
        for name in ("t.dae", "t.gltf", "t.bvh"):
            self.ossa("convert", "moving.glb", name, "--rest-pose", "t")
            joints = {b["name"]: b["joint"] for b in self.json("inspect", "--json", name)["rig"]["bones"]}
            # BVH has its root at the origin
            root = [0, 0, 0] if name != "t.bvh" else [p - q for p, q in zip(wanted.joint["pelvis"], joints["pelvis"])]
            moved = {n: [p + q for p, q in zip(joint, root)] for n, joint in joints.items()}
            self.assertLess(max(math.dist(wanted.joint[n], moved[n]) for n in wanted.names), 1e-4, name)

    def test_a_mesh_alone_is_posed_too(self):
        done = self.json("convert", "moving.glb", "t.obj", "--rest-pose", "t", "--json")
        self.assertIn("skeleton and weights", done["left_out"])
        self.ossa("convert", "moving.glb", "t.glb", "--rest-pose", "t")
        lines = (self.folder / "t.obj").read_text().splitlines()
        vertices = [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]
        self.assertLess(apart(vertices, self.glb("t.glb").vertices), 1e-5)

    def test_what_cannot_be_posed_is_refused(self):
        self.assertIn("no skeleton", self.ossa("convert", "rest.obj", "x.glb", "--rest-pose", "t", expect=INPUT).stderr)
        self.assertIn("keep|modelled|t|a|FRAME", self.ossa("convert", "man.glb", "x.glb", "--rest-pose", "x", expect=USAGE).stderr)
        self.write_tubes(0)
        self.ossa("rig", "rest.obj", "-o", "tube.glb", "-q")
        self.assertIn("T and A are poses of humans", self.ossa("convert", "tube.glb", "x.glb", "--rest-pose", "a", expect=INPUT).stderr)
        self.assertIn("no bone has a pose", self.ossa("convert", "man.glb", "x.glb", "--rest-pose", "modelled").stderr)

    def test_a_map_says_what_bones_are(self):
        (self.folder / "map.json").write_text(json.dumps({"rig": {"thigh_L": None}}))
        self.ossa("convert", "man.glb", "x.glb", "--rest-pose", "t")
        error = self.ossa("convert", "man.glb", "x2.glb", "--rest-pose", "t", "--map", "map.json", expect=INPUT).stderr
        self.assertIn("left thigh", error)
        (self.folder / "map.json").write_text(json.dumps({"rig": {"nobody": "head"}}))
        self.assertIn("nobody", self.ossa("convert", "man.glb", "x2.glb", "--rest-pose", "t", "--map", "map.json", expect=USAGE).stderr)

    def test_help_has_it(self):
        self.assertIn("--rest-pose", self.ossa("rig", "--help", "output").stdout)

    def test_characters_of_others(self):
        characters = SHARED / "corpus/characters"
        if not characters.is_dir():
            self.skipTest("../shared is not there")
        sys.path.insert(0, str(SHARED / "tools"))
        from human_bones import Rig, find_roles
        for name in ("q_knight/KnightCharacter.glb", "raylib_robot/robot.glb", "godot_player/player.glb", "kaykit_knight/Knight.glb"):
            self.ossa("convert", characters / name, "t.glb", "--rest-pose", "t")
            rig = Rig(str(self.folder / "t.glb"))
            roles = find_roles([rig.names[n] for n in rig.joints])[1]
            place = {role: rig.pos[bones[0]] for role, bones in roles.items()}
            left = place["left_upper_leg"] - place["right_upper_leg"]
            left[1] = 0
            for side in "left", "right":
                across = left if side == "left" else -left
                for a, b, goal in (("upper_arm", "lower_arm", across), ("upper_leg", "lower_leg", [0, -1, 0]), ("lower_leg", "foot", [0, -1, 0])):
                    along = place[f"{side}_{b}"] - place[f"{side}_{a}"]
                    cosine = sum(p * q for p, q in zip(along, goal)) / math.hypot(*along) / math.hypot(*goal)
                    self.assertGreater(cosine, 1 - 1e-6, f"{name}: {side} {a}")

    def test_morph_targets_turn_with_their_vertices(self):
        """the file that is kept and one that is written anew have the same differences"""
        self.ossa("sample", "biped", "--faces", 2000, "--frames", 1, "-o", "biped", "-q")
        self.ossa("convert", "biped/rest.obj", "plain.glb", "-q")
        scene = Scene(self.folder / "plain.glb")
        (primitive,) = scene.json["meshes"][0]["primitives"]
        place = scene.floats(primitive["attributes"]["POSITION"])
        moved = np.zeros(place.shape, np.float32)
        moved[:, 1] = 0.05
        moved[place[:, 0] > 0, 0] = 0.05
        scene.json["bufferViews"].append({"buffer": 0, "byteOffset": len(scene.binary), "byteLength": moved.nbytes})
        scene.json["accessors"].append({"bufferView": len(scene.json["bufferViews"]) - 1, "componentType": 5126, "count": len(moved), "type": "VEC3",
                                        "min": moved.min(0).tolist(), "max": moved.max(0).tolist()})
        primitive["targets"] = [{"POSITION": len(scene.json["accessors"]) - 1}]
        binary = scene.binary + moved.tobytes()
        scene.json["buffers"] = [{"byteLength": len(binary)}]
        save(self.folder / "morph.glb", scene.json, binary)
        self.ossa("rig", "morph.glb", "-o", "rig.glb", "-q")
        self.ossa("convert", "rig.glb", "kept.glb", "--rest-pose", "t", "-q")
        self.ossa("convert", "rig.glb", "t.dae", "--rest-pose", "t", "-q")
        self.ossa("convert", "t.dae", "anew.glb", "-q")
        found = []
        for name in ("kept.glb", "anew.glb"):
            scene = Scene(self.folder / name)
            (primitive,) = scene.json["meshes"][0]["primitives"]
            found.append((scene.floats(primitive["attributes"]["POSITION"]), scene.floats(primitive["targets"][0]["POSITION"])))
        np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-6)
        np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-6)
        # they turn and do not stretch
        np.testing.assert_allclose(np.linalg.norm(found[0][1], axis=1), np.linalg.norm(moved, axis=1), atol=1e-6)
        self.assertGreater(np.abs(found[0][1] - moved).max(), 0.02)


if __name__ == "__main__":
    main()
