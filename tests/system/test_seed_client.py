"""
The client and the two curl commands that the published contract prints, run word for word.

The document itself is not part of this repository: name it in ``RETICLE_CONTRACT_DOC``.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.journeys.children import ROOT, Child, Daemon
from reticle.client import connect
from tests.system.starting import StartDaemon
from tests.system.wire import dialled, eventually, open_stream

KEEPALIVES = 3
QUICK_DAEMON = ROOT / "tests/system/quick_keepalive.py"


@pytest.fixture(scope="module")
def contract() -> str:
    """
    The contract's text.
    """
    named = os.environ.get("RETICLE_CONTRACT_DOC")
    found = [Path(named)] if named else sorted((ROOT.parent / "shared" / "seeds").glob("000_*.txt"))
    if not found or not found[0].is_file():
        pytest.skip(f"the contract document is not here ({named or 'RETICLE_CONTRACT_DOC is not set'})")
    return found[0].read_text("utf-8")


@pytest.fixture
def daemon(start: StartDaemon) -> Daemon:
    """
    A daemon that sends its keepalives twice a second instead of every fifteen.
    """
    return start([sys.executable, QUICK_DAEMON])


def between(text: str, first: str, after: str) -> str:
    """
    The part of the document from ``first`` up to ``after``.
    """
    start = text.index(first)
    return text[start : text.index(after, start)].strip()


def test_node_client_runs_unmodified(
    contract: str, daemon: Daemon, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """
    The printed client lists the tools, takes a snapshot, outlives three keepalives and a planned stop.
    """
    code = between(contract, "import http from 'node:http';", "To watch the raw frames")
    assert code.count("4400") == 1
    program = tmp_path / "client.mjs"
    program.write_text(code.replace("4400", str(daemon.port)))
    client = Child("the contract's client", [tool("node"), program], tmp_path / "client.log")
    try:
        client.wait_for(lambda: len(client.printed().splitlines()) >= 2 or None, "tool list and snapshot")
        with dialled(daemon.port) as observer:
            open_stream(observer)
            _count_keepalives(observer)
        assert client.process.poll() is None
        daemon.child.terminate()
        assert client.wait_for_exit(5) == 0, client.printed()
    finally:
        client.stop()
    assert "reticle_snapshot" in client.printed().splitlines()[0]
    assert "Error" not in client.printed()
    assert daemon.child.wait_for_exit(5) == 0


def test_curl_commands_run_unmodified(
    contract: str, daemon: Daemon, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """
    The first shell shows the endpoint and later the tool list, the second one's POST is accepted.
    """
    tool("curl")
    watch = between(contract, "curl -N ", "\n").replace("4400", str(daemon.port))
    send = between(contract, "curl -X POST ", "The 202 comes back").replace("4400", str(daemon.port))
    first_shell = Child("curl -N", ["sh", "-c", f"exec {watch}"], tmp_path / "curl.log")
    try:
        session = first_shell.wait_for(
            lambda: re.search(r"^data: /mcp/message\?sessionId=(\S+)$", first_shell.printed(), re.MULTILINE),
            "endpoint frame",
        )[1]
        done = subprocess.run(
            ["sh", "-c", send.replace("<id>", session) + " -s -w '%{http_code}'"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
        assert done.stdout.endswith("202")
        eventually(lambda: '"reticle_snapshot"' in first_shell.printed(), "the tool list in the first shell")
    finally:
        first_shell.stop()


def test_our_client_outlives_keepalives(daemon: Daemon) -> None:
    """
    A quiet client still gets its answers after the stream carried nothing but keepalives.
    """
    with connect(daemon.mcp_url) as client, dialled(daemon.port) as observer:
        open_stream(observer)
        _count_keepalives(observer)
        assert client.request("ping") == {}


def _count_keepalives(observer: socket.socket) -> None:
    """
    Read a stream until it carried three comment lines, each ended by a single newline.
    """
    seen = b""
    while len(re.findall(rb"^:.*\n", seen, re.MULTILINE)) < KEEPALIVES:
        chunk = observer.recv(65_536)
        assert chunk, f"the stream ended: {seen!r}"
        seen += chunk
    assert b"\n\n" not in seen
