"""Blender, headless: the shape keys of files with morph targets, by name, order and every vertex at weight 1.

usage: blender --background --factory-startup --python morphs_blender.py -- NAMES.txt SHAPES.pc2 FILE...
NAMES.txt has a line for each target; SHAPES.pc2 is the rest pose, then every target at weight 1.
"""
import os
import re
import struct
import sys

import bpy
import numpy
from mathutils.kdtree import KDTree

# Debian 12's Blender imports glTF with a name that its numpy no longer has
numpy.bool = bool
TOLERANCE = 1e-5
IMPORTERS = {".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path), ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path),
             ".dae": lambda path: bpy.ops.wm.collada_import(filepath=path)}


def read_pc2(path):
    raw = open(path, "rb").read()
    points, _, _, samples = struct.unpack_from("<iffi", raw, 16)
    return numpy.frombuffer(raw, "<f4", points * samples * 3, 32).reshape(samples, points, 3)


def evaluated(item):
    """in metres, Y up"""
    result = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix, mesh = numpy.array(result.matrix_world), result.to_mesh()
    points = numpy.empty(len(mesh.vertices) * 3, numpy.float32)
    mesh.vertices.foreach_get("co", points)
    result.to_mesh_clear()
    points = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return numpy.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def match(rest, points):
    """which vertex of ours each of Blender's is, the nearest at rest: seams of UVs divide vertices of glTF files"""
    tree = KDTree(len(rest))
    for i, point in enumerate(rest):
        tree.insert(point, i)
    tree.balance()
    return [tree.find(point)[1] for point in points]


def judge(path, names, shapes):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[os.path.splitext(path)[1]](path)
    (item,) = [item for item in bpy.data.objects if item.type == "MESH" and item.data.shape_keys]
    if item.find_armature():
        item.find_armature().data.pose_position = "REST"
    keys = list(item.data.shape_keys.key_blocks)[1:]
    # names of Collada 1.4.1 are those of XML: letters of all languages, digits that are not first, and - and .
    plain = [re.sub(r"[^\w.-]", "_", re.sub(r"^(?=[^\w]|\d)", "_", name)) for name in names]
    found = [key.name for key in keys]
    # the Collada importer sets values without telling the scene: until one is set the basis is evaluated
    for key in keys:
        key.value = key.value
    shapes = shapes[:, match(shapes[0], evaluated(item))]
    worst = float(numpy.abs(evaluated(item) - shapes[0]).max())
    for key, shape in zip(keys, shapes[1:]):
        at_rest, key.value = key.value, 1
        worst = max(worst, float(numpy.abs(evaluated(item) - shape).max()))
        key.value = at_rest
    worst /= numpy.linalg.norm(shapes[0].max(0) - shapes[0].min(0))
    good = found in (plain, names) and len(keys) == len(names) and worst <= TOLERANCE
    print(f"blender: {path}: {len(keys)} shape keys, worst vertex {worst:.1e} of the diagonal{'' if good else f' FAILED: {found}'}")
    return good


names_path, shapes_path, *paths = sys.argv[sys.argv.index("--") + 1:]
truth = open(names_path, encoding="utf-8").read().splitlines(), read_pc2(shapes_path)
results = [judge(path, *truth) for path in paths]
sys.exit(0 if all(results) else 1)
