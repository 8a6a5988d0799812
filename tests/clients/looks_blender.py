"""Blender, headless: materials, images and UVs of a glTF file against those of files that ossa made of it.

usage: blender --background --factory-startup --python looks_blender.py -- ORIGINAL.glb COPY.fbx COPY.dae ... [-- ORIGINAL.glb ...]
"""
import os
import re
import sys

import bpy
import numpy

# Debian 12's Blender imports glTF with a name that its numpy no longer has
numpy.bool = bool
IMPORTERS = {".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path), ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path),
             ".dae": lambda path: bpy.ops.wm.collada_import(filepath=path)}


def image_of(socket):
    """the size and the mean colour of the image that a socket of the surface shows"""
    node = socket.links[0].from_node if socket.is_linked else None
    image = getattr(node, "image", None)
    if not image or not image.has_data and not image.pixels:
        return None
    return tuple(image.size), tuple(numpy.round(numpy.array(image.pixels[:]).reshape(-1, image.channels)[:, :3].mean(0), 3))


def look(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[os.path.splitext(path)[1]](path)
    used = {slot.material for item in bpy.data.objects for slot in item.material_slots if slot.material}
    materials = {}
    for material in used:
        (surface,) = [node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"]
        # Collada 1.4.1 has no other letters in names, and Blender numbers what it imports twice
        name = re.sub(r"\W", "_", re.sub(r"\.\d{3}$", "", material.name))
        materials[name] = image_of(surface.inputs["Base Color"]), image_of(surface.inputs["Emission"])
    uvs = [numpy.array([uv for loop in item.data.uv_layers[0].data for uv in loop.uv]) for item in bpy.data.objects
           if item.type == "MESH" and item.data.uv_layers and item.data.materials]
    # corners come in any order: u and v each by itself, as rounding would change the order of pairs
    return materials, numpy.sort(numpy.concatenate(uvs).reshape(-1, 2), axis=0)


def main():
    failed, original = False, None
    for path in sys.argv[sys.argv.index("--") + 1:]:
        found = look(path)
        if path.endswith(".glb"):
            original = found
            continue
        same = found[0] == original[0] and found[1].shape == original[1].shape and numpy.allclose(found[1], original[1], atol=1e-5)
        images = sum(image is not None for images in found[0].values() for image in images)
        print(f"blender: {path}: {len(found[0])} materials, {images} images, {len(found[1])} UVs:",
              "as in the original" if same else f"FAILED: {found[0]} and {len(found[1])} UVs, not {original[0]} and {len(original[1])}")
        failed = failed or not same
    sys.exit(failed)


main()
