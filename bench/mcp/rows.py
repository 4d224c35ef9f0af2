"""
What is measured: each function gives one figure of one server.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from servers import START_SECONDS, Kind, Running, load_generator, started

REVISION = "2025-11-25"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": REVISION,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


class Faulty(RuntimeError):
    """
    A server that answered wrongly; its figures would mean nothing.
    """


def load(running: Running, kind: Kind, *, method: str, clients: int, seconds: float) -> Mapping[str, Any]:
    """
    Requests at a concurrency: ``per_second``, ``p50_us``, ``p99_us``, ``cpu_us`` of the server per request.
    """
    command = [
        load_generator(), "loop", kind.carrier, str(running.port), kind.path, REVISION, f"clients={clients}",
        f"seconds={seconds}", f"method={method}", "tool=noop", f"pids={','.join(map(str, running.pids))}",
    ]  # fmt: skip
    if method == "tools/call":
        command.append('expect="ok"')
    found: Mapping[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    if found["errors"] or not found["requests"]:
        raise Faulty(f"{kind.name} ({kind.carrier}): {found['first_error'] or 'no request was answered'}")
    return found


class Held:
    """
    Many open sessions.
    """

    def __init__(self, running: Running, kind: Kind, clients: int) -> None:
        self._process = subprocess.Popen(
            [
                load_generator(),
                "hold",
                kind.carrier,
                str(running.port),
                kind.path,
                REVISION,
                f"clients={clients}",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.opened: Mapping[str, Any] = {"failed": "it ended"}
        with contextlib.suppress(ValueError):
            self.opened = self._line()
        if self.opened["failed"]:
            self.close()
            raise Faulty(f"{kind.name} ({kind.carrier}): {self.opened}")

    def order(self, words: str) -> Mapping[str, Any]:
        """
        ``ping`` or ``farewell PID EVENT``; see ``load.c``.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(words + "\n")
        self._process.stdin.flush()
        return self._line()

    def close(self) -> None:
        """
        Hang up.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def _line(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line: Mapping[str, Any] = json.loads(self._process.stdout.readline())
        return line


def sessions(kind: Kind, clients: int) -> Mapping[str, Any]:
    """
    ``bytes`` per idle initialized session, how many were ``alive``, and the ``rss_mb`` of the whole server.
    """
    with started(kind) as running:
        first_answer(running.port, kind)
        # First sessions bring in what every session shares.
        Held(running, kind, 8).close()
        time.sleep(0.5)
        before = running.rss_bytes
        with contextlib.closing(Held(running, kind, clients)) as held:
            time.sleep(0.5)
            after = running.rss_bytes
            alive = held.order("ping")
        return {
            "bytes": (after - before) / clients,
            "alive": alive["alive"],
            "rss_mb": after / 1e6,
            "opens_per_second": held.opened["per_second"],
        }


def farewell(kind: Kind, clients: int) -> Mapping[str, Any]:
    """
    How many streams got the last frame of a planned stop, and after how many milliseconds the last ended.
    """
    with started(kind) as running:
        first_answer(running.port, kind)
        with contextlib.closing(Held(running, kind, clients)) as held:
            return held.order(f"farewell {running.process.pid} reticle-shutdown")


def start(kind: Kind) -> Mapping[str, float]:
    """
    Milliseconds from the start to the first answer, and ``idle_mb`` of memory then.
    """
    with started(kind) as running:
        first_answer(running.port, kind)
        answered = time.monotonic()
        time.sleep(1.0)
        return {"start_ms": (answered - running.began) * 1e3, "idle_mb": running.rss_bytes / 1e6}


def first_answer(port: int, kind: Kind) -> None:
    """
    Until the server has answered a handshake, or on the old transport announced a session.

    Raises ``Faulty`` when it does not know the carrier.
    """
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        if kind.carrier == "sse":
            connection.request("GET", kind.path, headers={"Accept": "text/event-stream"})
            response = connection.getresponse()
            if response.status == 200 and b"endpoint" in response.fp.readline() + response.fp.readline():
                connection.close()
                return
        else:
            headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
            connection.request("POST", kind.path, json.dumps(INITIALIZE), headers)
            response = connection.getresponse()
            if response.status == 200 and b'"result"' in response.read():
                connection.close()
                return
        connection.close()
        if response.status in {404, 405}:
            break
        time.sleep(0.002)
    raise Faulty(f"{kind.name} ({kind.carrier}) does not answer at {kind.path}")


def stdio_start(kind: Kind) -> float:
    """
    Milliseconds from the start of a stdio server to its answer to ``initialize``.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        list(kind.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    took = (time.monotonic() - began) * 1e3
    process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
    if b'"result"' not in line:
        raise Faulty(f"{kind.name} (stdio): {line[:200]!r}")
    return took


def tools_list_bytes(kind: Kind) -> int:
    """
    The size of the default ``tools/list`` as it goes over a stream.
    """
    with started(kind) as running:
        first_answer(running.port, kind)
        stream = http.client.HTTPConnection("127.0.0.1", running.port)
        stream.request("GET", kind.path, headers={"Accept": "text/event-stream"})
        response = stream.getresponse()  # kept: what it reads from is closed with it
        lines = response.fp
        path = ""
        while not path:
            line = lines.readline().decode()
            path = line.removeprefix("data: ").strip() if line.startswith("data: ") else ""
        post = http.client.HTTPConnection("127.0.0.1", running.port)
        messages: Sequence[Mapping[str, object]] = [
            INITIALIZE,
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        for message in messages:
            post.request("POST", path, json.dumps(message), {"Content-Type": "application/json"})
            post.getresponse().read()
        while True:
            line = lines.readline().decode()
            if '"tools"' in line and '"id":2' in line.replace(" ", ""):
                return len(
                    json.dumps(json.loads(line.removeprefix("data: "))["result"], separators=(",", ":"))
                )
