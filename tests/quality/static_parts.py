"""What is measured of rigs of static meshes: one class for each table. scripts/static_quality runs them.

Each has `name`, `title`, `columns` (compared with what was accepted), `told` (also printed, never compared), `tasks(work)` -> names and
calls that give one row each, `promises(rows)` -> (what, wanted, is, kept) and `summary(rows)` -> lines below the table. Definitions: docs/metrics.md."""
import json
import math
import statistics
import subprocess
import threading

import numpy as np
import shapes
from skeletons import Skeleton, bone_lengths, joint_gaps, matched_bones, owned, share_inside, tips_found

SAME_REACH = 0.02   # joints of a shape that is the same lie within this share of the diagonal
SAME_LENGTH = 0.05  # bones of a shape in another pose are as long, within this share


class Failed(Exception):
    pass


class Work:
    """where things are, and how ossa is called"""

    def __init__(self, root, folder, fast=False, ossa=None):
        self.folder, self.fast = folder, fast
        self.ossa, self.shared = ossa or root / "build/ossa", root.parent / "shared"
        self.judge = self.shared / "tools/measure_rig.py"
        self.known, self.locks = {}, {}

    def command(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1200)
        if done.returncode != 0:
            raise Failed((done.stderr or done.stdout).strip()[-300:] or f"exit status {done.returncode}")
        return done.stdout

    def rig(self, mesh, name, *options):
        """its report, with `bones` of the rig's own file, and the path of the .glb"""
        out = self.folder / f"{name}.glb".replace(" ", "-").replace("%", "").replace("/", "-")
        method = [] if "--method" in options else ["--method", "contraction"]
        words = [self.ossa, "rig", mesh, *method, *options, "-o", out, "-o", out.with_suffix(".json")]
        report = json.loads(self.command(*words, "--json", "--quiet"))
        return report, json.loads(out.with_suffix(".json").read_text()), out

    def sample(self, kind, faces):
        here = self.folder / f"sample-{kind}-{faces}"
        if not (here / "truth.glb").exists():
            self.command(self.ossa, "sample", kind, "--faces", faces, "--frames", 1, "-o", here, "--quiet")
        return here / "rest.obj", here / "truth.glb"

    def bones_of(self, rig):
        return json.loads(self.command(self.ossa, "inspect", "--json", rig))["rig"]["bones"]

    def characters(self):
        if not self.judge.is_file():
            return []
        return sorted(path.parent for path in (self.shared / "corpus/characters").glob("*/truth.json"))

    def still(self, name):
        path = self.shared / "corpus/static/odedstein" / name
        return path if path.is_file() else None


def stage_seconds(report):
    """CPU of all stages but reading; writing is none"""
    return sum(stage["cpu_seconds"] for stage in report["stages"] if stage["name"] != "read")


def number(value, digits):
    return "" if value is None or not math.isfinite(value) else f"{value + 0.0:.{digits}f}"


def middle(rows, column):
    values = [float(row[column]) for row in rows if row.get(column)]
    return statistics.median(values) if values else math.nan


def share(flags):
    flags = list(flags)
    return sum(flags) / len(flags) if flags else math.nan


def warned(report):
    return " ".join(warning["code"] for warning in report["warnings"])


# ---- against artists ----

def artist_tree(truth):
    """joints that move vertices, and how many of them have none below"""
    kept = [i for i, joint in enumerate(truth["joints"]) if joint["influences"] > 0]
    above = set()
    for i in kept:
        parent = truth["joints"][i]["parent"]
        while parent >= 0 and parent not in kept:
            parent = truth["joints"][parent]["parent"]
        above.add(parent)
    return len(kept), len(set(kept) - above)


class Artists:
    name, title = "artists", "Against artists' skeletons"
    columns = ["model", "run", "vertices", "pieces", "asked", "joints", "their_joints", "leaves", "their_leaves", "cd_j2j", "cd_j2b", "cd_b2b",
               "precision", "recall", "joints_inside", "bones_inside", "note"]
    told = ["seconds"]

    def tasks(self, work):
        for here in [] if work.fast else work.characters():
            truth = json.loads((here / "truth.json").read_text())
            runs = [("told", 0), ("24", 24)] + ([("theirs", artist_tree(truth)[0])] if artist_tree(truth)[0] > 0 else [])
            for run, bones in runs:
                yield (here.name, run), (self.measure, work, here, truth, run, bones)
            yield (here.name, "volume"), (self.measure, work, here, truth, "volume", 0, "--method", "volume")

    def measure(self, work, here, truth, run, bones, *options):
        rest = here / "rest.obj"
        report, rig, glb = work.rig(rest, f"artists-{here.name}-{run}", "--bones", bones, *options)
        their_file = work.folder / f"truth-{here.name}-{run}.json".replace(" ", "-")
        their_file.write_text(json.dumps(truth))
        judged = json.loads(work.command("/usr/bin/python3", work.judge, "--truth", their_file, glb, rest))
        points, faces = shapes.read_obj(rest)
        skeleton = Skeleton(rig["bones"])
        their_joints, their_leaves = artist_tree(truth)
        row = {"vertices": len(points), "pieces": judged["mesh_pieces"], "asked": bones, "joints": judged["joints"], "their_joints": their_joints,
               "leaves": judged["leaf_joints"], "their_leaves": their_leaves, "joints_inside": number(judged["joints_inside"], 2),
               "bones_inside": number(share_inside(skeleton.points_along(), points, faces), 2), "seconds": number(stage_seconds(report), 2)}
        for column in ("cd_j2j", "cd_j2b", "cd_b2b"):
            row[column] = number(judged.get(column), 4)
        row["precision"], row["recall"] = number(judged.get("joint_precision_5"), 2), number(judged.get("joint_recall_5"), 2)
        return row

    def promises(self, rows):
        # a character of loose parts has no skeleton to compare with
        for run, words in (("told", "contraction, as many bones as the shape tells"), ("24", "contraction, 24 bones"), ("volume", "volume, as many bones as the shape tells")):
            own = [row for row in rows if row["run"] == run and row.get("their_joints") != "0"]
            if not own:
                continue
            near = share(bool(row.get("leaves")) and abs(int(row["leaves"]) - int(row["their_leaves"])) <= 1 for row in own)
            yield f"CD-J2J, median, {words}", "<= 0.045", number(middle(own, "cd_j2j"), 4), middle(own, "cd_j2j") <= 0.045
            yield f"CD-B2B, median, {words}", "<= 0.026", number(middle(own, "cd_b2b"), 4), middle(own, "cd_b2b") <= 0.026
            yield f"ends within 1 of the artist's, {words}", ">= half", number(near, 2), near >= 0.5


# ---- limbs ----

# tips as the eye finds them on the pictures: places in the meshes' own units
STILL_TIPS = {
    "hand": ("hand/hand_closed.obj", [(0.045, 0.934, 0.048), (0.311, 0.669, 0.104), (-0.134, 0.895, 0.049), (-0.389, 0.547, 0.153), (0.175, 0.847, 0.057)]),
    "human": ("human/human_man.obj", [(-0.11, 0.0, 0.17), (0.11, 0.0, 0.17), (0.92, 1.44, -0.06), (-0.92, 1.44, -0.06), (0.0, 1.79, 0.01)]),
    "scorpion": ("scorpion/scorpion_low_resolution.obj",
                 [(0, 6.5, -0.78), (1.28, 0.77, 3.9), (-1.28, 0.77, 3.9), (-2.75, 0.06, -3.75), (2.75, 0.06, -3.75), (3.25, 0.08, -1.96),
                  (-3.25, 0.08, -1.96), (3.1, 0.1, -0.2), (-3.1, 0.1, -0.2), (2.67, 0.08, 0.9), (-2.67, 0.08, 0.9)]),
}
# samples: the tips are the ends of the true skeleton
LIMB_SAMPLES = ["octopus", "quadruped", "hand", "biped", "tube", "snake"]
RESOLUTIONS = [5000, 20000, 80000, 300000]


class Limbs:
    name, title = "limbs", "Limbs, each with an end of its own"
    columns = ["model", "run", "wanted", "found", "ends", "branches", "joints", "joints_inside", "bones_inside", "note"]
    told = ["seconds"]

    def tasks(self, work):
        for kind in LIMB_SAMPLES:
            for faces in RESOLUTIONS[:1] if work.fast else RESOLUTIONS[:3]:
                yield (kind, f"{faces // 1000}k faces"), (self.sample, work, kind, faces)
        for name, (path, tips) in STILL_TIPS.items():
            if work.still(path) and not work.fast:
                yield (f"{name} (scan)", "as it is"), (self.measure, work, work.still(path), name, tips)

    def sample(self, work, kind, faces):
        rest, truth = work.sample(kind, faces)
        skeleton = Skeleton(work.bones_of(truth))
        tips = [skeleton.tails[bone] for bone in skeleton.leaves()]
        if len(skeleton.neighbors[0]) == 1:
            tips.append(skeleton.joints[0])
        return self.measure(work, rest, f"{kind}-{faces}", tips)

    def measure(self, work, rest, name, tips):
        report, rig, _ = work.rig(rest, f"limbs-{name}")
        points, faces = shapes.read_obj(rest)
        skeleton = Skeleton(rig["bones"])
        row = {"wanted": len(tips), "found": tips_found(skeleton, tips, shapes.diagonal(points)), "ends": len(skeleton.ends()),
               "branches": len(skeleton.branches()), "joints": len(skeleton.joints), "seconds": number(stage_seconds(report), 2)}
        if len(faces) < 30000:
            row["joints_inside"] = number(share_inside(skeleton.joints, points, faces), 3)
            row["bones_inside"] = number(share_inside(skeleton.points_along(), points, faces), 3)
        return row

    def promises(self, rows):
        if not rows:
            return
        whole = share(row.get("found") == row.get("wanted") and row.get("found", "") != "" for row in rows)
        inside = [float(row["bones_inside"]) for row in rows if row.get("bones_inside")]
        yield "shapes whose limbs are all found", "all", number(whole, 2), whole == 1
        yield "points along bones inside, least", ">= 0.99", number(min(inside, default=math.nan), 3), bool(inside) and min(inside) >= 0.99


# ---- the same shape ----

class Stability:
    name, title = "stability", "The same shape again"
    columns = ["model", "run", "faces", "same", "ends", "branches", "joints", "mean", "worst", "within", "note"]
    told = []
    reference = 20000

    def tasks(self, work):
        kinds = ["octopus"] if work.fast else ["octopus", "quadruped", "hand", "biped"]
        for kind in kinds:
            for faces in [] if work.fast else RESOLUTIONS:
                if faces != self.reference:
                    yield (kind, f"{faces // 1000}k faces"), (self.resolution, work, kind, faces)
            for run in shapes.SAME:
                yield (kind, run), (self.changed, work, kind, lambda kind=kind: self.sample(work, kind), run)
        for name, (path, _) in STILL_TIPS.items():
            if not work.still(path) or work.fast:
                continue
            for faces in RESOLUTIONS:
                yield (f"{name} (scan)", f"{faces // 1000}k faces"), (self.resampled, work, f"{name}-scan", path, faces)
            for run in shapes.SAME:
                yield (f"{name} (scan)", run), (self.changed, work, f"{name}-scan", lambda path=path: shapes.read_obj(work.still(path)), run)

    def sample(self, work, kind):
        return shapes.read_obj(work.sample(kind, 4000 if work.fast else self.reference)[0])

    def once(self, work, mesh, name):
        """the skeleton of a file, or of points and faces; each name is rigged once"""
        with work.locks.setdefault(name, threading.Lock()):
            if name not in work.known:
                path = mesh
                if isinstance(mesh, tuple):
                    path = work.folder / f"stability-{name}.obj".replace(" ", "-").replace("%", "")
                    shapes.write_obj(path, *mesh)
                work.known[name] = Skeleton(work.rig(path, f"stability-{name}")[1]["bones"])
            return work.known[name]

    def resolution(self, work, kind, faces):
        before, after = work.sample(kind, self.reference)[0], work.sample(kind, faces)[0]
        length = shapes.diagonal(shapes.read_obj(before)[0])
        return self.row(self.once(work, before, kind), self.once(work, after, f"{kind}-{faces}"), length, faces)

    def resampled(self, work, name, path, wanted):
        points, faces = shapes.read_obj(work.still(path))
        changed, cut = shapes.with_faces(points, faces, wanted)
        return self.pair(work, name, wanted, (points, faces), (changed, cut), lambda q: q)

    def changed(self, work, name, source, run):
        points, faces = source()
        change, back = shapes.SAME[run]
        return self.pair(work, name, run, (points, faces), change(points, faces), back)

    def pair(self, work, kind, run, before, after, back):
        first = self.once(work, before, kind)
        again = self.once(work, after, f"{kind}-{run}")
        return self.row(first, again.moved(back), shapes.diagonal(before[0]), len(after[1]))

    def row(self, a, b, length, faces):
        gaps = joint_gaps(a, b, length)
        return {"faces": faces, "same": int(a.shape() == b.shape()), "ends": len(b.ends()), "branches": len(b.branches()), "joints": len(b.joints),
                "mean": number(100 * gaps.mean(), 2), "worst": number(100 * gaps.max(), 2), "within": number(share(gaps <= SAME_REACH), 2)}

    def promises(self, rows):
        if not rows:
            return
        same, near = share(row.get("same") == "1" for row in rows), share(row.get("within") == "1.00" for row in rows)
        yield "same branches and ends", "all", number(same, 2), same == 1
        yield "all joints within 2 % of the diagonal", "all", number(near, 2), near == 1


# ---- the same creature in other poses ----

class Poses:
    name, title = "poses", "The same character in other poses"
    columns = ["model", "run", "same", "ends", "rest_ends", "joints", "rest_joints", "matched", "length_change", "within", "note"]
    told = []

    def tasks(self, work):
        for here in [] if work.fast else work.characters():
            frames = sorted(here.glob("frame_*.obj"))
            for frame in frames[len(frames) // 6::len(frames) // 3 or 1]:
                yield (here.name, frame.stem.replace("_", " ")), (self.measure, work, here, frame)

    def measure(self, work, here, frame):
        _, rest, _ = work.rig(here / "rest.obj", f"poses-{here.name}-{frame.stem}-rest")
        _, posed, _ = work.rig(frame, f"poses-{here.name}-{frame.stem}")
        a, b = Skeleton(rest["bones"]), Skeleton(posed["bones"])
        pairs = [(i, k) for i, k in matched_bones(owned(rest["weights"]), owned(posed["weights"]))]
        before, after = bone_lengths(a), bone_lengths(b)
        changes = np.array([abs(after[k] / before[i] - 1) for i, k in pairs if before[i] > 0])
        return {"same": int(a.shape() == b.shape()), "ends": len(b.ends()), "rest_ends": len(a.ends()), "joints": len(b.joints),
                "rest_joints": len(a.joints), "matched": len(pairs),
                "length_change": number(100 * float(np.median(changes)) if len(changes) else math.nan, 1),
                "within": number(share(changes <= SAME_LENGTH), 2)}

    def promises(self, rows):
        if not rows:
            return
        same, change = share(row.get("same") == "1" for row in rows), middle(rows, "length_change")
        yield "pairs that branch alike", ">= 0.80", number(same, 2), same >= 0.8
        yield "change of bones' lengths in %, median of the medians", "<= 5", number(change, 1), change <= 5


# ---- bending ----

class Bend:
    name, title = "bend", "Bent joints"
    columns = ["model", "run", "joints", "volume_45", "volume_90", "crossing_45", "crossing_90", "limbs", "leak", "note"]
    told = []

    def tasks(self, work):
        for kind in [] if work.fast else LIMB_SAMPLES:
            yield (kind, "ours"), (self.ours, work, work.sample(kind, 5000)[0], kind)
            yield (kind, "true"), (self.measure, work, work.sample(kind, 5000)[1])
        for here in [] if work.fast else work.characters():
            yield (here.name, "ours"), (self.ours, work, here / "rest.obj", here.name)
            for glb in sorted(here.glob("*.glb"))[:1]:
                yield (here.name, "true"), (self.measure, work, glb)

    def ours(self, work, rest, name):
        return self.measure(work, work.rig(rest, f"bend-{name}")[2])

    def measure(self, work, glb):
        told = json.loads(work.command(work.ossa, "inspect", "--bend", "--json", glb))["bend"]
        row = {column: number(told[f"{column}_percent"], 2) for column in ("volume_45", "volume_90", "crossing_45", "crossing_90", "leak")}
        return {**row, "joints": told["joints"], "limbs": told["limbs"]}

    def promises(self, rows):
        ours = [row for row in rows if row["run"] == "ours"]
        if not ours:
            return
        leaks = [float(row["leak"]) for row in ours if row.get("leak")]
        yield "vertices that leak in %, worst", "<= 0.5", number(max(leaks, default=math.nan), 2), bool(leaks) and max(leaks) <= 0.5


# ---- time ----

TIME_FACES = {20000: 0.5, 80000: 2, 300000: 4, 1400000: 12}


class Time:
    """not compared: a time is of one machine"""
    name, title = "time", "Time and memory"
    columns = ["model", "run"]
    told = ["faces", "seconds", "stages", "megabytes", "note"]

    def tasks(self, work):
        for faces in [] if work.fast else TIME_FACES:
            yield ("quadruped", f"{faces // 1000}k faces"), (self.measure, work, faces)

    def measure(self, work, faces):
        rest, _ = work.sample("quadruped", faces)
        runs = [work.rig(rest, f"time-{faces}", "--threads", 1)[0] for _ in range(3 if faces < 1e6 else 1)]
        report = sorted(runs, key=stage_seconds)[len(runs) // 2]
        slow = sorted((stage for stage in report["stages"] if stage["name"] != "read"), key=lambda stage: -stage["cpu_seconds"])
        return {"faces": str(faces), "seconds": number(stage_seconds(report), 2), "megabytes": str(report["peak_resident_bytes"] >> 20),
                "stages": ", ".join(f"{stage['name']} {stage['cpu_seconds']:.2f}" for stage in slow[:4])}

    def promises(self, rows):
        rows = [row for row in rows if row.get("seconds")]
        for row in rows:
            wanted = TIME_FACES[int(row["faces"])]
            yield f"CPU seconds, {row['run']}", f"<= {wanted}", row["seconds"], float(row["seconds"]) <= wanted
        if len(rows) > 1:
            x, y = np.log([[float(row[column]) for row in rows] for column in ("faces", "seconds")])
            power = float(np.polyfit(x, y, 1)[0])
            yield "power of the growth with faces", "<= 1.1", number(power, 2), power <= 1.1
            yield "MB at the most faces", "<= 2048", rows[-1]["megabytes"], int(rows[-1]["megabytes"]) <= 2048


PARTS = [Artists(), Limbs(), Stability(), Poses(), Bend(), Time()]
