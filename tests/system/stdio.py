"""
A client's end of ``reticle mcp``: lines in, lines out, and what it started to clean up after.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from examples.journeys.children import daemon_environment
from tests.schemas.dialogue import Dialogue

WAIT_SECONDS = 30.0
CHUNK = 65_536
SERVER = (sys.executable, "-m", "reticle", "mcp")


def hello(revision: str = "2025-11-25") -> dict[str, object]:
    """
    What a client's ``initialize`` carries.
    """
    return {
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": {"name": "stdio-test", "version": "1"},
    }


class StdioClient:
    """
    One front and our end of it. ``notifications`` holds what came unasked, ``log`` is its standard error.

    What it says is compared with the schema of the revision, unless ``checks`` is False: a scripted daemon
    may say anything. ``dialogue`` has to be told of requests that did not go through ``send``.
    """

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str] = (),
        extra: Mapping[str, str] | None = None,
        command: Sequence[str] = SERVER,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log = folder / f"front-{time.monotonic_ns()}.err"
        self.notifications: list[dict[str, Any]] = []
        self.lines: list[bytes] = []
        self._arrived: dict[str, list[dict[str, Any]]] = {}
        self.checks = True
        self.dialogue = Dialogue()
        self._buffer = b""
        self._last = 0
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("RETICLE_")}
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**inherited, **daemon_environment(folder), **(extra or {})},
                cwd=folder,
                start_new_session=True,
            )

    def send(self, message: Mapping[str, object] | bytes) -> None:
        """
        Write one line.
        """
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        self.dialogue.sent(line)
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> int:
        """
        Send one request; gives its id.
        """
        self._last += 1
        message: dict[str, object] = {"jsonrpc": "2.0", "id": self._last, "method": method}
        self.send(message if params is None else {**message, "params": dict(params)})
        return self._last

    def notify(self, method: str, params: Mapping[str, object] | None = None) -> None:
        """
        Send one notification.
        """
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else {**message, "params": dict(params)})

    def answer(self, identity: object, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """
        The whole answer to a request.
        """
        key = json.dumps(identity)
        deadline = time.monotonic() + seconds
        while not self._arrived.get(key):
            assert self.receive(deadline - time.monotonic()), f"no answer to {key}: {self.told()}"
        return self._arrived[key][0]

    def answers(self, identity: object) -> int:
        """
        How often a request was answered so far.
        """
        return len(self._arrived.get(json.dumps(identity), []))

    def request(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        """
        Ask and wait; gives the result.
        """
        found = self.answer(self.ask(method, params))
        assert "result" in found, found
        result: dict[str, Any] = found["result"]
        return result

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """
        Call one tool; gives the result.
        """
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def initialize(self, revision: str = "2025-11-25") -> dict[str, Any]:
        """
        Shake hands.
        """
        result = self.request("initialize", hello(revision))
        self.notify("notifications/initialized")
        return result

    def receive(self, seconds: float) -> bool:
        """
        Take what comes within a time; False when nothing did or the front has closed its end.
        """
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        if seconds <= 0 or not select.select([descriptor], [], [], seconds)[0]:
            return False
        chunk = os.read(descriptor, CHUNK)
        self._buffer += chunk
        *whole, self._buffer = self._buffer.split(b"\n")
        for line in whole:
            self.lines.append(line)
            wrong = self.dialogue.received(line) if self.checks else []
            assert not wrong, wrong
            self._take(json.loads(line))
        return bool(chunk)

    def wait_for_notification(self, method: str, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """
        The first notification of a method.
        """
        deadline = time.monotonic() + seconds
        while True:
            for each in self.notifications:
                if each["method"] == method:
                    return each
            assert self.receive(deadline - time.monotonic()), f"no {method}: {self.told()}"

    def told(self) -> str:
        """
        What the front said on standard error.
        """
        return self.log.read_text("utf-8", "replace")

    def daemon(self) -> dict[str, Any] | None:
        """
        The record of the living daemon in our directories; None without one.
        """
        for path in sorted((self.folder / "runtime").glob("daemon-*.json")):
            with contextlib.suppress(OSError, ValueError):
                found: dict[str, Any] = json.loads(path.read_text())
                if not has_ended(found["pid"]):
                    return found
        return None

    def wait_for_daemon(self, other_than: int = 0, seconds: float = WAIT_SECONDS) -> int:
        """
        The process id of an announced daemon; waits for one.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = self.daemon()
            if found is not None and found["pid"] != other_than:
                return int(found["pid"])
            time.sleep(0.02)
        raise AssertionError(f"no daemon was announced: {self.told()}")

    def kill_daemon(self) -> int:
        """
        End the announced daemon with SIGKILL; gives what its process id was.
        """
        pid = self.wait_for_daemon()
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(pid)
        return pid

    def close(self) -> int:
        """
        Close our end; gives the front's exit code.
        """
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        return self.process.wait(WAIT_SECONDS)

    def end_front(self) -> None:
        """
        End the front alone.
        """
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def end(self) -> None:
        """
        End the front, and the daemon that it or another front of this folder started.
        """
        self.end_front()
        for pid in self._daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _daemons(self) -> list[int]:
        """
        Every process that was started with our runtime directory, also one that has not announced itself yet.
        """
        mark = f"RETICLE_RUNTIME_DIR={self.folder / 'runtime'}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return found

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.notifications.append(message)
        else:
            self._arrived.setdefault(json.dumps(message.get("id")), []).append(message)


def has_ended(pid: int) -> bool:
    """
    Whether there is no such process; a zombie has ended.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


def wait_until_gone(pid: int, seconds: float = WAIT_SECONDS) -> None:
    """
    Wait until a process has ended.
    """
    deadline = time.monotonic() + seconds
    while not has_ended(pid):
        assert time.monotonic() < deadline, f"process {pid} does not end"
        time.sleep(0.01)
