#!/usr/bin/python3
"""Computes the formulas of de Aguiar et al. 2008 again, with numpy alone, and compares them with the stages as published.

usage: tests/oracles/sequence.py DUMP_SEQUENCE OSSA [MODEL...]

What is a choice (which vertices are seeds, which groups k-means finds, where a path of descent ends) is taken from the dump and judged
by the quantity that it is to minimise; what is a formula (sigma, rho, S, eigenvalues, boundaries, rigid motions, J, lengths, heat) is
computed again from the files. Every comparison holds within 5 %. Models: a sample that ossa writes, and the horse, the cat and the
lion of ../shared where they are. Exit status 77, which ctest shows as skipped, without numpy and scipy.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    from oracle import SHARED, check, read_dump, read_obj, run
    from scipy.optimize import least_squares, minimize
    from scipy.sparse import coo_matrix, diags
    from scipy.sparse.linalg import splu
    from scipy.spatial import cKDTree
except ImportError:
    sys.exit(77)

WITHIN = 1.05
PAPER_DIAGONAL = 200  # the unit of the affinity: see docs/sequence.md
ALPHA = 0.05


def natural(path):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]


class Model:
    """all shapes in diagonals of the rest, each about the centroid of its vertices; the rest is the first"""

    def __init__(self, files):
        self.files = files
        shapes = [read_obj(path) for path in files]
        raw = np.array([points for points, _, _ in shapes])
        self.faces = shapes[0][1]
        self.size = np.linalg.norm(np.ptp(raw[0], axis=0))
        used = np.unique(self.faces)
        self.shapes = (raw - raw[:, used].mean(axis=1, keepdims=True)) / self.size
        self.used = used
        self.side = np.ptp(raw[0], axis=0).max() / self.size

    def accu(self, made):
        return 100 * np.linalg.norm(made - self.shapes[1:], axis=2)[:, self.used].mean() / self.side


class Dump:
    def __init__(self, program, bones, model):
        for name, value in read_dump(program, bones, *model.files).items():
            setattr(self, name, np.array(value) if isinstance(value, list) and name != "weights" else value)
        self.bones = len(self.parent)
        model.faces = self.triangles.reshape(-1, 3)  # quads are cut by the reader
        poses = len(model.files) - 1
        self.position = self.position.reshape(self.bones, poses, 3)
        self.part_r, self.part_t = self.split(self.part_motion, poses)
        self.r, self.t = self.split(self.motion, poses)
        self.weight = np.zeros((len(model.shapes[0]), self.bones))
        for vertex, row in enumerate(self.weights):
            self.weight[vertex, row[0::2]] = row[1::2]

    def split(self, rows, poses):
        rows = rows.reshape(self.bones, poses, 12)
        return rows[..., :9].reshape(self.bones, poses, 3, 3), rows[..., 9:]


# ---- 4: segmentation ----

def check_affinity(m, d, bones):
    tracks = m.shapes[:, d.seeds] * PAPER_DIAGONAL
    distance = np.linalg.norm(tracks[:, :, None] - tracks[:, None], axis=3)
    apart = distance.std(axis=0) + np.sqrt(distance.mean(axis=0))
    scale = apart.mean()
    affinity = np.exp(-apart / scale ** 2)
    root = 1 / np.sqrt(affinity.sum(axis=1))
    values, vectors = np.linalg.eigh(affinity * root[:, None] * root)
    values, vectors = values[::-1], vectors[:, ::-1]
    check("S", abs(d.scale - scale) < 1e-6 * scale, f"{d.scale:.4f} {scale:.4f}")
    check("eigenvalues", np.abs(values - d.eigenvalues).max() < 1e-6)
    if bones == 0:
        wanted = int(np.searchsorted(np.cumsum(values), 0.99 * values.sum()) + 1)
        check("groups by 99 % of the eigenvalues' sum", d.group_count == min(wanted, 150), f"{d.group_count} {wanted}")
    rows = vectors[:, :d.group_count]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    own, best = spread(rows, d.group_of_seed), min(lloyd(rows, d.group_count, start) for start in range(12))
    check("k-means", own <= WITHIN * best, f"{own:.4f} {best:.4f}")


def spread(rows, group):
    return sum(((rows[group == g] - rows[group == g].mean(axis=0)) ** 2).sum() for g in np.unique(group))


def lloyd(rows, count, start):
    random = np.random.default_rng(start)
    mean = rows[random.choice(len(rows), 1)]
    while len(mean) < count:  # k-means++
        near = ((rows[:, None] - mean) ** 2).sum(axis=2).min(axis=1)
        mean = np.vstack([mean, rows[random.choice(len(rows), p=near / near.sum())]])
    for _ in range(40):
        group = ((rows[:, None] - mean) ** 2).sum(axis=2).argmin(axis=1)
        mean = np.array([rows[group == g].mean(axis=0) if (group == g).any() else mean[g] for g in range(count)])
    return spread(rows, group)


def check_triangles(m, d):
    rest = m.shapes[0]
    apart = np.linalg.norm(rest[:, None] - rest[d.seeds], axis=2)
    nearest = d.group_of_seed[apart[m.faces].mean(axis=1).argmin(axis=1)]
    # a group's part is that of most of its triangles; what is cut off from it went to a neighbour
    part = np.array([np.bincount(d.part_of_face[nearest == g]).argmax() if (nearest == g).any() else -1
                     for g in range(d.group_count)])
    other = (part[nearest] != d.part_of_face).sum()
    check("triangles at their nearest seeds", other <= d.moved_faces, f"{other} of {len(nearest)} elsewhere, {d.moved_faces} moved")


# ---- 5: tree, joints ----

def pairs_of_faces(faces):
    edges = np.sort(np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(faces)), 3)
    around = {}
    for edge, f in zip(map(tuple, edges), face):
        around.setdefault(edge, []).append(f)
    rows = [(one, other, edge) for edge, all_of in around.items() for i, one in enumerate(all_of) for other in all_of[:i]]
    return [row[0] for row in rows], [row[1] for row in rows], np.array([row[2] for row in rows])


def boundaries(m, d):
    """for each pair of parts: number of triangles at their boundary, its length, its centroid"""
    triangles, length, moment = {}, {}, {}
    for one, other, edge in zip(*pairs_of_faces(m.faces)):
        key = tuple(sorted((d.part_of_face[one], d.part_of_face[other])))
        if key[0] == key[1]:
            continue
        a, b = m.shapes[0][edge]
        triangles.setdefault(key, set()).update((one, other))
        length[key] = length.get(key, 0) + np.linalg.norm(a - b)
        moment[key] = moment.get(key, 0) + np.linalg.norm(a - b) * (a + b) / 2
    return {key: len(faces) for key, faces in triangles.items()}, {key: moment[key] / length[key] for key in moment}


def check_tree(m, d):
    count, centroid = boundaries(m, d)
    leader, most = list(range(d.bones)), 0
    for key in sorted(count, key=count.get, reverse=True):  # Kruskal
        find = [key[0], key[1]]
        for i in (0, 1):
            while leader[find[i]] != find[i]:
                find[i] = leader[find[i]]
        if find[0] != find[1]:
            leader[find[0]] = find[1]
            most += count[key]
    joined = [tuple(sorted((b, p))) for b, p in enumerate(d.parent) if p >= 0]
    touching = [key for key in joined if key in count]  # pieces that only come close share no triangle
    check("longest boundaries", sum(count[key] for key in touching) == most, f"{most} triangles")
    area = np.linalg.norm(np.cross(*(m.shapes[0][m.faces[:, i]] - m.shapes[0][m.faces[:, 0]] for i in (1, 2))), axis=1) / 2
    center = m.shapes[0][m.faces].mean(axis=1)
    middle = area @ center / area.sum()
    parts = np.array([area[d.part_of_face == b] @ center[d.part_of_face == b] / area[d.part_of_face == b].sum() for b in range(d.bones)])
    check("root", np.linalg.norm(parts - middle, axis=1).argmin() == d.root)
    far = max(np.linalg.norm(centroid[tuple(sorted((b, d.parent[b])))] - d.prior[b])
              for b in range(d.bones) if tuple(sorted((b, d.parent[b]))) in centroid)
    check("boundaries' centroids", far < 1e-6)


def rigid(p, q):
    middle_p, middle_q = p.mean(axis=0), q.mean(axis=0)
    u, _, v = np.linalg.svd((p - middle_p).T @ (q - middle_q))
    turn = v.T @ np.diag([1, 1, np.sign(np.linalg.det(v.T @ u.T))]) @ u.T
    return turn, middle_q - turn @ middle_p


def check_parts(m, d):
    worst = 0
    for b in range(d.bones):
        markers = d.marker_vertex[d.marker_part == b]
        for k, shape in enumerate(m.shapes[1:]):
            turn, shift = rigid(m.shapes[0][markers], shape[markers])
            own = m.shapes[0][markers] @ d.part_r[b, k].T + d.part_t[b, k]
            worst = max(worst, np.linalg.norm(m.shapes[0][markers] @ turn.T + shift - own, axis=1).max())
    check("rigid motion of the parts' seeds", worst < 1e-6, f"{worst:.1e}")


def joint_cost(m, d, b, c):
    """J: mean deviations of the distances to the seeds of both parts, the joint carried by the parent, and alpha |c - b_r|"""
    up = d.parent[b]
    path = np.vstack([c[None], d.part_r[up] @ c + d.part_t[up]])
    cost = ALPHA * np.linalg.norm(c - d.prior[b])
    for part in (up, b):
        cost += np.linalg.norm(m.shapes[:, d.marker_vertex[d.marker_part == part]] - path[:, None], axis=2).std(axis=0).mean()
    return cost


def check_joints(m, d):
    own = best = 0
    for b in range(d.bones):
        if d.parent[b] < 0:
            continue
        here = joint_cost(m, d, b, d.joint_found[b])
        found = minimize(lambda c: joint_cost(m, d, b, c), d.prior[b], method="Nelder-Mead",
                         options={"xatol": 1e-5, "fatol": 1e-9, "maxiter": 300, "initial_simplex": d.prior[b] + 0.02 * np.eye(4, 3)})
        own, best = own + here, best + min(found.fun, here)
    check("J", own <= WITHIN * best, f"{own:.5f} {best:.5f}")


def check_lengths(m, d):
    rest, poses = d.joint_found.copy(), np.empty_like(d.position)
    rest[d.root] = d.joint_found[d.root]
    order = [d.root]
    for b in order:
        order += list(np.flatnonzero(d.parent == b))
    for b in order:
        carrier = b if b == d.root else d.parent[b]
        poses[b] = d.part_r[carrier] @ d.joint_found[b] + d.part_t[carrier]
    for b in order[1:]:
        up = d.parent[b]
        arms = np.vstack([rest[b] - rest[up], poses[b] - poses[up]])
        length = np.linalg.norm(arms, axis=1)
        arms *= length.mean() / length[:, None]
        rest[b], poses[b] = rest[up] + arms[0], poses[up] + arms[1:]
    check("constant lengths", np.abs(rest - d.joint).max() < 1e-6 and np.abs(poses - d.position).max() < 1e-6)


# ---- 6: motion ----

def turns_of(vectors):
    angle = np.linalg.norm(vectors, axis=1)[:, None, None] + 1e-300
    x, y, z = (vectors / angle[:, :, 0]).T
    o = np.zeros_like(x)
    k = np.array([[o, -z, y], [z, o, -x], [-y, x, o]]).transpose(2, 0, 1)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def check_motion(m, d, frames):
    """no descent from what was found, over all angles at once, gets closer to joints and markers"""
    order = [d.root]
    for b in order:
        order += list(np.flatnonzero(d.parent == b))
    arm = m.shapes[0][d.marker_vertex] - d.joint[d.marker_part]

    def miss(x, k):
        turn = turns_of(x[3:].reshape(-1, 3)) @ d.r[:, k]
        joint = np.empty((d.bones, 3))
        joint[d.root] = d.r[d.root, k] @ d.joint[d.root] + d.t[d.root, k] + x[:3]
        for b in order[1:]:
            joint[b] = joint[d.parent[b]] + turn[d.parent[b]] @ (d.joint[b] - d.joint[d.parent[b]])
        marker = joint[d.marker_part] + np.einsum("nij,nj->ni", turn[d.marker_part], arm)
        return np.concatenate([(joint - d.position[:, k]).ravel(), (marker - m.shapes[k + 1][d.marker_vertex]).ravel()])

    own = best = 0
    for k in frames:
        start = np.zeros(3 + 3 * d.bones)
        own += (miss(start, k) ** 2).sum()
        best += 2 * least_squares(miss, start, args=(k,), max_nfev=8).cost
    own, best = np.sqrt(own), np.sqrt(best)
    check("distance of joints and markers", own <= WITHIN * best, f"{own:.4f} {best:.4f}")
    held = max(np.abs(d.r[d.parent[b]] @ d.joint[b] + d.t[d.parent[b]] - d.r[b] @ d.joint[b] - d.t[b]).max() for b in order[1:])
    check("joints hold", held < 1e-9)


# ---- 7: weights ----

def segments(m, d):
    """bone, from, to at rest: to each child's joint; of a leaf to the far end of its part"""
    of_vertex = np.full(len(m.shapes[0]), -1)
    area = np.linalg.norm(np.cross(*(m.shapes[0][m.faces[:, i]] - m.shapes[0][m.faces[:, 0]] for i in (1, 2))), axis=1) / 2
    for face in np.argsort(area, kind="stable"):
        of_vertex[m.faces[face]] = d.part_of_face[face]
    share = np.zeros(len(of_vertex))
    np.add.at(share, m.faces.ravel(), np.repeat(area / 3, 3))
    rows = [(d.parent[b], d.joint[d.parent[b]], d.joint[b]) for b in range(d.bones) if d.parent[b] >= 0]
    for b in set(range(d.bones)) - set(d.parent):
        arms = m.shapes[0][of_vertex == b] - d.joint[b]
        axis = share[of_vertex == b] @ arms
        axis /= np.linalg.norm(axis)
        rows.append((b, d.joint[b], d.joint[b] + axis * max(0, (arms @ axis).max())))
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), np.array([row[2] for row in rows])


def is_inside(points, ends, normals, faces):
    """whether the segment from just below a vertex to its bone stays inside: no exit comes before an entry (limbs overlap)"""
    corner = points[faces]
    points = points - 1e-3 * normals / np.sqrt(np.linalg.norm(normals, axis=1, keepdims=True) + 1e-30)
    center, radius = corner.mean(axis=1), np.linalg.norm(corner - corner.mean(axis=1, keepdims=True), axis=2).max()
    ray = ends - points
    near = cKDTree(center).query_ball_point((points + ends) / 2, np.linalg.norm(ray, axis=1) / 2 + radius)
    one, two = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    inside = np.ones(len(points), bool)
    for i in range(len(points)):
        f = np.array(near[i], int)
        h = np.cross(ray[i], two[f])
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / (one[f] * h).sum(axis=1)
            s = points[i] - corner[f, 0]
            u, q = inverse * (s * h).sum(axis=1), np.cross(s, one[f])
            v, t = inverse * (q @ ray[i]), inverse * (two[f] * q).sum(axis=1)
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0) & (t < 1)
        enters = np.sign(np.cross(one[f], two[f]) @ -ray[i])[hit]
        inside[i] = (1 + np.cumsum(enters[np.argsort(t[hit])]) > 0).all()
    return inside


def heat(points, faces, bone, start, end, bones):
    """(-Laplacian + H) w = H p with H = 1 / distance^2 where the nearest bone is seen"""
    axis = end - start
    along = np.clip(((points[:, None] - start) * axis).sum(axis=2) / np.maximum((axis ** 2).sum(axis=1), 1e-30), 0, 1)
    foot = start + along[..., None] * axis
    apart = np.linalg.norm(points[:, None] - foot, axis=2)
    least = apart.min(axis=1)
    total, mass, normals = [], np.zeros(len(points)), np.zeros_like(points)
    cross = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    for i in range(3):
        np.add.at(mass, faces[:, i], np.linalg.norm(cross, axis=1) / 6)
        np.add.at(normals, faces[:, i], cross)
        a, b = points[faces[:, (i + 1) % 3]] - points[faces[:, i]], points[faces[:, (i + 2) % 3]] - points[faces[:, i]]
        cotangent = (a * b).sum(axis=1) / np.maximum(np.linalg.norm(np.cross(a, b), axis=1), 1e-12) / 2
        total.append(coo_matrix((cotangent, (faces[:, (i + 1) % 3], faces[:, (i + 2) % 3])), shape=2 * [len(points)]))
    edges = sum(total).tocsr()
    edges = edges + edges.T
    h = is_inside(points, foot[np.arange(len(points)), apart.argmin(axis=1)], normals, faces) / np.maximum(least, 1e-4) ** 2
    p = np.zeros((len(points), bones))
    for s in range(len(bone)):
        p[apart[:, s] <= 1.0001 * least, bone[s]] = 1
    p /= p.sum(axis=1, keepdims=True)
    system = diags(np.asarray(edges.sum(axis=1)).ravel() + mass * h + 1e-12) - edges
    return splu(system.tocsc()).solve((mass * h)[:, None] * p)


def check_weights(m, d):
    bone, start, end = segments(m, d)
    weight = heat(m.shapes[0], m.faces, bone, start, end, d.bones)
    for k, shape in enumerate(m.shapes[1:]):
        moved = [np.einsum("nij,nj->ni", d.r[bone, k], x) + d.t[bone, k] for x in (start, end)]
        weight += heat(shape, m.faces, bone, *moved, d.bones)
    weight /= len(m.shapes)
    keep = np.argsort(-weight, axis=1)[:, :4]  # as many as engines take
    four = np.zeros_like(weight)
    np.put_along_axis(four, keep, np.take_along_axis(weight, keep, axis=1), axis=1)
    four /= np.maximum(four.sum(axis=1, keepdims=True), 1e-30)
    moved = np.einsum("bkij,vj->bkvi", d.r, m.shapes[0]) + d.t[:, :, None]
    own, other = m.accu(np.einsum("vb,bkvi->kvi", d.weight, moved)), m.accu(np.einsum("vb,bkvi->kvi", four, moved))
    apart = np.abs(four - d.weight)[m.used].sum(axis=1).mean() / 2
    check("heat weights", apart < 0.05, f"{100 * apart:.2f} % of a vertex apart")
    check("ACCU", own <= WITHIN * other and other <= WITHIN * own, f"{own:.4f} {other:.4f}")
    return own


# ---- all ----

def check_command(m, ossa, bones, accu):
    """the command comes to the same rig"""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([ossa, "rig", "--rest", *map(str, m.files), "--method", "sequence", "--refine", "0", "--bones", str(bones),
                        "-o", Path(folder) / "rig.glb", "--report", report, "--quiet"], check=True)
        told = json.loads(report.read_text())["hierarchy"]["accu_percent"]
        check("ACCU of the command", abs(told - accu) < 1e-3 * accu + 1e-4, f"{told:.4f} {accu:.4f}")


def models(ossa, folder):
    """name, files (the rest first), bones"""
    subprocess.run([ossa, "sample", "quadruped", "--faces", "2000", "--frames", "5", "-o", folder, "--quiet"], check=True)
    yield "quadruped", [folder / "rest.obj", *sorted(folder.glob("pose-*.obj"), key=natural)], 0
    horse = sorted((SHARED / "characters/q_horse").glob("frame_*.obj"))
    cat = sorted((SHARED / "poses/lowpoly_cat").glob("*.obj"), key=natural)
    lion = sorted((SHARED / "poses/lion-poses").glob("?.obj"), key=natural)
    if horse:
        yield "horse", [horse[0], *horse[1::5]], 20
    if cat:
        yield "cat", [cat[0], *cat[1::7]], 20
    if lion:
        yield "lion", [SHARED / "poses/lion-poses/lion-reference.obj", *lion[::4]], 20


def test(program, ossa, folder, name, files, bones):
    m = Model(files)
    d = Dump(program, bones, m)
    print(f"{name}: {len(m.shapes[0])} vertices, {len(files)} shapes, {d.bones} bones")
    check_affinity(m, d, bones)
    check_triangles(m, d)
    check_tree(m, d)
    check_parts(m, d)
    check_joints(m, d)
    check_lengths(m, d)
    check_motion(m, d, [len(files) - 2])
    check_command(m, ossa, bones, check_weights(m, d))


def main():
    program, ossa = (str(Path(word).resolve()) for word in sys.argv[1:3])
    return run(lambda folder: models(ossa, folder), sys.argv[3:], lambda *model: test(program, ossa, *model))


sys.exit(main())
