"""
Serves an example with and without the probe, and counts the CPU time of both.
"""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.system.played_daemon import PlayedDaemon

ROOT = Path(__file__).resolve().parents[2]
SERVERS = ROOT / "examples/servers/apps"
APPS = ("django", "flask", "fastapi", "klein", "wsgi")
_NEEDS = {"django": "django", "flask": "flask", "fastapi": "fastapi", "klein": "klein", "wsgi": "wsgiref"}
_SCHED = 2
"""Linux's number of a process's CPU clock, in nanoseconds and not in ticks (``clock_getcpuclockid``)."""

_WARM_UP = 150
"""Requests before anything is counted: after the first few dozen, of which the probe notes every function."""

_SCRIPT_SECONDS = 20.0
_SCRIPT_PAUSE_SECONDS = 0.1


class Cost(NamedTuple):
    """
    What an app's requests cost: microseconds of CPU time each, the ratio of each pair, and what was told.
    """

    without_us: float
    with_us: float
    ratios: list[float]
    facts: int
    requests: int


class Served(NamedTuple):
    """
    A server that runs.
    """

    url: str
    pid: int

    @property
    def cpu_seconds(self) -> float:
        """
        Of all its threads so far, those that ended too.
        """
        return time.clock_gettime((~self.pid << 3) | _SCHED)


def is_installed(name: str) -> bool:
    """
    Whether the example's framework is there.
    """
    return importlib.util.find_spec(_NEEDS[name]) is not None


def measure_app(name: str, folder: Path, pairs: int, requests: int, *, acting: bool) -> Cost:
    """
    Serve one example twice and ask both in turn; ``acting``: every request names an action of a page, and not
    only the writes.
    """
    told = folder / "runtime"
    told.mkdir()
    daemon = PlayedDaemon(told)
    try:
        with (
            serving(name, folder / "with", told, "1") as on,
            serving(name, folder / "without", told, "0") as off,
        ):
            wait_for_script(on)
            for server in (on, off):
                ask(server, _WARM_UP, marked=server is on, acting=acting)
            before = len(daemon.lines)
            spent = [
                pair(on, off, requests, is_first=number % 2 == 0, acting=acting) for number in range(pairs)
            ]
            facts = len(daemon.lines) - before
    finally:
        daemon.close()
    total = pairs * requests
    return Cost(
        sum(each for _, each in spent) / total * 1e6,
        sum(each for each, _ in spent) / total * 1e6,
        [mine / theirs for mine, theirs in spent],
        facts,
        total,
    )


@contextlib.contextmanager
def serving(
    name: str,
    folder: Path,
    runtime: Path,
    switch: str,
    command: Sequence[str] = (sys.executable, "serve.py"),
    **more: str,
) -> Iterator[Served]:
    """
    A copy of the example, served by its own ``serve.py``; ``more`` is put into the environment.
    """
    shutil.copytree(SERVERS / "_shared", folder)
    shutil.copytree(SERVERS / name, folder, dirs_exist_ok=True)
    environ = {
        **os.environ,
        "RETICLE_PROBE": switch,
        "RETICLE_RUNTIME_DIR": str(runtime),
        "PYTHONPATH": str(ROOT),
        **more,
    }
    running = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        assert url, f"{name} does not start"
        yield Served(url, running.pid)
    finally:
        running.terminate()
        running.communicate()


def wait_for_script(server: Served) -> None:
    """
    The probe fetches the daemon's script in its own time; from then on pages carry it.
    """
    ends = time.monotonic() + _SCRIPT_SECONDS
    while True:
        try:
            ask(server, 1, marked=True)
        except AssertionError:
            assert time.monotonic() < ends, "no page gets the script"
            time.sleep(_SCRIPT_PAUSE_SECONDS)
        else:
            return


def pair(
    on: Served, off: Served, requests: int, *, is_first: bool, acting: bool = False
) -> tuple[float, float]:
    """
    A block for each, with and without the probe, in one order and in the next pair in the other: a machine
    that gets busier, or warmer, favours neither.
    """
    if is_first:
        mine = block(on, requests, marked=True, acting=acting)
        return mine, block(off, requests, marked=False, acting=acting)
    theirs = block(off, requests, marked=False, acting=acting)
    return block(on, requests, marked=True, acting=acting), theirs


def block(server: Served, requests: int, *, marked: bool, acting: bool = False) -> float:
    """
    CPU seconds of so many requests.
    """
    before = server.cpu_seconds
    ask(server, requests, marked=marked, acting=acting)
    return server.cpu_seconds - before


def ask(
    server: Served, requests: int, *, marked: bool, acting: bool = False, kinds: Sequence[Kind] | None = None
) -> None:
    """
    Send them one after the other, as a page and its script would.

    Args:
        server: Whom.
        requests: How many; each kind in its turn.
        marked: The pages of this server must carry the script, those of the other must not.
        acting: Each names an action.
        kinds: Of which kinds; of all by default.
    """
    asked = tuple(KINDS.values()) if kinds is None else kinds
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    for number in range(requests):
        method, path, body, headers = asked[number % len(asked)]
        connection.request(method, path, body, {**headers, **_ACTING} if acting else headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        assert answer.status == 200, f"{path}: {answer.status}"
        if path == "/":
            assert (b"/__reticle__/sdk.js" in content) == marked


# On a kept connection some of the servers answer in pieces that wait 40 ms for each other.
_EACH = {"Accept-Encoding": "gzip", "Connection": "close"}
_PAGE = {**_EACH, "Accept": "text/html", "Sec-Fetch-Dest": "document"}
_CALL = {**_EACH, "Accept": "application/json", "Sec-Fetch-Dest": "empty"}
_ACTING = {"X-Reticle-Action": "p1.a1"}
_WRITE = {**_CALL, "Content-Type": "application/json", **_ACTING}
Kind = tuple[str, str, "str | None", dict[str, str]]
"""A request: method, path, body, headers."""

KINDS: dict[str, Kind] = {
    "page": ("GET", "/", None, _PAGE),
    "read": ("GET", "/desk", None, _CALL),
    "write": ("POST", "/stock", '{"product": "Mug", "add": 1}', _WRITE),
}
"""What is asked for, by what it is of the page's."""
