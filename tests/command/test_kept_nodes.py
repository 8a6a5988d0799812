"""Nodes below the joints of a kept glTF file, where a rig replaces the joints: what moves them, and which bone they follow."""
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

import test_props
from gltf_scene import Scene
from harness import CommandTest, main
from lod_scene import save
from test_props import play

HIPS, SPINE, CRATE, SOCKET = 0, 1, 4, 6
# which body the shape may be changes nothing here, and looking for it takes most of the time
RIG = ("--body", "none")


class Nodes(CommandTest):
    def write(self, below=HIPS, moves=("hips", "spine"), change=None):
        """the tube of two joints with a socket below one of them; `change`: the JSON, returns bytes to add, if any"""
        test_props.write_scene(self.folder / "in.glb", moves=moves)
        scene = Scene(self.folder / "in.glb")
        scene.json["nodes"].append({"name": "socket", "translation": [0, 0.5, 0]})
        scene.json["nodes"][below].setdefault("children", []).append(SOCKET)
        more = change(scene.json) if change else None
        save(self.folder / "in.glb", scene.json, scene.binary + (more or b""))

    def rigged(self, *words):
        self.told = self.ossa("rig", "in.glb", "-o", "out.glb", *RIG, *words).stderr
        return Scene(self.folder / "out.glb").json

    def moved(self, gltf):
        """names of the nodes that animations move and that are no bones of the rig"""
        bones = {joint for skin in gltf["skins"] for joint in skin["joints"]}
        targets = [channel["target"] for animation in gltf["animations"] for channel in animation["channels"]]
        return {gltf["nodes"][target["node"]]["name"] for target in targets if target["path"] != "weights"} - {
            gltf["nodes"][bone]["name"] for bone in bones}

    def bone_of(self, gltf, name):
        """the name of the bone above a node; None where it is below no bone"""
        bones = {joint for skin in gltf["skins"] for joint in skin["joints"]}
        found = [i for i, node in enumerate(gltf["nodes"]) if name in [gltf["nodes"][c]["name"] for c in node.get("children", [])]]
        self.assertEqual(len(found), 1)
        return gltf["nodes"][found[0]]["name"] if found[0] in bones else None

    def test_other_formats_say_what_they_leave_out(self):
        def furnish(gltf):
            gltf["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
            gltf["nodes"][SOCKET]["camera"] = 0
            gltf["extensionsUsed"] = ["KHR_lights_punctual", "KHR_materials_clearcoat", "KHR_materials_variants", "EXT_new"]
            gltf["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point"}, {"type": "directional"}]},
                                  "KHR_materials_variants": {"variants": [{"name": "red"}, {"name": "blue"}, {"name": "new"}]}}
            gltf["nodes"][0]["extensions"] = {"EXT_new": {"extensions": {"a": 1, "b": 2}}}
            gltf["materials"] = [{"name": "coat", "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 1}}}, {"name": "plain"}]
            gltf["nodes"][0]["extras"], gltf["extras"] = {"limit": 3}, {"made": "by hand"}
            gltf["meshes"][0]["extras"] = {"targetNames": []}
            body = gltf["meshes"][0]["primitives"][0]
            body["material"] = 0
            body["attributes"]["_WETNESS"] = body["attributes"]["POSITION"]
        self.write(change=furnish)
        for name in ("out.fbx", "out.dae", "out.usda", "out.py"):
            for words in (("rig", "in.glb", "-o", name, *RIG), ("convert", "in.glb", name)):
                told = self.ossa(*words).stderr
                self.assertIn(f"{name}: is written without what only glTF holds of its file: cameras 1, lights 2, "
                              "material variants 3 (\"red\" and others), materials with extensions 1, primitives with attributes of their own 1, "
                              "other extensions 1, extras 2 (11 parts)", told)
        self.assertNotIn("only glTF holds", self.ossa("rig", "in.glb", "-o", "out.glb", *RIG).stderr)
        # a mesh alone, and frames
        for name in ("out.obj", "out.ply"):
            self.assertIn("lights 2", self.ossa("convert", "in.glb", name).stderr)

    def test_tangents_and_filters_are_told(self):
        def add_tangents(gltf):
            body = gltf["meshes"][0]["primitives"][0]["attributes"]
            body["TANGENT"] = body["WEIGHTS_0"]
            gltf["samplers"] = [{"magFilter": 9728}, {"minFilter": 9986}, {"magFilter": 9729, "minFilter": 9987}, {"wrapS": 33071}]
            gltf["textures"] = [{"sampler": 0}, {"sampler": 1}, {"sampler": 2}, {"sampler": 3}, {}]

        self.write(change=add_tangents)
        for name in ("out.fbx", "out.dae", "out.usda", "out.obj"):
            self.assertIn("primitives with tangents 1 (\"body\"), textures with nearest filters 2, nodes",
                          self.ossa("convert", "in.glb", name).stderr, name)
        self.assertNotIn("only glTF holds", self.ossa("convert", "in.glb", "out.glb").stderr)

    def test_nodes_that_hold_nothing_are_told(self):
        def add_hand(gltf):
            # a group below the socket, and a box at a node of its own: neither is lost
            gltf["nodes"].append({"name": "hand"})
            gltf["nodes"][SOCKET]["children"] = [SOCKET + 1]

        self.write(change=add_hand)
        self.assertIn("nodes that hold nothing, as sockets 2 (\"socket\" and others) (2 parts)", self.ossa("rig", "in.glb", "-o", "out.dae", *RIG).stderr)
        test_props.write_scene(self.folder / "in.glb")
        self.assertNotIn("only glTF holds", self.ossa("rig", "in.glb", "-o", "out.dae", *RIG).stderr)
        # bones' ends that ossa writes are no sockets
        self.ossa("rig", *self.write_tubes(), "-o", "ends.glb", "--leaf-bones", "--bones", "3", *RIG)
        self.assertIn("_end", (self.folder / "ends.glb").read_bytes().decode("latin-1"))
        self.assertNotIn("only glTF holds", self.ossa("convert", "ends.glb", "out.dae").stderr)

    def test_motion_of_old_joints_moves_nothing_else(self):
        for below in (HIPS, SPINE):
            self.write(below)
            gltf = self.rigged()
            self.assertEqual(self.moved(gltf), set(), below)
            self.assertIsNotNone(self.bone_of(gltf, "socket"))

    def test_animations_of_old_joints_alone_go(self):
        def add_clip(gltf):
            other = dict(gltf["animations"][0], name="other")
            gltf["animations"].append(other)

        self.write(change=add_clip)
        gltf = self.rigged("--clip", "act")
        self.assertEqual([animation["name"] for animation in gltf["animations"]], ["act"])
        self.assertIn("moved joints that are replaced", self.told)

    def test_unknown_extensions_keep_joints_but_not_their_children(self):
        def use_extension(gltf):
            gltf["extensionsUsed"] = ["ACME_made_up"]

        self.write(change=use_extension)
        gltf = self.rigged()
        # joints have their numbers, as plain nodes
        self.assertEqual([node["name"] for node in gltf["nodes"][:2]], ["hips", "spine"])
        self.assertEqual(gltf["nodes"][SOCKET]["name"], "socket")
        self.assertIsNotNone(self.bone_of(gltf, "socket"))
        self.assertIn("children of joints that are replaced", self.told)
        self.assertEqual(self.moved(gltf), set())
        # unless old joints are asked for: they move as they did
        gltf = self.rigged("--keep-skin")
        self.assertIsNone(self.bone_of(gltf, "socket"))

    def test_a_bone_that_stays_keeps_its_children(self):
        # the socket is nearer to the other bone, along which the tube lies
        for below, place in ((HIPS, [3.5, 0.1, 0]), (SPINE, [-1.5, 0.1, 0])):
            def put(gltf):
                gltf["nodes"][SOCKET]["translation"] = place

            self.write(below, change=put)
            for words in (("convert", "in.glb", "out.glb"), ("pose", "in.glb", "-o", "out.glb", "--joint", "spine", "--rotate", "0,0,9")):
                told = self.ossa(*words).stderr
                after = Scene(self.folder / "out.glb")
                self.assertEqual(self.bone_of(after.json, "socket"), ("hips", "spine")[below], words)
                self.assertNotIn("children of joints that are replaced", told)
                names = [node["name"] for node in after.json["nodes"]]
                before = Scene(self.folder / "in.glb").worlds()[SOCKET]
                self.assertLess(np.abs(after.worlds()[names.index("socket")] - before).max(), 1e-5)

    def bone_of_skin(self, joint):
        """the name of the new bone that shares most of a joint's skin, by the sum over vertices that its definition is"""
        before, after = Scene(self.folder / "in.glb"), Scene(self.folder / "out.glb")
        area, shares = None, []
        for scene in (before, after):
            node = next(node for node in scene.json["nodes"] if node.get("name") == "body")
            primitive, skin = scene.json["meshes"][node["mesh"]]["primitives"][0], scene.json["skins"][node["skin"]]
            points = scene.floats(primitive["attributes"]["POSITION"])
            if area is None:
                area = np.zeros(len(points))
                for face in scene.numbers(primitive["indices"]).reshape(-1, 3):
                    a, b, c = points[face]
                    area[face] += np.linalg.norm(np.cross(b - a, c - a))
            weights = np.zeros((len(points), len(scene.json["nodes"])))
            joints, values = scene.numbers(primitive["attributes"]["JOINTS_0"]), scene.floats(primitive["attributes"]["WEIGHTS_0"])
            for k in range(4):
                np.add.at(weights, (np.arange(len(points)), np.array(skin["joints"])[joints[:, k]]), values[:, k])
            shares.append(weights)
        shared = (area * shares[0][:, joint]) @ shares[1]
        self.assertGreater(np.sort(shared)[-1], 1.01 * np.sort(shared)[-2])
        return after.json["nodes"][int(shared.argmax())]["name"]

    def test_children_follow_the_skin_of_their_joint(self):
        # the socket is nearer to what the other joint moves
        found = set()
        for below, place in ((HIPS, [3.5, 0.1, 0]), (SPINE, [-1.9, 0.1, 0])):
            def put(gltf):
                gltf["nodes"][SOCKET]["translation"] = place

            self.write(below, change=put)
            gltf = self.rigged("--method", "volume", "--refine", "0")
            self.assertEqual(self.bone_of(gltf, "socket"), self.bone_of_skin(below))
            self.assertIn("children of joints that are replaced", self.told)
            found.add(self.bone_of(gltf, "socket"))
        self.assertEqual(len(found), 2)

    def test_children_of_joints_that_move_no_vertex(self):
        # what is below such a joint stands for it, else what is above
        for name, below in (("above", SPINE), ("below", HIPS)):
            def add_joint(gltf):
                gltf["skins"][0]["joints"].append(SOCKET + 1)
                gltf["bufferViews"].append({"buffer": 0, "byteOffset": gltf["buffers"][0]["byteLength"], "byteLength": 192})
                gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126, "count": 3, "type": "MAT4"})
                gltf["skins"][0]["inverseBindMatrices"] = len(gltf["accessors"]) - 1
                bind = np.tile(np.eye(4, dtype="f4"), (3, 1, 1))
                bind[0, 3, 0] = 2
                place = [-1.9, 0.1, 0] if name == "above" else [3.5, 0.1, 0]
                gltf["nodes"].append({"name": "still", "translation": place, "children": [SOCKET]})
                if name == "above":
                    gltf["nodes"][SPINE]["children"] = [SOCKET + 1]
                    return bind.tobytes()
                gltf["nodes"][HIPS]["translation"] = [-5.5, -0.1, 0]
                gltf["nodes"][SOCKET + 1]["children"].append(HIPS)
                gltf["nodes"][HIPS]["children"].remove(SOCKET)
                gltf["scenes"][0]["nodes"][0] = SOCKET + 1
                return bind.tobytes()

            self.write(below, moves=(), change=add_joint)
            gltf = self.rigged("--method", "volume", "--refine", "0")
            self.assertEqual(self.bone_of(gltf, "socket"), self.bone_of_skin(below), name)

    def place_of_child(self, name, time):
        """a socket's place against its joint at a time, by the nodes that are no bones"""
        scene = Scene(self.folder / name)
        nodes, animation = scene.json["nodes"], scene.json["animations"][0]
        channel = next(c for c in animation["channels"] if nodes[c["target"]["node"]]["name"] == "socket")
        sampler = animation["samplers"][channel["sampler"]]
        times, values = scene.floats(sampler["input"])[:, 0], scene.floats(sampler["output"])
        found = [np.interp(time, times - times[0], values[:, k]) for k in range(3)]
        return scene, np.array([*found, 1])

    def test_children_go_on_moving_against_their_joint(self):
        def move(gltf):
            sampler = next(c["sampler"] for c in gltf["animations"][0]["channels"] if c["target"]["path"] == "translation")
            gltf["animations"][0]["channels"].append({"sampler": sampler, "target": {"node": SOCKET, "path": "translation"}})
            gltf["nodes"][SPINE].update(rotation=[0, 0, 0.6, 0.8], scale=[2, 2, 2])

        self.write(SPINE, change=move)
        gltf = self.rigged("--method", "sequence", "--refine", "0")
        self.assertEqual(self.moved(gltf), {"socket"})
        self.assertIn("socket_base", [node["name"] for node in gltf["nodes"]])
        self.assertIsNotNone(self.bone_of(gltf, "socket_base"))
        for time in (0, 0.3, 0.9):
            before, key = self.place_of_child("in.glb", time)
            after, same = self.place_of_child("out.glb", time)
            self.assertEqual(key.tolist(), same.tolist())
            base = next(i for i, node in enumerate(after.json["nodes"]) if node["name"] == "socket_base")
            np.testing.assert_allclose(after.worlds()[base] @ same, before.worlds()[SPINE] @ key, atol=1e-5)
        # once is enough: what moves is below the node between, which does not
        self.ossa("convert", "out.glb", "again.glb")
        names = [node["name"] for node in Scene(self.folder / "again.glb").json["nodes"]]
        self.assertEqual(len([name for name in names if "base" in name]), 1)

    def test_motion_of_nodes_between_joints_is_that_of_bones(self):
        def put_between(gltf):
            nodes, act = gltf["nodes"], gltf["animations"][0]
            nodes.append({"name": "between", "children": [SPINE]})
            nodes[HIPS]["children"] = [SOCKET + 1]
            act["channels"].append({"sampler": act["channels"][-1]["sampler"], "target": {"node": SOCKET + 1, "path": "rotation"}})

        self.write(SPINE, change=put_between)
        self.assertEqual(self.moved(self.rigged()), set())

    def test_motion_against_a_joint_goes_with_the_motion_of_the_joint(self):
        def add_clips(gltf):
            act = gltf["animations"][0]
            own = {"sampler": act["channels"][0]["sampler"], "target": {"node": SOCKET, "path": "translation"}}
            gltf["animations"] += [dict(act, name="other", channels=[*act["channels"], own]), dict(act, name="alone", channels=[own])]

        self.write(SPINE, change=add_clips)
        gltf = self.rigged("--clip", "act")
        self.assertEqual([animation["name"] for animation in gltf["animations"]], ["act", "alone"])
        self.assertIn("moved joints that are replaced", self.told)
        self.assertEqual(len(gltf["animations"][1]["channels"]), 1)

    def test_sockets_go_along_to_other_axes_and_units(self):
        self.write(below=SPINE)
        before = Scene(self.folder / "in.glb").worlds()[SOCKET][:3, 3]
        for words, scale, turned in ((("--up", "z"), 1, [0, 2, 1]), (("--unit", "0.01"), 100, [0, 1, 2])):
            for command in (("convert", "in.glb", "out.glb"), ("rig", "in.glb", "-o", "out.glb", *RIG)):
                self.ossa(*command, *words)
                after = Scene(self.folder / "out.glb")
                names = [node["name"] for node in after.json["nodes"]]
                self.assertIsNotNone(self.bone_of(after.json, "socket"))
                place = after.worlds()[names.index("socket")][:3, 3]
                np.testing.assert_allclose(np.abs(place), np.abs(scale * before[turned]), atol=1e-4 * scale, err_msg=str(command + words))

    def test_sockets_go_along_to_other_rest_poses(self):
        """they stand to their bone as before, also in another unit"""
        def from_bone(scene):
            worlds, nodes = scene.worlds(), scene.json["nodes"]
            socket = [node["name"] for node in nodes].index("socket")
            above = next(i for i, node in enumerate(nodes) if socket in node.get("children", []))
            return np.linalg.inv(worlds[above]) @ worlds[socket], worlds[socket]

        for below in (HIPS, SPINE):
            self.write(below=below)
            self.ossa("convert", "in.glb", "rig.glb")
            wanted, before = from_bone(Scene(self.folder / "rig.glb"))
            for words, scale in (((), 1), (("--unit", "0.01"), 100), (("--up", "z", "--unit", "0.01"), 100)):
                self.ossa("convert", "in.glb", "out.glb", "--rest-pose", "3", *words)
                found, after = from_bone(Scene(self.folder / "out.glb"))
                self.assertGreater(np.linalg.norm(after[:3, 3] / scale - before[:3, 3]), 0.2)
                np.testing.assert_allclose(found[:3, 3], scale * wanted[:3, 3], atol=2e-4 * scale, err_msg=str(words))

    def crate_of(self, gltf):
        """the one node of that name"""
        found = [node for node in gltf["nodes"] if node.get("name") == "crate"]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_meshes_stay_with_what_is_said_of_them(self):
        """below a group, and below a joint, which goes or is a node that nothing moves"""
        for is_used in (True, False):
            for below in (3, SPINE):
                def extend(gltf):
                    gltf["nodes"][CRATE]["extensions"] = {"EXT_foo": {"x": 1}}
                    gltf["extensionsUsed"] = ["EXT_foo" if is_used else "KHR_materials_unlit"]
                    del gltf["nodes"][3]["children"]
                    gltf["nodes"][below].setdefault("children", []).append(CRATE)

                self.write(moves=("hips", "spine"), change=extend)
                gltf = self.rigged("--method", "volume", "--refine", "0")
                crate = self.crate_of(gltf)
                self.assertEqual(gltf["meshes"][crate["mesh"]]["name"], "crate")
                self.assertEqual(crate["extensions"], {"EXT_foo": {"x": 1}})
                self.assertIn("JOINTS_0", gltf["meshes"][crate["mesh"]]["primitives"][0]["attributes"])
                self.assertEqual(len(gltf["skins"][crate["skin"]]["joints"]), len(gltf["skins"][0]["joints"]))
                self.assertEqual(self.bone_of(gltf, "crate") is None, below == 3)
                before, after = (play(self.folder / name, 0) for name in ("in.glb", "out.glb"))
                np.testing.assert_allclose(after["crate"], before["crate"], atol=1e-4)
                # again
                self.ossa("convert", "out.glb", "again.glb")
                again = self.crate_of(Scene(self.folder / "again.glb").json)
                self.assertEqual(again["extensions"], {"EXT_foo": {"x": 1}})
                self.assertIn("skin", again)

    def test_instances_stay_as_they_are(self):
        """each where it was, turned and scaled with the scene; no skin moves them"""
        def place(gltf):
            gltf["nodes"][CRATE]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}
            gltf["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
            # another node shows its mesh, with a skin
            gltf["nodes"][5]["mesh"] = 1

        for words, scale in (((), 1), (("--unit", "0.01"), 100)):
            self.write(moves=("hips", "spine"), change=place)
            before = Scene(self.folder / "in.glb")
            gltf = self.rigged(*words)
            self.assertIn("stay as they are, without a skin (1 mesh)", self.told)
            crate = self.crate_of(gltf)
            self.assertEqual(crate, {**before.json["nodes"][CRATE], "mesh": crate["mesh"], "extensions": crate["extensions"]})
            attributes, after = gltf["meshes"][crate["mesh"]]["primitives"][0]["attributes"], Scene(self.folder / "out.glb")
            self.assertEqual(set(attributes), {"POSITION"})
            np.testing.assert_array_equal(after.floats(attributes["POSITION"]),
                                          before.floats(before.json["meshes"][1]["primitives"][0]["attributes"]["POSITION"]))
            places = crate["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"]
            np.testing.assert_array_equal(after.floats(places), before.floats(0))
            worlds = [scene.worlds()[scene.json["nodes"].index(self.crate_of(scene.json))] for scene in (before, after)]
            np.testing.assert_allclose(worlds[1], np.diag([scale, scale, scale, 1]) @ worlds[0], atol=1e-4 * scale)
            box = next(node for node in gltf["nodes"] if node.get("name") == "box")
            self.assertIn("skin", box)
            self.assertIn("JOINTS_0", gltf["meshes"][box["mesh"]]["primitives"][0]["attributes"])

    def test_instances_alone_get_the_rig(self):
        def leave_alone(gltf):
            gltf["nodes"][CRATE]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}
            gltf["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
            gltf["scenes"][0]["nodes"] = [3]
            del gltf["animations"]

        self.write(change=leave_alone)
        gltf = self.rigged("--method", "volume", "--refine", "0")
        self.assertNotIn("without a skin", self.told)
        self.assertTrue({"skin", "extensions"} <= set(self.crate_of(gltf)))

    def test_roots_go_along_to_other_axes_and_units(self):
        lamp, camera, slider = SOCKET + 1, SOCKET + 2, SOCKET + 3

        def add_roots(gltf):
            gltf["nodes"] += [{"name": "lamp", "translation": [0, 1, 1], "children": [camera]},
                              {"name": "camera", "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]},
                              {"name": "slider", "rotation": [0.6, 0, 0, 0.8], "scale": [1, 1, 2]}]
            gltf["scenes"][0]["nodes"] += [lamp, slider]
            act = gltf["animations"][0]
            act["channels"].append({"sampler": act["channels"][0]["sampler"], "target": {"node": slider, "path": "translation"}})

        self.write(change=add_roots)
        before = Scene(self.folder / "in.glb")
        turned, back = np.eye(4)[[0, 2, 1, 3]], np.eye(4)[[0, 2, 1, 3]]
        turned[1], back[2] = -turned[1], -back[2]
        larger = np.diag([100, 100, 100, 1])
        for words, change in ((("--up", "z"), turned), (("--unit", "0.01"), larger), (("--up", "z", "--unit", "0.01"), turned @ larger),
                              (("--input-up", "z", "--input-unit", "100"), back @ larger), (("--input-up", "z", "--up", "z"), np.eye(4))):
            self.ossa("rig", "in.glb", "-o", "out.glb", *RIG, *words)
            after = Scene(self.folder / "out.glb")
            names, shown = [node["name"] for node in after.json["nodes"]], after.shown()
            for node, name in ((lamp, "lamp"), (camera, "camera"), (slider, "slider")):
                at = names.index(name)
                self.assertIn(at, shown)
                np.testing.assert_allclose(after.worlds()[at], change @ before.worlds()[node], atol=1e-4, err_msg=f"{name} {words}")
            # its keys are what they were
            self.assertEqual(self.moved(after.json), {"slider"})
            self.assertEqual(after.json["nodes"][names.index("slider")], before.json["nodes"][slider])
            self.assertEqual("slider_base" in names, not np.array_equal(change, np.eye(4)))


if __name__ == "__main__":
    main()
