"""Runs a Maya script of several objects with the mock and compares what it builds with an OBJ file of the same mesh.

usage: judge_objects.py NAME.py UV-SETS COLOUR-SETS
Beside NAME.py lies NAME.obj (the mesh at rest, in metres, Y up) with an `o` for each object. In scenes of different units and axes every
object is a transform of its name whose faces have their corners where the OBJ file has them, in the same order up to the direction in which a
mirrored object's faces go round; it has so many sets of UVs, and of colours.
"""
import sys
from pathlib import Path

import numpy

import stand_in
from judge import Failure, in_scene, require, run_script


def read_objects(path):
    """name: faces, each of points"""
    points, objects, faces = [], {}, None
    for line in path.read_text().splitlines():
        word, *rest = line.split(" ")
        if word == "v":
            points.append([float(value) for value in rest[:3]])
        elif word == "o":
            faces = objects.setdefault(" ".join(rest), [])
        elif word == "f":
            faces.append([int(corner.split("/")[0]) - 1 for corner in rest])
    points = numpy.array(points)
    return {name: [points[face] for face in faces] for name, faces in objects.items()}


def check_object(scene, mesh, faces, uv_sets, color_sets):
    points, first, worst = scene.skinned(mesh), 0, 0.0
    require(mesh.sizes == [len(face) for face in faces], f"{mesh.parent.name}: faces of other sizes")
    for size, face in zip(mesh.sizes, faces):
        own, wanted = points[mesh.vertices[first:first + size]], in_scene(face, scene.up)
        other = numpy.concatenate([wanted[:1], wanted[:0:-1]])
        worst = max(worst, min(numpy.abs(own - wanted).max(), numpy.abs(own - other).max()))
        first += size
    require(worst < 1e-3, f"{mesh.parent.name}: a corner is {worst:.2g} cm away")
    require(1 + len(mesh.uv_sets) == uv_sets and mesh.uvs, f"{mesh.parent.name}: {1 + len(mesh.uv_sets)} sets of UVs")
    require(1 + len(mesh.color_sets) == color_sets and mesh.colors, f"{mesh.parent.name}: {1 + len(mesh.color_sets)} sets of colours")


def main(words):
    path, uv_sets, color_sets = Path(words[0]), int(words[1]), int(words[2])
    wanted = read_objects(path.with_suffix(".obj"))
    for scene in (stand_in.Scene(), stand_in.Scene(linear="m", angle="rad", up="z", rate=30.0)):
        run_script(path, scene)
        meshes = {node.parent.name: node for node in scene.dag if node.kind == "mesh"}
        names = {name.replace(" ", "_"): faces for name, faces in wanted.items()}
        require(sorted(meshes) == sorted(names), f"objects {sorted(meshes)}, not {sorted(names)}")
        for name, faces in names.items():
            check_object(scene, meshes[name], faces, uv_sets, color_sets)
    print(f"maya: {path.name}: {len(wanted)} objects are where they should be")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
