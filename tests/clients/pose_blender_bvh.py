"""Blender, headless: imports BVH files and compares where joints are in every frame with FILE.heads ("FRAME BONE x y z").

usage: blender --background --factory-startup --python pose_blender_bvh.py -- FILE.bvh...
"""
import os
import sys

import bpy
import numpy
from io_anim_bvh import import_bvh

# Debian 12's Blender opens BVH files in a mode that its Python no longer has
import_bvh.open = lambda path, mode: open(path, mode.replace("U", ""))
TOLERANCE = 1e-4


def read_heads(path):
    """{frame: {bone: place}}"""
    frames = {}
    for line in open(path):
        frame, bone, *place = line.split()
        frames.setdefault(int(frame), {})[bone] = numpy.array([float(word) for word in place])
    return frames


def judge(path):
    expected = read_heads(os.path.splitext(path)[0] + ".heads")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=path, frame_start=1, axis_forward="-Z", axis_up="Y")
    (armature,) = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    places = numpy.array(list(expected[0].values()))
    diagonal = numpy.linalg.norm(places.max(0) - places.min(0))
    worst = 0.0 if len(armature.pose.bones) == len(expected[0]) else float("inf")
    for frame, bones in expected.items():
        bpy.context.scene.frame_set(frame + 1)
        for name, place in bones.items():
            head = armature.matrix_world @ armature.pose.bones[name].head
            # Blender's Z up to BVH's Y up
            found = numpy.array([head[0], head[2], -head[1]])
            worst = max(worst, float(numpy.abs(found - place).max() / diagonal))
    good = worst <= TOLERANCE
    print(f"blender: {path}: {len(expected[0])} joints, {len(expected)} frames, worst {worst:.1e} of the diagonal{'' if good else ' FAILED'}")
    return good


results = [judge(path) for path in sys.argv[sys.argv.index("--") + 1 :]]
sys.exit(0 if all(results) else 1)
