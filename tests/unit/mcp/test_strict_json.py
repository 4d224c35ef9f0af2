"""
JSON text at the edge.
"""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import PeerFault
from reticle.mcp.strict_json import check_text, encode, shorten
from reticle.model.limits import JSON_DEPTH

LINE_ENDS = "\n\r\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def depth_of(value: object) -> int:
    """
    How deep a value nests, the obvious way.
    """
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 0


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_leaves_on_one_line_that_all_readers_agree_on(text: str) -> None:
    """
    No text of a page can split a frame, for readers that split at any Unicode line end too.
    """
    line = encode({"a": text, text: [text]})
    assert line.decode().splitlines() == [line.decode()]
    assert b"\0" not in line
    lone = any("\ud800" <= mark <= "\udfff" for mark in text)
    decoded = json.loads(line)
    assert lone or decoded == {"a": text, text: [text]}


def test_each_line_end_is_escaped_and_comes_back() -> None:
    """
    The characters that break event streams in the field arrive unchanged.
    """
    assert json.loads(encode(LINE_ENDS)) == LINE_ENDS
    assert len(encode(LINE_ENDS).decode().splitlines()) == 1


def test_a_lone_surrogate_is_replaced() -> None:
    """
    Half an emoji from a page's DOM becomes the replacement character, not an exception.
    """
    assert json.loads(encode({"a\udfff": ["\ud83d", ("x",)]})) == {"a\ufffd": ["\ufffd", ["x"]]}


def test_raw_values_lose_their_line_breaks() -> None:
    """
    A pretty-printed value that only passes through is still sent on one line.
    """
    assert encode({"a": msgspec.Raw(b'[1,\r\n "x\\n"]')}) == b'{"a":[1,   "x\\n"]}'


def test_numbers_that_json_lacks_are_null() -> None:
    """
    NaN never reaches the wire.
    """
    assert encode([float("nan"), float("inf")]) == b"[null,null]"


@given(
    st.recursive(
        st.text(st.sampled_from('[]{}"\\a'), max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
        max_leaves=200,
    ),
    st.integers(0, JSON_DEPTH + 3),
)
def test_depth_is_measured_exactly(value: object, more: int) -> None:
    """
    A message is refused for its depth exactly when it nests deeper than the limit.
    """
    for _ in range(more):
        value = [value, "[["]
    body = json.dumps(value).encode()
    if depth_of(value) > JSON_DEPTH:
        with pytest.raises(PeerFault):
            check_text(body)
    else:
        check_text(body)


def test_shortened_text_keeps_both_ends() -> None:
    """
    A long error text still shows how it began and how it ended.
    """
    short = shorten("a" * 500 + "b" * 500, 100)
    assert len(short) <= 100
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    assert "940 characters left out" in short
    assert shorten("abc", 3) == "abc"


def test_a_text_without_an_end_is_looked_through_once() -> None:
    """
    A megabyte of escaped quotes behind an open one is refused in a moment; it once held the loop for hours.
    """
    for rest in (b'"' + b'\\"' * 500_000, b'"' + b'\\"' * 500_000 + b"\\", b'"' + b"\\\\" * 500_000):
        with pytest.raises(PeerFault) as deep:
            check_text(b"[" * (JSON_DEPTH + 1) + rest)
        assert deep.value.message == f"the body is not JSON: it nests deeper than {JSON_DEPTH}"
        check_text(b"[" * JSON_DEPTH + rest + b"[")
