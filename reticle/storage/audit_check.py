"""
Whether the audit chain is whole, and where it is not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

import attrs

from reticle.model.audit import AuditCheck, AuditFault
from reticle.storage.audit_chain import COLUMNS, GENESIS, Head, head_of, row_hash

_ROWS: Final = (
    f"SELECT seq, {', '.join(COLUMNS)}, row_hash FROM audit"  # noqa: S608 - names of our own
    " WHERE seq >= ? ORDER BY seq LIMIT ?"
)
_SEGMENTS: Final = (
    "SELECT first_seq, last_seq, previous_hash, last_hash, pruned_at_us IS NOT NULL"
    " FROM audit_segment ORDER BY first_seq"
)
_STRAY: Final = (
    "SELECT seq, audit_id FROM audit WHERE seq > (SELECT seq FROM audit_head)"
    " OR seq <= (SELECT max(last_seq) FROM audit_segment WHERE pruned_at_us NOT NULL) ORDER BY seq LIMIT 1"
)
"""A row where there can be none: behind the end, or where rows have made room."""


@attrs.define
class ChainWalk:
    """
    A check in slices, so that the writer thread can do other work between two of them.

    ``fault`` is the first thing that is wrong; then, or when ``done``, there is nothing more to do.
    """

    until: Head
    _segments: list[tuple[int, int, bytes, bytes, bool]]
    _at: Head = attrs.field(factory=lambda: Head(0, GENESIS))
    _rows: int = 0
    _pruned: int = 0
    fault: AuditFault | None = None
    done: bool = False

    def step(self, driver: sqlite3.Connection, rows: int) -> None:
        """
        Look at the next rows, at most so many.
        """
        self._skip_pruned()
        if self.fault is not None:
            return
        seen = 0
        for seq, *values, stored in driver.execute(_ROWS, (self._at.seq + 1, rows)):
            seen += 1
            if seq > self.until.seq:
                break
            self._look_at(seq, values, stored)
            if self.fault is not None:
                return
        if self._at.seq >= self.until.seq:
            self._conclude(driver)
        elif seen < rows:
            self.fault = AuditFault("missing", self._at.seq + 1, None)

    def result(self) -> AuditCheck:
        """
        What was found.
        """
        return AuditCheck(self._rows, self._pruned, self._at.seq, self._at.row_hash.hex(), self.fault)

    def _skip_pruned(self) -> None:
        while self._segments and self._segments[0][4] and self._segments[0][0] == self._at.seq + 1:
            _, last, previous, last_hash, _ = self._segments.pop(0)
            if previous != self._at.row_hash:
                self.fault = AuditFault("altered", self._at.seq + 1, None)
                return
            self._pruned += last - self._at.seq
            self._at = Head(last, last_hash)

    def _look_at(self, seq: int, values: list[str | int | None], stored: bytes) -> None:
        audit_id = str(values[0])
        if seq != self._at.seq + 1:
            self.fault = AuditFault("missing", self._at.seq + 1, None)
            return
        computed = row_hash(self._at.row_hash, seq, values)
        if computed != stored:
            self.fault = AuditFault("altered", seq, audit_id)
            return
        self._at = Head(seq, computed)
        self._rows += 1
        if self._segments and self._segments[0][1] == seq:
            first, _, previous, last_hash, _ = self._segments.pop(0)
            del first, previous
            if last_hash != computed:
                self.fault = AuditFault("altered", seq, audit_id)

    def _conclude(self, driver: sqlite3.Connection) -> None:
        self.done = True
        if self._at != self.until:
            self.fault = AuditFault("altered", self._at.seq, None)
            return
        stray = driver.execute(_STRAY).fetchone()
        if stray is not None:
            self.fault = AuditFault("inserted", stray[0], stray[1])


def begin_check(driver: sqlite3.Connection) -> ChainWalk:
    """
    A check of everything up to the row that is the last one now.
    """
    return ChainWalk(head_of(driver), driver.execute(_SEGMENTS).fetchall())


def rows_of(driver: sqlite3.Connection, after: int, limit: int) -> Iterator[tuple[object, ...]]:
    """
    Rows in the order of the chain, each with its number first and its hash last.
    """
    yield from driver.execute(_ROWS, (after + 1, limit))
