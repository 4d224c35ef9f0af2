"""
Raw sockets towards a daemon in a process of its own.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SECONDS = 10.0
"""How long any single wait may take before the test fails."""


OPENED: list[socket.socket] = []
"""Sockets of the running test."""


class Daemon:
    """
    The child process, and how to reach it.
    """

    def __init__(self, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("sse_daemon.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        self.port = int(self._line())

    def order(self, word: str) -> str:
        """
        Tell the daemon to do something; its answer when it is done.
        """
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return self._line()

    def connect(self, *, receive_buffer: int | None = None) -> Raw:
        """
        One TCP connection.
        """
        connection = socket.socket()
        if receive_buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(SECONDS)
        OPENED.append(connection)
        connection.connect(("127.0.0.1", self.port))
        return Raw(connection)

    def ask(self, method: str, target: str, *headers: str, body: bytes = b"", host: str | None = None) -> Raw:
        """
        One request on a connection of its own.
        """
        raw = self.connect()
        head = [f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", *headers]
        if method == "POST":
            head.append(f"Content-Length: {len(body)}")
        raw.send("\r\n".join([*head, "", ""]).encode() + body)
        return raw

    def stop(self) -> None:
        """
        End the process, however the test went.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


class Raw:
    """
    One socket, read as HTTP without any library.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.unread = b""
        self.chunked = False

    def send(self, raw: bytes) -> None:
        """
        Bytes to the daemon.
        """
        self.connection.sendall(raw)

    def until(self, mark: bytes) -> bytes:
        """
        Everything up to and with ``mark``.
        """
        while mark not in self.unread:
            received = self.connection.recv(65_536)
            assert received, f"the daemon closed before {mark!r}; there is {self.unread!r}"
            self.unread += received
        before, _, self.unread = self.unread.partition(mark)
        return before + mark

    def head(self) -> tuple[int, dict[str, str]]:
        """
        The status and the headers of the next response, names in lower case.
        """
        first, *lines = self.until(b"\r\n\r\n").decode().rstrip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.chunked = headers.get("transfer-encoding") == "chunked"
        return int(first.split()[1]), headers

    def response(self) -> tuple[int, dict[str, str], str]:
        """
        A whole response with a length.
        """
        status, headers = self.head()
        size = int(headers["content-length"])
        while len(self.unread) < size:
            received = self.connection.recv(65_536)
            assert received, "the daemon closed within a body"
            self.unread += received
        body, self.unread = self.unread[:size], self.unread[size:]
        return status, headers, body.decode()

    def chunk(self) -> bytes:
        """
        The next chunk of a chunked body; empty at its end.
        """
        size = int(self.until(b"\r\n"), 16)
        while len(self.unread) < size + 2:
            received = self.connection.recv(65_536)
            assert received, "the daemon closed within a chunk"
            self.unread += received
        body, self.unread = self.unread[:size], self.unread[size + 2 :]
        return body

    def frames(self, count: int) -> list[bytes]:
        """
        The next ``count`` chunks; the daemon writes a frame as one chunk while the reader keeps up.
        """
        return [self.chunk() for _ in range(count)]

    def at_end(self) -> bool:
        """
        Whether the daemon closed and nothing is left.
        """
        return self.unread == b"" and self.connection.recv(1) == b""

    def close(self) -> None:
        """
        Hang up.
        """
        self.connection.close()


class Stream:
    """
    An open session.
    """

    def __init__(self, daemon: Daemon, target: str = "/mcp/sse") -> None:
        self.daemon = daemon
        self.raw = daemon.ask("GET", target)
        self.status, self.headers = self.raw.head()
        self.first = self.raw.chunk()
        match = re.fullmatch(rb"event: endpoint\ndata: (\S+)\n\n", self.first)
        assert match is not None, self.first
        self.path = match[1].decode()

    def post(self, body: str) -> tuple[int, dict[str, str], str]:
        """
        One message to this session.
        """
        raw = self.daemon.ask("POST", self.path, "Content-Type: application/json", body=body.encode())
        answer = raw.response()
        raw.close()
        return answer


@pytest.fixture(autouse=True)
def _hang_up() -> Iterator[None]:
    """
    No test leaves a connection to the next one.
    """
    yield
    while OPENED:
        OPENED.pop().close()


@pytest.fixture(scope="module", params=["on", "off"], ids=["lane-on", "lane-off"])
def fast_lane(request: pytest.FixtureRequest) -> str:
    """
    Each dialogue is held with the fast lane and without.
    """
    return str(request.param)


@pytest.fixture
def start_daemon(fast_lane: str) -> Iterator[Callable[..., Daemon]]:
    """
    Start daemons; they end with the test.
    """
    started: list[Daemon] = []

    def start(*, attached: bool = True, **environment: str) -> Daemon:
        daemon = Daemon(FAST_LANE=fast_lane, **environment)
        started.append(daemon)
        if attached:
            assert daemon.order("attach") == "attached"
        return daemon

    yield start
    for daemon in started:
        daemon.stop()


@pytest.fixture(scope="module")
def daemon(fast_lane: str) -> Iterator[Daemon]:
    """
    One serving daemon without a pairing token, shared by the tests of a module.
    """
    shared = Daemon(FAST_LANE=fast_lane)
    assert shared.order("attach") == "attached"
    yield shared
    shared.stop()


@pytest.fixture
def open_stream(daemon: Daemon) -> Callable[..., Stream]:
    """
    Open sessions on the shared daemon.
    """
    return lambda target="/mcp/sse": Stream(daemon, target)


@pytest.fixture
def stream_of() -> Callable[[Daemon], Stream]:
    """
    Open a session on a daemon of the test's own.
    """
    return Stream
