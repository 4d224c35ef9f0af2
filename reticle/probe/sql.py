"""
One executed statement as a fact, whatever library ran it.
"""

from __future__ import annotations

import sys
import time
from contextvars import ContextVar
from typing import Final

from reticle.probe import emission
from reticle.probe.emission import running
from reticle.probe.frames import NOWHERE, callers_from
from reticle.probe.harmless import note
from reticle.probe.limits import VIA
from reticle.probe.quiet import working
from reticle.probe.small_facts import SQL
from reticle.probe.sql_conflict import is_conflict
from reticle.probe.statements import Statement, statements
from reticle.probe.transactions import Transactions, committed_alone, new_tx

_covered: Final[ContextVar[bool]] = ContextVar("reticle_sql_covered", default=False)


class covered:  # noqa: N801 - stands for a function, which costs each statement more
    """
    What runs inside is told by a library above: the driver below must not tell it again.
    """

    __slots__ = ("_mark",)

    def __enter__(self) -> None:
        self._mark = _covered.set(True)

    def __exit__(self, *_: object) -> None:
        _covered.reset(self._mark)


is_covered: Final = _covered.get
"""Whether a library above tells what runs."""


def is_watched() -> bool:
    """
    Whether a statement that runs now is to be told, by whoever asks.
    """
    return emission.sink is not None and not _covered.get() and not working.get()


_getframe: Final = sys._getframe  # noqa: SLF001 - documented, and the only way without a cost

_PLACES: Final = VIA + 1
clock: Final = time.monotonic
"""Monotonic seconds, for the duration of a statement."""


OUTSIDE: Final = 2
"""Frames from ``ran`` outwards to the caller of who calls it, who is of ours."""


def ran(  # noqa: C901, PLR0917 - one function without names, since each costs every statement more
    transactions: Transactions | None,
    sql: object,
    started: float,
    rows: object = None,
    in_transaction: bool = True,  # noqa: FBT001, FBT002 - as above
    fault: BaseException | None = None,
    outside: int = OUTSIDE,
) -> None:
    """
    A statement ran, or failed with ``fault``.

    Args:
        transactions: Of its connection; None where it is in none and was in none since it was opened.
        sql: As the library got it.
        started: By ``clock``.
        rows: What the driver counted; anything but a number from 0 on is "not told".
        in_transaction: False where it was committed by itself.
        fault: The exception, where it failed.
        outside: How many frames outwards the first stands that may be the app's.
    """
    now = clock()
    try:
        text = sql if type(sql) is str else _text(sql)
        statement = statements[text]
        if statement.is_control:
            if fault is None and transactions is not None:
                transactions.control(text, statement.verb)
            return
        sink = emission.sink
        if sink is None:
            return
        places = callers_from(_getframe(outside), _PLACES)
        if type(rows) is not int or rows <= 0:
            # a driver says -1 of what it does not count, which most statements are
            rows = _counted(rows, statement) if rows != -1 or statement.returns else None
        tx, is_alone, failed = None, False, None
        if fault is not None:
            failed = type(fault).__name__
            if transactions is not None:
                transactions.failed(statement.tables, is_conflict=is_conflict(fault))
        is_lasting = statement.is_write and fault is None
        place = places[0] if places else NOWHERE
        if transactions is not None and (in_transaction or transactions.is_begun):
            tx = transactions.joined(is_lasting, place)
        elif is_lasting:
            tx, is_alone = new_tx(), True
        fact = (SQL, now, statement, places, rows, now - started, tx, running.get(), failed)
        if statement.is_short:
            sink.note(fact)
        else:
            sink.put(SQL.kind, SQL.fields(fact))
        if is_alone:
            committed_alone(str(tx), place)
    except Exception as ours:  # noqa: BLE001 - as ``safely``, at less cost
        note("sql.ran", ours)


def _text(sql: object) -> str:
    """
    What is no text yet is asked for it, which may run code of the app's.
    """
    if isinstance(sql, bytes):
        return sql.decode("utf-8", "replace")
    mark = working.set(True)
    try:
        return str(sql)
    finally:
        working.reset(mark)


def _counted(rows: object, statement: Statement) -> int | None:
    """
    How many rows; with RETURNING a driver knows only after they were fetched, and says none until then.
    """
    if isinstance(rows, int) and (rows > 0 or (rows == 0 and not statement.returns)):
        return int(rows)
    return statement.inserted if statement.returns else None
