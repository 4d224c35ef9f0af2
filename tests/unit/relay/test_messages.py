"""
What a front understands of one line.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.relay.messages import Kind, Malformed, Message, encode, error_line, parse, request_body


def one(line: bytes) -> Message:
    """
    The only message of a line.
    """
    (found,) = parse(line)
    assert isinstance(found, Message)
    return found


def test_ids_keep_their_type() -> None:
    """
    A client that counts with text gets text back: ``1`` and ``"1"`` are two requests.
    """
    assert one(b'{"jsonrpc":"2.0","id":1,"method":"ping"}').key == "1"
    assert one(b'{"jsonrpc":"2.0","id":"1","method":"ping"}').key == '"1"'


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"id":1,"method":"x"}', Kind.REQUEST),
        (b'{"method":"x"}', Kind.NOTIFICATION),
        (b'{"id":1,"result":{}}', Kind.RESPONSE),
        (b'{"id":1,"error":{}}', Kind.RESPONSE),
    ],
)
def test_kinds(line: bytes, kind: Kind) -> None:
    """
    Requests are answered, notifications never, responses go to the daemon that asked.
    """
    assert one(line).kind is kind


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"hello", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"1" * 5_000, -32700),
        (b"3", -32600),
        (b"[]", -32600),
        (b'{"id":null,"method":"x"}', -32600),
        (b'{"id":true,"method":"x"}', -32600),
        (b'{"id":1.5,"method":"x"}', -32600),
        (b'{"id":{},"method":"x"}', -32600),
    ],
)
def test_what_is_no_message_is_answered_as_such(line: bytes, number: int) -> None:
    """
    Nonsense gets a JSON-RPC error without an id, and no traceback.
    """
    (found,) = parse(line)
    assert isinstance(found, Malformed)
    answer = json.loads(found.answer)
    assert (answer["id"], answer["error"]["code"]) == (None, number)


def test_an_id_without_a_message_is_named() -> None:
    """
    An object with an id that is neither request nor response is refused under that id.
    """
    (found,) = parse(b'{"id":7}')
    assert isinstance(found, Malformed)
    assert json.loads(found.answer)["id"] == 7


def test_a_batch_is_taken_apart() -> None:
    """
    The messages of an array are handled one by one, a wrong one does not spoil the others.
    """
    found = parse(b'[{"id":1,"method":"a"},3,{"method":"b"}]')
    assert [type(each) for each in found] == [Message, Malformed, Message]
    assert json.loads(found[0].body) == {"id": 1, "method": "a"}  # type: ignore[union-attr]  # a message


def test_what_we_write_is_one_line() -> None:
    """
    A message text with line ends does not break the client's parser.
    """
    line = error_line('"a"', -1, "one\ntwo", "code", recovery="a\r\nb")
    assert b"\n" not in line
    assert json.loads(line)["error"]["data"] == {"code": "code", "recovery": "a\r\nb"}


@given(st.dictionaries(st.text(), st.none() | st.text() | st.lists(st.integers() | st.text())))
def test_our_requests_are_read_as_they_were_meant(params: dict[str, object]) -> None:
    """
    Whatever a client put into its handshake reaches the next daemon unchanged.
    """
    message = one(request_body('"k"', "initialize", params))
    assert message.params == params
    assert encode(params).count(b"\n") == 0
