"""A folder of small assets of many kinds, some of them broken, the same on every machine."""
import math
import struct
from pathlib import Path


def tube(bend, rings, sides, length, radius=0.5):
    """a closed tube along x, bent about z in its middle: vertices and faces"""
    vertices = []
    for ring in range(rings + 1):
        x = length * ring / rings - length / 2
        blend = 1 / (1 + math.exp(-6 * x))
        for side in range(sides):
            y, z = (radius * f(2 * math.pi * side / sides) for f in (math.cos, math.sin))
            turned = (x * math.cos(bend) - y * math.sin(bend), x * math.sin(bend) + y * math.cos(bend), z)
            vertices.append(tuple(blend * a + (1 - blend) * b for a, b in zip(turned, (x, y, z))))
    faces = [(ring * sides + side, (ring + 1) * sides + side, (ring + 1) * sides + (side + 1) % sides, ring * sides + (side + 1) % sides)
             for ring in range(rings) for side in range(sides)]
    return vertices, faces + [tuple(reversed(range(sides))), tuple(rings * sides + side for side in range(sides))]


def obj(vertices, faces):
    return ("".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in vertices) +
            "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces)).encode()


def off(vertices, faces):
    return (f"OFF\n{len(vertices)} {len(faces)} 0\n" + "".join(f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in vertices) +
            "".join(f"{len(face)} " + " ".join(map(str, face)) + "\n" for face in faces)).encode()


def ply(vertices, faces):
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n" + "".join(f"property float {c}\n" for c in "xyz")
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    return (head.encode() + b"".join(struct.pack("<3f", *v) for v in vertices) +
            b"".join(struct.pack(f"<B{len(face)}i", len(face), *face) for face in faces))


def stl(vertices, faces):
    triangles = [(face[0], face[i], face[i + 1]) for face in faces for i in range(1, len(face) - 1)]
    return bytes(80) + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12f", 0, 0, 0, *vertices[a], *vertices[b], *vertices[c]) + b"\0\0" for a, b, c in triangles)


KINDS = {"obj": obj, "off": off, "ply": ply, "stl": stl}
BROKEN = {"empty.obj": b"", "text.glb": b"this is no model\n", "cut.ply": None, "nothing.off": b"OFF\n0 0 0\n", "nan.obj": b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}
NAMES = ["two words", "it's", 'a "quote"', "line\nbreak", "-dash", "dots..in..it", "käfer", "100%", "a{b}", "st*r", "$HOME"]


def make_folder(folder, count):
    """writes `count` models in folders by kind, with a few names that scripts trip over, and the broken ones; how many they are"""
    folder = Path(folder)
    for i in range(count):
        ending = list(KINDS)[i % len(KINDS)]
        name = NAMES[i // 2] if i % 2 and i // 2 < len(NAMES) else f"tube-{i:04d}"
        path = folder / ending / f"{name}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(KINDS[ending](*tube(0.2 + 0.9 * i / count, 16 + i % 7, 8 + i % 5, 4 + i % 3)))
    for name, data in BROKEN.items():
        path = folder / "broken" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(ply(*tube(0.5, 16, 8, 4))[:700] if data is None else data)
    return count + len(BROKEN)
