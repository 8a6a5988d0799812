"""What is measured of rigs from volumes: how they change with the voxels and with how a mesh lies, joints inside, time, every file.

Classes as those of static_parts.py. Definitions: docs/metrics.md."""
import json
import math
import re
import subprocess

import numpy as np
import shapes
from skeletons import Skeleton, joint_gaps, share_inside, winding
from static_parts import STILL_TIPS, Failed, number, share, stage_seconds, warned

VOLUME = ("--method", "volume")
SIZES = (0.02, 0.01, 0.005)
# the samples and the scans of which it is promised
KINDS = ["octopus", "quadruped", "hand", "biped", "tube", "snake", "pieces", "open"]
SCANS = {**{name: path for name, (path, _) in STILL_TIPS.items()}, "cat": "cat/cat-low-resolution.obj"}
MOST_CHANGE, MOST_VOXELS = 0.15, 3
FACES = 20000
GRID = 12


def turn_about(axis, degrees):
    a, b = [k for k in range(3) if k != axis]
    turn, angle = np.eye(3), math.radians(degrees)
    turn[a, a] = turn[b, b] = math.cos(angle)
    turn[a, b], turn[b, a] = -math.sin(angle), math.sin(angle)
    return turn


def turned(axis):
    turn = turn_about(axis, 30)
    return lambda p, f: (p @ turn.T, f), lambda q: q @ turn


CHANGES = {"x": turned(0), "y": turned(1), "z": turned(2), **{run: shapes.SAME[run] for run in ("x 0.001", "x 1000", "shuffled")}}


def is_closed(faces):
    """every edge belongs to two faces"""
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    return len(faces) > 0 and bool((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())


def is_turned(faces):
    """some faces look the other way than their neighbours: an edge runs twice in one direction, and winding numbers mean nothing"""
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    return is_closed(faces) and bool((np.unique(edges, axis=0, return_counts=True)[1] > 1).any())


def is_sheet(points, faces):
    """a surface that winds around no place of a grid over its box by 0.9"""
    low, side = points.min(0), np.maximum(points.max(0) - points.min(0), 0.01 * shapes.diagonal(points))
    places = [(np.arange(GRID) + 0.5) / GRID * side[k] + low[k] - (side[k] - np.ptp(points[:, k])) / 2 for k in range(3)]
    grid = np.stack(np.meshgrid(*places), -1).reshape(-1, 3)
    return not (np.abs(winding(grid, points, faces)) > 0.9).any()


def both(counts):
    return " ".join(str(count) for count in counts)


def spread(text):
    """the largest change against the count at the middle size"""
    counts = [int(word) for word in text.split()]
    return max(abs(count / counts[1] - 1) for count in counts)


class Volume:
    name, title = "volume", "From the volume: other voxels, other places"
    columns = ["model", "run", "segments", "leaves", "joints", "ends", "same", "voxels_moved", "worst_run", "note"]
    told = ["interior", "seconds"]

    def meshes(self, work):
        for kind in KINDS[:1] if work.fast else KINDS:
            yield kind, work.sample(kind, FACES)[0]
        for name, path in SCANS.items():
            if work.still(path) and not work.fast:
                yield f"{name} (scan)", work.still(path)

    def tasks(self, work):
        for name, mesh in self.meshes(work):
            yield (name, "voxels 0.02 0.01 0.005"), (self.sizes, work, name, mesh)
            yield (name, "turned, scaled, shuffled"), (self.changed, work, name, mesh)

    def sizes(self, work, name, mesh):
        """counts at each size: of the paper's segments, and of the bones on a curve"""
        counts, interior, seconds = [], [], 0
        for size in SIZES:
            row = []
            for kind, options in (("segments", ("--refine", 0)), ("curve", ())):
                report, rig, _ = work.rig(mesh, f"volume-{name}-{size}-{kind}", *VOLUME, *options, "--voxel-size", size)
                skeleton = Skeleton(rig["bones"])
                row += [len(skeleton.joints), len(skeleton.ends())]
                seconds += stage_seconds(report)
            counts.append(row)
            interior.append(self.look(work, mesh, "--voxel-size", size)["interior"])
        segments, leaves, joints, ends = (both(column) for column in zip(*counts))
        return {"segments": segments, "leaves": leaves, "joints": joints, "ends": ends, "interior": both(interior), "seconds": number(seconds, 2)}

    def look(self, work, mesh, *options):
        return json.loads(work.command(work.ossa, "inspect", mesh, "--voxels", "--json", *options))["voxels"]

    def changed(self, work, name, mesh):
        points, faces = shapes.read_obj(mesh)
        first, edge = self.skeleton(work, name, points, faces, "as-it-is"), self.look(work, mesh)["edge"]
        same, worst = 0, (-1, "")
        for run, (change, back) in CHANGES.items():
            again = self.skeleton(work, name, *change(points, faces), run).moved(back)
            same += first.shape() == again.shape()
            worst = max(worst, (float(joint_gaps(first, again, edge).max()), run))
        return {"joints": len(first.joints), "ends": len(first.ends()), "same": f"{same} of {len(CHANGES)}",
                "voxels_moved": number(worst[0], 1), "worst_run": worst[1] if worst[0] >= 0.05 else ""}

    def skeleton(self, work, name, points, faces, run):
        path = work.folder / f"volume-{name}-{run}.obj".replace(" ", "-")
        shapes.write_obj(path, points, faces)
        return Skeleton(work.rig(path, f"volume-{name}-{run}", *VOLUME)[1]["bones"])

    def promises(self, rows):
        sizes = [row for row in rows if row["run"].startswith("voxels")]
        moved = [row for row in rows if row["run"].startswith("turned")]
        if sizes:
            # of the paper's segments nothing is promised: every extreme point of a medial surface counts
            for column, wanted in (("joints", MOST_CHANGE), ("ends", 0)):
                kept = share(bool(row.get(column)) and spread(row[column]) <= wanted for row in sizes)
                words = f"within {100 * wanted:.0f} % of those at 0.01" if wanted else "alike at all sizes"
                yield f"shapes whose {column} are {words}", "all", number(kept, 2), kept == 1
            arms = [row["ends"] for row in sizes if row["model"] == "octopus"]
            if arms:
                yield "arms and head of the octopus", "9 9 9", arms[0], arms[0] == "9 9 9"
        if moved:
            same = share(row.get("same", "").split(" of ")[0] == str(len(CHANGES)) for row in moved)
            far = max((float(row.get("voxels_moved") or math.inf) for row in moved))
            yield "turned, scaled, shuffled: same branches and ends", "all", number(same, 2), same == 1
            yield "joints move, voxels, worst", f"<= {MOST_VOXELS}", number(far, 1), far <= MOST_VOXELS


# ---- every file ----

class Files:
    """a surface has a triangle of some area; files that ossa cannot read are reported, and no failure of a method"""
    name, title = "volume-files", "From the volume: every file, joints inside"
    columns = ["model", "run", "surface", "joints", "joints_inside", "warnings", "note"]
    told = ["seconds"]

    def tasks(self, work):
        folder = work.shared / "corpus/static"
        for path in [] if work.fast else sorted(path for path in folder.rglob("*") if path.is_file()):
            yield (path.stem, str(path.parent.relative_to(folder))), (self.file, work, path)
        for kind in ["octopus"] if work.fast else KINDS:
            yield (kind, "sample"), (self.sample, work, kind, "as it is")
        for run in [] if work.fast else shapes.SPOILT:
            yield ("quadruped", run), (self.sample, work, "quadruped", run)

    def sample(self, work, kind, run):
        points, faces = shapes.read_obj(work.sample(kind, FACES)[0])
        path = work.folder / f"files-{kind}-{run}.obj".replace(" ", "-")
        shapes.write_obj(path, *(shapes.SPOILT[run](points, faces) if run in shapes.SPOILT else (points, faces)))
        return self.file(work, path)

    def file(self, work, path):
        try:
            report, rig, _ = work.rig(path, f"files-{path.parent.name}-{path.stem}", *VOLUME)
        except Failed as error:
            return {"surface": "none" if self.has_none(work, path) else "", "note": str(error).split(": ", 1)[-1][-90:].replace("\n", " ")}
        # what ossa read, repaired as its reader does
        again = work.folder / f"files-{path.parent.name}-{path.name}.obj"
        work.command(work.ossa, "convert", path, again, "--quiet")
        points, faces = shapes.read_obj(again)
        skeleton = Skeleton(rig["bones"])
        inside = share_inside(skeleton.joints, points, faces)
        surface = "turned" if is_turned(faces) else "closed" if is_closed(faces) else "sheet" if inside < 0.95 and is_sheet(points, faces) else "open"
        return {"surface": surface, "joints": len(skeleton.joints), "seconds": number(stage_seconds(report), 2),
                "joints_inside": number(inside, 3) if surface not in ("sheet", "turned") else "", "warnings": warned(report)}

    def has_none(self, work, path):
        """whether there is no surface in the file, or none that can be read"""
        try:
            mesh = json.loads(work.command(work.ossa, "inspect", path, "--json"))["mesh"]
        except Failed:
            return True
        return mesh["triangles"] == mesh["degenerate_triangles"] or not mesh["area"] > 0

    def promises(self, rows):
        wanted = [row for row in rows if row.get("surface") != "none"]
        rigged = share(bool(row.get("joints")) for row in wanted)
        yield "files with a surface that get a rig", "all", number(rigged, 2), rigged == 1
        for surface, least in (("closed", 1), ("open", 0.95)):
            inside = [float(row["joints_inside"]) for row in rows if row.get("surface") == surface and row.get("joints_inside")]
            if inside:
                yield f"joints inside, {surface}, least of {len(inside)}", f">= {least:.0%}", number(min(inside), 3), min(inside) >= least


# ---- time ----

BALL = "sphere/sphere.obj"
# a ball fills most of its grid
BODIES = ["quadruped", "octopus", "ball"]
GRIDS = {"200 000 voxels": (0, 0.5), "grid of 256": (256, 1.2), "grid of 512": (512, 10)}


class VolumeTime:
    """not compared: a time is of one machine"""
    name, title = "volume-time", "From the volume: time and memory"
    columns = ["model", "run"]
    told = ["interior", "seconds", "stages", "megabytes", "copies", "note"]

    def tasks(self, work):
        for kind in [] if work.fast else BODIES:
            for run in GRIDS if kind != "ball" or work.still(BALL) else []:
                yield (kind, run), (self.measure, work, kind, run)
        if (work.ossa.parent / "bench/bench_voxels").is_file() and not work.fast:
            for line in self.bench(work):
                yield (line[0], f"distance map, {line[1]}"), (lambda line=line: {"interior": line[2], "copies": line[3]},)

    def bench(self, work):
        """surface, grid, voxels inside, and the distance map's time over that of copying the grid three times"""
        text = subprocess.run([work.ossa.parent / "bench/bench_voxels"], capture_output=True, text=True).stdout
        for words in re.findall(r"^(\w+) +(\d+) x +(\d+) x +(\d+) +(\d+) +\S+ +\S+ +\S+ +(\S+)", text, re.M):
            yield words[0], " x ".join(words[1:4]), words[4], words[5]

    def size_for(self, work, mesh, wanted):
        """the voxel size with so many inside"""
        size = 0.01
        for _ in range(4):
            size *= (Volume().look(work, mesh, "--voxel-size", size)["interior"] / wanted) ** (1 / 3)
        return size

    def measure(self, work, kind, run):
        mesh = work.still(BALL) if kind == "ball" else work.sample(kind, FACES)[0]
        cells, _ = GRIDS[run]
        size = 1 / cells if cells else self.size_for(work, mesh, 200000)
        words = (*VOLUME, "--voxel-size", f"{size:.6g}", "--threads", 1)
        runs = [work.rig(mesh, f"volume-time-{kind}", *words)[0] for _ in range(1 if cells else 3)]
        report = sorted(runs, key=stage_seconds)[len(runs) // 2]
        slow = sorted((stage for stage in report["stages"] if stage["name"] != "read"), key=lambda stage: -stage["cpu_seconds"])
        return {"interior": str(Volume().look(work, mesh, "--voxel-size", f"{size:.6g}")["interior"]), "seconds": number(stage_seconds(report), 2),
                "stages": ", ".join(f"{stage['name']} {stage['cpu_seconds']:.2f}" for stage in slow[:4]), "megabytes": str(report["peak_resident_bytes"] >> 20)}

    def promises(self, rows):
        for run, (_, wanted) in GRIDS.items():
            own = [(float(row["seconds"]), row["model"]) for row in rows if row["run"] == run and row.get("seconds")]
            if own:
                yield f"CPU seconds, {run}, worst ({max(own)[1]})", f"<= {wanted}", number(max(own)[0], 2), max(own)[0] <= wanted
        for kind in BODIES:
            own = [row for row in rows if row["model"] == kind and row.get("seconds")]
            if len(own) == len(GRIDS):
                x, y = np.log([[float(row[column]) for row in own] for column in ("interior", "seconds")])
                power = float(np.polyfit(x, y, 1)[0])
                yield f"power of the growth with interior voxels, {kind}", "<= 1.05", number(power, 2), power <= 1.05
        most = [int(row["megabytes"]) for row in rows if row["run"] == "grid of 512" and row.get("megabytes")]
        if most:
            yield "MB, grid of 512", "<= 2048", str(max(most)), max(most) <= 2048
        copies = [(float(row["copies"]), f"{row['model']} {row['run'].split(', ')[1]}") for row in rows if row.get("copies")]
        if copies:
            yield "distance map over three copies of its grid, median", "<= 4", number(sorted(copies)[len(copies) // 2][0], 1), sorted(copies)[len(copies) // 2][0] <= 4
            yield f"distance map over three copies of its grid, worst ({max(copies)[1]})", "<= 4", number(max(copies)[0], 1), max(copies)[0] <= 4


PARTS = [Volume(), Files(), VolumeTime()]
