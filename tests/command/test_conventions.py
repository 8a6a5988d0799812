"""`--names`, `--for` and VRM: files are read by a plain reader of their own, and judged by tables that are not those of the code."""
import json
import re
import struct

from harness import INPUT, USAGE, CommandTest, main

# the bones that each program requires of a human, each with the nearest of them that is above it
REQUIRED = ["hips", "spine", "head", "{}_upper_arm", "{}_lower_arm", "{}_hand", "{}_upper_leg", "{}_lower_leg", "{}_foot"]
ABOVE = {"spine": "hips", "head": "spine", "{}_upper_arm": "spine", "{}_lower_arm": "{}_upper_arm", "{}_hand": "{}_lower_arm",
         "{}_upper_leg": "hips", "{}_lower_leg": "{}_upper_leg", "{}_foot": "{}_lower_leg"}
# what Unity's HumanBodyBones, Godot's SkeletonProfileHumanoid and VRM 1.0 call them; the rest as their programs' own files do
HUMANOID = dict(zip(REQUIRED, ["Hips", "Spine", "Head", "{}UpperArm", "{}LowerArm", "{}Hand", "{}UpperLeg", "{}LowerLeg", "{}Foot"]))
NAMES = {
    "body": dict(zip(REQUIRED, ["pelvis", "spine_01", "head", "upperarm_{}", "lowerarm_{}", "hand_{}", "thigh_{}", "calf_{}", "foot_{}"])),
    "mixamo": dict(zip(REQUIRED, ["mixamorig_" + n for n in
                                  ("Hips", "Spine", "Head", "{}Arm", "{}ForeArm", "{}Hand", "{}UpLeg", "{}Leg", "{}Foot")])),
    "unreal": dict(zip(REQUIRED, ["pelvis", "spine_01", "head", "upperarm_{}", "lowerarm_{}", "hand_{}", "thigh_{}", "calf_{}", "foot_{}"])),
    "vrm": {part: name[0].lower() + name[1:] for part, name in HUMANOID.items()},
    "unity": HUMANOID,
    "godot": HUMANOID,
    "rigify": dict(zip(REQUIRED, ["DEF-" + n for n in ("spine", "spine_001", "spine_006", "upper_arm_{}", "forearm_{}", "hand_{}",
                                                      "thigh_{}", "shin_{}", "foot_{}")])),
}
SIDES = {"body": "LR", "unreal": "lr", "rigify": "LR", "vrm": ("left", "right")}
# all names of the other bones that a rig of the sample may have
OTHERS = {
    "mixamo": r"mixamorig_(Spine[12]|Neck|(Left|Right)(Shoulder|ToeBase))",
    "unreal": r"spine_0[23]|neck_01|(clavicle|ball)_[lr]",
    "vrm": r"chest|upperChest|neck|(left|right)(Shoulder|Toes)",
    "unity": r"Chest|UpperChest|Neck|(Left|Right)(Shoulder|Toes)",
    "godot": r"Chest|UpperChest|Neck|(Left|Right)(Shoulder|Toes)",
    "rigify": r"DEF-(spine_00[2345]|(shoulder|toe)_[LR])",
    "body": r"spine_0[23]|neck(_01)?|(clavicle|toe)_[LR]",
}
ALONG = {"unreal": 0, "unity": 1, "godot": 1, "blender": 1, "maya": 0, "mixamo": 1}
STYLE = {"unreal": "unreal", "unity": "unity", "godot": "godot", "blender": "body", "maya": "body", "mixamo": "mixamo"}


def turn(q, v):
    """v turned by the quaternion x y z w"""
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz]


def read_glb(path):
    data = path.read_bytes()
    assert data[:4] == b"glTF"
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


class Skeleton:
    """joints of a GLB: names, parents, places and rotations in the world"""

    def __init__(self, path):
        self.gltf = read_glb(path)
        nodes = self.gltf["nodes"]
        above = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
        self.parent, self.place, self.rotation = {}, {}, {}
        for joint in self.gltf["skins"][0]["joints"]:
            self.read(nodes, above, joint)

    def read(self, nodes, above, i):
        name = nodes[i]["name"]
        if name in self.place:
            return name
        t, q = nodes[i].get("translation", [0, 0, 0]), nodes[i].get("rotation", [0, 0, 0, 1])
        self.parent[name] = self.read(nodes, above, above[i]) if i in above else None
        if self.parent[name]:
            base = self.parent[name]
            t, q = [a + b for a, b in zip(self.place[base], turn(self.rotation[base], t))], times(self.rotation[base], q)
        self.place[name], self.rotation[name] = t, q
        return name

    def ancestors(self, name):
        while name := self.parent[name]:
            yield name


class Conventions(CommandTest):
    def setUp(self):
        super().setUp()
        self.write_once(self.write)

    def write(self):
        """a biped, and rigged.glb, its rig"""
        self.ossa("sample", "biped", "-o", "biped", "--frames", 1, "--faces", 6000)
        self.ossa("rig", "biped/rest.obj", "-o", "rigged.glb")

    def parts(self, style):
        """{part with its side: name} of all that is required"""
        left, right = SIDES.get(style, ("Left", "Right"))
        table = {}
        for part, name in NAMES[style].items():
            for side, word in (("left", left), ("right", right)):
                table[part.format(side)] = name.format(word)
        return table

    def judge(self, skeleton, style):
        """required bones, in their order, each once; no other names than the convention's; left is at +x"""
        table = self.parts(style)
        for part, name in table.items():
            self.assertIn(name, skeleton.parent, f"{style}: {part}")
            side = "left" if part.startswith("left") else "right"
            general = part.replace(side, "{}") if part.startswith(("left", "right")) else part
            if general in ABOVE:
                wanted = table[ABOVE[general].format(side)]
                found = next(n for n in skeleton.ancestors(name) if n in table.values())
                self.assertEqual(found, wanted, f"{style}: what {name} is on")
            if part.startswith("left"):
                self.assertGreater(skeleton.place[name][0], skeleton.place[table["right" + part[4:]]][0], name)
        others = [n for n in skeleton.parent if n not in table.values()]
        self.assertEqual([n for n in others if not re.fullmatch(OTHERS[style], n)], [], style)

    def along(self, skeleton, style, axis):
        """the least cosine between an axis of each upper and lower limb's frame and the next joint"""
        table, least = self.parts(style), 1
        for part, end in (("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("upper_leg", "lower_leg"), ("lower_leg", "foot")):
            for side in ("left", "right"):
                bone, child = table[f"{side}_{part}"], table[f"{side}_{end}"]
                self.assertEqual(skeleton.parent[child], bone, "a limb is not split")
                to = [a - b for a, b in zip(skeleton.place[child], skeleton.place[bone])]
                frame = turn(skeleton.rotation[bone], [float(axis == k) for k in range(3)])
                least = min(least, sum(a * b for a, b in zip(to, frame)) / sum(a * a for a in to) ** 0.5)
        return least

    def test_names_of_every_convention(self):
        for style in NAMES:
            self.ossa("convert", "rigged.glb", f"{style}.glb", "--names", style)
            self.judge(Skeleton(self.folder / f"{style}.glb"), style)
        # and from each to another
        for style in NAMES:
            if style == "body":
                continue
            self.ossa("convert", f"{style}.glb", "a.bvh")
            self.ossa("convert", "a.bvh", "b.bvh", "--names", "unreal")
            text = (self.folder / "b.bvh").read_text()
            names = re.findall(r"(?:ROOT|JOINT) (\S+)", text)
            for name in self.parts("unreal").values():
                self.assertIn(name, names, style)

    def test_rig_has_them_too(self):
        self.ossa("rig", "biped/rest.obj", "-o", "a.glb", "--names", "unreal", "--twist", 1)
        names = list(Skeleton(self.folder / "a.glb").parent)
        for name in ("pelvis", "upperarm_l", "ball_r", "upperarm_twist_01_l", "thigh_twist_01_r"):
            self.assertIn(name, names)

    def test_files_for_programs(self):
        for program, axis in ALONG.items():
            done = self.ossa("convert", "rigged.glb", "a.glb", "--for", program)
            skeleton = Skeleton(self.folder / "a.glb")
            ends = program in ("maya", "mixamo")
            self.assertEqual(any(name.endswith("_end") for name in skeleton.parent), ends, program)
            skeleton.parent = {n: p for n, p in skeleton.parent.items() if not n.endswith("_end")}
            self.judge(skeleton, STYLE[program])
            self.assertGreater(self.along(skeleton, STYLE[program], axis), 0.999, program)
            # glTF's axes and unit are its own
            self.assertNotIn("gltf-convention", done.stderr)
            tall = max(p[1] for p in skeleton.place.values())
            self.assertTrue(0.5 < tall < 3, program)
            self.assertEqual("does not read" in done.stderr, program in ("unity", "maya", "mixamo"))

    def test_axes_and_units(self):
        for program, up, unit in (("unreal", "Z_UP", "0.01"), ("unity", "Y_UP", "0.01"), ("blender", "Z_UP", "1"), ("maya", "Y_UP", "0.01")):
            self.ossa("convert", "rigged.glb", "a.dae", "--for", program)
            text = (self.folder / "a.dae").read_text()
            self.assertIn(f"<up_axis>{up}</up_axis>", text)
            self.assertIn(f'meter="{unit}"', text)
            self.ossa("convert", "rigged.glb", "a.fbx", "--for", program)
            data = (self.folder / "a.fbx").read_bytes()
            at = data.index(b"\x06\0\0\0UpAxis")
            value = struct.unpack_from("<i", data, data.index(b"I", data.index(b"Integer", at) + 7) + 1)[0]
            self.assertEqual(value, 2 if up == "Z_UP" else 1, program)
        # these take any names, so those of a file are kept
        self.ossa("convert", "rigged.glb", "vrm.glb", "--names", "vrm")
        for program in ("blender", "maya"):
            self.ossa("convert", "vrm.glb", "a.dae", "--for", program)
            self.assertIn("leftUpperArm", (self.folder / "a.dae").read_text())
        # what is typed wins
        self.ossa("convert", "rigged.glb", "a.dae", "--for", "unreal", "--up", "y", "--names", "vrm")
        text = (self.folder / "a.dae").read_text()
        self.assertIn("<up_axis>Y_UP</up_axis>", text)
        self.assertIn('meter="0.01"', text)
        self.assertIn("leftUpperArm", text)

    def test_the_format_that_suits(self):
        self.ossa("rig", "biped/rest.obj", "--for", "unreal", "--method", "contraction")
        self.assertIn("rest-rigged.fbx", self.files())
        self.assertIn("does not read", self.ossa("convert", "rest-rigged.fbx", "a.ply", "--for", "unreal").stderr)

    def test_vrm(self):
        self.ossa("rig", "biped/rest.obj", "-o", "hero.vrm", "--author", "A. Maker")
        gltf = read_glb(self.folder / "hero.vrm")
        self.assertIn("VRMC_vrm", gltf["extensionsUsed"])
        vrm = gltf["extensions"]["VRMC_vrm"]
        self.assertEqual(set(vrm), {"specVersion", "meta", "humanoid"})
        self.assertEqual(vrm["specVersion"], "1.0")
        # required of the licence: a name, at least one author that is no empty text, and VRM's own licence
        self.assertEqual(vrm["meta"], {"name": "hero", "authors": ["A. Maker"], "licenseUrl": "https://vrm.dev/licenses/1.0/"})
        bones = vrm["humanoid"]["humanBones"]
        for name in self.parts("vrm").values():
            self.assertIn(name, bones)
        nodes = [bone["node"] for bone in bones.values()]
        self.assertEqual(len(nodes), len(set(nodes)))
        self.assertTrue(all(list(bone) == ["node"] and 0 <= bone["node"] < len(gltf["nodes"]) for bone in bones.values()))
        allowed = set(self.parts("vrm").values())
        self.assertEqual([n for n in bones if n not in allowed and not re.fullmatch(OTHERS["vrm"], n)], [])
        self.assertTrue("upperChest" not in bones or "chest" in bones)
        # the order of the humanoid, whatever the nodes are called
        skeleton = Skeleton(self.folder / "hero.vrm")
        called = {gltf["nodes"][bone["node"]]["name"]: name for name, bone in bones.items()}
        self.assertEqual(next(skeleton.ancestors(next(n for n, v in called.items() if v == "leftHand"))),
                         next(n for n, v in called.items() if v == "leftLowerArm"))
        # ossa reads it like any glTF
        self.ossa("convert", "hero.vrm", "hero.obj")

    def test_vrm_that_cannot_be(self):
        self.assertIn("no-author", json.dumps(json.loads(self.ossa("convert", "rigged.glb", "a.vrm", "--json").stdout)["warnings"]))
        self.assertIn("Y up", self.ossa("convert", "rigged.glb", "b.vrm", "--up", "z", expect=USAGE).stderr)
        self.assertIn("Y up", self.ossa("convert", "rigged.glb", "b.vrm", "--unit", 0.01, expect=USAGE).stderr)
        self.ossa("sample", "quadruped", "-o", "dog", "--frames", 1, "--faces", 4000)
        self.assertIn("humans", self.ossa("rig", "dog/rest.obj", "-o", "dog.vrm", expect=INPUT).stderr)
        self.write_bvh("bare.bvh", "Hips(Spine(Head))")
        self.assertIn("mesh", self.ossa("convert", "bare.bvh", "c.vrm", expect=INPUT).stderr)
        self.assertEqual([name for name in self.files() if name.endswith(".vrm")], ["a.vrm"])

    def write_bvh(self, name, tree):
        """a motion file of one frame with a skeleton such as "Hips(Spine(Head),LeftUpLeg)" """
        lines, depth, count = ["HIERARCHY"], 0, 0
        for word in re.findall(r"[^(),]+|[()]", tree):
            if word == ")":
                depth -= 1
                lines += ["}"]
            elif word != "(":
                # a bone without brackets behind it ends at once
                ends = not re.search(re.escape(word) + r"\(", tree)
                lines += [("JOINT " if count else "ROOT ") + word, "{", f"OFFSET {0.1 * count} 1 0", "CHANNELS 3 Zrotation Xrotation Yrotation"
                          if count else "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"]
                lines += ["End Site", "{", "OFFSET 0 1 0", "}", "}"] if ends else []
                count += 1
        lines += ["MOTION", "Frames: 1", "Frame Time: 0.04", " ".join(["0"] * (3 * count + 3))]
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def renamed(self, tree, style="unreal"):
        self.write_bvh("in.bvh", tree)
        done = self.ossa("convert", "in.bvh", "out.bvh", "--names", style)
        return re.findall(r"(?:ROOT|JOINT) (\S+)", (self.folder / "out.bvh").read_text()), done.stderr

    def test_strange_skeletons(self):
        # two conventions in one file: the better one has the roles
        names, _ = self.renamed("Hips(Spine(LeftArm(LeftForeArm),RightArm(RightForeArm),upperarm_l(lowerarm_l)),LeftUpLeg(LeftLeg))")
        self.assertIn("upperarm_l", names)
        self.assertIn("upperarm_l_2", names)
        # 200 fingers, three bones, nothing known
        names, error = self.renamed("Hips(LeftHand(" + ",".join(f"LeftHandIndex{i}" for i in range(1, 201)) + "))")
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("index_03_l", names)
        self.assertIn("197", error)
        self.assertEqual(self.renamed("Hips(Spine(Head))")[0], ["pelvis", "spine_01", "head"])
        names, error = self.renamed("a(b(c))")
        self.assertEqual(names, ["a", "b", "c"])
        self.assertIn("3 bones", error)
        # two bones of one role
        names, _ = self.renamed("Hips(Spine(Left_Hand,LeftHand,LeftForeArm,RightForeArm),LeftUpLeg)")
        self.assertIn("hand_l", names)
        self.assertEqual(len(names), len(set(names)))
        # other words than a style's
        self.assertIn("klingon", self.ossa("convert", "in.bvh", "out.bvh", "--names", "klingon", expect=USAGE).stderr)
        self.assertIn("maya", self.ossa("convert", "in.bvh", "out.bvh", "--for", "maia", expect=USAGE).stderr)


if __name__ == "__main__":
    main()
