"""A glTF file with all that pictures show: a texture with alpha that blends, a mask, a normal map, UVs on two meshes of which one is
mirrored, morph targets that are not at 0, animations. The scene is that of tests/command/test_kept_files.py with real images.

usage: make_textured.py FILE.glb
"""
import json
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

# the tests' harness takes an argument for the command
OUTPUT = Path(sys.argv.pop())
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))
from gltf_scene import Scene  # noqa: E402
from test_kept_files import write_scene  # noqa: E402

SIZE = 64


def png(pixels):
    """an image of height x width x 4 bytes"""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def checks():
    """every quarter another colour, holes in the alpha"""
    y, x = np.mgrid[:SIZE, :SIZE]
    pixels = np.stack([4 * x, 4 * y, 255 * ((x // 8 + y // 8) % 2), np.where((x // 16 + y // 16) % 3 == 0, 40, 255)], axis=2)
    return pixels.astype(np.uint8)


def waves():
    """normals of waves along u and v"""
    y, x = np.mgrid[:SIZE, :SIZE] * (2 * np.pi / 16)
    normal = np.stack([0.6 * np.sin(x), 0.4 * np.cos(y), np.ones_like(x)], axis=2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    return np.concatenate([127.5 + 127.5 * normal, np.full((SIZE, SIZE, 1), 255)], axis=2).astype(np.uint8)


def main(path):
    write_scene(path)
    scene = Scene(path)
    gltf, binary = scene.json, scene.binary
    for name, image in (("checks", checks()), ("waves", waves())):
        data = png(image)
        binary += b"\0" * (-len(binary) % 4)
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data
        gltf["images"].append({"name": name, "bufferView": len(gltf["bufferViews"]) - 1, "mimeType": "image/png"})
    gltf["textures"] += [{"source": 2}, {"source": 3}]
    skin, cloth = gltf["materials"]
    skin.update(alphaMode="BLEND", normalTexture={"index": 3}, doubleSided=True)
    skin["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 2}
    cloth.update(alphaMode="MASK", alphaCutoff=0.5, normalTexture={"index": 3, "texCoord": 1}, extensions={},
                 pbrMetallicRoughness={"baseColorTexture": {"index": 2, "texCoord": 1}, "roughnessFactor": 0.4})
    for mesh in gltf["meshes"]:
        mesh["weights"] = [0.3, 0.2]
    # three.js does not mirror the third axis of a mirrored node's tangents (docs/formats.md): it takes them from the UVs there
    for primitive in gltf["meshes"][1]["primitives"]:
        for attributes in (primitive["attributes"], *primitive["targets"]):
            attributes.pop("TANGENT", None)
    binary += b"\0" * (-len(binary) % 4)
    gltf["buffers"][0]["byteLength"] = len(binary)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(binary), b"BIN\0") + binary)


main(OUTPUT)
