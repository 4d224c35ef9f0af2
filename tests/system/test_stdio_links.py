"""
``reticle mcp`` over a link that breaks in every place (SP-02, SP-04, SP-05), before a scripted daemon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.scripted_daemon import (
    ACCEPTED,
    ENDPOINT,
    STREAM,
    TOOLS,
    Answer,
    ScriptedDaemon,
    accept,
    status,
)
from tests.system.stdio import StdioClient

Begin = Callable[..., tuple[StdioClient, ScriptedDaemon]]
ACT = {"name": "reticle_act", "arguments": {}}
READ = {"name": "reticle_snapshot", "arguments": {}}


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """
    Start a scripted daemon and a front before it, its handshake done.
    """
    ends: list[Callable[[], None]] = []

    def start(
        answer: Answer | None = None, opening: Callable[[int], bytes] = lambda _: STREAM + ENDPOINT
    ) -> tuple[StdioClient, ScriptedDaemon]:
        daemon = ScriptedDaemon(answer, opening)
        client = StdioClient(tmp_path / "front", ["--url", daemon.url])
        client.checks = False
        ends.extend([client.end, daemon.close])
        client.initialize()
        return client, daemon

    yield start
    for end in ends:
        end()


def failing(method: str, *replies: bytes | None) -> Answer:
    """
    The first messages of a method get these replies, all others what they should.
    """
    left = list(replies)

    def answer(daemon: ScriptedDaemon, message: dict[str, Any]) -> bytes | None:
        if message.get("method") == method and left:
            return left.pop(0)
        return accept(daemon, message)

    return answer


def test_an_act_whose_status_never_comes_is_not_repeated(begin: Begin) -> None:
    """
    SP-05 (b): the connection breaks behind the message. One error, and the daemon never sees it again.
    """
    client, daemon = begin(failing("tools/call", None))
    error = client.answer(client.ask("tools/call", ACT))["error"]
    assert error["data"]["code"] == "outcome_unknown"
    assert client.request("prompts/list") == {"served": "prompts/list"}
    assert daemon.methods().count("tools/call") == 1


def test_an_act_lost_with_the_stream_is_not_repeated(begin: Begin) -> None:
    """
    SP-05 (c): the daemon has taken it and is gone before its answer.
    """

    def answer(daemon: ScriptedDaemon, message: dict[str, Any]) -> bytes:
        if message.get("method") == "tools/call":
            daemon.end_stream()
            return ACCEPTED
        return accept(daemon, message)

    client, daemon = begin(answer)
    asked = client.ask("tools/call", ACT)
    assert client.answer(asked)["error"]["data"]["code"] == "outcome_unknown"
    assert client.request("prompts/list") == {"served": "prompts/list"}
    assert (daemon.methods().count("tools/call"), client.answers(asked)) == (1, 1)


def test_a_read_is_repeated_once(begin: Begin) -> None:
    """
    SP-05: a read whose connection broke is answered; broken twice, it is told.
    """
    client, daemon = begin(failing("tools/call", None, ACCEPTED, ACCEPTED))
    first = client.ask("tools/call", READ)
    client.receive(2.0)
    daemon.end_stream()
    assert client.answer(first)["error"]["data"]["code"] == "outcome_unknown"
    assert daemon.methods().count("tools/call") == 2
    client, daemon = begin(failing("tools/call", None))
    assert client.request("tools/call", READ) == {"served": "tools/call"}


@pytest.mark.parametrize("code", [503, 404])
def test_what_was_not_taken_is_sent_again(code: int, begin: Begin) -> None:
    """
    SP-05 (a): a stopping daemon (503) or one that forgot the session (404) took nothing, so an act too
    goes out again, unseen.
    """
    client, daemon = begin(failing("tools/call", status(code)))
    assert client.request("tools/call", ACT) == {"served": "tools/call"}
    assert daemon.streams == (2 if code == 404 else 1)


@pytest.mark.parametrize("code", [400, 413, 401])
def test_what_is_refused_is_told(code: int, begin: Begin) -> None:
    """
    The daemon's own reason reaches the agent, and the link goes on.
    """
    client, _ = begin(failing("tools/call", status(code, "because of that")))
    error = client.answer(client.ask("tools/call", ACT))["error"]
    assert error["data"]["code"] == "daemon_refused"
    assert "because of that" in error["message"]
    assert client.request("prompts/list") == {"served": "prompts/list"}


def test_a_daemon_that_is_not_ready_is_waited_for(begin: Begin) -> None:
    """
    DL-03: 503 on the stream is a start, not a fault.
    """
    client, daemon = begin(
        opening=lambda number: STREAM + ENDPOINT if number > 3 else status(503, "starting")
    )
    assert client.request("tools/call", ACT) == {"served": "tools/call"}
    assert daemon.streams == 4


def test_a_stranger_is_named(begin: Begin) -> None:
    """
    DL-01: another program's port is told as such, and no token leads to a second try.
    """
    client, _ = begin(opening=lambda _: status(200, "<html>"))
    error = client.answer(client.ask("tools/call", ACT))["error"]
    assert error["data"]["code"] == "daemon_unreachable"
    assert "no reticle daemon" in error["message"]


def test_messages_in_any_pieces(begin: Begin) -> None:
    """
    A stream that drips, or brings a large answer, is put together again; the bytes are the daemon's.
    """

    def answer(daemon: ScriptedDaemon, message: dict[str, Any]) -> bytes:
        if message.get("method") == "tools/call":
            text = "ž" * message["params"]["arguments"]["size"]
            cuts = message["params"]["arguments"]["cuts"]
            daemon.say({"jsonrpc": "2.0", "id": message["id"], "result": {"text": text}}, cuts)
            return ACCEPTED
        return accept(daemon, message)

    client, _ = begin(answer)
    for size, cuts in ((10, 1), (3_000_000, 50_000)):
        found = client.call("reticle_act", size=size, cuts=cuts)
        assert found == {"text": "ž" * size}


def test_large_requests_pass(begin: Begin) -> None:
    """
    A pasted file of 7 MB reaches the daemon whole, with others behind it, in order.
    """
    client, daemon = begin()
    asked = [
        client.ask("tools/call", {**ACT, "arguments": {"n": n, "file": "x" * 7_000_000}}) for n in range(3)
    ]
    for identity in asked:
        client.answer(identity)
    taken = [message["params"]["arguments"] for message in daemon.taken if message["method"] == "tools/call"]
    assert [(each["n"], len(each["file"])) for each in taken] == [(n, 7_000_000) for n in range(3)]


def test_a_question_of_the_daemon_and_its_answer(begin: Begin) -> None:
    """
    The daemon asks the client in the middle of a call; the answer goes to the daemon that asked.
    """
    client, daemon = begin()
    client.request("tools/call", ACT)
    daemon.say({"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create", "params": {"message": "sure?"}})
    asked = client.wait_for_notification("elicitation/create")
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
    client.request("prompts/list")
    assert {"jsonrpc": "2.0", "id": "q1", "result": {"action": "accept"}} in daemon.taken


def test_a_daemon_with_other_tools_is_announced(begin: Begin) -> None:
    """
    SP-07: the client saw a list from memory; the daemon that comes has another, and the client is told.
    """
    client, _ = begin(opening=lambda number: STREAM + ENDPOINT if number > 1 else status(500))
    first = client.request("tools/list")["tools"]
    if first != TOOLS:  # else the second stream was quicker, and the list is the daemon's own
        client.wait_for_notification("notifications/tools/list_changed")
    assert client.request("tools/list")["tools"] == TOOLS


def test_settings_of_the_conversation_survive(begin: Begin) -> None:
    """
    Log level and subscriptions are told to the next daemon before anything else, their answers hidden.
    """
    client, daemon = begin()
    client.request("logging/setLevel", {"level": "error"})
    client.request("resources/subscribe", {"uri": "reticle://sessions"})
    answered = len(client.lines)
    before = len(daemon.taken)
    assert daemon.wait_for_stream() == 1
    daemon.end_stream()
    assert daemon.wait_for_stream() == 2
    client.request("prompts/list")
    assert daemon.methods()[before:] == [
        "initialize",
        "notifications/initialized",
        "logging/setLevel",
        "resources/subscribe",
        "tools/list",
        "prompts/list",
    ]
    assert len(client.lines) == answered + 1
