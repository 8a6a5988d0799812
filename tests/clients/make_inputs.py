"""Blender, headless: makes animated characters, writes them in every format that it can, and what it says itself of their vertices
and bones in every frame, so that ossa's readers can be judged by files that others made (read_inputs.c).

usage: blender --background --factory-startup --python make_inputs.py -- FOLDER

For each scene NAME.truth.json: Y up, metres: "frames": vertices of every frame; "bones": name, parent, head in every frame; "files":
what to read and how.
"""
import json
import math
import pathlib
import sys

import addon_utils
import bpy
import numpy
from mathutils import Euler, Vector

# Debian 12's Blender exports glTF with a name that its numpy no longer has
numpy.bool = bool
FRAMES = 8
RINGS, SIDES, HEIGHT = 17, 12, 2.0
# name, parent, head, tail: names that other programs have to change, a bone that is not where its parent ends
BONES = [
    ("hip bone", None, (0, 0, 0), (0, 0, 0.5)),
    ("spine.001", "hip bone", (0, 0, 0.5), (0, 0, 1.0)),
    ("spine.002", "spine.001", (0, 0, 1.0), (0, 0, 1.5)),
    ("head", "spine.002", (0, 0, 1.5), (0, 0.1, 2.0)),
    ("wing.L", "spine.001", (0.3, 0, 0.8), (0.9, 0.2, 0.9)),
]


def tube():
    """vertices and faces of a tube along z, and of a wing beside it"""
    points = [(0.3 * math.cos(2 * math.pi * s / SIDES), 0.3 * math.sin(2 * math.pi * s / SIDES), HEIGHT * r / (RINGS - 1))
              for r in range(RINGS) for s in range(SIDES)]
    faces = [(r * SIDES + s, r * SIDES + (s + 1) % SIDES, (r + 1) * SIDES + (s + 1) % SIDES, (r + 1) * SIDES + s)
             for r in range(RINGS - 1) for s in range(SIDES)]
    faces += [tuple(reversed(range(SIDES))), tuple(range((RINGS - 1) * SIDES, RINGS * SIDES))]
    first = len(points)
    points += [(0.35 + 0.15 * i, 0.05 * i + 0.1 * side, 0.8 + 0.02 * i + 0.05 * top)
               for i in range(4) for side in (-1, 1) for top in (0, 1)]
    for i in range(3):
        a, b = first + 4 * i, first + 4 * (i + 1)
        faces += [(a, b, b + 1, a + 1), (a + 2, a + 3, b + 3, b + 2), (a, a + 2, b + 2, b), (a + 1, b + 1, b + 3, a + 3)]
    faces += [(first, first + 1, first + 3, first + 2), (first + 12, first + 14, first + 15, first + 13)]
    return points, faces, first


def make_mesh(name):
    points, faces, wing = tube()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    layer = mesh.uv_layers.new()
    for corner in mesh.loops:
        point = mesh.vertices[corner.vertex_index].co
        layer.data[corner.index].uv = (0.5 + math.atan2(point.y, point.x) / (2 * math.pi), point.z / HEIGHT)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(item)
    return item, wing


def weights_of(index, point, wing):
    """blends over the length of a quarter bone on both sides of every joint"""
    if index >= wing:
        share = min(1.0, (point.x - 0.3) / 0.3)
        return {"wing.L": share, "spine.001": 1 - share}
    place = point.z / 0.5
    bones = ["hip bone", "spine.001", "spine.002", "head"]
    raw = {bone: max(0.0, 1 - abs(place - i - 0.5) / 0.9) for i, bone in enumerate(bones)}
    whole = sum(raw.values())
    return {bone: value / whole for bone, value in raw.items() if value > 0}


def make_armature(name):
    data = bpy.data.armatures.new(name)
    item = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, parent, head, tail in BONES:
        edit = data.edit_bones.new(bone)
        edit.head, edit.tail = head, tail
        if parent:
            edit.parent = data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return item


def bind(item, wing, armature):
    groups = {bone: item.vertex_groups.new(name=bone) for bone, *_ in BONES}
    for vertex in item.data.vertices:
        for bone, value in weights_of(vertex.index, vertex.co, wing).items():
            groups[bone].add([vertex.index], value, "REPLACE")
    item.modifiers.new("Armature", "ARMATURE").object = armature
    item.parent = armature


def animate_bones(armature):
    """every bone turns about all its axes, the first one also moves"""
    for frame in range(1, FRAMES + 1):
        phase = 2 * math.pi * (frame - 1) / FRAMES
        for i, bone in enumerate(armature.pose.bones):
            bone.rotation_mode = "QUATERNION"
            angles = [0.5 * math.sin(phase + i), 0.7 * math.sin(2 * phase + 0.5 * i), 0.4 * math.cos(phase - i) - 0.4 * math.cos(-i)]
            bone.rotation_quaternion = Euler(angles).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        root = armature.pose.bones[0]
        root.location = (0.2 * math.sin(phase), 0.1 * phase, 0.3 * math.cos(phase))
        root.keyframe_insert("location", frame=frame)
    straighten(armature.animation_data.action)


def straighten(action):
    for curve in action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def animate_shapes(item):
    item.shape_key_add(name="Basis")
    bend, swell = item.shape_key_add(name="bend"), item.shape_key_add(name="swell")
    for i, vertex in enumerate(item.data.vertices):
        point = vertex.co
        bend.data[i].co = point + Vector((0.4 * point.z * point.z, 0, -0.1 * point.z))
        swell.data[i].co = point + 0.5 * math.sin(math.pi * point.z / HEIGHT) * Vector((point.x, point.y, 0))
    for frame in range(1, FRAMES + 1):
        phase = 2 * math.pi * (frame - 1) / FRAMES
        bend.value, swell.value = 0.5 + 0.5 * math.sin(phase), 0.5 + 0.5 * math.cos(2 * phase)
        bend.keyframe_insert("value", frame=frame)
        swell.keyframe_insert("value", frame=frame)
    straighten(item.data.shape_keys.animation_data.action)


# ---- the truth ----


def to_y_up(point):
    return [point[0], point[2], -point[1]]


def evaluated(item):
    result = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = numpy.array(result.matrix_world)
    mesh = result.to_mesh()
    points = numpy.empty(len(mesh.vertices) * 3, numpy.float32)
    mesh.vertices.foreach_get("co", points)
    result.to_mesh_clear()
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def record(item, armature):
    frames, heads = [], {bone.name: [] for bone in armature.pose.bones} if armature else {}
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        frames.append([to_y_up(point) for point in evaluated(item).tolist()])
        if armature:
            moved = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            for bone in moved.pose.bones:
                heads[bone.name].append(to_y_up(list(moved.matrix_world @ bone.head)))
    bones = [{"name": bone, "parent": parent, "heads": heads[bone]} for bone, parent, *_ in BONES] if armature else []
    return {"frames": frames, "bones": bones}


# ---- the files ----


def write_files(folder, name, item, armature):
    """the formats, and how ossa is to read each"""
    files = []

    def add(ending, kind, **how):
        files.append({"path": f"{name}{ending}", "kind": kind, "up": how.get("up", 0), "unit": how.get("unit", 0)})
        return str(folder / f"{name}{ending}")

    bpy.context.scene.frame_set(1)
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.objects.active = item
    bpy.ops.export_scene.gltf(filepath=add(".glb", "scene"), export_format="GLB", export_force_sampling=True)
    bpy.ops.export_scene.gltf(filepath=add(".gltf", "scene"), export_format="GLTF_SEPARATE", export_force_sampling=True)
    bpy.ops.export_shape.mdd(filepath=add(".mdd", "cache", up=2), frame_start=1, frame_end=FRAMES, fps=24)
    bpy.ops.export_shape.pc2(filepath=add(".pc2", "cache"), world_space=True, rot_x90=True, range_start=1, range_end=FRAMES, sampling="1")
    bpy.ops.wm.obj_export(filepath=add("_#.obj", "sequence").replace("#", ""), export_animation=True, start_frame=1, end_frame=FRAMES,
                          export_materials=False)
    bpy.ops.export_scene.fbx(filepath=add(".fbx", "scene"), add_leaf_bones=False, bake_anim_use_nla_strips=False,
                             bake_anim_use_all_actions=False, bake_anim_simplify_factor=0)
    if armature:
        # of an armature that was moved Blender writes inverse bind matrices of the world but vertices of the armature, and does not
        # read its own file back as it was: there only the joints are to be judged. Its BVH is in the armature's own space.
        is_moved = armature.location.length > 0
        bpy.ops.wm.collada_export(filepath=add(".dae", "motion" if is_moved else "scene"), include_animations=True,
                                  export_animation_type_selection="sample", sampling_rate=1, export_global_forward_selection="Y",
                                  export_global_up_selection="Z")
        bpy.context.view_layer.objects.active = armature
        if not is_moved:
            bpy.ops.export_anim.bvh(filepath=add(".bvh", "motion", up=2), frame_start=1, frame_end=FRAMES, rotate_mode="NATIVE")
    return files


def make_scene(folder, name, place=None, shapes=False):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for addon in ("io_scene_gltf2", "io_scene_fbx", "io_shape_mdd", "io_export_pc2", "io_anim_bvh"):
        addon_utils.enable(addon)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end, bpy.context.scene.render.fps = 1, FRAMES, 24
    item, wing = make_mesh(name)
    armature = None
    if shapes:
        animate_shapes(item)
    else:
        armature = make_armature("rig")
        bind(item, wing, armature)
        animate_bones(armature)
    if place:
        place(armature or item)
    truth = record(item, armature)
    truth["files"] = write_files(folder, name, item, armature)
    (folder / f"{name}.truth.json").write_text(json.dumps(truth))


def moved(item):
    item.location, item.rotation_euler, item.scale = (3, -2, 1), (0.3, 0.2, 1.1), (1.7, 1.7, 1.7)


FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
make_scene(FOLDER, "bent")
make_scene(FOLDER, "moved", place=moved)
make_scene(FOLDER, "shapes", shapes=True)
make_scene(FOLDER, "shapes-moved", place=moved, shapes=True)
