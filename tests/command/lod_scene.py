"""glTF files of a tube in several levels of detail, for the tests of levels."""
import json
import struct

import numpy as np

from harness import tube, tube_faces
from test_kept_files import Writer

SIZES = ((48, 24), (24, 12), (12, 6))  # rings and sides of each level


def triangles_of(faces):
    return np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])


def tube_mesh(writer, size, material, bend=0.6, offset=(0, 0, 0)):
    vertices, triangles = np.array(tube(bend, *size)) + offset, triangles_of(tube_faces(*size))
    normals = np.zeros_like(vertices)
    for t in triangles:
        normals[t] += np.cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    primitive = {"attributes": {"POSITION": writer.array(vertices), "NORMAL": writer.array(normals)},
                 "indices": writer.array(triangles.flatten(), "uint16"), "material": material}
    return {"name": f"tube {size[0]}", "primitives": [primitive]}


def tube_file():
    """three levels: node 0 is shown, 1 and 2 are what it names"""
    writer = Writer()
    gltf = {
        "asset": {"version": "2.0"}, "extensionsUsed": ["MSFT_lod"],
        "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": f"level {i}", "mesh": i} for i in range(3)],
        "meshes": [tube_mesh(writer, size, i) for i, size in enumerate(SIZES)],
        "materials": [{"name": f"look {i}", "pbrMetallicRoughness": {"metallicFactor": i / 4}} for i in range(3)],
        "accessors": writer.accessors, "bufferViews": writer.views}
    gltf["nodes"][0]["extensions"] = {"MSFT_lod": {"ids": [1, 2]}}
    gltf["nodes"][0]["extras"] = {"MSFT_screencoverage": [0.5, 0.25, 0.01]}
    return gltf, writer.binary


def pair_file(size, names=("left", "right")):
    """a scene of tubes side by side, which share a material"""
    writer = Writer()
    offset = {"left": 0, "right": 0.5, "other": 1}
    gltf = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(names)))}],
        "nodes": [{"name": name, "mesh": i} for i, name in enumerate(names)],
        "meshes": [dict(tube_mesh(writer, size, 0, offset=(offset[name], 0, 0)), name=name) for name in names],
        "materials": [{"name": "look", "pbrMetallicRoughness": {"metallicFactor": 0.25}, "extras": {"kept": len(names)}}],
        "accessors": writer.accessors, "bufferViews": writer.views}
    return gltf, writer.binary


def save(path, gltf, binary):
    binary += b"\0" * (-len(binary) % 4)
    gltf["buffers"] = [{"byteLength": len(binary)}]
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(binary), b"BIN\0") + binary)
