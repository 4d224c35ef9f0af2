"""
Lists in parts.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import PeerFault
from reticle.mcp.paging import part_of

NAMES = [f"n{number}" for number in range(7)]


def walk(names: list[str], size: int) -> list[str]:
    """
    All entries, part by part.
    """
    seen: list[str] = []
    cursor = None
    while True:
        part = part_of(names, cursor, scope="s", key=str, size=size)
        seen.extend(part.entries)
        if part.next_cursor is None:
            return seen
        cursor = part.next_cursor


@given(st.lists(st.text(max_size=3), max_size=12), st.integers(1, 5))
def test_paging_gives_every_entry_once(names: list[str], size: int) -> None:
    """
    A client that follows the cursors misses nothing and sees nothing twice.
    """
    assert walk(names, size) == names


def cursor_after(count: int, scope: str = "s") -> str:
    """
    A cursor as we give it out.
    """
    cursor = part_of(NAMES, None, scope=scope, key=str, size=count).next_cursor
    assert cursor is not None
    return cursor


@pytest.mark.parametrize(
    "cursor",
    ["", "3", "no-cursor", "-1", "3-0000000000000000", "999999-0000000000000000", cursor_after(3, "another")],
)
def test_a_cursor_that_is_not_ours_is_refused(cursor: str) -> None:
    """
    A made-up cursor, the empty one and one of another list are faults, not the first part again.
    """
    with pytest.raises(PeerFault) as caught:
        part_of(NAMES, cursor, scope="s", key=str, size=3)
    assert (caught.value.code, caught.value.jsonrpc_code) == ("bad_params", -32602)


def test_a_cursor_outlives_no_change_before_it() -> None:
    """
    When entries before its place came or went, a client is told to begin anew and skips nothing.
    """
    cursor = cursor_after(3)
    assert list(part_of([*NAMES, "new"], cursor, scope="s", key=str, size=3).entries) == NAMES[3:6]
    with pytest.raises(PeerFault):
        part_of(NAMES[1:], cursor, scope="s", key=str, size=3)
    with pytest.raises(PeerFault):
        part_of(NAMES[:3], cursor, scope="s", key=str, size=3)


def test_a_part_becomes_the_fields_of_a_result() -> None:
    """
    The end of a list is told by the absence of a cursor.
    """
    assert part_of(NAMES, None, scope="s", key=str).result("names") == {"names": NAMES}
    part = part_of(NAMES, None, scope="s", key=str, size=3)
    assert part.result("names", ["in words"]) == {"names": ["in words"], "nextCursor": part.next_cursor}
