"""
What is said without a daemon.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reticle.mcp.instructions import INSTRUCTIONS
from reticle.mcp.versions import BY_HANDSHAKE, LATEST_BY_HANDSHAKE
from reticle.relay.offer import MODERN, Offer


@pytest.mark.parametrize("revision", list(BY_HANDSHAKE))
def test_each_revision_with_a_handshake_is_answered(revision: str) -> None:
    """
    A client of any age gets its own revision and the same instructions as from the daemon.
    """
    offer = Offer(None)
    assert offer.negotiate(revision) == revision
    result = offer.initialize(revision)
    assert result["protocolVersion"] == revision
    assert result["instructions"] == INSTRUCTIONS, "write it anew: make reference"
    assert result["capabilities"]["tools"]["listChanged"] is True


@pytest.mark.parametrize("requested", [None, 3, "", "2026-07-28", "tomorrow"])
def test_anything_else_is_answered_with_the_latest(requested: object) -> None:
    """
    An unknown revision is no error: the client decides whether it can go on.
    """
    assert Offer(None).negotiate(requested) == LATEST_BY_HANDSHAKE.name


@pytest.mark.parametrize("revision", [*BY_HANDSHAKE, MODERN])
def test_every_revision_has_tools_and_knows_which_read(revision: str) -> None:
    """
    The list is whole offline, and a click is not taken for a read in a revision without hints.
    """
    offer = Offer(None)
    names = {tool["name"] for tool in offer.tools(revision)["tools"]}
    reading = offer.reading_tools(revision)
    assert "reticle_snapshot" in reading <= names
    assert not reading & {"reticle_act", "reticle_act_and_wait", "reticle_navigate", "reticle_run"}


def test_what_the_daemon_said_last_comes_first(tmp_path: Path) -> None:
    """
    The list of a daemon with other tools survives the front's process.
    """
    path = str(tmp_path / "kept.json")
    Offer(path).learn("tools", "2025-11-25", {"tools": [{"name": "other", "annotations": {}}]})
    fresh = Offer(path)
    assert fresh.tools("2025-11-25") == {"tools": [{"name": "other", "annotations": {}}]}
    assert fresh.tools("2025-06-18") != fresh.tools("2025-11-25")
    assert fresh.reading_tools("2025-11-25") == frozenset()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"front":"0.0.0","tools":{"2025-11-25":{"tools":[]}}}'])
def test_what_is_kept_wrongly_or_by_another_version_is_passed_over(content: str, tmp_path: Path) -> None:
    """
    After an upgrade, or a crash that damaged the file, the packaged answers are given.
    """
    path = tmp_path / "kept.json"
    path.write_text(content)
    path.chmod(0o600)
    assert Offer(str(path)).tools("2025-11-25") == Offer(None).tools("2025-11-25")


def test_the_same_words_are_not_written_again(tmp_path: Path) -> None:
    """
    A front that meets the same daemon each day does not wear the disk.
    """
    path = tmp_path / "kept.json"
    offer = Offer(str(path))
    offer.learn("initialize", "2025-11-25", {"capabilities": {}})
    assert json.loads(path.read_text())["initialize"]["2025-11-25"] == {"capabilities": {}}
    path.unlink()
    offer.learn("initialize", "2025-11-25", {"capabilities": {}})
    assert not path.exists()
