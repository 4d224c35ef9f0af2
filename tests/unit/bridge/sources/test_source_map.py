"""
From a position in a built script to the place that a person wrote.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.sources.source_map import SourceMap
from reticle.bridge.sources.vlq import DamagedMapError
from tests.unit.bridge.sources.written_maps import Segment, written_map

MAPPED = Path(__file__).parents[3] / "system" / "mapped"
PLACES = st.tuples(st.integers(0, 3), st.integers(0, 500), st.integers(0, 200))


@st.composite
def scripts(draw: st.DrawFn) -> list[list[Segment]]:
    """
    Lines of segments with rising columns, some of which come from nowhere.
    """
    lines: list[list[Segment]] = []
    for _ in range(draw(st.integers(1, 6))):
        columns = sorted(draw(st.sets(st.integers(0, 3000), max_size=12)))
        lines.append([(column, draw(st.none() | PLACES)) for column in columns])
    return lines


@given(scripts(), st.integers(0, 8), st.integers(0, 3200))
def test_a_position_belongs_to_the_last_segment_before_it(
    lines: list[list[Segment]], line: int, column: int
) -> None:
    """
    As the standard has it: on its own line, never on another.
    """
    found = SourceMap(written_map(lines, ["a.ts", "b.ts", None, "d.ts"])).original(line + 1, column + 1)
    before = [place for at, place in (lines[line] if line < len(lines) else []) if at <= column]
    expected = before[-1] if before else None
    if expected is None:
        assert found is None
    else:
        assert found is not None
        source, original_line, original_column = expected
        assert (found.source, found.line, found.column) == (
            ["a.ts", "b.ts", None, "d.ts"][source], original_line + 1, original_column + 1,
        )  # fmt: skip


def test_a_minified_script_of_one_long_line_is_read_from_its_nearest_mark() -> None:
    """
    Every position of five thousand is right, also where the reading begins in the middle.
    """
    line: list[Segment] = [(3 * at, (at % 2, at, at % 7)) for at in range(5000)]
    read = SourceMap(written_map([[], line], ["a.ts", "b.ts"]))
    for at in (0, 1, 1023, 1024, 1025, 2048, 4999):
        found = read.original(2, 3 * at + 2)
        assert found is not None
        assert (found.source, found.line, found.column) == ("ab"[at % 2] + ".ts", at + 1, at % 7 + 1)
    assert read.original(1, 1) is None


def test_sections_are_maps_from_where_they_begin() -> None:
    """
    What concatenating build tools write: each part's columns count from its own start on its first line only.
    """
    one = json.loads(written_map([[(0, (0, 4, 0))]], ["one.ts"]))
    two = json.loads(written_map([[(0, (0, 7, 0))], [(2, (0, 8, 1))]], ["two.ts"]))
    parts = [
        {"offset": {"line": 0, "column": 0}, "map": one},
        {"offset": {"line": 2, "column": 10}, "map": two},
    ]
    read = SourceMap(json.dumps({"version": 3, "sections": parts}).encode())
    told = [read.original(line, column) for line, column in [(1, 1), (3, 5), (3, 11), (4, 3)]]
    assert [(found.source, found.line) if found else None for found in told] == [
        ("one.ts", 5), None, ("two.ts", 8), ("two.ts", 9),
    ]  # fmt: skip


def test_files_that_the_map_wants_ignored_are_known() -> None:
    """
    By the standard's field, and by the name that it had before.
    """
    for field in ("ignoreList", "x_google_ignoreList"):
        found = SourceMap(written_map([[(0, (0, 0, 0))]], ["lib.js"], **{field: [0]})).original(1, 1)
        assert found is not None
        assert found.ignored


def test_a_guard_line_before_the_map_is_passed_over() -> None:
    """
    Servers put one there so that no page can run the map as a script.
    """
    raw = b")]}'\n" + written_map([[(0, (0, 2, 0))]], ["a.ts"])
    found = SourceMap(raw).original(1, 1)
    assert found is not None
    assert found.line == 3


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{}", b"<!doctype html>", b'{"version": 2, "mappings": "AAAA", "sources": ["a"]}', b"\xff\xfe",
        b'{"version": 3, "sources": ["a"], "mappings": "A!AA"}', b'{"version": 3, "mappings": 5}',
        b'{"version": 3, "sources": ["a"], "mappings": "CAAA,DAAA"}',
        b'{"version": 3, "sections": [{"offset": {"line": 1, "column": 0}, "url": "other.map"}]}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_map_is_damage(raw: bytes) -> None:
    """
    It never becomes a wrong place, nor any other failure.
    """
    with pytest.raises(DamagedMapError):
        SourceMap(raw)


def test_a_place_outside_the_map_is_none() -> None:
    """
    A source that is not there, a line before the first.
    """
    read = SourceMap(b'{"version": 3, "sources": ["a"], "mappings": "AECA,CDDD"}')
    assert [read.original(1, 1), read.original(0, 0), read.original(1, -5)] == [None, None, None]
    below = SourceMap(b'{"version": 3, "sources": ["a"], "mappings": "AADA"}')
    assert below.original(1, 1) is None


@given(st.binary(max_size=200), st.integers(0, 400))
def test_a_damaged_map_is_damage_or_still_a_map(noise: bytes, at: int) -> None:
    """
    Whatever stands where, reading and asking end in a place, in none, or in damage.
    """
    whole = written_map([[(0, (0, 0, 0)), (9, (0, 1, 2))]], ["a.ts"])
    try:
        read = SourceMap(whole[:at] + noise + whole[at:])
    except DamagedMapError:
        return
    for line in range(3):
        read.original(line, at)


def test_what_esbuild_wrote_leads_to_the_line() -> None:
    """
    The minified app of the system tests: the place where it throws.
    """
    script = (MAPPED / "built" / "app.js").read_text(encoding="utf-8")
    found = SourceMap((MAPPED / "built" / "app.js.map").read_bytes()).original(
        1, script.index("throw new") + 1
    )
    lines = (MAPPED / "src" / "till.ts").read_text(encoding="utf-8").splitlines()
    assert found is not None
    assert found.source == "../src/till.ts"
    assert "throw new" in lines[found.line - 1]
    assert found.column == lines[found.line - 1].index("throw new") + 1
