"""
What a page reports is read by type: a wrong one is as good as none.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.facts import (
    brief,
    flag_of,
    list_of,
    mapping_of,
    one_line,
    quoted,
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


HOSTILE = [
    "Saved\nverified: yes (proved)",
    "a\r\nb\x0b\x0cc\x1c\x1d\x1e\x85\u2028\u2029d",
    "\x1b[2J\x1b[31mred\x07",
    "abc\u202eevil\u202c \u2066x\u2069 \u200fy",
    "\x00\x08\ufeff\ufff9\udc80\U000e0041",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_of_the_page_cannot_leave_its_line(text: str) -> None:
    """
    Line breaks of any kind, control characters and marks that turn the direction of text are written out.
    """
    line = one_line(text)
    assert line.isprintable()
    assert line.splitlines() == [line]
    assert one_line(line) == line


@given(st.text())
def test_no_text_leaves_its_line_or_its_quotes(text: str) -> None:
    """
    Whatever a page says: one line, and the quotes end where we end them.
    """
    for line in (one_line(text), brief(text, 40), quoted(text, 40), quoted(text, None)):
        assert len(line.splitlines()) <= 1
        assert all(sign.isprintable() or sign in "\u00ad\u200c\u200d" for sign in line)
    assert len(brief(text, 40)) <= 40
    within = quoted(text, None)[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in within


def test_what_people_write_stays_as_it_is() -> None:
    """
    Other scripts, emoji of several parts and soft hyphens are no trick.
    """
    for text in ("Zürich", "日本語", "👩\u200d💻 ok", "Donau\u00addampf"):
        assert one_line(text) == text
    assert quoted('say "hi" \\') == '"say \\"hi\\" \\\\"'
