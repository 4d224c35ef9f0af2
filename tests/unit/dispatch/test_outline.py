"""
Answers as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reticle.dispatch.outline import bounded, outline
from reticle.model.limits import ANSWER_CHARS

NUMBER = re.compile(r"[-+.]?[0-9][0-9_.eE+-]*")


def read(text: str) -> object:
    """
    Read an outline back, by the rules of the form: enough of YAML to show that nothing was lost.
    """
    lines = (
        [(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in text.split("\n")] if text else []
    )
    value, rest = read_block(lines, 0)
    assert rest == []
    return value


Lines = list[tuple[int, str]]


def read_block(lines: Lines, indent: int) -> tuple[object, Lines]:
    """
    A mapping or a sequence at one indent.
    """
    if lines and lines[0][1].startswith("- "):
        return read_sequence(lines, indent)
    fields: dict[str, object] = {}
    while lines and lines[0][0] == indent and not lines[0][1].startswith("- "):
        (_, line), *lines = lines
        name, line = read_key(line)
        if line == ":":
            fields[name], lines = read_block(lines, indent + 2)
        else:
            fields[name] = read_scalar(line.removeprefix(": "))
    return fields, lines


def read_sequence(lines: Lines, indent: int) -> tuple[object, Lines]:
    """
    Items behind dashes; what follows a dash may begin a block of its own.
    """
    items: list[object] = []
    while lines and lines[0][0] == indent and lines[0][1].startswith("- "):
        (_, line), *lines = lines
        rest = line.removeprefix("- ")
        if rest.startswith("- ") or is_field(rest):
            item, lines = read_block([(indent + 2, rest), *lines], indent + 2)
        else:
            item = read_scalar(rest)
        items.append(item)
    return items, lines


def is_field(text: str) -> bool:
    """
    Whether a text behind a dash is the first field of a mapping.
    """
    if text.startswith('"'):
        text = text[json.JSONDecoder().raw_decode(text)[1] :]
        return text.startswith(":")
    return text[0] not in "[{" and (": " in text or text.endswith(":"))


def read_key(line: str) -> tuple[str, str]:
    """
    A key and the rest of its line, colon included.
    """
    if line.startswith('"'):
        name, end = json.JSONDecoder().raw_decode(line)
        return name, line[end:]
    name, colon, rest = line.partition(":")
    return name, colon + rest


def read_scalar(text: str) -> object:
    """
    JSON where it looks like JSON, an inline list, or a bare text.
    """
    if text.startswith("["):
        return read_inline(text)
    if text[0] in '"{' or text in {"null", "true", "false"} or NUMBER.fullmatch(text):
        return json.loads(text)
    return text


def read_inline(text: str) -> object:
    """
    A list on one line.
    """
    items: list[object] = []
    rest = text[1:]
    while rest != "]":
        rest = rest.removeprefix(", ")
        if rest.startswith('"'):
            item, end = json.JSONDecoder().raw_decode(rest)
        else:
            end = min(place for mark in ",]" if (place := rest.find(mark)) >= 0)
            item = read_scalar(rest[:end])
        items.append(item)
        rest = rest[end:]
    return items


TEXTS = st.text(max_size=12) | st.text(st.sampled_from("a1 -:#,[]{}\"'\\\n\u2028.e+~"), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
@example({"a": [[], {}, [[1]], {"b": {"c": []}}], "null": "null", "- x": "- x", "n": ["1", 1, "a, b"]})
@example({"verdict": "yes", "time": "12:30", "url": "http://localhost:8000/a#b", "ref": "e12"})
def test_nothing_is_lost(fields: dict[str, object]) -> None:
    """
    A model that reads the outline knows exactly what stands in the fields.
    """
    assert read(outline(fields)) == fields


def test_the_outline_reads_well() -> None:
    """
    Ordinary answers stand there without quotes and braces.
    """
    assert outline(
        {
            "verified": "yes",
            "because": "POST /api/orders answered 201",
            "grade": 3,
            "clean": True,
            "source": "src/cart.py:41",
            "names": ["a", "b c"],
            "events": [{"seq": 1, "data": {"status": 500}}, {"seq": 2, "data": {}}],
            "empty": [],
            "note": None,
            "odd": "line\nbreak",
            "issue": "see #7",
        }
    ).split("\n") == [
        "verified: yes",
        "because: POST /api/orders answered 201",
        "grade: 3",
        "clean: true",
        "source: src/cart.py:41",
        "names: [a, b c]",
        "events:",
        "  - seq: 1",
        "    data:",
        "      status: 500",
        "  - seq: 2",
        "    data: {}",
        "empty: []",
        "note: null",
        'odd: "line\\nbreak"',
        'issue: "see #7"',
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "\n".join(f"line {number}" for number in range(size)),
        lambda size: "x" * size * 8,
        lambda size: "\n" + "x" * size * 8,
    ],
)
def test_a_long_answer_is_cut_and_says_so(make: Callable[[int], str]) -> None:
    """
    An answer over the limit fits, ends with what was left out, and the numbers are right.
    """
    text = make(20_000)
    cut = bounded(text)
    kept, _, note = cut.rpartition("\n")
    assert len(cut) <= ANSWER_CHARS
    assert text.startswith(kept)
    left = text[len(kept) :]
    assert note.startswith(f"… cut here: {left.count(chr(10))} more lines, {len(left)} characters;")
    assert bounded("short") == "short"


def test_depth_does_not_break_the_outline() -> None:
    """
    An absurdly nested answer is still told.
    """
    value: object = 1
    for _ in range(60):
        value = {"a": [value]}
    text = outline({"v": value})
    assert text.count('"a"') > 0
    assert text.count("a:") > 5


def test_what_would_be_cut_is_not_put_into_words() -> None:
    """
    A huge answer costs what is shown of it, and its last line does not claim to have counted the rest.
    """
    asked: list[int] = []

    class Counted(dict[str, object]):
        def items(self) -> Iterator[tuple[str, object]]:  # type: ignore[override]  # a view is not needed
            for number in range(1_000_000):
                asked.append(number)
                yield f"key{number}", "value"

    text = outline(Counted(some="thing"))
    assert len(text) <= ANSWER_CHARS
    assert text.splitlines()[-1].startswith("… cut here: at least ")
    assert len(asked) < 10_000
