"""The command line itself: help of every command, what is said of words that are wrong, what the tables tell elsewhere."""
import json
import subprocess

from harness import INPUT, OSSA, USAGE, CommandTest, main


class Arguments(CommandTest):
    def commands(self):
        text = self.ossa("--help").stdout
        return [line.split()[0] for line in text.split("Commands:\n")[1].split("\n\n")[0].splitlines()]

    def test_nothing_is_a_usage_error_that_helps(self):
        done = self.ossa(expect=USAGE)
        self.assertIn("Commands:", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_every_command_has_help(self):
        commands = self.commands()
        self.assertIn("help", commands)
        for name in commands:
            text = self.ossa(name, "--help").stdout
            self.assertTrue(text.startswith(f"usage: ossa {name}"), text)
            self.assertEqual(text, self.ossa("help", name).stdout)
            self.assertEqual(text, self.ossa(name, "-h", "whatever", "comes", "here").stdout)
            self.assertIn("--threads", text)
            self.assertLessEqual(max(map(len, text.splitlines())), 100, "help fits a terminal")

    def test_what_methods_mean_by_an_option_is_told_of_each(self):
        text = " ".join(self.ossa("rig", "--help").stdout.split())
        self.assertEqual(text.count("--bones N examples:"), 1)
        bones = text[text.index("--bones N"):text.index("--tolerance X")]
        for told in ("examples: number of bones, or with a tolerance the most", "sequence: number of bones", "contraction: number of bones",
                     "volume: number of bones"):
            self.assertIn(told, bones)
        rounds = text[text.index("--refine N"):text.index("--variation X")]
        self.assertRegex(rounds, r"examples, sequence: .* default 30\).* contraction, volume: .* default 1\)")
        # what all mean alike is there once
        self.assertEqual(text.count("most bones that move one vertex"), 1)
        manual = self.ossa("--man").stdout
        self.assertIn("\n.br\nvolume: error tolerance: between the two fractions", manual)

    def test_version(self):
        self.assertRegex(self.ossa("--version").stdout, r"^ossa \d+\.\d+\.\d+\n$")
        self.assertEqual(set(json.loads(self.ossa("version", "--json").stdout)), {"version"})

    def test_unknown_command_suggests_the_nearest(self):
        done = self.ossa("vresion", expect=USAGE)
        self.assertIn('did you mean "version"?', done.stderr)
        self.assertNotIn("did you mean", self.ossa("frobnicate", expect=USAGE).stderr)

    def test_unknown_option_suggests_the_nearest(self):
        done = self.ossa("version", "--thraeds", "2", expect=USAGE)
        self.assertEqual(done.stderr, "ossa version: there is no option --thraeds; did you mean --threads? "
                                      "(see: ossa version --help)\n")
        self.assertNotIn("did you mean", self.ossa("version", "--colour-of-the-sea", expect=USAGE).stderr)
        self.assertIn("no option -x", self.ossa("version", "-x", expect=USAGE).stderr)

    def test_values_are_checked_against_the_tables(self):
        self.assertIn("from 0 to 1024", self.ossa("version", "--threads=-1", expect=USAGE).stderr)
        self.assertIn("from 0 to 1024", self.ossa("version", "--threads", "many", expect=USAGE).stderr)
        self.assertIn("needs a value", self.ossa("version", "--threads", expect=USAGE).stderr)
        self.assertIn("yes or no", self.ossa("version", "--json=perhaps", expect=USAGE).stderr)

    def test_spellings_of_one_option(self):
        for words in (["--threads", "2"], ["--threads=2"], ["--no-json"], ["--json=no"], ["-q"], ["--quiet=yes"], ["--"]):
            self.assertTrue(self.ossa("version", *words).stdout.startswith("ossa "), words)
        self.assertIn("one argument too many", self.ossa("version", "--", "--json", expect=USAGE).stderr)

    def test_full_standard_output_is_told(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([str(OSSA), "--version"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 5)
        self.assertIn("standard output", done.stderr)


class Outputs(CommandTest):
    def test_two_outputs_are_not_one_file(self):
        (self.folder / "rest.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.folder / "inner").mkdir()
        (self.folder / "old.glb").write_bytes(b"kept")
        (self.folder / "link.glb").symlink_to("old.glb")
        for names in (("a.glb", "a.glb"), ("a.glb", "./inner/../a.glb"), ("old.glb", "b.glb", "link.glb")):
            words = [word for name in names for word in ("-o", name)]
            for command in (("rig", "rest.obj"), ("pose", "rest.obj")):
                done = self.ossa(*command, *words, expect=USAGE)
                self.assertIn(f"{names[-1]} is written twice", done.stderr)
        self.assertIn("is written twice", self.ossa("rig", "rest.obj", "-o", "a.json", "--report", "a.json", expect=USAGE).stderr)
        self.assertEqual((self.folder / "old.glb").read_bytes(), b"kept")
        self.assertFalse((self.folder / "a.glb").exists())

    def test_outputs_of_one_name_in_two_folders(self):
        (self.folder / "rest.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.folder / "inner").mkdir()
        done = self.ossa("pose", "rest.obj", "-o", "a.glb", "-o", "inner/a.glb", expect=INPUT)
        self.assertNotIn("is written twice", done.stderr)


class Tables(CommandTest):
    def test_bash_completion(self):
        (self.folder / "ossa.bash").write_text(self.ossa("--completion", "bash").stdout)
        ask = 'source ./ossa.bash; COMP_WORDS=(ossa %s); COMP_CWORD=%d; _ossa; echo "${COMPREPLY[*]}"'
        for words, index, expected in (("ver", 1, "version"), ("version --thr", 2, "--threads"), ("help ver", 2, "version")):
            done = subprocess.run(["bash", "-c", ask % (words, index)], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.stdout.strip(), expected, done.stderr)

    def test_zsh_completion_names_every_command(self):
        script = self.ossa("--completion", "zsh").stdout
        self.assertTrue(script.startswith("#compdef ossa\n"))
        self.assertIn("'version:", script)

    def test_unknown_shell(self):
        self.assertEqual(self.ossa("--completion", "tcsh", expect=USAGE).stdout, "")

    def test_manual_holds_every_command(self):
        page = self.ossa("--man").stdout
        self.assertTrue(page.startswith(".TH OSSA 1"))
        for word in ("ossa help", "ossa version", "\\-\\-threads", "EXIT STATUS"):
            self.assertIn(word, page)


main()
