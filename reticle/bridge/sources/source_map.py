"""
One source map, from its bytes to the place that a position in its script was made from.

It is read once, when it is made; a lookup then reads from the nearest of the marks that were set on the way.
Damage is found while reading, or makes a lookup answer nothing; it never makes a wrong place.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Annotated, Final

import attrs
import msgspec

from reticle.bridge.sources.vlq import DamagedMapError, decode_segment
from reticle.model.source_limits import PLACES_REMEMBERED

_MARK_EVERY: Final = 1_024
"""Segments between two marks on a long line: a minified script has one line."""

_COLUMN_BITS: Final = 32
_WHOLE = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


@attrs.frozen
class Original:
    """
    A place before the build: which of ``SourceMap.sources`` the file is, line from 1, column from 1.

    ``ignored`` is set for files that the map itself declares to be of no interest.
    """

    source: str | None
    source_root: str
    line: int
    column: int
    ignored: bool


class _Offset(msgspec.Struct):
    line: _WHOLE
    column: _WHOLE


class _Written(msgspec.Struct):
    """
    The fields of a map that we use; the source texts, most of its bytes, are passed over.
    """

    version: int
    mappings: str = ""
    sources: list[str | None] = []
    source_root: str | None = msgspec.field(default=None, name="sourceRoot")
    ignore_list: list[int] | None = msgspec.field(default=None, name="ignoreList")
    x_ignore_list: list[int] | None = msgspec.field(default=None, name="x_google_ignoreList")
    sections: list[_Section] | None = None


class _Section(msgspec.Struct):
    offset: _Offset
    map: _Written | None = None


_decode = msgspec.json.Decoder(_Written).decode


class _Mappings:
    """
    The ``mappings`` of a map and marks in them, each a position in the script and the state of the reading
    there.
    """

    def __init__(self, written: _Written) -> None:
        self._sources = written.sources
        self._root = written.source_root or ""
        self._ignored = frozenset(written.ignore_list or written.x_ignore_list or ())
        self._lines = written.mappings.split(";")
        self._keys = array("Q")
        self._states = array("q")
        self._read()

    def _read(self) -> None:
        """
        Raises:
            DamagedMapError: for what is no mapping, or goes backwards on a line.
        """
        known: dict[str, tuple[int, ...]] = {}
        keys, states = self._keys, self._states
        source = line = column = 0
        for number, text in enumerate(self._lines):
            place = 0
            if not text:
                continue
            for index, segment in enumerate(text.split(",")):
                numbers = known.get(segment)
                if numbers is None:
                    numbers = known[segment] = decode_segment(segment)
                if index % _MARK_EVERY == 0:  # the mark is where this segment begins, the state is before it
                    keys.append(number << _COLUMN_BITS | max(place + numbers[0], 0))
                    states.extend((index, place, source, line, column))
                place += numbers[0]
                if numbers[0] < 0 or place >> _COLUMN_BITS:
                    raise DamagedMapError(f"line {number} goes backwards")
                if len(numbers) > 1:
                    source += numbers[1]
                    line += numbers[2]
                    column += numbers[3]

    def original(self, line: int, column: int) -> Original | None:
        """
        The place that line and column, both from 0, were made from; None where the map has none.
        """
        if not 0 <= line < len(self._lines) or not 0 <= column < 1 << _COLUMN_BITS:
            return None
        mark = bisect_right(self._keys, line << _COLUMN_BITS | column) - 1
        if mark < 0 or self._keys[mark] >> _COLUMN_BITS != line:
            return None
        found = None
        for at, fields in self._from(mark, self._lines[line]):
            if at > column:
                break
            found = fields
        return None if found is None else self._told(*found)

    def _from(self, mark: int, text: str) -> Iterator[tuple[int, tuple[int, int, int] | None]]:
        index, place, source, line, column = self._states[mark * 5 : mark * 5 + 5]
        for segment in text.split(",")[index:]:
            numbers = decode_segment(segment)
            place += numbers[0]
            if len(numbers) > 1:
                source += numbers[1]
                line += numbers[2]
                column += numbers[3]
                yield place, (source, line, column)
            else:
                yield place, None

    def _told(self, source: int, line: int, column: int) -> Original | None:
        if not 0 <= source < len(self._sources) or line < 0 or column < 0:
            return None
        return Original(self._sources[source], self._root, line + 1, column + 1, source in self._ignored)


class SourceMap:
    """
    A map that was read.

    Raises:
        DamagedMapError: for bytes that are no map of version 3. Takes about 0.15 s per million characters
            of mappings: read large ones in a thread.
    """

    def __init__(self, raw: bytes) -> None:
        try:
            written = _decode(_without_guard(raw))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise DamagedMapError(f"no source map: {fault}") from fault
        self._parts = [(0, 0, _Mappings(_checked(written)))] if written.sections is None else _parts(written)
        self.chars = sum(len(part.mappings) for part in _whole(written))
        self._known: dict[tuple[int, int], Original | None] = {}

    def original(self, line: int, column: int) -> Original | None:
        """
        The place that a position in the script was made from, line and column from 1 as stacks have them.

        None where the map has none: what the build added belongs to no file.
        """
        key = (line, column)
        if key not in self._known:
            if len(self._known) >= PLACES_REMEMBERED:
                self._known.clear()
            self._known[key] = self._look_up(line - 1, column - 1)
        return self._known[key]

    def _look_up(self, line: int, column: int) -> Original | None:
        fitting = [part for part in self._parts if part[:2] <= (line, column)]
        if not fitting:
            return None
        first_line, first_column, mappings = fitting[-1]
        return mappings.original(line - first_line, column - (first_column if line == first_line else 0))


def _parts(written: _Written) -> list[tuple[int, int, _Mappings]]:
    parts = [
        (section.offset.line, section.offset.column, _Mappings(_checked(section.map)))
        for section in written.sections or ()
        if section.map is not None and section.map.sections is None
    ]
    if len(parts) != len(written.sections or ()) or parts != sorted(parts, key=lambda part: part[:2]):
        raise DamagedMapError("sections that are out of order or elsewhere")
    return parts


def _whole(written: _Written) -> Iterator[_Written]:
    yield written
    yield from (section.map for section in written.sections or () if section.map is not None)


def _checked(written: _Written) -> _Written:
    if written.version != 3:
        raise DamagedMapError(f"version {written.version}, not 3")
    return written


def _without_guard(raw: bytes) -> bytes:
    """
    Without the line that may stand before a map's JSON so that no page runs it as a script.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    return raw.partition(b"\n")[2] if raw.startswith(b")]}'") else raw
