#!/usr/bin/python3
"""Computes the steps of Wade and Parent 2002 again, with numpy alone, and compares them with the stages as published.

usage: tests/oracles/volume.py OSSA [MODEL...]

The stages are the files of `ossa inspect --voxels --stages`, the skeleton and the weights those of `ossa rig --method volume --refine 0`.
What is a choice among equals (which of several paths of least weight) is taken from the files and judged by the quantity that it is to
minimise; everything else is computed from the mesh or from the stage before. Models: samples that ossa writes, and the horse, a jumping
man and the spider of ../shared where they are. Exit status 77, which ctest shows as skipped, without numpy and scipy.
"""
import json
import subprocess
import sys
from pathlib import Path

try:
    import numpy as np
    from oracle import SHARED, check, read_obj, run
    from scipy import ndimage
    from scipy.optimize import nnls
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, dijkstra
except ImportError:
    sys.exit(77)

EXPOSURE, CLOSENESS, MIN_FRACTION, MAX_FRACTION, TOLERANCE, RADIUS = 0.12, 0.1, 0.1, 0.3, 0.02, 3
AROUND = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
STEP = np.linalg.norm(AROUND, axis=1)
ALL = np.ones((3, 3, 3), bool)


def read_ply(path):
    """the columns of the points, and the lists of those that have one"""
    head, data = Path(path).read_bytes().split(b"end_header\n", 1)
    count = int(head.split(b"element vertex ")[1].split()[0])
    kinds = {"float": "<f4", "uchar": "u1"}
    words = [line.decode().split() for line in head.splitlines() if line.startswith(b"property")]
    row = np.dtype([(w[2], kinds[w[1]]) for w in words if w[1] != "list"])
    if words[-1][1] != "list":
        return np.frombuffer(data, row, count), None
    rows, lists, at = [], [], 0
    for _ in range(count):
        rows.append(data[at:at + row.itemsize])
        size = int(np.frombuffer(data, "<u4", 1, at + row.itemsize)[0])
        lists.append(np.frombuffer(data, "<u4", size, at + row.itemsize + 4))
        at += row.itemsize + 4 + 4 * size
    return np.frombuffer(b"".join(rows), row, count), lists


def places(rows):
    return np.stack([rows["x"], rows["y"], rows["z"]], axis=1).astype(float)


class Stages:
    """what ossa found; cells are counted without the layer of empty ones"""

    def __init__(self, ossa, path, size, folder):
        words = [str(ossa), "inspect", str(path), "--voxels", "--voxel-size", str(size), "--stages", str(folder), "--json"]
        self.told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["voxels"]
        self.points, self.faces, _ = read_obj(path)
        used = self.points[np.unique(self.faces)]
        self.low, self.high = used.min(axis=0), used.max(axis=0)
        self.step = size * (self.high - self.low).max()
        # the cells of the box: the unit cube's, from both sides of its middle
        self.grid = np.floor((self.high - self.low) / self.step + 1e-3).astype(int) + 1
        self.corner = (self.low + self.high - self.grid * self.step) / 2
        voxels, _ = read_ply(folder / "voxels.ply")
        self.cells = self.cells_of(places(voxels))
        self.inside = np.zeros(self.grid, bool)
        self.inside[tuple(self.cells.T)] = True
        self.depth2 = (voxels["depth"] / self.step).astype(float) ** 2
        medial, _ = read_ply(folder / "medial.ply")
        self.medial, self.exposure = self.cells_of(places(medial)), medial["exposure"].astype(float)
        self.heart = self.cells_of(places(read_ply(folder / "heart.ply")[0]))[0]
        self.extremes = self.cells_of(places(read_ply(folder / "extremes.ply")[0]))
        self.path_cells = self.cells_of(places(read_ply(folder / "path-voxels.ply")[0]))
        nodes, _, links = read_obj(folder / "paths.obj")
        self.nodes = nodes
        self.parent = np.full(len(nodes), -1)
        self.parent[links[:, 1]] = links[:, 0]
        self.segments = read_obj(folder / "segments.obj")[2]
        self.anchors = read_ply(folder / "anchors.ply")[1]

    def cells_of(self, points):
        return np.floor((points - self.corner) / self.step).astype(int)


# ---- 3.1: voxels and distances ----

def touches(corners, centers, half):
    """which boxes a triangle touches: the thirteen axes that may separate them"""
    p = corners[None] - centers[:, None]
    edges = np.roll(corners, -1, axis=0) - corners
    axes = [*np.eye(3), np.cross(edges[0], edges[1]), *(np.cross(a, e) for a in np.eye(3) for e in edges)]
    meets = np.ones(len(centers), bool)
    for axis in axes:
        along = p @ axis
        meets &= (along.min(axis=1) <= half * np.abs(axis).sum()) & (along.max(axis=1) >= -half * np.abs(axis).sum())
    return meets


def check_voxels(s):
    touched = np.zeros(s.grid, bool)
    for face in s.faces:
        corners = s.points[face]
        low = np.maximum(s.cells_of(corners.min(axis=0) - 1e-9), 0)
        high = np.minimum(s.cells_of(corners.max(axis=0) + 1e-9), s.grid - 1)
        cells = np.stack(np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high)), indexing="ij"), axis=-1).reshape(-1, 3)
        meets = touches(corners, s.corner + (cells + 0.5) * s.step, s.step / 2)
        touched[tuple(cells[meets].T)] = True
    outside, _ = ndimage.label(np.pad(~touched, 1, constant_values=True))
    inside = outside[1:-1, 1:-1, 1:-1] != outside[0, 0, 0]
    parts, count = ndimage.label(inside, ALL)
    if count > 1:
        inside = parts == 1 + np.argmax(np.bincount(parts.ravel())[1:])
    both, either = (inside & s.inside).sum(), (inside | s.inside).sum()
    check("3.1 grid", list(s.grid) == s.told["grid"], f"{list(s.grid)}")
    check("3.1 interior voxels", both >= 0.995 * either, f"{s.inside.sum()}, numpy {inside.sum()}, both {both}")
    apart = ndimage.distance_transform_edt(np.pad(s.inside, 1))[1:-1, 1:-1, 1:-1]
    s.d = np.rint(apart ** 2).astype(int)
    check("3.1 distance map", np.abs(s.d[tuple(s.cells.T)] - s.depth2).max() < 0.05, f"deepest {s.d.max()}")


# ---- 3.2: the medial surface ----

def exposure_of(d, cell):
    """the cap that holds all of a ball that those around leave uncovered: the point of the polyhedron that is nearest to its center, as
    the least distance problem of Lawson and Hanson, by non-negative least squares"""
    own = d[tuple(cell)]
    other = cell + AROUND
    there = ((other >= 0) & (other < d.shape)).all(axis=1)
    depth = np.where(there, d[tuple(np.where(there[:, None], other, 0).T)], 0)
    limit = (own + STEP ** 2 - depth) / (2 * np.sqrt(own))
    rows = np.vstack([-AROUND.T, -limit])
    target = np.array([0, 0, 0, 1.0])
    found, left = nnls(rows, target)
    rest = rows @ found - target
    cosine = np.linalg.norm(rest[:3] / rest[3]) if left > 1e-9 else 1
    return (1 - min(cosine, 1)) / 2


def check_medial(s):
    on = np.zeros(s.grid, bool)
    on[tuple(s.medial.T)] = True
    check("3.2 one connected surface of interior voxels", ndimage.label(on, ALL)[1] == 1 and (s.inside >= on).all(), f"{on.sum()} voxels")
    exposed = np.flatnonzero(s.exposure > 0)
    check("3.2 what is exposed is so by the threshold", (s.exposure[exposed] >= EXPOSURE - 1e-6).all(), f"{len(exposed)} of {on.sum()}")
    sample = exposed[::max(1, len(exposed) // 400)]
    again = np.array([exposure_of(s.d, s.medial[m]) for m in sample])
    same = np.abs(again - s.exposure[sample]) < 1e-3
    # ossa takes the best of 48 cones of three directions: a cap that holds all, and mostly the smallest one
    check("3.2 exposures", (s.exposure[sample] >= again - 1e-3).all() and same.mean() > 0.6, f"{100 * same.mean():.0f} % of {len(sample)} are least")
    covered = np.zeros(s.grid, bool)
    for cell in s.medial:
        cover(s, cell, covered)
    share = covered[s.inside].mean()
    check("3.2 its balls fill the shape", share > 0.95, f"{100 * share:.1f} % of the voxels")


def cover(s, cell, covered):
    """marks the voxels whose centers lie in the ball of one"""
    d = s.d[tuple(cell)]
    reach = int(np.sqrt(d))
    low, high = np.maximum(cell - reach, 0), np.minimum(cell + reach + 1, s.grid)
    window = tuple(slice(a, b) for a, b in zip(low, high))
    x, y, z = (np.arange(a, b) - c for a, b, c in zip(low, high, cell))
    covered[window] |= (x * x)[:, None, None] + (y * y)[:, None] + z * z <= d


# ---- 3.3: the path tree ----

class Surface:
    """the medial voxels as a graph"""

    def __init__(self, s):
        self.number = np.full(s.grid, -1)
        self.number[tuple(s.medial.T)] = np.arange(len(s.medial))
        self.weight = 1.0 / s.d[tuple(s.medial.T)].astype(float) ** 3
        rows, columns, lengths = [], [], []
        for step, length in zip(AROUND, STEP):
            other = s.medial + step
            there = ((other >= 0) & (other < s.grid)).all(axis=1)
            to = np.where(there, self.number[tuple(np.where(there[:, None], other, 0).T)], -1)
            own = np.flatnonzero(to >= 0)
            rows.append(own), columns.append(to[own]), lengths.append(np.full(len(own), length))
        self.rows, self.columns = np.concatenate(rows), np.concatenate(columns)
        count = len(s.medial)
        self.lengths = coo_matrix((np.concatenate(lengths), (self.rows, self.columns)), (count, count)).tocsr()
        # a step weighs what the voxel that it leads to weighs
        self.weights = coo_matrix((self.weight[self.columns], (self.rows, self.columns)), (count, count)).tocsr()

    def numbers(self, cells):
        return self.number[tuple(np.atleast_2d(cells).T)]


def check_extremes(s, g):
    middle = s.cells.mean(axis=0)
    away = ((s.medial - middle) ** 2).sum(axis=1)
    heart = g.numbers(s.heart)[0]
    check("3.3 the heart is central", abs(away[heart] - away.min()) < 1e-6, f"{np.sqrt(away[heart]):.1f} voxels from the middle")
    s.far = dijkstra(g.lengths, indices=heart)
    s.heart_radius = s.far.max()
    check("3.3 heart radius", abs(s.told["heart_radius"] / s.step - s.heart_radius) < 1e-3 * s.heart_radius, f"{s.heart_radius:.1f} voxels")
    # a maximum: voxels that touch and are equally far, and none around them is farther
    level = np.abs(s.far[g.rows] - s.far[g.columns]) < 1e-9
    group = connected_components(coo_matrix((np.ones(level.sum()), (g.rows[level], g.columns[level])), g.lengths.shape))[1]
    lower = set(group[g.rows[s.far[g.columns] > s.far[g.rows] + 1e-9]])
    tops = set(group) - lower
    farthest_around = np.zeros(len(s.medial))
    np.maximum.at(farthest_around, g.rows, s.far[g.columns])
    found = g.numbers(s.extremes)
    # on a level that rises elsewhere ossa may count a point, too
    check("3.3 extreme points", (farthest_around[found] <= s.far[found] + 1e-9).all() and tops <= set(group[found]),
          f"{len(found)}, {len(tops)} of them where no voxel of their level has a farther one")


def extensions(s):
    """the nodes of each extension, from the tree outwards"""
    begins = [n for n in range(1, len(s.parent)) if s.parent[n] != n - 1 or n == 1]
    ends = begins[1:] + [len(s.parent)]
    for begin, end in zip(begins, ends):
        yield int(s.parent[begin]), list(range(begin, end))


def check_paths(s, g):
    extreme = g.numbers(s.extremes)
    node = g.numbers(s.path_cells)
    check("3.3.1 begins at the extreme point farthest from the heart", abs(s.far[node[0]] - s.heart_radius) < 1e-9 and node[0] in extreme)
    covered = np.zeros(s.grid, bool)
    cover(s, s.medial[node[0]], covered)
    least, count, wrong_end, wrong_path, worst = CLOSENESS * s.heart_radius, 0, 0, 0, 0.0
    on_tree, served = [node[0]], {node[0]}
    for parent, nodes in extensions(s):
        away, open_ones = uncovered(s, g, covered, extreme, served)
        end = node[nodes[-1]]
        wrong_end += not (end in extreme and away[end] >= least - 1e-9 and away[end] >= away[open_ones].max() - 1e-9)
        best = dijkstra(g.weights, indices=on_tree, min_only=True)[end]
        own = g.weight[node[nodes]].sum()
        worst = max(worst, own / best - 1)
        steps = np.abs(s.path_cells[nodes] - s.path_cells[[parent, *nodes[:-1]]]).max(axis=1)
        wrong_path += own > best * (1 + 1e-9) or steps.max() > 1
        served.add(end)
        on_tree += list(node[nodes])
        for n in nodes:
            cover(s, s.path_cells[n], covered)
        count += 1
    check("3.3.1 each path leads to the extreme point farthest from what is covered", wrong_end == 0, f"{count} paths")
    check("3.3.1 paths of least weight", wrong_path == 0, f"{100 * worst:.2g} % more at most")
    away, open_ones = uncovered(s, g, covered, extreme, served)
    left = away[open_ones].max() if len(open_ones) else 0
    check("3.3.1 no extreme point is left that far out", left < least and count == s.told["paths"], f"{left:.1f} of {least:.1f} voxels")


def uncovered(s, g, covered, extreme, served):
    """path lengths from the covered medial voxels, and the extreme points that are open"""
    inside = covered[tuple(s.medial.T)]
    away = dijkstra(g.lengths, indices=np.flatnonzero(inside), min_only=True)
    return away, np.array([e for e in extreme if not inside[e] and e not in served], int)


def chains(s):
    """the nodes of each chain between end points and junctions, the one nearer to node 0 first"""
    degree = np.bincount(np.concatenate([np.arange(1, len(s.parent)), s.parent[1:]]), minlength=len(s.parent))
    for last in np.flatnonzero(degree != 2):
        if s.parent[last] < 0:
            continue
        chain = [last, s.parent[last]]
        while degree[chain[-1]] == 2:
            chain.append(s.parent[chain[-1]])
        yield np.array(chain[::-1])


def check_smoothing(s):
    before = s.corner + (s.path_cells + 0.5) * s.step
    after = before.copy()
    for chain in chains(s):
        for i in range(1, len(chain) - 1):
            radius = min(RADIUS, i, len(chain) - 1 - i)
            after[chain[i]] = before[chain[i - radius:i + radius + 1]].mean(axis=0)
    off = np.linalg.norm(after - s.nodes, axis=1).max() / s.step
    check("3.3.2 smoothed paths", off < 1e-3, f"{off:.1g} voxels")


# ---- 3.4.1: the skeletal graph ----

def error_of(s, chain):
    """the largest distance of a vertex of the chain from its edge, and where"""
    a, b, p = s.nodes[chain[0]], s.nodes[chain[-1]], s.nodes[chain]
    along = np.clip((p - a) @ (b - a) / max(((b - a) ** 2).sum(), 1e-30), 0, 1)
    away = np.linalg.norm(p - a - along[:, None] * (b - a), axis=1)
    if len(chain) < 3:
        return 0.0, 0
    arc = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    worst = 1 + np.flatnonzero(away[1:-1] > away[1:-1].max() - 1e-5 * s.step)  # files have single numbers
    return away[1:-1].max(), int(worst[np.abs(arc[worst] - arc[-1] / 2).argmin()])


def check_segments(s):
    radius = s.heart_radius * s.step
    heap, done = [(error_of(s, c), c) for c in chains(s)], []
    while heap:
        heap.sort(key=lambda item: item[0][0])
        (error, at), chain = heap.pop()
        length = np.linalg.norm(np.diff(s.nodes[chain], axis=0), axis=1).sum()
        split = at > 0 and length >= MIN_FRACTION * radius and (length > MAX_FRACTION * radius or error > TOLERANCE * radius)
        if not split:
            done.append((chain[0], chain[-1]))
            continue
        heap += [(error_of(s, c), c) for c in (chain[:at + 1], chain[at:])]
    own = {tuple(edge) for edge in s.segments}
    common = len(own & set(done))  # where two vertices are equally far, files decide by rounding
    check("3.4.1 segments", len(own) == len(done) and common >= 0.9 * len(own), f"{len(own)}, {common} of them the same")
    s.section = sections(s)


def sections(s):
    """the nodes of the path tree along each segment, with both ends"""
    found = []
    for first, last in s.segments:
        nodes = [last]
        while nodes[-1] != first:
            nodes.append(s.parent[nodes[-1]])
        found.append(nodes)
    return found


# ---- 3.4.2, 3.4.3: joints and anchors ----

def check_joints(s, rig):
    bones = rig["bones"]
    ends = s.nodes[s.segments]
    owner, off, frames, mean = {}, 0.0, 0.0, [np.sqrt(s.d[tuple(s.path_cells[nodes].T)]).mean() for nodes in s.section]
    for b, bone in enumerate(bones):
        joint, tail = np.array(bone["joint"]), np.array(bone["tail"])
        if bone["parent"] < 0:
            middle = np.linalg.norm(ends.mean(axis=1) - joint, axis=1)
            owner[b] = int(middle.argmin())
            off = max(off, middle.min())
            continue
        apart = np.minimum(*(np.linalg.norm(ends[:, i] - joint, axis=1) + np.linalg.norm(ends[:, 1 - i] - tail, axis=1) for i in (0, 1)))
        owner[b] = int(apart.argmin())
        off = max(off, apart.min())
        frames = max(frames, frame_error(bones, bone))
    check("3.4.2 a bone for each segment", len(set(owner.values())) == len(bones) == len(s.segments))
    check("3.4.2 joints at shared ends, the root in the middle of its segment", off < 1e-3 * s.step, f"{off / s.step:.1g} voxels")
    root = mean[owner[[b for b in owner if bones[b]["parent"] < 0][0]]]
    check("3.4.2 the root's segment is deep", root >= np.median(mean), f"{root:.1f}, the deepest {max(mean):.1f} voxels")
    check("3.4.2 frames", frames < 1e-3, f"{frames:.1g}")
    return owner


def frame_error(bones, bone):
    """ossa's y is the paper's z, along the bone; x is perpendicular to its plane with its parent"""
    x, y, z, w = bone["orientation"]
    across = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)])
    along = np.array([2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)])
    joint, tail = np.array(bone["joint"]), np.array(bone["tail"])
    own = (tail - joint) / np.linalg.norm(tail - joint)
    before = joint - np.array(bones[bone["parent"]]["joint"])
    before /= np.linalg.norm(before)
    plane = np.cross(before, own)
    off = np.linalg.norm(along - own)
    if np.linalg.norm(plane) > 0.06:  # else the plane is that of bones farther up or down
        off = max(off, np.linalg.norm(across - plane / np.linalg.norm(plane)))
    return off


def check_anchors(s):
    sets = np.zeros((len(s.segments), *s.grid), bool)
    for segment, nodes in zip(sets, s.section):
        for n in nodes:
            cover(s, s.path_cells[n], segment)
    sets &= s.inside
    while True:  # breadth first into what no ball covers
        open_ones = s.inside & ~sets.any(axis=0)
        if not open_ones.any():
            break
        for segment, grown in zip(sets, [ndimage.binary_dilation(segment, ALL) & open_ones for segment in sets]):
            segment |= grown
    same = np.mean([set(np.flatnonzero(sets[(slice(None), *cell)])) == set(own) for cell, own in zip(s.cells, s.anchors)])
    check("3.4.3 anchor sets", same == 1, f"{100 * same:.2f} % of {len(s.cells)} voxels, up to {max(map(len, s.anchors))} segments")
    s.sets = sets


def check_weights(s, rig, owner):
    ends, cells, wrong, used = s.nodes[s.segments], s.cells_of(s.points), 0, np.unique(s.faces)
    for v in used:
        own = np.zeros(len(s.segments))
        for bone, weight in rig["weights"][v]:
            own[owner[bone]] = weight
        if ((cells[v] < 0) | (cells[v] >= s.grid)).any():
            continue
        members = np.flatnonzero(s.sets[(slice(None), *cells[v])])
        wanted = np.zeros(len(s.segments))
        if len(members) == 1:
            wanted[members] = 1
        elif len(members) > 1:
            a, b = ends[members, 0], ends[members, 1]
            along = np.clip(((s.points[v] - a) * (b - a)).sum(axis=1) / ((b - a) ** 2).sum(axis=1), 0, 1)
            away = np.linalg.norm(a + along[:, None] * (b - a) - s.points[v], axis=1)
            wanted[members] = (away.sum() - away) / ((len(members) - 1) * away.sum())
        wrong += np.abs(own - wanted).max() > 1e-3
    # vertices between two cells may be in either
    check("3.4.3 weights", wrong <= 0.01 * len(used), f"{wrong} of {len(used)} vertices differ")


# ---- all ----

def models(ossa, folder):
    """name, mesh, voxel size"""
    for name, faces in ("quadruped", 2000), ("octopus", 4000), ("hand", 4000), ("biped", 4000):
        subprocess.run([str(ossa), "sample", name, "--faces", str(faces), "-o", folder / name, "--quiet"], check=True)
        yield name, folder / name / "rest.obj", 0.02
    for name, path, size in (("horse", "characters/q_horse/rest.obj", 0.01), ("man", "poses/vlasic_jumping_8/mesh_0001.obj", 0.01),
                             ("spider", "characters/q_spider/rest.obj", 0.015)):
        if (SHARED / path).exists():
            yield name, SHARED / path, size


def test(ossa, place, name, path, size):
    folder = place / f"{name}-stages"
    folder.mkdir()
    s = Stages(ossa, path, size, folder)
    words = [ossa, "rig", path, "--method", "volume", "--refine", "0", "--voxel-size", str(size), "-o", folder / "rig.json", "--quiet"]
    subprocess.run(list(map(str, words)), check=True)
    rig = json.loads((folder / "rig.json").read_text())
    print(f"{name}: {len(s.faces)} faces, {len(s.cells)} voxels, {len(s.medial)} medial, {len(s.segments)} segments")
    check_voxels(s)
    check_medial(s)
    g = Surface(s)
    check_extremes(s, g)
    check_paths(s, g)
    check_smoothing(s)
    check_segments(s)
    owner = check_joints(s, rig)
    check_anchors(s)
    check_weights(s, rig, owner)


def main():
    ossa = Path(sys.argv[1]).resolve()
    return run(lambda folder: models(ossa, folder), sys.argv[2:], lambda *model: test(ossa, *model))


sys.exit(main())
