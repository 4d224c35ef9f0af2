"""
One executed statement as a fact, whatever library ran it.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.frames import NOWHERE, callers
from reticle.probe.limits import VIA
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.statements import CONTROL, WRITES, Statement, read_statement
from reticle.probe.transactions import Transactions, committed_alone, new_tx
from reticle.probe.words import FactKind

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
    return emission.sink is not None and not _covered.get() and not is_own_work()


def clock() -> float:
    """
    Monotonic seconds, for the duration of a statement.
    """
    return time.monotonic()


def ran(
    transactions: Transactions,
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
        transactions: Of its connection.
        sql: As the library got it.
        started: By ``clock``.
        rows: What the driver counted; anything but a number from 0 on is "not told".
        in_transaction: False where it was committed by itself.
        fault: The exception, where it failed.
    """
    seconds = clock() - started
    safely(_ran, transactions, sql, seconds, rows, in_transaction, fault)


def _ran(  # noqa: PLR0917 - by position, at which ``safely`` costs least
    transactions: Transactions,
    sql: object,
    seconds: float,
    rows: object,
    in_transaction: bool,  # noqa: FBT001 - as above
    fault: BaseException | None,
) -> None:
    text = sql.decode("utf-8", "replace") if isinstance(sql, bytes) else str(sql)
    statement = read_statement(text)
    if statement.verb in CONTROL:
        if fault is None:
            transactions.control(text, statement.verb)
        return
    places = callers(VIA + 1)
    place = places[0] if places else NOWHERE
    fields: dict[str, Any] = {
        "statement": statement.text,
        "verb": statement.verb,
        "tables": list(statement.tables),
        "rows": _counted(rows, statement),
        "ms": round(seconds * 1_000, 3),
        "file": place[0],
        "line": place[1],
        "via": [{"file": file, "line": line} for file, line in places[1:]] if len(places) > 1 else [],
        "tx": None,
    }
    if fault is not None:
        fields["failed"] = type(fault).__name__
        transactions.failed()
    is_lasting = fault is None and statement.verb in WRITES
    if in_transaction or transactions.is_begun:
        fields["tx"] = transactions.joined(writes=is_lasting, place=place)
        emission.emit(FactKind.SQL, **fields)
    elif is_lasting:
        fields["tx"] = new_tx()
        emission.emit(FactKind.SQL, **fields)
        committed_alone(fields["tx"], place)
    else:
        emission.emit(FactKind.SQL, **fields)


def _counted(rows: object, statement: Statement) -> int | None:
    """
    How many rows; with RETURNING a driver knows only after they were fetched, and says none until then.
    """
    if isinstance(rows, int) and (rows > 0 or (rows == 0 and not statement.returns)):
        return rows
    return statement.inserted if statement.returns else None
