"""
``reticle mcp`` with a bug in one of its parts: it answers each request once, goes on or says that it cannot.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.stdio import StdioClient, hello

BROKEN = 70
SESSIONS = {"name": "reticle_sessions", "arguments": {}}
BUGGY = (sys.executable, str(Path(__file__).with_name("broken_front.py")))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """
    The directories of a daemon that runs.
    """
    client = StdioClient(tmp_path_factory.mktemp("guard"))
    client.initialize()
    client.call("reticle_sessions")
    yield client.folder
    client.end()


@pytest.fixture
def clients() -> Iterator[list[StdioClient]]:
    """
    Fronts that end with the test; the daemon stays.
    """
    started: list[StdioClient] = []
    yield started
    for client in started:
        client.end_front()


def code_of(answer: dict[str, Any]) -> object:
    """
    The code of an error, None for a result.
    """
    return answer.get("error", {}).get("data", {}).get("code")


@pytest.mark.parametrize(
    "bug",
    [
        "reticle.relay.front Front.take_line",
        "reticle.relay.front local_answer",
        "reticle.relay.intake parse",
        "reticle.relay.front Front.arrived",
        "reticle.relay.front Front.link_opened",
        "reticle.relay.front Front.deadline",
        "reticle.relay.lessons Lessons.learn",
        "reticle.relay.supervisor Supervisor.interests",
        "reticle.relay.supervisor Supervisor.opened",
        "reticle.relay.link Link.ready",
        "reticle.relay.posts Posts.put",
        "reticle.relay.posts Posts._judge",
        "reticle.relay.connection Connection.write",
        "reticle.relay.whereabouts Whereabouts.find",
        "reticle.client.event_stream EventStream.feed",
    ],
)
def test_it_goes_on_behind_a_bug(folder: Path, clients: list[StdioClient], bug: str) -> None:
    """
    Every request has its one answer, the log says what failed, and the same client works on.
    """
    client = StdioClient(folder, command=(*BUGGY, *bug.split(), "once"))
    clients.append(client)
    first = client.ask("initialize", hello("2025-03-26"))
    client.notify("notifications/initialized")
    client.answer(first)
    asked = [client.ask("tools/list"), client.ask("ping"), client.ask("tools/call", SESSIONS)]
    for request in asked:
        assert code_of(client.answer(request)) in (None, "internal_error", "outcome_unknown")
    assert client.request("tools/call", SESSIONS)["content"]
    assert [client.answers(request) for request in (first, *asked)] == [1, 1, 1, 1]
    assert "KeyError: 'injected'" in client.told()
    assert client.close() == 0


@pytest.mark.parametrize(
    ("bug", "first"),
    [
        ("reticle.relay.carrying -", None),
        ("reticle.relay.offer Offer.negotiate", "internal_error"),
        ("reticle.relay.front Front.take_line", "internal_error"),
        ("reticle.relay.supervisor Supervisor.interests", None),
        ("reticle.relay.front Front.deadline", None),
    ],
)
def test_where_it_cannot_go_on_it_says_so(
    folder: Path, clients: list[StdioClient], bug: str, first: str | None
) -> None:
    """
    A broken installation answers each request by an error as long as its client is there, and ends with its
    own exit code.
    """
    client = StdioClient(folder, command=(*BUGGY, *bug.split(), "always"))
    clients.append(client)
    assert code_of(client.answer(client.ask("initialize", hello()))) == first
    asked = [client.ask("tools/call", SESSIONS) for _ in range(8)]
    codes = [code_of(client.answer(request)) for request in asked]
    assert set(codes) <= {"internal_error", "outcome_unknown"}
    assert [client.answers(request) for request in asked] == [1] * 8
    assert client.close() == (0 if "take_line" in bug else BROKEN)
    assert "Traceback" in client.told()


@pytest.mark.parametrize(
    "bug",
    [
        "reticle.relay.loop Loop._turn",
        "reticle.relay.lines LineBuffer.feed",
        "reticle.relay.lines Backlog.put",
        "reticle.relay.replies Replies.answer",
    ],
)
def test_where_it_can_say_nothing_it_ends(folder: Path, clients: list[StdioClient], bug: str) -> None:
    """
    A front that cannot read or write any more is gone at once, with a traceback and its own exit code.
    """
    client = StdioClient(folder, command=(*BUGGY, *bug.split(), "always"))
    clients.append(client)
    client.ask("initialize", hello())
    while client.receive(20):
        pass
    assert client.process.wait(20) == BROKEN
    assert "KeyError: 'injected'" in client.told()
