"""
Which era a message belongs to.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.mcp.era import Era, era_of_post, names_revision

MARKED = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


def body(method: str = "tools/list", meta: object = None) -> bytes:
    """
    A request with that ``_meta``.
    """
    params = {} if meta is None else {"_meta": meta}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


@pytest.mark.parametrize(
    ("versions", "sent", "has_session", "era"),
    [
        (["2025-06-18"], body(), True, Era.HANDSHAKE),
        (["2025-06-18"], body(), False, Era.HANDSHAKE),
        (["2025-06-18"], body(meta=MARKED), True, Era.PER_REQUEST),
        ([], body("initialize"), False, Era.HANDSHAKE),
        ([], b"[" + body() + b"]", False, Era.HANDSHAKE),
        ([], body(meta=MARKED), True, Era.HANDSHAKE),
        ([], body(meta=MARKED), False, Era.PER_REQUEST),
        ([], body(meta={"progressToken": "protocolVersion"}), False, Era.HANDSHAKE),
        ([], body(), False, Era.HANDSHAKE),
        (["2026-07-28"], body("initialize"), False, Era.PER_REQUEST),
        (["2026-07-28"], b"not JSON", True, Era.PER_REQUEST),
        (["1999-01-01"], body(), True, Era.PER_REQUEST),
        ([""], body(), False, Era.PER_REQUEST),
        (["2025-06-18", "2026-07-28"], body(), True, Era.PER_REQUEST),
        (["2025-06-18", "2025-06-18"], body(), True, Era.HANDSHAKE),
    ],
)
def test_header_session_and_body_decide(
    versions: list[str],
    sent: bytes,
    has_session: bool,  # noqa: FBT001 - a column of the table
    era: Era,
) -> None:
    """
    A client of any revision is answered in its own words, and one that contradicts itself hears that.
    """
    assert era_of_post(versions, sent, has_session=has_session) is era


def test_an_escaped_key_is_the_same_key() -> None:
    """
    A client whose JSON writer escapes slashes is not taken for an older one.
    """
    assert names_revision(body(meta=MARKED).replace(b"/protocolVersion", rb"\/protocolVersion"))


@pytest.mark.parametrize(
    "sent",
    [
        b'{"params":{"protocolVersion":"2026-07-28"}}',
        b'{"params":{"arguments":{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}}}',
        b'{"params":[{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}]}',
        b'[{"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}}]',
        b'"io.modelcontextprotocol/protocolVersion"',
    ],
)
def test_the_word_elsewhere_marks_nothing(sent: bytes) -> None:
    """
    An older client that only speaks of revisions stays an older client.
    """
    assert not names_revision(sent)


@given(st.binary(max_size=80))
def test_any_bytes_are_judged(noise: bytes) -> None:
    """
    No body, however broken, keeps a transport from choosing who answers it.
    """
    assert era_of_post([], noise + b"protocolVersion" + noise, has_session=False) is Era.HANDSHAKE
