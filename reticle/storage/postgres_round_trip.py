"""
Several statements over one connection in one way there and back.

libpq's pipeline itself: psycopg's own sends each statement apart and wakes for each, which for a small
transaction takes longer than the server's work. Imported when a database is opened: psycopg is an extra.
"""

from __future__ import annotations

import contextlib
import itertools
import select
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import psycopg
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

PREPARED: Final = 256
"""Texts that are kept prepared: all of ours; the server keeps memory for each."""

_WENT: Final = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY)

_UNPREPARED: Final = ("26000", "0A000")
"""No such prepared statement; other columns than when it was prepared. The next try prepares anew."""


Ready = tuple[str, Sequence[bytes | None]]
"""A statement with its parameters as PostgreSQL reads them."""


class Answer:
    """
    Provides ``Cursor``: what came of one statement, all of it read.
    """

    __slots__ = ("_rows", "rowcount", "status")

    def __init__(self, rows: list[Any], rowcount: int, status: bytes) -> None:
        self._rows = iter(rows)
        self.rowcount = rowcount
        self.status = status

    def fetchone(self) -> Any:
        """
        See ``Cursor``.
        """
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """
        See ``Cursor``.
        """
        return list(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows


class RoundTrips:
    """
    The ways there and back of one connection. One thread uses it, and psycopg not meanwhile.

    Parameters go without a type: the server takes each for what it is compared with or put into.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        # What psycopg has prepared it gives up with DEALLOCATE ALL, and ours with it.
        connection.prepare_threshold = None
        self._pgconn = connection.pgconn
        self._encoding = connection.info.encoding
        self._loading = Transformer(connection)
        self._names: dict[str, bytes] = {}
        self._new: list[str] = []
        self._under_way = 0
        self._fresh = itertools.count(1)
        self._poll = select.poll()

    def go(self, statements: Sequence[tuple[str, Sequence[Any]]]) -> list[Answer]:
        """
        Run statements (with ``$1``, …) in their order; none that stands behind one that fails.

        Raises:
            psycopg.Error: What the server said of the first that failed, or that the connection is gone; as
                ``ready``.
        """
        return self.run(self.ready(statements))

    @staticmethod
    def ready(statements: Sequence[tuple[str, Sequence[Any]]]) -> list[Ready]:
        """
        Statements as they are sent.

        Raises:
            psycopg.Error: A value is none that the server could keep; nothing was sent.
        """
        return [
            (text, [_WRITTEN.get(type(value), _parameter)(value) for value in row])
            for text, row in statements
        ]

    def run(self, statements: Sequence[Ready]) -> list[Answer]:
        """
        As ``go``, of what is ``ready``.
        """
        ahead, sent = self._under_way, list[int]()
        try:
            sent = self._send_all(statements)
            self._pgconn.pipeline_sync()
            self._flush()
            results = self._results()
        except BaseException:
            # Whether the server has prepared them is not known.
            for text in self._new:
                self._names.pop(text, None)
            raise
        finally:
            self._new, self._under_way = [], 0
            try:
                self._pgconn.exit_pipeline_mode()
            except psycopg.Error:
                self._connection.close()
        # What was prepared by the way has a result of its own, before the statement's.
        of_statements = iter(results[ahead:])
        return [self._answer([next(of_statements) for _ in range(count)][-1]) for count in sent]

    def send(self, statements: Sequence[Ready]) -> None:
        """
        Let the server begin with statements; what comes of them is taken in by the next ``run``, which raises
        what one of them failed by, and gives none of it.

        Raises:
            psycopg.Error: The connection is gone, or was closed since not all could be sent.
        """
        try:
            self._under_way += sum(self._send_all(statements))
            self._flush()
        except BaseException:
            # How much of it went is not known: the next answers would be taken for another question's.
            self._connection.close()
            raise

    def give_up(self) -> None:
        """
        Take in what is under way, whatever it came to.
        """
        if self._under_way:
            with contextlib.suppress(psycopg.Error):
                self.run(())

    def _send_all(self, statements: Sequence[Ready]) -> list[int]:
        """
        Send statements; gives how many results each will have.
        """
        if self._connection.closed:
            raise psycopg.OperationalError("the connection is closed")
        if not self._under_way:
            self._pgconn.enter_pipeline_mode()
        return [self._send(text, values) for text, values in statements]

    def _send(self, text: str, values: Sequence[bytes | None]) -> int:
        name = self._names.get(text)
        if name is not None:
            self._pgconn.send_query_prepared(name, values)
            return 1
        query = text.encode(self._encoding)
        if len(self._names) >= PREPARED:
            self._pgconn.send_query_params(query, values)
            return 1
        name = self._names[text] = b"reticle_%d" % next(self._fresh)
        self._new.append(text)
        self._pgconn.send_prepare(name, query)
        self._pgconn.send_query_prepared(name, values)
        return 2

    def _flush(self) -> None:
        """
        Until all is sent. What comes back meanwhile is taken in, so that the server need not wait for us.
        """
        while self._pgconn.flush():
            self._wait(select.POLLIN | select.POLLOUT)

    def _results(self) -> list[PGresult]:
        """
        All up to the end of the way back. Raises ``psycopg.Error``.
        """
        results: list[PGresult] = []
        fault: PGresult | None = None
        try:
            while (result := self._next()).status != ExecStatus.PIPELINE_SYNC:
                if result.status in _WENT:
                    results.append(result)
                else:
                    # Those behind it tell only that they were passed over.
                    fault = fault or result
        except psycopg.Error:
            if fault is None:
                raise
        if fault is not None:
            raise self._error(fault)
        return results

    def _next(self) -> PGresult:
        for _ in range(2):
            while self._pgconn.is_busy():
                self._wait(select.POLLIN)
            result = self._pgconn.get_result()
            if result is not None:
                return result
            # That was the end of a statement's results; a second one is the end of the connection.
        raise psycopg.OperationalError("the connection is lost")

    def _error(self, fault: PGresult) -> psycopg.Error:
        error = error_from_result(fault, self._encoding)
        if error.sqlstate is None:
            # libpq's own words about a lost connection.
            return psycopg.OperationalError("the connection is lost")
        if error.sqlstate in _UNPREPARED:
            self._names.clear()
        return error

    def _wait(self, events: int) -> None:
        self._poll.register(self._pgconn.socket, events)
        self._poll.poll()
        self._pgconn.consume_input()

    def _answer(self, result: PGresult) -> Answer:
        rows: list[Any] = []
        if result.status == ExecStatus.TUPLES_OK:
            self._loading.set_pgresult(result)
            rows = self._loading.load_rows(0, result.ntuples, tuple)
        changed = result.command_tuples
        return Answer(rows, -1 if changed is None else changed, result.command_status or b"")


def _of_text(value: str) -> bytes:
    text = value.encode()
    if b"\0" in text:
        raise psycopg.DataError("a text for PostgreSQL cannot have NUL in it")
    return text


def _of_texts(value: Sequence[str]) -> bytes:
    """
    Texts as PostgreSQL writes an array of them.
    """
    escaped = [text.replace("\\", r"\\").replace('"', r"\"") for text in value]
    return _of_text("{" + ",".join(f'"{text}"' for text in escaped) + "}")


_WRITTEN: Final[dict[type, Callable[[Any], bytes | None]]] = {
    type(None): lambda _: None,
    str: _of_text,
    bool: lambda value: b"t" if value else b"f",
    int: b"%d".__mod__,
    float: lambda value: repr(value).encode(),
    bytes: lambda value: b"\\x" + value.hex().encode(),
    list: _of_texts,
}
"""How PostgreSQL reads a value as text, in UTF-8."""


def _parameter(value: Any) -> bytes | None:
    """
    A value of another type than its very own; a word of an enumeration is a text all the same.
    """
    for kind, written in _WRITTEN.items():
        if isinstance(value, kind):
            return written(value)
    raise psycopg.ProgrammingError(f"no parameter for PostgreSQL: {type(value).__name__}")
