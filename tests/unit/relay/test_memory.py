"""
What a fresh link is told.
"""

from __future__ import annotations

import json
from typing import Any

from reticle.relay.memory import VERSION_KEY, Era, Memory
from reticle.relay.messages import Kind, Message
from reticle.relay.offer import MODERN

META: dict[str, object] = {"_meta": {VERSION_KEY: MODERN}}


def request(method: str, params: dict[str, object] | None = None) -> Message:
    """
    A request with id 1.
    """
    return Message(Kind.REQUEST, "1", method, params or {}, b"")


def replayed(memory: Memory) -> list[dict[str, Any]]:
    """
    The messages of a replay.
    """
    return [json.loads(body) for body in memory.replay()]


def test_a_client_that_said_nothing_is_not_spoken_for() -> None:
    """
    Before the client has spoken a link carries nothing.
    """
    assert replayed(Memory("x", "2025-11-25")) == []


def test_everything_the_client_has_set_is_said_again_in_order() -> None:
    """
    After a restart the daemon knows the client, its log level and its subscriptions as before.
    """
    memory = Memory("x", "2025-11-25")
    memory.shook_hands({"protocolVersion": "2025-06-18"}, "2025-06-18")
    memory.observe(Message(Kind.NOTIFICATION, "", "notifications/initialized", {}, b""))
    for level in ("info", "debug"):
        memory.observe(request("logging/setLevel", {"level": level}))
    for uri in ("a:1", "a:2"):
        memory.observe(request("resources/subscribe", {"uri": uri}))
    memory.observe(request("resources/unsubscribe", {"uri": "a:1"}))
    found = replayed(memory)
    assert [(each["method"], each.get("params")) for each in found] == [
        ("initialize", {"protocolVersion": "2025-06-18"}),
        ("notifications/initialized", None),
        ("logging/setLevel", {"level": "debug"}),
        ("resources/subscribe", {"uri": "a:2"}),
    ]
    hidden = [json.dumps(each["id"]) for each in found if "id" in each]
    assert set(hidden) == set(memory.hidden)
    assert len(set(hidden)) == len(hidden)


def test_our_ids_never_come_twice() -> None:
    """
    A late answer to an earlier link's question is not taken for one of this link.
    """
    memory = Memory("x", "2025-11-25")
    memory.shook_hands({}, "2025-11-25")
    first = {each["id"] for each in replayed(memory)}
    assert first.isdisjoint({each["id"] for each in replayed(memory)})


def test_the_first_request_decides_how_the_client_speaks() -> None:
    """
    A probe with ``server/discover`` binds nobody; what follows does, for good.
    """
    memory = Memory("x", "2025-11-25")
    memory.decide(request("server/discover", META))
    assert memory.era.value == "undecided"
    memory.decide(request("tools/list", META))
    assert (memory.era, memory.revision) == (Era.MODERN, MODERN)
    memory.decide(request("ping"))
    assert memory.era is Era.MODERN


def test_we_ask_for_tools_as_the_client_would() -> None:
    """
    The list that is kept for a modern client is a modern one.
    """
    memory = Memory("x", "2025-11-25")
    assert "_meta" not in json.loads(memory.ask_tools())["params"]
    memory.decide(request("tools/list", META))
    asked = json.loads(memory.ask_tools("next"))["params"]
    assert asked["_meta"][VERSION_KEY] == MODERN
    assert asked["cursor"] == "next"
