"""A method that only the tests register is where methods are: help, manual, completion, the studio's form, rigs and their reports.

usage: /usr/bin/python3 tests/toy/test_toy.py PATH_OF_OSSA_TOY
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "command"), str(TESTS / "studio")]
TOY = sys.argv[1] if len(sys.argv) > 1 else "build/tests/ossa_toy"
# both take the path of the command from the first argument, and remove it
sys.argv[1:2] = [TOY]
from harness import INPUT, USAGE, CommandTest, main  # noqa: E402
sys.argv.insert(1, TOY)
from server import Server  # noqa: E402


class Toy(CommandTest):
    def test_help_manual_and_completion_tell_of_it(self):
        told = " ".join(self.ossa("rig", "--help").stdout.split())
        self.assertIn("--method auto|examples|sequence|contraction|volume|toy", told)
        self.assertIn("toy: one mesh: one bone stands at the mean of the vertices (made up, for tests)", told)
        self.assertIn("toy: how long the only bone is (% of the diagonal; default 50)", told)
        own = " ".join(self.ossa("rig", "--help", "toy").stdout.split())
        self.assertIn("For one mesh: one bone stands at the mean of the vertices (made up, for tests).", own)
        self.assertIn("how long the only bone is (1 to 100 % of the diagonal; default 50) [a toy's: any]", own)
        self.assertIn("one bone stands at the mean", self.ossa("--man").stdout)
        for shell in ("bash", "zsh"):
            self.assertIn("--toy-length", self.ossa("--completion", shell).stdout)

    def test_a_still_mesh_gets_its_bone_and_a_report(self):
        rest = self.write_tubes(1)[0]
        told = self.json("rig", rest, "--method", "toy", "-o", "toy.glb", "--report", "toy.html", "--report", "toy.json", "--json")
        self.assertEqual((told["method"], told["method_title"], [bone["name"] for bone in told["bones"]]), ("toy", "A toy", ["toy"]))
        page = (self.folder / "toy.html").read_text()
        self.assertTrue("By toy (made up, for tests): one bone stands at the mean of the vertices." in page, "the page does not tell of the method")
        self.assertEqual(json.loads((self.folder / "toy.json").read_text())["method_source"], "made up, for tests")
        # the file knows it too
        self.ossa("compare", "toy.glb", rest, "--report", "again.json", "-q")
        self.assertEqual(json.loads((self.folder / "again.json").read_text())["method_title"], "A toy")

    def test_its_option_names_it(self):
        names = self.write_tubes(3)
        still = self.json("rig", names[0], "--toy-length", 10, "-o", "toy.glb", "--json")
        moving = self.json("rig", *names, "--toy-length", 10, "-o", "toy.glb", "--json")
        self.assertEqual((still["method"], moving["method"], moving["frames"]), ("toy", "toy", 3))
        self.assertIn("no method has both", self.ossa("rig", names[0], "--toy-length", 10, "--closeness", 0.1, expect=USAGE).stderr)
        self.assertIn("has no meaning for the method toy", self.ossa("rig", names[0], "--method", "toy", "--bones", 2, expect=USAGE).stderr)
        self.assertIn("from 1 to 100", self.ossa("rig", names[0], "--toy-length", 0, expect=USAGE).stderr)

    def test_nobody_who_does_not_ask_gets_it(self):
        names = self.write_tubes(2)
        self.assertEqual(self.json("rig", names[0], "-o", "a.glb", "--json")["method"], "contraction")
        self.assertNotIn("toy_rms_percent", self.json("rig", *names, "--bones", 2, "-o", "a.glb", "--json")["tried"])
        (self.folder / "points.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
        self.ossa("rig", "points.obj", "--method", "toy", expect=INPUT)

    def test_the_studio_has_a_form_for_it(self):
        rest = self.folder / self.write_tubes(1)[0]
        if "without the studio" in subprocess.run([TOY, "studio", "--folder", "/proc/none"], capture_output=True, text=True).stderr:
            self.skipTest("built without the studio")
        with tempfile.TemporaryDirectory(prefix="ossa-toy-") as place:
            server = Server(Path(place) / "sessions")
            methods = {method["name"]: method for method in server.json("GET", "api/about")["methods"]}
            self.assertEqual((methods["toy"]["title"], methods["toy"]["still"]), ("A toy", True))
            self.assertIn("one bone stands at the mean of the vertices", methods["toy"]["help"])
            self.assertEqual([option["name"] for option in methods["toy"]["options"]], ["toy-length", "effort", "reference", "key-frames", "names", "twist", "levels", "root-bone", "articulation", "roots", "complete", "body", "chin", "groin",
                              "left-elbow", "right-elbow", "left-wrist", "right-wrist", "left-knee", "right-knee"])
            session = server.make_session()
            server.put(session, "rest.obj", rest.read_bytes())
            server.do(session, do="open", files=["rest.obj"])
            server.do(session, do="rig", method="toy", options={"toy-length": 20})
            state = server.state(session)
            self.assertEqual((state["method"], len(state["rig"]["bones"])), ("toy", 1))
            self.assertEqual(server.stop(), (0, ""))


main()
