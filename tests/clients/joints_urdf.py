"""collada_to_urdf and check_urdf: joints of Collada 1.5 files as robots' programs read them.

usage: joints_urdf.py FILE.dae...   Each has FILE.json: places of the bones, and their turns: axes and limits in degrees. In the URDF
every bone must be as many hinges about these axes, with these limits in radians, at the bone's place.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

CONVERTER = "/usr/lib/collada_urdf/collada_to_urdf"
# collada_to_urdf prints six digits
RADIANS, SHARE = 2e-5, 1e-5


def convert(path, folder):
    """the URDF of a file, as a tree"""
    out = os.path.join(folder, "robot.urdf")
    command = [CONVERTER, "--input_file", os.path.abspath(path), "--output_file", out, "--mesh_output_dir", folder]
    subprocess.run(command, cwd=folder, timeout=60, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["check_urdf", out], timeout=60, check=True, capture_output=True, text=True).stdout
    if "Successfully Parsed" not in text:
        raise RuntimeError("check_urdf does not read it")
    return xml.etree.ElementTree.parse(out).getroot()


def numbers(element, name):
    return [float(word) for word in element.get(name).split()]


def place(origin):
    """rows of [R | t] of an URDF origin: roll, pitch, yaw about fixed x, y, z"""
    (r, p, y), (tx, ty, tz) = numbers(origin, "rpy"), numbers(origin, "xyz")
    cr, sr, cp, sp, cy, sy = math.cos(r), math.sin(r), math.cos(p), math.sin(p), math.cos(y), math.sin(y)
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, tx],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, ty],
        [-sp, cp * sr, cp * cr, tz],
    ]


def product(a, b):
    full = b + [[0, 0, 0, 1]]
    return [[sum(a[i][k] * full[k][j] for k in range(4)) for j in range(4)] for i in range(3)]


def compare(path, robot, facts):
    """the largest differences: of limits in radians, of places as a share of the skeleton's size"""
    joints, bones = robot.findall("joint"), facts["bones"]
    wanted = sum(len(bone["turns"]) for bone in bones)
    if len(joints) != wanted:
        raise RuntimeError(f"{len(joints)} joints for {wanted} turns")
    z_up = "<up_axis>Z_UP" in open(path).read(4000)
    frames = {robot.find("link").get("name"): [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}
    low, high = [min(bone["joint"][k] for bone in bones) for k in range(3)], [max(bone["joint"][k] for bone in bones) for k in range(3)]
    size, angle, distance = math.dist(low, high), 0, 0
    at, rest, left = (lambda bone: [bone["joint"][0], -bone["joint"][2], bone["joint"][1]] if z_up else bone["joint"]), list(bones), []
    for joint in joints:
        frame = product(frames[joint.find("parent").get("link")], place(joint.find("origin")))
        frames[joint.find("child").get("link")] = frame
        here = [row[3] for row in frame]
        if not left:
            # the first turn of a bone: of the one that is nearest, as links have other names
            bone = min(rest, key=lambda bone: math.dist(at(bone), here))
            rest.remove(bone)
            left = list(bone["turns"])
        turn, limit = left.pop(0), joint.find("limit")
        if math.dist(numbers(joint.find("axis"), "xyz"), turn["axis"]) > RADIANS:
            raise RuntimeError(f"{joint.get('name')} turns about another axis")
        angle = max(angle, abs(float(limit.get("lower")) - math.radians(turn["least"])))
        angle = max(angle, abs(float(limit.get("upper")) - math.radians(turn["most"])))
        distance = max(distance, math.dist(at(bone), here) / size)
    return angle, distance


def judge(path):
    with open(os.path.splitext(path)[0] + ".json") as stream:
        facts = json.load(stream)
    try:
        with tempfile.TemporaryDirectory() as folder:
            angle, distance = compare(path, convert(path, folder), facts)
    except (RuntimeError, subprocess.SubprocessError, OSError, LookupError, ValueError, AttributeError) as error:
        print(f"urdf: {path}: {error} FAILED")
        return False
    good = angle <= RADIANS and distance <= SHARE
    print(f"urdf: {path}: {sum(len(bone['turns']) for bone in facts['bones'])} joints, limits within {angle:.1e} radians, places within {distance:.1e} of the size"
          f"{'' if good else ' FAILED'}")
    return good


results = [judge(path) for path in sys.argv[1:]]
sys.exit(0 if all(results) else 1)
