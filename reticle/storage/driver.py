"""
What hot statements ask of a database's driver, the same for SQLite and PostgreSQL (DESIGN §10).

Statements are text with ``?`` for each parameter, in the SQL that both speak; where they differ,
``reticle.storage.dialect`` has the word. An open SQLite connection provides it as it is, so that nothing
stands between a statement and its driver there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    """
    What came of a statement.
    """

    @property
    def rowcount(self) -> int:
        """
        How many rows were changed.
        """

    def fetchone(self) -> Any:
        """
        The next row, or None.
        """

    def fetchall(self) -> list[Any]:
        """
        All rows that are left.
        """

    def __iter__(self) -> Iterator[Any]:
        """
        The rows that are left, one by one.
        """


class Driver(Protocol):
    """
    One open connection, within a transaction that somebody else begins and ends.
    """

    def execute(self, statement: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """
        Run one statement.
        """

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """
        Run one statement for each row of parameters.
        """
