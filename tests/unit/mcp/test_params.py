"""
Parameters by type.
"""

from __future__ import annotations

import pytest
from msgspec import Raw

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Request
from reticle.mcp.params import cancelled_id, client_name, tool_call
from reticle.model.limits import ERROR_TEXT_CHARS, PEER_NAME_CHARS


@pytest.mark.parametrize(
    ("client", "name"),
    [
        ({"name": "cursor", "version": "1.2"}, "cursor 1.2"),
        ({"name": "cursor"}, "cursor"),
        ({"name": 7, "version": None}, "unnamed"),
        ("cursor", "unnamed"),
        (None, "unnamed"),
    ],
)
def test_a_client_is_named_by_what_it_says(client: object, name: str) -> None:
    """
    The log names a client by its own words, as far as they are words.
    """
    assert client_name(client) == name


def test_a_client_cannot_fill_the_log() -> None:
    """
    A client with an endless name is logged with a short one.
    """
    assert len(client_name({"name": "x" * 10_000})) <= PEER_NAME_CHARS


def test_complaints_are_bounded() -> None:
    """
    An error about bad parameters does not send them back.
    """
    with pytest.raises(PeerFault) as raised:
        tool_call(Request(1, "tools/call", Raw(b'{"name":"t","_meta":"%b"}' % (b"x" * 9_000))))
    assert len(raised.value.message) <= ERROR_TEXT_CHARS


def test_a_broken_cancellation_cancels_nothing() -> None:
    """
    A notification that cannot be read has no effect and no answer.
    """
    assert cancelled_id(Raw(b'"x"')) is None
    assert cancelled_id(None) is None
