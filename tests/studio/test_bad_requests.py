"""What the studio's server does with requests that it should not get, and with a disk, a client or a process that fails."""
import hmac
import json
import os
import random
import resource
import socket
import tempfile
import time
import unittest
from pathlib import Path

from server import PLAIN, Events, Server, ServerTest, main, tube_obj

HOSTILE = Path(__file__).resolve().parents[3] / "shared/corpus/hostile"


class Guarded(ServerTest):
    def get(self, path, **headers):
        return self.server.raw("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def test_only_the_token_opens(self):
        token = self.server.token
        other = ("0" if token[-1] != "0" else "1")
        for path in ("/", "/favicon.ico", "/api/about", f"/{token[:-1]}/", f"/{token[:-1]}{other}/api/about", f"/{token}0/api/about",
                     f"/{token.upper() if token.upper() != token else other}/api/about", "//api/about", f"/x/{token}/api/about",
                     "/" + "a" * 3000, f"/%{ord(token[0]):02x}{token[1:]}/api/about"):
            self.refused(self.get(path), 403, "forbidden")
        self.assertEqual(self.get(f"/{token}/api/about")[0], 200)
        status, headers, _ = self.get(f"/{token}")
        self.assertEqual((status, headers["Location"]), (301, f"/{token}/"))

    def test_only_this_host_and_this_page_may_ask(self):
        path, port = f"/{self.server.token}/api/about", self.server.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"[::1]:{port}", "localhost",
                     f"127.0.0.1:{port}.evil.example", f"localhost:{port}@evil"):
            self.refused(self.get(path, Host=host), 403, "forbidden")
        self.assertEqual(self.get(path, Host=f"localhost:{port}")[0], 200)
        for origin in ("null", "http://evil.example", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}",
                       f"http://127.0.0.1:{port}.evil.example"):
            self.refused(self.get(path, Origin=origin), 403, "forbidden")
        self.assertEqual(self.get(path, Origin=f"http://127.0.0.1:{port}")[0], 200)
        for site in ("cross-site", "same-site", "elsewhere"):
            self.refused(self.get(path, Sec_Fetch_Site=site), 403, "forbidden")
            self.refused(self.get(path, Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document"), 403)
            self.refused(self.get(f"/{self.server.token}/", Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe"), 403)
        for site in ("same-origin", "none"):
            self.assertEqual(self.get(path, Sec_Fetch_Site=site)[0], 200)
        # the page itself may be visited from anywhere: a link, or the file that leads the browser here
        self.assertEqual(
            self.get(f"/{self.server.token}/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")[0], 200)

    def test_answers_say_what_browsers_may_do(self):
        for path in ("", "api/about", "api/none"):
            headers = self.server.ask("GET", path)[1]
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertNotIn("http", headers["Content-Security-Policy"])
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_names_lead_nowhere_else(self):
        session = self.server.make_session()
        before = sorted(path for path in Path(self.place.name).rglob("*"))
        for name in ("..", ".", ".hidden", "%2e%2e", "..%2f..%2fx", "%2fetc%2fpasswd", "a%00b", "a%0", "%zz", "%", "a%2fb", "a%5cb", "a%0ab",
                     "%7f", "%ff%fe", "x" * 201, "x" * 10000, "%41" * 201, "", "a/b", "a/../b"):
            for method in ("PUT", "GET", "DELETE"):
                status, _, text = self.server.ask(method, f"api/sessions/{session}/files/{name}", b"x" if method == "PUT" else None)
                self.assertIn(status, (400, 404, 405, 414, 431), (method, name, text[:100]))
            self.assertIn(self.server.ask("GET", f"api/sessions/{session}/exports/{name}")[0], (400, 404, 414, 431))
        for other in ("s..", "..", "s%2e%2e", "S" + session[1:], session[:-1], session + "0", "s" * 300, session + "%00", "sx" + session[2:]):
            self.assertIn(self.server.ask("GET", f"api/sessions/{other}/state")[0], (400, 404))
            self.assertIn(self.server.ask("DELETE", f"api/sessions/{other}")[0], (400, 404))
        for path in ("../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "index.html%00", "index.html/", "//", "a//b"):
            self.assertIn(self.server.ask("GET", path)[0], (400, 404), path)
        self.assertEqual(sorted(path for path in Path(self.place.name).rglob("*")), before)
        # what is odd and yet a name
        for name, wanted in (("a%20b.obj", "a b.obj"), ("%C3%A4.obj", "ä.obj"), ("x" * 200, "x" * 200), ("%252e", "%2e"), ("a..b", "a..b")):
            self.assertEqual(self.server.put(session, name, b"")["name"], wanted)
            self.assertTrue((self.server.folder / session / "files" / wanted).is_file())

    def test_a_link_in_the_folder_is_not_followed(self):
        session = self.server.make_session()
        os.symlink("/etc/passwd", self.server.folder / session / "files" / "link.obj")
        self.refused(self.server.ask("GET", f"api/sessions/{session}/files/link.obj"), 404)
        self.assertEqual(self.server.json("GET", f"api/sessions/{session}/files"), {"files": []})
        os.symlink("/", self.server.folder / "s0123456789abcdef")
        self.refused(self.server.ask("GET", "api/sessions/s0123456789abcdef/files"), 404)
        os.remove(self.server.folder / "s0123456789abcdef")

    def test_bodies_that_are_no_json(self):
        session = self.server.make_session()
        path = f"api/sessions/{session}/jobs"
        for body in (b"", b"{", b"[]", b"null", b"7", b'{"do": }', b'{"do": "rig", "do": "open"}', b"\xff\xfe", b'{"do": "\xff"}',
                     b"[" * 100000, b'{"a":' * 100000, b'{"do": 1e999}', b'{"do": "open\\u0000"}', b"\0" * 1000, b'{"do": "nothing"}', b'{}',
                     b'{"do": ["rig"]}', b'{"do": "rig"} x'):
            self.refused(self.server.ask("POST", path, body), 400, "argument")
        self.refused(self.server.ask("POST", path, b" " * (5 << 20)), 413, "limit")
        for body in (b"{}", b'{"rotations": []}', b'{"rotations": "x"}', b'{"rotations": [[0,0,0,1]]}'):
            self.assertIn(self.server.ask("POST", f"api/sessions/{session}/positions", body)[0], (400, 404))

    def test_poses_that_are_none(self):
        session = self.open_tube()
        self.server.do(session, do="rig", options={"bones": 2, **PLAIN})
        turn = [0, 0, 0, 1]
        for body in ({}, {"rotations": [turn]}, {"rotations": [turn, [0, 0, 0]]}, {"rotations": [turn, [0, 0, 0, 0]]},
                     {"rotations": [turn, ["0", 0, 0, 1]]}, {"rotations": [turn, turn], "root": [1, 2]},
                     {"rotations": [turn, turn], "root": "here"}, {"rotations": {"0": turn, "1": turn}},
                     {"rotations": [turn, turn], "blend": "magic"}, {"rotations": [turn, [1e300, 0, 0, 1e300]]}):
            self.refused(self.server.ask("POST", f"api/sessions/{session}/positions", body), 400, "argument")
        for query in ("frame=3", "frame=-1", "frame=x", "frame=1.5", "frame=99999999999999999999", "frame=", "frame=0x1"):
            self.refused(self.server.ask("GET", f"api/sessions/{session}/errors?{query}"), 400, "argument")
        for query in ("from=3", "from=0&count=4", "from=2&count=2", "from=-1", "count=1e3", "count=%31"):
            self.refused(self.server.ask("GET", f"api/sessions/{session}/frames?{query}"), 400, "argument")

    def test_methods_that_are_not_there(self):
        session = self.server.make_session()
        for method, path in (("PUT", "api/about"), ("POST", f"api/sessions/{session}/state"), ("PATCH", f"api/sessions/{session}"),
                             ("OPTIONS", "api/sessions"), ("POST", ""), ("DELETE", "index.html"), ("TRACE", "api/about"),
                             ("BREW", "api/about")):
            self.assertIn(self.server.ask(method, path)[0], (400, 405), (method, path))
        status, headers, text = self.server.ask("HEAD", "api/about")
        self.assertEqual((status, text), (200, b""))
        self.assertGreater(int(headers["Content-Length"]), 1000)

    def send(self, data, seconds=5):
        """what comes back for raw bytes"""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=seconds) as wire:
            got = b""
            try:
                wire.sendall(data)
                wire.shutdown(socket.SHUT_WR)
                while chunk := wire.recv(65536):
                    got += chunk
            except OSError:
                pass
            return got

    def test_bytes_that_are_no_request(self):
        random.seed(7)
        head = f"GET /{self.server.token}/api/about HTTP/1.1\r\n".encode()
        host = f"Host: {self.server.host}\r\n".encode()
        for data in (b"", b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", random.randbytes(5000), b"\x16\x03\x01\x02\x00\x01\x00",
                     head + b"\r\n", head + host + b"A" * 100000, head + (b"X: " + b"y" * 1000 + b"\r\n") * 100 + b"\r\n",
                     head + host + b"Content-Length: -5\r\n\r\n", head + host.replace(b"127.0.0.1", b"evil") + host + b"\r\n",
                     head + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                     head.replace(b"GET", b"POST") + host + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx"):
            got = self.send(data)
            self.assertFalse(b'"methods"' in got, data[:200])
        self.assertIn(b"200 OK", self.send(head + host + b"Connection: close\r\n\r\n"))

    def test_uploads_in_chunks(self):
        session = self.server.make_session()
        wire = self.server.connect()
        wire.request("PUT", f"/{self.server.token}/api/sessions/{session}/files/a.obj", body=(b"x" * 1000 for _ in range(300)),
                     encode_chunked=True)
        self.assertEqual(wire.getresponse().status, 201)
        wire.close()
        self.assertEqual((self.server.folder / session / "files/a.obj").stat().st_size, 300000)

    def test_a_client_that_breaks_off_leaves_nothing(self):
        session = self.server.make_session()
        files = self.server.folder / session / "files"
        head = (f"PUT /{self.server.token}/api/sessions/{session}/files/half.obj HTTP/1.1\r\nHost: {self.server.host}\r\n"
                "Content-Length: 1000000\r\n\r\n").encode()
        with socket.create_connection(("127.0.0.1", self.server.port)) as wire:
            wire.sendall(head + b"x" * 100000)
            time.sleep(0.1)
        for _ in range(100):
            if not list(files.iterdir()):
                break
            time.sleep(0.02)
        self.assertEqual(list(files.iterdir()), [])

    def test_slow_clients_keep_nobody_waiting(self):
        wires = []
        for _ in range(60):
            wire = socket.create_connection(("127.0.0.1", self.server.port))
            wire.sendall(f"GET /{self.server.token}/api/about HTTP/1.1\r\nHost: ".encode())
            wires.append(wire)
        begin = time.monotonic()
        for _ in range(20):
            self.server.json("GET", "api/about")
        self.assertLess(time.monotonic() - begin, 2)
        for wire in wires:
            wire.close()

    def test_streams_are_counted_and_given_back(self):
        session = self.server.make_session()
        streams = [Events(self.server, session) for _ in range(64)]
        self.assertEqual({stream.status for stream in streams}, {200})
        self.refused(self.server.ask("GET", f"api/sessions/{session}/events"), 429, "busy")
        self.assertEqual(self.server.ask("GET", "api/about")[0], 200)
        for stream in streams:
            stream.close()
        end, status = time.monotonic() + 10, 429
        while status == 429 and time.monotonic() < end:
            time.sleep(0.1)
            stream = Events(self.server, session)
            status = stream.status
            stream.close()
        self.assertEqual(status, 200)

    def test_jobs_of_all_sessions_are_bounded(self):
        sessions = [self.open_tube(poses=6, rings=200, sides=40) for _ in range(5)]
        jobs = [(session, self.server.begin(session, do="rig", method="examples", options={"bones": 20})) for session in sessions[:4]]
        self.refused(self.server.ask("POST", f"api/sessions/{sessions[4]}/jobs", {"do": "rig"}), 429, "busy")
        for session, job in jobs:
            self.server.ask("DELETE", f"api/sessions/{session}/jobs/{job}")
        for session, job in jobs:
            self.assertEqual(self.server.wait(session, job)["state"], "cancelled")
        self.server.do(sessions[4], do="rig", method="volume")


class Small(ServerTest):
    words = ("--upload-limit", 1)

    def test_files_above_the_limit_are_not_kept(self):
        session = self.server.make_session()
        files = self.server.folder / session / "files"
        path = f"/{self.server.token}/api/sessions/{session}/files/a.obj"
        # announced beforehand: nothing of the body need be sent
        self.refused(self.server.raw("PUT", path, None, {"Content-Length": str(2 << 30)}), 413, "limit")
        self.assertIn(self.server.raw("PUT", path, None, {"Content-Length": "99999999999999999999"})[0], (400, 413))
        # found out on the way
        wire = self.server.connect()
        wire.request("PUT", path, body=(b"x" * 10000 for _ in range(500)), encode_chunked=True)
        answer = wire.getresponse()
        self.refused((answer.status, None, answer.read()), 413, "limit")
        wire.close()
        self.assertEqual(list(files.iterdir()), [])
        # and one who never ends is cut off
        wire, sent = self.server.connect(), 0
        try:
            wire.putrequest("PUT", path)
            wire.putheader("Transfer-Encoding", "chunked")
            wire.endheaders()
            for _ in range(200):
                wire.send(b"%x\r\n" % (1 << 20) + b"x" * (1 << 20) + b"\r\n")
                sent += 1
        except OSError:
            pass
        wire.close()
        self.assertLess(sent, 150)
        self.assertEqual(self.server.ask("GET", "api/about")[0], 200)


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (150000, 150000))


class FullDisk(unittest.TestCase):
    """no file can grow past 150 kB: what a full disk looks like to a program"""

    def test_nothing_is_lost_when_nothing_can_be_kept(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(Path(place) / "sessions", limits=small_files)
            session = server.make_session()
            status, _, text = server.ask("PUT", f"api/sessions/{session}/files/big.obj", b"v 0 0 0\n" * 50000)
            self.assertEqual(status, 507, text)
            self.assertEqual(list((server.folder / session / "files").iterdir()), [])
            server.put(session, "small.obj", tube_obj(0, rings=40))
            server.do(session, do="open", files=["small.obj"])
            before = server.state(session)
            server.put(session, "large.obj", tube_obj(0, rings=100, sides=20))
            told = server.wait(session, server.begin(session, do="open", files=["large.obj"]))
            self.assertEqual((told["state"], told["error"]["code"]), ("failed", "write"), told)
            self.assertIn("File too large", told["error"]["message"])
            self.assertEqual(server.state(session), before)
            self.assertEqual(server.ask("GET", f"api/sessions/{session}/rig.glb")[0], 200)
            left = {path.name for path in (server.folder / session).iterdir()}
            self.assertFalse([name for name in left if "-2." in name or name.startswith(".")], left)
            self.assertEqual(server.stop(), (0, ""))


class Killed(unittest.TestCase):
    def test_a_killed_server_loses_nothing(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(Path(place) / "sessions")
            session = server.make_session()
            server.put(session, "rest.obj", tube_obj(0, rings=200, sides=40))
            names = ["rest.obj"]
            for i in range(6):
                names.append(f"pose-{i}.obj")
                server.put(session, names[-1], tube_obj(0.2 * (i + 1), rings=200, sides=40))
            server.do(session, do="open", files=names)
            server.do(session, do="rig", method="contraction")
            leaf = server.state(session)["rig"]["bones"][-1]["name"]
            server.do(session, do="edit", lines=[f"split {leaf}", "solve", f"rename {leaf} other"])
            server.do(session, do="undo")
            before, shape = server.state(session), server.ask("GET", f"api/sessions/{session}/rig.glb")[2]
            job = server.begin(session, do="rig", method="examples", options={"bones": 16})
            time.sleep(0.1)
            self.assertEqual(server.job(session, job)["state"], "running")
            (server.folder / session / "rig-99.bin").write_bytes(b"half")
            (server.folder / session / "files/.half").write_bytes(b"half")
            (server.folder / ".trash-s0123").mkdir()
            server.kill()
            address, server = server.address, Server(Path(place) / "sessions")
            # where the page that is open looks for it, under another token
            self.assertEqual(server.address.split("/")[2], address.split("/")[2])
            self.assertNotEqual(server.address, address)
            self.assertEqual(server.state(session), before)
            self.assertEqual(server.ask("GET", f"api/sessions/{session}/rig.glb")[2], shape)
            self.assertEqual(len(server.ask("GET", f"api/sessions/{session}/frames")[2]), 6 * before["mesh"]["vertices"] * 12)
            told = server.job(session, job)
            self.assertEqual((told["state"], told["error"]["code"], told["do"]), ("failed", "interrupted", "rig"))
            left = {path.name for path in (server.folder / session).iterdir()}
            facts = json.loads((server.folder / session / "session.json").read_text())
            named = set(facts["stored"].values()).union(*(step["stored"].values() for step in facts["past"] + facts["future"]))
            self.assertEqual({name for name in left if "-" in name}, named)
            self.assertFalse((server.folder / session / "files/.half").exists())
            self.assertFalse((server.folder / ".trash-s0123").exists())
            # edits go on where they were, to the same bytes
            server.do(session, do="redo")
            self.assertIn("other", [bone["name"] for bone in server.state(session)["rig"]["bones"]])
            server.do(session, do="undo")
            self.assertEqual(server.ask("GET", f"api/sessions/{session}/rig.glb")[2], shape)
            server.do(session, do="rig", method="examples", options={"bones": 4, **PLAIN})
            self.assertEqual(len(server.state(session)["rig"]["bones"]), 4)
            self.assertEqual(server.stop(), (0, ""))

    def test_a_folder_has_one_server(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(place)
            with self.assertRaises(RuntimeError) as refused:
                Server(place)
            self.assertIn(server.address, str(refused.exception))
            self.assertEqual(server.stop(), (0, ""))
            again = Server(place)
            self.assertEqual(again.port, server.port)
            self.assertNotEqual(again.token, server.token)
            self.assertEqual(again.raw("GET", f"/{server.token}/api/about")[0], 403)
            self.assertEqual(again.stop(), (0, ""))
            fresh = Server(place, "--fresh")
            self.assertNotEqual(fresh.token, server.token)
            self.assertEqual(fresh.stop(), (0, ""))
            with socket.create_server(("127.0.0.1", fresh.port)):
                other = Server(place)
                self.assertNotEqual(other.port, fresh.port)
                self.assertEqual(other.stop(), (0, ""))
            for name in (".lock", ".key"):
                self.assertEqual((Path(place) / name).stat().st_mode & 0o777, 0o600)

    def test_a_page_recognizes_the_server_after_a_restart(self):
        def keyed(key, text):
            return hmac.new(key.encode(), text.encode(), "sha256").hexdigest()

        def hello(server, nonce, **headers):
            return server.raw("GET", f"/hello/{nonce}", headers=headers)

        with tempfile.TemporaryDirectory() as place:
            server = Server(place)
            key, tokens, nonce = server.json("GET", "api/key")["key"], set(), "0123456789abcdef" * 2
            for _ in range(4):
                told = json.loads(hello(server, nonce)[2])
                # of this port, run and question alone: who passes it on from another port proves nothing
                self.assertEqual(told["proof"], keyed(key, f"server {server.port} {told['run']} {nonce}"))
                self.assertEqual(keyed(key, f"token {told['run']}")[:32], server.token)
                tokens.add(server.token)
                self.assertEqual(server.stop(), (0, ""))
                server = Server(place)
            self.assertEqual(len(tokens), 4)
            for wrong in ("", "0" * 15, "0" * 65, "x" * 16, "0" * 16 + "/", "0" * 16 + "%20"):
                self.assertEqual(hello(server, wrong)[0], 400)
            for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
                self.assertEqual(hello(server, nonce, **headers)[0], 403)
            self.assertEqual(server.raw("POST", f"/hello/{nonce}")[0], 403)
            self.assertEqual(server.stop(), (0, ""))
            # a new key: pages of before are forgotten
            fresh = Server(place, "--fresh")
            self.assertNotEqual(fresh.json("GET", "api/key")["key"], key)
            self.assertEqual(fresh.stop(), (0, ""))

    def test_half_open_connections_block_nobody(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(place)
            held, longest = [], 0
            self.addCleanup(lambda: [wire.close() for wire in held])
            for i in range(1000):
                wire = socket.create_connection(("127.0.0.1", server.port))
                if i % 2:
                    wire.sendall(f"GET /{server.token}/api/about HTTP/1.1\r\nHost: ".encode())
                held.append(wire)
                if i % 50 == 0 or i == 999:
                    begin = time.monotonic()
                    self.assertEqual(server.ask("GET", "api/about")[0], 200)
                    longest = max(longest, time.monotonic() - begin)
            self.assertLess(longest, 1)
            # a request that never ends is over after some seconds, however slowly it goes on
            slow = held[-1]
            slow.settimeout(0.5)
            end = time.monotonic() + 10
            data = None
            while data is None and time.monotonic() < end:
                try:
                    slow.sendall(b"a")
                    data = slow.recv(100)
                except TimeoutError:
                    pass
                except OSError:
                    data = b""
            self.assertEqual(data, b"")
            for wire in held:
                wire.close()
            self.assertEqual(server.stop(), (0, ""))

    def test_ending_cancels_what_runs(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(place)
            session = server.make_session()
            server.put(session, "rest.obj", tube_obj(0.4, rings=900, sides=60))
            server.do(session, do="open", files=["rest.obj"])
            events = Events(server, session)
            server.begin(session, do="rig", method="contraction")
            begin = time.monotonic()
            self.assertEqual(server.stop(), (0, ""))
            self.assertLess(time.monotonic() - begin, 5)
            while events.next():
                pass
            events.close()

    def test_many_sessions(self):
        with tempfile.TemporaryDirectory() as place:
            server = Server(place)
            for _ in range(400):
                server.make_session()
            sessions = [entry["id"] for entry in server.json("GET", "api/sessions")["sessions"]]
            self.assertEqual(len(sessions), 400)
            for session in sessions:
                self.assertEqual(server.state(session)["revision"], 0)
            files = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
            self.assertLess(files, 40)
            self.assertEqual(server.stop(), (0, ""))


class Removed(unittest.TestCase):
    """removed sessions come back, until they are old or take too much of the disk"""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.begin()

    def begin(self):
        self.server = Server(self.folder)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())

    def again(self):
        self.assertEqual(self.server.stop(), (0, ""))
        self.begin()

    def removed(self):
        return {entry["id"] for entry in self.server.json("GET", "api/sessions")["removed"]}

    def take_away(self, session):
        self.assertEqual(self.server.ask("DELETE", f"api/sessions/{session}")[0], 204)

    def test_all_of_them_come_back_after_a_restart(self):
        sessions = [self.server.make_session() for _ in range(5)]
        for i, session in enumerate(sessions):
            self.server.put(session, "a.obj", tube_obj(0.1 * i))
            self.server.json("PUT", f"api/sessions/{session}/page", {"poses": [i]}, status=204)
            self.take_away(session)
        self.again()
        self.assertEqual(self.removed(), set(sessions))
        for i, session in enumerate(sessions):
            self.assertEqual(self.server.json("POST", "api/sessions", {"restore": session}, status=201)["id"], session)
            self.assertEqual(self.server.json("GET", f"api/sessions/{session}/page"), {"poses": [i]})
            self.assertEqual(self.server.ask("GET", f"api/sessions/{session}/files/a.obj")[2], tube_obj(0.1 * i))
        self.assertEqual(self.removed(), set())
        self.assertEqual(self.server.ask("POST", "api/sessions", {"restore": sessions[0]})[0], 404)

    def test_the_old_ones_go(self):
        limits = self.server.json("GET", "api/about")["limits"]
        sessions = [self.server.make_session() for _ in range(3)]
        for session, days in zip(sessions, (1, -1, 0)):
            self.take_away(session)
            then = time.time() - (limits["removed_days"] + days) * 24 * 3600 if days else time.time()
            os.utime(self.folder / f".gone-{session}", (then, then))
        self.again()
        self.assertEqual(self.removed(), set(sessions[1:]))

    def test_large_ones_go_before_the_disk_is_full(self):
        limit = self.server.json("GET", "api/about")["limits"]["removed_bytes"]
        sessions = [self.server.make_session() for _ in range(4)]
        for i, (session, share) in enumerate(zip(sessions, (0.3, 0.6, 0.5, 1.2))):
            with open(self.folder / session / "files" / "large", "wb") as file:
                file.truncate(int(share * limit))
            self.take_away(session)
            # dates are of seconds; the last one stays whatever its size
            then = time.time() - 100 + i
            os.utime(self.folder / f".gone-{session}", (then, then))
            self.assertEqual(self.removed(), [{sessions[0]}, set(sessions[:2]), {sessions[2]}, {sessions[3]}][i])


@unittest.skipUnless(HOSTILE.is_dir(), "the hostile files are not here")
class Hostile(ServerTest):
    def test_hostile_files_are_refused_or_opened(self):
        session, failed = self.server.make_session(), 0
        paths = [path for path in sorted(HOSTILE.rglob("*")) if path.is_file() and path.stat().st_size < 1 << 20]
        for path in paths if "OSSA_LONG_TESTS" in os.environ else paths[::4]:
            name = path.name.lstrip(".") or "x"
            self.server.put(session, name.replace("%", "_").replace(" ", "%20").replace("#", "%23").replace("?", "%3f"), path.read_bytes())
            self.server.json("GET", f"api/sessions/{session}/files")
            told = self.server.wait(session, self.server.begin(session, do="open", files=[name.replace("%", "_")]))
            self.assertIn(told["state"], ("done", "failed"))
            failed += told["state"] == "failed"
            if told["state"] == "failed":
                self.assertNotIn(told["error"]["code"], ("", "memory"), (name, told))
                self.assertNotIn(self.place.name, told["error"]["message"])
        self.assertGreater(failed, 0)


main()
