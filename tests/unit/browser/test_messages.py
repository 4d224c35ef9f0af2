"""
One command out, one answer or event in.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from reticle.browser.framing import Oversized
from reticle.browser.messages import Head, Nothing, decode_answer, decode_event, encode_command, head_of


class Node(msgspec.Struct, frozen=True):
    """
    Something that a test asks for.
    """

    nodeId: int


def test_a_command_names_its_session_only_where_it_has_one() -> None:
    """
    The browser itself is the session without a name.
    """
    assert json.loads(encode_command(1, "Page.enable", {}, "s")) == {
        "id": 1, "method": "Page.enable", "params": {}, "sessionId": "s",
    }  # fmt: skip
    assert json.loads(encode_command(2, "Browser.close", {"a": "é"}, "")) == {
        "id": 2, "method": "Browser.close", "params": {"a": "é"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("message", "head"),
    [
        (b'{"id":12,"result":{}}', Head(id=12)),
        (b'{"method":"Page.loadEventFired","params":{}}', Head(method="Page.loadEventFired")),
        (b'{"sessionId":"s","id":3,"result":{}}', Head(id=3)),
        (b'{"params":{"id":5},"method":"A.b"}', Head(method="A.b")),
        (Oversized(b'{"id":9,"result":{"data":"AAAA'), Head(id=9)),
        (Oversized(b'{"params":{"args":["AAAA'), Head()),
        (b"", Head()),
        (b"[1]", Head()),
        (b'{"id":"x"}', Head()),
    ],
)
def test_the_kind_of_a_message_is_told(message: bytes | Oversized, head: Head) -> None:
    """
    Whatever order its fields have; what is no message is none.
    """
    assert head_of(message) == head


def test_an_answer_is_of_the_kind_that_was_asked_for() -> None:
    """
    Unknown fields are the browser's business.
    """
    answer = decode_answer(b'{"id":1,"result":{"nodeId":4,"more":[1]},"sessionId":"s"}', Node)
    assert answer.result == Node(4)
    refused = decode_answer(b'{"id":1,"error":{"code":-32000,"message":"No node"}}', Node)
    assert refused.error is not None
    assert (refused.result, refused.error.message) == (None, "No node")
    assert decode_answer(b'{"id":1,"result":{"x":1}}', Nothing).result == Nothing()
    with pytest.raises(msgspec.MsgspecError):
        decode_answer(b'{"id":1,"result":{"nodeId":"x"}}', Node)


def test_an_event_without_a_session_is_the_browsers_own() -> None:
    """
    Its parameters stay as they came until somebody listens.
    """
    event = decode_event(b'{"method":"A.b","params":{"a":1}}')
    assert (event.sessionId, bytes(event.params)) == ("", b'{"a":1}')
    assert decode_event(b'{"method":"A.b","sessionId":"s"}').sessionId == "s"
