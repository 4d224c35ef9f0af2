"""
The event stream, written and read.
"""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import LocalMisuse, PeerFault
from reticle.mcp.sse_frames import KEEPALIVE, FrameParser, ServerSentEvent, frame
from reticle.mcp.strict_json import encode


def in_pieces(stream: bytes, cuts: list[int]) -> list[ServerSentEvent]:
    """
    Everything a parser reads when the stream is cut at these places.
    """
    parser = FrameParser()
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


LINES = st.lists(
    st.sampled_from(
        [
            "data: a",
            "data:b",
            "data",
            "data:  c",
            "event: x",
            "event",
            "id: 7",
            "id: \0",
            "retry: 5",
            "retry: x",
            ": comment",
            "unknown: y",
            "",
            "dätä: ü",
            "data: ü\u2028",
        ]
    ).flatmap(lambda line: st.tuples(st.just(line), st.sampled_from(["\n", "\r", "\r\n"]))),
    max_size=30,
)


@given(LINES, st.lists(st.integers(0, 1_000)))
def test_cuts_and_line_ends_change_nothing(lines: list[tuple[str, str]], cuts: list[int]) -> None:
    """
    Every kind of line end and every cut, also inside CRLF and inside a character, reads the same.
    """
    # "\r" and then an empty line ended by "\n" would be one CRLF: keep such lines apart
    separated = [(line, "\r\n" if end == "\r" else end) for line, end in lines]
    plain = "".join(line + "\n" for line, _ in lines).encode()
    mixed = "".join(line + end for line, end in separated).encode()
    old_style = "".join(line + "\r" for line, _ in lines).encode()
    expected = in_pieces(plain, [])
    assert in_pieces(mixed, cuts) == expected
    assert in_pieces(old_style, cuts) == expected


def test_fields_of_the_format() -> None:
    """
    Several data lines, ids, retry, a mark at the beginning and unknown fields mean what the format says.
    """
    parser = FrameParser()
    stream = (
        "\ufeffid: 3\nretry: 40\nevent: x\ndata: a\ndata:b\nfoo: z\n\ndata: c\n\nevent: lost\n\ndata: open"
    )
    assert parser.feed(stream.encode()) == [
        ServerSentEvent("x", "a\nb", "3"),
        ServerSentEvent("message", "c", "3"),
    ]
    assert parser.retry_ms == 40


def test_a_stream_that_is_none_ends() -> None:
    """
    Text that is not UTF-8 and events without an end are faults of the other side.
    """
    with pytest.raises(PeerFault):
        FrameParser().feed(b"data: \xff\n\n")
    endless = FrameParser(limit_chars=100)
    for _ in range(9):
        endless.feed(b"data: 1234567890\n")
    with pytest.raises(PeerFault):
        endless.feed(b"data: 1234567890\n")
    with pytest.raises(PeerFault):
        FrameParser(limit_chars=100).feed(b"data: " + b"x" * 200)
