"""Blender, headless: the mesh and the bones of a rigged GLB, weights made anew by "Armature Deform with Automatic Weights" (bone heat).

usage: blender --background --factory-startup --python bone_heat.py -- IN.glb OUT.glb
The last line that begins with "heat:" holds {"seconds": CPU, "vertices", "unweighted", "bones", "empty", "least_sum", "most_sum"}.
"""
import json
import sys
import time

import bpy
import numpy

# Debian 12's Blender imports glTF with a name that its numpy no longer has
numpy.bool = bool


def weighted(mesh, names):
    """sums of the weights of every vertex, and the bones that move any"""
    sums, used = [], set()
    for vertex in mesh.data.vertices:
        groups = [group for group in vertex.groups if mesh.vertex_groups[group.group].name in names]
        sums.append(sum(group.weight for group in groups))
        used |= {mesh.vertex_groups[group.group].name for group in groups if group.weight > 1e-6}
    return numpy.array(sums), used


def main():
    source, out = sys.argv[sys.argv.index("--") + 1 :]
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.import_scene.gltf(filepath=source)
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    mesh = next(thing for thing in bpy.data.objects if thing.type == "MESH" and thing.find_armature() == armature)
    mesh.vertex_groups.clear()
    mesh.modifiers.clear()
    at = mesh.matrix_world.copy()
    mesh.parent = None
    mesh.matrix_world = at
    bpy.ops.object.select_all(action="DESELECT")
    mesh.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    begin = time.process_time()
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    seconds = time.process_time() - begin
    names = {bone.name for bone in armature.data.bones}
    sums, used = weighted(mesh, names)
    found = {"seconds": seconds, "vertices": len(sums), "unweighted": int((sums <= 1e-6).sum()), "bones": len(names), "empty": len(names) - len(used),
             "least_sum": float(sums.min()), "most_sum": float(sums.max())}
    print("heat:", json.dumps(found))
    bpy.ops.export_scene.gltf(filepath=out, export_animations=False)


main()
