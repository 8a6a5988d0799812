"""Skeletons as trees and as points: how they branch, how far apart two are, how much of them is inside a surface.

In: the bones of a rig as `ossa rig -o rig.json` writes it."""
import math

import numpy as np

POINTS_PER_BONE = 20
TIP_REACH = 0.1     # of the diagonal: an end as near as that to a tip is the tip's


class Skeleton:
    def __init__(self, bones):
        self.parents = [bone["parent"] for bone in bones]
        self.joints = np.array([bone["joint"] for bone in bones], float)
        self.tails = np.array([bone["tail"] for bone in bones], float)
        self.neighbors = [set() for _ in bones]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                self.neighbors[bone].add(parent)
                self.neighbors[parent].add(bone)

    def moved(self, back):
        """the same, its points brought back by a function of N x 3"""
        copy = object.__new__(Skeleton)
        copy.__dict__ = {**self.__dict__, "joints": back(self.joints), "tails": back(self.tails)}
        return copy

    def leaves(self):
        """bones on which none hangs"""
        return sorted(set(range(len(self.parents))) - set(self.parents))

    def ends(self):
        """bones with one neighbour, the root's too"""
        return [bone for bone, near in enumerate(self.neighbors) if len(near) == 1]

    def branches(self):
        return [bone for bone, near in enumerate(self.neighbors) if len(near) > 2]

    def shape(self):
        """one text for all trees that branch alike, whatever the number of bones between branchings and where the root is"""
        near = [set(others) for others in self.neighbors]
        for bone, others in enumerate(near):
            if len(others) == 2:
                a, b = others
                near[a] = near[a] - {bone} | {b}
                near[b] = near[b] - {bone} | {a}
                near[bone] = None
        kept = [bone for bone, others in enumerate(near) if others is not None]
        return min(rooted_shape(near, center) for center in centers(near, kept))

    def points_along(self):
        """points on all bones: from parent to joint, and from the joints of ends to their tails"""
        t = np.linspace(0, 1, POINTS_PER_BONE)[:, None]
        lines = [(self.joints[parent], self.joints[bone]) for bone, parent in enumerate(self.parents) if parent >= 0]
        lines += [(self.joints[bone], self.tails[bone]) for bone in self.leaves()]
        return np.vstack([a * (1 - t) + b * t for a, b in lines])


def centers(near, kept):
    """the one or two middles of a tree, by taking its leaves away"""
    degree = {bone: len(near[bone]) for bone in kept}
    layer, left = [bone for bone in kept if degree[bone] <= 1], len(kept)
    while left > 2:
        left -= len(layer)
        following = []
        for bone in layer:
            degree[bone] = 0
            for other in near[bone]:
                if degree[other] > 0:
                    degree[other] -= 1
                    if degree[other] == 1:
                        following.append(other)
        layer = following
    return layer or kept[:1]


def rooted_shape(near, root):
    """brackets in brackets, sorted"""
    order, above = [root], {root: None}
    for bone in order:
        for other in near[bone]:
            if other != above[bone]:
                above[other] = bone
                order.append(other)
    text = {}
    for bone in reversed(order):
        text[bone] = "(" + "".join(sorted(text[other] for other in near[bone] if other != above[bone])) + ")"
    return text[root]


# ---- distances ----

def nearest(points, others):
    return np.linalg.norm(points[:, None] - others[None], axis=2).min(1)


def joint_gaps(a, b, length):
    """how far each joint is from the nearest of the other skeleton, both ways, in shares of a length"""
    return np.concatenate([nearest(a.joints, b.joints), nearest(b.joints, a.joints)]) / length


def tips_found(skeleton, tips, length):
    """how many tips have an end of their own within reach, nearest pairs first"""
    # the root has an end only where nothing else begins there: its joint
    ends = np.array([skeleton.joints[bone] if bone == 0 else skeleton.tails[bone] for bone in skeleton.ends()])
    if len(ends) == 0:
        return 0
    gaps = np.linalg.norm(np.asarray(tips, float)[:, None] - ends[None], axis=2) / length
    found = 0
    while gaps.size and gaps.min() <= TIP_REACH:
        tip, end = np.unravel_index(gaps.argmin(), gaps.shape)
        gaps[tip], gaps[:, end] = math.inf, math.inf
        found += 1
    return found


# ---- inside ----

def winding(points, surface, faces):
    """winding numbers of points (A. Van Oosterom, J. Strackee, 1983)"""
    result = []
    a0, b0, c0 = surface[faces[:, 0]], surface[faces[:, 1]], surface[faces[:, 2]]
    for point in points:
        a, b, c = a0 - point, b0 - point, c0 - point
        la, lb, lc = (np.sqrt(np.einsum("ij,ij->i", x, x)) for x in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = la * lb * lc + np.einsum("ij,ij->i", a, b) * lc + np.einsum("ij,ij->i", b, c) * la + np.einsum("ij,ij->i", c, a) * lb
        result.append(np.arctan2(top, below).sum() / (2 * np.pi))
    return np.array(result)


def share_inside(points, surface, faces):
    return float((np.abs(winding(points, surface, faces)) > 0.5).mean())


# ---- bones of two skeletons of meshes with the same vertices ----

def owned(weights):
    """for each vertex the bone of its largest weight"""
    return np.array([pairs[0][0] if pairs else -1 for pairs in weights])


def matched_bones(owner_a, owner_b):
    """pairs of bones that own most of each other's vertices, both ways"""
    count = np.zeros((owner_a.max() + 1, owner_b.max() + 1))
    known = (owner_a >= 0) & (owner_b >= 0)
    np.add.at(count, (owner_a[known], owner_b[known]), 1)
    whole = count.sum(1)[:, None] + count.sum(0)[None] - count
    overlap = count / np.maximum(whole, 1)
    best_b, best_a = overlap.argmax(1), overlap.argmax(0)
    return [(a, b) for a, b in enumerate(best_b) if best_a[b] == a and overlap[a, b] > 0]


def bone_lengths(skeleton):
    return np.linalg.norm(skeleton.tails - skeleton.joints, axis=1)
