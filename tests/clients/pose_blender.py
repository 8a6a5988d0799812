"""Blender, headless: imports glTF, Collada and FBX files that move, evaluates every frame and compares the deformed vertices with FILE.pc2.

usage: blender --background --factory-startup --python pose_blender.py -- FILE...
"""
import json
import os
import struct
import sys
import xml.etree.ElementTree

import bpy
import numpy

# Debian 12's Blender imports glTF with a name that its numpy no longer has
numpy.bool = bool
TOLERANCE = 1e-4


def read_pc2(path):
    raw = open(path, "rb").read()
    points, _, _, samples = struct.unpack_from("<iffi", raw, 16)
    return numpy.frombuffer(raw, "<f4", points * samples * 3, 32).reshape(samples, points, 3)


def parts(path):
    """the JSON and the binary part of a .glb or .gltf"""
    raw = open(path, "rb").read()
    if path.endswith(".gltf"):
        gltf = json.loads(raw)
        return gltf, open(os.path.join(os.path.dirname(path), gltf["buffers"][0]["uri"]), "rb").read()
    (length,) = struct.unpack_from("<I", raw, 12)
    return json.loads(raw[20 : 20 + length]), raw[20 + length + 8 :]


def collada_times(path):
    """what the first sampler has as input"""
    root = xml.etree.ElementTree.parse(path).getroot()
    space = {"c": root.tag[1:].partition("}")[0]}
    source = root.find(".//c:sampler/c:input[@semantic='INPUT']", space).get("source")[1:]
    return numpy.array(root.find(f".//c:source[@id='{source}']/c:float_array", space).text.split(), float)


def fbx_times(item):
    """where Blender put the keys; in its frames, times begin at frame 1"""
    (curve, *_) = item.find_armature().animation_data.action.fcurves
    return numpy.array([point.co[0] for point in curve.keyframe_points]) / bpy.context.scene.render.fps


def key_times(path, item):
    if path.endswith(".dae"):
        return collada_times(path)
    if path.endswith(".fbx"):
        return fbx_times(item)
    gltf, binary = parts(path)
    accessor = gltf["accessors"][gltf["animations"][0]["samplers"][0]["input"]]
    view = gltf["bufferViews"][accessor["bufferView"]]
    return numpy.frombuffer(binary, "<f4", accessor["count"], view.get("byteOffset", 0))


def moves(item):
    return item.type == "MESH" and (item.data.shape_keys or any(m.type == "ARMATURE" for m in item.modifiers))


def load(path):
    """the mesh of a file that moves, in an empty scene"""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".dae"):
        bpy.ops.wm.collada_import(filepath=path)
    elif path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    meshes = [item for item in bpy.data.objects if moves(item)]
    if len(meshes) != 1:
        raise RuntimeError(f"{path}: {len(meshes)} meshes that move after import")
    # the Collada importer sets values of shape keys without telling the scene; importers leave sliders from 0 to 1, which cut weights beyond
    for key in meshes[0].data.shape_keys.key_blocks if meshes[0].data.shape_keys else ():
        key.slider_min, key.slider_max = -10, 10
        key.value = key.value
    return meshes[0]


def to_y_up(points):
    """Blender's Z up to ossa's Y up"""
    return numpy.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)


def places(vertices):
    out = numpy.empty(len(vertices) * 3, numpy.float32)
    vertices.foreach_get("co", out)
    return out.reshape(-1, 3)


def coordinates(mesh):
    return places(mesh.vertices)


def moves_keys(item):
    """whether an animation moves shape keys of a character: Blender has no weights of them at rest then"""
    keys = item.data.shape_keys
    return bool(keys and item.find_armature() and keys.animation_data and keys.animation_data.action)


def seen_at_rest(item):
    """vertices in the scene, with the shape keys of a character as they stand; keys without a skin are the poses"""
    points, keys = coordinates(item.data), item.data.shape_keys
    for key in keys.key_blocks[1:] if keys and item.find_armature() else ():
        points = points + key.value * (places(key.data) - places(keys.key_blocks[0].data))
    # a file of another up axis or unit keeps its own inside the mesh
    matrix = numpy.array(item.matrix_world)
    return to_y_up(points @ matrix[:3, :3].T + matrix[:3, 3])


def evaluated(item):
    result = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = numpy.array(result.matrix_world)
    points = coordinates(result.to_mesh())
    result.to_mesh_clear()
    return to_y_up(points @ matrix[:3, :3].T + matrix[:3, 3])


def match(rest, points, diagonal):
    """which vertex of ours each of Blender's is: the nearest at rest"""
    from mathutils.kdtree import KDTree

    tree = KDTree(len(rest))
    for i, point in enumerate(rest):
        tree.insert(point, i)
    tree.balance()
    found = [tree.find(point) for point in points]
    if max(item[2] for item in found) > 1e-5 * diagonal:
        raise RuntimeError("the mesh was changed by the import")
    return numpy.array([item[1] for item in found])


def seek(time):
    rate = bpy.context.scene.render.fps
    whole = int(numpy.floor(time * rate))
    bpy.context.scene.frame_set(whole, subframe=float(time * rate - whole))


def judge(path):
    expected = read_pc2(os.path.splitext(path)[0] + ".pc2")
    diagonal = numpy.linalg.norm(expected[0].max(0) - expected[0].min(0))
    item = load(path)
    armature = item.find_armature()
    what = f"{len(armature.data.bones)} bones" if armature else f"{len(item.data.shape_keys.key_blocks) - 1} shapes"
    times = key_times(path, item)
    if len(times) != len(expected) - 1:
        raise RuntimeError(f"{len(times)} keys for {len(expected) - 1} frames")
    # vertices are found at rest, or where there is none to see in the first frame
    if moves_keys(item):
        seek(times[0])
        order = match(expected[1], evaluated(item), diagonal)
    else:
        order = match(expected[0], seen_at_rest(item), diagonal)
    worst = 0.0
    for time, frame in zip(times, expected[1:]):
        seek(time)
        worst = max(worst, float(numpy.abs(evaluated(item) - frame[order]).max() / diagonal))
    good = worst <= TOLERANCE
    print(f"blender: {path}: {what}, {len(times)} frames, worst vertex {worst:.1e} of the diagonal{'' if good else ' FAILED'}")
    return good


def can_judge(path):
    """Blender fixes joints that lie at their parents' ends, and FBX cannot tell it otherwise"""
    free = os.path.basename(path) == "fbx-free-bones.fbx"
    if free:
        print(f"blender: {path}: skipped: Blender does not move joints that lie at the ends of their parents")
    return not free


results = [judge(path) for path in sys.argv[sys.argv.index("--") + 1 :] if can_judge(path)]
sys.exit(0 if all(results) else 1)
