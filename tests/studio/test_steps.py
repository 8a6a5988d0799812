"""The history of a session and its motions: steps that are undone, clips that stay, motions carried from other bodies."""
import array
import json
import struct
import subprocess
import time
import unittest
from pathlib import Path

from server import OSSA, PLAIN, Events, Server, ServerTest, main, tube_obj


def run(*words):
    subprocess.run([str(OSSA), *map(str, words), "--quiet"], check=True, capture_output=True)


def glb_parts(data):
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def make_glb(document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    size = 28 + len(text) + len(binary)
    return struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary


def with_clips(data, names):
    """the same rig with its one animation under several names"""
    document, binary = glb_parts(data)
    document["animations"] = [document["animations"][0] | {"name": name} for name in names]
    return make_glb(document, binary)


class Stepping(ServerTest):
    NAMES = ["walk", "run", "idle"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = Path(cls.place.name)
        run("sample", "biped", "--faces", 2000, "--frames", 8, "-o", folder / "biped")
        files = sorted((folder / "biped").glob("*.obj"), key=lambda path: (path.name != "rest.obj", path.name))
        run("rig", *files, "-o", folder / "rig.glb")
        run("convert", folder / "rig.glb", folder / "walk.bvh", "--names", "mixamo")
        cls.rig, cls.bvh, cls.rest = (folder / "rig.glb").read_bytes(), (folder / "walk.bvh").read_bytes(), files[0].read_bytes()

    def open(self, names=NAMES, **options):
        session = self.server.make_session()
        self.server.put(session, "man.glb", with_clips(self.rig, names))
        self.server.put(session, "walk.bvh", self.bvh)
        self.server.do(session, do="open", files=["man.glb"], **options)
        return session

    def clips(self, session):
        return [clip["name"] for clip in self.server.state(session)["rig"]["clips"]]

    def failed(self, session, code, **wanted):
        before = self.server.state(session)
        told = self.server.wait(session, self.server.begin(session, **wanted))
        self.assertEqual((told["state"], told["error"]["code"]), ("failed", code), told)
        self.assertEqual(self.server.state(session), before)
        return told["error"]["message"]

    def exported(self, session, name, **wanted):
        told = self.server.do(session, do="export", name=name, **wanted)["result"]
        return self.server.ask("GET", f"api/sessions/{session}/exports/{told['files'][0]}")[2]

    def test_all_motions_stay(self):
        session = self.open()
        state = self.server.state(session)
        self.assertEqual([one["name"] for one in state["animations"]], self.NAMES)
        self.assertEqual((self.clips(session), state["input"]["motion"]), (self.NAMES, "walk"))
        bone = state["rig"]["bones"][3]["name"]
        self.server.do(session, do="edit", lines=[f"split {bone}", "solve"])
        self.assertEqual(self.clips(session), self.NAMES)
        self.server.do(session, do="undo")
        self.assertEqual(self.clips(session), self.NAMES)
        self.server.do(session, do="rig", method="sequence")
        self.assertEqual(self.clips(session), self.NAMES)
        self.server.stop()
        type(self).server = Server(self.server.folder)
        self.assertEqual(self.clips(session), self.NAMES)
        for name, wanted in (("all.glb", {}), ("all.glb", {"clip": "all"})):
            self.assertEqual([one["name"] for one in glb_parts(self.exported(session, name, **wanted))[0]["animations"]], self.NAMES)
        self.assertEqual([one["name"] for one in glb_parts(self.exported(session, "one.glb", clip=2))[0]["animations"]], ["idle"])
        self.exported(session, "one.bvh")
        self.assertIn("clips-left-out", [one["code"] for one in self.server.state(session)["warnings"] if one["from"] == "export"])
        self.failed(session, "argument", do="export", name="a.glb", clip=3)

    def test_materials_and_images_stay(self):
        document, binary = glb_parts(self.rig)
        image = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
        binary += b"\0" * (-len(binary) % 4)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(image)})
        document["buffers"][0]["byteLength"] = len(binary) + len(image)
        document["images"] = [{"bufferView": len(document["bufferViews"]) - 1, "mimeType": "image/png"}]
        document["textures"] = [{"source": 0}]
        document["materials"][0] = {"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extras": {"a": 1}}
        session = self.server.make_session()
        self.server.put(session, "man.glb", make_glb(document, binary + image))
        self.server.do(session, do="open", files=["man.glb"])
        bone = self.server.state(session)["rig"]["bones"][3]["name"]
        for wanted in ({"do": "edit", "lines": [f"split {bone}", "solve"]}, {"do": "rig", "method": "sequence"}):
            self.server.do(session, **wanted)
            after, data = glb_parts(self.exported(session, "out.glb"))
            view = after["bufferViews"][after["images"][0]["bufferView"]]
            self.assertEqual(data[view["byteOffset"]:view["byteOffset"] + view["byteLength"]], image)
            self.assertEqual(after["materials"][0], document["materials"][0])
            self.assertEqual(len(after["skins"]), 1)
        self.assertIn(b"Texture", self.exported(session, "out.fbx"))

    def test_a_motion_has_its_arrays(self):
        session = self.open()
        state, bones = self.server.state(session), len(self.server.state(session)["rig"]["bones"])
        first = self.server.ask("GET", f"api/sessions/{session}/clip")[2]
        numbered = array.array("f", self.server.ask("GET", f"api/sessions/{session}/clip?number=1")[2])
        frames = state["rig"]["clips"][1]["frames"]
        slides = 3 * bones if state["rig"]["clips"][1]["slides"] else 0
        self.assertEqual(len(numbered), frames * (4 * bones + 3 + slides + 1))
        # the same motion under another name, with its times behind it
        self.assertEqual(numbered[:-frames].tobytes(), first)
        for got, wanted in zip(numbered[-frames:], state["rig"]["clip"]["times"]):
            self.assertAlmostEqual(got, wanted, 5)
        self.refused(self.server.ask("GET", f"api/sessions/{session}/clip?number=3"), 400, "argument")

    def test_the_motion_to_rig_by_is_chosen(self):
        session = self.open(options={"clip": "2"})
        self.assertEqual(self.clips(session), ["run", "walk", "idle"])
        self.assertEqual(self.server.state(session)["input"]["motion"], "run")
        self.server.do(session, do="open", files=["man.glb"], options={"clip": "idle"})
        self.assertEqual(self.clips(session), ["idle", "walk", "run"])
        self.server.do(session, do="undo")
        self.assertEqual(self.clips(session), ["run", "walk", "idle"])

    def test_rigging_and_opening_are_undone(self):
        session = self.open()
        opened = self.server.state(session)
        bone = opened["rig"]["bones"][3]["name"]
        self.server.do(session, do="edit", lines=[f"split {bone} 0.5 extra", f"lock weights {bone}", "solve"])
        edited, shape = self.server.state(session), self.server.ask("GET", f"api/sessions/{session}/rig.glb")[2]
        self.server.do(session, do="rig", method="examples", options={"bones": "7"})
        rigged = self.server.state(session)
        self.assertEqual((len(rigged["rig"]["bones"]), rigged["edits"]["done"]), (7, []))
        self.assertEqual([(one["do"], one["words"], one["edits"]) for one in rigged["history"]["past"]], [("open", "man.glb", 3)])
        self.server.put(session, "tube.obj", tube_obj(0))
        self.server.do(session, do="open", files=["tube.obj"])
        self.assertEqual((self.server.state(session)["title"], self.server.state(session)["rig"]), ("tube", None))

        def same(one, other):
            left = ("revision", "history", "exports")
            return {key: one[key] for key in one if key not in left} == {key: other[key] for key in other if key not in left}

        # kept on the disk, like everything
        self.server.kill()
        type(self).server = Server(self.server.folder)
        self.server.do(session, do="undo")
        self.assertTrue(same(self.server.state(session), rigged))
        self.server.do(session, do="undo")
        self.assertTrue(same(self.server.state(session), edited))
        self.assertEqual(self.server.ask("GET", f"api/sessions/{session}/rig.glb")[2], shape)
        # edits of that step go on
        self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["edits"]["undone"], ["solve"])
        self.server.do(session, do="redo")
        for wanted in (rigged, None):
            self.server.do(session, do="redo")
            if wanted:
                self.assertTrue(same(self.server.state(session), wanted))
        self.assertEqual(self.server.state(session)["title"], "tube")
        self.assertEqual(self.failed(session, "argument", do="redo"), "there is nothing to redo")
        self.server.do(session, do="goto", step=0, count=1)
        self.assertEqual(len(self.server.state(session)["edits"]["done"]), 1)
        self.server.do(session, do="goto", step=2)
        for wrong in ({"step": 3}, {"step": -1}, {"step": "x"}):
            self.failed(session, "argument", do="goto", **wrong)
        # a new edit takes what was undone away
        self.server.do(session, do="goto", step=1)
        self.server.do(session, do="edit", lines=[f"remove {rigged['rig']['bones'][-1]['name']}"])
        self.assertEqual(self.server.state(session)["history"]["future"], [])
        # of what no step names nothing is left
        facts = json.loads((self.server.folder / session / "session.json").read_text())
        named = set(facts["stored"].values()).union(*(step["stored"].values() for step in facts["past"] + facts["future"]))
        self.assertEqual({path.name for path in (self.server.folder / session).iterdir() if "-" in path.name}, named)

    def test_dependent_bones_outlive_a_restart(self):
        folder = Path(self.place.name) / "machine"
        run("sample", "machine", "--faces", 1000, "--frames", 6, "-o", folder)
        session = self.server.make_session()
        self.server.put(session, "truth.glb", (folder / "truth.glb").read_bytes())
        self.server.do(session, do="open", files=["truth.glb"])
        told = self.server.state(session)["rig"]["dependencies"]
        self.assertEqual([round(item["ratio"], 6) for item in told], [-1.5, 0.5, 0.8, 1.25])
        self.assertEqual(round(told[1]["offset"], 6), 10)
        self.server.kill()
        type(self).server = Server(self.server.folder)
        self.server.do(session, do="edit", lines=["rename crank motor"])
        self.assertEqual(self.server.state(session)["rig"]["dependencies"], told)

    def test_twist_bones_outlive_a_restart(self):
        folder = Path(self.place.name) / "arms"
        run("sample", "arms", "--faces", 1000, "--frames", 6, "-o", folder)
        session = self.server.make_session()
        self.server.put(session, "truth.glb", (folder / "truth.glb").read_bytes())
        self.server.do(session, do="open", files=["truth.glb"])
        told = self.server.state(session)["rig"]["dependencies"]
        self.assertEqual([round(item["ratio"], 6) for item in told], [-0.5, 0.5, -0.333333, 0.333333])
        self.assertEqual([round(x, 3) for x in told[0]["driver_axis"]], [0.845, -0.507, 0.169])
        self.server.kill()
        type(self).server = Server(self.server.folder)
        self.server.do(session, do="edit", lines=["rename hand-l paw"])
        self.assertEqual(self.server.state(session)["rig"]["dependencies"], told)

    def test_a_motion_is_carried_and_undone(self):
        session = self.server.make_session()
        self.server.put(session, "rest.obj", self.rest)
        self.server.put(session, "walk.bvh", self.bvh)
        self.server.do(session, do="open", files=["rest.obj"])
        self.failed(session, "input", do="motion", file="walk.bvh")
        self.server.do(session, do="rig")
        still = self.server.state(session)
        self.assertEqual(still["rig"]["clips"], [])
        told = self.server.do(session, do="motion", file="walk.bvh", options={"plant-feet": "no"})["result"]
        state = self.server.state(session)
        self.assertEqual((told["first"], told["count"], self.clips(session)), (0, 1, ["walk"]))
        self.assertEqual(state["motions"][0]["retarget"], told["retarget"])
        self.assertEqual((told["retarget"]["match"], told["retarget"]["source_names"]), ("roles", "names of Mixamo, HumanIK and MotionBuilder"))
        self.assertGreater(told["retarget"]["matched"], 10)
        bones = state["motions"][0]["bones"]
        self.assertIn(["thigh_L", "mixamorig_LeftUpLeg"], bones["pairs"])
        self.assertEqual((len(bones["pairs"]), len(bones["left"])), (told["retarget"]["matched"], told["retarget"]["unmatched"]))
        self.assertEqual(sorted([a for a, _ in bones["pairs"]] + bones["left"]), sorted(bone["name"] for bone in state["rig"]["bones"]))
        self.assertLess(told["retarget"]["mean_degrees"], 6)
        self.assertEqual(len(told["retarget"]["segments"][0]), 4)
        # what it was carried from is there to be played beside it
        data = self.server.ask("GET", f"api/sessions/{session}/sources/1?clip=0")[2]
        head = json.loads(data[4:4 + struct.unpack("<I", data[:4])[0]])
        self.assertEqual(len(head["state"]["clip"]["times"]), state["rig"]["clips"][0]["frames"])
        self.assertTrue(any(bone["name"].startswith("mixamorig") for bone in head["state"]["bones"]))
        for path in ("sources/2", "sources/1?clip=7", "sources/x"):
            self.assertIn(self.server.ask("GET", f"api/sessions/{session}/{path}")[0], (400, 404))
        # once more, behind the first, and then onto a rig made anew
        self.server.do(session, do="motion", file="walk.bvh")
        self.assertEqual(self.clips(session), ["walk", "walk 2"])
        self.server.do(session, do="rig", method="volume")
        self.assertEqual(self.clips(session), ["walk", "walk 2"])
        for _ in range(3):
            self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["rig"], still["rig"])
        self.assertEqual(self.server.state(session)["motions"], [])
        self.assertIn("no file", self.failed(session, "argument", do="motion"))
        self.failed(session, "input", do="motion", file="none.bvh")
        self.failed(session, "argument", do="motion", file="walk.bvh", options={"match": "guess"})
        self.failed(session, "argument", do="motion", file="walk.bvh", map={"rig": {"none": "left thigh"}})
        self.failed(session, "input", do="motion", file="rest.obj")

    def test_constraints_stay_when_a_motion_is_carried(self):
        session = self.open(["walk"])
        a, b = (self.server.state(session)["rig"]["bones"][i]["name"] for i in (2, 4))
        self.server.do(session, do="edit", lines=[f"lock weights {a}", f"forbid {a} {b}", "relax 2", f"split {b}"])
        self.assertIn("solve", self.failed(session, "input", do="motion", file="walk.bvh"))
        self.server.do(session, do="edit", lines=["solve"])
        before = self.server.state(session)
        self.server.do(session, do="motion", file="walk.bvh")
        state = self.server.state(session)
        # a bone that was split has two halves
        self.assertEqual(before["constraints"][1]["line"], f"forbid {a} {b}+calf_02_R")
        self.assertEqual(sorted((one["line"], one["on"]) for one in state["constraints"]),
                         [(f"forbid {a} calf_02_R", False), (f"forbid {a} {b}", False), (f"lock weights {a}", True)])
        self.assertEqual(state["constraints_lost"], 0)
        self.assertEqual(self.clips(session), ["walk", "walk 2"])
        self.failed(session, "argument", do="goto", count=0)
        # one undo takes all of it back
        self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["edits"], before["edits"])

    def test_a_rig_and_a_motion_are_opened_together(self):
        session = self.server.make_session()
        self.server.put(session, "man.glb", self.rig)
        self.server.put(session, "walk.bvh", self.bvh)
        self.server.do(session, do="open", files=["man.glb", "walk.bvh"])
        state = self.server.state(session)
        self.assertEqual((len(state["rig"]["clips"]), state["motions"][0]["first"], state["motions"][0]["file"]), (2, 1, "walk.bvh"))

    def test_an_export_is_made_for_a_program(self):
        session = self.open()
        targets = {one["name"]: one for one in self.server.json("GET", "api/about")["targets"]}
        self.assertEqual((targets["unreal"]["up"], targets["unreal"]["unit"], targets["unreal"]["bone_axis"]), ("z", 0.01, "x"))
        names = lambda data: {node.get("name") for node in glb_parts(data)[0]["nodes"]}
        self.assertTrue({"pelvis", "upperarm_l"} <= names(self.exported(session, "a.glb", options={"for": "unreal"})))
        self.assertIn("LeftUpperArm", names(self.exported(session, "a.glb", options={"names": "godot"})))
        # what is set by hand wins
        self.assertIn("leftUpperArm", names(self.exported(session, "a.glb", options={"for": "unreal", "names": "vrm"})))
        before = self.server.state(session)["rig"]
        self.exported(session, "a.fbx", options={"for": "unity", "rest-pose": "t", "root-motion": "in-place", "loop": "yes", "motion-fps": "12"})
        self.assertEqual(self.server.state(session)["rig"], before)
        # what a program expects at rest is told for all of them, as the command does
        source = Path(self.place.name) / "rig.glb"
        for target in targets:
            told = subprocess.run([OSSA, "convert", source, source.with_name("out.glb"), "--for", target], capture_output=True, text=True, check=True).stderr
            for more in {}, {"rest-pose": "t"}:
                self.exported(session, "a.glb", options={"for": target, **more})
                warned = [one["message"] for one in self.server.state(session)["warnings"] if one["code"] == "rest-pose"]
                self.assertEqual(len(warned), int("expects humans at rest" in told and not more), (target, told, warned))
                self.assertTrue(all(message in told for message in warned), (told, warned))
        self.failed(session, "argument", do="export", name="a.glb", options={"for": "word"})
        self.failed(session, "argument", do="export", name="a.glb", options={"root-motion": "up"})


class Resting(ServerTest):
    def memory(self):
        """resident, in MB"""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024

    def test_memory_is_given_back_when_nobody_looks(self):
        if b"__asan_init" in Path(OSSA).read_bytes():
            self.skipTest("a sanitizer's allocator keeps what is freed")
        before = self.memory()
        session = self.open_tube(poses=2, rings=450, sides=200)
        self.server.do(session, do="rig", method="examples", options={"bones": 3, **PLAIN})
        bone = self.server.state(session)["rig"]["bones"][1]["name"]
        self.server.do(session, do="edit", lines=[f"split {bone}"])
        events = Events(self.server, session)
        self.server.ask("GET", f"api/sessions/{session}/errors?frame=1")
        used = self.memory()
        self.assertGreater(used, before + 40)
        time.sleep(7)
        # a page that shows it keeps it
        self.assertGreater(self.memory(), before + 40)
        events.close()
        end = time.monotonic() + 40
        while self.memory() >= before + 30 and time.monotonic() < end:
            time.sleep(0.5)
        self.assertLess(self.memory(), before + 30)
        self.server.do(session, do="undo")
        self.assertEqual(self.server.state(session)["edits"]["undone"], [f"split {bone}"])


class Limited(ServerTest):
    words = ("--session-limit", "1")

    def test_a_session_has_room_for_so_much(self):
        session = self.open_tube(rings=60, sides=24)
        message = self.refused(self.server.ask("PUT", f"api/sessions/{session}/files/large.obj", b"#" * (1 << 20)), 413, "limit")
        self.assertIn("--session-limit", message)
        # a size that is not announced counts, too
        wire = self.server.connect()
        wire.request("PUT", f"/{self.server.token}/api/sessions/{session}/files/large.obj", body=(b"#" * 10000 for _ in range(105)), encode_chunked=True)
        answer = wire.getresponse()
        self.assertIn("--session-limit", self.refused((answer.status, None, answer.read()), 413, "limit"))
        wire.close()
        self.assertNotIn("large.obj", [one["name"] for one in self.server.json("GET", f"api/sessions/{session}/files")["files"]])
        # the oldest steps make room for new ones
        for bones in range(2, 14):
            self.server.do(session, do="rig", method="examples", options={"bones": bones % 2 + 2, **PLAIN})
        history = self.server.state(session)["history"]
        self.assertGreater(history["dropped"], 0)
        self.assertEqual(len(history["past"]) + history["dropped"], 12)


if __name__ == "__main__":
    main()
