"""`ossa rig` as its users meet it: what it writes, what it prints, and how it refuses. Where names do not matter: `--body none`,
since recognizing a body takes most of the time of a small rig."""
import json
import math
import os
import resource
import signal
import subprocess
import time

from harness import INPUT, LIMIT, LONG, OSSA, STOPPED, USAGE, WRITE, CommandTest, main, tube, tube_faces, write_moving_cubes, write_obj


class Rigging(CommandTest):
    def test_writes_and_describes_a_rig(self):
        names = self.write_tubes()
        done = self.ossa("rig", *names, "--bones", 2, "-o", "tube.glb", "--report", "tube.json")
        self.assertEqual((self.folder / "tube.glb").read_bytes()[:4], b"glTF")
        for word in ("bones", "RMS error", "hierarchy", "free bones", "Largest error", "wrote", "tube.glb", "tube.json"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertIsInstance(json.loads((self.folder / "tube.json").read_text()), dict)
        told = self.json("inspect", "--json", "tube.glb")
        self.assertEqual(len(told["rig"]["bones"]), 2)
        self.assertEqual(told["rig"]["clip"]["frames"], 4)

    def test_the_motion_is_named_after_its_files(self):
        rest, *poses = self.write_tubes(3)
        def name(*words):
            self.ossa("rig", rest, *words, "--body", "none", "--bones", 2, "--refine", 0, "-o", "a.glb", "-q")
            return self.json("inspect", "--json", "a.glb")["rig"]["clip"]["name"]
        for i, pose in enumerate(poses):
            os.rename(self.folder / pose, self.folder / f"walk_{i + 1:04}.obj")
            (self.folder / f"{i + 1}.obj").write_bytes((self.folder / f"walk_{i + 1:04}.obj").read_bytes())
        self.assertEqual(name("walk_0001.obj", "walk_0002.obj"), "walk")
        self.assertEqual(name("walk_####.obj"), "walk")
        self.assertEqual(name("walk_0002.obj"), "walk_0002")
        self.assertEqual(name("1.obj", "2.obj"), "1")
        self.ossa("convert", rest, "walk_0001.obj", "walk_0002.obj", "jump2.pc2", "-q")
        self.assertEqual(name("jump2.pc2"), "jump2")

    def test_an_animation_keeps_its_name(self):
        rest, *_ = self.write_tubes(3)
        for i in range(3):
            os.rename(self.folder / f"pose-{i + 1}.obj", self.folder / f"walk_{i + 1}.obj")
        self.ossa("rig", rest, "walk_#.obj", "--body", "none", "--bones", 2, "-o", "other.glb", "-q")
        self.ossa("convert", "other.glb", "other.dae", "-q")
        self.ossa("convert", rest, "walk_#.obj", "morphs.glb", "-q")
        for source in ("other.glb", "other.dae", "morphs.glb"):
            self.ossa("rig", source, "--body", "none", "--bones", 2, "-o", "a.glb", "-q")
            self.assertEqual(self.json("inspect", "--json", "a.glb")["rig"]["clip"]["name"], "walk", source)
            self.ossa("rig", "--skeleton", "other.glb", source, "-o", "b.glb", "-q")
            self.assertEqual(self.json("inspect", "--json", "b.glb")["rig"]["clip"]["name"], "walk", source)
            # beside a rest mesh, too
            self.ossa("rig", rest, source, "--ignore-pose-faces", "--body", "none", "--bones", 2, "-o", "c.glb", "-q")
            self.assertEqual(self.json("inspect", "--json", "c.glb")["rig"]["clip"]["name"], "walk", source)

    def test_an_animation_in_which_nothing_moves_is_reported(self):
        write_moving_cubes(self.folder / "arm.gltf", [(0, None), (2, 0)])
        gltf = json.loads((self.folder / "arm.gltf").read_text())
        gltf["nodes"].append({"name": "camera"})
        gltf["animations"].insert(0, {"name": "pan", "samplers": [{"input": 2, "output": 3}],
                                      "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]})
        (self.folder / "arm.gltf").write_text(json.dumps(gltf))
        told = self.json("rig", "arm.gltf", "-o", "a.glb", "--json", "-q")
        self.assertIn("still-clip", [warning["code"] for warning in told["warnings"]])
        told = self.json("rig", "arm.gltf", "--clip", "turn", "-o", "a.glb", "--json", "-q")
        self.assertEqual((told["frames"], told["warnings"]), (3, []))

    def test_default_output_is_beside_the_user(self):
        (self.folder / "models").mkdir()
        names = self.write_tubes(2)
        for name in names:
            os.rename(self.folder / name, self.folder / "models" / name)
        self.ossa("rig", *[f"models/{name}" for name in names], "--body", "none", "--bones", 2, "--refine", 0)
        self.assertEqual(self.files(), ["models", "rest-rigged.glb"])

    def test_several_outputs_are_the_same(self):
        self.ossa("rig", *self.write_tubes(2), "--body", "none", "--bones", 2, "--refine", 0, "-o", "a.glb", "--output=b.glb")
        self.assertEqual((self.folder / "a.glb").read_bytes(), (self.folder / "b.glb").read_bytes())

    def test_the_same_bytes_for_any_number_of_threads(self):
        names = self.write_tubes(3)
        all_threads = (1, 2, 3, 8) if LONG else (1, 3)
        for threads in all_threads:
            self.ossa("rig", *names, "--bones", 3, "-o", f"{threads}.glb", "--threads", threads, "-q")
        self.assertEqual(len({(self.folder / f"{n}.glb").read_bytes() for n in all_threads}), 1)

    def names_in(self, path):
        return [bone["name"] for bone in self.json("inspect", "--json", path)["rig"]["bones"]]

    def test_bones_are_named_by_body_part_or_number(self):
        self.ossa("sample", "biped", "--faces", 3000, "--frames", 12, "-o", ".", "-q")
        poses = [f"pose-{i + 1}.obj" for i in range(12)]
        self.ossa("rig", "rest.obj", *poses, "-o", "body.glb", "-q")
        self.ossa("rig", "rest.obj", *poses, "-o", "numbers.glb", "--names", "numbers", "-q")
        body, numbers = self.names_in("body.glb"), self.names_in("numbers.glb")
        self.assertLessEqual({"pelvis", "head", "thigh_L", "thigh_R", "upperarm_L", "upperarm_R"}, set(body))
        self.assertEqual(numbers, ["root", *(f"bone_{i:02}" for i in range(1, len(body)))])
        self.ossa("convert", "numbers.glb", "again.glb", "--names", "body", "-q")
        self.assertEqual(self.names_in("again.glb"), body)
        self.ossa("convert", "body.glb", "kept.glb", "-q")
        self.assertEqual(self.names_in("kept.glb"), body)
        self.ossa("convert", "body.glb", "counted.glb", "--names", "numbers", "-q")
        self.assertEqual(self.names_in("counted.glb"), numbers)

    def test_json(self):
        names = self.write_tubes()
        told = self.json("rig", *names, "--body", "none", "--bones", 2, "-o", "tube.glb", "--json")
        self.assertEqual(told["files"], ["tube.glb"])
        self.assertEqual(told["rest"], "rest.obj")

    def test_quiet_says_nothing(self):
        done = self.ossa("rig", *self.write_tubes(2), "--body", "none", "--bones", 2, "--refine", 0, "-q")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_poses_come_in_natural_order(self):
        self.write_tubes(11)
        poses = sorted(f"pose-{i + 1}.obj" for i in range(11))
        self.assertEqual(poses[1], "pose-10.obj")
        for words, name in ((poses, "sorted.glb"), (sorted(poses, reverse=True), "reversed.glb"),
                            ([f"pose-{i + 1}.obj" for i in range(11)] + ["--keep-order"], "kept.glb")):
            self.ossa("rig", "rest.obj", *words, "--body", "none", "--bones", 2, "--refine", 0, "-o", name, "-q")
        first = (self.folder / "sorted.glb").read_bytes()
        self.assertEqual(first, (self.folder / "reversed.glb").read_bytes())
        self.assertEqual(first, (self.folder / "kept.glb").read_bytes())
        self.ossa("rig", "rest.obj", *poses, "--keep-order", "--body", "none", "--bones", 2, "--refine", 0, "-o", "as-given.glb", "-q")
        self.assertNotEqual(first, (self.folder / "as-given.glb").read_bytes())

    def test_the_rest_can_be_marked(self):
        self.write_tubes(2)
        self.ossa("rig", "pose-1.obj", "--rest", "rest.obj", "pose-2.obj", "--body", "none", "--bones", 2, "--refine", 0, "-o", "marked.glb", "-q")
        self.ossa("rig", "rest.obj", "pose-1.obj", "pose-2.obj", "--body", "none", "--bones", 2, "--refine", 0, "-o", "first.glb", "-q")
        self.assertEqual((self.folder / "marked.glb").read_bytes(), (self.folder / "first.glb").read_bytes())

    def test_compare_agrees_with_rig(self):
        names = self.write_tubes()
        report = self.json("rig", *names, "--body", "none", "--bones", 2, "-o", "tube.glb", "--json")
        metrics = self.json("compare", "--json", "tube.glb", *names)["metrics"]
        told = report["hierarchy"]["rms_percent"]
        self.assertAlmostEqual(metrics["rms_percent"], told, delta=1e-4 + 1e-3 * told)
        self.assertLess(metrics["weight_sum_error"], 1e-6)


class Still(CommandTest):
    def test_options_of_motion_have_no_effect(self):
        self.write_tubes(0)
        done = self.ossa("rig", "rest.obj", "-o", "x.glb", "--clip", "Run", "--frames", "1:3", "--fps", 12)
        for option in "--clip", "--frames", "--fps":
            self.assertIn(f"{option} (the file holds one mesh without motion)", done.stderr)
        quiet = self.ossa("rig", "rest.obj", "-o", "x.glb")
        self.assertNotIn("without effect", quiet.stderr)


class Landmarks(CommandTest):
    def test_a_file_of_landmarks_moves_joints(self):
        self.ossa("sample", "biped", "--faces", 3000, "--frames", 1, "-o", ".", "-q")
        self.ossa("rig", "rest.obj", "-o", "a.glb", "-q")
        bones = {bone["name"]: bone for bone in self.json("inspect", "a.glb", "--json")["rig"]["bones"]}
        elbow, wrist = bones["lowerarm_L"]["joint"], bones["hand_L"]["joint"]
        point = [a + (b - a) / 4 for a, b in zip(elbow, wrist)]
        (self.folder / "marks.json").write_text(json.dumps({"elbow_L": point}))
        self.ossa("rig", "rest.obj", "-o", "b.glb", "--landmarks", "marks.json", "-q")
        self.ossa("rig", "rest.obj", "-o", "c.glb", "--left-elbow", ",".join(map(repr, point)), "-q")
        moved = {bone["name"]: bone for bone in self.json("inspect", "b.glb", "--json")["rig"]["bones"]}
        self.assertGreater(math.dist(moved["lowerarm_L"]["joint"], elbow), 0.1 * math.dist(elbow, wrist))
        self.assertEqual((self.folder / "b.glb").read_bytes(), (self.folder / "c.glb").read_bytes())

    def test_landmarks_of_poses(self):
        self.ossa("sample", "biped", "--faces", 2000, "--frames", 4, "-o", ".", "-q")
        poses = [f"pose-{i}.obj" for i in (1, 2, 3, 4)]
        (self.folder / "left.json").write_text(json.dumps({"elbow_L": [0.395, 1.215, -0.02]}))
        (self.folder / "right.json").write_text(json.dumps({"elbow_L": [-0.395, 1.215, -0.02]}))
        # they leave the choice of the method as it is
        done = self.ossa("rig", "rest.obj", *poses, "-o", "a.glb", "--landmarks", "left.json")
        self.assertRegex(done.stdout, "method +(examples|sequence)")
        error = self.ossa("rig", "rest.obj", *poses, "-o", "b.glb", "--landmarks", "right.json", "--method", "sequence", expect=INPUT).stderr
        self.assertIn("left and right of the landmarks are exchanged", error)

    def test_landmarks_that_do_not_fit(self):
        self.ossa("sample", "biped", "--faces", 3000, "--frames", 1, "-o", ".", "-q")
        (self.folder / "far.json").write_text('{"chin": [100, 0, 0]}')
        (self.folder / "typo.json").write_text('{"chinn": [0, 0, 0]}')
        done = self.ossa("rig", "rest.obj", "-o", "a.glb", "--landmarks", "far.json", expect=INPUT)
        self.assertIn("--chin", done.stderr)
        done = self.ossa("rig", "absent.obj", "-o", "a.glb", "--landmarks", "typo.json", expect=INPUT)
        self.assertIn("did you mean chin?", done.stderr)
        done = self.ossa("rig", "--skeleton", "a.glb", "rest.obj", "--landmarks", "far.json", expect=USAGE)
        self.assertIn("--skeleton", done.stderr)
        self.assertFalse((self.folder / "a.glb").exists())


class Refusing(CommandTest):
    def refused(self, *words, expect, holds):
        """fails with one line that holds the words, and leaves no file behind"""
        before = self.files()
        done = self.ossa(*words, expect=expect)
        for word in holds:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.files(), before)

    def test_wrong_command_lines(self):
        names = self.write_tubes(1)
        self.refused("rig", expect=USAGE, holds=["too few arguments"])
        self.refused("rig", "rest.obj", "--method", "examples", expect=INPUT, holds=["examples", "add poses"])
        self.refused("rig", "rest.obj", "--method", "contraction", "--tolerance", 1, expect=USAGE, holds=["--tolerance", "contraction"])
        # before the work: a mesh that is not there is not even missed
        (self.folder / "typo.csv").write_text("name,limit_x_min\n")
        for table in ("none.csv", "typo.csv"):
            self.refused("rig", "rest.obj", "--joint-limits", table, expect=INPUT, holds=[table])
            self.refused("rig", "absent.obj", "--joint-limits", table, expect=INPUT, holds=[table])
        self.refused("rig", *names, "--bonse", 3, expect=USAGE, holds=["--bonse", "did you mean --bones?"])
        self.refused("rig", *names, "--bones", "x", expect=USAGE, holds=["--bones", '"x"'])
        self.refused("rig", *names, "-o", "a.blend", expect=USAGE, holds=["a.blend", ".glb"])
        self.refused("rig", *names, "-o", "a.obj", expect=USAGE, holds=["a.obj", "rig"])
        # the endings that are offered are those of rigs
        for output in "noext", "a.obj":
            done = self.ossa("rig", *names, "-o", output, expect=USAGE)
            self.assertTrue(all(ending in done.stderr for ending in (".glb", ".dae", ".fbx")), done.stderr)
            self.assertFalse(any(f"{ending}," in done.stderr for ending in (".obj", ".ply", ".pc2", ".mdd")), done.stderr)
        self.refused("rig", *names, "--report", "a.txt", expect=USAGE, holds=["a.txt", ".html", ".json"])

    def test_an_input_is_never_overwritten(self):
        names = self.write_tubes(1)
        self.ossa("rig", *names, "--body", "none", "--bones", 2, "--refine", 0, "-o", "x.glb", "-q")
        before = (self.folder / "x.glb").read_bytes()
        self.refused("rig", "x.glb", "pose-1.obj", "-o", "x.glb", expect=USAGE, holds=["x.glb", "is an input too"])
        self.assertEqual(before, (self.folder / "x.glb").read_bytes())

    def test_bad_input(self):
        self.write_tubes(1)
        (self.folder / "junk.obj").write_bytes(bytes(range(256)) * 16)
        (self.folder / "empty.obj").write_bytes(b"")
        self.refused("rig", "none.obj", "pose-1.obj", expect=INPUT, holds=["none.obj"])
        self.refused("rig", "junk.obj", "pose-1.obj", expect=INPUT, holds=["junk.obj"])
        self.refused("rig", "rest.obj", "empty.obj", expect=INPUT, holds=["empty.obj"])
        self.refused("rig", "rest.obj", ".", expect=INPUT, holds=["folder"])

    def test_what_is_wrong_with_a_shape_names_its_file(self):
        for name, corners, words in (("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\n", "no face has an area"),
                                     ("point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\n", "lie at one point")):
            (self.folder / name).write_text(corners + "f 1 2 3\n")
            for method in "contraction", "volume":
                self.refused("rig", name, "--method", method, expect=INPUT, holds=[f"{name}: ", words, "look at the scale"])

    def test_a_pose_of_another_mesh_names_file_and_counts(self):
        self.write_tubes(1)
        write_obj(self.folder / "other.obj", tube(0.3, 20, 12), tube_faces(20, 12))
        self.refused("rig", "rest.obj", "pose-1.obj", "other.obj", expect=INPUT, holds=["other.obj", "252", "300"])

    def test_memory_limit(self):
        names = self.write_tubes(2, 120, 60)
        self.refused("rig", *names, "--memory-limit", 1, expect=LIMIT, holds=["memory"])

    def test_places_that_cannot_be_written(self):
        names = self.write_tubes(1)
        self.refused("rig", *names, "-o", "nowhere/a.glb", expect=WRITE, holds=["nowhere/a.glb"])
        (self.folder / "folder.glb").mkdir()
        self.refused("rig", *names, "-o", "folder.glb", expect=WRITE, holds=["folder.glb"])


class Stopping(CommandTest):
    """what was there before stays as it was, and nothing half-written lies beside it"""

    def old_output(self):
        (self.folder / "out.glb").write_bytes(b"what was there before")
        return self.files()

    def assert_untouched(self, before):
        self.assertEqual((self.folder / "out.glb").read_bytes(), b"what was there before")
        self.assertEqual(self.files(), before)

    def test_full_disk(self):
        names = self.write_tubes(2)
        before = self.old_output()

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = self.ossa("rig", *names, "--body", "none", "--bones", 2, "-o", "out.glb", expect=WRITE, preexec_fn=limit_files)
        self.assertIn("out.glb", done.stderr)
        self.assert_untouched(before)

    def test_ignored_interrupt(self):
        """as under nohup: the signal was ignored before, and stays so"""
        names = self.write_tubes(10, 400, 60)
        process = subprocess.Popen([OSSA, "rig", *names, "--body", "none", "--bones", "8", "-o", "out.glb", "--quiet"], cwd=self.folder,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        for _ in range(4):
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=120), 0)

    def test_interrupt(self):
        names = self.write_tubes(10, 400, 60)
        before = self.old_output()
        stopped = 0
        for delay in (0.01, 0.05, 0.15, 0.3, 0.6):
            process = subprocess.Popen([OSSA, "rig", *names, "--body", "none", "--bones", "8", "-o", "out.glb"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(delay)
            process.send_signal(signal.SIGINT if stopped % 2 == 0 else signal.SIGTERM)
            _, errors = process.communicate(timeout=120)
            if process.returncode == -signal.SIGINT or process.returncode == -signal.SIGTERM:
                continue  # before main began
            if process.returncode == 0:
                self.assertEqual((self.folder / "out.glb").read_bytes()[:4], b"glTF")
                break
            self.assertEqual(process.returncode, STOPPED, errors)
            self.assertIn("stopped", errors)
            self.assert_untouched(before)
            stopped += 1
        self.assertGreater(stopped, 0)


main()
