"""
One open connection to PostgreSQL as a ``Driver``: statements with ``?``, transactions, locks by name and
words to other daemons.

Knows psycopg by its types alone: whoever has no PostgreSQL loads none of it.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from reticle.errors import Refusal
from reticle.storage.place import InTheWay

if TYPE_CHECKING:
    import psycopg

_LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
_TRY_LOCK: Final = "SELECT pg_try_advisory_xact_lock(%s)"
_CLASH: Final = "23"
"""How the state of a broken constraint begins."""

_TELL: Final = "SELECT pg_notify(%s, %s)"


@attrs.frozen
class _Unsent:
    """
    A statement that was not sent yet; ``refused`` of a write.
    """

    text: str
    row: Sequence[Any]
    refused: Callable[[], Refusal] | None
    expected: int | None = None


class PostgresDriver:
    """
    Provides ``Driver``. One thread uses it.

    Args:
        connection: In autocommit mode: transactions begin and end by our words.
        schema: Where its tables are; locks and channels of another schema are others.
        origin: Goes with every word to other daemons, so that nobody hears itself.
    """

    def __init__(self, connection: psycopg.Connection[Any], schema: str, origin: str) -> None:
        self.connection = connection
        self.schema = schema
        self.changes = 0
        self.may_wait = True
        self._unsent: list[_Unsent] = []
        self._origin = origin

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        """
        Run one statement. What is said often is prepared by psycopg.
        """
        text, changes = _for_psycopg(statement)
        cursor = self._sent(text, parameters) if self._unsent else self.connection.execute(text, parameters)
        if changes:
            self.changes += cursor.rowcount
        return cursor

    def begin(self) -> None:
        """
        Begin a transaction, with its first statement.
        """
        self._unsent = [_Unsent("BEGIN", (), None)]

    def forget(self) -> None:
        """
        What was not sent yet is not to be sent: the transaction is given up.
        """
        self._unsent = []

    def write(
        self,
        statement: str,
        rows: Sequence[Sequence[Any]],
        refused: Callable[[], Refusal],
        *,
        expected: int | None = None,
    ) -> None:
        """
        See ``dialect.write``. It goes over the wire with the next question, or before the commit: each way
        there and back costs more than most statements.
        """
        text, _changes = _for_psycopg(statement)
        self._unsent.extend(_Unsent(text, row, refused, expected) for row in rows)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        """
        Run one statement for each row of parameters; they go over the wire together.
        """
        text, _changes = _for_psycopg(statement)
        self.flush()
        with self.connection.cursor() as cursor:
            cursor.executemany(text, rows)
            self.changes += max(cursor.rowcount, 0)

    def command(self, words: bytes) -> bytes:
        """
        BEGIN, COMMIT or ROLLBACK, below psycopg's own idea of transactions; gives what it came to.

        Raises:
            psycopg.Error: The server refused it or is gone.
        """
        from psycopg.errors import OperationalError, error_from_result  # noqa: PLC0415 - an extra
        from psycopg.pq import ExecStatus  # noqa: PLC0415 - as above

        if words.startswith((b"COMMIT", b"SAVEPOINT")):
            self.flush()
        else:
            self.forget()
        result = self.connection.pgconn.exec_(words)
        if result.status != ExecStatus.COMMAND_OK:
            fault = error_from_result(result)
            if fault.sqlstate is None:
                # libpq's own words about a lost connection.
                raise OperationalError("the connection is lost") from fault
            raise fault
        return result.command_status or b""

    def flush(self) -> None:
        """
        Send what was written and is not sent yet.

        Raises:
            Refusal: What a write said of rows that were not as it expected.
            psycopg.Error: See ``execute``.
        """
        if self._unsent:
            self._sent(None, ())

    def _sent(self, text: str | None, parameters: Sequence[Any]) -> Any:
        unsent, self._unsent = self._unsent, []
        cursor = None
        try:
            with self.connection.pipeline():
                written = [self.connection.execute(each.text, each.row) for each in unsent]
                if text is not None:
                    cursor = self.connection.execute(text, parameters)
        except Exception as fault:
            refused = next((each.refused for each in unsent if each.refused is not None), None)
            if refused is not None and (getattr(fault, "sqlstate", None) or "").startswith(_CLASH):
                raise refused() from fault
            raise
        for each, done in zip(unsent, written, strict=True):
            if each.refused is None:
                continue
            self.changes += done.rowcount
            if each.expected is not None and done.rowcount != each.expected:
                raise each.refused()
        return cursor

    @property
    def is_lost(self) -> bool:
        """
        Whether the server has ended the connection, as far as anybody has noticed.
        """
        return self.connection.closed

    def lock(self, name: str) -> None:
        """
        See ``dialect.lock``.

        Raises:
            InTheWay: Another has it, and ``may_wait`` is off: this transaction holds what the other may want.
        """
        key = (lock_key(self.schema, name),)
        if self.may_wait:
            # Whatever is asked next is asked behind it, and sees what the other one left.
            self._unsent.append(_Unsent(_LOCK, key, None))
            return
        row = self._sent(_TRY_LOCK, key).fetchone()
        if row is None or not row[0]:
            raise InTheWay(name)

    def tell(self, subject: str) -> None:
        """
        See ``dialect.tell``.
        """
        self._unsent.append(_Unsent(_TELL, (channel_of(self.schema), f"{self._origin} {subject}"), None))


def lock_key(schema: str, name: str) -> int:
    """
    The number by which PostgreSQL knows a lock, the same in every daemon.
    """
    digest = hashlib.sha256(f"reticle {schema} {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def channel_of(schema: str) -> str:
    """
    The channel on which the daemons of one schema hear of each other's changes.
    """
    return f"reticle_{hashlib.sha256(schema.encode()).hexdigest()[:16]}"


@functools.cache
def _for_psycopg(statement: str) -> tuple[str, bool]:
    """
    The statement with psycopg's placeholders, and whether it changes rows. Statements are constants of ours.
    """
    changes = not statement.lstrip().upper().startswith("SELECT")
    return statement.replace("%", "%%").replace("?", "%s"), changes
