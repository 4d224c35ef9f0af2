"""
HTTP answers are read the same way however they are split, and nonsense is named.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.client.errors import ProtocolBroken
from reticle.client.response import ResponseHead, ResponseParser

CHUNKED = (
    b"HTTP/1.1 100 Continue\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n8;extension=1\r\n\r\nworld!\r\n0\r\nTrailer: x\r\n\r\n"
)


@given(st.lists(st.integers(0, len(CHUNKED)), max_size=20))
def test_any_split_gives_the_same_body(cuts: list[int]) -> None:
    """
    A chunked body is put together whatever the split, and its end is noticed.
    """
    parser = ResponseParser()
    places = [0, *sorted(cuts), len(CHUNKED)]
    body = b"".join(parser.feed(CHUNKED[a:b]) for a, b in itertools.pairwise(places))
    assert (body, parser.ended) == (b"hello\r\nworld!", True)
    assert parser.head == ResponseHead(
        200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
    )


def test_sized_body_ends_at_its_length() -> None:
    """
    Bytes beyond Content-Length are not taken for the body.
    """
    parser = ResponseParser()
    assert parser.feed(b"HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAcceptedHTTP/1.1 ") == b"Accepted"
    assert parser.ended


def test_body_without_length_lasts_until_the_close() -> None:
    """
    An HTTP/1.0 stream gives its bytes as they come and never claims to be complete.
    """
    parser = ResponseParser()
    assert parser.feed(b"HTTP/1.0 200 OK\r\n\r\nab") == b"ab"
    assert parser.feed(b"cd") == b"cd"
    assert not parser.ended


def test_no_content_has_no_body() -> None:
    """
    A 204 is complete with its head.
    """
    parser = ResponseParser()
    parser.feed(b"HTTP/1.1 204 No Content\r\n\r\n")
    assert parser.ended


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n", "not an HTTP/1.x answer"),
        (b"HTTP/1.1 abc\r\n\r\n", "not an HTTP/1.x answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "not a length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", "not a chunk size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "not a chunk size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 70_000, "does not end"),
        (b"x" * 70_000, "does not end"),
    ],
)
def test_nonsense_is_named(raw: bytes, words: str) -> None:
    """
    A peer that is not an HTTP server is told apart from a slow one.
    """
    with pytest.raises(ProtocolBroken, match=words):
        ResponseParser().feed(raw)
