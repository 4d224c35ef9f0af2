"""
What a program asks of its terminal, and what it is told.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.terminal_queries import SEQUENCE_BYTES, QueryScanner

TABLE = {
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[0c": b"\x1b[?62;22c",
    b"\x1b[>c": b"\x1b[>0;0;0c",
    b"\x1b[=c": b"\x1bP!|00000000\x1b\\",
    b"\x1b[5n": b"\x1b[0n",
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[?6n": b"\x1b[?1;1R",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b[>q": b"\x1bP>|reticle\x1b\\",
    b"\x1b[?4m": b"\x1b[>4;0m",
    b"\x1b[18t": b"\x1b[8;40;120t",
    b"\x1b[?2026$p": b"\x1b[?2026;0$y",
    b"\x1b[4$p": b"\x1b[4;0$y",
    b"\x1b]10;?\x07": b"\x1b]10;rgb:d0d0/d0d0/d0d0\x07",
    b"\x1b]11;?\x1b\\": b"\x1b]11;rgb:1010/1010/1010\x1b\\",
    b"\x1b]4;7;?\x07": b"\x1b]4;7;rgb:d0d0/d0d0/d0d0\x07",
    b"\x1bP+q544e\x1b\\": b"\x1bP0+r\x1b\\",
    b"\x1bP$qm\x1b\\": b"\x1bP0$r\x1b\\",
}
SILENT = [
    b"plain text\r\n", b"\x1b[31m", b"\x1b[2J", b"\x1b]0;a title with [6n\x07", b"\x1b_Gpicture\x1b\\",
    b"\x1b[6\x18n", b"\x1b(B", b"\x1b]11;rgb:0/0/0\x07", b"\x1b[6;1n", b"\x1b]52;c;?\x07", b"[6n",
]  # fmt: skip
PIECES = st.one_of(
    st.sampled_from([*TABLE, *SILENT]),
    st.binary(max_size=8),
    st.sampled_from([b"\x1b", b"\x1b[", b"\x1b]", b"\x07"]),
)


def answered(*pieces: bytes) -> bytes:
    """
    All answers to output that comes in these pieces.
    """
    scanner = QueryScanner(40, 120)
    return b"".join(scanner.feed(piece) for piece in pieces)


@pytest.mark.parametrize("question", TABLE)
def test_a_question_is_answered(question: bytes) -> None:
    """
    A program that waits for its terminal's answer goes on.
    """
    assert answered(b"text" + question + b"text") == TABLE[question]


@pytest.mark.parametrize("output", SILENT)
def test_what_is_no_question_is_not_answered(output: bytes) -> None:
    """
    Nobody types into a program that asked for nothing.
    """
    assert answered(output) == b""


@given(st.lists(PIECES), st.lists(st.integers(0, 400)))
def test_how_output_is_cut_makes_no_difference(pieces: list[bytes], cuts: list[int]) -> None:
    """
    A question that arrives in two reads is answered like one in one.
    """
    output = b"".join(pieces)
    places = sorted({0, *(cut for cut in cuts if cut < len(output)), len(output)})
    parts = [output[start:end] for start, end in pairwise(places)]
    whole = answered(output)
    assert answered(*parts) == whole
    assert answered(*(bytes([byte]) for byte in output)) == whole


@given(st.lists(st.sampled_from([*TABLE, b"some text", b"\x1b[1;31m", b"\x1b]0;title\x07"])))
def test_each_question_is_answered_once_and_in_order(pieces: list[bytes]) -> None:
    """
    Answers come as often as questions and in their order.
    """
    assert answered(b"".join(pieces)) == b"".join(TABLE.get(piece, b"") for piece in pieces)


@pytest.mark.parametrize("opening", [b"\x1b]", b"\x1bP", b"\x1b["])
def test_a_sequence_without_end_is_not_kept(opening: bytes) -> None:
    """
    A picture of megabytes, or a broken sequence, costs no memory and hides no later question.
    """
    scanner = QueryScanner(40, 120)
    for _ in range(1_000):
        assert scanner.feed(opening + b"1" * 1_000) == b""
        opening = b""
    assert len(scanner._body) <= SEQUENCE_BYTES
    assert scanner.feed(b"\x18\x1b[6n") == b"\x1b[1;1R"


def test_paste_mode_is_noticed() -> None:
    """
    A program that asks to be told of pastes gets its prompt as one.
    """
    scanner = QueryScanner(40, 120)
    assert not scanner.modes.bracketed_paste
    scanner.feed(b"\x1b[?1;20")
    scanner.feed(b"04h")
    assert scanner.modes.bracketed_paste
    scanner.feed(b"\x1b[?2004l")
    assert not scanner.modes.bracketed_paste
