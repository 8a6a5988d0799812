"""`ossa edit`: edits in the order typed, the log, messages; refused edits change nothing."""
import json

from harness import INPUT, USAGE, WRITE, CommandTest, main


class Edit(CommandTest):
    """a sample's true rig: a figure with motion"""

    def setUp(self):
        super().setUp()
        self.ossa("sample", "biped", "--faces", 1000, "--frames", 4, "-o", "biped", "-q")
        self.rig = "biped/truth.glb"

    def edit(self, *words, **options):
        return self.ossa("edit", self.rig, *words, **options)

    def bones(self, name):
        bones = self.json("inspect", "--json", name)["rig"]["bones"]
        return {bone["name"]: {"parent": bones[bone["parent"]]["name"] if bone["parent"] >= 0 else None} for bone in bones}

    # ---- what edits do ----

    def test_edits_in_order(self):
        self.edit("-o", "a.glb", "--split", "thigh.L 0.4 knee-l", "--rename", "KNEE-L,lowerthigh-l", "--remove", "neck", "-q")
        bones = self.bones("a.glb")
        self.assertEqual(bones["shin-l"]["parent"], "lowerthigh-l")
        self.assertEqual(bones["head"]["parent"], "chest")
        self.assertEqual(len(bones), 19)

    def test_resolve_counts_as_an_edit_where_it_stands(self):
        answer = json.loads(self.edit("--json", "-o", "a.glb", "--split", "thigh-l", "--resolve", "--split", "thigh-r").stdout)
        self.assertEqual(answer["edits"], ["split thigh-l", "solve", "split thigh-r"])
        self.assertTrue(answer["stale"])
        self.assertTrue(answer["solved"]["weights"])
        self.assertEqual(len(answer["bones"]), 21)
        self.assertIn("rms_percent", answer["before"])
        self.assertEqual(answer["files"], ["a.glb"])
        answer = json.loads(self.edit("--json", "-o", "a.glb", "--split", "thigh-l", "--resolve-all").stdout)
        self.assertEqual(answer["edits"][-1], "solve all")
        self.assertFalse(answer["stale"])

    def test_frames(self):
        told = self.edit("biped/pose-1.obj", "biped/pose-2.obj", "biped/pose-3.obj", "biped/pose-4.obj", "-o", "a.glb",
                         "--split", "thigh-l", "--forbid", "hand-l,hips", "--resolve", "--list").stdout
        self.assertIn("frames     4", told)
        self.assertRegex(told, r"(?m)^Bones +19 +20$")
        self.assertRegex(told, r"(?m)^RMS error ")
        self.assertRegex(told, r"(?m)^1 +on +forbid hand-l hips$")
        self.assertRegex(told, r"(?m)^ +thigh_02-l +")

    def test_list_writes_nothing(self):
        told = self.edit("--list").stdout
        self.assertRegex(told, r"(?m)^hips +root ")
        self.assertNotIn("before", told)

    def test_what_moves_nothing_moves_nothing(self):
        answer = json.loads(self.edit("--json", "-o", "a.glb", "--split", "spine", "--root", "head", "--connect", "hand-l,hips").stdout)
        self.assertLess(answer["after"]["max_percent"], 1e-4)
        self.assertEqual([warning["code"] for warning in answer["warnings"]], ["bones-slide"])

    # ---- the log ----

    def test_the_log_gives_the_same_bytes(self):
        self.edit("-o", "a.glb", "--log", "log.txt", "--mirror", "upperarm-l", "--lock", "joint hips", "--split", "spine 0.3", "--resolve", "-q")
        lines = (self.folder / "log.txt").read_text().splitlines()
        self.assertRegex(lines[0], r"^ossa edits 1: \d+ vertices, 19 bones$")
        self.assertEqual(lines[1:], ["mirror upperarm-l", "lock joint hips", "split spine 0.3", "solve"])
        for threads in (1, 3):
            self.edit("-o", "b.glb", "--replay", "log.txt", "--threads", threads, "-q")
            self.assertEqual((self.folder / "a.glb").read_bytes(), (self.folder / "b.glb").read_bytes())

    def test_a_wrong_log(self):
        (self.folder / "log.txt").write_text("ossa edits 1: 3 vertices, 1 bones\nremove neck\n")
        self.assertIn("log.txt, line 1: the log is for a rig of another size",
                      self.edit("-o", "a.glb", "--replay", "log.txt", expect=INPUT).stderr)
        self.edit("-o", "a.glb", "--log", "log.txt", "--remove", "neck", "-q")
        text = (self.folder / "log.txt").read_text()
        (self.folder / "log.txt").write_text(text + "\n# a remark\nremove nek\n")
        self.assertIn("log.txt, line 5: there is no bone \"nek\"", self.edit("-o", "b.glb", "--replay", "log.txt", expect=INPUT).stderr)
        self.assertFalse((self.folder / "b.glb").exists())

    # ---- what is refused ----

    def test_refusals(self):
        for words, said in ((("--split", "hip"), 'did you mean "hips"'), (("--move", "head 1 2"), "a number for Z is missing"),
                            (("--remove", ""), "needs a value"), (("--connect", "hips head"), "is the root"),
                            (("--forbid", "head neck", "--connect", "head,neck"), "is the child of neck already"),
                            (("--forbid", "head chest", "--connect", "head,chest"), "relax 1 first"), (("--resolve=1",), "takes no value"),
                            (("--splitt", "head"), "did you mean --split")):
            told = self.edit("-o", "a.glb", *words, expect=USAGE).stderr
            self.assertIn(said, told, words)
            self.assertFalse((self.folder / "a.glb").exists())
        self.assertIn("name the output with -o", self.edit("--split", "head", expect=USAGE).stderr)
        self.edit("-o", "missing/a.glb", "--split", "head", expect=WRITE)
        self.ossa("edit", "biped/rest.obj", "-o", "a.glb", expect=INPUT)


if __name__ == "__main__":
    main()
