"""What the oracles share: the checks and their count, models, files."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SHARED = Path(__file__).resolve().parents[2].parent / "shared/corpus"
FAILED = []


def check(what, holds, numbers=""):
    print(f"  {'ok  ' if holds else 'FAIL'} {what} {numbers}", flush=True)
    if not holds:
        FAILED.append(what)


def read_obj(path, real=float):
    """points, triangles, lines; real: makes a coordinate of its text"""
    points, faces, lines = [], [], []
    for line in Path(path).read_text().splitlines():
        words = line.split()
        if line.startswith("v "):
            points.append([real(x) for x in words[1:4]])
        elif line.startswith("f "):
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces += [[corners[0], corners[i], corners[i + 1]] for i in range(1, len(corners) - 1)]
        elif line.startswith("l "):
            lines.append([int(word) - 1 for word in words[1:3]])
    return np.array(points), np.array(faces, int).reshape(-1, 3), np.array(lines, int).reshape(-1, 2)


def read_dump(program, *words):
    """the JSON object that a dump_ program prints"""
    return json.loads(subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True).stdout)


def run(models, names, test):
    """test(folder, *model) for every model of models(folder), or those with one of the names; the exit status"""
    with tempfile.TemporaryDirectory() as place:
        for model in models(Path(place)):
            if not names or model[0] in names:
                test(Path(place), *model)
    print(f"{len(FAILED)} failed" if FAILED else "all hold")
    return 1 if FAILED else 0
