"""
What an agent printed last, in memory and in a file.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.agent.scrollback import OutputLog, Scrollback


@given(st.lists(st.binary(max_size=40)), st.integers(1, 60))
def test_memory_has_a_bound(pieces: list[bytes], most: int) -> None:
    """
    Whatever is printed, so much is kept and no more.
    """
    kept = Scrollback(most)
    for piece in pieces:
        kept.add(piece)
        assert len(kept) <= most


def test_the_last_lines_are_for_reading() -> None:
    """
    Colours, cursor movements, titles and empty lines are left out.
    """
    kept = Scrollback()
    for piece in (
        b"first\r\n\x1b]0;title\x07",
        b"\x1b[31mred\x1b[0m \xf0\x9f\x98\x80\r\n\r\n",
        b"\x1b[2Jlast \x07",
    ):
        kept.add(piece)
    assert kept.last_lines(2) == ["red 😀", "last"]


def test_a_log_is_private_and_bounded(tmp_path: Path) -> None:
    """
    Only its owner reads it, and it does not fill a disk; what is older stands beside it once.
    """
    path = tmp_path / "log"
    path.touch(0o644)
    log = OutputLog(path, most_bytes=10)
    for piece in (b"one two three", b"four five six", b"seven"):
        log.write(piece)
    log.close()
    assert path.read_bytes() == b"seven"
    assert (tmp_path / "log.1").read_bytes() == b"four five six"
    assert {each.stat().st_mode & 0o777 for each in tmp_path.iterdir()} == {0o600}


def test_a_log_follows_no_link(tmp_path: Path) -> None:
    """
    A link in a shared folder leads no output elsewhere.
    """
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        OutputLog(tmp_path / "log")
