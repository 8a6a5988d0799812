"""The studio's server as the page uses it: sessions, files, jobs, events, and what there is to fetch."""
import array
import json
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from server import OSSA, PLAIN, Events, Server, ServerTest, main, tube_obj


def glb_parts(data):
    """the JSON and the binary of a GLB"""
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def glb_positions(data):
    document, binary = glb_parts(data)
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    begin = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return accessor["count"], array.array("f", binary[begin:begin + 12 * accessor["count"]])


def whole_parts(data):
    """the header and the arrays of a session in one answer"""
    size = struct.unpack("<I", data[:4])[0]
    head = json.loads(data[4:4 + size])
    begins = {name: 4 + size + where for name, (where, _) in head["arrays"].items()}
    return head, {name: data[begins[name]:begins[name] + count] for name, (_, count) in head["arrays"].items()}


class Working(ServerTest):
    def get(self, session, path):
        status, headers, data = self.server.ask("GET", f"api/sessions/{session}/{path}")
        self.assertEqual(status, 200, data[:300])
        return headers, data

    def floats(self, session, path):
        return array.array("f", self.get(session, path)[1])

    def test_about_describes_everything(self):
        about = self.server.json("GET", "api/about")
        self.assertEqual([method["name"] for method in about["methods"]], ["auto", "examples", "sequence", "contraction", "volume"])
        options = {option["name"]: option for option in about["methods"][1]["options"]}
        self.assertEqual(options["bones"]["type"], "int")
        self.assertEqual(options["names"]["choices"], ["body", "numbers", "mixamo", "unreal", "vrm", "unity", "godot", "rigify"])
        # of a number the words for some
        self.assertEqual((options["reference"]["type"], options["reference"]["choices"]), ("int", ["auto", "file", "first"]))
        writing = {option["name"]: option for option in about["options"]["write"]}
        self.assertEqual(writing["rest-pose"]["choices"], ["keep", "modelled", "t", "a"])
        self.assertNotIn("method", options)
        self.assertTrue(any(".glb" in format["endings"] for format in about["formats"]["write"]))
        words = {entry["code"]: entry for entry in about["warnings"]}
        self.assertIn("fewer bones", words["fewer-bones"]["meaning"])
        # what forms show first, and under which heading the rest stands
        contraction = {option["name"]: (option["group"], option["common"]) for option in about["methods"][3]["options"]}
        self.assertEqual(contraction["bones"], ("Skeleton", True))
        self.assertEqual(contraction["pull"], ("Method", False))
        self.assertEqual(contraction["names"], ("Skeleton", True))
        names = [metric["name"] for metric in about["metrics"]]
        self.assertTrue({"rms_percent", "max_frame", "joints_inside"} <= set(names))
        self.assertTrue(all(metric["title"] and metric["help"] for metric in about["metrics"]))
        self.assertTrue(all(entry["advice"] and "|" not in entry["advice"] for entry in about["warnings"]))

    def test_from_files_to_a_rig(self):
        session = self.open_tube(with_seams=True)
        state = self.server.state(session)
        self.assertEqual((state["title"], state["mesh"]["vertices"], state["input"]["frames"], state["rig"]), ("rest", 300, 3, None))
        self.server.do(session, do="rig", method="examples", options={"bones": "2"})
        state = self.server.state(session)
        self.assertEqual(len(state["rig"]["bones"]), 2)
        self.assertEqual(state["method"], "examples")
        self.assertEqual(state["options"], {"bones": "2"})
        self.assertLess(state["report"]["hierarchy"]["rms_percent"], 0.5)
        # what the panel Report shows: every metric that the server names
        self.assertEqual(list(state["report"]["hierarchy"]), [metric["name"] for metric in self.server.json("GET", "api/about")["metrics"]])
        self.assertEqual(len(state["report"]["frame_errors"]), 3)
        self.assertEqual(len(state["report"]["bone_errors"]), 2)
        self.refused(self.server.ask("GET", f"api/sessions/{session}/report.html"), 404)
        self.server.do(session, do="report")
        headers, page = self.get(session, "report.html")
        self.assertIn(b"<html", page)
        self.assertIn("sandbox", headers["Content-Security-Policy"])
        self.assertNotIn("script-src", headers["Content-Security-Policy"])
        headers, data = self.get(session, "rig.glb")
        self.assertEqual(headers["X-Ossa-Revision"], str(state["revision"] + 1))
        count, positions = glb_positions(data)
        # seams of texture coordinates split no vertex of the page's
        self.assertEqual(count, 300)
        for i, line in enumerate(tube_obj(0).decode().split("\n")[:300]):
            for got, wanted in zip(positions[3 * i:3 * i + 3], map(float, line.split()[1:])):
                self.assertAlmostEqual(got, wanted, 5)
        self.assertIn("skins", glb_parts(data)[0])

    def test_stages_of_the_contraction(self):
        session = self.open_tube()
        self.refused(self.server.ask("GET", f"api/sessions/{session}/stages"), 404)
        self.server.do(session, do="stages", options={"bones": 5})
        data = self.get(session, "stages")[1]
        size = int.from_bytes(data[:4], "little")
        head, body = json.loads(data[4:4 + size]), data[4 + size:]
        arrays = {name: body[at:at + count] for name, (at, count) in head["arrays"].items()}
        self.assertEqual(sum(map(len, arrays.values())), len(body))
        self.assertEqual(len(arrays["points"]), 5 * 12)
        self.assertEqual(len(arrays["positions"]), (head["steps"] + 1) * head["vertices"] * 12)
        self.assertLess(max(array.array("I", arrays["graph_points"])), 5)
        self.assertEqual((head["volumes"][0], len(head["pulls"])), (1, head["steps"] + 1))
        self.assertIsNone(self.server.state(session)["rig"])
        # another mesh has other stages
        self.server.do(session, do="open", files=["rest.obj"])
        self.refused(self.server.ask("GET", f"api/sessions/{session}/stages"), 404)

    def test_arrays_have_their_shapes(self):
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        influences = self.server.state(session)["rig"]["influences"]
        data = self.get(session, "weights")[1]
        self.assertEqual(len(data), 300 * influences * 6)
        bones = array.array("H", data[:600 * influences])
        values = array.array("f", data[600 * influences:])
        self.assertLess(max(bones), 2)
        for vertex in range(300):
            self.assertAlmostEqual(sum(values[vertex * influences:(vertex + 1) * influences]), 1, 5)
        frames = self.floats(session, "frames")
        self.assertEqual(len(frames), 3 * 300 * 3)
        self.assertEqual(self.floats(session, "frames?from=1&count=1"), frames[900:1800])
        self.assertEqual(self.floats(session, "frames?from=2"), frames[1800:])
        clip = self.floats(session, "clip")
        self.assertEqual(len(clip), 3 * 2 * 4 + 3 * 3)
        # what the library poses, and how far it is from the input
        pose = {"rotations": [list(clip[8 + 4 * b:12 + 4 * b]) for b in range(2)], "root": list(clip[24 + 3:24 + 6])}
        status, _, data = self.server.ask("POST", f"api/sessions/{session}/positions", pose)
        self.assertEqual(status, 200)
        positions, errors = array.array("f", data), self.floats(session, "errors?frame=1")
        self.assertEqual(len(errors), 300)
        for v in range(300):
            far = sum((positions[3 * v + k] - frames[900 + 3 * v + k]) ** 2 for k in range(3)) ** 0.5
            self.assertAlmostEqual(far, errors[v], 5)

    def test_the_whole_is_sent_at_once(self):
        session = self.server.make_session()
        self.assertEqual(whole_parts(self.get(session, "whole")[1])[0]["mesh"], "")
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        headers, data = self.get(session, "whole")
        head, arrays = whole_parts(data)
        state = self.server.state(session)
        self.assertEqual(head["state"], state)
        self.assertEqual((int(headers["X-Ossa-Revision"]), head["mesh"]), (state["revision"], state["mesh"]["id"]))
        self.assertEqual(arrays["faces"], self.get(session, "faces")[1])
        self.assertEqual(arrays["bones"] + arrays["weights"], self.get(session, "weights")[1])
        clip = b"".join(arrays.get(name, b"") for name in ("turns", "roots", "slides"))
        self.assertEqual(clip, self.get(session, "clip")[1])
        self.assertEqual(arrays["positions"], array.array("f", glb_positions(self.get(session, "rig.glb")[1])[1]).tobytes())
        # what is known stays out, and what is not known any more comes again
        known = f"mesh={head['mesh']}&rig={head['rig']}"
        self.assertEqual(whole_parts(self.get(session, f"whole?{known}")[1]), (head | {"arrays": {}}, {}))
        self.server.do(session, do="edit", lines=[f"split {state['rig']['bones'][1]['name']}"])
        after, parts = whole_parts(self.get(session, f"whole?{known}")[1])
        self.assertEqual((after["mesh"], after["rig"] == head["rig"]), (head["mesh"], False))
        self.assertEqual(sorted(parts), sorted(set(arrays) - {"positions", "faces"}))

    def test_looks_come_with_their_images(self):
        session = self.server.make_session()
        self.refused(self.server.ask("GET", f"api/sessions/{session}/looks"), 404)
        image = b"\x89PNG\r\n\x1a\n and the rest of it, which nothing here decodes"
        obj = "mtllib skin.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nusemtl leaf\nf 1/1 3/3 4\n"
        mtl = "newmtl leaf\nKd 0.5 1 0.25\nmap_Kd leaf.png\n"
        for name, data in (("leaf.obj", obj.encode()), ("skin.mtl", mtl.encode()), ("leaf.png", image)):
            self.server.put(session, name, data)
        self.server.do(session, do="open", files=["leaf.obj"])
        head, arrays = whole_parts(self.get(session, "looks")[1])
        self.assertEqual(head["mesh"], self.server.state(session)["mesh"]["id"])
        self.assertEqual(head["warnings"], [])
        self.assertEqual([image["type"] for image in head["looks"]["images"]], ["image/png"])
        self.assertEqual(arrays["image_0"], image)
        # the last is that of faces without a material
        leaf, none = head["looks"]["materials"]
        self.assertEqual((leaf["textures"]["color"]["image"], leaf["textures"]["normal"], none["textures"]["color"]), (0, None, None))
        self.assertEqual(list(array.array("I", arrays["materials"])), [1, 0])
        self.assertEqual(list(array.array("I", arrays["corners_0"])), [0, 1, 2, 0, 2, 0xffffffff])
        self.assertEqual(list(array.array("f", arrays["texcoords_0"])), [0, 0, 1, 0, 1, 1])
        # after a rig it is the same; without the image the rest is there, and says what is missing
        self.server.ask("DELETE", f"api/sessions/{session}/files/leaf.png")
        head, arrays = whole_parts(self.get(session, "looks")[1])
        self.assertNotIn("image_0", arrays)
        self.assertEqual(len(head["looks"]["materials"]), 2)
        self.assertIn("leaf.png", head["warnings"][0])

    def test_a_mesh_without_looks_has_none(self):
        session = self.open_tube()
        head, arrays = whole_parts(self.get(session, "looks")[1])
        self.assertEqual((len(head["looks"]["materials"]), head["looks"]["images"]), (1, []))
        self.assertEqual(sorted(arrays), ["materials"])

    def test_the_library_poses_and_reaches(self):
        session = self.open_tube(poses=4)
        self.server.do(session, do="rig", method="examples", options={"bones": 3, **PLAIN})
        bones = self.server.state(session)["rig"]["bones"]
        clip, count = self.floats(session, "clip"), len(bones)
        rotations = [list(clip[4 * b:4 * b + 4]) for b in range(count)]
        pose = {"rotations": rotations, "root": list(clip[16 * count:16 * count + 3])}
        linear, dual = (self.server.ask("POST", f"api/sessions/{session}/positions", {**pose, "blend": blend})[2] for blend in ("linear", "dual"))
        self.assertEqual((len(linear), len(dual)), (3600, 3600))
        self.assertNotEqual(linear, dual)
        self.assertLess(max(abs(a - b) for a, b in zip(array.array("f", linear), array.array("f", dual))), 0.3)
        leaf = count - 1
        target = [bones[leaf]["tail"][0] * 0.9, bones[leaf]["tail"][1] + 0.3, bones[leaf]["tail"][2]]
        told = self.server.json("POST", f"api/sessions/{session}/ik", {**pose, "bone": bones[leaf]["name"], "target": target, "chain": 0})
        self.assertEqual(len(told["rotations"]), count)
        self.assertGreaterEqual(told["distance"], 0)
        for wrong in ({"bone": "none"}, {"bone": 7}, {"bone": None}, {"target": [1, 2]}, {"chain": -1}, {"chain": "x"}, {"rotations": []}):
            wanted = {**pose, "bone": 1, "target": target, **wrong}
            self.refused(self.server.ask("POST", f"api/sessions/{session}/ik", wanted), 400, "argument")

    def test_one_mesh_is_rigged_by_its_shape(self):
        session = self.server.make_session()
        self.server.put(session, "tube.obj", tube_obj(0.8, rings=40))
        self.server.do(session, do="open", files=["tube.obj"])
        self.assertIsNone(self.server.state(session)["input"])
        for method in ("auto", "contraction", "volume"):
            self.server.do(session, do="rig", method=method)
            state = self.server.state(session)
            self.assertGreater(len(state["rig"]["bones"]), 1)
            self.assertIn(state["method"], ("contraction", "volume"))
        told = self.server.wait(session, self.server.begin(session, do="rig", method="examples"))
        self.assertEqual((told["state"], told["error"]["code"]), ("failed", "input"))
        self.assertIn("motion", told["error"]["message"])
        self.refused(self.server.ask("GET", f"api/sessions/{session}/frames"), 404)

    def test_a_rig_is_opened_as_it_is(self):
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        bones = [bone["name"] for bone in self.server.state(session)["rig"]["bones"]]
        told = self.server.do(session, do="export", name="tube.glb")
        self.assertEqual(told["result"]["files"], ["tube.glb"])
        headers, data = self.get(session, "exports/tube.glb")
        self.assertIn("attachment", headers["Content-Disposition"])
        other = self.server.make_session()
        self.server.put(other, "tube.glb", data)
        self.server.do(other, do="open", files=["tube.glb"])
        state = self.server.state(other)
        self.assertEqual([bone["name"] for bone in state["rig"]["bones"]], bones)
        self.assertEqual(state["input"]["frames"], 3)
        self.assertEqual(len(state["report"]["frame_errors"]), 3)
        self.assertIn("skins", glb_parts(self.get(other, "rig.glb")[1])[0])
        # and other motion for it
        self.server.put(other, "bent.obj", tube_obj(0.3))
        self.server.put(other, "rest.obj", tube_obj(0))
        self.server.do(other, do="open", files=["tube.glb", "bent.obj"], rest="rest.obj")
        self.assertEqual(self.server.state(other)["input"]["frames"], 1)
        self.assertLess(self.server.state(other)["report"]["hierarchy"]["rms_percent"], 1)

    def test_every_format_is_exported(self):
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        about = self.server.json("GET", "api/about")
        for format in about["formats"]["write"]:
            ending = format["endings"][0]
            if format["name"] == "vrm":
                # of humans alone, and this is a tube
                told = self.server.wait(session, self.server.begin(session, do="export", name="out.vrm"))
                self.assertIn("humans", told["error"]["message"])
                continue
            told = self.server.do(session, do="export", name=f"out-{format['name']}{ending}")
            for name in told["result"]["files"]:
                self.assertGreater(len(self.get(session, f"exports/{name}")[1]), 40)
        told = self.server.do(session, do="export", name="walk_##.obj")
        self.assertEqual(told["result"]["files"], ["walk_01.obj", "walk_02.obj", "walk_03.obj"])
        told = self.server.do(session, do="export", name="a.dae", options={"collada": "1.4.1", "leaf-bones": True})
        self.assertIn(b'version="1.4.1"', self.get(session, "exports/a.dae")[1])

    def test_rest_poses_are_exported(self):
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        for name in "tube.obj", "tube.glb":
            self.server.do(session, do="export", name=name, options={"rest-pose": "3"})
            told = self.server.wait(session, self.server.begin(session, do="export", name=name, options={"rest-pose": "t"}))
            self.assertEqual(told["state"], "failed")
            self.assertIn("poses of humans", told["error"]["message"])

    def test_poses_are_exported_as_motion(self):
        session = self.open_tube()
        wanted = {"rotations": [[0, 0, 0, 1], [0, 0, -2, -2]], "root": [1, 2, 3]}
        told = self.server.wait(session, self.server.begin(session, do="export", name="a.glb", poses=[wanted]))
        self.assertEqual(told["error"]["code"], "input", "there are no bones yet")
        self.server.do(session, do="rig", method="examples", options={"bones": 2, **PLAIN})
        other = {"rotations": [[0, 0, 1, 0], [0, 0, 0, 3]]}
        self.server.do(session, do="export", name="a.glb", poses=[wanted, other], seconds=0.5)
        document, binary = glb_parts(self.get(session, "exports/a.glb")[1])
        (animation,) = document["animations"]
        self.assertEqual(animation["name"], "poses")
        def read(index):
            accessor = document["accessors"][index]
            begin = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
            return list(array.array("f", binary[begin:begin + 4 * accessor["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]]))
        self.assertEqual(read(animation["samplers"][0]["input"]), [0, 0.5])
        skin, half = document["skins"][0]["joints"], 0.5 ** 0.5
        turns = {channel["target"]["node"]: read(animation["samplers"][channel["sampler"]]["output"])
                 for channel in animation["channels"] if channel["target"]["path"] == "rotation"}
        for got, value in zip(turns[skin[1]], [0, 0, -half, -half, 0, 0, 0, -1]):
            self.assertAlmostEqual(got, value, places=6)
        state = self.server.state(session)
        self.assertEqual(len(state["rig"]["clip"]["times"]), 3, "the rig keeps its own")
        for wrong in ({"poses": []}, {"poses": [{}]}, {"poses": [wanted, {"rotations": [[0, 0, 0, 0], [0, 0, 0, 1]]}]}, {"poses": [7]},
                      {"poses": [wanted], "seconds": 0}, {"poses": [wanted], "seconds": "x"}, {"poses": [{**wanted, "root": [1, 2]}]}):
            told = self.server.wait(session, self.server.begin(session, do="export", name="b.glb", **wrong))
            self.assertEqual((told["state"], told["error"]["code"]), ("failed", "argument"), wrong)

    def test_all_files_of_an_export_are_listed_each_time(self):
        session = self.open_tube()
        for _ in range(2):
            told = self.server.do(session, do="export", name="tube.gltf")
            self.assertEqual(sorted(told["result"]["files"]), ["tube.bin", "tube.gltf"])
        self.assertEqual(self.server.do(session, do="export", name="tube.ply")["result"]["files"], ["tube.ply"])

    def test_edits_are_done_undone_and_kept(self):
        session = self.open_tube(poses=4)
        self.server.do(session, do="rig", method="examples", options={"bones": 2, **PLAIN})
        self.refused(self.server.ask("GET", f"api/sessions/{session}/log"), 404)
        first = self.server.state(session)
        root, leaf = (bone["name"] for bone in first["rig"]["bones"])
        whole = self.get(session, "rig.glb")[1]
        self.server.do(session, do="edit", lines=[f"split {leaf} 0.5 elbow", f"forbid elbow {root}"])
        state = self.server.state(session)
        self.assertEqual(len(state["rig"]["bones"]), 3)
        self.assertEqual(state["edits"], {"done": [f"split {leaf} 0.5 elbow", f"forbid elbow {root}"], "undone": [], "steps": [2], "stale": True, "first": 0})
        self.assertEqual([(one["number"], one["line"], one["on"]) for one in state["constraints"]], [(1, f"forbid elbow {root}", True)])
        self.assertEqual(state["mesh"]["id"], first["mesh"]["id"])
        self.assertEqual(state["report"]["revision"], first["revision"])
        self.server.do(session, do="edit", lines=["solve"])
        state = self.server.state(session)
        self.assertFalse(state["edits"]["stale"])
        self.assertTrue(state["solved"]["weights"])
        self.assertLess(state["solved"]["after"]["rms_percent"], 1)
        # what painting has changed at once counts with what solving changes
        painted = self.open_tube(poses=4)
        self.server.do(painted, do="rig", method="examples", options={"bones": 2, **PLAIN})
        first_bone = self.server.state(painted)["rig"]["bones"][0]["name"]
        old = self.get(painted, "weights")[1]
        self.server.do(painted, do="edit", lines=[f"paint {first_bone} 0-40", "solve"])
        new, count = self.get(painted, "weights")[1], self.server.state(painted)["rig"]["influences"]
        values = lambda data: (array.array("H", data[:600 * count]), array.array("f", data[600 * count:]))
        weight = lambda data, v: {b: w for b, w in zip(data[0][v * count:(v + 1) * count], data[1][v * count:(v + 1) * count]) if w > 1e-4}
        (a, b), changed = (values(old), values(new)), 0
        for v in range(300):
            one, other = weight(a, v), weight(b, v)
            changed += any(abs(one.get(k, 0) - other.get(k, 0)) > 1e-4 for k in one | other)
        self.assertGreater(changed, 5)
        self.assertEqual(self.server.state(painted)["solved"]["vertices_changed"], changed)
        log = self.get(session, "log")[1].decode().splitlines()
        self.assertEqual(log[1:], state["edits"]["done"])
        solved = self.get(session, "rig.glb")[1]
        self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["edits"]["undone"], ["solve"])
        self.server.do(session, do="redo")
        self.assertEqual(self.get(session, "rig.glb")[1], solved)
        self.server.do(session, do="goto", count=0)
        self.assertEqual(self.get(session, "rig.glb")[1], whole)
        self.server.do(session, do="goto", count=3)
        self.assertEqual(self.get(session, "rig.glb")[1], solved)
        # what fails changes nothing, not even the half of it that went well
        before = self.server.state(session)
        for wanted in ({"do": "edit", "lines": [f"rename {leaf} arm", "merge none elbow"]}, {"do": "edit", "lines": ["explode"]},
                       {"do": "edit", "lines": []}, {"do": "edit", "lines": [7]}, {"do": "edit"}, {"do": "redo"},
                       {"do": "goto", "count": 4}, {"do": "goto", "count": -1}, {"do": "goto"}, {"do": "edit", "lines": "solve"}):
            told = self.server.wait(session, self.server.begin(session, **wanted))
            self.assertEqual((told["state"], told["error"]["code"]), ("failed", "argument"), wanted)
        self.assertEqual(self.server.state(session), before)
        self.server.do(session, do="undo")
        self.server.do(session, do="measure")
        state = self.server.state(session)
        self.assertEqual((state["report"]["revision"], len(state["report"]["bone_errors"])), (state["revision"], 3))
        # another rig begins another history
        self.server.do(session, do="rig", method="examples", options={"bones": 3, **PLAIN})
        state = self.server.state(session)
        self.assertEqual((state["edits"], state["constraints"], state["solved"]), ({"done": [], "undone": [], "steps": [], "stale": False}, [], None))

    def test_what_was_done_together_is_known(self):
        session = self.open_tube()
        self.server.do(session, do="rig", method="examples", options={"bones": 2, **PLAIN})
        leaf = self.server.state(session)["rig"]["bones"][1]["name"]
        steps = lambda: self.server.state(session)["edits"]["steps"]
        self.server.do(session, do="edit", lines=[f"rename {leaf} a", "rename a b", "rename b c"])
        self.server.do(session, do="edit", lines=["rename c d", "rename d e"])
        self.assertEqual(steps(), [3, 5])
        self.server.do(session, do="goto", count=3)
        self.assertEqual(steps(), [3, 5], "what is undone keeps its steps")
        # what begins in the middle of a step parts it
        self.server.do(session, do="goto", count=2)
        self.server.do(session, do="edit", lines=["rename b f"])
        self.assertEqual(steps(), [2, 3])
        self.server.do(session, do="undo")
        self.server.do(session, do="edit", lines=["rename b g", "rename g h"])
        self.assertEqual(steps(), [2, 4])

    def test_the_rig_from_before(self):
        session = self.open_tube()
        before = lambda: self.get(session, "before.glb")[1]
        self.server.do(session, do="rig", method="examples", options={"bones": 2, **PLAIN})
        first, told = self.get(session, "rig.glb")[1], self.server.state(session)["before"]
        self.assertEqual(before(), first, "the first rig of a mesh")
        self.server.do(session, do="edit", lines=["rename %s arm" % self.server.state(session)["rig"]["bones"][1]["name"]])
        edited = self.get(session, "rig.glb")[1]
        self.assertEqual((before(), self.server.state(session)["before"]), (first, told), "edits leave it")
        self.server.do(session, do="rig", method="examples", options={"bones": 3, **PLAIN})
        self.assertEqual(before(), edited, "the one that was there")
        self.assertNotEqual(self.server.state(session)["before"], told)

    def test_a_report_that_fails_keeps_what_is_known_of_the_making(self):
        session = self.open_tube(poses=8, rings=300, sides=60)
        self.server.do(session, do="rig", method="examples", options={"bones": 3, **PLAIN})
        cancelled = self.server.begin(session, do="report")
        self.server.json("DELETE", f"api/sessions/{session}/jobs/{cancelled}", status=204)
        self.assertEqual(self.server.wait(session, cancelled)["state"], "cancelled")
        self.server.do(session, do="report")
        self.assertIn(b"Seconds by stage", self.get(session, "report.html")[1])

    def test_edits_need_a_rig(self):
        session = self.open_tube()
        told = self.server.wait(session, self.server.begin(session, do="edit", lines=["solve"]))
        self.assertEqual((told["state"], told["error"]["code"]), ("failed", "input"))
        self.assertIn("split", [verb["verb"] for verb in self.server.json("GET", "api/about")["verbs"]])

    def test_faces_come_as_edits_number_them(self):
        session = self.open_tube()
        faces = array.array("I", self.get(session, "faces")[1])
        self.assertEqual((len(faces), max(faces)), (576 * 3, 299))
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        self.assertEqual(array.array("I", self.get(session, "faces")[1]), faces)
        state = self.server.state(session)
        self.assertTrue(all(bone["limits"] for bone in state["rig"]["bones"] if bone["turn"] > 0))

    def test_the_page_keeps_what_it_likes(self):
        session = self.open_tube()
        path = f"api/sessions/{session}/page"
        self.assertEqual(self.server.json("GET", path), {})
        revision = self.server.state(session)["revision"]
        self.server.json("PUT", path, {"poses": [{"name": "ä"}]}, status=204)
        self.assertEqual(self.server.json("GET", path), {"poses": [{"name": "ä"}]})
        self.refused(self.server.ask("PUT", path, b"no"), 400)
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        self.assertEqual(self.server.json("GET", path), {"poses": [{"name": "ä"}]})
        self.assertEqual(self.server.state(session)["revision"], revision + 1)

    def test_events_tell_what_moves(self):
        session = self.open_tube()
        first, second = Events(self.server, session), Events(self.server, session)
        self.assertEqual(first.next(), ("state", {"revision": 1}))
        job = self.server.begin(session, do="rig", options={"bones": 2})
        for events in (first, second):
            fraction, seen = 0, []
            while not seen or seen[-1] != ("state", 2):
                name, value = events.next()
                if name == "state":
                    seen.append((name, value["revision"]))
                    continue
                self.assertEqual(value["id"], job)
                self.assertGreaterEqual(value["fraction"], fraction)
                fraction = value["fraction"]
                seen.append((name, value["state"]))
            self.assertIn(("job", "done"), seen)
            self.assertIn(("job", "running"), seen)
            events.close()

    def test_who_comes_later_hears_what_failed_last(self):
        session = self.open_tube()
        self.server.wait(session, self.server.begin(session, do="edit", lines=["solve"]))
        events = Events(self.server, session)
        name, job = events.next()
        self.assertEqual((name, job["do"], job["state"]), ("job", "edit", "failed"))
        events.close()

    def test_a_session_has_one_job_at_a_time_and_it_can_be_cancelled(self):
        session = self.open_tube(poses=8, rings=300, sides=60)
        job = self.server.begin(session, do="rig", method="examples", options={"bones": 20})
        self.refused(self.server.ask("POST", f"api/sessions/{session}/jobs", {"do": "measure"}), 409, "busy")
        self.refused(self.server.ask("DELETE", f"api/sessions/{session}"), 409, "busy")
        self.assertEqual(self.server.ask("DELETE", f"api/sessions/{session}/jobs/{job}")[0], 204)
        self.assertEqual(self.server.wait(session, job)["state"], "cancelled")
        state = self.server.state(session)
        self.assertEqual((state["revision"], state["rig"]), (1, None))
        self.assertEqual(self.server.ask("DELETE", f"api/sessions/{session}")[0], 204)
        self.refused(self.server.ask("GET", f"api/sessions/{session}/state"), 404)

    def test_sessions_are_listed_and_removed(self):
        session = self.open_tube(poses=0)
        told = {entry["id"]: entry for entry in self.server.json("GET", "api/sessions")["sessions"]}
        self.assertEqual(told[session]["title"], "rest")
        self.assertGreater(told[session]["bytes"], 10000)
        events = Events(self.server, session)
        self.assertEqual(self.server.ask("DELETE", f"api/sessions/{session}")[0], 204)
        while events.next():
            pass
        events.close()
        told = self.server.json("GET", "api/sessions")
        self.assertNotIn(session, [entry["id"] for entry in told["sessions"]])
        self.assertFalse((self.server.folder / session).exists())
        [removed] = [entry for entry in told["removed"] if entry["id"] == session]
        self.assertEqual(removed["title"], "rest")
        self.assertLess(abs(removed["removed"] - time.time()), 60)
        self.assertEqual(self.server.ask("DELETE", f"api/removed/{session}")[0], 204)
        self.refused(self.server.ask("DELETE", f"api/removed/{session}"), 404)
        self.refused(self.server.ask("POST", "api/sessions", {"restore": session}), 404)

    def test_a_session_knows_from_where_it_was_opened(self):
        first = self.open_tube(poses=0)
        self.refused(self.server.ask("POST", "api/sessions", {"from": "../x"}), 400)
        session = self.server.json("POST", "api/sessions", {"from": first}, status=201)["id"]
        self.assertEqual(self.server.state(session)["from"], first)
        self.server.put(session, "rest.obj", tube_obj(0))
        self.server.do(session, do="open", files=["rest.obj"])
        self.server.do(session, do="rig")
        self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["from"], first)
        self.assertNotIn("from", self.server.state(first))

    def test_what_fails_changes_nothing(self):
        session = self.open_tube()
        before = self.server.state(session)
        for wanted in ({"do": "open", "files": []}, {"do": "open", "files": ["none.obj"]}, {"do": "open", "files": ["../rest.obj"]},
                       {"do": "open", "files": [7]}, {"do": "open"}, {"do": "rig", "options": {"bones": "many"}},
                       {"do": "rig", "options": {"bone": 3}}, {"do": "rig", "options": {"bones": {}}}, {"do": "rig", "options": []},
                       {"do": "rig", "method": "magic"}, {"do": "rig", "method": 3}, {"do": "measure"},
                       {"do": "rig", "method": "examples", "options": {"voxel-size": 0.1}},
                       {"do": "export", "name": "a.xyz"}, {"do": "export", "name": "../a.glb"}, {"do": "export"},
                       {"do": "export", "name": "a.bvh"}, {"do": "export", "name": "a.glb", "options": {"unit": "x"}}):
            told = self.server.wait(session, self.server.begin(session, **wanted))
            self.assertEqual(told["state"], "failed", wanted)
            self.assertGreater(len(told["error"]["message"]), 10)
            self.assertNotIn(self.place.name, told["error"]["message"], wanted)
        self.assertEqual(self.server.state(session), before)


class Started(unittest.TestCase):
    def test_gltf_of_the_command_line_brings_its_buffer(self):
        with tempfile.TemporaryDirectory(prefix="ossa-studio-") as place:
            folder = Path(place) / "of a person"
            folder.mkdir()
            (folder / "rest.obj").write_bytes(tube_obj(0))
            subprocess.run([str(OSSA), "convert", str(folder / "rest.obj"), str(folder / "tube one.gltf"), "--quiet"], check=True)
            self.assertEqual(sorted(path.suffix for path in folder.iterdir()), [".bin", ".gltf", ".obj"])
            server = Server(Path(place) / "sessions", folder / "tube one.gltf")
            for _ in range(400):
                state = server.state(server.session)
                if state["mesh"]:
                    break
                time.sleep(0.02)
            self.assertEqual((state["files"], state["mesh"]["vertices"]), (["tube one.gltf"], 300))
            self.assertEqual(server.stop(), (0, ""))

    def test_obj_of_the_command_line_brings_its_materials(self):
        image = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55")
        with tempfile.TemporaryDirectory(prefix="ossa-studio-") as place:
            folder = Path(place) / "of a person"
            (folder / "images").mkdir(parents=True)
            (folder / "a.obj").write_bytes(b"mtllib the look.mtl\nusemtl skin\n" + tube_obj(0, with_seams=True))
            (folder / "the look.mtl").write_text("newmtl skin\n  map_Kd -s 1 1 1 images\\skin.png\nmap_Bump C:\\x\\../bump.png\nmap_Ks ../../secret.png\n")
            (folder / "images" / "skin.png").write_bytes(image)
            (folder / "bump.png").write_bytes(image)
            (Path(place) / "secret.png").write_bytes(image)
            server = Server(Path(place) / "sessions", folder / "a.obj")
            files = Path(place) / "sessions" / server.session / "files"
            for _ in range(400):
                state = server.state(server.session)
                if state["mesh"]:
                    break
                time.sleep(0.02)
            self.assertEqual(sorted(str(path.relative_to(files)) for path in files.rglob("*.*")), ["a.obj", "bump.png", "images/skin.png", "the look.mtl"])
            self.assertNotIn("library-missing", [one["code"] for one in state["warnings"]])
            server.do(server.session, do="export", name="a.glb")
            data = server.ask("GET", f"api/sessions/{server.session}/exports/a.glb")[2]
            self.assertIn(image, data)
            self.assertEqual(server.ask("DELETE", f"api/sessions/{server.session}")[0], 204)
            self.assertEqual(server.ask("DELETE", f"api/removed/{server.session}")[0], 204)
            self.assertEqual(list((Path(place) / "sessions").glob("*s*")), [])
            self.assertEqual(server.stop(), (0, ""))


main()
