"""
Starting what is compared, sending to it, and believing a figure only when the counts are right.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

from frames import Talk, hellos, stream

sys.path.insert(0, str(Path(__file__).parent.parent / "mcp"))

from servers import CACHE, START_SECONDS, Kind, Running
from servers import _install as install  # one way to install for all benchmarks

from reticle.client import Client, ClientError, connect

HERE = Path(__file__).parent
COUNTS = ("recorded", "lost", "read_us")
WITHOUT_JOURNAL = "without journal"
READ_PAGES = 8
"""With more pages the events are only counted: reading a million of them is no part of any use."""
FILLED = 4
"""After so many times of what fits into a buffer, memory is what it stays at."""


class Faulty(RuntimeError):
    """
    A run whose figures would mean nothing: not everything that was sent was recorded.
    """


def peer_kind() -> Kind:
    """
    The Node server, installed.
    """
    home = CACHE / "bridge-peer"
    home.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "server.mjs"):
        shutil.copy(HERE / "peer" / name, home)
    install(
        home / "installed",
        [HERE / "peer" / "package.json"],
        ["npm", "install", "--silent", "--no-audit", "--no-fund"],
    )
    return Kind("ws + zod", "websocket", "/reticle", ["node", str(home / "server.mjs"), "{port}"])


def our_kind(*, journal: bool = True) -> Kind:
    """
    The daemon as it ships, with a tool that counts; or one that keeps no journal.
    """
    command = [sys.executable, str(HERE / "ours.py"), "serve", "--port", "{port}"]
    command += ["--state-dir", "{home}/state", "--runtime-dir", "{home}/run", "--log-file", "{home}/log"]
    if journal:
        return Kind("reticle", "websocket", "/reticle", command, ours=True)
    off = [*command, "--journal", "off"]
    return Kind(WITHOUT_JOURNAL, "websocket", "/reticle", off, ours=True)


def sender() -> str:
    """
    The compiled sender.
    """
    home = CACHE / "send"
    home.mkdir(parents=True, exist_ok=True)
    source = HERE / "send.c"
    install(home / "built", [source], ["cc", "-O2", "-o", str(home / "send"), str(source)])
    return str(home / "send")


class Target:
    """
    A running server that counts what it recorded.
    """

    def __init__(self, kind: Kind, running: Running, agent: Client | None) -> None:
        self.kind = kind
        self.running = running
        self.agent = agent
        self._before = {"recorded": 0, "lost": 0}

    def counts(self, *, read: bool = False) -> Mapping[str, float]:
        """
        ``recorded`` and ``lost`` of the pages that were connected last; with ``read`` ours has ``read_us``.
        """
        if self.agent is not None:
            answer = self.agent.call("counts", {"read": read})
            fields = answer.fields
            if "recorded" not in fields:
                raise Faulty(f"{self.kind.name}: {answer.text}")
            return {name: float(str(value)) for name, value in fields.items() if name in COUNTS}
        with urllib.request.urlopen(f"http://127.0.0.1:{self.running.port}/counts") as answer:
            now: dict[str, int] = json.load(answer)
        fresh = {name: now[name] - self._before[name] for name in now}
        self._before = now
        return fresh


@contextlib.contextmanager
def ready(kind: Kind, running: Running) -> Iterator[Target]:
    """
    The server with an agent connected to it where it takes one.
    """
    if not kind.ours:
        yield Target(kind, running, None)
        return
    url = f"http://127.0.0.1:{running.port}/mcp/sse"
    while True:
        try:
            agent = connect(url)
            break
        except ClientError:
            if time.monotonic() > running.began + START_SECONDS:
                raise
            time.sleep(0.05)
    with agent:
        agent.initialize("bench", "1")
        yield Target(kind, running, agent)


class Streams:
    """
    Prepared bytes on disk, made once per talk.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="reticle-bench-")
        self._made: dict[Talk, Path] = {}

    def of(self, talk: Talk) -> Path:
        """
        The stream of one page.
        """
        if talk not in self._made:
            path = Path(self._folder.name) / str(len(self._made))
            path.write_bytes(stream(talk))
            self._made[talk] = path
        return self._made[talk]

    def hellos(self, talk: Talk) -> Path:
        """
        The hellos of one run.
        """
        path = Path(self._folder.name) / "hellos"
        path.write_bytes(hellos(talk))
        return path

    def close(self) -> None:
        """
        Remove them.
        """
        self._folder.cleanup()


@contextlib.contextmanager
def sending(target: Target, talk: Talk, streams: Streams) -> Iterator[subprocess.Popen[bytes]]:
    """
    The sender at work; it prints one line when all was taken, and its pages stay open until the block ends.
    """
    path = streams.of(talk)
    command = [
        sender(), str(target.running.port), f"hello={streams.hellos(talk)}", f"stream={path}",
        f"repeat={talk.repeat}", f"pids={','.join(map(str, target.running.pids))}",
    ]  # fmt: skip
    if talk.rate:
        command.append(f"rate={talk.rate * path.stat().st_size / talk.events}")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process


def finished(
    process: subprocess.Popen[bytes],
    target: Target,
    talk: Talk,
    *,
    may_sample: bool = False,
    read: bool = True,
) -> Mapping[str, float]:
    """
    What the sender measured. Raises ``Faulty`` unless the server counted exactly what was sent: all of it
    recorded, or, where it ``may_sample`` a flood, recorded or declared as lost. With ``read`` it also
    says what reading costs.
    """
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise Faulty(f"{target.kind.name}: the sender failed")
    found: Mapping[str, float] = json.loads(line)
    counted = target.counts(read=read and talk.pages <= READ_PAGES)
    # Undeclared losses of published packages are guesses about the page: they stand beside what was recorded.
    lost = 0 if talk.published else counted["lost"]
    if counted["recorded"] + lost != talk.total or (lost and not may_sample):
        raise Faulty(f"{target.kind.name}: {talk.total} sent, {counted}")
    return {**found, **counted}


def ingest(target: Target, talk: Talk, streams: Streams) -> Mapping[str, float]:
    """
    ``per_second`` events, ``cpu_us`` of the server per event, ``reactor_cpu_us`` of its main thread alone,
    ``sender_cpu_us``, ``rss_mb`` behind it.
    """
    before = reactor_seconds(target.running)
    with sending(target, talk, streams) as process:
        found = finished(process, target, talk)
    return {
        "reactor_cpu_us": (reactor_seconds(target.running) - before) * 1e6 / talk.total,
        "per_second": talk.total / found["seconds"],
        "cpu_us": found["cpu_seconds"] * 1e6 / talk.total,
        "sender_cpu_us": found["sender_cpu_seconds"] * 1e6 / talk.total,
        "rss_mb": target.running.rss_bytes / 1e6,
        **({"read_us": found["read_us"]} if "read_us" in found else {}),
    }


def reactor_seconds(running: Running) -> float:
    """
    Processor time of the server's main thread so far.
    """
    pid = running.pids[0]
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


def growth(target: Target, talk: Talk, streams: Streams) -> tuple[float, float, float]:
    """
    Megabytes when every page's buffer has been filled and turned over, at the end of the run, and when an
    agent has then read all that is held.
    """
    with sending(target, talk, streams) as process:
        time.sleep(FILLED * talk.events / talk.rate)
        full = target.running.rss_bytes / 1e6
        finished(process, target, talk, may_sample=True, read=False)
        end = target.running.rss_bytes / 1e6
        target.counts(read=True)
        return full, end, target.running.rss_bytes / 1e6
