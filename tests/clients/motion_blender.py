"""Blender, headless: the FBX and BVH of other programs. It makes FBX files and says where their vertices are; it imports BVH files and
says where their joints are. ossa then reads the same files (make_motion read), and judge_motion.py compares.

usage: blender --background --factory-startup --python motion_blender.py -- FOLDER FILE.bvh...
"""
import json
import os
import sys

import bpy
from io_anim_bvh import import_bvh

FRAMES = range(1, 9)


def y_up(point):
    """Blender's Z up to ossa's Y up"""
    return [point[0], point[2], -point[1]]


# ---- FBX ----

def add_tube():
    """quads with polygons at the ends, two materials, UVs"""
    bpy.ops.mesh.primitive_cylinder_add(vertices=10, radius=0.4, depth=3, end_fill_type="NGON")
    tube = bpy.context.object
    tube.name = "tube"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=7)
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("red", "blue"):
        tube.data.materials.append(bpy.data.materials.new(name))
    for polygon in tube.data.polygons:
        polygon.material_index = 1 if polygon.center.z > 0.2 else 0
    return tube


def add_armature():
    """two bones with rolls, in an object that is moved, turned and scaled"""
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    armature.name = "rig"
    armature.location = (0.1, 0.2, 0.3)
    armature.rotation_euler = (0.2, 0.1, 0.4)
    armature.scale = (1.5, 1.5, 1.5)
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.data.edit_bones[0]
    lower.name, lower.head, lower.tail, lower.roll = "lower", (0, 0, -1), (0, 0.1, 0), 0.3
    upper = armature.data.edit_bones.new("upper.L")
    upper.head, upper.tail, upper.parent, upper.roll = (0, 0.1, 0), (0.1, 0, 1), lower, -0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def bind(tube, armature):
    lower, upper = tube.vertex_groups.new(name="lower"), tube.vertex_groups.new(name="upper.L")
    for vertex in tube.data.vertices:
        weight = max(0.0, min(1.0, 0.5 + 0.6 * vertex.co.z))
        for group, value in ((lower, 1 - weight), (upper, weight)):
            if value > 0:
                group.add([vertex.index], value, "REPLACE")
    tube.modifiers.new("armature", "ARMATURE").object = armature
    tube.parent = armature
    tube.matrix_parent_inverse = armature.matrix_world.inverted()


def animate(armature):
    for frame in FRAMES:
        lower, upper = armature.pose.bones["lower"], armature.pose.bones["upper.L"]
        for bone, turn in ((lower, (0.1 * frame, 0.05 * frame, 0)), (upper, (0.2 * frame, 0, -0.1 * frame))):
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = turn
            bone.keyframe_insert("rotation_euler", frame=frame)
        lower.location = (0.05 * frame, 0, 0.02 * frame)
        lower.keyframe_insert("location", frame=frame)


def add_box():
    """a rigid part beside the skin"""
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1, 0.5, 0.2))
    box = bpy.context.object
    box.name = "box"
    for frame in FRAMES:
        box.location = (1 + 0.1 * frame, 0.5, 0.2)
        box.rotation_euler = (0.3 * frame, 0, 0.1 * frame)
        box.keyframe_insert("location", frame=frame)
        box.keyframe_insert("rotation_euler", frame=frame)
    return box


def add_shape(tube):
    tube.shape_key_add(name="Basis")
    fat = tube.shape_key_add(name="fat")
    for point in fat.data:
        point.co = (point.co.x * 1.5, point.co.y * 1.5, point.co.z)
    for frame in FRAMES:
        fat.value = 0.1 * frame
        fat.keyframe_insert("value", frame=frame)


def points_of(items):
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for item in items:
        result = item.evaluated_get(graph)
        mesh = result.to_mesh()
        points += [y_up(result.matrix_world @ vertex.co) for vertex in mesh.vertices]
        result.to_mesh_clear()
    return points


def make_fbx(path, with_shape, **options):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = FRAMES[0], FRAMES[-1], 24
    tube, armature = add_tube(), add_armature()
    bind(tube, armature)
    animate(armature)
    box = add_box()
    if with_shape:
        add_shape(tube)
    frames = []
    for frame in FRAMES:
        scene.frame_set(frame)
        frames.append(points_of((tube, box)))
    scene.frame_set(FRAMES[0])
    bpy.ops.export_scene.fbx(filepath=path, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False,
                             bake_anim_simplify_factor=0, **options)
    with open(path + ".json", "w") as stream:
        json.dump(frames, stream)


# ---- BVH ----

def read_bvh(path):
    """names and, for each frame, the places of the joints"""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Debian 12's Blender opens BVH in a mode that its Python no longer has
    import_bvh.open = lambda name, mode="r", **options: open(name, mode.replace("U", ""), **options)
    bpy.ops.import_anim.bvh(filepath=path, rotate_mode="NATIVE", update_scene_fps=False)
    armature = bpy.context.object
    begin, end = armature.animation_data.action.frame_range
    frames = []
    for frame in range(int(begin), int(end) + 1):
        bpy.context.scene.frame_set(frame)
        bpy.context.view_layer.update()
        frames.append([y_up(armature.matrix_world @ bone.head) for bone in armature.pose.bones])
    with open(path + ".json", "w") as stream:
        json.dump({"names": [bone.name for bone in armature.pose.bones], "frames": frames}, stream)


folder, *motions = sys.argv[sys.argv.index("--") + 1:]
make_fbx(os.path.join(folder, "blender-plain.fbx"), False, add_leaf_bones=False)
make_fbx(os.path.join(folder, "blender-shapes.fbx"), True, add_leaf_bones=True)
make_fbx(os.path.join(folder, "blender-axes.fbx"), False, add_leaf_bones=False, axis_forward="-X", axis_up="Z",
         apply_unit_scale=False, primary_bone_axis="X", secondary_bone_axis="Y")
for motion in motions:
    read_bvh(motion)
