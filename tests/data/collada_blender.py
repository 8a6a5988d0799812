"""Makes the Collada files of tests/import/collada/test_collada_in.c with Blender and writes down where Blender itself has their vertices.

usage: blender -b --python collada_blender.py -- FOLDER      (made with Blender 3.4.1)

FOLDER/NAME.dae and FOLDER/NAME.txt: frames and vertices, then for each frame its time and x y z of all vertices, Y up.
"""
import math
import sys

import bpy

FOLDER = sys.argv[sys.argv.index("--") + 1]
FRAMES = 5


def begin():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, FRAMES


def prism():
    """five rings of three vertices along z"""
    vertices = [(0.4 * math.cos(2.1 * k), 0.4 * math.sin(2.1 * k), 0.75 * ring) for ring in range(5) for k in range(3)]
    faces = [(3 * r + k, 3 * r + (k + 1) % 3, 3 * r + 3 + (k + 1) % 3, 3 * r + 3 + k) for r in range(4) for k in range(3)]
    mesh = bpy.data.meshes.new("Prism")
    mesh.from_pydata(vertices, [], faces + [(2, 1, 0), (12, 13, 14)])
    mesh.materials.append(bpy.data.materials.new("Skin"))
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.collection.objects.link(body)
    return body


def armature(body):
    """two bones, the second rolled; weights blend over one ring"""
    skeleton = bpy.data.objects.new("Armature", bpy.data.armatures.new("Skeleton"))
    bpy.context.collection.objects.link(skeleton)
    bpy.context.view_layer.objects.active = skeleton
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for i in range(2):
        bone = skeleton.data.edit_bones.new(f"bone.{i}")
        bone.head, bone.tail, bone.roll, bone.parent = (0, 0, 1.5 * i), (0.2 * i, 0, 1.5 * (i + 1)), 0.4 * i, above
        above = bone
        body.vertex_groups.new(name=bone.name)
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in body.data.vertices:
        share = min(max(vertex.co.z / 1.5 - 0.5, 0), 1)
        for i, weight in enumerate((1 - share, share)):
            if weight > 0:
                body.vertex_groups[i].add([vertex.index], weight, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = skeleton
    body.parent = skeleton
    for frame in range(1, FRAMES + 1):
        for i, bone in enumerate(skeleton.pose.bones):
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (0.2 * frame, 0.3 * i * frame, 0.1 * frame - 0.3)
            bone.keyframe_insert("rotation_euler", frame=frame)
        skeleton.pose.bones[0].location = (0.1 * frame, 0, -0.2 * frame)
        skeleton.pose.bones[0].keyframe_insert("location", frame=frame)


def shape_keys(body):
    body.shape_key_add(name="Basis")
    wide, tall = body.shape_key_add(name="Wide"), body.shape_key_add(name="Tall")
    for i, vertex in enumerate(body.data.vertices):
        wide.data[i].co = (2 * vertex.co.x, 2 * vertex.co.y, vertex.co.z)
        tall.data[i].co.z = vertex.co.z ** 2
    wide.value, tall.value = 0.75, 0.25


def finish(name, objects):
    scene = bpy.context.scene
    lines = []
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        points = []
        for one in objects:
            evaluated = one.evaluated_get(graph)
            points += [evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices]
        lines.append(" ".join([f"{frame / 24:.7g}"] + [f"{p.x:.7g} {p.z:.7g} {-p.y:.7g}" for p in points]))
    with open(f"{FOLDER}/{name}.txt", "w") as stream:
        stream.write(f"{FRAMES} {len(points)}\n" + "\n".join(lines) + "\n")
    scene.frame_set(1)
    bpy.ops.wm.collada_export(filepath=f"{FOLDER}/{name}.dae", include_animations=True, include_shapekeys=True, triangulate=False)


begin()
prism_body = prism()
armature(prism_body)
finish("blender_skin", [prism_body])

begin()
prism_body = prism()
shape_keys(prism_body)
armature(prism_body)
finish("blender_shapes", [prism_body])

begin()
bpy.ops.mesh.primitive_cube_add()
box = bpy.context.object
child = bpy.data.objects.new("Child", box.data)
bpy.context.collection.objects.link(child)
child.parent, child.location, child.scale = box, (3, 0, 0), (1, 2, 0.5)
for key in range(1, FRAMES + 1):
    box.rotation_euler, box.location = (0.2 * key, 0.1 * key, 0.3 * key), (key, 0, 0.1 * key)
    box.keyframe_insert("rotation_euler", frame=key)
    box.keyframe_insert("location", frame=key)
finish("blender_parts", [box, child])
