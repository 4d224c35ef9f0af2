"""
What a page reports is read by type: a wrong one is as good as none.
"""

from __future__ import annotations

import pytest

from reticle.domain.facts import (
    brief,
    flag_of,
    list_of,
    mapping_of,
    spoken_text,
    text_of,
    url_parts,
    whole_of,
)
from reticle.testing.windows import WindowBuilder

WRONG = [None, 1, 1.5, True, "text", [1], {"a": 1}]


@pytest.mark.parametrize("value", WRONG)
def test_only_a_value_of_the_right_type_is_taken(value: object) -> None:
    """
    A page that sends a number where a text belongs is read as saying nothing, not as a fault of ours.
    """
    fields = {"f": value}
    assert text_of(fields, "f") == (value if value == "text" else None)
    assert flag_of(fields, "f") is (True if value is True else None)
    assert list_of(fields, "f") == ([1] if value == [1] else [])
    assert mapping_of(value) == ({"a": 1} if value == {"a": 1} else {})
    assert (text_of({}, "f"), flag_of({}, "f"), list_of({}, "f")) == (None, None, [])


@pytest.mark.parametrize(
    ("value", "whole"),
    [(7, 7), (7.0, 7), (7.5, None), (float("inf"), None), (float("nan"), None), (True, None), ("7", None)],
)
def test_a_whole_number_is_no_boolean_and_no_text(value: object, whole: int | None) -> None:
    """
    JavaScript's 7.0 is 7; true is no count.
    """
    read = whole_of({"n": value}, "n")
    assert (read, type(read)) == (whole, type(whole))


def test_a_cut_text_is_within_its_limit() -> None:
    """
    A long text ends with an ellipsis that counts; white space is folded before.
    """
    assert brief("a" * 10, 10) == "a" * 10
    assert brief("a" * 11, 10) == "a" * 9 + "…"
    assert brief(" a \n\t b ", 10) == "a b"


def test_an_address_that_is_none_is_a_path() -> None:
    """
    Apps fetch broken URLs; one more must not break the verdict.
    """
    assert tuple(url_parts("http://[broken/a")) == ("", "", "http://[broken/a", "", "")
    parts = url_parts("http://x:1/a?b#c")
    assert (parts.netloc, parts.path, parts.query, parts.fragment) == ("x:1", "/a", "b", "c")


def test_all_words_of_an_event_count() -> None:
    """
    Text, name and message of an event are read as one line, what is missing or no text left out.
    """
    builder = WindowBuilder().event("x", {"message": "m", "text": "t", "name": 3}).event("x", {"name": "n"})
    builder.dom_added("alert", "Wrong password", "Wrong password")
    assert [spoken_text(event) for event in builder.build().events] == ["t m", "n", "Wrong password"]
