"""
What a program has done to its terminal, and how it is undone.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.terminal_queries import QueryScanner

SWITCHES = [
    b"?1049h",
    b"?1049l",
    b"?25l",
    b"?25h",
    b"?1000;1006h",
    b"?1006l",
    b">1u",
    b"<u",
    b">4;2m",
    b">4m",
]


def undone(output: bytes) -> bytes:
    """
    What follows the output of a program that was killed.
    """
    scanner = QueryScanner(40, 120)
    scanner.feed(output)
    return scanner.modes.undo()


@pytest.mark.parametrize(
    ("output", "undoing"),
    [
        (b"plain \x1b[31mtext", b""),
        (b"\x1b[?1049h\x1b[?25l", b"\x1b[?1049l\x1b[?25h\x1b[0m"),
        (b"\x1b[?1049h\x1b[?25l\x1b[?25h\x1b[?1049l", b""),
        (b"\x1b[?1000;1006;2004h", b"\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[0m"),
        (b"\x1b[>1u\x1b[>3u\x1b[<u", b"\x1b[<1u\x1b[0m"),
        (b"\x1b[>4;2m", b"\x1b[>4;0m\x1b[0m"),
        (b"\x1b[?7l\x1b[?12h", b""),
    ],
)
def test_a_killed_program_leaves_a_usable_terminal(output: bytes, undoing: bytes) -> None:
    """
    Cursor, screen, mouse, pastes and keys are as before; a program that cleaned up changes nothing.
    """
    assert undone(output) == undoing


@given(st.lists(st.sampled_from(SWITCHES)))
def test_what_is_undone_needs_no_more_undoing(sequences: list[bytes]) -> None:
    """
    Whatever was switched, the undoing leaves nothing on, and is not done twice.
    """
    scanner = QueryScanner(40, 120)
    scanner.feed(b"".join(b"\x1b[" + each for each in sequences))
    undoing = scanner.modes.undo()
    assert scanner.modes.undo() == b""
    again = QueryScanner(40, 120)
    again.feed(b"".join(b"\x1b[" + each for each in sequences) + undoing)
    assert again.modes.undo() == b""
