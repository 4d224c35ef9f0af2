"""
Where the daemon is, said in files that are gone when it is.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reticle.model.trust import Secret
from reticle.service.announcement import Announcement, announcement


@pytest.fixture
def ours(tmp_path: Path) -> Announcement:
    """
    What a daemon on port 4400 says of itself.
    """
    tmp_path.chmod(0o700)
    return announcement(
        tmp_path, url="http://127.0.0.1:4400", mcp_url="http://127.0.0.1:43127/mcp", port=4400,
        started_at=5.0, state_dir=tmp_path / "state", ingest_token=Secret("in"),
    )  # fmt: skip


def texts(folder: Path) -> dict[str, str]:
    """
    The files of a folder and what stands in them.
    """
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_clients_and_commands_find_the_daemon(ours: Announcement) -> None:
    """
    One file holds the MCP URL, another who and where we are, one is for probes; all are for the owner alone.
    """
    ours.make()
    there = texts(ours.runtime_dir)
    assert there.pop("mcp-http-endpoint").strip() == "http://127.0.0.1:43127/mcp"
    probe = json.loads(there.pop("probe.json"))
    assert probe == {
        "v": 1, "url": "http://127.0.0.1:4400/ingest", "token": "in", "pid": os.getpid(), "sdk": "/sdk.js",
        "bridge": "ws://127.0.0.1:4400/reticle",
    }  # fmt: skip
    [record] = [json.loads(text) for text in there.values()]
    assert (record["url"], record["port"], record["pid"]) == ("http://127.0.0.1:4400", 4400, os.getpid())
    assert record["identity"] != ""
    modes = {path.stat().st_mode & 0o777 for path in ours.runtime_dir.iterdir() if path.is_file()}
    assert modes == {0o600}


def test_a_stop_takes_back_what_is_ours(ours: Announcement) -> None:
    """
    After a stop nobody is sent to a daemon that is not there.
    """
    ours.make()
    ours.take_back()
    assert texts(ours.runtime_dir) == {}
    ours.take_back()


def test_a_successors_endpoint_stays(ours: Announcement) -> None:
    """
    A daemon that stops late does not hide the one that has started meanwhile.
    """
    ours.make()
    other = announcement(
        ours.runtime_dir, url="http://127.0.0.1:4500", mcp_url="http://127.0.0.1:4500/mcp", port=4500,
        started_at=6.0, state_dir=ours.runtime_dir,
        ingest_token=Secret("in"),
    )  # fmt: skip
    other.make()
    ours.take_back()
    assert texts(ours.runtime_dir)["mcp-http-endpoint"].strip() == "http://127.0.0.1:4500/mcp"


def test_clients_find_another_daemon_that_goes_on(ours: Announcement) -> None:
    """
    Of several daemons the one that started last is named; when it stops, the last one of the others is, and
    nobody after them.
    """
    others = [
        announcement(
            ours.runtime_dir, url=f"http://127.0.0.1:{port}", mcp_url=f"http://127.0.0.1:{port}/mcp",
            port=port, started_at=float(port), state_dir=ours.runtime_dir,
            ingest_token=Secret("in"),
        )
        for port in (4501, 4503, 4502)
    ]  # fmt: skip
    for each in (ours, *others):
        each.make()
    path = ours.runtime_dir / "mcp-http-endpoint"
    named = [path.read_text().strip()]
    for each in (others[2], others[0], others[1], ours):
        each.take_back()
        named.append(path.read_text().strip() if path.exists() else "")
    assert named == [
        "http://127.0.0.1:4502/mcp",
        "http://127.0.0.1:4503/mcp",
        "http://127.0.0.1:4503/mcp",
        "http://127.0.0.1:43127/mcp",
        "",
    ]
    assert texts(ours.runtime_dir) == {}
