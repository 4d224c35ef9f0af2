"""
Starting the servers that are compared: ours and the peers, each with the same no-op tool.

Peers are installed from their registries into a cache outside of the repository, once; the pinned versions
stand in ``peers/``.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from examples.journeys import orphans  # noqa: E402 - the path is set above

HERE = Path(__file__).parent
PEERS = HERE / "peers"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "reticle-bench"
START_SECONDS = 60.0
UNAUDITED = "reticle, unaudited"
FAULTS = (RuntimeError, OSError, ValueError, subprocess.SubprocessError, http.client.HTTPException)
"""What a server that cannot be installed, started or measured ends in."""


@dataclass(frozen=True, eq=False)
class Kind:
    """
    One server and carrier. ``carrier`` is ``streamable``, ``sse`` or ``stdio``; ``path`` where it is dialled.
    ``ours`` is compared with the best of the others. ``for_speed_only`` ones differ from another of ours in
    what a call costs and in nothing else.
    """

    name: str
    carrier: str
    path: str
    command: Sequence[str]
    ours: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    for_speed_only: bool = False


def _install(marker: Path, sources: Sequence[Path], *commands: Sequence[str], tool: str = "") -> None:
    """
    Run the commands unless they were run for the same sources and ``tool``, which made what is there.
    """
    made_of = b"".join(source.read_bytes() for source in sources) + f"{tool} {platform.machine()}".encode()
    wanted = hashlib.sha256(made_of).hexdigest()
    if marker.exists() and marker.read_text(encoding="ascii") == wanted:
        return
    print(f"installing {marker.parent.name} into {CACHE}", file=sys.stderr)
    for command in commands:
        subprocess.run(command, check=True, cwd=marker.parent, stdout=sys.stderr)
    marker.write_text(wanted, encoding="ascii")


def _python(name: str) -> str:
    home = CACHE / name
    home.mkdir(parents=True, exist_ok=True)
    requirements = PEERS / f"requirements-{name}.txt"
    python = str(home / "bin" / "python")
    _install(
        home / "installed",
        [requirements],
        # Cleared: what an interrupted run or another interpreter left there cannot be told from a whole one.
        [sys.executable, "-m", "venv", "--clear", str(home)],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(requirements)],
        tool=f"{sys.base_prefix} {platform.python_version()}",
    )
    return python


def _node() -> str:
    home = CACHE / "node"
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(PEERS / "package.json", home)
    shutil.copy(PEERS / "sdk_server.mjs", home)
    _install(
        home / "installed",
        [PEERS / "package.json"],
        ["npm", "install", "--silent", "--no-audit", "--no-fund"],
        tool=subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout,
    )
    return str(home / "sdk_server.mjs")


def load_generator() -> str:
    """
    The compiled load generator.
    """
    home = CACHE / "load"
    home.mkdir(parents=True, exist_ok=True)
    source = HERE / "load.c"
    _install(home / "built", [source], ["cc", "-O2", "-o", str(home / "load"), str(source)])
    return str(home / "load")


def all_kinds() -> Sequence[Kind]:
    """
    Every server, installed. A family of peers that cannot be installed here is left out, and said so.
    """
    ours = [sys.executable, str(HERE / "ours.py")]
    serve = [*ours, "serve", "--port", "{port}", "--state-dir", "{home}/state", "--runtime-dir", "{home}/run"]
    serve += ["--log-file", "{home}/log"]
    plain = [*serve, "--fast-lane", "off"]
    kinds = [
        Kind("reticle", "streamable", "/mcp", serve, ours=True),
        Kind("reticle, lane off", "streamable", "/mcp", plain, ours=True, for_speed_only=True),
        Kind(UNAUDITED, "streamable", "/mcp", serve, True, {"RETICLE_BENCH_UNAUDITED": "1"}, True),
        Kind("reticle", "sse", "/mcp/sse", serve, ours=True),
        Kind("reticle, lane off", "sse", "/mcp/sse", plain, ours=True, for_speed_only=True),
        Kind(UNAUDITED, "sse", "/mcp/sse", serve, True, {"RETICLE_BENCH_UNAUDITED": "1"}, True),
        Kind("reticle", "stdio", "", [sys.executable, "-m", "reticle", "mcp", "--no-start"], ours=True),
    ]
    for family in (_typescript_sdk, _python_sdk, _fastmcp):
        try:
            kinds += family()
        except FAULTS as fault:
            print(f"left out: {family.__name__[1:]} cannot be installed: {fault}", file=sys.stderr)
    return kinds


def _typescript_sdk() -> Sequence[Kind]:
    node = ["node", _node()]
    return [
        Kind("ts sdk, json", "streamable", "/mcp", [*node, "json", "{port}"]),
        Kind("ts sdk, stream", "streamable", "/mcp", [*node, "http", "{port}"]),
        Kind("ts sdk", "sse", "/sse", [*node, "sse", "{port}"]),
        Kind("ts sdk", "stdio", "", [*node, "stdio"]),
    ]


def _python_sdk() -> Sequence[Kind]:
    return _python_peer("py sdk", [_python("mcp"), str(PEERS / "sdk_server.py")])


def _fastmcp() -> Sequence[Kind]:
    return _python_peer("fastmcp", [_python("fastmcp"), str(PEERS / "fastmcp_server.py")])


def _python_peer(name: str, command: Sequence[str]) -> Sequence[Kind]:
    return [
        Kind(name, "streamable", "/mcp", [*command, "http", "{port}"]),
        Kind(name, "sse", "/sse", [*command, "sse", "{port}"]),
        Kind(name, "stdio", "", [*command, "stdio"]),
    ]


@dataclass
class Running:
    """
    A started server. ``began`` is when it was told to start, on the monotonic clock.
    """

    process: subprocess.Popen[bytes]
    port: int
    began: float

    @property
    def pids(self) -> Sequence[int]:
        """
        The process and all below it.
        """
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            with contextlib.suppress(OSError):
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
                waiting.extend(int(child) for child in children.split())
        return found

    @property
    def rss_bytes(self) -> int:
        """
        Resident memory of all its processes.
        """
        page = os.sysconf("SC_PAGE_SIZE")
        return sum(
            int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * page for pid in self.pids
        )


def free_port() -> int:
    """
    A port nobody listens on, for the moment.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def started(kind: Kind, environment: Mapping[str, str] | None = None) -> Iterator[Running]:
    """
    A server that listens; it is ended, and what it wrote removed, on the way out.
    """
    home = tempfile.mkdtemp(prefix="reticle-bench-")
    port = free_port()
    command = [part.format(port=port, home=home) for part in kind.command]
    said = Path(home) / "stderr"
    began = time.monotonic()
    with said.open("wb") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **kind.environment, **(environment or {})},
        )
    orphans.guard(process.pid)
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            if process.poll() is not None or time.monotonic() > began + START_SECONDS:
                raise RuntimeError(f"{kind.name} ({kind.carrier}) does not start: {' '.join(command)}")
            time.sleep(0.002)
        yield Running(process, port, began)
    except FAULTS as fault:
        # A connection that was reset says nothing; what the server said before it ended does.
        words = said.read_text("utf-8", "replace").strip().splitlines()[-3:]
        if process.poll() is None or not words:
            raise
        raise RuntimeError(
            f"{fault}; it ended with code {process.returncode}: {' | '.join(words)}"
        ) from fault
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        orphans.release(process.pid)
        shutil.rmtree(home, ignore_errors=True)
