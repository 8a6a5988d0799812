"""ossa beside what riggers would use instead, on the same meshes in the same run: CGAL's curve, Blender's automatic weights.

Parts as in static_parts.py, which scripts/static_quality runs. The other programs are run where they are installed (libcgal-dev, blender) and
left out where they are not; nothing here is compared with accepted numbers, as it is of one machine and of one version of each."""
import json
import math
import shutil
import statistics
import subprocess
from pathlib import Path

import numpy as np
import shapes
from skeletons import Skeleton, share_inside, tips_found
from static_parts import Failed, RESOLUTIONS, STILL_TIPS, number, share, stage_seconds

HERE = Path(__file__).resolve().parent / "peers"
KINDS = ["octopus", "quadruped", "hand", "biped"]
FACES_TO_JUDGE = 30000      # above, inside or not takes the judge too long


class Curve:
    """nodes and edges: a skeleton without a root, judged as one"""

    def __init__(self, nodes, edges):
        self.nodes, self.edges = np.array(nodes, float).reshape(-1, 3), np.array(edges, int).reshape(-1, 2)
        count = np.bincount(self.edges.ravel(), minlength=len(self.nodes))
        self.ends, self.forks = np.flatnonzero(count == 1), np.flatnonzero(count > 2)

    def points_along(self):
        t = np.linspace(0, 1, 5)[:, None]
        return np.vstack([self.nodes[a] * (1 - t) + self.nodes[b] * t for a, b in self.edges])


class PeersCurve:
    name, title = "peers-curve", "Curves and skeletons beside CGAL's"
    columns = ["model", "run"]
    told = ["by", "faces", "seconds", "limbs", "ends", "branches", "inside", "note"]

    def tasks(self, work):
        if not self.program(work):
            return
        for kind in KINDS[:1] if work.fast else KINDS:
            for faces in RESOLUTIONS[:1 if work.fast else 3]:
                for by in ("ossa", "CGAL"):
                    yield (kind, f"{faces // 1000}k faces, {by}"), (self.sample, work, kind, faces, by)
        for name, (path, tips) in STILL_TIPS.items():
            for by in ("ossa", "CGAL"):
                if work.still(path) and not work.fast:
                    yield (f"{name} (scan)", f"as it is, {by}"), (self.measure, work, work.still(path), f"{name}-scan", tips, by)

    def program(self, work):
        """compiled once for each run: a minute"""
        out = work.folder / "cgal_curve"
        if not out.exists() and shutil.which("c++") and Path("/usr/include/CGAL").is_dir():
            subprocess.run(["c++", "-O2", "-DNDEBUG", "-DCGAL_EIGEN3_ENABLED", "-I/usr/include/eigen3", HERE / "cgal_curve.cpp", "-o", out,
                            "-lgmp", "-lmpfr"], capture_output=True, check=False)
        return out if out.exists() else None

    def sample(self, work, kind, faces, by):
        rest, truth = work.sample(kind, faces)
        skeleton = Skeleton(work.bones_of(truth))
        tips = [skeleton.tails[bone] for bone in skeleton.leaves()]
        return self.measure(work, rest, f"{kind}-{faces}", tips, by)

    def measure(self, work, mesh, name, tips, by):
        points, faces = shapes.read_obj(mesh)
        row = {"by": by, "faces": len(faces)}
        if by == "ossa":
            report, rig, _ = work.rig(mesh, f"peers-{name}", "--threads", 1)
            found, seconds = Skeleton(rig["bones"]), stage_seconds(report)
            ends, forks, limbs = found.ends(), found.branches(), tips_found(found, tips, shapes.diagonal(points))
        else:
            told = json.loads(work.command(self.program(work), mesh))
            found, seconds = Curve(told["nodes"], told["edges"]), told["seconds"]
            ends, forks, limbs = found.ends, found.forks, curve_tips(found, tips, shapes.diagonal(points))
        row.update(seconds=number(seconds, 2), limbs=f"{limbs} of {len(tips)}", ends=len(ends), branches=len(forks))
        if len(faces) < FACES_TO_JUDGE:
            row["inside"] = number(share_inside(found.points_along(), points, faces), 3)
        return row

    def promises(self, rows):
        pairs = paired(rows)
        if not pairs:
            return
        faster = statistics.median(float(theirs["seconds"]) / float(ours["seconds"]) for ours, theirs in pairs)
        yield "CGAL's CPU seconds over ossa's whole rig, median", "> 1", number(faster, 1), faster > 1
        for by, mine in (("ossa", 0), ("CGAL", 1)):
            whole = share(limbs_whole(pair[mine]) for pair in pairs)
            yield f"shapes on which exactly the limbs end, {by}", "all" if by == "ossa" else "", number(whole, 2), whole == 1


def limbs_whole(row):
    """every limb has an end, and no end is anything else"""
    found, wanted = row["limbs"].split(" of ")
    return found == wanted and int(row["ends"]) <= int(wanted) + 1


def curve_tips(curve, tips, diagonal):
    """how many tips have an end of the curve of their own near them"""
    free, found = list(curve.ends), 0
    for tip in tips:
        gaps = [np.linalg.norm(curve.nodes[end] - tip) for end in free]
        if gaps and min(gaps) <= 0.1 * diagonal:
            free.pop(int(np.argmin(gaps)))
            found += 1
    return found


def paired(rows):
    """rows of ossa and of the other on one mesh, both with a result"""
    by = {(row["model"], row["run"].rsplit(", ", 1)[0], row.get("by")): row for row in rows if row.get("seconds")}
    return [(row, by[model, run, "CGAL"]) for (model, run, who), row in by.items() if who == "ossa" and (model, run, "CGAL") in by]


class PeersWeights:
    name, title = "peers-weights", "Weights beside Blender's automatic ones, on the same bones"
    columns = ["model", "run"]
    told = ["vertices", "seconds", "unweighted", "empty_bones", "least_sum", "most_sum", "leak", "volume_90", "note"]

    def tasks(self, work):
        if not shutil.which("blender"):
            return
        for kind in KINDS[:1] if work.fast else [*KINDS, "pieces", "open"]:
            for by in ("ossa", "Blender"):
                yield (kind, f"20k faces, {by}"), (self.measure, work, lambda kind=kind: work.sample(kind, 20000)[0], kind, by)
        for here in [] if work.fast else work.characters():
            for by in ("ossa", "Blender"):
                yield (here.name, f"rest, {by}"), (self.measure, work, lambda here=here: here / "rest.obj", here.name, by)

    def measure(self, work, mesh, name, by):
        report, rig, glb = work.rig(mesh(), f"heat-{name}", "--threads", 1)
        if by == "ossa":
            seconds = sum(stage["cpu_seconds"] for stage in report["stages"] if stage["name"] == "weights")
            sums, used = weight_sums(rig["weights"])
            row = {"vertices": len(sums), "seconds": number(seconds, 2), "unweighted": int((sums <= 1e-6).sum()), "empty_bones": len(rig["bones"]) - used,
                   "least_sum": number(sums.min(), 2), "most_sum": number(sums.max(), 2)}
        else:
            out = glb.with_name(f"{glb.stem}-blender.glb")
            told = subprocess.run(["blender", "--background", "--factory-startup", "--python", HERE / "bone_heat.py", "--", glb, out],
                                  capture_output=True, text=True, timeout=600, check=False)
            lines = [line for line in told.stdout.splitlines() if line.startswith("heat: ")]
            if not lines:
                raise Failed((told.stderr or told.stdout).strip()[-200:])
            heat = json.loads(lines[-1][6:])
            row = {"vertices": heat["vertices"], "seconds": number(heat["seconds"], 2), "unweighted": heat["unweighted"], "empty_bones": heat["empty"],
                   "least_sum": number(heat["least_sum"], 2), "most_sum": number(heat["most_sum"], 2)}
            glb = out
        bend = json.loads(work.command(work.ossa, "inspect", "--bend", "--json", glb))["bend"]
        return {**row, "leak": number(bend["leak_percent"], 2), "volume_90": number(bend["volume_90_percent"], 2)}

    def promises(self, rows):
        for by in ("ossa", "Blender"):
            own = [row for row in rows if row["run"].endswith(by)]
            if own:
                whole = share(row.get("unweighted") == "0" and row.get("empty_bones") == "0" for row in own)
                yield f"models with every vertex weighted and every bone used, {by}", "all" if by == "ossa" else "", number(whole, 2), whole == 1


def weight_sums(weights):
    """the sum of each vertex's weights, and how many bones have any"""
    return np.array([sum(weight for _, weight in pairs) for pairs in weights]), len({bone for pairs in weights for bone, weight in pairs if weight > 1e-6})


PARTS = [PeersCurve(), PeersWeights()]
