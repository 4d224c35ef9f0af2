"""
Which requests need no daemon, and how they are answered.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.relay.answers import local_answer
from reticle.relay.memory import VERSION_KEY, Memory
from reticle.relay.messages import Kind, Message
from reticle.relay.offer import MODERN, Offer

META = {"_meta": {VERSION_KEY: MODERN}}


def asked(memory: Memory, method: str, params: dict[str, object] | None = None) -> dict[str, Any] | None:
    """
    The answer to a request, as a front gives it.
    """
    message = Message(Kind.REQUEST, '"a"', method, params or {}, b"")
    line = local_answer(message, memory, Offer(None))
    memory.decide(message)
    return None if line is None else json.loads(line)


def fresh() -> Memory:
    """
    A client that has said nothing.
    """
    return Memory("x", "2025-11-25")


def test_the_handshake_needs_nobody() -> None:
    """
    ``initialize`` is answered whatever the daemon does, once.
    """
    memory = fresh()
    first = asked(memory, "initialize", {"protocolVersion": "2025-03-26"})
    assert first is not None
    assert (first["id"], first["result"]["protocolVersion"]) == ("a", "2025-03-26")
    second = asked(memory, "initialize", {"protocolVersion": "2025-03-26"})
    assert second is not None
    assert second["error"]["data"]["code"] == "already_initialized"


def test_a_handshake_without_a_revision_is_refused() -> None:
    """
    The client is told what its ``initialize`` lacks, and may try again.
    """
    memory = fresh()
    found = asked(memory, "initialize")
    assert found is not None
    assert found["error"]["code"] == -32602
    assert asked(memory, "initialize", {"protocolVersion": "x"})["result"]["protocolVersion"] == "2025-11-25"  # type: ignore[index]  # an answer


def test_a_modern_client_cannot_go_back() -> None:
    """
    The era holds for the whole process; a handshake then names the revision that is spoken.
    """
    memory = fresh()
    assert asked(memory, "tools/list", dict(META)) is None
    found = asked(memory, "initialize", {"protocolVersion": "2025-11-25"})
    assert found is not None
    assert found["error"]["code"] == -32022
    assert found["error"]["data"]["supported"] == [MODERN]
    assert found["error"]["message"].startswith("Unsupported protocol version")


def test_a_probe_for_a_revision_that_nobody_has() -> None:
    """
    A client that knows a later revision hears which one to use.
    """
    found = asked(fresh(), "server/discover", {"_meta": {VERSION_KEY: "2031-01-01"}})
    if Offer(None).discover() is None:
        assert found is None
    else:
        assert found is not None
        assert found["error"]["data"]["requested"] == "2031-01-01"


def test_ping_is_ours_before_the_modern_era() -> None:
    """
    A health check says that the front lives; in the modern era there is no ping.
    """
    assert asked(fresh(), "ping") == {"jsonrpc": "2.0", "id": "a", "result": {}}
    assert asked(fresh(), "ping", dict(META)) is None


@pytest.mark.parametrize("method", ["tools/call", "tools/list", "vendor/method", "resources/list"])
def test_the_rest_is_the_daemons(method: str) -> None:
    """
    Methods that the front does not know are not refused by it.
    """
    assert asked(fresh(), method) is None
