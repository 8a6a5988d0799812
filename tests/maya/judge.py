"""Runs Maya scripts that ossa wrote with the mock and compares what they build with what ossa itself says.

usage: judge.py [--largest-step DEGREES] NAME.py...
Beside NAME.py lie NAME.obj (the rest pose, in metres, Y up) and, where it moves, NAME.mdd (every frame); for each morph target
NAME.morph-1.obj and .mdd, the same with that target at weight 1, and NAME.morphs, a line with the name of each. Each script is run in
scenes of different units and axes, twice in the same scene, and may call only what Maya's documentation knows.
"""
import os
import struct
import sys
from pathlib import Path

import numpy

import stand_in

TOLERANCE = 1e-5
# a usual run of the tests poses every third frame
STEP = 1 if "OSSA_LONG_TESTS" in os.environ else 3


class Failure(Exception):
    pass


def require(good, message):
    if not good:
        raise Failure(message)


# ---- what ossa says ----

def read_mdd(path):
    """(seconds, frames x points x 3)"""
    raw = path.read_bytes()
    frames, points = struct.unpack_from(">ii", raw)
    times = numpy.frombuffer(raw, ">f4", frames, 8)
    return times.astype(float), numpy.frombuffer(raw, ">f4", frames * points * 3, 8 + 4 * frames).reshape(frames, points, 3)


class Obj:
    def __init__(self, path):
        lists = {"v": [], "vt": [], "vn": []}
        self.faces, self.materials, material = [], [], None
        for line in path.read_text().splitlines():
            word, *rest = line.split(" ") if line else [""]
            if word in lists:
                lists[word].append([float(value) for value in rest])
            elif word == "usemtl":
                material = None if rest == ["none"] else " ".join(rest)
            elif word == "f":
                corners = [tuple(int(index) - 1 if index else None for index in (corner + "//").split("/")[:3]) for corner in rest]
                self.faces.append(corners)
                self.materials.append(material)
        self.points = numpy.array([v[:3] for v in lists["v"]]).reshape(-1, 3)
        self.uvs, self.normals = lists["vt"], lists["vn"]


def in_scene(points, up):
    """metres, Y up, in the scene's centimetres and axes"""
    x, y, z = (100 * points).T
    return numpy.stack([x, y, z] if up == "y" else [x, -z, y], axis=1)


# ---- the comparison ----

def check_mesh(mesh, obj, up):
    wanted = [face for face in obj.faces if len({v for v, _, _ in face}) >= 3]
    require(mesh.sizes == [len(face) for face in wanted], "faces of other sizes")
    require(mesh.vertices == [v for face in wanted for v, _, _ in face], "faces of other vertices")
    uv_at = iter(mesh.uv_ids or [])
    for number, face in enumerate(wanted):
        has_uvs = all(t is not None for _, t, _ in face)
        require((mesh.uv_counts or [0] * len(wanted))[number] == (len(face) if has_uvs else 0), f"face {number}: UV count")
        for v, t, n in face:
            if has_uvs:
                require(numpy.allclose(mesh.uvs[next(uv_at)], obj.uvs[t], atol=1e-6), f"face {number}: UV")
            own = (mesh.normals or {}).get((number, v))
            require((own is None) == (n is None), f"face {number}: normal missing")
            if n is not None:
                turned = in_scene(numpy.array([obj.normals[n]]) / 100, up)[0]
                require(numpy.allclose(own, turned, atol=1e-6), f"face {number}: normal")
    groups = [(group or "").rstrip("0123456789") for group in mesh.shading]
    named = ["initialShadingGroup" if material is None else "".join(c if c.isascii() and c.isalnum() else "_"
             for c in material) for material in obj.materials]
    if any(material is not None for material in obj.materials):
        # one letter in UTF-8 is several bytes, each a _
        plain = [group.replace("_", "") for group in groups]
        require(all(a in (b.replace("_", "") + "SG", b) for a, b in zip(plain, named)), f"materials {set(plain)}")
    else:
        require(set(mesh.shading) == {"initialShadingGroup"}, "faces without a shading group")


def check_curves(scene, joints, times, largest_step):
    for joint in joints:
        for name, curve in joint.curves.items():
            require(len(curve) == len(times) and numpy.allclose(sorted(curve), times, atol=2e-9 + 1e-6 * max(times)),
                    f"{joint.name}.{name}: keys at other times")
            require(all(key[1:] == ("linear", "linear") for key in curve.values()), f"{joint.name}.{name}: tangents")
            values = [curve[time][0] for time in sorted(curve)]
            if name.startswith("rotate") and len(values) > 1:
                step = numpy.abs(numpy.diff(values)).max()
                require(step <= largest_step, f"{joint.name}.{name} jumps by {step:.1f} degrees")


def check_morphs(mesh, path):
    """the targets of a mesh, which have the names and numbers that they should"""
    named = path.with_suffix(".morphs")
    names = named.read_text().splitlines() if named.exists() else []
    require(bool(mesh.blend) == bool(names), "a blendShape node, or none, against what ossa says")
    targets = mesh.blend.targets if names else {}
    require([targets[number].alias for number in sorted(targets)] == names, f"targets {[t.alias for t in targets.values()]}, not {names}")
    require(sorted(targets) == list(range(len(names))), "targets of other numbers")
    return [targets[number] for number in range(len(names))]


def difference(scene, mesh, path):
    """the largest between a mesh and what is beside a path, at rest and in all frames, as a share of the diagonal"""
    rest = in_scene(Obj(path.with_suffix(".obj")).points, scene.up)
    size, mdd = numpy.linalg.norm(rest.max(0) - rest.min(0)), path.with_suffix(".mdd")
    worst = numpy.abs(scene.skinned(mesh) - rest).max()
    for time, frame in list(zip(*read_mdd(mdd)))[::STEP] if mdd.exists() else ():
        worst = max(worst, numpy.abs(scene.skinned(mesh, time) - in_scene(frame, scene.up)).max())
    return worst / size


def run_script(path, scene):
    """what build() gives: the script's names and Maya's"""
    space = {"__name__": "not main"}
    stand_in.install(scene)
    exec(compile(path.read_text(), str(path), "exec"), space)
    before = (scene.linear, scene.angle, scene.up, scene.rate, scene.undo)
    joints = space["build"]()
    require(before == (scene.linear, scene.angle, scene.up, scene.rate, scene.undo), "the scene's settings are changed")
    return joints, space


def judge_in(path, scene, runs, largest_step):
    obj = Obj(path.with_suffix(".obj")) if path.with_suffix(".obj").exists() else None
    mdd = path.with_suffix(".mdd")
    worst = 0.0
    for run in range(runs):
        known = set(scene.dag)
        joints, space = run_script(path, scene)
        made = [node for node in scene.dag if node not in known]
        bones = [scene.find(joints[name]) for name, *_ in space["JOINTS"]]
        meshes = [node for node in made if node.kind == "mesh"]
        for name, parent, *_ in space["JOINTS"] + space["ENDS"]:
            node = scene.find(joints[name])
            require(run > 0 or node.name == name, f"{name} is called {node.name}")
            require(not parent or node.parent is scene.find(joints[parent]), f"{name} hangs elsewhere")
        if mdd.exists():
            check_curves(scene, bones, read_mdd(mdd)[0], largest_step)
        require(len(meshes) == (1 if obj else 0), f"{len(meshes)} meshes")
        if not obj:
            continue
        check_mesh(meshes[0], obj, scene.up)
        require(meshes[0].skin is not None or not mdd.exists(), "the mesh has no skin")
        worst = max(worst, difference(scene, meshes[0], path))
        targets = check_morphs(meshes[0], path)
        for number, target in enumerate(targets):
            at_rest, target.weight = target.weight, 1
            worst = max(worst, difference(scene, meshes[0], path.with_suffix(f".morph-{number + 1}.py")))
            target.weight = at_rest
    require(worst <= TOLERANCE, f"worst vertex {worst:.1e} of the diagonal")
    return worst


def judge(path, largest_step):
    worst = judge_in(path, stand_in.Scene(), 2, largest_step)
    scene = stand_in.Scene(linear="m", angle="rad", up="z", rate=30.0)
    worst = max(worst, judge_in(path, scene, 1, largest_step))
    calls = {}
    for name, _, _ in scene.calls:
        calls[name] = calls.get(name, 0) + 1
    print(f"maya: {path.name}: worst vertex {worst:.1e} of the diagonal; calls:",
          ", ".join(f"{count} {name}" for name, count in sorted(calls.items())))


def main(words):
    largest_step = 181.0
    if words and words[0] == "--largest-step":
        largest_step, words = float(words[1]), words[2:]
    failed = 0
    for word in words:
        try:
            judge(Path(word), largest_step)
        except Failure as failure:
            print(f"maya: {word}: {failure}")
            failed += 1
    return 1 if failed or not words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
