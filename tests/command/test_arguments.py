"""The command line itself: help of every command, messages about wrong words, texts made from the tables."""
import json
import re
import shlex
import subprocess
from pathlib import Path

from harness import INPUT, LONG, OSSA, USAGE, CommandTest, main


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
            self.assertEqual(text, self.ossa(name, "whatever", "comes", "here", "-h").stdout)
            self.assertIn("--threads", text)

    def test_help_fits_two_screens(self):
        for name in self.commands():
            lines = self.ossa(name, "--help").stdout.splitlines()
            self.assertLessEqual(len(lines), 90, name)
            self.assertEqual([line for line in lines if len(line) > 80], [], "of 80 columns")

    def test_options_stand_under_headings(self):
        text = self.ossa("rig", "--help").stdout
        headings = re.findall(r"(?m)^(\w[\w ]*):$", text)
        self.assertEqual(headings, ["Input", "Method", "Skeleton", "Weights", "Motion", "Output", "Every command", "Examples"])
        for option in ("--rest", "--bones", "--influences", "--output", "--report", "--method"):
            self.assertIn(option, text)
        for option in ("--affinity-scale", "--exposure", "--attraction"):
            self.assertNotIn(option, text)

    def test_all_options_are_in_help_all_and_the_manual(self):
        manual = self.ossa("--man").stdout.replace("\\-", "-")
        for name in self.commands():
            brief, whole = (set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z\[\]-]+)", self.ossa("help", name, *topic).stdout)) for topic in ([], ["all"]))
            self.assertLessEqual(brief, whole)
            for option in whole:
                self.assertRegex(manual, r"(?m)^(\\fB-\w\\fR, )?\\fB" + re.escape(option) + r"\\f")
        whole = self.ossa("rig", "--help", "all").stdout
        for option in ("--affinity-scale", "--exposure", "--attraction", "--memory-limit", "--keep-order"):
            self.assertIn(option, whole)

    def test_help_on_topics(self):
        contraction = self.ossa("rig", "--help", "contraction").stdout
        self.assertIn("--attraction", contraction)
        self.assertIn("[the paper: 24 control points", contraction, "in the words of this method")
        bones = self.ossa("rig", "--help", "bones").stdout
        for method in ("examples", "sequence", "contraction", "volume"):
            self.assertRegex(bones, rf"{method}:\s", "each method says where its own default is from")
        for other in ("--exposure", "--variation", "--output", "sequence:"):
            self.assertNotIn(other, contraction)
        weights = self.ossa("rig", "--help", "weights").stdout
        self.assertEqual(weights, self.ossa("rig", "--help=Weights").stdout.replace("on Weights", "on weights"))
        self.assertEqual(weights, self.ossa("help", "rig", "weights").stdout)
        for option in ("--influences", "--weights", "--power", "--local"):
            self.assertIn(option.removeprefix("--"), weights)
        self.assertNotIn("--bones", weights)
        bones = self.ossa("rig", "--help", "--bones").stdout
        self.assertTrue(bones.startswith("usage:"), "an option that follows is no topic")
        self.assertIn("--bones N", self.ossa("rig", "-h", "bones").stdout)

    def test_unknown_topic_suggests_the_nearest(self):
        for typed, meant in (("contracton", "contraction"), ("weigths", "weights"), ("influence", "influences"), ("al", "all")):
            done = self.ossa("rig", "--help", typed, expect=USAGE)
            self.assertEqual(done.stderr, f'ossa rig: there is no help on "{typed}"; did you mean "{meant}"? (see: ossa rig --help)\n')
            self.assertIn(f'did you mean "{meant}"', self.ossa("help", "rig", typed, expect=USAGE).stderr)
        self.assertNotIn("did you mean", self.ossa("rig", "--help", "photosynthesis", expect=USAGE).stderr)
        self.assertIn('did you mean "metrics"', self.ossa("help", "metric", expect=USAGE).stderr)

    def test_examples_are_commands(self):
        """every example's options are known and their values in range: --help behind them is reached"""
        for name in self.commands():
            text = self.ossa(name, "--help").stdout
            for line in text.split("Examples:\n")[1].splitlines() if "Examples:\n" in text else []:
                words = shlex.split(line)
                self.assertEqual(words[0], "ossa")
                self.assertTrue(self.ossa(*words[1:], "--help").stdout.startswith("usage: ossa ") if words[1] != "help" else self.ossa(*words[1:]))

    def test_help_on_metrics(self):
        text = self.ossa("help", "metrics").stdout
        for table in self.json("help", "metrics", "--json"):
            self.assertIn(f"{table['name']}: {table['title']}\n", text)
            for metric in table["metrics"]:
                self.assertIn(f"  {metric['title']} ({metric['name']})", text)

    def test_headings_of_commands_name_options_that_there_are(self):
        for path in sorted((Path(__file__).resolve().parents[2] / "tools/ossa").glob("cmd_*.c")):
            block = re.search(r"(?s)ossa_option_group groups\[\] = \{(.*?)\n\};", path.read_text())
            whole = self.ossa(path.stem[4:], "--help", "all").stdout if block else ""
            for _, common, other in re.findall(r'\{"([^"]+)",\s*"([^"]*)",\s*"([^"]*)"\}', block[1]) if block else []:
                for name in filter(None, f"{common}|{other}".split("|")):
                    self.assertRegex(whole, rf"--(\[no-\])?{name}\b", path.name)

    def test_what_methods_mean_by_an_option_is_shown_for_each(self):
        text = " ".join(self.ossa("rig", "--help", "all").stdout.split())
        weights = text[text.index("--weights auto"):text.index("--weight-poses N")]
        for told in ("examples: how vertices are bound to bones", "sequence: how vertices", "contraction: how vertices", "volume: how vertices"):
            self.assertIn(told, weights)
        rounds = text[text.index("--refine N"):text.index("--seeds X")]
        self.assertRegex(rounds, r"examples: .* default 60\).* sequence: .* default 60\).* contraction: .* default 1\).* volume: .* default 1\)")
        # what all mean alike is there once
        self.assertEqual(text.count("most bones that move one vertex"), 1)
        self.assertEqual(text.count("number of bones; 0: as many as the input needs"), 1)
        manual = self.ossa("--man").stdout
        self.assertIn("\n.br\nvolume: between \\-\\-min\\-fraction and", manual)

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

    def test_names_of_options_that_are_gone_or_elsewhere(self):
        for typed, answer in (("--joints", "no option --joints any more: joints are placed where limbs bend; --bones N"),
                              ("--adaptive", "no option --adaptive any more: thin limbs are found without it; --voxel-size"),
                              ("--list", "--list is an option of ossa pose, not of ossa rig")):
            self.assertIn(answer, self.ossa("rig", "mesh.ply", typed, 3, expect=USAGE).stderr)

    def test_every_option_is_a_topic_of_help(self):
        seen = set()  # the options of several commands are tried of one
        for command in ("rig", "convert", "inspect", "compare", "sample", "render", "pose", "edit", "studio"):
            names = set(re.findall(r"(?m)^  (?:-\w, )?--(?:\[no-\])?([a-z-]+)", self.ossa(command, "--help", "all").stdout))
            self.assertIn("threads", names)
            for name in names if LONG else names - seen:
                text = self.ossa(command, "--help", name).stdout
                self.assertRegex(text, rf"(?m)^ossa {command}: help on (--)?{name}$")
                self.assertRegex(text, rf"(?m)^  (-\w, )?--(\[no-\])?{name}\b")
            seen |= names
        self.assertIn("-o, --output", self.ossa("rig", "--help", "o").stdout)
        self.assertNotIn("--json", self.ossa("rig", "--help", "threads").stdout)

    def test_options_are_spelled_as_they_are_typed(self):
        """the library's texts name them in backquotes, without dashes"""
        text = " ".join(self.ossa("rig", "--help", "all").stdout.split())
        self.assertIn("with --refine 0 geodesic (rigid: --influences 1)", text)
        self.assertNotIn("`refine", text)
        manual = self.ossa("--man").stdout.replace("\\-", "-")
        self.assertIn("with --refine 0 geodesic (rigid: --influences 1)", manual)
        for words, answer in ((("--root", "up"), "--root takes one of center|lowest, or a point as three numbers X,Y,Z with commas"),
                              (("--seeds", 3, "--closeness", 0.1), "--seeds and --closeness are options of different methods")):
            self.assertIn(answer, self.ossa("rig", "mesh.ply", *words, expect=USAGE).stderr)

    def test_values_are_checked_against_the_tables(self):
        self.assertIn("from 0 to 1024", self.ossa("version", "--threads=-1", expect=USAGE).stderr)
        self.assertIn("from 0 to 1024", self.ossa("version", "--threads", "many", expect=USAGE).stderr)
        self.assertIn("needs a value", self.ossa("version", "--threads", expect=USAGE).stderr)
        self.assertIn("yes or no", self.ossa("version", "--json=perhaps", expect=USAGE).stderr)

    def test_spellings_of_one_option(self):
        for words in (["--threads", "2"], ["--threads=2"], ["--no-json"], ["--json=no"], ["-q"], ["--quiet=yes"], ["--"]):
            self.assertTrue(self.ossa("version", *words).stdout.startswith("ossa "), words)
        self.assertIn("one argument too many", self.ossa("version", "--", "--json", expect=USAGE).stderr)

    def test_full_standard_output_is_reported(self):
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
        for words, index, expected in (("ver", 1, "version"), ("version --thr", 2, "--threads"), ("help ver", 2, "version"),
                                       ("rig --help contr", 3, "contraction"), ("rig --aff", 2, "--affinity-scale")):
            done = subprocess.run(["bash", "-c", ask % (words, index)], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.stdout.strip(), expected, done.stderr)

    def test_bash_offers_first_what_most_people_need(self):
        (self.folder / "ossa.bash").write_text(self.ossa("--completion", "bash").stdout)
        done = subprocess.run(["bash", "-c", 'source ./ossa.bash; COMP_WORDS=(ossa rig --); COMP_CWORD=2; _ossa; echo "${COMPREPLY[*]}"'],
                              capture_output=True, text=True, cwd=self.folder)
        self.assertIn("--bones", done.stdout.split())
        self.assertNotIn("--affinity-scale", done.stdout.split())

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
