"""The formulas of S. Schaefer and C. Yuksel, Example-Based Skeleton Extraction, SGP 2007, in numpy: an oracle for `ossa rig
--method examples --refine 0`. It shares no code with ossa, and takes another path where there is one: rotations by singular
values instead of quaternions, weights by solving anew after every elimination, floods vertex by vertex.

Input: rest (V x 3), triangles (F x 3), poses (K x V x 3).
"""
import heapq

import numpy as np

# the paper gives no bound below which its pseudo-inverse calls a direction silent: share of the largest eigenvalue
SILENT = 0.1


def diagonal(points):
    return np.linalg.norm(points.max(0) - points.min(0))


# ---- 3.1 rigid error functions ----

def face_sums(rest, triangles, poses):
    """The paper's numbers of each face and pose: area, A c(p), A c(q), integral of p q^T, integral of |p|^2 + |q|^2."""
    p, q = rest[triangles], poses[:, triangles]
    area = np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1) / 2
    cp, cq = p.mean(1), q.mean(2)
    products = np.einsum("fjr,kfjs->fkrs", p, q) + 9 * np.einsum("fr,kfs->fkrs", cp, cq)
    squares = (p**2).sum((1, 2)) + 9 * (cp**2).sum(1) + (q**2).sum((2, 3)) + 9 * (cq**2).sum(2)
    return (area, area[:, None] * cp, area[:, None, None] * cq.transpose(1, 0, 2), area[:, None, None, None] / 12 * products,
            (area / 12 * squares).T)


def correlation(sums):
    """M of the centred points, and what is left of the squares."""
    area, cp, cq, m, squares = sums
    scale = np.where(area > 0, 1 / np.where(area > 0, area, 1), 0)
    m = m - scale[..., None, None, None] * np.einsum("...r,...ks->...krs", cp, cq)
    left = squares - scale[..., None] * ((cp**2).sum(-1)[..., None] + (cq**2).sum(-1))
    return m, left


def rigid_error(sums):
    """Summed over the poses. The best rotation takes the singular values of M, the least with the sign of its determinant."""
    m, left = correlation(sums)
    singular = np.linalg.svd(m, compute_uv=False)
    trace = singular[..., 0] + singular[..., 1] + np.where(np.linalg.det(m) < 0, -1, 1) * singular[..., 2]
    return np.maximum(left - 2 * trace, 0).sum(-1)


def motions(sums):
    """R (B x K x 3 x 3) and T (B x K x 3) of each cluster."""
    area, cp, cq = sums[:3]
    m, _ = correlation(sums)
    u, _, vt = np.linalg.svd(m)
    turn = np.ones(m.shape[:-1])
    turn[..., 2] = np.where(np.linalg.det(np.einsum("...ij,...jk->...ik", u, vt)) < 0, -1, 1)
    r = np.einsum("...ji,...j,...kj->...ik", vt, turn, u)
    return r, (cq - np.einsum("...kij,...j->...ki", r, cp)) / area[..., None, None]


# ---- 3.2 face clustering ----

def face_pairs(triangles):
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    faces = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((faces, edges[:, 1], edges[:, 0]))
    edges, faces = edges[order], faces[order]
    pairs, step, left = [], 1, True
    while left:  # an edge of more than two faces pairs each of them with each
        same = (edges[step:] == edges[:-step]).all(1)
        pairs.append(np.stack([faces[:-step][same], faces[step:][same]], 1))
        step, left = step + 1, same.any()
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def cluster_levels(rest, triangles, poses, wanted):
    """The cluster of each face, for each number of clusters that is wanted, from one run of merges."""
    sums = face_sums(rest, triangles, poses)
    pairs = face_pairs(triangles)
    errors = rigid_error(tuple(part[pairs[:, 0]] + part[pairs[:, 1]] for part in sums))
    queue = [(error, int(a), int(b), 0, 0) for error, (a, b) in zip(errors, pairs)]
    heapq.heapify(queue)
    state = {f: tuple(part[f] for part in sums) for f in range(len(triangles))}
    neighbors = {f: set() for f in state}
    for a, b in pairs:
        neighbors[a].add(int(b))
        neighbors[b].add(int(a))
    version = dict.fromkeys(state, 0)
    members = {f: [f] for f in state}
    levels = {}
    while queue and len(state) > min(wanted):
        error, a, b, version_a, version_b = heapq.heappop(queue)
        if a not in state or b not in state:
            continue
        if (version[a], version[b]) != (version_a, version_b):  # dirty: the union only grew
            union = tuple(x + y for x, y in zip(state[a], state[b]))
            heapq.heappush(queue, (float(rigid_error(union)), a, b, version[a], version[b]))
            continue
        state[a] = tuple(x + y for x, y in zip(state[a], state.pop(b)))
        members[a] += members.pop(b)
        version[a] += 1
        for other in neighbors.pop(b):
            neighbors[other].discard(b)
            if other == a:
                continue
            if other not in neighbors[a]:  # the edge of b was its own; its key stays a lower bound
                heapq.heappush(queue, (error, a, other, -1, -1))
            neighbors[other].add(a)
            neighbors[a].add(other)
        if len(state) in wanted:
            cluster = np.empty(len(triangles), int)
            for index, faces in enumerate(members.values()):
                cluster[faces] = index
            levels[len(state)] = cluster
    return levels


def cluster_sums(rest, triangles, poses, cluster):
    count = cluster.max() + 1
    sums = []
    for part in face_sums(rest, triangles, poses):
        total = np.zeros((count, *part.shape[1:]))
        np.add.at(total, cluster, part)
        sums.append(total)
    return tuple(sums)


# ---- 4 skinning ----

def solve_weights(rest, poses, r, t, allowed, most):
    """V x B: least squares under the sum alone; the smallest weight is forced to zero while one is negative or too many are
    left."""
    vertices, bones = allowed.shape
    weights = np.zeros((vertices, bones))
    for begin in range(0, vertices, 1024):
        part = slice(begin, begin + 1024)
        places = np.einsum("bkij,vj->vbki", r, rest[part]) + t
        misfit = (places - poses[:, part].transpose(1, 0, 2)[:, None]).reshape(len(places), bones, -1)
        gram = np.einsum("vbi,vci->vbc", misfit, misfit)
        # fewer rows than bones leave the paper's system open: the ridge picks the solution of least norm
        ridge = 1e-9 * np.trace(gram, axis1=1, axis2=2) / bones + 1e-300
        active = allowed[part].copy()
        for _ in range(bones):
            both = active[:, :, None] & active[:, None, :]
            system = np.where(both, gram, 0) + np.eye(bones) * np.where(active, ridge[:, None], 1)[:, :, None]
            a = np.where(active, np.linalg.solve(system, active.astype(float)[..., None])[..., 0], 0)  # numpy 1 and 2
            a /= a.sum(1, keepdims=True)
            smallest = np.where(active, a, np.inf).argmin(1)
            rows = np.arange(len(a))
            going = (a[rows, smallest] < 0) | (active.sum(1) > most)
            if not going.any():
                break
            active[rows[going], smallest[going]] = False
        weights[part] = a
    return weights


def vertex_neighbors(count, triangles):
    neighbors = [set() for _ in range(count)]
    for a, b, c in triangles:
        neighbors[a] |= {b, c}
        neighbors[b] |= {a, c}
        neighbors[c] |= {a, b}
    return neighbors


def influence_maps(weights, neighbors):
    """V x B: for each bone the flood from the vertex of its largest weight through vertices of weight above 0; vertices of no
    map take those of their neighbours."""
    maps = np.zeros(weights.shape, bool)
    for bone in range(weights.shape[1]):
        first = int(weights[:, bone].argmax())
        if weights[first, bone] <= 0:
            continue
        stack, maps[first, bone] = [first], True
        while stack:
            for other in neighbors[stack.pop()]:
                if weights[other, bone] > 0 and not maps[other, bone]:
                    maps[other, bone] = True
                    stack.append(other)
    while not (covered := maps.any(1)).all():
        for vertex in np.flatnonzero(~covered):
            for other in neighbors[vertex]:
                if covered[other]:
                    maps[vertex] |= maps[other]
        if (maps.any(1) == covered).all():
            break
    return maps


# ---- errors ----

def skin(rest, r, t, weights):
    return np.einsum("vb,bkvi->kvi", weights, np.einsum("bkij,vj->bkvi", r, rest) + t[:, :, None])


def rms_percent(rest, poses, found):
    return 100 * np.sqrt(((found - poses)**2).sum(2).mean()) / diagonal(rest)


def face_normals(points, triangles):
    """Their length is twice the area."""
    p = points[..., triangles, :]
    return np.cross(p[..., 1, :] - p[..., 0, :], p[..., 2, :] - p[..., 0, :])


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)


def polygon_normal_rms(poses, found, triangles):
    """Of the unit normals of the polygons (the caption of Figure 5)."""
    return np.sqrt(((unit(face_normals(poses, triangles)) - unit(face_normals(found, triangles)))**2).sum(2).mean())


def vertex_normals(points, triangles):
    faces, normals = face_normals(points, triangles), np.zeros_like(points)
    for corner in range(3):
        for k in range(len(points)):
            np.add.at(normals[k], triangles[:, corner], faces[k])
    return unit(normals)


def vertex_normal_rms(poses, found, triangles):
    """As docs/metrics.md defines it: of the unit normals of vertices."""
    return np.sqrt(((vertex_normals(poses, triangles) - vertex_normals(found, triangles))**2).sum(2).mean())


# ---- 5 skeleton ----

def tree_of(weights):
    """Pairs of bones: the maximal spanning tree over the weights that blend."""
    bones = weights.shape[1]
    graph = np.zeros((bones, bones))
    largest = weights.argmax(1)
    np.add.at(graph, largest, weights)
    graph += graph.T
    np.fill_diagonal(graph, 0)
    inside, edges = {0}, []
    while len(inside) < bones:
        rows, outside = sorted(inside), [b for b in range(bones) if b not in inside]
        at = graph[np.ix_(rows, outside)].argmax()
        edge = rows[at // len(outside)], outside[at % len(outside)]
        edges.append((*edge, graph[edge]))
        inside.add(edge[1])
    return edges


def joint_of(rest, r, t, weights, a, b):
    largest = weights.argmax(1)
    share = np.where((largest == a) | (largest == b), np.minimum(weights[:, a], weights[:, b]), 0)
    guess = share @ rest / share.sum()
    d, e = (r[a] - r[b]).reshape(-1, 3), (t[a] - t[b]).reshape(-1)
    values, vectors = np.linalg.eigh(d.T @ d)
    speaks = values > SILENT * values.max()
    offset = -(vectors.T @ (d.T @ (d @ guess + e)))
    return guess + vectors[:, speaks] @ (offset[speaks] / values[speaks])


def root_of(rest, triangles, cluster):
    area = np.linalg.norm(face_normals(rest, triangles), axis=1)
    center = rest[triangles].mean(1)
    middle = area @ center / area.sum()
    own = np.array([area[cluster == c] @ center[cluster == c] / area[cluster == c].sum() for c in range(cluster.max() + 1)])
    return int(np.linalg.norm(own - middle, axis=1).argmin())


# ---- all of it ----

def extract(rest, triangles, poses, cluster, most=4, local=True, skeleton=True):
    rest_middle, pose_middle = rest.mean(0), poses.mean(1)
    p, q = rest - rest_middle, poses - pose_middle[:, None]
    r, t = motions(cluster_sums(p, triangles, q, cluster))
    weights = solve_weights(p, q, r, t, np.ones((len(p), len(r)), bool), most)
    if local:
        maps = influence_maps(weights, vertex_neighbors(len(p), triangles))
        weights = solve_weights(p, q, r, t, maps, most)
    found = skin(p, r, t, weights)
    result = {"rms_percent": rms_percent(p, q, found), "normal_rms": vertex_normal_rms(q, found, triangles),
              "polygon_normal_rms": polygon_normal_rms(q, found, triangles)}
    if not skeleton:
        return result
    edges = tree_of(weights)
    root = root_of(p, triangles, cluster)
    # pairs that blend nowhere have no joint by the paper's formula
    joints = [(rest_middle + joint_of(p, r, t, weights, a, b), root in (a, b)) for a, b, mass in edges if mass > 0]
    result["joints"] = np.array([joint for joint, _ in joints])
    result["root_joints"] = np.array([joint for joint, at_root in joints if at_root])
    return result
