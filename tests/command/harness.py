"""What the tests of the built command share: running it, small models written as OBJ, a folder of one's own.

usage of a test file: /usr/bin/python3 tests/command/test_x.py PATH_OF_OSSA
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

OSSA = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else Path("build/ossa").resolve()

DONE, USAGE, INPUT, LIMIT, WRITE, STOPPED = 0, 2, 3, 4, 5, 130


def tube(bend, rings=24, sides=12, length=4.0):
    """vertices of a tube along x whose half beyond the middle is turned by `bend` radians about z, smoothly blended"""
    vertices = []
    for ring in range(rings + 1):
        x = length * ring / rings - length / 2
        blend = 1 / (1 + math.exp(-6 * x))
        for side in range(sides):
            y, z = 0.5 * math.cos(2 * math.pi * side / sides), 0.5 * math.sin(2 * math.pi * side / sides)
            turned = (x * math.cos(bend) - y * math.sin(bend), x * math.sin(bend) + y * math.cos(bend), z)
            vertices.append(tuple(blend * a + (1 - blend) * b for a, b in zip(turned, (x, y, z))))
    return vertices


def tube_faces(rings=24, sides=12):
    return [(ring * sides + side, (ring + 1) * sides + side, (ring + 1) * sides + (side + 1) % sides,
             ring * sides + (side + 1) % sides) for ring in range(rings) for side in range(sides)]


def write_obj(path, vertices, faces):
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices] + ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    Path(path).write_text("\n".join(lines) + "\n")


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def ossa(self, *words, expect=DONE, **options):
        """runs the command in the test's folder; checks the exit status, and that a failure is told in one line"""
        done = subprocess.run([str(OSSA), *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=300,
                              **options)
        self.assertEqual(done.returncode, expect, f"ossa {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        if expect != DONE and words:
            errors = [line for line in done.stderr.splitlines() if ": warning: " not in line]
            self.assertEqual(len(errors), 1, done.stderr)
            self.assertTrue(errors[0].startswith("ossa"), errors[0])
        return done

    def json(self, *words, **options):
        return json.loads(self.ossa(*words, **options).stdout)

    def write_tubes(self, poses=4, rings=24, sides=12):
        """rest.obj and pose-1.obj ... in the folder; gives their names"""
        names = ["rest.obj"] + [f"pose-{i + 1}.obj" for i in range(poses)]
        faces = tube_faces(rings, sides)
        for i, name in enumerate(names):
            write_obj(self.folder / name, tube(0.9 * i / max(poses, 1), rings, sides), faces)
        return names

    def files(self):
        return sorted(os.listdir(self.folder))


def main():
    unittest.main(verbosity=1)
