"""Static shapes and what is done to them: the same shape at other resolutions, noisy, turned, scaled, shuffled, and spoilt.

Points are V x 3, faces F x 3 arrays (numpy). What is random comes from a fixed seed."""
import heapq

import numpy as np


# ---- files ----

def read_obj(path):
    points, faces = [], []
    with open(path) as stream:
        for line in stream:
            if line.startswith("v "):
                points.append([float(x) for x in line.split()[1:4]])
            elif line.startswith("f "):
                corners = [int(word.split("/")[0]) for word in line.split()[1:]]
                corners = [i - 1 if i > 0 else len(points) + i for i in corners]
                faces += [[corners[0], corners[i], corners[i + 1]] for i in range(1, len(corners) - 1)]
    return np.array(points, float).reshape(-1, 3), np.array(faces, int).reshape(-1, 3)


def write_obj(path, points, faces):
    lines = ["v %.9g %.9g %.9g" % tuple(point) for point in points.tolist()]
    lines += ["f %d %d %d" % (a + 1, b + 1, c + 1) for a, b, c in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")


def diagonal(points):
    return float(np.linalg.norm(points.max(0) - points.min(0)))


# ---- resolutions ----

def subdivided(points, faces):
    """every face cut into four at the middles of its edges: the surface stays where it is"""
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    unique, number = np.unique(edges, axis=0, return_inverse=True)
    x, y, z = (number.reshape(-1, 3) + len(points)).T
    a, b, c = faces.T
    cut = np.stack([a, x, z, x, b, y, z, y, c, x, y, z], 1).reshape(-1, 3)
    return np.vstack([points, points[unique].mean(1)]), cut


def plane_quadrics(points, faces):
    """for every vertex the sum of its faces' planes as 4 x 4 matrices (M. Garland, P. Heckbert, 1997)"""
    corner = points[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    area = np.linalg.norm(normal, axis=1)
    normal /= np.maximum(area, 1e-30)[:, None]
    plane = np.concatenate([normal, -(normal * corner[:, 0]).sum(1, keepdims=True)], 1)
    quadrics = np.zeros((len(points), 4, 4))
    for k in range(3):
        np.add.at(quadrics, faces[:, k], area[:, None, None] * plane[:, :, None] * plane[:, None, :])
    return quadrics


class Decimation:
    """collapses edges to their middle, cheapest first, where the surface stays a surface and no face turns over"""

    def __init__(self, points, faces):
        self.points, self.faces = points.copy(), [tuple(face) for face in faces.tolist()]
        self.around = [set() for _ in points]
        for index, face in enumerate(self.faces):
            for corner in face:
                self.around[corner].add(index)
        self.quadrics, self.count = plane_quadrics(points, faces), len(faces)
        self.version = [0] * len(points)
        self.queue = []
        # a little of the length counts, as an area: flat regions end even, not in needles
        self.even = 1e-3
        for a, b in {tuple(sorted((face[i], face[i - 1]))) for face in self.faces for i in range(3)}:
            self.push(a, b)

    def push(self, a, b):
        middle = (self.points[a] + self.points[b]) / 2
        at, way = np.append(middle, 1), self.points[a] - self.points[b]
        cost = at @ (self.quadrics[a] + self.quadrics[b]) @ at + self.even * (way @ way) ** 2
        heapq.heappush(self.queue, (float(cost), a, b, self.version[a], self.version[b]))

    def neighbors(self, vertex):
        return {corner for face in self.around[vertex] for corner in self.faces[face]} - {vertex}

    def allowed(self, a, b, middle):
        shared = self.around[a] & self.around[b]
        if len(shared) != 2 or len(self.neighbors(a) & self.neighbors(b)) != 2:
            return False
        for vertex in (a, b):
            for face in self.around[vertex] - shared:
                old = self.points[list(self.faces[face])]
                new = np.array([middle if corner == vertex else self.points[corner] for corner in self.faces[face]])
                before, after = np.cross(old[1] - old[0], old[2] - old[0]), np.cross(new[1] - new[0], new[2] - new[0])
                if before @ after <= 0.2 * np.linalg.norm(before) * np.linalg.norm(after):
                    return False
        return True

    def collapse(self, a, b, middle):
        for face in self.around[a] & self.around[b]:
            for corner in self.faces[face]:
                self.around[corner].discard(face)
            self.faces[face] = None
            self.count -= 1
        for face in self.around[b]:
            self.faces[face] = tuple(a if corner == b else corner for corner in self.faces[face])
        self.around[a] |= self.around[b]
        self.around[b] = set()
        self.points[a] = middle
        self.quadrics[a] += self.quadrics[b]
        self.version[a] += 1
        self.version[b] += 1
        for other in self.neighbors(a):
            self.push(a, other)

    def run(self, wanted):
        while self.count > wanted and self.queue:
            _, a, b, version_a, version_b = heapq.heappop(self.queue)
            if (version_a, version_b) != (self.version[a], self.version[b]):
                continue
            middle = (self.points[a] + self.points[b]) / 2
            if self.allowed(a, b, middle):
                self.collapse(a, b, middle)
        return without_unused(self.points, np.array([face for face in self.faces if face]))


def decimated(points, faces, wanted):
    return Decimation(points, faces).run(wanted)


def without_unused(points, faces):
    used = np.unique(faces)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    return points[used], number[faces]


def with_faces(points, faces, wanted):
    """about as many faces: cut into four as long as that comes nearer, or collapsed"""
    if wanted < 0.8 * len(faces):
        return decimated(points, faces, wanted)
    while 2 * len(faces) < wanted:
        points, faces = subdivided(points, faces)
    return points, faces


# ---- the same shape ----

def noisy(points, share, seed=7):
    """normal noise of `share` of the diagonal in all (RMS of its length)"""
    sizes = np.random.default_rng(seed).normal(0, share * diagonal(points) / 3 ** 0.5, points.shape)
    return points + sizes


ROTATION = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def permuted(points, faces, seed=7):
    random = np.random.default_rng(seed)
    order = random.permutation(len(points))
    number = np.empty(len(points), int)
    number[order] = np.arange(len(points))
    return points[order], number[faces][random.permutation(len(faces))]


# name -> the changed shape, and how its points are brought back to where they were
SAME = {
    "noise 0.5 %": (lambda p, f: (noisy(p, 0.005), f), lambda q: q),
    "turned": (lambda p, f: (p @ ROTATION.T, f), lambda q: q @ ROTATION),
    "x 0.001": (lambda p, f: (p * 0.001, f), lambda q: q * 1000),
    "x 1000": (lambda p, f: (p * 1000, f), lambda q: q * 0.001),
    "shuffled": (permuted, lambda q: q),
}


# ---- spoilt ----

def nearest_faces(points, faces, count, to):
    return np.argsort(np.linalg.norm(points[faces].mean(1) - to, axis=1))[:count]


def box_at(center, size):
    """the points and faces of a cube"""
    corner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return center + size / 2 * corner, np.array(faces)


def joined(points, faces, more_points, more_faces):
    return np.vstack([points, more_points]), np.vstack([faces, more_faces + len(points)])


def with_fin(points, faces):
    """a triangle on each of some edges, standing off: three faces meet there"""
    normal = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    chosen = faces[:: max(1, len(faces) // 40)]
    up = normal[:: max(1, len(faces) // 40)]
    up = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-30) * 0.03 * diagonal(points)
    tips = points[chosen[:, 0]] + up
    fins = np.stack([chosen[:, 0], chosen[:, 1], len(points) + np.arange(len(chosen))], 1)
    return np.vstack([points, tips]), np.vstack([faces, fins])


def without_some(points, faces):
    keep = np.random.default_rng(7).random(len(faces)) > 0.03
    return points, faces[keep]


def cut_along_a_plane(points, faces):
    """vertices doubled where faces on both sides of the middle meet: a seam of texture"""
    right = points[faces].mean(1)[:, 0] > np.median(points[:, 0])
    number = np.arange(len(points))
    shared = np.intersect1d(faces[right], faces[~right])
    number[shared] = len(points) + np.arange(len(shared))
    moved = faces.copy()
    moved[right] = number[faces[right]]
    return np.vstack([points, points[shared]]), moved


def crushed(points, faces):
    """some faces without area: a corner repeated, or on the line of the others"""
    changed, moved = faces.copy(), points.copy()
    changed[::50, 2] = changed[::50, 1]
    for a, b, c in faces[25::50]:
        moved[c] = (moved[a] + moved[b]) / 2
    return moved, changed


def turned_over(points, faces):
    over = faces.copy()
    over[::3] = over[::3, ::-1]
    return points, over


def doubled_shell(points, faces):
    """the surface once more inside itself, a little of the diagonal deeper, looking inward"""
    normal = np.zeros_like(points)
    corner = points[faces]
    face_normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    for k in range(3):
        np.add.at(normal, faces[:, k], face_normal)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    return joined(points, faces, points - 0.004 * diagonal(points) * normal, faces[:, ::-1])


def flat_sheet(points, faces):
    side = 20
    x, y = np.meshgrid(np.arange(side + 1), np.arange(side + 1))
    sheet = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1) / side * diagonal(points)
    first = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    return sheet, np.concatenate([np.stack([first, first + 1, first + side + 2], 1), np.stack([first, first + side + 2, first + side + 1], 1)])


SPOILT = {
    "hole": lambda p, f: (p, np.delete(f, nearest_faces(p, f, len(f) // 20, p[np.argmax(p[:, 1])]), 0)),
    "random holes": without_some,
    "fin": with_fin,
    "duplicate faces": lambda p, f: (p, np.vstack([f, f[::4]])),
    "flipped faces": turned_over,
    "floating inside": lambda p, f: joined(p, f, *box_at(p.mean(0), 0.02 * diagonal(p))),
    "floating outside": lambda p, f: joined(p, f, *box_at(p.max(0) + 0.2 * diagonal(p), 0.05 * diagonal(p))),
    "seam split": cut_along_a_plane,
    "soup": lambda p, f: (p[f].reshape(-1, 3), np.arange(3 * len(f)).reshape(-1, 3)),
    "zero area": crushed,
    "noise": lambda p, f: (noisy(p, 0.02), f),
    "double shell": doubled_shell,
    "x 0.001": lambda p, f: (p * 0.001, f),
    "x 1000": lambda p, f: (p * 1000, f),
    "far away": lambda p, f: (p + 1e4 * diagonal(p), f),
    "flat sheet": flat_sheet,
}
