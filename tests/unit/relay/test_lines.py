"""
Lines out of any split, and bytes that wait.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.relay.lines import Backlog, LineBuffer


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=6))
def test_any_split_gives_the_same_lines(text: bytes, cuts: list[int]) -> None:
    """
    How a pipe cuts what the client wrote changes nothing.
    """
    whole = LineBuffer()
    expected = [*whole.feed(text), *whole.finish()]
    split, start = LineBuffer(), 0
    found: list[bytes] = []
    for cut in sorted({*cuts, len(text)}):
        found += split.feed(text[start:cut])
        start = max(start, cut)
    assert [*found, *split.finish()] == expected
    assert b"".join(expected).replace(b"\r", b"") == b"".join(
        line for line in text.replace(b"\r", b"").split(b"\n") if line.strip()
    )


def test_both_line_ends_are_taken() -> None:
    """
    SP-01: a client on a system that writes CR LF is understood; empty lines mean nothing.
    """
    assert LineBuffer().feed(b'{"a":1}\r\n\r\n\n{"b":2}\n') == [b'{"a":1}', b'{"b":2}']


def test_a_line_over_the_cap_is_dropped_whole_and_counted() -> None:
    """
    A client that never ends its line costs no memory, and the next line is read.
    """
    lines = LineBuffer(line_bytes=8)
    assert lines.feed(b"0123456") == []
    assert lines.feed(b"789") == []
    assert lines.feed(b"more and more" * 100) == []
    assert lines.feed(b"tail\nnext\n") == [b"next"]
    assert lines.overlong == 1


@given(st.lists(st.binary(max_size=20), max_size=100), st.integers(1, 7))
def test_what_waits_comes_out_in_order(parts: list[bytes], most: int) -> None:
    """
    However little a slow reader takes at once, it gets every byte, once and in order.
    """
    backlog = Backlog()
    for part in parts:
        backlog.put(part)
    out = b""
    while backlog.size:
        piece = bytes(backlog.first(most))
        assert 0 < len(piece) <= most
        out += piece
        backlog.take(len(piece))
    assert out == b"".join(parts)
    assert bytes(backlog.first(most)) == b""
