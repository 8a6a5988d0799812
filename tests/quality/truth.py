"""Judges a rig's joints by the true ones: how far they are at rest, and over the frames (JACC, matched one to one).

In: a rig as `ossa rig -o rig.json` writes it, the true joints of a truth.json. Only joints that move a vertex and turn at least
10 degrees against their parent count: no motion determines the others. Lengths are shares of the rest's largest box side."""
import math

LEAST_TURN = 10
FOUND = 0.05


def multiply(p, q):
    (a, b, c, d), (e, f, g, h) = p, q
    return (d * e + a * h + b * g - c * f, d * f - a * g + b * h + c * e, d * g + a * f - b * e + c * h, d * h - a * e - b * f - c * g)


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def turned(q, v):
    return multiply(multiply(q, (*v, 0)), conjugate(q))[:3]


def joints_over_time(rig):
    """the position of every joint at every key, by forward kinematics; parents come before children"""
    bones, clip = rig["bones"], rig["clip"]
    offsets = [turned(conjugate(bones[b["parent"]]["orientation"]), [x - y for x, y in zip(b["joint"], bones[b["parent"]]["joint"])])
               if b["parent"] >= 0 else None for b in bones]
    frames = []
    for root, rotations in zip(clip["root_positions"], clip["rotations"]):
        places, turns = [], []
        for bone, offset, rotation in zip(bones, offsets, rotations):
            parent = bone["parent"]
            if parent < 0:
                places.append(tuple(root))
                turns.append(tuple(rotation))
                continue
            places.append(tuple(x + y for x, y in zip(places[parent], turned(turns[parent], offset))))
            turns.append(multiply(turns[parent], rotation))
        frames.append(places)
    return frames


def assign(cost):
    """pairs (row, column) of least sum, every row of the shorter side in one: the Hungarian method, row by row"""
    if len(cost) > len(cost[0]):
        return sorted((row, column) for column, row in assign([list(line) for line in zip(*cost)]))
    rows, columns = len(cost), len(cost[0])
    u, v = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0], at = row, 0
        least, way, done = [math.inf] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while row_of[at]:
            done[at] = True
            step, following = math.inf, 0
            for column in range(1, columns + 1):
                if done[column]:
                    continue
                reduced = cost[row_of[at] - 1][column - 1] - u[row_of[at]] - v[column]
                if reduced < least[column]:
                    least[column], way[column] = reduced, at
                if least[column] < step:
                    step, following = least[column], column
            for column in range(columns + 1):
                if done[column]:
                    u[row_of[column]] += step
                    v[column] -= step
                else:
                    least[column] -= step
            at = following
        while at:
            row_of[at] = row_of[way[at]]
            at = way[at]
    return sorted((row_of[column] - 1, column - 1) for column in range(1, columns + 1) if row_of[column])


def judge(rig, truth, side):
    """the names of ../shared/tools/measure_rig.py, and the same numbers"""
    kept = [i for i, j in enumerate(truth["joints"]) if j["influences"] > 0 and j.get("moves_degrees", 180) >= LEAST_TURN]
    if not kept:
        return {}
    true = [truth["joints"][i]["rest"] for i in kept]
    ours = [bone["joint"] for bone in rig["bones"]]
    cost = [[math.dist(a, b) / side for b in true] for a in ours]
    pairs = assign(cost)
    nearest = [min(column) for column in zip(*cost)]
    told = {"truth_joints": len(kept), "true_to_ours": sum(nearest) / len(nearest),
            "joint_recall_5": sum(cost[a][b] < FOUND for a, b in pairs) / len(true)}
    world = truth["joint_world_positions"]
    if len(rig["clip"]["rotations"]) == len(world):
        gaps = [math.dist(places[a], now[kept[b]]) for places, now in zip(joints_over_time(rig), world) for a, b in pairs]
        told["jacc_percent"] = 100 * sum(gaps) / len(gaps) / side
    return told
