#!/usr/bin/env python3
"""Random work on the studio's server for as long as one likes: everything that a page can ask for, sense and nonsense, at two servers.
One is never ended: its memory, files and threads are watched. The other is killed from time to time, at any moment, and goes on.

usage: /usr/bin/python3 tests/studio/soak.py PATH_OF_OSSA [--seconds N] [--seed N] [--only KINDS] [--folder FOLDER] [--growth MB]

What must hold, else it ends at once with the row of edits that led there:
- every rig is sound: the server checks each by ossa_rig_validate before it keeps it, and its answer is checked here once more;
- work that is refused says so in words, and changes nothing;
- the log of a session, done again on the same input, gives the same rig to the last byte, and so does a server that was killed;
- from 300 seconds on, the first server's memory is no more than --growth above the most of the first half; it ends in peace.
"""
import argparse
import array
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.argv, words = sys.argv[:2], sys.argv[2:]
from server import OSSA, Server, tube_obj  # noqa: E402  (it takes the command's path from the words)

EDITS_MOST = 60     # of a history, then another rig is made
BONES_MOST = 40
REPLAY_EVERY = 40   # jobs of a session
KILL_SHARE = 0.02   # of the jobs of the second server
SOUND = 2e-6        # ossa_rig_validate's own bound on sums of weights and lengths of turns, as f32


class Found(Exception):
    """something that must not be"""


def expect(condition, *what):
    if not condition:
        raise Found(" ".join(map(str, what)))


# ---- inputs ----

# a leg that swings
WALK = b"""HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT thigh_L
  {
    OFFSET 0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT calf_L
    {
      OFFSET 0 -0.5 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 -0.5 0
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 1 0 0 0 0 0 -20 0 0 0 0
0 1 0.1 0 0 0 0 10 0 0 20 0
0 1 0.2 0 0 0 0 30 0 0 40 0
"""


def make_inputs(folder, kinds):
    """name: (files to open, options of rigging)"""
    def sample(kind, frames):
        place = folder / kind
        subprocess.run([str(OSSA), "sample", kind, "--faces", "1000", "--frames", str(frames), "--quiet", "-o", str(place)], check=True)
        return [(file.name, file.read_bytes()) for file in [place / "rest.obj", *sorted(place.glob("pose-*.obj"))]]
    tube = [("rest.obj", tube_obj(0))] + [(f"pose-{i + 1}.obj", tube_obj(0.4 + 0.3 * i)) for i in range(3)]
    makers = {
        "tube": lambda: (tube, {"bones": "3"}),
        "biped": lambda: (sample("biped", 4), {"bones": "14"}),
        "still": lambda: (sample("quadruped", 1)[:1], {}),
    }
    return {kind: makers[kind]() for kind in kinds}


# ---- what is asked for ----

class Asker:
    """random lines of edits for a state"""

    def __init__(self, random):
        self.random = random
        self.count = 0

    def point(self, mesh):
        return " ".join(f"{self.random.uniform(low, high):.6g}" for low, high in zip(mesh["low"], mesh["high"]))

    def line(self, state):
        r, names, mesh = self.random, [bone["name"] for bone in state["rig"]["bones"]], state["mesh"]
        a, b, many = r.choice(names), r.choice(names), len(names) > BONES_MOST
        self.count += 1
        first = r.randrange(mesh["faces"])
        grow = [f"split {a}", f"split {a} {r.uniform(0.05, 0.95):.3f}", f"add {a} {self.point(mesh)}", f"mirror {a}"]
        shrink = [f"remove {a}", f"merge {a} {b}", f"remove {b}"]
        change = [f"move {a} {self.point(mesh)}", f"tail {a} {self.point(mesh)}", f"connect {a} {b}", f"root {a}",
                  f"rename {a} {r.choice(['n', 'arm', 'leg'])}{self.count}{r.choice(['', '_L', '_R'])}", f"limits {a} -{r.randrange(180)} 10 0 0 -5 {r.randrange(90)}",
                  f"limits {a} none"]
        keep = [f"lock weights {a}", f"lock joint {a}", f"forbid {a} {b}", f"apart {a} {b}", f"together {a} {b}",
                f"paint {a} {first}-{min(first + r.randrange(30), mesh['faces'] - 1)}", f"relax {r.randrange(1, len(state['constraints']) + 2)}"]
        wrong = ["explode", f"split {a} 7", "merge none other", f"move {a} nan 0 0", f"rename {a} {'x' * 300}", f"paint {a} 0-99999999", "relax 0", "solve some"]
        kinds = [shrink if many else grow, shrink, change, keep, ["solve", "solve all", "solve"], wrong]
        return r.choice(r.choices(kinds, [5, 3, 5, 4, 3, 1])[0])

    def work(self, state, options):
        edits, history = state["edits"], state["history"]
        wanted = [
            (10, lambda: {"do": "edit", "lines": [self.line(state)]}),
            (3, lambda: {"do": "edit", "lines": [self.line(state), "solve"]}),
            (1, lambda: {"do": "edit", "lines": [self.line(state) for _ in range(self.random.randrange(2, 5))]}),
            (4, lambda: {"do": "undo"}),
            (3, lambda: {"do": "redo"}),
            (1, lambda: {"do": "goto", "count": self.random.randrange(len(edits["done"]) + len(edits["undone"]) + 2)}),
            (0.5, lambda: {"do": "rig", "options": options}),
            (0.5, lambda: {"do": "goto", "step": self.random.randrange(len(history["past"]) + len(history["future"]) + 3)}),
            (0.5, lambda: {"do": "motion", "file": "walk.bvh"}),
            (1, lambda: {"do": "measure"}),
            (0.2, lambda: {"do": "report"}),
            (0.5, lambda: {"do": "export", "name": f"a{self.random.choice(['.glb', '.dae', '.fbx', '.bvh', '.obj', '.ma', '.xyz'])}"}),
        ]
        return self.random.choices([make for _, make in wanted], [share for share, _ in wanted])[0]()


# ---- a server and its sessions ----

class Session:
    def __init__(self, id, kind):
        self.id, self.kind, self.jobs = id, kind, 0


class Player:
    """work at one server"""

    def __init__(self, name, folder, inputs, seed):
        self.name, self.folder, self.inputs = name, folder, inputs
        self.random = random.Random(f"{name} {seed}")
        self.asker = Asker(self.random)
        self.counts, self.refused, self.kills, self.replays = Counter(), Counter(), 0, 0
        self.server = Server(folder)
        self.sessions = [self.begin(kind) for kind in inputs]

    def ask(self, session, path, **more):
        return self.server.ask("GET", f"api/sessions/{session}/{path}", **more)

    def begin(self, kind):
        """a session with the input rigged"""
        files, options = self.inputs[kind]
        session = Session(self.server.make_session(), kind)
        for name, data in [*files, ("walk.bvh", WALK)]:
            self.server.put(session.id, name, data)
        self.server.do(session.id, do="open", files=[name for name, _ in files])
        self.server.do(session.id, do="rig", options=options)
        return session

    def stored(self, session, key="rig"):
        """the bytes that a session keeps of its rig"""
        folder = self.folder / session
        name = json.loads((folder / "session.json").read_bytes())["stored"].get(key)
        return (folder / name).read_bytes() if name else b""

    # one job, and what must hold after it
    def step(self):
        session = self.random.choice(self.sessions)
        before = self.server.state(session.id)
        if len(before["edits"]["done"]) > EDITS_MOST or not before["rig"]:
            self.server.do(session.id, do="rig", options=self.inputs[session.kind][1])
            before = self.server.state(session.id)
        wanted = self.asker.work(before, self.inputs[session.kind][1])
        job = self.server.begin(session.id, **wanted)
        if self.random.random() < 0.05:
            self.server.ask("DELETE", f"api/sessions/{session.id}/jobs/{job}")
        told = self.server.wait(session.id, job)
        self.counts[wanted["do"]] += 1
        session.jobs += 1
        after = self.server.state(session.id)
        if told["state"] != "done":
            self.check_refused(wanted, told, before, after)
        if not after["rig"]:
            return  # undone until the mesh alone is left
        if told["state"] == "done":
            self.check(session, after)
        self.read_some(session, after)
        if session.jobs % REPLAY_EVERY == 0:
            self.replay(session)
        if self.random.random() < 0.005:
            self.another()

    def check_refused(self, wanted, told, before, after):
        code = told["error"]["code"] if told["error"] else told["state"]
        self.refused[code] += 1
        expect(code in ("argument", "input", "cancelled"), wanted, told)
        expect(told["state"] == "cancelled" or len(told["error"]["message"]) > 10, wanted, told)
        expect("not a valid rig" not in str(told["error"]), before["edits"]["done"], wanted, told)
        expect(before == after, "refused, and not the same afterwards:", wanted, told)

    def check(self, session, state):
        done, bones = state["edits"]["done"], state["rig"]["bones"]
        expect(len({bone["name"] for bone in bones}) == len(bones), done, "a name twice")
        for at, bone in enumerate(bones):
            expect(-1 <= bone["parent"] < at or bone["parent"] is None, done, bone)
            numbers = [*bone["joint"], *bone["tail"], *bone["orientation"]]
            expect(all(n is not None and abs(n) < 1e6 for n in numbers), done, bone)
            expect(abs(sum(n * n for n in bone["orientation"]) - 1) < 10 * SOUND, done, bone)
        status, headers, data = self.ask(session.id, "weights")
        vertices, influences = state["mesh"]["vertices"], state["rig"]["influences"]
        expect(status == 200 and headers["X-Ossa-Revision"] == str(state["revision"]), done, status)
        expect(len(data) == 6 * vertices * influences, done, len(data))
        expect(max(array.array("H", data[:2 * vertices * influences])) < len(bones), done, "a weight of no bone")
        values = array.array("f", data[2 * vertices * influences:])
        for v in range(0, vertices):
            row = values[v * influences:(v + 1) * influences]
            expect(abs(sum(row) - 1) < 10 * SOUND and min(row) >= 0, done, "weights of vertex", v, list(row))

    def read_some(self, session, state):
        """what a page would fetch, and what it would better not"""
        paths = ["rig.glb", "before.glb", "faces", "clip", "frames", "frames?from=1&count=1", "errors?frame=1", "errors?frame=999999",
                 "log", "report.html", "exports/a.glb", "exports/..%2f..%2fstudio.json", "files/rest.obj", "page", "jobs/j1", "nothing"]
        for path in self.random.sample(paths, 3):
            status, _, _ = self.ask(session.id, path)
            expect(status in (200, 400, 403, 404), path, status)
        bones = state["rig"]["bones"]
        pose = {"rotations": [[0, 0, self.random.uniform(-1, 1), 1] for _ in bones], "root": [0, 0, 0]}
        more = {"blend": self.random.choice(["linear", "dual", "cubic"])}
        if self.random.random() < 0.5:
            more = {"bone": self.random.randrange(len(bones) + 1), "target": [self.random.uniform(-2, 2) for _ in range(3)], "chain": self.random.randrange(4)}
        status, _, text = self.server.ask("POST", f"api/sessions/{session.id}/{'ik' if 'bone' in more else 'positions'}", {**pose, **more})
        expect(status in (200, 400, 404), more, status, text[:300])

    def replay(self, session):
        """the log of a session on the same input in a new one: the same bytes"""
        state = self.server.state(session.id)
        lines = state["edits"]["done"]
        if state["motions"] or not state["rig"]:
            return  # edits that began with more than the input, or none
        other = self.begin(session.kind)
        expect(self.stored(other.id, "base") == self.stored(session.id, "base"), "the same input is rigged otherwise", session.kind)
        if lines:
            self.server.do(other.id, do="edit", lines=lines)
        expect(self.stored(other.id) == self.stored(session.id), "the log gives another rig:", session.kind, lines)
        self.server.ask("DELETE", f"api/sessions/{other.id}")
        self.replays += 1

    def another(self):
        """one session goes, another comes; its files are gone"""
        session = self.random.choice(self.sessions)
        status, _, _ = self.server.ask("DELETE", f"api/sessions/{session.id}")
        expect(status == 204 and not (self.folder / session.id).exists(), "a removed session stays", status)
        self.sessions[self.sessions.index(session)] = self.begin(session.kind)

    def kill(self):
        """at any moment; afterwards everything is as it was or as the job left it, and the history makes the same bytes"""
        session = self.random.choice(self.sessions)
        if not self.server.state(session.id)["rig"]:
            self.server.do(session.id, do="rig", options=self.inputs[session.kind][1])
        states = {one.id: self.server.state(one.id) for one in self.sessions}
        bytes_before = {one.id: self.stored(one.id) for one in self.sessions}
        wanted = self.asker.work(states[session.id], self.inputs[session.kind][1])
        self.server.begin(session.id, **wanted)
        time.sleep(self.random.choice([0, 0.001, 0.003, 0.01, 0.03]))
        if self.random.random() < 0.8:
            self.server.kill()
        else:
            code, errors = self.server.stop()
            expect(code == 0 and not errors, "ended with", code, errors)
        self.server = Server(self.folder)
        self.kills += 1
        for one in self.sessions:
            state = self.server.state(one.id)
            if one is not session or state["revision"] == states[one.id]["revision"]:
                expect(state == states[one.id], "another state after a restart:", wanted)
                expect(self.stored(one.id) == bytes_before[one.id], "another rig after a restart:", state["edits"]["done"])
            if state["edits"]["done"]:
                kept = self.stored(one.id)
                self.server.do(one.id, do="undo")
                self.server.do(one.id, do="redo")
                expect(self.stored(one.id) == kept, "a restart gives another rig:", state["edits"]["done"])


# ---- what the first server uses ----

def usage(player):
    place = Path(f"/proc/{player.server.process.pid}")
    status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    return {
        "resident_kb": int(status["VmRSS"].split()[0]),
        "threads": int(status["Threads"]),
        "files": len(os.listdir(place / "fd")),
        "maps": (place / "maps").read_text().count("\n"),
        "disk_kb": sum(file.stat().st_size for file in player.folder.rglob("*") if file.is_file()) // 1024,
    }


class Reader(threading.Thread):
    """asks all the while, as other tabs would"""

    def __init__(self, player):
        super().__init__(daemon=True)
        self.player, self.random, self.ended, self.asked, self.fault = player, random.Random(1), threading.Event(), 0, None

    def run(self):
        while not self.ended.wait(0.02):
            session = self.random.choice(self.player.sessions).id
            path = self.random.choice(["state", "rig.glb", "weights", "errors?frame=1", "clip", "log", "files", "events"])
            try:
                if path == "events":
                    connection = self.player.server.connect()
                    connection.request("GET", f"/{self.player.server.token}/api/sessions/{session}/events")
                    connection.getresponse().read(10)
                    connection.close()
                else:
                    status, _, text = self.player.ask(session, path)
                    expect(status in (200, 404), path, status, text[:300])
                self.asked += 1
            except Exception as fault:  # reported by the main thread
                self.fault = fault
                return


def tell(began, steady, mortal, use):
    jobs = sum(steady.counts.values()) + sum(mortal.counts.values())
    refused = sum(steady.refused.values()) + sum(mortal.refused.values())
    print(f"{time.monotonic() - began:7.0f} s  {jobs:7d} jobs  {refused:6d} refused  {steady.replays + mortal.replays:5d} replays  {mortal.kills:4d} restarts  "
          + "  ".join(f"{name} {value}" for name, value in use.items()), flush=True)


def play(options, folder):
    inputs = make_inputs(folder, options.only.split(","))
    players = []
    try:
        for name in ("steady", "mortal"):
            players.append(Player(name, folder / name, inputs, options.seed))
        return work(options, *players)
    finally:
        for player in players:
            if player.server.process.poll() is None:
                player.server.kill()


def work(options, steady, mortal):
    reader = Reader(steady)
    reader.start()
    began, uses, at = time.monotonic(), [], None
    end = began + options.seconds
    pause = max(options.seconds / 60, 1)
    while time.monotonic() < end:
        at = steady if steady.random.random() < 0.75 else mortal
        at.step()
        if at is mortal and (mortal.random.random() < KILL_SHARE or (mortal.kills == 0 and mortal.asker.count > 15)):
            mortal.kill()
        if reader.fault:
            raise reader.fault
        if time.monotonic() >= began + pause * len(uses):
            uses.append(usage(steady))
            tell(began, steady, mortal, uses[-1])
    for player in (steady, mortal):
        for session in player.sessions:
            player.replay(session)
    reader.ended.set()
    reader.join()
    uses.append(usage(steady))
    tell(began, steady, mortal, uses[-1])
    for player in (steady, mortal):
        code, errors = player.server.stop()
        expect(code == 0 and not errors, "the server ended with", code, errors)
    return steady, mortal, reader, uses


def summary(steady, mortal, reader, uses, options):
    quarter, middle, last = uses[len(uses) // 4], uses[len(uses) // 2], uses[-1]
    told = {
        "seconds": options.seconds, "seed": options.seed,
        "jobs": sum(steady.counts.values()) + sum(mortal.counts.values()), "by_kind": dict(steady.counts + mortal.counts),
        "refused": dict(steady.refused + mortal.refused), "replays": steady.replays + mortal.replays, "restarts": mortal.kills,
        "asked_meanwhile": reader.asked, "begin": uses[0], "quarter": quarter, "middle": middle, "end": last,
    }
    print(json.dumps(told, indent=1))
    # histories keep the rigs of their edits, and fill at first: a short run proves nothing
    highest = max(use["resident_kb"] for use in uses[:len(uses) // 2 + 1])
    if options.seconds < 300:
        return
    expect(last["resident_kb"] <= highest + 1024 * options.growth, "memory grows:", highest, "kB in the first half,", last["resident_kb"], "kB at the end")
    expect(last["files"] <= quarter["files"] + 16 and last["threads"] <= quarter["threads"] + 16, "files or threads stay:", quarter, last)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=float, default=16, help="MB")
    parser.add_argument("--only", default="tube,biped,still", help="of these inputs")
    parser.add_argument("--folder", help="of the sessions; without it one that is removed")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="ossa-soak-") as place:
        try:
            summary(*play(options, Path(options.folder or place)), options)
        except Found as found:
            print(f"FOUND (seed {options.seed}): {found}", file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
