"""Harder cases of a character with a known skeleton: fewer frames, noise, another mesh of the same shape, another number of bones.

In: a rest mesh, its frames (.obj) and truth. Out: a folder with rest.obj, frames.pc2 (a cache) and the truth that goes with it."""
import json
import math
import random
import struct

NOISE = 0.002  # of the diagonal, RMS
PIECES = 6


def read_obj(path):
    points, faces = [], []
    with open(path) as stream:
        for line in stream:
            if line.startswith("v "):
                points.append(tuple(float(x) for x in line.split()[1:4]))
            elif line.startswith("f "):
                corners = [int(word.split("/")[0]) - 1 for word in line.split()[1:]]
                faces += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
    return points, faces


def middle(points, indices):
    return tuple(sum(points[i][axis] for i in indices) / len(indices) for axis in range(3))


def subdivided(faces, all_points):
    """every face cut into four at the middles of its edges"""
    edges = sorted({tuple(sorted((face[i], face[i - 1]))) for face in faces for i in range(3)})
    number = {edge: len(all_points[0]) + i for i, edge in enumerate(edges)}
    cut = []
    for a, b, c in faces:
        x, y, z = (number[tuple(sorted(edge))] for edge in ((a, b), (b, c), (c, a)))
        cut += [(a, x, z), (x, b, y), (z, y, c), (x, y, z)]
    return cut, [points + [middle(points, edge) for edge in edges] for points in all_points]


def permuted(faces, all_points, chance):
    order = list(range(len(all_points[0])))
    chance.shuffle(order)
    number = {old: new for new, old in enumerate(order)}
    moved = [tuple(number[corner] for corner in face) for face in faces]
    chance.shuffle(moved)
    return moved, [[points[old] for old in order] for points in all_points]


def split(faces, all_points, chance):
    """cut into pieces that share no vertex, as seams of texture and separate parts do: faces go to the nearest of a few"""
    centers = [middle(all_points[0], face) for face in faces]
    seeds = chance.sample(centers, min(PIECES, len(centers)))
    number, source, cut = {}, [], []
    for face, center in zip(faces, centers):
        piece = min(range(len(seeds)), key=lambda i: math.dist(center, seeds[i]))
        for corner in face:
            if (piece, corner) not in number:
                number[piece, corner] = len(source)
                source.append(corner)
        cut.append(tuple(number[piece, corner] for corner in face))
    return cut, [[points[old] for old in source] for points in all_points]


def shaken(all_points, chance):
    low, high = ([f(p[axis] for p in all_points[0]) for axis in range(3)] for f in (min, max))
    size = NOISE * math.dist(low, high) / math.sqrt(3)
    return all_points[:1] + [[tuple(x + chance.gauss(0, size) for x in p) for p in points] for points in all_points[1:]]


def same(faces, all_points, _):
    return faces, all_points


# name -> which frames, what becomes of the mesh, bones as a share of the true number
VARIANTS = {
    "as it is": (slice(None), same, 1),
    "every third frame": (slice(None, None, 3), same, 1),
    "the first half": ("half", same, 1),
    "0.2 % noise": (slice(None), lambda faces, points, chance: (faces, shaken(points, chance)), 1),
    "vertices shuffled": (slice(None), permuted, 1),
    "subdivided": (slice(None), lambda faces, points, _: subdivided(faces, points), 1),
    "cut into pieces": (slice(None), split, 1),
    "bones + 20 %": (slice(None), same, 1.2),
    "bones - 20 %": (slice(None), same, 0.8),
}


def write(folder, faces, all_points):
    rest, *frames = all_points
    lines = ["v %.9g %.9g %.9g" % point for point in rest] + ["f %d %d %d" % tuple(i + 1 for i in face) for face in faces]
    (folder / "rest.obj").write_text("\n".join(lines) + "\n")
    cache = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(rest), 0, 1, len(frames))
    for points in frames:
        cache += struct.pack(f"<{3 * len(points)}f", *(x for point in points for x in point))
    (folder / "frames.pc2").write_bytes(cache)


def make(name, folder, rest, poses, truth_path):
    """the rest mesh, the frames, the truth and the share of the true number of bones"""
    which, change, share = VARIANTS[name]
    truth = json.loads(truth_path.read_text())
    if which == "half":
        which = slice((len(poses) + 1) // 2)
    points, faces = read_obj(rest)
    faces, all_points = change(faces, [points] + [read_obj(pose)[0] for pose in list(poses)[which]], random.Random(7))
    truth["joint_world_positions"] = truth["joint_world_positions"][which]
    folder.mkdir(parents=True)
    write(folder, faces, all_points)
    return folder / "rest.obj", folder / "frames.pc2", truth, share
