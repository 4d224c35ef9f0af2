"""
Which statements share a transaction, and how it ended, for one connection.

Collectors tell it what their library does. An outcome is told only for a transaction that wrote: whether
reads were committed means nothing to anybody. A part that is rolled back (a savepoint) is a transaction of
its own here, since its writes are gone although the rest is committed: it says of which it was a part, and
what the database refused in it, since who makes a savepoint often means to go on. An outcome belongs to the
requests that wrote, whoever ends the transaction: a shared connection is often committed, or let go, by a
later one.
"""

from __future__ import annotations

import itertools
import re
import sys
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from reticle.probe import emission
from reticle.probe.emission import Request, running
from reticle.probe.frames import NOWHERE, callers_from
from reticle.probe.limits import OPEN_PARTS, RELEASED_PARTS, TABLES, UNENDED_REQUESTS
from reticle.probe.small_facts import TRANSACTION
from reticle.probe.words import FactKind, Outcome

_getframe: Final = sys._getframe  # noqa: SLF001 - documented, and the only way without a cost
_numbers: Final = itertools.count(1)
_SAVEPOINT_NAME: Final = re.compile(r"\b(?:TO\s+SAVEPOINT|SAVEPOINT|TO)\s+[\"`\[]?(\w+)", re.IGNORECASE)

Place = tuple[str | None, int | None]


class Why(NamedTuple):
    """
    Of a part that ended: ``whole`` is the id of the transaction it was a part of. Where it was rolled back by
    itself, ``refused`` are the tables of statements in it that failed, and ``is_conflict`` says whether one
    of them did because the row was there already.
    """

    whole: str
    refused: tuple[str, ...] = ()
    is_conflict: bool = False


def new_tx() -> str:
    """
    An id that no other transaction of this process has.
    """
    return f"t{next(_numbers)}"


def committed_alone(tx: str, place: Place) -> None:
    """
    A write outside of any transaction is committed by itself.
    """
    _tell(tx, Outcome.COMMITTED, place, running.get())


class Transactions:
    """
    Of one connection: the open transaction with its savepoints, innermost last.

    Args:
        is_aborted_by_faults: Whether the database lets nothing of a transaction last in which a statement
            failed, and takes its ``COMMIT`` without a word, as PostgreSQL does.
    """

    __slots__ = ("_committed", "_has_let_go", "_is_aborted_by_faults", "is_begun", "parts")

    def __init__(self, *, is_aborted_by_faults: bool = False) -> None:
        self.parts: list[_Part] = []
        self._committed: list[_Part] = []
        self._is_aborted_by_faults = is_aborted_by_faults
        self._has_let_go = False
        self.is_begun = False
        """Whether a statement of the app's began it, of which the library above knows nothing."""

    @property
    def is_open(self) -> bool:
        """
        Whether anything ran that has no outcome yet.
        """
        return bool(self.parts)

    def begin(self) -> None:
        """
        It begins before anything ran in it.
        """
        if not self.parts:
            self.parts.append(_Part(""))
            self._committed = []

    def joined(self, writes: bool, place: Place) -> str:  # noqa: FBT001 - a name costs each statement more
        """
        The id of the transaction that a statement runs in, which it opens where there is none.
        """
        if not self.parts:
            self.begin()
        part = self.parts[-1]
        if writes:
            part.write(running.get(), place)
        return part.tx

    def failed(self, tables: Sequence[str] = (), *, is_conflict: bool = False) -> None:
        """
        A statement on these tables failed in what is open.

        Args:
            tables: Its tables.
            is_conflict: Whether the row was there already.
        """
        if self.parts:
            part = self.parts[-1]
            part.has_failed = True
            part.refused = (*part.refused, *(each for each in tables if each not in part.refused))[:TABLES]
            part.has_conflict |= is_conflict

    def savepoint(self, name: str) -> None:
        """
        A part begins that may be rolled back alone.
        """
        name = name.lower()
        self.begin()
        self.parts.append(_Part(name))
        if len(self.parts) > OPEN_PARTS:
            self.parts.pop(1).let_go()  # the first one is the transaction itself
            self._has_let_go = True

    def release(self, name: str) -> None:
        """
        A part, and those begun inside it, share the fate of the whole from now on.
        """
        at = self._place_of(name)
        if at is not None:
            while len(self.parts) > at:
                part = self.parts.pop()
                self.parts[-1].take(part)
        elif self._has_let_go:
            # into one that may yet be rolled back to, and is not known any more
            for part in self.parts[1:]:
                part.let_go()
            del self.parts[1:]

    def rollback_to(self, name: str) -> None:
        """
        What was done since the savepoint is gone; the savepoint itself stays.
        """
        at = self._place_of(name)
        if at is None and not self._has_let_go:
            return
        at = at or 1  # all that are known are younger than one that was let go
        refused = dict.fromkeys(table for part in self.parts[at:] for table in part.refused)
        has_conflict = any(part.has_conflict for part in self.parts[at:])
        why = Why(self.parts[0].tx, tuple(refused)[:TABLES], has_conflict)
        while len(self.parts) > at:
            self.parts.pop().tell(Outcome.ROLLED_BACK, why)
        self.parts.append(_Part(name.lower()))

    def _place_of(self, name: str) -> int | None:
        """
        Where the youngest savepoint of this name is; None where none is known.
        """
        name = name.lower()
        return next((at for at in range(len(self.parts) - 1, 0, -1) if self.parts[at].name == name), None)

    def commit(self) -> None:
        """
        All of it is in the database.
        """
        if self._is_aborted_by_faults and any(part.has_failed for part in self.parts):
            self.rollback()
            return
        self._end(Outcome.COMMITTED)

    def commit_failed(self) -> None:
        """
        The commit that was told before it was tried did not happen.
        """
        parts, self._committed = self._committed, []
        for part in parts:
            part.tell(Outcome.ROLLED_BACK, Why(parts[0].tx))

    def rollback(self) -> None:
        """
        None of it is.
        """
        self._end(Outcome.ROLLED_BACK)

    def drop(self) -> None:
        """
        None of it is, since its connection goes and nobody committed: the database rolls back by itself.
        """
        self._end(Outcome.ROLLED_BACK, dropped=True)

    def control(self, sql: str, verb: str) -> None:
        """
        A statement that begins or ends a transaction or a part of one has run.
        """
        if verb in {"BEGIN", "START"}:
            self.begin()
            self.is_begun = True
        elif verb in {"COMMIT", "END"}:
            self.commit()
        elif verb == "SAVEPOINT":
            self.savepoint(_savepoint(sql))
        elif verb == "RELEASE":
            self.release(_savepoint(sql) or sql.rsplit(maxsplit=1)[-1].strip('"`;'))
        elif verb in {"ROLLBACK", "ABORT"}:
            name = _savepoint(sql)
            if name:
                self.rollback_to(name)
            else:
                self.rollback()

    def _end(self, outcome: Outcome, *, dropped: bool = False) -> None:
        parts, self.parts = self.parts, []
        self._has_let_go = False
        self._committed = parts if outcome is Outcome.COMMITTED else []
        self.is_begun = False
        if parts and (len(parts) > 1 or parts[0].writes or parts[0].others):
            why = Why(parts[0].tx)
            for part in parts:
                part.tell(outcome, why, dropped=dropped)


class _Part:
    """
    A transaction, or a part of one, with the parts that were released into it.
    """

    __slots__ = ("has_conflict", "has_failed", "name", "others", "refused", "tx", "writes")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tx = f"t{next(_numbers)}"
        self.writes: dict[Request | None, Place] = {}
        self.others: list[_Part] = []
        self.has_failed = False
        self.has_conflict = False
        self.refused: tuple[str, ...] = ()

    def write(self, request: Request | None, place: Place) -> None:
        self.writes[request] = place
        if request is not None:
            request.uncommitted[self.tx] = place
        if len(self.writes) > UNENDED_REQUESTS:
            # that request was told as one whose writes nobody committed, and stays so
            del self.writes[next(iter(self.writes))]

    def take(self, part: _Part) -> None:
        # without a write nobody asks how it ended, and a loop may make very many
        self.others.extend(one for one in (part, *part.others) if one.writes)
        if part.has_failed:
            self.has_failed = True
            self.has_conflict |= part.has_conflict
            self.refused = (*self.refused, *part.refused)[:TABLES]
        part.others = []
        while len(self.others) > RELEASED_PARTS:
            self.others.pop(0).forget()

    def let_go(self) -> None:
        """
        ``forget`` it and what was released into it.
        """
        for part in (self, *self.others):
            part.forget()

    def forget(self) -> None:
        """
        How it ends will not be told, and that is told: as a fact that was lost.
        """
        for request in self.writes:
            if request is not None:
                request.uncommitted.pop(self.tx, None)
            emission.miss(FactKind.TRANSACTION)

    def tell(self, outcome: Outcome, why: Why, *, dropped: bool = False) -> None:
        ended_at = NOWHERE
        for part in (self, *self.others):
            for request, wrote_at in part.writes.items():
                if ended_at is NOWHERE:
                    ended_at = _ended_at()
                place = ended_at if ended_at[0] is not None else wrote_at
                if request is not None:
                    request.uncommitted.pop(part.tx, None)
                told_why = None if part.tx == why.whole else why
                _tell(part.tx, outcome, place, request or running.get(), dropped=dropped, why=told_why)


def _ended_at() -> Place:
    """
    The app's line that ends a part; the first three frames outwards are this, ``tell`` and who calls it.
    """
    places = callers_from(_getframe(3), 1)
    return places[0] if places else NOWHERE


def _savepoint(sql: str) -> str:
    found = _SAVEPOINT_NAME.search(sql)
    return found[1] if found else ""


def _tell(
    tx: str,
    outcome: Outcome,
    place: Place,
    request: Request | None,
    *,
    dropped: bool = False,
    why: Why | None = None,
) -> None:
    sink = emission.sink
    if sink is not None:
        sink.note((TRANSACTION, time.monotonic(), tx, outcome, place, request or running.get(), dropped, why))
