"""What the tests of the built command share: running it, small models written as OBJ, a folder of one's own.

usage of a test file: /usr/bin/python3 tests/command/test_x.py PATH_OF_OSSA
"""
import base64
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

OSSA = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else Path("build/ossa").resolve()

# a long run, as scripts/test_long makes: every variant is tried, where a usual one tries some of each kind
LONG = "OSSA_LONG_TESTS" in os.environ

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


def some_of_each_folder(files, most=4):
    """all files in a long run; in a usual one `most` of each folder (of still meshes, which have one each, of theirs), evenly"""
    folders = {}
    for path in sorted(files):
        folder = path.parent.parent if "static" in path.parts else path.parent
        folders.setdefault((folder, path.suffix), []).append(path)
    for paths in folders.values():
        count = len(paths) if LONG else min(most, len(paths))
        yield from (paths[i * (len(paths) - 1) // max(count - 1, 1)] for i in range(count))


def data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def png(red, green, blue, width=1, height=1):
    """an image of one colour"""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress((b"\0" + bytes([red, green, blue]) * width) * height)) + chunk(b"IEND", b""))


def png_pixels(data):
    """all pixels of an image of 8 bits RGBA without interlacing, row by row"""
    at, body, pixels = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    stride = 4 * struct.unpack_from(">I", data, 16)[0]
    rows, above = zlib.decompress(body), bytearray(stride)
    for first in range(0, len(rows), stride + 1):
        kind, row = rows[first], bytearray(rows[first + 1:first + 1 + stride])
        for i in range(stride):
            left, up, corner = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        pixels += [tuple(row[i:i + 4]) for i in range(0, stride, 4)]
        above = row
    return pixels


def cube_corners():
    """24 vertices, four for each side as files with normals have them, and 12 triangles"""
    vertices, triangles = [], []
    for axis in range(3):
        for side in (-1, 1):
            first = len(vertices)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertex = [0, 0, 0]
                vertex[axis], vertex[(axis + 1) % 3], vertex[(axis + 2) % 3] = side, a * side, b
                vertices.append(vertex)
            triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    return vertices, triangles


def write_moving_cubes(path, parts, names=None, scales=None, still=()):
    """Writes a .gltf of cubes that are nodes, each at x on its parent (an index, or None), and turn about z by 0, 45 and 90 degrees
    at 0, 0.5 and 1 seconds: a machine of rigid parts. `names` and `scales` are the nodes'; those in `still` do not turn."""
    vertices, triangles = cube_corners()
    numbers = struct.pack("<72f", *sum(vertices, [])) + struct.pack("<36H", *sum(triangles, [])) + struct.pack("<3f", 0, 0.5, 1)
    for degrees in (0, 45, 90):
        numbers += struct.pack("<4f", 0, 0, math.sin(math.radians(degrees / 2)), math.cos(math.radians(degrees / 2)))
    nodes = [{"name": names[i] if names else f"part {i}", "mesh": 0, "translation": [x, 0, 0], "scale": [scales[i] if scales else 1] * 3,
              "children": [k for k, part in enumerate(parts) if part[1] == i]} for i, (x, _) in enumerate(parts)]
    for node in nodes:
        if not node["children"]:
            del node["children"]
    ends = [0, 288, 360, 372, 420]
    gltf = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(numbers), "uri": data_uri(numbers)}],
        "bufferViews": [{"buffer": 0, "byteOffset": ends[i], "byteLength": ends[i + 1] - ends[i]} for i in range(4)],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 24, "type": "VEC3", "min": [-1] * 3, "max": [1] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC4"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": nodes,
        "scenes": [{"nodes": [i for i, part in enumerate(parts) if part[1] is None]}], "scene": 0,
        "animations": [{"name": "turn", "samplers": [{"input": 2, "output": 3}],
                        "channels": [{"sampler": 0, "target": {"node": i, "path": "rotation"}}
                                     for i in range(len(parts)) if i not in still]}],
    }
    Path(path).write_text(json.dumps(gltf))


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def write_once(self, write):
        """calls `write` for the first test of the class; the others get a copy of what it left in the folder"""
        if "written" in type(self).__dict__:
            shutil.copytree(self.written.name, self.folder, dirs_exist_ok=True)
            return
        write()
        type(self).written = tempfile.TemporaryDirectory()
        self.addClassCleanup(self.written.cleanup)
        shutil.copytree(self.folder, self.written.name, dirs_exist_ok=True)

    def ossa(self, *words, expect=DONE, **options):
        """runs the command in the test's folder; checks the exit status, and that a failure is one line"""
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
