"""Blender, headless: a scene of three objects, still and skinned, through ossa into every format that Blender reads, and back into Blender.

usage: blender --background --factory-startup --python objects_blender.py -- OSSA FOLDER
Blender makes the scenes: objects that are moved, turned, stretched and mirrored, with up to three UV maps, two colour attributes, shape keys, two
materials that share one. Compared are the names of objects, their materials, shape keys and UV maps, how many UV maps and colours they have and the
mean of each, their origins and sizes, and every vertex at rest and in a pose.
"""
import math
import os
import subprocess
import sys

import bpy
import numpy
from mathutils import Euler

# Debian 12's Blender imports glTF with a name that its numpy no longer has
numpy.bool = bool
IMPORTERS = {".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path), ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path),
             ".dae": lambda path: bpy.ops.wm.collada_import(filepath=path)}
POSE = 20


def add_object(name, place, turn, scale, number):
    bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=0.3, depth=1, location=place, rotation=turn)
    item = bpy.context.object
    item.name, item.scale, mesh = name, scale, item.data
    while mesh.uv_layers:
        mesh.uv_layers.remove(mesh.uv_layers[0])
    for k in range(3 if number < 2 else 2):
        layer = mesh.uv_layers.new(name=f"Set{k}")
        for i, loop in enumerate(layer.data):
            loop.uv = ((i * 7 + k * 3 + number) % 11 / 11, (i * 5 + k) % 13 / 13)
    for k in range(2):
        for i, value in enumerate(mesh.color_attributes.new(name=f"Tint{k}", type="FLOAT_COLOR", domain="POINT").data):
            value.color = (i % 5 / 5, k * 0.5, 0.25, 1)
    mesh.materials.append(bpy.data.materials.get("shared") or bpy.data.materials.new("shared"))
    mesh.materials.append(bpy.data.materials.new(name + "_own"))
    for polygon in mesh.polygons[:4]:
        polygon.material_index = 1
    item.shape_key_add(name="Basis")
    key = item.shape_key_add(name=f"bulge{number % 2}")
    for i in range(0, len(key.data), 2):
        key.data[i].co *= 1.3
    return item


def add_skin(items):
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    root = armature.data.edit_bones[0]
    root.name, root.head, root.tail = "root", (0, 0, 0), (0, 0, 1)
    side = armature.data.edit_bones.new("side")
    side.head, side.tail, side.parent = (0, 0, 1), (1, 0, 1.2), root
    bpy.ops.object.mode_set(mode="OBJECT")
    for item in items:
        item.parent = armature
        item.modifiers.new("skin", "ARMATURE").object = armature
        groups = [item.vertex_groups.new(name=name) for name in ("root", "side")]
        for i in range(len(item.data.vertices)):
            for group, weight in zip(groups, (1 - i % 4 / 4, i % 4 / 4)):
                group.add([i], weight, "REPLACE")
    bone = armature.pose.bones["side"]
    bone.rotation_mode = "QUATERNION"
    # both still for some frames: programs begin to count at 0 or 1
    for frame, angle in ((0, 0), (2, 0), (POSE - 2, 0.9), (POSE + 2, 0.9)):
        bone.rotation_quaternion = Euler((angle, 0, angle / 2)).to_quaternion()
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, POSE + 2


def make(path, is_skinned):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    items = [add_object("Body", (0, 0, 1), (0, 0, 0), (1, 1, 1), 0), add_object("Wheel Left", (2, 0.5, 1), (0.3, 0.4, 0.5), (1, 2, 0.5), 1),
             add_object("Mirror", (-2, 0, 1), (0, 0.3, 0), (-1, 1, 1), 2)]
    if is_skinned:
        add_skin(items)
    if path.endswith(".glb"):
        bpy.ops.export_scene.gltf(filepath=path)
    else:
        bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False)


def points_of(item, frame):
    bpy.context.scene.frame_set(frame)
    result = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return numpy.array([result.matrix_world @ vertex.co for vertex in result.to_mesh().vertices])


def describe(item):
    mesh = item.data
    return {"materials": sorted(material.name for material in mesh.materials),
            "keys": [key.name for key in mesh.shape_keys.key_blocks] if mesh.shape_keys else [],
            "sets": [layer.name for layer in mesh.uv_layers],
            "uvs": [numpy.array([loop.uv for loop in layer.data]) for layer in mesh.uv_layers],
            "colors": [numpy.array([value.color for value in layer.data]) for layer in mesh.color_attributes],
            "faces": len(mesh.polygons), "origin": numpy.array(item.matrix_world.translation),
            "rest": points_of(item, 0), "pose": points_of(item, POSE)}


def read(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[os.path.splitext(path)[1]](path)
    # what Blender's importer adds to show bones
    return {item.name: describe(item) for item in bpy.data.objects if item.type == "MESH" and item.name != "Icosphere"}


def distance(a, b):
    table = numpy.linalg.norm(a[:, None] - b[None], axis=2)
    return max(table.min(0).max(), table.min(1).max())


def same_values(a, b, tolerance):
    """the same set of values: corners are in another order, and divided where faces are"""
    return len(a) == len(b) and all(distance(numpy.unique(x, axis=0), numpy.unique(y, axis=0)) < tolerance for x, y in zip(a, b))


def compare(truth, found, has_places, has_set_names):
    """what is wrong, or nothing"""
    wrong = [] if sorted(truth) == sorted(found) else [f"objects {sorted(found)}"]
    for name in set(truth) & set(found):
        a, b = truth[name], found[name]
        if has_places and numpy.abs(a["origin"] - b["origin"]).max() > 1e-4:
            wrong.append(f"{name}: its origin is {b['origin']}")
        wrong += [f"{name}: {key} {b[key]}" for key in ("materials", "keys", "sets")[:3 if has_set_names else 2] if a[key] != b[key]]
        wrong += [f"{name}: {key}" for key, near in (("uvs", 1e-4), ("colors", 5e-3)) if not same_values(a[key], b[key], near)]
        wrong += [f"{name}: vertices are {distance(a[key], b[key]):.1e} away ({key})" for key in ("rest", "pose") if distance(a[key], b[key]) > 1e-3]
    return wrong


ossa, folder = sys.argv[sys.argv.index("--") + 1:]
good = True
for is_skinned in (False, True):
    for source in (".glb", ".fbx"):
        path = os.path.join(folder, f"{'skin' if is_skinned else 'still'}-{source[1:]}{source}")
        make(path, is_skinned)
        truth, last = read(path), path
        # each from the one before: what a format loses, the next cannot have
        for ending in (".fbx", ".dae", ".fbx", ".glb"):
            written = f"{last[:-4]}_{ending[1:]}{ending}"
            subprocess.run([ossa, "convert", "--quiet", last, written], check=True)
            # in glTF skins have no places; Blender writes one set of colours there
            # and sets of UVs have no names; Blender's own names them otherwise in Collada
            wrong = compare(truth, read(written), not is_skinned or (ending != ".glb" and source == ".fbx"),
                            source == ".fbx" and ending == ".fbx")
            print(f"blender: {written}: {len(truth)} objects{' FAILED: ' + '; '.join(wrong) if wrong else ''}")
            good, last = good and not wrong, written
sys.exit(0 if good else 1)
