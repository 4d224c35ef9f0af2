"""
Whether the audit chain is whole, and where it is not.
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Iterator
from typing import Final

import attrs

from reticle.model.audit import AuditCheck, AuditFault
from reticle.model.limits import AUDIT_ROWS_KEPT
from reticle.storage.audit_chain import COLUMNS, GENESIS, Head, head_of, row_hash
from reticle.storage.driver import Driver

_ROWS: Final = (
    f"SELECT seq, {', '.join(COLUMNS)}, row_hash FROM audit"  # noqa: S608 - names of our own
    " WHERE seq >= ? ORDER BY seq LIMIT ?"
)
_SEGMENTS: Final = (
    "SELECT first_seq, last_seq, previous_hash, last_hash, pruned_at_us IS NOT NULL"
    " FROM audit_segment WHERE last_seq > ? ORDER BY first_seq"
)
_STRAY: Final = (
    "SELECT seq, audit_id FROM audit WHERE seq > (SELECT seq FROM audit_head)"
    " OR seq <= (SELECT max(last_seq) FROM audit_segment WHERE pruned_at_us IS NOT NULL) ORDER BY seq LIMIT 1"
)
"""A row where there can be none: behind the end, or where rows have made room."""

_Segment = tuple[int, int, bytes, bytes, bool]
_Row = tuple[int, list[str | int | None], bytes]


@attrs.define
class ChainWalk:
    """
    A check in slices, so that the writer thread can do other work between two of them.

    ``fault`` is the first thing that is wrong; then, or when ``done``, there is nothing more to do.
    ``expected`` is a row's hash that was noted earlier, which must be met on the way. The daemon itself never
    takes one of the newest ``kept`` rows out: a segment of them that made room was another's doing.
    """

    until: Head
    expected: str | None = None
    kept: int = AUDIT_ROWS_KEPT
    _newest: int = 0
    _segments: list[_Segment] = attrs.field(factory=list)
    _at: Head = attrs.field(factory=lambda: Head(0, GENESIS))
    _before: tuple[bytes, str | None] = (GENESIS, None)
    _rows: int = 0
    _pruned: int = 0
    _met: bool = False
    fault: AuditFault | None = None
    done: bool = False

    def step(self, driver: Driver, rows: int) -> None:
        """
        Look at the next rows, at most so many.
        """
        # Read anew each time: old rows may have made room since the last step.
        self._segments = driver.execute(_SEGMENTS, (self._at.seq,)).fetchall()
        if not all(map(_is_segment, self._segments)):
            self.fault = AuditFault("altered", self._at.seq + 1, None)
            return
        self._newest = head_of(driver).seq
        self._skip_pruned()
        # One more than asked for: what a row is may be seen in the next.
        found = _rows(driver, self._at.seq, rows + 1, self.until.seq)
        for row, after in itertools.zip_longest(found[:rows], found[1 : rows + 1]):
            if self.fault is None:
                self._look_at(row, after)
        if self.fault is not None:
            return
        if self._at.seq >= self.until.seq:
            self._conclude(driver)
        elif len(found) < rows:
            self.fault = AuditFault("missing", self._at.seq + 1, None)

    def result(self) -> AuditCheck:
        """
        What was found.
        """
        met = None if self.expected is None else self._met
        return AuditCheck(self._rows, self._pruned, self._at.seq, self._at.row_hash.hex(), self.fault, met)

    def _skip_pruned(self) -> None:
        """
        Take the word of segments for rows that have made room, as far as one follows on the other.
        """
        while self._segments and self._segments[0][4] and self._segments[0][0] <= self._at.seq + 1:
            first, last, previous, last_hash, _ = self._segments.pop(0)
            if first == self._at.seq + 1 and previous != self._at.row_hash:
                self.fault = AuditFault("altered", first, None)
                return
            if last > self._newest - self.kept:
                self.fault = AuditFault("missing", self._at.seq + 1, None)
                return
            self._pruned += last - self._at.seq
            self._move(Head(last, last_hash))

    def _look_at(self, row: _Row, after: _Row | None) -> None:
        seq, values, stored = row
        audit_id = str(values[0])
        if seq != self._at.seq + 1:
            self.fault = AuditFault("missing", self._at.seq + 1, None)
            return
        computed = row_hash(self._at.row_hash, seq, values)
        if computed != stored:
            self.fault = self._why(row, after)
            return
        if self._segments and self._segments[0][0] == seq and self._segments[0][2] != self._at.row_hash:
            self.fault = AuditFault("altered", seq, audit_id)
            return
        self._before = (self._at.row_hash, audit_id)
        self._move(Head(seq, computed))
        self._rows += 1
        if self._segments and self._segments[0][1] == seq and self._segments.pop(0)[3] != computed:
            self.fault = AuditFault("altered", seq, audit_id)

    def _why(self, row: _Row, after: _Row | None) -> AuditFault:
        """
        A row does not follow on the one before it. Rows behind a gap or an intruder that were numbered anew
        still follow on each other by their old numbers.
        """
        seq, values, stored = row
        before, intruder = self._before
        if stored == row_hash(before, seq - 1, values):
            return AuditFault("inserted", seq - 1, intruder)
        if after is not None and after[2] == row_hash(self._at.row_hash, seq, after[1]):
            return AuditFault("inserted", seq, str(values[0]))
        if after is not None and after[2] == row_hash(stored, seq + 2, after[1]):
            return AuditFault("missing", seq, None)
        return AuditFault("altered", seq, str(values[0]))

    def _move(self, head: Head) -> None:
        self._at = head
        self._met = self._met or head.row_hash.hex() == self.expected

    def _conclude(self, driver: Driver) -> None:
        self.done = True
        if self._at != self.until:
            self.fault = AuditFault("altered", self._at.seq, None)
            return
        stray = driver.execute(_STRAY).fetchone()
        if stray is not None:
            self.fault = AuditFault("inserted", stray[0], stray[1])


def _rows(driver: Driver, after: int, limit: int, last: int) -> list[_Row]:
    """
    What stands in the file, whatever it is: a tampered row may hold bytes that are no text.
    """
    with _any_text(driver):
        return [
            (seq, [_hashable(value) for value in values], stored if isinstance(stored, bytes) else b"")
            for seq, *values, stored in driver.execute(_ROWS, (after + 1, limit))
            if seq <= last
        ]


@contextlib.contextmanager
def _any_text(driver: Driver) -> Iterator[None]:
    """
    SQLite keeps any bytes as a text, PostgreSQL refuses what is none.
    """
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    usual = driver.text_factory
    driver.text_factory = _lenient
    try:
        yield
    finally:
        driver.text_factory = usual


def _is_segment(segment: tuple[object, ...]) -> bool:
    """
    Whether a segment holds values of ours: a tampered one may hold anything.
    """
    numbers, hashes = segment[:2], segment[2:4]
    return all(isinstance(each, int) for each in numbers) and all(isinstance(each, bytes) for each in hashes)


def _lenient(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _hashable(value: object) -> str | int | None:
    return value if value is None or isinstance(value, str | int) else repr(value)


def begin_check(driver: Driver, expected: str | None = None, kept: int = AUDIT_ROWS_KEPT) -> ChainWalk:
    """
    A check of everything up to the row that is the last one now.
    """
    return ChainWalk(head_of(driver), expected, kept)


def rows_of(driver: Driver, after: int, limit: int) -> Iterator[tuple[object, ...]]:
    """
    Rows in the order of the chain, each with its number first and its hash last.
    """
    yield from driver.execute(_ROWS, (after + 1, limit))
