"""
The chain of audit rows: each row's hash covers the one before it, so that none can be changed, taken out or
put in without breaking every later one.

Hashes cover integers and texts with their lengths, never formatted numbers: two programs that read the same
row hash the same bytes (striatum §6). The form is fixed for ever by ``FORMAT``; a change is a new number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

import attrs

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import AUDIT_SEGMENT_ROWS
from reticle.storage.dialect import chain_end, for_update, write
from reticle.storage.driver import Driver
from reticle.storage.two_levels import driver_below

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from reticle.storage.chain_end import ChainEnd

FORMAT: Final = 1
GENESIS: Final = bytes(32)
"""What the first row takes for the hash of the one before it."""

Unchained = tuple[str, int, str, str, str, str, str | None, str, str, str, int, str | None]
"""A row's values in the order of ``COLUMNS``; times in microseconds."""

COLUMNS: Final = (
    "audit_id",
    "at_us",
    "principal",
    "transport",
    "carrier",
    "tool",
    "repository_id",
    "decision",
    "reason",
    "arguments_sha256",
    "duration_us",
    "verdict_id",
)

_ROW: Final = f"({', '.join('?' * (len(COLUMNS) + 2))})"
_INSERT: Final = {
    rows: f"INSERT INTO audit (seq, {', '.join(COLUMNS)}, row_hash) VALUES {', '.join([_ROW] * rows)}"  # noqa: S608 - names of our own
    for rows in (64, 32, 16, 8, 4, 2, 1)
}
"""
By the number of rows, the largest first. One statement for many rows gives the interpreter's lock away once,
where ``executemany`` does it for each row, to a reactor that may be waiting for it.
"""
_BEGIN: Final = "INSERT INTO audit_head (id, seq, row_hash) VALUES (1, 0, ?)"
_HEAD: Final = "SELECT seq, row_hash FROM audit_head"
_MOVE_HEAD: Final = "UPDATE audit_head SET seq = ?, row_hash = ? WHERE seq = ? AND row_hash = ?"
_SEAL: Final = (
    "INSERT INTO audit_segment (first_seq, last_seq, previous_hash, last_hash, sealed_at_us)"
    " VALUES (?, ?, ?, ?, ?)"
)
_LAST_SEGMENT: Final = "SELECT last_seq, last_hash FROM audit_segment ORDER BY last_seq DESC LIMIT 1"


@attrs.frozen
class Head:
    """
    The last row of the chain; number 0 and ``GENESIS`` before there is one.
    """

    seq: int
    row_hash: bytes


def row_hash(previous: bytes, seq: int, values: Sequence[str | int | None]) -> bytes:
    """
    The hash of row number ``seq``: SHA-256 over the one before it and each field with its length.
    """
    parts = [b"%d|%d|" % (FORMAT, seq), previous]
    for value in values:
        if value is None:
            parts.append(b"-")
        elif isinstance(value, int):
            parts.append(b"i%d," % value)
        else:
            text = value.encode("utf-8", "surrogatepass")
            parts.append(b"%d:" % len(text))
            parts.append(text)
    return hashlib.sha256(b"".join(parts)).digest()


def head_of(driver: Driver, *, locked: bool = False) -> Head:
    """
    Where the chain ends now; ``locked``, and until this transaction ends.

    Raises:
        Refusal: ``storage_failed``: somebody took the head out, and without it a cut end would not be seen.
    """
    found = driver.execute(for_update(driver, _HEAD) if locked else _HEAD).fetchall()
    if len(found) != 1 or not _is_place(found[0]):
        raise _edited("the audit log has lost its head")
    return Head(*found[0])


def begin_chain(driver: Driver) -> None:
    """
    Put the head before the first row into its empty table.
    """
    driver.execute(_BEGIN, (GENESIS,))


def append(driver: Driver, rows: Sequence[Unchained], guess: Head | None = None) -> Head:
    """
    Put rows at the end of the chain, in the transaction that the caller has begun; whole segments are sealed.

    With a ``guess`` where the chain ends it is looked up only where that was wrong; a connection to
    PostgreSQL has its own. Of several daemons one at a time has the head, until its transaction ends.
    """
    known = chain_end(driver)
    head, chained, end = _alone(driver, rows, guess) if known is None else _shared(driver, rows, known)
    _insert(driver, chained)
    if rows and end.seq // AUDIT_SEGMENT_ROWS > head.seq // AUDIT_SEGMENT_ROWS:
        _seal(driver, end, rows[-1][1])
    return end


_Appended = tuple[Head, list[tuple[object, ...]], Head]
"""From which end on, the rows, and up to which."""


def _alone(driver: Driver, rows: Sequence[Unchained], guess: Head | None) -> _Appended:
    """
    Move the head of a chain to which nobody else adds rows meanwhile.
    """
    if guess is not None:
        chained, end = _chain(guess, rows)
        if _moved(driver, guess, end):
            return guess, chained, end
    head = head_of(driver)
    chained, end = _chain(head, rows)
    _moved(driver, head, end)
    return head, chained, end


def _shared(driver: Driver, rows: Sequence[Unchained], known: ChainEnd) -> _Appended:
    """
    Move the head of a chain that several daemons have, with the commit.
    """
    guess: Head | None = known.now
    head = guess or head_of(driver, locked=True)
    if guess is None:
        known.read(head)
    chained, end = _chain(head, rows)
    # One that was read is ours from then on, so nothing is left to be checked.
    write(driver, _MOVE_HEAD, [_move(head, end)], None, expected=None if guess is None else 1)
    known.moved(end)
    return head, chained, end


def _insert(driver: Driver, chained: Sequence[tuple[object, ...]]) -> None:
    done = 0
    for rows, statement in _INSERT.items():
        while len(chained) - done >= rows:
            row = tuple(chain.from_iterable(chained[done : done + rows]))
            # With the commit, on PostgreSQL: nothing is asked of it before.
            write(driver, statement, [row], None)
            done += rows


def _chain(head: Head, rows: Sequence[Unchained]) -> tuple[list[tuple[object, ...]], Head]:
    """
    The rows with their numbers and hashes, and the last of these.
    """
    seq, previous = head.seq, head.row_hash
    chained: list[tuple[object, ...]] = []
    for values in rows:
        seq += 1
        previous = row_hash(previous, seq, values)
        chained.append((seq, *values, previous))
    return chained, Head(seq, previous)


def _moved(driver: Driver, head: Head, end: Head) -> bool:
    """
    Move the head if it is where it was thought to be.
    """
    return driver.execute(_MOVE_HEAD, _move(head, end)).rowcount == 1


def _move(head: Head, end: Head) -> tuple[object, ...]:
    return end.seq, end.row_hash, head.seq, head.row_hash


def append_within(connection: Connection, rows: Sequence[Unchained]) -> Head:
    """
    As ``append``, in the transaction of a change that these rows tell.
    """
    return append(driver_below(connection), rows)


def _seal(driver: Driver, head: Head, at_us: int) -> None:
    """
    Everything since the last segment becomes one.
    """
    last = driver.execute(_LAST_SEGMENT).fetchone() or (0, GENESIS)
    if not _is_place(last):
        raise _edited("the last sealed segment of the audit log is forged")
    before, previous = last
    driver.execute(_SEAL, (before + 1, head.seq, previous, head.row_hash, at_us))


def _is_place(found: Sequence[object]) -> bool:
    """
    Whether this can be a place in the chain; SQLite keeps any kind of value in any column.
    """
    seq, hashed = found
    return isinstance(seq, int) and isinstance(hashed, bytes)


def _edited(what: str) -> Refusal:
    return Refusal(
        RefusalCode.STORAGE_FAILED,
        f"{what}: somebody has edited the database",
        "Restore a backup (docs/operations/backup-and-upgrade.md), then retry.",
    )


def prune(driver: Driver, kept: int, at_us: int) -> None:
    """
    Drop the rows of the oldest sealed segments as far as ``kept`` rows remain; what they hashed to stays.
    """
    newest = head_of(driver).seq
    driver.execute(
        "UPDATE audit_segment SET pruned_at_us = ? WHERE pruned_at_us IS NULL AND last_seq <= ?",
        (at_us, newest - kept),
    )
    driver.execute(
        "DELETE FROM audit WHERE seq <="
        " (SELECT max(last_seq) FROM audit_segment WHERE pruned_at_us IS NOT NULL)"
    )
