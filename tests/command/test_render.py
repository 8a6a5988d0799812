"""`ossa render`: weights, errors and poses; which words belong together."""
from harness import INPUT, USAGE, CommandTest, main, png, png_pixels, tube, tube_faces

SMALL = ["--width", 96, "--height", 80]


class Render(CommandTest):
    """a tube of two bones that bends in its poses"""

    def setUp(self):
        super().setUp()
        self.write_once(self.write)
        self.names = ["rest.obj"] + [f"pose-{i + 1}.obj" for i in range(6)]
        self.bones = [bone["name"] for bone in self.json("inspect", "--json", "tube.glb")["rig"]["bones"]]

    def write(self):
        self.ossa("rig", *self.write_tubes(6), "--body", "none", "--bones", 2, "--names", "numbers", "-o", "tube.glb", "-q")

    def render(self, name, *words, **options):
        return self.ossa("render", "tube.glb", "-o", name, *SMALL, *words, **options)

    def picture(self, name, *words):
        self.render(name, *words)
        data = (self.folder / name).read_bytes()
        self.assertTrue(data.startswith(b"\x89PNG"))
        return data

    def test_clusters(self):
        names = [name for name in self.names if name.endswith(".obj")]
        self.ossa("rig", *names, "--body", "none", "--bones", 3, "--method", "examples", "-o", "merged.glb", "-q")
        self.ossa("rig", *names, "--body", "none", "--bones", 3, "--method", "sequence", "--refine", 0, "-o", "seeds.glb", "-q")
        self.ossa("rig", *names, "--body", "none", "--bones", 3, "--method", "sequence", "-o", "refined.glb", "-q")
        pictures = {}
        for rig in ("merged", "seeds", "refined"):
            for count in (0, 2, 9):
                words = ["--color", "clusters", "--no-skeleton", *(["--clusters", count] if count else [])]
                self.ossa("render", f"{rig}.glb", "-o", f"{rig}-{count}.png", *SMALL, *words)
                pictures[rig, count] = (self.folder / f"{rig}-{count}.png").read_bytes()
        # merges can be cut elsewhere; the parts of seeds are as they are
        self.assertEqual(len({pictures["merged", count] for count in (0, 2, 9)}), 3)
        for rig in ("seeds", "refined"):
            self.assertEqual(len({pictures[rig, count] for count in (0, 2, 9)}), 1)
        # an edit touches no faces
        for rig in ("merged", "seeds"):
            self.ossa("edit", f"{rig}.glb", "-o", "edited.glb", "--rename", f"{self.json('inspect', f'{rig}.glb', '--json')['rig']['bones'][1]['name']} x", "-q")
            self.ossa("render", "edited.glb", "-o", "edited.png", *SMALL, "--color", "clusters", "--no-skeleton")
            self.assertEqual((self.folder / "edited.png").read_bytes(), pictures[rig, 0])
        self.assertIn("--color clusters", self.ossa("render", "merged.glb", "-o", "a.png", "--clusters", 4, expect=USAGE).stderr)
        # other formats than glTF do not hold them
        self.ossa("convert", "merged.glb", "merged.dae", "-q")
        told = self.ossa("render", "merged.dae", "-o", "a.png", *SMALL, "--color", "clusters", expect=INPUT).stderr
        self.assertIn("does not say which faces moved together", told)

    def write_textured(self, image):
        """a rig whose file names an image beside it"""
        vertices, faces = tube(0.3), tube_faces()
        lines = ["mtllib skin.mtl", "usemtl skin"] + [f"v {x:.6f} {y:.6f} {z:.6f}\nvt {x / 4 + 0.5:.6f} {y / 4 + 0.5:.6f}" for x, y, z in vertices]
        lines += ["f " + " ".join(f"{i + 1}/{i + 1}" for i in face) for face in faces]
        (self.folder / "skin.obj").write_text("\n".join(lines) + "\n")
        (self.folder / "skin.mtl").write_text("newmtl skin\nmap_Kd skin.png\n")
        (self.folder / "skin.png").write_bytes(image)
        self.ossa("rig", "skin.obj", "-o", "skin.gltf", "--method", "volume", "--refine", 0, "--bones", 2, "-q")

    def draw_textured(self, rig, *words):
        self.ossa("render", rig, "-o", "skin-picture.png", *SMALL, *words)
        return (self.folder / "skin-picture.png").read_bytes()

    def test_materials_are_drawn_unless_others_are_asked_for(self):
        self.write_textured(png(200, 30, 30, 4, 4))
        pictures = {color: self.draw_textured("skin.gltf", "--color", color) for color in ("auto", "materials", "plain", "bones")}
        self.assertEqual(pictures["auto"], pictures["materials"])
        self.assertEqual(len(set(pictures.values())), 3)
        self.assertEqual(self.draw_textured("skin.gltf"), pictures["auto"])
        self.assertEqual(self.draw_textured("skin.gltf", "--threads", 3), pictures["auto"])
        # inside of the file instead of beside it
        self.ossa("convert", "skin.gltf", "skin.glb", "-q")
        self.assertEqual(self.draw_textured("skin.glb"), pictures["auto"])
        # a mesh without materials has nothing of its own to show
        self.assertEqual(self.picture("a.png", "--color", "materials"), self.picture("b.png", "--color", "plain"))
        self.assertEqual(self.picture("a.png"), self.picture("b.png", "--color", "bones"))

    def test_a_file_without_a_rig_is_drawn_as_its_materials_look(self):
        self.write_textured(png(200, 30, 30, 4, 4))
        # what the rig of the mesh shows without its bones
        self.assertEqual(self.draw_textured("skin.obj"), self.draw_textured("skin.gltf", "--no-skeleton"))
        self.assertEqual(self.draw_textured("skin.obj", "--color", "plain"), self.draw_textured("skin.gltf", "--no-skeleton", "--color", "plain"))
        for ending in ("glb", "dae", "fbx"):
            self.ossa("convert", "skin.obj", f"skin-mesh.{ending}", "-q")
            self.assertEqual(self.draw_textured(f"skin-mesh.{ending}", "--threads", 3), self.draw_textured("skin.obj"), ending)
        # the image is red, and so is what is not background
        inside = self.draw_pixels("skin.obj", "--transparent")
        self.assertGreater(len(inside), 500)
        self.assertTrue(all(red > 2 * green and red > 2 * blue for red, green, blue, _ in inside))
        # a mesh without materials is plain
        self.ossa("render", "rest.obj", "-o", "a.png", *SMALL)
        self.ossa("render", "rest.obj", "-o", "b.png", *SMALL, "--color", "plain")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def draw_pixels(self, name, *words):
        """the solid pixels of a picture"""
        pixels = png_pixels(self.draw_textured(name, *words))
        return [pixel for pixel in pixels if pixel[3] == 255]

    def test_a_file_without_a_rig_has_no_colours_of_bones(self):
        for color in ("bones", "clusters", "roles"):
            told = self.ossa("render", "rest.obj", "-o", "a.png", *SMALL, "--color", color, expect=INPUT).stderr
            self.assertIn("holds a mesh without a rig", told)
        told = self.ossa("render", "rest.obj", "-o", "a.png", "--color", "weights", "--bone", "hip", expect=INPUT).stderr
        self.assertIn("holds a mesh without a rig", told)
        told = self.ossa("render", "rest.obj", "-o", "a.png", "--color", "error", "--against", *self.names, expect=INPUT).stderr
        self.assertIn("holds a mesh without a rig", told)
        told = self.ossa("render", "rest.obj", "-o", "a.png", "--pose", "hip 30", expect=INPUT).stderr
        self.assertIn("no joints for --pose", told)
        self.assertIn("does not move", self.ossa("render", "rest.obj", "-o", "a.png", "--frames", 2, expect=USAGE).stderr)
        # what is wrong with a file is said as ever
        (self.folder / "broken.obj").write_text("v 0 0\n")
        self.assertIn("broken.obj, line 1", self.ossa("render", "broken.obj", "-o", "a.png", expect=INPUT).stderr)
        self.assertFalse((self.folder / "a.png").exists())

    def test_an_image_that_cannot_be_shown_is_named(self):
        self.write_textured(png(200, 30, 30, 4, 4)[:-30])
        warnings = self.json("render", "skin.gltf", "-o", "a.png", *SMALL, "--json")["warnings"]
        found = [warning for warning in warnings if warning["code"] == "textures-not-shown"]
        self.assertEqual([(one["count"], one["counted"]) for one in found], [(1, "texture")])
        self.assertIn('"skin": the PNG is broken', found[0]["message"])
        # nothing is wrong where it is not asked for
        warnings = self.json("render", "skin.gltf", "-o", "a.png", *SMALL, "--json", "--color", "plain")["warnings"]
        self.assertNotIn("textures-not-shown", [warning["code"] for warning in warnings])

    def test_stages_of_contraction(self):
        pictures = set()
        for stage in ("graph", "2", "last", "points"):
            self.ossa("render", "rest.obj", "-o", f"{stage}.png", *SMALL, "--stage", stage)
            pictures.add((self.folder / f"{stage}.png").read_bytes())
        self.assertEqual(len(pictures), 4)
        told = self.ossa("render", "rest.obj", "-o", "a.png", *SMALL, "--stage", 99, expect=USAGE).stderr
        self.assertIn("a number of steps up to", told)
        told = self.ossa("render", "rest.obj", "-o", "a.png", "--stage", "graph", "--color", "clusters", expect=USAGE).stderr
        self.assertIn("neither weights nor errors", told)

    def test_weights_of_a_bone(self):
        first = self.picture("a.png", "--color", "weights", "--bone", self.bones[0])
        second = self.picture("b.png", "--color", "weights", "--bone", self.bones[1])
        self.assertNotEqual(first, second)
        # names in any case of letters
        self.assertEqual(second, self.picture("c.png", "--color", "weights", "--bone", self.bones[1].upper(), "--threads", 3))
        self.assertIn("name the bone", self.render("a.png", "--color", "weights", expect=USAGE).stderr)
        self.assertIn("--color weights", self.render("a.png", "--bone", self.bones[0], expect=USAGE).stderr)
        self.assertIn("did you mean", self.render("a.png", "--color", "weights", "--bone", self.bones[1] + "x", expect=USAGE).stderr)

    def test_errors_against_the_poses(self):
        report = self.json("compare", "--json", "tube.glb", *self.names)["metrics"]
        told = self.json("render", "tube.glb", "-o", "e.png", *SMALL, "--color", "error", "--against", *self.names, "--json")
        self.assertEqual(told["shown"], [report["max_frame"]])
        self.assertAlmostEqual(told["largest_percent"], report["max_percent"], delta=1e-4 * report["max_percent"] + 1e-6)
        # the frame of the largest error is the one that is shown when none is named
        worst = self.picture("e.png", "--color", "error", "--against", *self.names)
        same = self.picture("f.png", "--color", "error", "--against", *self.names, "--frames", report["max_frame"] + 1)
        self.assertEqual(worst, same)
        self.assertIn("largest error", self.render("e.png", "--color", "error", "--against", *self.names).stdout)

    def test_errors_against_a_cache(self):
        self.ossa("convert", *self.names[:1], *self.names[1:], "poses.pc2")
        of_files = self.picture("e.png", "--color", "error", "--against", *self.names, "--frames", "all")
        self.assertEqual(of_files, self.picture("f.png", "--color", "error", "--against", "rest.obj", "poses.pc2", "--frames", "all"))

    def test_errors_need_frames(self):
        self.assertIn("--against", self.render("e.png", "--color", "error", expect=USAGE).stderr)
        self.assertIn("--against", self.render("e.png", "rest.obj", expect=USAGE).stderr)
        self.assertIn("worst", self.render("e.png", "--frames", "worst", expect=USAGE).stderr)
        against = ["--color", "error", "--against", *self.names]
        self.assertIn("rest pose", self.render("e.png", *against, "--frames", "rest", expect=USAGE).stderr)
        self.assertIn("--pose", self.render("e.png", *against, "--pose", f"{self.bones[1]} 4", expect=USAGE).stderr)
        self.assertIn("5 frames", self.render("e.png", *against[:-1], expect=INPUT).stderr)

    def test_poses(self):
        rest, bone = self.picture("a.png"), self.bones[1]
        bent = self.picture("b.png", "--pose", f"{bone} 0 0 60")
        self.assertNotEqual(rest, bent)
        self.assertEqual(bent, self.picture("c.png", "--pose", f"{bone} 0,0,60"))
        self.assertEqual(bent, self.picture("d.png", "--pose", f"{bone} 0 0 20", "--pose", f"{bone}   0, 0, 40"))
        self.assertEqual(rest, self.picture("e.png", "--pose", f"{bone} 0"))
        # as a file written by ossa pose shows it
        self.ossa("pose", "tube.glb", "-o", "posed.glb", "--rest", "--joint", bone, "--bend", 30)
        self.ossa("render", "posed.glb", "-o", "f.png", *SMALL, "--frames", 1)
        self.assertEqual((self.folder / "f.png").read_bytes(), self.picture("g.png", "--pose", f"{bone} 30"))
        # on top of the motion
        self.assertNotEqual(self.picture("h.png", "--frames", 3), self.picture("i.png", "--frames", 3, "--pose", f"{bone} 30"))
        for words in (f"{bone}x 3", bone, f"{bone} 1 2", f"{bone} 1 2 3 4", f"{bone} a", f"{bone} nan", "all 30", "  "):
            self.assertIn("ossa render", self.render("a.png", "--pose", words, expect=USAGE).stderr, words)
        mixed = self.render("a.png", "--pose", f"{bone} 30", "--frames", "rest,2", expect=USAGE).stderr
        self.assertIn("one after the other", mixed)


main()
