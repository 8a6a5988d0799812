"""The table of docs/formats.md that says what survives from one format to another, cell by cell: a file that has all of it is converted,
and the results are looked into."""
import json
import re
import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

import test_props
from gltf_scene import Scene
from harness import CommandTest, main, png
from lod_scene import save

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"
ENDINGS = {"glTF": "glb", "FBX": "fbx", "Collada": "dae", "OBJ": "obj", "USD": "usda", "Maya": "py"}
# what tells of a loss, by row
WORDS = {"materials": "without what materials look like", "images": "without what materials look like", "several UV sets": "one set of UVs",
         "tangents": "primitives with tangents", "morph targets": "without morph targets",
         "their motion": "the motion of morph targets|left out .*the motion", "skeleton": "left out .*skeleton and weights",
         "several clips": "left out .*(animation|the motion)", "cameras": "cameras 1", "lights": "lights 1", "empties": "nodes that hold nothing, as sockets 1",
         "extras": "extras 1|custom properties 1", "levels": "levels of detail 1", "dependent bones": "without what drives dependent bones|left out .*skeleton and weights",
         "corrective shapes": "without morph targets", "joint limits": "without limits of joints|left out .*skeleton and weights"}


def grid():
    """by row and column: a word"""
    lines = FORMATS.read_text().split("## Does it survive?")[1].split("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|") and not line.startswith("|---")]
    place = ""
    columns = []
    for title in rows[0][1:]:  # "read from FBX", "from Collada", "written to glTF", "to FBX"
        place = "read" if "from" in title else "written" if title != "glTF to glTF" else "same"
        columns.append((place, title.split()[-1]))
    return {row[0]: dict(zip(columns, row[1:])) for row in rows[1:]}


class Builder:
    """a scene to which arrays are added"""

    def __init__(self, path):
        self.path, scene = path, Scene(path)
        self.json, self.binary, self.scene = scene.json, scene.binary, scene

    def view(self, data):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        return len(self.json["bufferViews"]) - 1

    def array(self, values):
        values = np.asarray(values, np.float32)
        self.json["accessors"].append({"bufferView": self.view(values.tobytes()), "componentType": 5126, "count": len(values),
                                       "type": f"VEC{values.shape[1]}"})
        return len(self.json["accessors"]) - 1

    def save(self):
        save(self.path, self.json, self.binary)


def write_rich(path):
    """a skinned tube with all that a vertex may have, a lid that opens, a second motion, and what stands around in a scene"""
    test_props.write_scene(path, moves=("hips", "spine", "lid"))
    made = Builder(path)
    gltf = made.json
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    places = made.scene.floats(attributes["POSITION"])
    ones = np.ones((len(places), 1))
    attributes.update(TEXCOORD_0=made.array(places[:, :2] / 4 + 0.5), TEXCOORD_1=made.array(places[:, 1:] / 4 + 0.5),
                      COLOR_0=made.array(ones * [1, 0.5, 0.25, 1]), TANGENT=made.array(ones * [1, 0, 0, 1]), NORMAL=made.array(ones * [0, 0, 1]))
    gltf["images"] = [{"bufferView": made.view(png(200, 30, 30, 4, 4)), "mimeType": "image/png", "name": "red"}]
    gltf["textures"] = [{"source": 0}]
    gltf["materials"] = [{"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5, "roughnessFactor": 0.25}}]
    gltf["meshes"][0]["primitives"][0]["material"] = 0
    (act,) = gltf["animations"]
    gltf["animations"].append(dict(act, name="again", channels=[one for one in act["channels"] if one["target"]["path"] != "weights"]))
    gltf["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    gltf["extensionsUsed"] = ["KHR_lights_punctual", "MSFT_lod"]
    gltf["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "directional"}]}}
    first = len(gltf["nodes"])
    gltf["nodes"] += [{"name": "eye", "camera": 0}, {"name": "sun", "extensions": {"KHR_lights_punctual": {"light": 0}}}, {"name": "socket"},
                      {"name": "far", "mesh": 1}]
    gltf["nodes"][4]["extensions"] = {"MSFT_lod": {"ids": [first + 3]}}
    gltf["nodes"][2]["extras"] = {"team": "red"}
    gltf["scenes"][0]["nodes"] += [first, first + 1, first + 2]
    made.save()


class Survives(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        write_rich(self.folder / "rich.glb")
        # wheels that turn as others do; a skin that bulges; limits that are not those of a motion
        self.ossa("sample", "machine", "--faces", 1500, "--frames", 8, "-o", "machine", "-q")
        self.rig("machine", "machine.glb")
        self.ossa("sample", "tube", "--faces", 1000, "--frames", 8, "--bulge", 8, "-o", "tube", "-q")
        self.rig("tube", "bulging.glb", "--bones", 2, "--add-shapes", 2)
        still = Builder(self.folder / "machine.glb")
        still.path = self.folder / "still.glb"
        still.json.pop("animations")
        for node in still.json["nodes"]:
            node.get("extras", {}).get("ossa", {}).pop("limits_of", None)
        still.save()

    def rig(self, folder, name, *words):
        poses = sorted(f"{folder}/{path.name}" for path in (self.folder / folder).glob("pose-*.obj"))
        self.ossa("rig", f"{folder}/rest.obj", *poses, "--body", "none", "-o", name, "-q", *words)

    def source_of(self, row):
        return {"dependent bones": "machine.glb", "corrective shapes": "bulging.glb", "joint limits": "still.glb"}.get(row, "rich.glb")

    def table_of(self, name):
        """the rig of a file as JSON; without one, no bones"""
        if not self.json("inspect", name, "--json").get("rig"):
            return {"bones": [], "dependencies": []}
        self.ossa("convert", name, "table.json", "-q")
        return json.loads((self.folder / "table.json").read_text())

    def has(self, row, name):
        """whether a file that ossa reads has what the row is about"""
        told = self.json("inspect", name, "--json")
        motions = [one for one in told["animations"] if one["joints"]]
        gltf = Scene(self.folder / name).json if name.endswith(".glb") else {"nodes": []}
        return {"materials": lambda: any(one["name"] == "skin" and one["color"] == [1, 1, 1, 1] for one in told["materials"]),
                "images": lambda: len(told["images"]) == 1,
                "several UV sets": lambda: told["mesh"]["uv_sets"] == 2,
                "colours": lambda: told["mesh"]["colors"],
                "tangents": lambda: bool(told["tangents"]),
                "morph targets": lambda: [one["name"] for one in told["morphs"]] == ["open"],
                "their motion": lambda: any(one["shapes"] for one in told["animations"]),
                "skeleton": lambda: "rig" in told and {"hips", "spine"} <= {bone["name"] for bone in told["rig"]["bones"]},
                "several clips": lambda: len(motions) == 2,
                "cameras": lambda: bool(told["cameras"]),
                "lights": lambda: bool(told["lights"]),
                "empties": lambda: "socket" in [node.get("name") for node in gltf["nodes"]],
                "extras": lambda: {"team": "red"} in [node.get("extras") for node in gltf["nodes"]],
                "levels": lambda: any("MSFT_lod" in node.get("extensions", {}) for node in gltf["nodes"]),
                "dependent bones": lambda: len(self.table_of(name).get("dependencies") or []) > 0,
                "corrective shapes": lambda: len(told["morphs"]) == 2,
                "joint limits": lambda: any("limits" in bone for bone in self.table_of(name)["bones"])}[row]()

    def has_text(self, row, name):
        """the same of a file that ossa only writes"""
        words = {"materials": r'def Material "skin"', "images": r"inputs:file = @", "several UV sets": r"primvars:(?!st\b)\w+ .*\(|MORE_UVS = ",
                 "colours": r"primvars:displayColor|^COLORS = ", "morph targets": r"BlendShape|^MORPHS = ", "skeleton": r'"?spine',
                 "several clips": r'def SkelAnimation "again"', "dependent bones": r"cmds\.expression", "corrective shapes": r"bone_01_shape_2",
                 "their motion": r"blendShapeWeights\.timeSamples|None, \"{3}\n[-0-9.]",
                 "joint limits": r"cmds\.transformLimits"}
        return bool(re.search(words[row], (self.folder / name).read_text(), re.M)) if row in words else False

    def convert(self, row, column, kind):
        """converts as the column says; what the command said, and the name of the result"""
        source = self.source_of(row)
        if column == "same":
            return self.say("convert", source, "same.glb"), "same.glb"
        if column == "written" and kind != "glTF":
            return self.say("convert", source, f"out.{ENDINGS[kind]}", *(["--clip", "all"] if kind == "Collada" else [])), f"out.{ENDINGS[kind]}"
        # read: a file of that format, written before, becomes one of glTF
        between = f"in.{ENDINGS[kind if column == 'read' else 'Collada']}"
        self.ossa("convert", source, between, "-q", *(["--clip", "all"] if between == "in.dae" else []))
        return self.say("convert", between, "back.glb"), "back.glb"

    def say(self, *words):
        done = self.ossa(*words)
        return done.stderr + done.stdout

    def check(self, row, column, kind, cell):
        said, name = self.convert(row, column, kind)
        found = self.has_text(row, name) if name.endswith((".usda", ".py")) else self.has(row, name)
        self.assertEqual(found, cell in ("kept", "note"), (row, column, kind, cell, said))
        if cell == "warned":
            self.assertRegex(said, WORDS[row], (row, column, kind))

    def test_the_table_is_true(self):
        table = grid()
        self.assertEqual(set(table), set(WORDS) | {"colours"})
        # ossa does not read the limits of FBX files, and nothing moves morph targets in the Collada files between; what files of other programs have beside
        # those that ossa writes is for the tests of the readers
        apart = {("joint limits", "written", "FBX"), ("their motion", "written", "glTF")}
        foreign = {"tangents", "their motion", "cameras", "lights", "empties", "extras"}
        for row, cells in table.items():
            for (column, kind), cell in cells.items():
                self.assertIn(cell, ("kept", "note", "warned", "lost", "–"))
                if cell == "–" or (row, column, kind) in apart or (column == "read" and row in foreign):
                    continue
                with self.subTest(row=row, column=column, kind=kind):
                    self.check(row, column, kind, cell)

    def test_ply_files_hold_neither_uvs_nor_materials(self):
        said = self.say("convert", "rich.glb", "out.ply")
        self.assertIn("files of this format are written without UVs, materials and images (3 parts)", said)
        self.assertNotIn("one set of UVs", said)


main()
