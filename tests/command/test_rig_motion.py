"""`ossa rig --skeleton`: an existing rig gets the motion of new frames of its mesh."""
import json
import signal
import struct
import subprocess
import time

from harness import INPUT, LONG, OSSA, STOPPED, USAGE, CommandTest, main

# where names do not matter: looking for a body takes most of the time
RIG = ("--body", "none")


class Motion(CommandTest):
    def sample(self, kind="biped", frames=12, **options):
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.ossa("sample", kind, "--faces", 2000, "--frames", frames, "-o", kind, "-q", *words)
        return f"{kind}/truth.glb", [f"{kind}/pose-{i + 1}.obj" for i in range(frames)]

    def refused(self, status, words, *command):
        self.assertIn(words, self.ossa(*command, expect=status).stderr)

    def bones(self, path):
        return self.json("inspect", "--json", path)["rig"]["bones"]

    def test_a_true_rig_repeats_its_frames(self):
        rig, poses = self.sample()
        told = self.json("rig", "--skeleton", rig, *poses, "-o", "moved.glb", "--report", "moved.json", "--json")
        errors = json.loads((self.folder / "moved.json").read_text())["hierarchy"]
        self.assertLess(errors["rms_percent"], 1e-4)
        self.assertIsNone(errors["normal_rms"])
        self.assertGreater(errors["compression"], 1)
        self.assertLess(max(bone["rms_percent"] for bone in told["bones"]), 1e-3)
        self.assertEqual(told["files"], ["moved.glb", "moved.json"])
        # names and limits stay
        self.assertEqual([bone["name"] for bone in self.bones("moved.glb")], [bone["name"] for bone in self.bones(rig)])
        compared = self.json("compare", "--json", "moved.glb", "biped/rest.obj", *poses)["metrics"]
        self.assertLess(compared["rms_percent"], 1e-3)
        again = self.ossa("rig", "--skeleton", "moved.glb", "biped/pose-#.obj", "--frames", "3:11:4", "-o", "again.glb")
        self.assertIn("poses      3", again.stdout)
        self.assertEqual(self.json("inspect", "--json", "again.glb")["rig"]["clip"]["frames"], 3)

    def test_the_body_names_and_roots_rigs_of_poses(self):
        _, poses = self.sample()
        words = ["rig", "biped/rest.obj", *poses, "--bones", 10, "-q"]
        self.ossa(*words, "-o", "hips.glb")
        self.ossa(*words, "--root-bone", "head", "-o", "head.glb")
        self.ossa(*words, "--complete", "-o", "whole.glb")
        hips, head, whole = ([bone["name"] for bone in self.bones(f"{name}.glb")] for name in ("hips", "head", "whole"))
        self.assertEqual((hips[0], head[0], whole[0]), ("pelvis", "head", "pelvis"))
        self.assertEqual(sorted(hips), sorted(head))
        self.assertLess(set(hips), set(whole))
        self.assertLessEqual({"clavicle_L", "clavicle_R", "neck", "toe_L", "toe_R", "hand_L", "foot_R"}, set(whole))
        errors = [self.json("compare", "--json", f"{name}.glb", "biped/rest.obj", *poses)["metrics"]["rms_percent"]
                  for name in ("hips", "head", "whole")]
        for error in errors[1:]:
            self.assertAlmostEqual(error, errors[0], delta=1e-4)
        self.refused(USAGE, "no bone is called", *words, "--root-bone", "wing", "-o", "none.glb")

    def test_dependent_bones_are_told_and_kept(self):
        self.sample("machine", frames=24)
        words = ["rig", "machine/rest.obj", "machine/pose-#.obj", *RIG]
        table = self.ossa(*words, "-o", "machine.glb").stdout
        told = self.json(*words, "-o", "machine.json", "--json")["dependencies"]
        self.assertEqual(len(told), 4)
        at = table.index("dependent bone")
        for line, item in zip(table[at:].splitlines()[1:], told):
            self.assertEqual(line.split()[:2], [item["bone"], item["driver"]])
            self.assertAlmostEqual(float(line.split()[2]), item["ratio"], delta=1e-3)
        self.assertIn(1.25, [round(item["ratio"], 2) for item in told if item["offset_degrees"] == 0])
        for item in told:
            self.assertLess(item["rms_percent"], 1e-3)
        held = json.loads((self.folder / "machine.json").read_text())
        names = [bone["name"] for bone in held["bones"]]
        self.assertEqual([(names[item["bone"]], names[item["driver"]]) for item in held["dependencies"]],
                         [(item["bone"], item["driver"]) for item in told])
        # through glTF and an edit
        self.ossa("edit", "machine.glb", "--rename", f"{told[0]['driver']} motor", "-o", "edited.glb", "-q")
        self.ossa("convert", "edited.glb", "edited.json", "-q")
        edited = json.loads((self.folder / "edited.json").read_text())
        self.assertEqual(len(edited["dependencies"]), 4)
        self.assertEqual(edited["bones"][edited["dependencies"][0]["driver"]]["name"], "motor")
        self.assertAlmostEqual(edited["dependencies"][0]["ratio"], held["dependencies"][0]["ratio"], delta=1e-12)

    def test_twist_bones_are_told_and_kept(self):
        self.sample("arms", frames=24)
        words = ["rig", "arms/rest.obj", "arms/pose-#.obj", *RIG]
        table = self.ossa(*words, "-o", "arms.glb").stdout
        told = self.json(*words, "-o", "arms.json", "--json")["dependencies"]
        self.assertEqual(sorted(round(item["ratio"], 2) for item in told), [0.5, 0.5, 1, 1])
        self.assertEqual(table.count(" twist of bone_"), 4)
        # through glTF and an edit that makes another order of bones
        self.ossa("edit", "arms.glb", "--rename", f"{told[0]['driver']} shoulder", "--root", "shoulder", "-o", "edited.glb", "-q")
        self.ossa("convert", "edited.glb", "edited.json", "-q")
        edited = json.loads((self.folder / "edited.json").read_text())
        self.assertEqual(len(edited["dependencies"]), 3)
        for item in edited["dependencies"]:
            for mine, hinge in zip(item["driver_axis"], edited["bones"][item["bone"]]["axis"]):
                self.assertAlmostEqual(mine, hinge, places=6)

    def test_every_kind_of_frames_gives_the_same_motion(self):
        rig, poses = self.sample("tube", 7)
        self.ossa("convert", "tube/rest.obj", *poses, "frames.pc2", "-q")
        self.ossa("rig", "--skeleton", rig, "frames.pc2", "-o", "a.glb", "-q", "--free-bones")
        self.ossa("rig", "--skeleton", rig, *poses, "-o", "b.glb", "-q", "--free-bones", "--threads", 3)
        a, b = ((self.folder / name).read_bytes() for name in ("a.glb", "b.glb"))
        # the clip is called after the file
        self.assertEqual(len(a), len(b))
        self.ossa("rig", "--skeleton", rig, rig, "-o", "c.glb", "-q")
        self.assertEqual(self.json("inspect", "--json", "c.glb")["rig"]["clip"]["frames"], 7)

    def test_a_file_of_triangles_holds_the_rig_of_a_mesh_of_quads(self):
        rest, *poses = self.write_tubes(3)
        self.ossa("rig", rest, "--method", "contraction", *RIG, "--bones", 4, "-o", "still.glb", "-q")
        told = self.ossa("rig", "--skeleton", "still.glb", *poses, "-o", "moved.glb")
        self.assertNotIn("vertices", told.stderr)
        self.assertIn("poses      3", told.stdout)
        # with an edge that no quad has it is another mesh
        lines = (self.folder / poses[0]).read_text().split("\n")
        face = next(i for i, line in enumerate(lines) if line.startswith("f "))
        words = lines[face].split()
        lines[face] = " ".join([words[0], words[1], words[3], words[2], words[4]])
        (self.folder / poses[0]).write_text("\n".join(lines))
        self.refused(INPUT, "", "rig", "--skeleton", "still.glb", *poses, "-o", "x.glb")

    def test_threads_do_not_matter(self):
        rig, poses = self.sample("snake", 20, bulge=2)
        all_threads = (1, 2, 3, 8) if LONG else (1, 3)
        for threads in all_threads:
            self.ossa("rig", "--skeleton", rig, *poses, "-o", f"{threads}.glb", "--threads", threads, "-q")
        self.assertEqual(len({(self.folder / f"{n}.glb").read_bytes() for n in all_threads}), 1)

    def test_what_does_not_fit_is_refused(self):
        rig, poses = self.sample("tube", 3)
        _, others = self.sample("hand", 2)
        self.refused(INPUT, "have none at their position", "rig", "--skeleton", rig, *others, "-o", "x.glb")
        self.refused(INPUT, "skeleton without a mesh", "rig", "--skeleton", self.bvh(rig), *poses, "-o", "x.glb")
        self.refused(INPUT, "", "rig", "--skeleton", "tube/rest.obj", *poses, "-o", "x.glb")
        self.refused(USAGE, "--bones is an option of making", "rig", "--skeleton", rig, *poses, "--bones", 4, "-o", "x.glb")
        self.refused(USAGE, "", "rig", "--skeleton", rig, *poses, "-o", rig)
        self.assertNotIn("x.glb", self.files())

    def shuffled(self, path, result, order):
        """the mesh with its vertices in another order"""
        lines = (self.folder / path).read_text().splitlines()
        vertices, faces = ([line for line in lines if line.startswith(kind)] for kind in ("v ", "f "))
        place = {old: new + 1 for new, old in enumerate(order)}
        turned = ["f " + " ".join(str(place[int(word.split("/")[0]) - 1]) for word in line.split()[1:]) for line in faces]
        (self.folder / result).write_text("\n".join([vertices[old] for old in order] + turned) + "\n")

    def test_vertices_in_another_order_are_found(self):
        rig, poses = self.sample("biped", 3)
        count = len(self.rest_vertices("biped/rest.obj"))
        order = [(7 * i + 3) % count for i in range(count)]
        self.assertEqual(len(set(order)), count)
        for i, path in enumerate(["biped/rest.obj", *poses]):
            self.shuffled(path, f"s-{i}.obj", order)
        told = self.ossa("rig", "--skeleton", rig, "s-#.obj", "-o", "a.glb", "--report", "a.json")
        self.assertIn(f"rest positions ({count} vertices)", told.stderr)
        self.assertLess(json.loads((self.folder / "a.json").read_text())["hierarchy"]["rms_percent"], 1e-4)
        self.ossa("convert", "s-0.obj", "s-#.obj", "s.pc2", "-q")
        poses = ["s-1.obj", "s-2.obj", "s-3.obj"]
        self.ossa("rig", "s-0.obj", *poses, "-o", "other.glb", "-q", "--bones", 19, *RIG)
        # a cache, an animated scene, poses whose rest is another file
        for i, frames in enumerate((["s.pc2"], ["other.glb"], [*poses, "--rest", "s-0.obj"])):
            told = self.ossa("rig", "--skeleton", rig, *frames, "-o", "b.glb", "--report", "b.json")
            self.assertIn("rest positions", told.stderr)
            self.assertLess(json.loads((self.folder / "b.json").read_text())["hierarchy"]["rms_percent"], 1 if i == 1 else 1e-3)
        # poses that begin in motion do not tell
        self.refused(INPUT, "have none at their position", "rig", "--skeleton", rig, *poses, "-o", "x.glb")
        # a rest of the frames that is in order needs no word
        told = self.ossa("rig", "--skeleton", rig, "--rest", "biped/rest.obj", "biped/pose-#.obj", "-o", "c.glb")
        self.assertNotIn("warning", told.stderr)

    def bvh(self, rig):
        self.ossa("convert", rig, "bones.bvh", "-q")
        return "bones.bvh"

    def write_cache(self, vertices, frames, bad=None):
        """a PC2 of frames like the rest, one with NaN"""
        data = bytearray(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, len(vertices), 0, 1, frames))
        one = b"".join(struct.pack("<3f", *vertex) for vertex in vertices)
        data += one * frames
        if bad is not None:
            struct.pack_into("<f", data, 32 + bad * len(one) + 12 * 5 + 4, float("nan"))
        (self.folder / "frames.pc2").write_bytes(data)

    def rest_vertices(self, path):
        return [tuple(map(float, line.split()[1:4])) for line in (self.folder / path).read_text().splitlines()
                if line.startswith("v ")]

    def test_a_bad_frame_in_the_middle_is_named(self):
        rig, _ = self.sample("tube", 2)
        self.write_cache(self.rest_vertices("tube/rest.obj"), 150, 140)
        self.refused(INPUT, "frame 141, vertex 5", "rig", "--skeleton", rig, "frames.pc2", "-o", "x.glb")
        self.assertNotIn("x.glb", self.files())

    def test_a_frozen_sequence_stands_still(self):
        rig, _ = self.sample("tube", 2)
        self.write_cache(self.rest_vertices("tube/rest.obj"), 20)
        told = self.ossa("rig", "--skeleton", rig, "frames.pc2", "-o", "still.glb", "--report", "still.json")
        self.assertIn("wrote", told.stdout)
        errors = json.loads((self.folder / "still.json").read_text())["hierarchy"]
        self.assertLess(errors["rms_percent"], 1e-4)

    def test_stopping_leaves_nothing(self):
        rig, _ = self.sample("tube", 2)
        self.write_cache(self.rest_vertices("tube/rest.obj"), 20000)
        process = subprocess.Popen([OSSA, "rig", "--skeleton", rig, "frames.pc2", "-o", "x.glb"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, STOPPED)
        self.assertNotIn("x.glb", self.files())


if __name__ == "__main__":
    main()
