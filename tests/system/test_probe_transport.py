"""
The probe's connection over real sockets: a daemon that answers, hangs, talks nonsense or dies.

Whatever it does, no request of the app waits for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reticle.probe.daemon_link import Answer, Broken, DaemonLink, Unreachable
from reticle.probe.runtime_file import DaemonAddress

ROOT = Path(__file__).resolve().parents[2]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

pytestmark = pytest.mark.system


class Daemon:
    """
    A listener that treats each connection as it is told, and keeps what came.
    """

    def __init__(self, serve: Callable[[socket.socket], None]) -> None:
        self._serve = serve
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> DaemonAddress:
        """
        As its runtime file would tell it.
        """
        return DaemonAddress("127.0.0.1", self.port, "/ingest", "tok", "/sdk.js", "")

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self.listener.accept()
                self.connections += 1
                threading.Thread(target=self._one, args=(line,), daemon=True).start()

    def _one(self, line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            self._serve(line)


@pytest.fixture
def daemon() -> Iterator[Callable[[Callable[[socket.socket], None]], Daemon]]:
    """
    Makes daemons, and closes them.
    """
    made: list[Daemon] = []

    def make(serve: Callable[[socket.socket], None]) -> Daemon:
        made.append(Daemon(serve))
        return made[-1]

    yield make
    for each in made:
        each.listener.close()


def request(line: socket.socket) -> tuple[bytes, bytes]:
    """
    One POST: its head and its body.
    """
    got = b""
    while b"\r\n\r\n" not in got:
        more = line.recv(65_536)
        if not more:
            raise ConnectionResetError
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65_536)
    return head, body


Make = Callable[[Callable[[socket.socket], None]], Daemon]


def test_batches_share_a_connection_and_carry_the_token(daemon: Make) -> None:
    """
    The daemon knows the probe by its token, and is dialled once.
    """
    heads: list[bytes] = []

    def serve(line: socket.socket) -> None:
        while True:
            heads.append(request(line)[0])
            line.sendall(OK[:20])
            line.sendall(OK[20:])

    there = daemon(serve)
    link = DaemonLink(there.address)
    assert [link.post(b"{}\n") for _ in range(3)] == [Answer(200, None)] * 3
    assert there.connections == 1
    assert heads[0].startswith(b"POST /ingest HTTP/1.1\r\n")
    assert b"X-Reticle-Ingest-Token: tok\r\n" in heads[0]
    link.close()


def test_a_connection_that_the_daemon_closed_is_dialled_again(daemon: Make) -> None:
    """
    An idle connection that was closed costs no batch.
    """
    closed = threading.Semaphore(0)

    def serve(line: socket.socket) -> None:
        request(line)
        line.sendall(OK)
        line.close()
        closed.release()

    there = daemon(serve)
    with contextlib.closing(DaemonLink(there.address)) as link:
        for _ in range(3):
            assert link.post(b"{}\n").status == 200
            assert closed.acquire(timeout=10)
    assert there.connections == 3


def test_a_daemon_that_started_again_is_told_its_new_token(daemon: Make) -> None:
    """
    With the old one all that the app tells from then on would be what anybody may say.
    """
    heads: list[bytes] = []
    closed = threading.Semaphore(0)

    def serve(line: socket.socket) -> None:
        heads.append(request(line)[0])
        line.sendall(OK)
        line.close()
        closed.release()

    there = daemon(serve).address
    anew = DaemonAddress(there.host, there.port, there.path, "new", there.sdk, there.bridge)
    with contextlib.closing(DaemonLink(there, lambda: anew)) as link:
        for _ in range(2):
            link.post(b"{}\n")
            assert closed.acquire(timeout=10)
    assert [b"Ingest-Token: new\r\n" in head for head in heads] == [False, True]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", Answer(429, 7.0)),
        (b"HTTP/1.1 503 No\r\nRetry-After: 9999\r\nContent-Length: 0\r\n\r\n", Answer(503, 30.0)),
        (b"HTTP/1.1 204 None\r\n\r\n", Answer(204, None)),
    ],
)
def test_what_the_daemon_asks_for_is_read(daemon: Make, answer: bytes, told: Answer) -> None:
    """
    A busy daemon is given the pause that it asks for, within bounds.
    """

    def serve(line: socket.socket) -> None:
        request(line)
        line.sendall(answer)

    with contextlib.closing(DaemonLink(daemon(serve).address)) as link:
        assert link.post(b"{}\n") == told


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 x\r\n\r\n", b"x" * 100_000])
def test_what_is_no_daemon_breaks_off(daemon: Make, answer: bytes) -> None:
    """
    Another program on the daemon's old port is not waited for.
    """

    def serve(line: socket.socket) -> None:
        request(line)
        line.sendall(answer)

    with pytest.raises(Broken):
        DaemonLink(daemon(serve).address).post(b"{}\n")


def test_nobody_at_the_port_is_told_apart() -> None:
    """
    A refused dial means that nothing was sent.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Unreachable):
        DaemonLink(DaemonAddress("127.0.0.1", port, "/ingest", "tok", "/sdk.js", "")).post(b"{}\n")


APP = """
import json, os, sys, time
import reticle.probe
from reticle.probe import context
assert reticle.probe.start("plain", os.getcwd(), on=True).is_on
slowest = 0.0
for number in range(400):
    before = time.perf_counter()
    request = context.begin("GET", "/")
    for _ in range(5):
        reticle.probe.emit("log", level="WARNING", message="x" * 500)
    request.end(200)
    slowest = max(slowest, time.perf_counter() - before)
    if number % 20 == 0:
        time.sleep(0.01)
print(json.dumps({"slowest": slowest, "done": number + 1, "ended": time.monotonic()}), flush=True)
"""


def run_app(folder: Path, port: int) -> tuple[dict[str, float], float]:
    """
    Serve 400 requests in a process of its own; what it says, and how long its end took in seconds.
    """
    file = folder / "probe.json"
    file.write_text(json.dumps({"url": f"http://127.0.0.1:{port}/ingest", "token": "tok"}))
    file.chmod(0o600)
    environ = os.environ | {"PYTHONPATH": str(ROOT), "RETICLE_RUNTIME_DIR": str(folder)}
    found = subprocess.run(
        [sys.executable, "-c", APP],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    after = time.monotonic()
    assert found.returncode == 0, found.stderr
    said = json.loads(found.stdout)
    return said, after - said["ended"]


def test_a_daemon_that_hangs_makes_no_request_wait(daemon: Make, tmp_path: Path) -> None:
    """
    Every request is served, none waits for the two seconds that the sender waits, nor does the exit.
    """
    hung = threading.Event()

    def serve(_: socket.socket) -> None:
        hung.wait(60)

    there = daemon(serve)
    said, end = run_app(tmp_path, there.port)
    hung.set()
    assert there.connections >= 1
    assert said["done"] == 400
    assert said["slowest"] < 1.0
    assert end < 1.5


def test_a_daemon_that_dies_under_load_loses_no_request(daemon: Make, tmp_path: Path) -> None:
    """
    Connections cut in the midst of batches are nothing that the app notices.
    """

    def serve(line: socket.socket) -> None:
        line.recv(100)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    there = daemon(serve)
    said, _ = run_app(tmp_path, there.port)
    assert there.connections >= 1
    assert (said["done"], said["slowest"] < 1.0) == (400, True)


def test_a_forked_worker_speaks_for_itself(daemon: Make, tmp_path: Path) -> None:
    """
    A preforking server's workers are processes of their own, and the parent's facts are told once.
    """
    lines: list[dict[str, object]] = []

    def serve(line: socket.socket) -> None:
        while True:
            lines.extend(json.loads(each) for each in request(line)[1].splitlines())
            if any(told.get("message") == "child" for told in lines):
                (tmp_path / "told").touch()
            line.sendall(OK)

    there = daemon(serve)
    file = tmp_path / "probe.json"
    file.write_text(json.dumps({"url": f"http://127.0.0.1:{there.port}/ingest", "token": "tok"}))
    file.chmod(0o600)
    app = (
        "import os, sys, time, reticle.probe as p\np.start('plain', on=True)\n"
        "p.emit('log', message='parent')\nchild = os.fork()\n"
        "if child == 0:\n    p.emit('log', message='child')\n"
        "    end = time.monotonic() + 20\n"  # the flush at the end is short, and a machine may be busy
        "    while not os.path.exists('told') and time.monotonic() < end:\n        time.sleep(0.01)\n"
        "    sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    environ = os.environ | {"PYTHONPATH": str(ROOT), "RETICLE_RUNTIME_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", app], cwd=tmp_path, env=environ, timeout=60, check=True)
    assert len({line["process"] for line in lines if line["kind"] == "hello"}) == 2
    assert sorted((line["message"], line["seq"]) for line in lines if line["kind"] == "log") == [
        ("child", 1), ("parent", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_fork_never_finds_a_module_locked(daemon: Make, tmp_path: Path, host: str) -> None:
    """
    A fork while we send leaves the child able to import and to look names up: our thread imports nothing.
    """

    def serve(line: socket.socket) -> None:
        while True:
            request(line)
            (tmp_path / "told").touch()
            line.sendall(OK)

    there = daemon(serve)
    file = tmp_path / "probe.json"
    file.write_text(json.dumps({"url": f"http://{host}:{there.port}/ingest", "token": "tok"}))
    file.chmod(0o600)
    app = (
        "import os, sys, threading, time, reticle.probe as p\n"
        "class Watch:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if threading.current_thread().name == 'reticle-probe':\n            print(name)\n"
        "sys.meta_path.insert(0, Watch())\np.start('plain', on=True)\np.emit('log', message='one')\n"
        "end = time.monotonic() + 20\n"
        "while not os.path.exists('told') and time.monotonic() < end:\n    time.sleep(0.01)\n"
        "p.stop()\nprint(os.path.exists('told'))\n"
    )
    environ = os.environ | {"PYTHONPATH": str(ROOT), "RETICLE_RUNTIME_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", app], cwd=tmp_path, env=environ, timeout=60, check=True, capture_output=True
    )
    assert ran.stdout.split() == [b"True"]
