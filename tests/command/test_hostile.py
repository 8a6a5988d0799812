"""Every file of ../shared/corpus/hostile and static through `ossa inspect` and `ossa rig`: a result or one clear line, never
a crash, a hang, a NaN, or a file left behind by a failure. Skipped without ../shared. And scenes whose nodes go round in a circle."""
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

from harness import INPUT, LONG, OSSA, CommandTest, data_uri, main, some_of_each_folder

CORPUS = Path(__file__).resolve().parents[3] / "shared/corpus"
SECONDS = 120


class Hostile(CommandTest):
    def run_on(self, *words):
        return subprocess.run([OSSA, *words], capture_output=True, cwd=self.folder, timeout=SECONDS)

    def check(self, done, path):
        """done, or refused in one line"""
        errors = [line for line in done.stderr.decode(errors="replace").splitlines() if ": warning: " not in line]
        self.assertIn(done.returncode, (0, 2, 3, 4), f"{path}: {errors[-20:]}")
        self.assertEqual(len(errors), 0 if done.returncode == 0 else 1, f"{path}: {errors[-20:]}")
        return done.returncode == 0

    def files(self):
        files = sorted(path for group in ("hostile", "static") for path in (CORPUS / group).rglob("*") if path.is_file())
        if not files:
            self.skipTest("skipped: ../shared/corpus is not there")
        return list(some_of_each_folder(files, 6))

    def test_inspect_and_rig(self):
        files, read, rigged = self.files(), 0, 0
        # what `inspect` cannot read is refused by the same readers: some of these are enough
        unreadable = set(files if LONG else some_of_each_folder(files, 1))
        for path in files:
            done = self.run_on("inspect", "--json", path)
            is_read = self.check(done, path)
            if is_read:
                self.assertNotIn("NaN", json.dumps(json.loads(done.stdout)), path)
            read += is_read
            rigged += (is_read or path in unreadable) and self.rig(path)
        print(f"{read} files were read, {rigged} rigged", file=sys.stderr)

    def rig(self, path):
        """as the rest mesh and as its own pose: nothing moves, much is degenerate; in a usual run tests of spoilt meshes look for bodies"""
        body = () if LONG else ("--body", "none")
        done = self.run_on("rig", path, path, *body, "--bones", "6", "--refine", "1", "-o", "out.glb", "--json")
        is_rigged = self.check(done, path)
        if is_rigged:
            told = json.loads(done.stdout)
            self.assertTrue(all(abs(x) < 1e30 for bone in told["bones"] for x in bone["joint"] + bone["tail"]), path)
            self.check(self.run_on("compare", "out.glb", path, path), path)
            os.remove(self.folder / "out.glb")
        self.assertEqual(os.listdir(self.folder), [], path)
        return is_rigged

FLAG = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
GEOMETRY = """<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"""


class Circles(CommandTest):
    """nodes below themselves or below two others: each ends in a clear line, and soon"""

    def gltf(self, nodes, roots=(0,)):
        (self.folder / "in.gltf").write_text(json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(roots)}], "nodes": nodes,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": data_uri(FLAG)}]}))
        return "in.gltf"

    def collada(self, inside, library=""):
        (self.folder / "in.dae").write_text(f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>{GEOMETRY}<library_nodes>{library}</library_nodes><library_visual_scenes><visual_scene id="s">{inside}
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>""")
        return "in.dae"

    def refuse(self, name, words):
        for command in (("inspect", name), ("convert", name, "out.glb"), ("rig", name, "-o", "out.glb")):
            self.assertIn(words, self.ossa(*command, expect=INPUT).stderr)
            self.assertFalse((self.folder / "out.glb").exists())

    def test_gltf(self):
        self.refuse(self.gltf([{"mesh": 0, "children": [0]}]), "form a loop")
        self.refuse(self.gltf([{"mesh": 0, "children": [1]}, {"children": [2]}, {"children": [0]}]), "form a loop")
        # also where the scene does not show it
        self.refuse(self.gltf([{"mesh": 0}, {"children": [2]}, {"children": [1]}]), "form a loop")
        self.refuse(self.gltf([{"children": [2]}, {"children": [2]}, {"mesh": 0}], (0, 1)), "two parents")
        self.refuse(self.gltf([{"children": [1, 1]}, {"mesh": 0}]), "two parents")
        self.refuse(self.gltf([{"mesh": 0, "children": [7]}]), "a child that is not there")

    def test_collada(self):
        flag, inside = '<instance_geometry url="#g"/>', "puts a node inside itself"
        self.refuse(self.collada(f'<node id="a">{flag}<instance_node url="#a"/></node>'), inside)
        self.refuse(self.collada(f'<node id="a"><node id="b">{flag}<instance_node url="#a"/></node></node>'), inside)
        pair = '<node id="b"><instance_node url="#c"/></node><node id="c"><instance_node url="#b"/></node>'
        self.refuse(self.collada(f'<node id="a">{flag}<instance_node url="#b"/></node>', pair), inside)
        # no circle, but each names the next one twice
        chain = "".join(f'<node id="n{i}">' + 2 * f'<instance_node url="#n{i + 1}"/>' + "</node>" for i in range(40))
        self.refuse(self.collada('<node id="a"><instance_node url="#n0"/></node>', chain + f'<node id="n40">{flag}</node>'), "instances of nodes")
        done = self.ossa("convert", self.collada(f'<node id="a">{flag}<instance_node url="#none"/></node>'), "out.glb")
        self.assertIn('the node "#none" is not in this file', done.stderr)

    def test_a_long_chain_is_read(self):
        name = self.gltf([{"children": [i + 1]} for i in range(20000)] + [{"mesh": 0}])
        self.assertEqual(self.json("inspect", "--json", name)["mesh"]["vertices"], 3)


main()
