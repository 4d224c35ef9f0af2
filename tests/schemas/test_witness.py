"""
What the daemon says is heard on every road, and what is wrong with it does not get lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, ClientCapabilities, Preferences
from reticle.model.trust import LOCAL
from reticle.testing.gate import GateBench
from reticle.testing.replies import RecordedReplies
from reticle.testing.sinks import RecordedSink
from tests.schemas.dialogue import NAMESPACE
from tests.schemas.roads import HeardReplies, HeardSink, listen_to_conversations
from tests.schemas.witness import Witness

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
STRAY = b'{"jsonrpc": "2.0", "id": 9, "result": {}}'


@pytest.fixture
def witness() -> Iterator[Witness]:
    """
    One that watches beside the one of all tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        watching = Witness()
        listen_to_conversations(patch.setattr, watching.listen)
        yield watching


def test_conversations_are_heard(witness: Witness) -> None:
    """
    A fresh one and one that is taken up again, with answers on the stream or to the body.
    """
    bench = GateBench()
    fresh, sink = bench.open()
    fresh.receive(PING)
    assert (witness.count, len(sink.sent)) == (1, 1)
    agreed = Agreed("2025-06-18", ClientCapabilities())
    again = bench.conversations.restore(LOCAL, Carrier.HTTP, RecordedSink(), agreed, Preferences())
    replies = RecordedReplies()
    again.receive(PING, replies)
    assert (witness.count, len(replies.answers())) == (2, 1)
    assert witness.take() == []


def test_single_requests_are_heard(witness: Witness) -> None:
    """
    One of 2026-07-28, which has no conversation.
    """
    meta = {f"{NAMESPACE}protocolVersion": "2026-07-28", f"{NAMESPACE}clientCapabilities": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}
    replies = RecordedReplies()
    GateBench().conversations.exchange(LOCAL, Carrier.SSE, json.dumps(body).encode(), None, replies)
    assert (witness.count, len(replies.answers())) == (1, 1)
    assert witness.take() == []


def test_what_is_wrong_is_kept_and_handed_on() -> None:
    """
    A test that looks at the message itself sees it all the same.
    """
    witness, sink, replies = Witness(), RecordedSink(), RecordedReplies()
    HeardSink(sink, witness.listen()).send(STRAY)
    HeardReplies(replies, witness.listen()).answer(STRAY)
    assert sink.sent == [STRAY]
    assert replies.log == [STRAY]
    assert witness.take() == ["nobody waits for an answer to 9"] * 2
    assert witness.take() == []
