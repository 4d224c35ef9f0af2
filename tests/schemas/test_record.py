"""
What daemons in processes of their own say is compared too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples.journeys.children import start_daemon
from reticle.client import connect
from tests.schemas.record import Recording

OPENED = [0, "opened", "2025-06-18"]
ASKED = [0, "sent", '{"jsonrpc": "2.0", "id": 1, "method": "ping"}']
ANSWERED = [0, "received", '{"jsonrpc": "2.0", "id": 1, "result": {}}']
STRAY = [0, "received", '{"jsonrpc": "2.0", "id": 2, "result": {}}']


def test_each_line_is_compared_once(tmp_path: Path) -> None:
    """
    A wrong message is told when it is there, not again, and a line that is not whole yet waits.
    """
    recording = Recording(tmp_path)
    lines = [json.dumps(line) for line in (OPENED, ASKED, ANSWERED, STRAY)]
    written = tmp_path / f"{os.getpid()}.jsonl"
    written.write_text("\n".join(lines)[:-5])
    assert recording.wrong() == []
    written.write_text("\n".join([*lines, ""]))
    assert recording.wrong() == ["nobody waits for an answer to 2"]
    assert recording.wrong() == []
    assert recording.count == 2


def test_what_a_daemon_wrote_before_its_end_is_compared_and_removed(tmp_path: Path) -> None:
    """
    The folder does not grow with every daemon of a run, and another process may get the number again.
    """
    recording = Recording(tmp_path)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    written = tmp_path / f"{ended.pid}.jsonl"
    for _ in range(2):
        written.write_text("".join(f"{json.dumps(line)}\n" for line in (OPENED, STRAY)))
        assert recording.wrong() == ["nobody waits for an answer to 2"]
        assert not written.exists()


@pytest.mark.system
def test_a_daemon_writes_down_what_it_says(tmp_path: Path) -> None:
    """
    Handshake, list and call of a real daemon reach the comparison.
    """
    messages = tmp_path / "messages"
    messages.mkdir()
    recording = Recording(messages)
    daemon = start_daemon(tmp_path / "daemon", extra=recording.environment())
    try:
        with connect(daemon.mcp_url) as client:
            client.initialize()
            client.list_tools()
            assert client.call("reticle_sessions").ok
    finally:
        daemon.child.stop()
    assert recording.wrong() == []
    assert recording.count >= 3
