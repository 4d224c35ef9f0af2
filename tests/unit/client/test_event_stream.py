"""
Events come out of bytes as the standard says, however the bytes are split.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.client.errors import ProtocolBroken
from reticle.client.event_stream import EventStream, ServerEvent

FIRST_FRAMES = (
    b"event: endpoint\ndata: /mcp/message?sessionId=a\n\n"
    b": keepalive\n"
    b'event: message\r\ndata: {"id":1}\r\n\r\n'
    b"data: two\rdata: lines\r\r"
    b"event: reticle-shutdown\ndata: {}\n\n"
)
FIRST_EVENTS = [
    ServerEvent("endpoint", "/mcp/message?sessionId=a"),
    ServerEvent("message", '{"id":1}'),
    ServerEvent("message", "two\nlines"),
    ServerEvent("reticle-shutdown", "{}"),
]


@given(st.lists(st.integers(0, len(FIRST_FRAMES)), max_size=20))
def test_any_split_gives_the_same_events(cuts: list[int]) -> None:
    """
    However TCP splits the stream, also within CR LF, the client sees the same events.
    """
    stream = EventStream()
    places = [0, *sorted(cuts), len(FIRST_FRAMES)]
    pieces = [FIRST_FRAMES[start:end] for start, end in itertools.pairwise(places)]
    assert [event for piece in pieces for event in stream.feed(piece)] == FIRST_EVENTS


@given(st.text())
def test_text_survives(text: str) -> None:
    """
    Any text in one data line arrives whole, emoji and U+2028 included, byte by byte.
    """
    line = text.replace("\r", "").replace("\n", "").encode("utf-8", "replace")
    stream = EventStream()
    events = [event for byte in b"data: " + line + b"\n\n" for event in stream.feed(bytes([byte]))]
    assert events == [ServerEvent("message", line.decode())]


def test_comment_only_block_is_no_event() -> None:
    """
    A keepalive, with or without a blank line behind it, is not an event.
    """
    assert EventStream().feed(b": keepalive\n: keepalive\n\n:\n\n") == []


def test_oversized_event_is_refused() -> None:
    """
    An event larger than the cap ends the client with a reason, not its memory.
    """
    stream = EventStream(frame_bytes=20)
    stream.feed(b"data: " + b"x" * 10)
    with pytest.raises(ProtocolBroken, match="larger than 20 bytes"):
        stream.feed(b"x" * 10)


def test_comments_do_not_count_towards_the_cap() -> None:
    """
    A stream that idles for days on keepalives never reaches the cap.
    """
    stream = EventStream(frame_bytes=100)
    for _ in range(100):
        stream.feed(b": keepalive\n")
    assert stream.feed(b"data: x\n\n") == [ServerEvent("message", "x")]
