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
from reticle.probe.limits import SMALL_CHARS, VIA
from reticle.probe.quiet import working
from reticle.probe.small_facts import SQL
from reticle.probe.sql_conflict import is_conflict
from reticle.probe.statements import CONTROL, WRITES, Statement, read_statement
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


def is_watched() -> bool:
    """
    Whether a statement that runs now is to be told, by whoever asks.
    """
    return emission.sink is not None and not _covered.get() and not working.get()


_getframe: Final = sys._getframe  # noqa: SLF001 - documented, and the only way without a cost

clock: Final = time.monotonic
"""Monotonic seconds, for the duration of a statement."""


def ran(  # noqa: C901 - in one function, since each further one costs every statement
    transactions: Transactions | None,
    sql: object,
    started: float,
    *,
    rows: object = None,
    in_transaction: bool = True,
    fault: BaseException | None = None,
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
    """
    now = clock()
    try:
        text = sql if type(sql) is str else _text(sql)
        statement = read_statement(text)
        verb = statement.verb
        if verb in CONTROL:
            if fault is None and transactions is not None:
                transactions.control(text, verb)
            return
        sink = emission.sink
        if sink is None:
            return
        places = callers_from(_getframe(2), VIA + 1)  # this function and its caller are ours
        if type(rows) is not int or rows <= 0:
            rows = _counted(rows, statement)
        failed = None
        if fault is not None:
            failed = type(fault).__name__
            if transactions is not None:
                transactions.failed(statement.tables, is_conflict=is_conflict(fault))
        is_lasting = fault is None and verb in WRITES
        place = places[0] if places else NOWHERE
        tx, is_alone = None, False
        if transactions is not None and (in_transaction or transactions.is_begun):
            tx = transactions.joined(writes=is_lasting, place=place)
        elif is_lasting:
            tx, is_alone = new_tx(), True
        fact = (SQL, now, statement, places, rows, now - started, tx, running.get(), failed)
        if len(statement.text) <= SMALL_CHARS:
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
