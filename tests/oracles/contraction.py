#!/usr/bin/python3
"""Computes the formulas of Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support, again, with numpy alone,
and compares them with the stages as published.

usage: tests/oracles/contraction.py DUMP_CONTRACTION OSSA [MODEL...]      all models without a name

Each stage begins with what the stage before it has printed, so that errors do not add up. Steps of the contraction are solved as the
paper writes them, as an overdetermined system by QR (large models: by normal equations); the collapse searches all edges for the
cheapest each time; distances are Floyd and Warshall's (large models: Dijkstra's). Every comparison holds within 5 %, and where nothing
departs from the print within 1e-6. Exit status 77, which ctest shows as skipped, without numpy.
"""
import heapq
import subprocess
import sys
from pathlib import Path

try:
    import numpy as np
    from oracle import SHARED, check, read_dump, read_obj, run
except ImportError:
    sys.exit(77)

WITHIN = 0.05
EXACT = 1e-6
LARGE = 1500  # vertices
MERGE = 0.3  # ossa's threshold of section 5.1, which the paper only names, in mean edges
LINK = 2  # ossa's weight of an edge that joins pieces, which the paper leaves out
FLAT = 1e-5  # where a triangle is flatter than this, in mean edges, ossa lengthens all edges
CLOSE = 1e-3  # the share of the volume from which on lengthened edges matter
DIGITS = 1e-5  # the share of the volume from which on two solutions of one system differ by rounding


class Dump:
    def __init__(self, program, points, split, path):
        for name, value in read_dump(program, points, split, path).items():
            setattr(self, name, np.array(value) if isinstance(value, list) else value)
        self.triangles = self.triangles.reshape(-1, 3)
        self.joins, self.splits, self.curve, self.cuts = (x.reshape(-1, 2).astype(int)
                                                          for x in (self.joins, self.splits, self.curve, self.cuts))
        self.points, self.centers = self.points.reshape(-1, 3), self.centers.reshape(-1, 3)
        self.states = self.positions.reshape(len(self.pulls), -1, 3)
        self.n = self.states.shape[1]
        self.diagonal = np.linalg.norm(np.ptp(self.states[0], axis=0))


# ---- 3 the graph ----

def face_edges(triangles):
    both = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    return np.unique(both, axis=0)


def all_edges(d):
    return np.unique(np.concatenate([face_edges(d.triangles), np.sort(d.joins, axis=1)]), axis=0)


def components(n, edges):
    """depth-first search"""
    around = [[] for _ in range(n)]
    for a, b in edges:
        around[a].append(b)
        around[b].append(a)
    group, count = np.full(n, -1), 0
    for begin in range(n):
        if group[begin] >= 0:
            continue
        stack = [begin]
        group[begin] = count
        while stack:
            for other in around[stack.pop()]:
                if group[other] < 0:
                    group[other] = count
                    stack.append(other)
        count += 1
    return group, count


def check_graph(d, path):
    points, faces, _ = read_obj(path, np.float32)  # as ossa keeps them
    points = points.astype(float)
    used = np.unique(faces)
    at = d.states[0][d.graph_vertices[used]]
    check("vertices of the graph", np.abs(at - points[used]).max() < EXACT * d.diagonal and d.n == len(np.unique(points[used], axis=0)),
          f"{d.n}")
    if d.split_distance > 0:
        return check_split(d, faces)
    group, count = components(d.n, face_edges(d.triangles))
    check("pieces", count == d.pieces, f"{count}")
    if count == 1:
        return check("no joins", len(d.joins) == 0)
    apart = np.linalg.norm(d.states[0][:, None] - d.states[0][None], axis=2)
    apart[group[:, None] == group[None]] = np.inf
    joining = np.array([apart[group == g].min() for g in range(count)])
    length = np.linalg.norm(d.states[0][d.joins[:, 0]] - d.states[0][d.joins[:, 1]], axis=1)
    nearest = [np.isclose(length[(group[d.joins] == g).any(axis=1)].min(), joining[g]) for g in range(count)]
    check("each piece is joined at its joining distance", all(nearest), f"{joining.min():.4g} to {joining.max():.4g}")
    check("the joined graph is connected", components(d.n, all_edges(d))[1] == 1, f"{len(d.joins)} joins")


def check_split(d, faces):
    """every edge of the mesh that is shorter is gone with its faces, and with these the edges that have no other face"""
    here = d.graph_vertices[faces]
    here = here[(here[:, 0] != here[:, 1]) & (here[:, 1] != here[:, 2]) & (here[:, 2] != here[:, 0])]
    corner = d.states[0][here]
    short = (np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2) < d.split_distance).any(axis=1)
    stay = {tuple(edge) for edge in face_edges(here[~short]).tolist()}
    gone = {tuple(edge) for edge in face_edges(here).tolist()} - stay
    check("edges that stay", stay == {tuple(edge) for edge in face_edges(d.triangles).tolist()}, f"{len(stay)}")
    check("edges that are removed", gone == {tuple(edge) for edge in np.sort(d.splits, axis=1).tolist()}, f"{len(gone)}")


# ---- 4 contraction ----

def cotangents_and_areas(points, triangles):
    cotangent, corner = np.empty((len(triangles), 3)), points[triangles]
    double = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    for i in range(3):
        a, b = corner[:, (i + 1) % 3] - corner[:, i], corner[:, (i + 2) % 3] - corner[:, i]
        cotangent[:, i] = (a * b).sum(axis=1) / np.maximum(double, 1e-300)
    return cotangent, double / 2


def thickened(points, triangles):
    """ossa's departure: the same of triangles whose edges are longer by what makes the flattest one FLAT"""
    corner = points[triangles]
    side = np.stack([np.linalg.norm(corner[:, (i + 1) % 3] - corner[:, (i + 2) % 3], axis=1) for i in range(3)], axis=1)
    side += max(FLAT * side.mean() - (side.sum(axis=1) - 2 * side.max(axis=1)).min(), 0)
    c, b, a = np.sort(side, axis=1).T
    area = np.sqrt(np.maximum((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c)), 1e-300)) / 4
    square = side**2
    return (square.sum(axis=1)[:, None] - 2 * square) / (4 * area[:, None]), area


def laplacian(points, triangles, joins, measure=cotangents_and_areas):
    """(1), and the areas of the faces around each vertex"""
    n = len(points)
    cotangent, area = measure(points, triangles)
    operator, around = np.zeros((n, n)), np.zeros(n)
    for i in range(3):
        a, b = triangles[:, (i + 1) % 3], triangles[:, (i + 2) % 3]
        np.add.at(operator, (a, b), cotangent[:, i])
        np.add.at(operator, (b, a), cotangent[:, i])
        np.add.at(around, triangles[:, i], area)
    for a, b in joins:
        operator[a, b] += LINK
        operator[b, a] += LINK
    operator[np.diag_indices(n)] = -operator.sum(axis=1)
    return operator, around


def solve(operator, pull, hold, points):
    """(2)"""
    if len(points) > LARGE:
        system = pull**2 * operator @ operator
        system[np.diag_indices(len(points))] += hold**2
        return np.linalg.solve(system, hold[:, None] ** 2 * points)
    q, r = np.linalg.qr(np.concatenate([pull * operator, np.diag(hold)]))
    return np.linalg.solve(r, q[len(points):].T @ (hold[:, None] * points))


def flattest(points, triangles):
    """by how much the two shorter sides exceed the longest, in mean edges"""
    corner = points[triangles]
    side = np.sort(np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2), axis=1)
    return (side[:, 0] + side[:, 1] - side[:, 2]).min() / side.mean()


def volume(points, triangles):
    a, b, c = points[triangles].transpose(1, 0, 2)
    return (a * np.cross(b, c)).sum() / 6


def check_contraction(d, every):
    first, exact, printed, later = laplacian(d.states[0], d.triangles, d.joins)[1], [], [], []
    corner = d.states[0][d.triangles]
    edge = np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean()
    check("W_L doubles", np.allclose(d.pulls[2:], 2 * d.pulls[1:-1]), f"from {d.pulls[1]:.4g}")
    for step in list(range(len(d.pulls) - 1))[::every]:
        points, told = d.states[step], d.states[step + 1]
        is_close = abs(d.volume_shares[step + 1]) < CLOSE
        if abs(d.volume_shares[step]) < DIGITS:
            continue
        operator, around = laplacian(points, d.triangles, d.joins, thickened if is_close else cotangents_and_areas)
        after = solve(operator, d.pulls[step + 1], np.sqrt(first / around), points)
        if flattest(points, d.triangles) >= FLAT:
            exact.append(np.abs(after - told).max() / d.diagonal)
        if is_close:
            later.append(np.sqrt(np.mean((after - told) ** 2)) / edge)
        else:
            printed.append(np.linalg.norm(after - told) / np.linalg.norm(told - points))
    check("steps as printed, before triangles are flat", exact and max(exact) < EXACT, f"{len(exact)}: {max(exact):.2g} of the diagonal")
    check(f"steps as printed, to {CLOSE} of the volume", max(printed) < WITHIN, f"{len(printed)}: {100 * max(printed):.2g} % of the move")
    check(f"later steps to {DIGITS} of the volume, thickened", max(later, default=0) < WITHIN, f"{len(later)}: {100 * max(later, default=0):.2g} % of an edge apart")
    shares = [volume(points, d.triangles) / volume(d.states[0], d.triangles) for points in d.states]
    if not len(d.joins) and not len(d.splits):
        check("volumes", np.abs(np.array(shares) - d.volume_shares).max() < EXACT, f"{shares[-1]:.2g} at last")


# ---- 5 simplification ----

class Collapse:
    """half-edge collapses i -> j; a vertex keeps its name where its position stays"""

    def __init__(self, d):
        self.points = d.states[-1].copy()
        self.into = np.arange(d.n)
        self.around = [set() for _ in range(d.n)]
        for a, b in all_edges(d):
            self.around[a].add(b)
            self.around[b].add(a)
        first = d.states[0]
        corner = first[d.triangles]
        self.threshold = MERGE * np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).mean()
        self.edges = {tuple(edge) for edge in all_edges(d)}

    def merge(self, i, j):
        self.into[self.into == i] = j
        for k in self.around[i]:
            self.around[k].discard(i)
            self.edges.discard((min(i, k), max(i, k)))
            if k != j:
                self.around[k].add(j)
                self.around[j].add(k)
                self.edges.add((min(j, k), max(j, k)))
        self.around[i] = set()

    def merge_short(self):
        queue = [(self.length(a, b), a, b) for a, b in self.edges]
        heapq.heapify(queue)
        while queue and queue[0][0] <= self.threshold:
            length, a, b = heapq.heappop(queue)
            if (a, b) not in self.edges or self.length(a, b) != length:
                continue
            stays, goes = (a, b) if len(self.around[a]) >= len(self.around[b]) else (b, a)
            self.merge(goes, stays)
            for k in self.around[stays]:
                heapq.heappush(queue, (self.length(stays, k), min(stays, k), max(stays, k)))

    def length(self, a, b):
        return np.linalg.norm(self.points[a] - self.points[b])

    def gather(self):
        """Q of each vertex: the squared distances to the lines of its edges"""
        self.q = np.zeros((len(self.points), 4, 4))
        for a, b in self.edges:
            along = self.points[b] - self.points[a]
            size = np.linalg.norm(along)
            if size == 0:
                continue
            x, y, z = along / size
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            k = np.concatenate([cross, -(cross @ self.points[a])[:, None]], axis=1)
            self.q[a] += k.T @ k
            self.q[b] += k.T @ k

    def collapse(self, wanted):
        self.gather()
        left = len({int(x) for x in self.into})
        while left > wanted and self.edges:
            pairs = np.array(list(self.edges))
            pairs = np.concatenate([pairs, pairs[:, ::-1]])
            i, j = pairs[:, 0], pairs[:, 1]
            lengths = np.linalg.norm(self.points[i] - self.points[j], axis=1)
            sums = np.bincount(i, lengths, len(self.points))
            to = np.concatenate([self.points[j], np.ones((len(j), 1))], axis=1)
            shape = (((self.q[i] + self.q[j]) @ to[:, :, None])[:, :, 0] * to).sum(axis=1)
            best = (np.maximum(shape, 0) + 0.1 * lengths * sums[i]).argmin()  # w_a 1, w_b 0.1
            self.q[j[best]] += self.q[i[best]]
            self.merge(int(i[best]), int(j[best]))
            left -= 1


def check_collapse(d):
    c = Collapse(d)
    c.merge_short()
    c.collapse(len(d.points))
    kept = np.unique(c.into)
    ours = d.graph_points
    # where most of a point's vertices went
    match = {k: np.bincount(ours[c.into == k]).argmax() for k in kept}
    same = np.mean([match[c.into[v]] == ours[v] for v in range(d.n)])
    check("control points", len(kept) == len(d.points) and len(set(match.values())) == len(kept), f"{len(kept)}")
    check("vertices of each", same > 1 - WITHIN, f"{100 * same:.2f} % the same")
    apart = max(np.linalg.norm(c.points[k] - d.points[match[k]]) for k in kept) / d.diagonal
    check("their positions", apart < WITHIN, f"{100 * apart:.2g} % of the diagonal apart")


def check_centers(d):
    points, count = d.states[0], len(d.points)
    corner = points[d.triangles]
    cross = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    third, area, center, cones = np.linalg.norm(cross, axis=1) / 6, np.zeros(count), np.zeros((count, 3)), np.zeros(count)
    for i in range(3):
        point = d.graph_points[d.triangles[:, i]]
        np.add.at(area, point, third)
        np.add.at(center, point, third[:, None] * corner[:, i])
        np.add.at(cones, point, ((corner[:, 0] - d.centers[point]) * cross).sum(axis=1) / 18)
    center /= np.maximum(area, 1e-300)[:, None]
    apart = np.abs(center - d.centers)[area > 0].max() / d.diagonal
    check("centers of areas", apart < EXACT, f"{apart:.2g} of the diagonal apart")
    size = max(np.abs(cones).max(), 1e-300)
    check("volumes of regions", np.abs(np.maximum(cones, 0) - d.volumes).max() < EXACT * size)
    check("the root has the largest", d.root == int(cones.argmax()), f"{d.root}")


def check_tree(d):
    between = d.graph_points[all_edges(d)]
    adjacent = {(min(a, b), max(a, b)) for a, b in between if a != b}
    told = {tuple(sorted(edge)) for edge in np.concatenate([d.curve, d.cuts]).tolist()}
    check("edges of the curve are those between regions", told == adjacent or components(d.n, all_edges(d))[1] > 1, f"{len(told)}")
    group, count = components(len(d.points), d.curve)
    check("the curve is a tree", count == 1 and len(d.curve) == len(d.points) - 1, f"{len(d.cuts)} cut")


# ---- 6 weights ----

def floyd_warshall(n, edges, lengths):
    table = np.full((n, n), np.inf)
    table[edges[:, 0], edges[:, 1]] = table[edges[:, 1], edges[:, 0]] = lengths
    table[np.diag_indices(n)] = 0
    for k in range(n):
        np.minimum(table, table[:, [k]] + table[[k]], out=table)
    return table


def dijkstra(n, edges, lengths, begin):
    around = [[] for _ in range(n)]
    for (a, b), length in zip(edges, lengths):
        around[a].append((b, length))
        around[b].append((a, length))
    far = np.full(n, np.inf)
    far[begin] = 0
    queue = [(0.0, begin)]
    while queue:
        length, v = heapq.heappop(queue)
        if length > far[v]:
            continue
        for other, more in around[v]:
            if length + more < far[other]:
                far[other] = length + more
                heapq.heappush(queue, (length + more, other))
    return far


def check_weights(d):
    points, edges = d.states[0], all_edges(d)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    joints = np.array(d.joints)
    to_point = np.linalg.norm(joints[:, None] - d.centers[None], axis=2)
    check("joints are the control points", to_point.min(axis=1).max() < EXACT * d.diagonal, f"{len(joints)}")
    apart = np.linalg.norm(joints[:, None] - points[None], axis=2)
    nearest = apart.argmin(axis=1)
    if d.n > LARGE:
        table = np.array([dijkstra(d.n, edges, lengths, v) for v in nearest])
    else:
        table = floyd_warshall(d.n, edges, lengths)[nearest]
    geodesic = (table + apart.min(axis=1)[:, None]).T  # (5)
    closest = np.argsort(geodesic, axis=1)[:, :d.influences]
    near = np.take_along_axis(geodesic, closest, axis=1)
    value = 1 / np.maximum(near, 1e-12 * d.diagonal)
    value /= value.sum(axis=1, keepdims=True)  # (6)
    mine, own = np.zeros((d.n, len(joints))), np.zeros((len(d.graph_vertices), len(joints)))
    np.put_along_axis(mine, closest, value, axis=1)
    bones, values = d.weight_bones.reshape(-1, d.influences), d.weight_values.reshape(-1, d.influences)
    for i in range(d.influences):
        np.add.at(own, (np.arange(len(own)), bones[:, i]), values[:, i])
    used = d.graph_vertices >= 0
    error = np.abs(own[used] - mine[d.graph_vertices[used]]).sum(axis=1) / 2
    # which of two vertices is nearest, and which of two control points is the fourth, is a choice where they are equally far
    check("weights", np.mean(error) < WITHIN and np.mean(error > 1e-5) < WITHIN,
          f"{100 * np.mean(error):.2g} % of a vertex apart, {100 * np.mean(error > 1e-5):.2g} % of the vertices differ")


# ---- all ----

def models(ossa, folder):
    """name, file, control points, splitting distance, how many steps are skipped from one that is checked to the next"""
    for sample in ("quadruped", "octopus", "pieces"):
        subprocess.run([ossa, "sample", sample, "--faces", "1000", "--frames", "1", "-o", folder / sample, "--quiet"], check=True)
        yield sample, folder / sample / "rest.obj", 24, 0, 1
    yield "quadruped split", folder / "quadruped/rest.obj", 24, 1.5, 1
    for name, path in (("fox", "characters/fox_khr/rest.obj"), ("spot", "static/odedstein/spot/spot_low_resolution.obj"),
                       ("horse", "characters/q_horse/rest.obj"), ("lion", "poses/lion-poses/lion-reference.obj")):
        if (SHARED / path).exists():
            yield name, SHARED / path, 24, 0, 5 if name == "lion" else 1


def test(program, folder, name, path, wanted, split, every):
    d = Dump(program, wanted, split, path)
    print(f"{name}: {d.n} vertices, {len(d.pulls) - 1} steps, {len(d.points)} control points")
    check_graph(d, path)
    check_contraction(d, every)
    check_collapse(d)
    check_centers(d)
    check_tree(d)
    check_weights(d)


def main():
    program, ossa = (str(Path(word).resolve()) for word in sys.argv[1:3])
    return run(lambda folder: models(ossa, folder), sys.argv[3:], lambda *model: test(program, *model))


sys.exit(main())
