"""
Which statements share a transaction, and how it ended, for one connection.

Collectors tell it what their library does. An outcome is told only for a transaction that wrote: whether
reads were committed means nothing to anybody. A part that is rolled back (a savepoint) is a transaction of
its own here, since its writes are gone although the rest is committed.
"""

from __future__ import annotations

import itertools
import re
from typing import Final

from reticle.probe import emission
from reticle.probe.emission import Request, running
from reticle.probe.frames import caller
from reticle.probe.words import FactKind, Outcome

_numbers: Final = itertools.count(1)
_SAVEPOINT_NAME: Final = re.compile(r"(?:SAVEPOINT|TO)\s+[\"`]?(\w+)", re.IGNORECASE)

Place = tuple[str | None, int | None]


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
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    @property
    def is_open(self) -> bool:
        """
        Whether anything ran that has no outcome yet.
        """
        return bool(self._parts)

    def joined(self, *, writes: bool, place: Place) -> str:
        """
        The id of the transaction that a statement runs in, which it opens where there is none.
        """
        if not self._parts:
            self._parts.append(_Part(""))
        part = self._parts[-1]
        if writes:
            part.last_write = place
            part.request = running.get()
        return part.tx

    def savepoint(self, name: str) -> None:
        """
        A part begins that may be rolled back alone.
        """
        if not self._parts:
            self._parts.append(_Part(""))
        self._parts.append(_Part(name))

    def release(self, name: str) -> None:
        """
        A part, and those begun inside it, share the fate of the whole from now on.
        """
        while any(part.name == name for part in self._parts[1:]):
            part = self._parts.pop()
            self._parts[-1].take(part)
            if part.name == name:
                return

    def rollback_to(self, name: str) -> None:
        """
        What was done since the savepoint is gone; the savepoint itself stays.
        """
        while any(part.name == name for part in self._parts[1:]):
            part = self._parts.pop()
            part.tell(Outcome.ROLLED_BACK)
            if part.name == name:
                self._parts.append(_Part(name))
                return

    def commit(self) -> None:
        """
        All of it is in the database.
        """
        self._end(Outcome.COMMITTED)

    def rollback(self) -> None:
        """
        None of it is.
        """
        self._end(Outcome.ROLLED_BACK)

    def control(self, sql: str, verb: str) -> None:
        """
        A statement that begins or ends a transaction or a part of one has run.
        """
        if verb in {"COMMIT", "END"}:
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

    def _end(self, outcome: Outcome) -> None:
        parts, self._parts = self._parts, []
        for part in parts:
            part.tell(outcome)


class _Part:
    """
    A transaction, or a part of one, with the parts that were released into it.
    """

    __slots__ = ("last_write", "name", "others", "request", "tx")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tx = new_tx()
        self.last_write: Place | None = None
        self.request: Request | None = None
        self.others: list[_Part] = []

    def take(self, part: _Part) -> None:
        self.others.extend([part, *part.others])
        part.others = []

    def tell(self, outcome: Outcome) -> None:
        for part in (self, *self.others):
            if part.last_write is None:
                continue
            file, line = caller()
            place = (file, line) if file is not None else part.last_write
            _tell(part.tx, outcome, place, running.get() or part.request)


def _savepoint(sql: str) -> str:
    found = _SAVEPOINT_NAME.search(sql)
    return found[1] if found else ""


def _tell(tx: str, outcome: Outcome, place: Place, request: Request | None) -> None:
    emission.emit(
        FactKind.TRANSACTION, within=request, tx=tx, outcome=str(outcome), file=place[0], line=place[1]
    )
