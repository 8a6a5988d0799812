"""`ossa rig --pieces separate`: messages about pieces, and their names."""
import re

from harness import CommandTest, main, tube, tube_faces

RIG = ("--method", "contraction", "--pieces", "separate", "--proxy-size", 300)


class Pieces(CommandTest):
    def write(self, parts):
        """parts: material, vertices, faces"""
        lines, first = [], 1
        for material, vertices, faces in parts:
            lines.append(f"usemtl {material}")
            lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
            lines += ["f " + " ".join(str(i + first) for i in face) for face in faces]
            first += len(vertices)
        (self.folder / "scene.obj").write_text("\n".join(lines) + "\n")

    def tube_at(self, material, at, scale=1.0):
        vertices = [tuple(scale * a + b for a, b in zip(vertex, at)) for vertex in tube(0)]
        return material, vertices, tube_faces()

    def floor(self):
        return "floor", [(-9, -2, -9), (9, -2, -9), (9, -2, 9), (-9, -2, 9)], [(0, 3, 2, 1)]

    def write_scene(self):
        self.write([self.tube_at("skin", (0, 0, 0)), self.tube_at("skin", (0, 3, 0), 0.9), self.floor(),
                    self.tube_at("pearl", (0, 0.55, 0), 0.02), self.tube_at("dust", (0, 0.55, 0.5), 0.005)])

    def test_roles_are_reported(self):
        self.write_scene()
        done = self.ossa("rig", "scene.obj", *RIG, "-o", "a.glb")
        self.assertRegex(done.stdout, r"(?m)^pieces +5: 2 with a skeleton, 2 rigid, 1 moving along$")
        told = self.json("rig", "scene.obj", *RIG, "-o", "a.glb", "--json")
        self.assertEqual(told["pieces_apart"], {"skeletons": 2, "rigid": 2, "along": 1})
        linked = self.json("rig", "scene.obj", "--method", "contraction", "--proxy-size", 300, "-o", "b.glb", "--json")
        self.assertNotIn("pieces_apart", linked)

    def test_warnings_say_which(self):
        self.write_scene()
        done = self.ossa("rig", "scene.obj", *RIG, "--bones", 4, "-o", "a.glb")
        # root, two tubes, the floor: the pearl has none
        self.assertRegex(done.stderr, r'1 of 5 pieces gets no bones of its own and moves with the nearest piece: .* 4 bones are asked for.*"pearl" near \(')
        self.assertNotIn("outside", done.stderr)
        self.assertRegex(done.stderr, r'piece_1, "skin" near \(0, 0, 0\) and 1 more: the surface does not enclose one body')

    def test_messages_count_one_as_one(self):
        self.write_scene()
        for bones in (0, 1, 3, 5, 30):
            told = self.ossa("rig", "scene.obj", *RIG, "--bones", bones, "-o", "a.glb").stderr
            self.assertIsNone(re.search(r"\b1 (pieces|bones|joints|edges) (are|were|have|lie|move|get)\b|\b1 are\b|there are 1\b", told), told)

    def test_new_names_keep_the_pieces(self):
        self.write_scene()
        self.ossa("rig", "scene.obj", *RIG, "-o", "a.glb")
        self.ossa("convert", "a.glb", "b.glb", "--names", "body")
        before, after = ([joint["name"] for joint in self.json("pose", name, "--list", "--json")["joints"]] for name in ("a.glb", "b.glb"))
        self.assertEqual(sum(name.startswith("piece_2_") for name in before), sum(name.startswith("piece_2_") for name in after))
        self.assertIn("piece_3", after)
        self.assertIn("piece_4", after)
        self.assertEqual(len(set(after)), len(before))

    def test_help_says_percent_of_what(self):
        told = " ".join(self.ossa("rig", "--help", "pieces").stdout.split())
        for word in ("--rigid-below", "--along-below"):
            self.assertRegex(told, word + r" X .{0,400}% of the largest piece's size")
        self.assertIn("root mean square distance of its surface from its center", told)


main()
