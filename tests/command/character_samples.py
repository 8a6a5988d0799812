"""Exact characters of one topology: a sample creature in other proportions, each posed by the sample's own weights."""
import json
import struct

import numpy as np


def write_pc2(path, frames):
    frames = np.asarray(frames, "<f4")
    path.write_bytes(struct.pack("<12siiffi", b"POINTCACHE2", 1, frames.shape[1], 0, 1, len(frames)) + frames.tobytes())


def read_obj(path):
    points, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return np.array(points), faces


def write_obj(path, points, faces):
    with open(path, "w") as stream:
        stream.writelines(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points)
        stream.writelines("f " + " ".join(str(corner + 1) for corner in face) + "\n" for face in faces)


def turn(axis, angle):
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


class Creature:
    """bones and weights of a rig that `ossa convert` wrote as JSON, and the mesh that they are of"""

    def __init__(self, rig, rest):
        rig = json.loads(rig.read_text())
        self.bones = rig["bones"]
        self.rest, self.faces = read_obj(rest)
        self.joints = np.array([bone["joint"] for bone in self.bones], float)
        self.weights = np.zeros((len(self.rest), len(self.bones)))
        for vertex, pairs in enumerate(rig["weights"]):
            for bone, weight in pairs:
                self.weights[vertex, bone] += weight

    def shaped(self, lengths, size=1.0, thickness=1.0):
        """(rest, joints) with each bone as many times as long as lengths(name) says"""
        joints, maps = np.zeros_like(self.joints), []
        for b, bone in enumerate(self.bones):
            along = np.array(bone["tail"], float) - self.joints[b]
            along /= max(np.linalg.norm(along), 1e-12)
            stretch = lengths(bone["name"])
            maps.append(thickness * np.eye(3) + (stretch - thickness) * np.outer(along, along))
            parent = bone["parent"]
            joints[b] = self.joints[b] if parent < 0 else joints[parent] + maps[parent] @ (self.joints[b] - self.joints[parent])
        rest = sum(self.weights[:, b, None] * ((self.rest - self.joints[b]) @ maps[b].T + joints[b]) for b in range(len(self.bones)))
        return size * rest, size * joints

    def posed(self, rest, joints, moves, frames, seed, degrees=45):
        """frames x vertices x 3: bones that moves(name) is true for turn about axes of their own"""
        random = np.random.default_rng(seed)
        own = [moves(bone["name"]) for bone in self.bones]
        made = []
        for _ in range(frames):
            turns, places = [], []
            for b, bone in enumerate(self.bones):
                local = turn(random.normal(size=3), np.radians(degrees) * random.uniform(0.2, 1)) if own[b] else np.eye(3)
                parent = bone["parent"]
                turns.append(local if parent < 0 else turns[parent] @ local)
                places.append(joints[b] if parent < 0 else places[parent] + turns[parent] @ (joints[b] - joints[parent]))
            made.append(sum(self.weights[:, b, None] * ((rest - joints[b]) @ turns[b].T + places[b]) for b in range(len(self.bones))))
        return np.array(made)
