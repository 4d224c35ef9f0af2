"""
The event stream as we write it, read by our own client and by a naive one.
"""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.client.event_stream import EventStream, ServerEvent
from reticle.errors import LocalMisuse
from reticle.mcp.sse_frames import KEEPALIVE, frame
from reticle.mcp.strict_json import encode


def in_pieces(stream: bytes, cuts: list[int]) -> list[ServerEvent]:
    """
    Everything a parser reads when the stream is cut at these places.
    """
    parser = EventStream()
    edges = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    return [event for start, end in itertools.pairwise(edges) for event in parser.feed(stream[start:end])]


def test_a_frame_is_two_lines_and_a_blank_one() -> None:
    """
    The bytes of a frame are the ones that every client in the field reads.
    """
    assert frame("endpoint", b"/mcp/message?sessionId=a") == (
        b"event: endpoint\ndata: /mcp/message?sessionId=a\n\n"
    )


def test_a_keepalive_makes_no_frame() -> None:
    """
    A client that splits at blank lines never sees a keepalive as a frame of its own.
    """
    stream = frame("message", b"1") + KEEPALIVE + KEEPALIVE + frame("message", b"2")
    assert KEEPALIVE.count(b"\n") == 1
    assert [part for part in stream.split(b"\n\n") if b"data:" not in part] == [b""]
    assert [event.data for event in in_pieces(stream, [])] == ["1", "2"]


@pytest.mark.parametrize("data", [b"a\nb", b"a\rb", b"a\0b"])
def test_data_that_is_no_line_is_our_mistake(data: bytes) -> None:
    """
    A frame that a client could misread is never written.
    """
    with pytest.raises(LocalMisuse):
        frame("message", data)
    with pytest.raises(LocalMisuse):
        frame(data.decode(), b"{}")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.lists(st.integers(0, 10_000)))
def test_what_is_written_is_read_in_any_pieces(texts: list[str], cuts: list[int]) -> None:
    """
    A message arrives as it was sent, however the network cuts it, for a strict and a naive reader.
    """
    stream = b"".join(frame("message", encode({"t": text})) + KEEPALIVE for text in texts)
    assert [json.loads(event.data)["t"] for event in in_pieces(stream, cuts)] == texts
    naive = [part.decode().split("data: ", 1)[1] for part in stream.split(b"\n\n") if b"\ndata: " in part]
    assert [json.loads(data)["t"] for data in naive] == texts
