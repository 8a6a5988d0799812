"""What the tests of the studio's server share: a server of one's own, and plain requests to it.

usage of a test file: /usr/bin/python3 tests/studio/test_x.py PATH_OF_OSSA
"""
import functools
import http.client
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

OSSA = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else Path("build/ossa").resolve()
SKIPPED = 77
# for rigs of which the names do not matter: looking for a body takes most of the time
PLAIN = {"body": "none"}


class Server:
    """`ossa studio` in a folder, ended by stop() or kill()"""

    def __init__(self, folder, *words, limits=None):
        self.folder = Path(folder)
        command = [str(OSSA), "studio", "--no-browser", "--json", "--threads", "2", "--folder", str(self.folder), *map(str, words)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limits)
        text = ""
        while "}" not in text:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(self.end()[1])
            text += line
        self.address = json.loads(text)["address"]
        place, _, self.session = self.address.partition("#")
        _, _, self.host, self.token, _ = place.split("/")
        self.port = int(self.host.split(":")[1])

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def raw(self, method, path, body=None, headers=None):
        """(status, headers, bytes) of a path behind the host"""
        connection = self.connect()
        try:
            connection.putrequest(method, path, skip_host="Host" in (headers or {}), skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None and "Content-Length" not in (headers or {}):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, method, path, body=None, headers=None):
        """the same behind the token; a dict as the body is sent as JSON"""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        return self.raw(method, f"/{self.token}/{path}", body, headers)

    def json(self, method, path, body=None, status=200):
        got, _, text = self.ask(method, path, body)
        if got != status:
            raise AssertionError(f"{method} {path}: {got}: {text[:400]}")
        return json.loads(text) if text else None

    def make_session(self):
        return self.json("POST", "api/sessions", status=201)["id"]

    def put(self, session, name, data):
        return self.json("PUT", f"api/sessions/{session}/files/{name}", data, status=201)

    def begin(self, session, **wanted):
        return self.json("POST", f"api/sessions/{session}/jobs", wanted, status=202)["id"]

    def job(self, session, job):
        return self.json("GET", f"api/sessions/{session}/jobs/{job}")

    def wait(self, session, job, seconds=120):
        begin = time.monotonic()
        while time.monotonic() < begin + seconds:
            told = self.job(session, job)
            if told["state"] != "running":
                return told
            # what takes long is asked for more seldom
            time.sleep(min(0.05, 0.005 + (time.monotonic() - begin) / 10))
        raise AssertionError(f"{job} does not end: {told}")

    def do(self, session, **wanted):
        """a job that must succeed; its result"""
        told = self.wait(session, self.begin(session, **wanted))
        if told["state"] != "done":
            raise AssertionError(f"{wanted}: {told}")
        return told

    def state(self, session):
        return self.json("GET", f"api/sessions/{session}/state")

    def kill(self):
        self.process.kill()
        self.end()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self):
        try:
            _, errors = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, errors


class Events:
    """a stream of events, read one by one"""

    def __init__(self, server, session, timeout=30):
        self.connection = server.connect(timeout)
        self.connection.request("GET", f"/{server.token}/api/sessions/{session}/events")
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def next(self):
        """(name, value) of the next event, None at the end"""
        name = None
        while True:
            line = self.answer.readline()
            if not line:
                return None
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                name = text[7:]
            elif text.startswith("data: "):
                return name, json.loads(text[6:])

    def close(self):
        self.connection.close()


def tube(bend, rings=24, sides=12, length=4.0):
    """vertices of a tube along x whose half beyond the middle is turned by `bend` radians about z, smoothly blended"""
    vertices = []
    for ring in range(rings + 1):
        x = length * ring / rings - length / 2
        blend = 1 / (1 + math.exp(-6 * x))
        for side in range(sides):
            y, z = 0.5 * math.cos(2 * math.pi * side / sides), 0.5 * math.sin(2 * math.pi * side / sides)
            turned = (x * math.cos(bend) - y * math.sin(bend), x * math.sin(bend) + y * math.cos(bend), z)
            vertices.append(tuple(blend * a + (1 - blend) * b for a, b in zip(turned, (x, y, z))))
    return vertices


@functools.lru_cache(maxsize=None)
def tube_obj(bend, rings=24, sides=12, with_seams=False):
    """the text of an OBJ; `with_seams`: texture coordinates that differ between the faces of a vertex"""
    lines = ["v {:.6f} {:.6f} {:.6f}".format(*vertex) for vertex in tube(bend, rings, sides)]
    if with_seams:
        lines += [f"vt {i / 4} {k / 4}" for i in range(2) for k in range(2)]
    for ring in range(rings):
        for side in range(sides):
            corners = (ring * sides + side, (ring + 1) * sides + side, (ring + 1) * sides + (side + 1) % sides,
                       ring * sides + (side + 1) % sides)
            lines.append("f " + " ".join(f"{c + 1}/{i + 1}" if with_seams else str(c + 1) for i, c in enumerate(corners)))
    return ("\n".join(lines) + "\n").encode()


class ServerTest(unittest.TestCase):
    """a server for each class"""
    words = ()

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="ossa-studio-")
        cls.server = Server(Path(cls.place.name) / "sessions", *cls.words)

    @classmethod
    def tearDownClass(cls):
        code, errors = cls.server.stop()
        cls.place.cleanup()
        assert code == 0 and not errors, f"the server ended with {code}: {errors}"

    def open_tube(self, poses=3, server=None, **options):
        """a session in which a tube and its poses are open"""
        server = server or self.server
        session = server.make_session()
        names = ["rest.obj"]
        server.put(session, "rest.obj", tube_obj(0, **options))
        for i in range(poses):
            names.append(f"pose-{i + 1}.obj")
            server.put(session, names[-1], tube_obj(0.5 * (i + 1), **options))
        server.do(session, do="open", files=names)
        return session

    def refused(self, answer, status, code=None):
        self.assertEqual(answer[0], status, answer)
        error = json.loads(answer[2])["error"]
        if code:
            self.assertEqual(error["code"], code)
        self.assertGreater(len(error["message"]), 5)
        return error["message"]


def main():
    done = subprocess.run([str(OSSA), "studio", "--folder", "/proc/none"], capture_output=True, text=True)
    if "built without the studio" in done.stderr:
        print("ossa was built without the studio: nothing to test")
        sys.exit(SKIPPED)
    unittest.main(verbosity=1)
