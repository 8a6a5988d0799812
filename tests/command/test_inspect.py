"""`ossa inspect` and `ossa compare` on files small enough to know by heart."""
import struct

from harness import INPUT, USAGE, CommandTest, main, tube, tube_faces, write_obj


class Inspecting(CommandTest):
    def test_a_mesh(self):
        self.write_tubes(0)
        mesh = self.json("inspect", "--json", "rest.obj")["mesh"]
        self.assertEqual((mesh["vertices"], mesh["faces"], mesh["face_quads"], mesh["triangles"]), (300, 288, 288, 576))
        self.assertEqual((mesh["pieces"], mesh["border_edges"], mesh["crowded_edges"]), (1, 24, 0))
        self.assertEqual((mesh["minimum"][0], mesh["maximum"][0]), (-2, 2))
        text = self.ossa("inspect", "rest.obj").stdout
        for word in ("Wavefront OBJ", "300", "288 quads", "24 on a border"):
            self.assertIn(word, text)

    def test_the_name_does_not_matter(self):
        self.write_tubes(0)
        (self.folder / "rest.obj").rename(self.folder / "rest.stl")
        self.assertEqual(self.json("inspect", "--json", "rest.stl")["format"], "obj")

    def test_a_cache(self):
        vertices, frames = 3, 2
        head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertices, 0, 1, frames)
        (self.folder / "a.pc2").write_bytes(head + struct.pack("<18f", *range(18)))
        told = self.json("inspect", "--json", "a.pc2")
        self.assertEqual(told["frames"], {"frames": frames, "vertices": vertices})
        self.assertIn("frames", self.ossa("inspect", "a.pc2").stdout)

    def test_what_it_cannot_read(self):
        (self.folder / "junk").write_bytes(b"\0\1\2\3" * 100)
        self.assertIn("junk", self.ossa("inspect", "junk", expect=INPUT).stderr)
        self.ossa("inspect", expect=USAGE)


main()
