"""`ossa compare --holdout`: a rig from half of the frames, evaluated on the other half."""
from harness import INPUT, USAGE, CommandTest, main

RIG = ("--body", "none", "--bones", 3, "--refine", 5)


class Holdout(CommandTest):
    def setUp(self):
        super().setUp()
        self.names = self.write_tubes(9)

    def holdout(self, *words):
        return self.json("compare", "--json", "--holdout", *words)

    def test_both_halves_and_all_are_reported(self):
        told = self.holdout(*self.names, *RIG)
        self.assertEqual((told["fitted"], told["held"], told["bones"], told["split"]), (5, 4, 3, "alternate"))
        for kind in ("hierarchy", "free_bones"):
            rms = told[kind]["rms_percent"]
            self.assertAlmostEqual(9 * rms["all"] ** 2, 5 * rms["fitted"] ** 2 + 4 * rms["held"] ** 2, places=6)
            self.assertGreater(rms["fitted"], 1e-3)
            # between frames that it was made from: hardly worse
            self.assertLess(rms["held"], 2 * rms["fitted"])
            self.assertEqual(set(told[kind]), {"rms_percent", "max_percent", "accu_percent"})
        text = self.ossa("compare", "--holdout", *self.names, *RIG).stdout
        self.assertIn("5 fitted, 4 held out (every other one)", text)
        for word in ("hierarchy", "free bones", "fitted", "held", "RMS error", "Largest error"):
            self.assertIn(word, text)

    def test_fitted_errors_are_those_of_ossa_rig(self):
        told = self.holdout(*self.names, *RIG)
        self.ossa("rig", self.names[0], *self.names[1::2], *RIG, "-o", "half.glb", "-q")
        judged = self.json("compare", "--json", "half.glb", self.names[0], *self.names[1::2])["metrics"]
        self.assertAlmostEqual(told["hierarchy"]["rms_percent"]["fitted"], judged["rms_percent"], places=4)

    def test_the_later_half_is_harder(self):
        alternate, halves = self.holdout(*self.names, *RIG), self.holdout(*self.names, *RIG, "--split", "halves")
        self.assertEqual((halves["fitted"], halves["held"], halves["split"]), (5, 4, "halves"))
        # the tube bends farther in every pose
        self.assertGreater(halves["hierarchy"]["rms_percent"]["held"], alternate["hierarchy"]["rms_percent"]["held"])

    def test_one_animated_file(self):
        self.ossa("convert", *self.names, "moving.glb")
        told = self.holdout("moving.glb", *RIG)
        apart = self.holdout(*self.names, *RIG)
        self.assertAlmostEqual(told["hierarchy"]["rms_percent"]["held"], apart["hierarchy"]["rms_percent"]["held"], places=3)

    def test_bad_calls(self):
        self.assertIn("does not move", self.ossa("compare", "--holdout", "rest.obj", expect=INPUT).stderr)
        self.assertIn("at least two", self.ossa("compare", "--holdout", *self.names[:2], expect=INPUT).stderr)
        self.ossa("rig", *self.names, *RIG, "-o", "rig.glb", "-q")
        self.assertIn("--bones", self.ossa("compare", "rig.glb", *self.names, "--bones", 3, expect=USAGE).stderr)
        self.assertIn("--split", self.ossa("compare", "rig.glb", *self.names, "--split", "halves", expect=USAGE).stderr)
        self.assertIn("too few", self.ossa("compare", "rig.glb", expect=USAGE).stderr)
        self.assertIn("--truth", self.ossa("compare", "--holdout", *self.names, "--truth", "rig.glb", expect=USAGE).stderr)


main()
