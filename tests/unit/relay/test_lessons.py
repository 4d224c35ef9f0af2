"""
What the front learns from the answers to its own requests.
"""

from __future__ import annotations

import json
from typing import Any

from reticle.relay.lessons import Lessons
from reticle.relay.listening import Listening
from reticle.relay.memory import Hidden, Memory
from reticle.relay.messages import Message, parse
from reticle.relay.offer import Offer
from reticle.relay.tool_list import ToolList

REVISION = "2025-11-25"


class Bench:
    """
    Lessons of a client of the handshake revisions.
    """

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.offer = Offer(None)
        memory = Memory("t", REVISION)
        self.list = ToolList(self.offer, memory)
        self.lessons = Lessons(
            self.offer, memory, self.list, Listening(), lambda line: self.said.append(json.loads(line))
        )

    def learn(self, purpose: str, **answer: object) -> bytes | None:
        """
        The daemon answers a request of ours.
        """
        [message] = parse(json.dumps({"jsonrpc": "2.0", "id": "ours", **answer}).encode())
        assert isinstance(message, Message)
        return self.lessons.learn(Hidden(purpose, REVISION), message)


def test_a_handshake_is_kept() -> None:
    """
    The next client is answered in the daemon's words.
    """
    bench = Bench()
    assert bench.learn("initialize", result={"serverInfo": {"name": "kept"}}) is None
    assert bench.offer.initialize(REVISION)["serverInfo"] == {"name": "kept"}


def test_another_list_than_the_shown_one_is_told_once() -> None:
    """
    The client asks again when the daemon's tools are not those that it was shown.
    """
    bench = Bench()
    bench.list.from_memory()
    assert b"tools/list" in (bench.learn("tools", result={"tools": [], "nextCursor": "2"}) or b"")
    assert bench.said == []
    assert bench.learn("tools", result={"tools": [{"name": "new"}]}) is None
    bench.learn("tools", result={"tools": []})
    assert [each["method"] for each in bench.said] == ["notifications/tools/list_changed"] * len(bench.said)
    assert len(bench.said) >= 1


def test_an_error_teaches_nothing() -> None:
    """
    A daemon that refuses our own request changes nothing.
    """
    bench = Bench()
    before = bench.offer.initialize(REVISION)
    assert bench.learn("initialize", error={"code": -1, "message": "no"}) is None
    assert bench.learn("", result={}) is None
    assert bench.offer.initialize(REVISION) == before
