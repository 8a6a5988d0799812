"""A skinned character beside props that move and a prop whose shape moves: what comes in goes out, in every frame. Files are played
here, without ossa."""
import json
import re
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

from gltf_scene import Scene
from harness import DONE, OSSA, CommandTest, main, tube, tube_faces
from lod_scene import save
from test_kept_files import Writer

FRAMES = 9
# of the diagonal: rigs that are solved from frames come near them
SOLVED, EXACT = 1e-4, 1e-5
# which body the shape may be changes nothing here, and looking for it takes most of the time
RIG = ("--body", "none")


def turn(axis, degrees):
    """a quaternion"""
    q = [0, 0, 0, np.cos(np.radians(degrees) / 2)]
    q[axis] = np.sin(np.radians(degrees) / 2)
    return q


def box(size=0.5, cells=3):
    """vertices and triangles of a cube of cells, each side with vertices of its own"""
    vertices, triangles = [], []
    for axis in range(3):
        for side in (-1, 1):
            first = len(vertices)
            for i in range(cells + 1):
                for k in range(cells + 1):
                    vertex = np.zeros(3)
                    vertex[[axis, (axis + 1) % 3, (axis + 2) % 3]] = side, 2 * i / cells - 1, 2 * k / cells - 1
                    vertices.append(size * vertex)
            for i in range(cells):
                for k in range(cells):
                    a = first + i * (cells + 1) + k
                    pair = [[a, a + cells + 1, a + 1], [a + 1, a + cells + 1, a + cells + 2]]
                    triangles += pair if side > 0 else [t[::-1] for t in pair]
    return np.array(vertices), np.array(triangles)


def skinned_tube(writer):
    """the primitive of a tube on two joints, at x = -2 and 0"""
    vertices = np.array(tube(0))
    triangles = np.array([t for face in tube_faces() for t in ((face[0], face[1], face[2]), (face[0], face[2], face[3]))])
    share = np.clip(vertices[:, 0] / 0.6 + 0.5, 0, 1)
    weights = np.c_[1 - share, share, 0 * share, 0 * share]
    return {"attributes": {"POSITION": writer.array(vertices), "WEIGHTS_0": writer.array(weights),
                           "JOINTS_0": writer.array(np.tile([0, 1, 0, 0], (len(vertices), 1)) * (weights > 0), "uint8")},
            "indices": writer.array(triangles.flatten(), "uint16")}


def write_scene(path, begin=0.0, moves=("hips", "spine", "crate", "lid"), name="act"):
    """A tube with joints `hips` and `spine`, a crate below a group, and a box whose lid opens. `begin`: seconds. name: None: without."""
    writer, samplers, channels = Writer(), [], []
    vertices, triangles = box()
    indices = writer.array(triangles.flatten(), "uint16")
    opened = np.zeros_like(vertices)
    opened[:, 1] = np.where(vertices[:, 1] > 0.4, 0.6 * (vertices[:, 0] + 0.5), 0)
    lid = {"attributes": {"POSITION": writer.array(vertices)}, "indices": indices, "targets": [{"POSITION": writer.array(opened)}]}
    bind = np.zeros((2, 16))
    for joint, x in enumerate((-2, 0)):
        bind[joint] = np.eye(4).flatten()
        bind[joint, 12] = -x
    matrices = writer.array(bind.reshape(8, 4))
    writer.accessors[matrices].update(type="MAT4", count=2)
    times = writer.array(begin + np.arange(FRAMES) / 8)
    steps = np.arange(FRAMES)
    motion = {"hips": (0, "translation", [[-2 + 0.1 * i, 0, 0.2 * i] for i in steps]),
              "spine": (1, "rotation", [turn(2, 60 * np.sin(i * np.pi / 4)) for i in steps]),
              "crate": (4, "rotation", [turn(1, 20 * i) for i in steps]),
              "lid": (5, "weights", steps / 8)}
    for node, key, values in (motion[name] for name in moves):
        samplers.append({"input": times, "output": writer.array(values)})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": key}})
    gltf = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2, 3, 5]}],
        "nodes": [{"name": "hips", "children": [1], "translation": [-2, 0, 0]}, {"name": "spine", "translation": [2, 0, 0]},
                  {"name": "body", "mesh": 0, "skin": 0}, {"name": "props", "children": [4], "translation": [0, 0, 3]},
                  {"name": "crate", "mesh": 1, "translation": [1, 0.5, 0]}, {"name": "box", "mesh": 2, "translation": [-1, 0.5, -3]}],
        "meshes": [{"name": "body", "primitives": [skinned_tube(writer)]},
                   {"name": "crate", "primitives": [{"attributes": {"POSITION": writer.array(vertices)}, "indices": indices}]},
                   {"name": "box", "primitives": [lid], "weights": [0.25], "extras": {"targetNames": ["open"]}}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": matrices}],
        "animations": [{**({"name": name} if name else {}), "samplers": samplers, "channels": channels}],
        "accessors": writer.accessors, "bufferViews": writer.views}
    binary = writer.binary + b"\0" * (-len(writer.binary) % 4)
    gltf["buffers"] = [{"byteLength": len(binary)}]
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def sample(times, values, time):
    """linear between keys; of quaternions the keys alone are asked for"""
    at = int(np.clip(np.searchsorted(times, time) - 1, 0, max(len(times) - 2, 0)))
    share = np.clip((time - times[at]) / (times[at + 1] - times[at]), 0, 1)
    return (1 - share) * values[at] + share * values[at + 1]


def play(path, seconds):
    """by name of the mesh: its vertices at that time of the file's animation"""
    scene = Scene(path)
    nodes = scene.json["nodes"]
    for animation in scene.json["animations"]:
        for channel in animation["channels"]:
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            times = scene.floats(sampler["input"])[:, 0]
            values = scene.floats(sampler["output"]).reshape(len(times), -1)
            nodes[target["node"]][target["path"]] = sample(times, values, seconds).tolist()
    found = {}
    for n in scene.shown():
        if "mesh" not in nodes[n]:
            continue
        mesh = scene.json["meshes"][nodes[n]["mesh"]]
        weights = nodes[n].get("weights", mesh.get("weights", []))
        found[mesh["name"]] = np.concatenate([scene.surface(n, p, weights)[0]["POSITION"] for p in mesh["primitives"]])
    return found


class Props(CommandTest):
    def assert_plays_alike(self, source, result, limit, begin=0.0):
        for frame in range(FRAMES):
            before, after = (play(self.folder / name, begin + frame / 8) for name in (source, result))
            self.assertEqual(set(before), set(after))
            for name, vertices in before.items():
                error = np.linalg.norm(vertices - after[name], axis=1).max()
                self.assertLess(error, limit * 6, f"{name} in frame {frame}")

    def channels(self, name):
        scene = Scene(self.folder / name)
        return [channel["target"]["path"] for animation in scene.json["animations"] for channel in animation["channels"]]

    def test_convert_keeps_the_motion_of_props(self):
        for moves in (("hips", "spine", "crate", "lid"), ("spine", "crate"), ("hips", "lid")):
            write_scene(self.folder / "in.glb", moves=moves)
            done = self.ossa("convert", "in.glb", "out.glb")
            self.assert_plays_alike("in.glb", "out.glb", EXACT)
            self.assertNotIn("morph", done.stderr)

    def test_rig_keeps_the_motion_of_props_and_shapes(self):
        write_scene(self.folder / "in.glb")
        done = self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assert_plays_alike("in.glb", "out.glb", SOLVED)
        self.assertEqual(self.channels("out.glb").count("weights"), 1)
        self.assertNotIn("morph", done.stderr)
        # the targets are as they were, not in the joints
        self.assertEqual(Scene(self.folder / "out.glb").json["meshes"][2]["extras"], {"targetNames": ["open"]})

    def test_shapes_and_joints_begin_together(self):
        write_scene(self.folder / "in.glb", begin=0.5)
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assert_plays_alike("in.glb", "out.glb", SOLVED, 0.5)
        self.ossa("convert", "in.glb", "copy.glb")
        self.assert_plays_alike("in.glb", "copy.glb", EXACT, 0.5)

    def test_an_animation_without_a_name_stays_one(self):
        write_scene(self.folder / "in.glb", begin=0.25, name=None)
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assertEqual([animation["name"] for animation in Scene(self.folder / "out.glb").json["animations"]], ["in"])
        self.assertEqual(self.channels("out.glb").count("weights"), 1)
        self.assert_plays_alike("in.glb", "out.glb", SOLVED, 0.25)

    def test_other_formats_say_what_they_leave_out(self):
        write_scene(self.folder / "in.glb")
        for words in (("rig", "in.glb", "-o", "out.dae", *RIG), ("convert", "in.glb", "out.dae")):
            told = self.ossa(*words).stderr
            self.assertIn("out.dae: is written without the motion of morph targets", told)
            self.assertIn("(1 target)", told)
        # an animation of shapes alone counts as one that moves no joint, however many motions a format holds
        scene = Scene(self.folder / "in.glb")
        (walk,) = scene.json["animations"]
        scene.json["animations"].append(dict(walk, name="talk", channels=[c for c in walk["channels"] if c["target"]["path"] == "weights"]))
        save(self.folder / "in.glb", scene.json, scene.binary)
        done = self.ossa("convert", "in.glb", "out.dae")
        self.assertIn("out.dae: is written without the motion of morph targets; the mesh keeps its shape at rest (1 target)", done.stderr)
        self.assertIn("1 animation that moves no joint", done.stdout)

    def test_other_formats_have_the_motion_of_shapes(self):
        write_scene(self.folder / "in.glb")
        scene = Scene(self.folder / "in.glb")
        (walk,) = scene.json["animations"]
        scene.json["animations"].append(dict(walk, name="talk", channels=[c for c in walk["channels"] if c["target"]["path"] == "weights"]))
        save(self.folder / "in.glb", scene.json, scene.binary)
        for words in (("convert", "in.glb", "out.fbx"), ("rig", "in.glb", "-o", "out.fbx", *RIG), ("rig", "in.glb", "-o", "out.usda", *RIG)):
            done = self.ossa(*words)
            self.assertNotIn("morph", done.stderr)
            # a rig is made from one animation, where no other is asked for
            self.assertEqual("moves no joint" in done.stdout, words[0] == "rig")
        # 0.25 at rest, then by eighths, as the file's floats have them
        usd = (self.folder / "out.usda").read_text()
        samples = re.search(r"float\[\] blendShapeWeights\.timeSamples = \{(.*?)\}", usd, re.S).group(1)
        self.assertEqual([float(value) for value in re.findall(r": \[([^\]]*)\]", samples)], [i / 8 for i in range(FRAMES)])
        self.ossa("convert", "in.glb", "out.fbx")
        if subprocess.run([OSSA, "inspect", "out.fbx"], capture_output=True, cwd=self.folder).returncode != DONE:
            self.skipTest("this build has no FBX reader")
        self.ossa("convert", "out.fbx", "back.glb")
        back = Scene(self.folder / "back.glb")
        for animation in back.json["animations"]:
            (channel,) = [c for c in animation["channels"] if c["target"]["path"] == "weights"]
            values = back.floats(animation["samplers"][channel["sampler"]]["output"])[:, 0]
            np.testing.assert_allclose(values, np.arange(FRAMES) / 8, atol=1e-6)
        self.assertEqual(sorted(animation["name"] for animation in back.json["animations"]), ["act", "talk"])

    def write_face(self):
        """a box whose lid opens, beside a mesh that stands still"""
        write_scene(self.folder / "in.glb", moves=("lid",))
        scene = Scene(self.folder / "in.glb")
        scene.json["nodes"][2].pop("skin")
        scene.json.pop("skins")
        save(self.folder / "in.glb", scene.json, scene.binary)

    def test_faces_without_bones_move_in_formats_of_rigs(self):
        self.write_face()
        self.assertNotIn("morph targets;", self.ossa("convert", "in.glb", "out.py").stderr)
        text = (self.folder / "out.py").read_text()
        weights = re.search(r'0\.25, None, \"\"\"\n(.*?)\"\"\"', text, re.S).group(1).split()
        self.assertEqual([float(value) for value in weights], [i / 8 for i in range(FRAMES)])
        # glTF keeps the file, without bones
        self.ossa("convert", "in.glb", "out.glb")
        self.assertNotIn("skins", Scene(self.folder / "out.glb").json)
        # USD has weights over time in place of points
        self.ossa("convert", "in.glb", "out.usda")
        usd = (self.folder / "out.usda").read_text()
        samples = re.search(r"float\[\] blendShapeWeights\.timeSamples = \{(.*?)\}", usd, re.S).group(1)
        self.assertEqual([float(value) for value in re.findall(r": \[([^\]]*)\]", samples)], [i / 8 for i in range(FRAMES)])
        self.assertNotIn("points.timeSamples", usd)

    def test_faces_of_other_formats_keep_their_targets(self):
        self.write_face()
        self.ossa("convert", "in.glb", "out.dae")
        text = (self.folder / "out.dae").read_text()

        def source(name, values, kind="float"):
            return (f'<source id="{name}"><{kind}_array id="{name}-array" count="{len(values)}">{" ".join(map(str, values))}'
                    f'</{kind}_array><technique_common><accessor source="#{name}-array" count="{len(values)}"><param name="X" type="{kind.lower()}"/>'
                    f'</accessor></technique_common></source>')

        weights = re.search(r'semantic="MORPH_WEIGHT" source="#([^"]*)"', text).group(1)
        motion = (source("times", [i / 8 for i in range(FRAMES)]) + source("keys", [i / 8 for i in range(FRAMES)]) +
                  source("kinds", ["LINEAR"] * FRAMES, "Name") + '<sampler id="sampler"><input semantic="INPUT" source="#times"/>'
                  '<input semantic="OUTPUT" source="#keys"/><input semantic="INTERPOLATION" source="#kinds"/></sampler>'
                  f'<channel source="#sampler" target="{weights}(0)"/>')
        moving = f"<library_animations><animation>{motion}</animation></library_animations>"
        (self.folder / "in.dae").write_text(text.replace("<library_visual_scenes>", moving + "<library_visual_scenes>"))
        done = self.ossa("convert", "in.dae", "back.glb")
        back = Scene(self.folder / "back.glb")
        self.assertEqual([mesh["extras"]["targetNames"] for mesh in back.json["meshes"] if "targets" in mesh["primitives"][0]], [["open"]])
        (animation,) = back.json["animations"]
        (channel,) = [c for c in animation["channels"] if c["target"]["path"] == "weights"]
        values = back.floats(animation["samplers"][channel["sampler"]]["output"])[:, 0]
        np.testing.assert_allclose(values, np.arange(FRAMES) / 8, atol=1e-6)
        self.assertIn("each mesh whose morph targets move is read as a bone", done.stderr)
        # frames, where they are asked for, are the whole shape
        self.ossa("convert", "in.dae", "walk_#.obj")
        self.assertTrue((self.folder / f"walk_{FRAMES}.obj").is_file())

    def test_shapes_are_solved_where_that_is_asked_for(self):
        write_scene(self.folder / "in.glb")
        done = self.ossa("rig", "in.glb", "-o", "out.glb", "--morphs", "frames", *RIG)
        self.assertEqual(self.channels("out.glb").count("weights"), 0)
        self.assertNotIn("is written without", done.stderr)
        # bones come near the lid: with its shape at rest it would be off by up to a tenth
        self.assert_plays_alike("in.glb", "out.glb", 0.02)

    def test_shapes_alone_are_frames(self):
        write_scene(self.folder / "in.glb", moves=("lid", "crate"))
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        self.assertEqual(self.channels("out.glb").count("weights"), 0)
        self.assert_plays_alike("in.glb", "out.glb", 0.02)

    def test_compare_has_shapes_in_both_or_in_neither(self):
        write_scene(self.folder / "in.glb")
        self.ossa("rig", "in.glb", "-o", "out.glb", *RIG)
        whole = self.json("compare", "out.glb", "in.glb", "--json")
        apart = self.json("compare", "out.glb", "in.glb", "--json", "--morphs", "keep")
        self.assertLess(whole["metrics"]["rms_percent"], 0.001)
        self.assertLess(apart["metrics"]["rms_percent"], 0.001)


if __name__ == "__main__":
    main()
