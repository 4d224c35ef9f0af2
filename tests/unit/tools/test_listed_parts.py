"""
Long lists in parts.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import Refusal
from reticle.tools.listed_parts import part_behind


@given(
    entries=st.lists(st.text(min_size=1), unique=True, max_size=12),
    limit=st.integers(1, 5),
    hidden=st.sets(st.integers(0, 11)),
)
def test_the_parts_are_the_whole(entries: list[str], limit: int, hidden: set[int]) -> None:
    """
    Whatever is filtered, the parts one after the other show each wanted entry once, in order, and none but
    the last is short.
    """
    wanted = [entry for place, entry in enumerate(entries) if place not in hidden]
    shown: list[str] = []
    after: str | None = None
    while True:
        part, behind = part_behind(
            entries, after, limit, name=lambda entry: entry, wanted=lambda entry: entry in wanted
        )
        shown += part
        if behind is None:
            break
        assert len(part) == limit
        assert isinstance(behind["after"], str)
        after = behind["after"]
    assert shown == wanted


def test_the_last_part_says_that_it_is() -> None:
    """
    Nobody is sent to fetch a part in which there is nothing; who asks behind the last entry learns just that.
    """
    assert part_behind(["b", "a"], None, 2, name=str) == (["b", "a"], None)
    assert part_behind(["b", "a"], "a", 2, name=str) == ([], None)


def test_what_comes_at_the_front_meanwhile_hides_nothing() -> None:
    """
    A token that is made between two parts neither repeats an entry nor pushes one out.
    """
    part, behind = part_behind(["c", "b", "a"], None, 2, name=str)
    assert (part, behind) == (["c", "b"], {"after": "b"})
    assert part_behind(["d", "c", "b", "a"], "b", 2, name=str) == (["a"], None)
    with pytest.raises(Refusal) as told:
        part_behind(["d", "c", "a"], "b", 2, name=str)
    assert told.value.code == "bad_arguments"
