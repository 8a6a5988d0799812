"""Compares what ossa read of FBX and BVH files (FILE.mdd, FILE.heads) with what Blender says of them (FILE.json).

usage: judge_motion.py FILE...
Vertices of FBX files are matched over all frames, because assimp numbers them in its own way; joints are matched by name.
"""
import json
import re
import struct
import sys
from pathlib import Path

import numpy

TOLERANCE = 1e-4


def size_of(points):
    return numpy.linalg.norm(points.max((0, 1)) - points.min((0, 1)))


def judge_mesh(path):
    wanted = numpy.array(json.loads(Path(path + ".json").read_text()))
    raw = Path(path + ".mdd").read_bytes()
    frames, points = struct.unpack_from(">ii", raw)
    own = numpy.frombuffer(raw, ">f4", frames * points * 3, 8 + 4 * frames).reshape(frames, points, 3)
    if own.shape != wanted.shape:
        return f"{own.shape[0]} frames of {own.shape[1]} vertices, Blender has {wanted.shape[0]} of {wanted.shape[1]}", numpy.inf
    worst = max(numpy.abs(own - wanted[:, v, None]).max((0, 2)).min() for v in range(points))
    worst = max(worst, max(numpy.abs(own[:, v, None] - wanted).max((0, 2)).min() for v in range(points)))
    return f"{points} vertices, {frames} frames, worst vertex", worst / size_of(wanted)


def judge_skeleton(path):
    wanted = json.loads(Path(path + ".json").read_text())
    names, *lines = Path(path + ".heads").read_text().splitlines()
    names = names.split()
    own = numpy.array([[float(word) for word in line.split()[1:]] for line in lines]).reshape(len(lines), -1, 3)
    order = [names.index(re.sub(r"[^A-Za-z0-9_-]", "_", name)) for name in wanted["names"]]
    heads = numpy.array(wanted["frames"])
    if len(own) != len(heads):
        return f"{len(own)} frames, Blender has {len(heads)}", numpy.inf
    return f"{len(order)} joints, {len(own)} frames, worst joint", numpy.abs(own[:, order] - heads).max() / size_of(heads)


failed = 0
for word in sys.argv[1:]:
    what, worst = (judge_skeleton if word.endswith(".bvh") else judge_mesh)(word)
    failed += not worst <= TOLERANCE
    print(f"read: {word}: {what} {worst:.1e} of the diagonal{'' if worst <= TOLERANCE else ' FAILED'}")
sys.exit(1 if failed else 0)
