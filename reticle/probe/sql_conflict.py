"""
Whether a database refused a statement because the row is there already, as its driver says it.

An app that makes a row, and takes the one that is there where it cannot, counts on this one refusal.
"""

from __future__ import annotations

from typing import Final

_STATES: Final = frozenset({"23505"})
"""PostgreSQL's ``unique_violation``, as psycopg 2 and 3 name it."""

_SQLITE: Final = frozenset({
    "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID",
})  # fmt: skip
_MYSQL: Final = frozenset({1062, 1586})
"""``ER_DUP_ENTRY`` and ``ER_DUP_ENTRY_WITH_KEY_NAME``, which its drivers give as the first argument."""


def is_conflict(fault: BaseException) -> bool:
    """
    Of the exception that a statement ended with, or of the driver's below it where a library made its own.
    """
    return _is_one(fault) or (fault.__cause__ is not None and _is_one(fault.__cause__))


def _is_one(fault: BaseException) -> bool:
    state = getattr(fault, "sqlstate", None) or getattr(fault, "pgcode", None)
    name = getattr(fault, "sqlite_errorname", None)
    number = fault.args[0] if type(fault).__name__ == "IntegrityError" and fault.args else None
    return state in _STATES or name in _SQLITE or (type(number) is int and number in _MYSQL)
