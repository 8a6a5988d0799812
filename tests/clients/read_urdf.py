"""check_urdf: the tree of links of URDF files as robots' programs read it.

usage: read_urdf.py FILE.urdf...   Every link must be there, below the link that the file says, and the mesh files beside.
"""
import os
import re
import subprocess
import sys
import xml.etree.ElementTree


def written(path):
    """by link its parent's name, as the file says"""
    robot = xml.etree.ElementTree.parse(path).getroot()
    parents = {link.get("name"): None for link in robot.findall("link")}
    for joint in robot.findall("joint"):
        parents[joint.find("child").get("link")] = joint.find("parent").get("link")
    for mesh in robot.iter("mesh"):
        if not os.path.isfile(os.path.join(os.path.dirname(path), mesh.get("filename"))):
            raise RuntimeError(f"{mesh.get('filename')} is not there")
    return parents


def read(path):
    """the same, as check_urdf prints it: four blanks for each step down"""
    done = subprocess.run(["check_urdf", path], timeout=60, capture_output=True, text=True)
    if done.returncode or "Successfully Parsed" not in done.stdout or "Error" in done.stderr:
        raise RuntimeError(f"check_urdf: {done.stdout}{done.stderr}")
    parents, chain = {}, []
    for blanks, name in re.findall(r"^( *)(?:root Link: |child\(\d+\):  )(\S+)", done.stdout, re.M):
        chain[len(blanks) // 4:] = [name]
        parents[name] = chain[-2] if len(chain) > 1 else None
    return parents


def judge(path):
    try:
        wanted, found = written(path), read(path)
    except (RuntimeError, OSError, subprocess.SubprocessError, xml.etree.ElementTree.ParseError) as error:
        print(f"check_urdf: {path}: {error} FAILED")
        return False
    good = wanted == found
    print(f"check_urdf: {path}: {len(found)} links{'' if good else ': the tree is another one FAILED'}")
    return good


results = [judge(path) for path in sys.argv[1:]]
sys.exit(0 if all(results) else 1)
