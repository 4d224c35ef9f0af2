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

from reticle.errors import Refusal
from reticle.storage.chain_end import ChainEnd
from reticle.storage.place import InTheWay
from reticle.storage.postgres_joined import MET_NONE, Unsent, as_one, in_groups, is_joined

if TYPE_CHECKING:
    import psycopg

    from reticle.storage.postgres_round_trip import Answer

LOCK_KEY: Final = "hashtextextended(?, 0)"
"""The number by which PostgreSQL knows a lock of that name, the same in every daemon."""

_LOCK: Final = f"SELECT pg_advisory_xact_lock({LOCK_KEY})"
_TRY_LOCK: Final = f"SELECT pg_try_advisory_xact_lock({LOCK_KEY})"
_NAMED_KEY: Final = "hashtextextended(? || name, 0)"
"""The same for a name that the server has still to look up."""
_MARK: Final = "SAVEPOINT step"
_CLASH: Final = "23"
"""How the state of a broken constraint begins."""

_TELL: Final = "SELECT pg_notify(?, ?)"


_BEGIN: Final = "BEGIN"
_TEXTS: Final = 1024
"""Statements whose texts are kept; joined ones are many."""


class Missed(Exception):
    """
    What was written without a look was not as it was thought to be; nothing of the transaction is kept, and
    it is to be run again with a look at everything.
    """


class PostgresDriver:
    """
    Provides ``Driver``. One thread uses it.

    Args:
        connection: In autocommit mode: transactions begin and end by our words.
        schema: Where its tables are; locks and channels of another schema are others.
        origin: Goes with every word to other daemons, so that nobody hears itself.

    ``swift``: writes go as few statements, and what they rest on is checked by the server on the way; where
    it is not so, ``Missed`` is raised. Else each is a statement of its own, and says what it met.
    """

    def __init__(self, connection: psycopg.Connection[Any], schema: str, origin: str) -> None:
        from reticle.storage.postgres_round_trip import RoundTrips  # noqa: PLC0415 - needs the extra

        self.connection = connection
        self._round_trips = RoundTrips(connection)
        self.schema = schema
        self.changes = 0
        self.may_wait = True
        self.swift = False
        self.chain_end = ChainEnd()
        self._end_at_mark: Any = None
        self._settled = False
        self._marked_at: int | None = None
        self._mark_sent = False
        self._unsent: list[Unsent] = []
        self._origin = origin

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> Answer:
        """
        Run one statement.
        """
        answer = self._sent(statement, parameters)
        if not answer.status.startswith(b"SELECT"):
            self.changes += max(answer.rowcount, 0)
        return answer

    def begin(self) -> None:
        """
        Begin a transaction, with its first statement.
        """
        self._unsent = [Unsent(_BEGIN, ())]
        self._settled = self._mark_sent = False
        self._marked_at = None
        self.chain_end.begin(guess=self.swift)

    def forget(self) -> None:
        """
        What was not sent yet is not to be sent: the transaction is given up.
        """
        self._unsent = []
        if self._settled:
            self._settled = False
            self._round_trips.give_up()

    def write(
        self,
        statement: str,
        rows: Sequence[Sequence[Any]],
        refused: Callable[[], Refusal] | None,
        *,
        expected: int | None = None,
    ) -> None:
        """
        See ``dialect.write``. It goes over the wire with the next question, or before the commit: each way
        there and back costs more than most statements.
        """
        self._unsent.extend(Unsent(statement, row, refused, expected) for row in rows)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        """
        Run one statement for each row of parameters; they go over the wire together.
        """
        answers = self._together([Unsent(statement, row) for row in rows])
        self.changes += sum(max(answer.rowcount, 0) for answer in answers)

    def command(self, words: bytes) -> bytes:
        """
        BEGIN, COMMIT or ROLLBACK, below psycopg's own idea of transactions; gives what it came to.

        Raises:
            psycopg.Error: The server refused it or is gone.
        """
        from psycopg.errors import OperationalError, error_from_result  # noqa: PLC0415 - an extra
        from psycopg.pq import ExecStatus  # noqa: PLC0415 - as above

        if words == b"COMMIT" and (self._unsent or self._settled):
            # Nothing of it is kept when one of the writes before it fails: the server passes over the rest.
            return self._sent("COMMIT", ()).status
        self.forget()
        result = self.connection.pgconn.exec_(words)
        if result.status != ExecStatus.COMMAND_OK:
            fault = error_from_result(result)
            if fault.sqlstate is None:
                # libpq's own words about a lost connection.
                raise OperationalError("the connection is lost") from fault
            raise fault
        return result.command_status or b""

    def mark(self) -> None:
        """
        A place to which ``undo_to_mark`` goes back; sent with the next statement.
        """
        self._marked_at, self._mark_sent = len(self._unsent), False
        self._unsent.append(Unsent(_MARK, ()))
        self._end_at_mark = self.chain_end.now

    def undo_to_mark(self) -> None:
        """
        Undo what was done since the last ``mark``, sent or not.

        Raises:
            Missed: It was settled, and cannot be told from what was done before it any more.
        """
        self.chain_end.now = self._end_at_mark
        if self._marked_at is not None:
            del self._unsent[self._marked_at :]
            self._marked_at = None
        elif not self._mark_sent:
            raise Missed
        else:
            self.command(b"ROLLBACK TO SAVEPOINT step")

    def settle(self) -> None:
        """
        What was written since the last ``mark`` stays: the server works on it while the next piece of work is
        done. Whatever fault it meets is none of that one's, so that ``Missed`` is raised.
        """
        unsent = self._unsent
        if self._marked_at is not None:
            unsent = [*unsent[: self._marked_at], *unsent[self._marked_at + 1 :]]
        if unsent and all(map(_goes_ahead, unsent)):
            ready = self._round_trips.ready(
                [(_numbered(text), row) for text, row in map(as_one, in_groups(unsent))]
            )
            self._settled = True
            self.changes += len(unsent)
            unsent = []
            self._round_trips.send(ready)
        self._unsent, self._marked_at, self._mark_sent = unsent, None, False
        self._settled = self._settled or bool(self._unsent)

    def flush_before_commit(self) -> None:
        """
        Send what must be seen before COMMIT may be sent: writes that may come to another number of rows, and
        BEGIN, so that a connection that was lost meanwhile is noticed while surely nothing was kept.
        """
        checked_by_server = (None, 1) if self.swift else (None,)
        if any(each.expected not in checked_by_server or each.text == _BEGIN for each in self._unsent):
            self.flush()

    def flush(self) -> None:
        """
        Send what was written and is not sent yet.

        Raises:
            Refusal: What a write said of rows that were not as it expected.
            Missed: The same, while ``swift``.
            psycopg.Error: See ``execute``.
        """
        if self._unsent or self._settled:
            self._together(())

    def ask(self, questions: Sequence[tuple[str, Sequence[Any]]]) -> list[Answer]:
        """
        See ``dialect.ask``: all of them go over the wire together.
        """
        return self._together([Unsent(text, given) for text, given in questions])

    def _sent(self, text: str, parameters: Sequence[Any]) -> Answer:
        return self._together((Unsent(text, parameters),))[0]

    def _together(self, asked: Sequence[Unsent]) -> list[Answer]:
        """
        Send what is not sent yet and these behind it; gives what came of these.
        """
        unsent = self._unsent
        groups = in_groups(unsent) if self.swift else [[each] for each in unsent]
        statements = [*(map(as_one, groups) if self.swift else ((each.text, each.row) for each in unsent))]
        statements += [(each.text, each.row) for each in asked]
        ready = self._round_trips.ready([(_numbered(text), row) for text, row in statements])
        self._unsent = []
        settled, self._settled = self._settled, False
        self._mark_sent = self._mark_sent or self._marked_at is not None
        self._marked_at = None
        try:
            answers = self._round_trips.run(ready)
        except Exception as fault:
            if settled and not self.is_lost:
                raise Missed from fault
            self._refuse(unsent, getattr(fault, "sqlstate", None) or "", fault)
            raise
        written, answers = answers[: len(groups)], answers[len(groups) :]
        for group, done in zip(groups, written, strict=True):
            self._look_at(group, done)
        for (each, *_), done in zip(groups, written, strict=True):
            if each.may_fail and not all(row[0] for row in done.fetchall()):
                raise InTheWay
        return answers

    def _refuse(self, unsent: Sequence[Unsent], state: str, fault: Exception) -> None:
        """
        Raise what writes say of a fault of the server's, if they say anything.
        """
        if self.swift and (state == MET_NONE or state.startswith(_CLASH)):
            raise Missed from fault
        refused = next((each.refused for each in unsent if each.refused is not None), None)
        if refused is not None and state.startswith(_CLASH):
            raise refused() from fault

    def _look_at(self, group: Sequence[Unsent], done: Answer) -> None:
        """
        Count what was written, and refuse what met other rows than it expected.
        """
        if self.swift and is_joined(group):
            self.changes += len(group)
            return
        if not done.status.startswith(b"SELECT"):
            self.changes += max(done.rowcount, 0)
        each = group[0]
        if each.expected not in (None, done.rowcount):
            raise Missed if each.refused is None else each.refused()

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
        key = (lock_name(self.schema, name),)
        if self.may_wait:
            # Whatever is asked next is asked behind it, and sees what the other one left.
            self._unsent.append(Unsent(_LOCK, key))
            return
        row = self._sent(_TRY_LOCK, key).fetchone()
        if row is None or not row[0]:
            raise InTheWay(name)

    def lock_named(self, select: str, given: Sequence[Any]) -> None:
        """
        See ``dialect.lock_named``. Where it may not wait, the next question raises ``InTheWay``.
        """
        function = "pg_advisory_xact_lock" if self.may_wait else "pg_try_advisory_xact_lock"
        named = f"SELECT {function}({_NAMED_KEY}) FROM ({select}) AS named (name)"  # noqa: S608 - ours
        row = (lock_name(self.schema, ""), *given)
        self._unsent.append(Unsent(named, row, may_fail=not self.may_wait))

    def lock_free(
        self, select: str, given: Sequence[Any], questions: Sequence[tuple[str, Sequence[Any]]]
    ) -> tuple[set[str], Sequence[Answer]]:
        """
        See ``dialect.lock_free``.
        """
        text = f"SELECT name, pg_try_advisory_xact_lock({_NAMED_KEY}) FROM ({select}) AS named (name)"  # noqa: S608 - ours
        locks, *answers = self.ask([(text, (lock_name(self.schema, ""), *given)), *questions])
        return {name for name, is_ours in locks if is_ours}, answers

    def tell(self, subject: str) -> None:
        """
        See ``dialect.tell``.
        """
        self._unsent.append(Unsent(_TELL, (channel_of(self.schema), f"{self._origin} {subject}")))


def lock_name(schema: str, name: str) -> str:
    """
    A lock among those of all daemons of the server.
    """
    return f"reticle {schema} {name}"


def channel_of(schema: str) -> str:
    """
    The channel on which the daemons of one schema hear of each other's changes.
    """
    return f"reticle_{hashlib.sha256(schema.encode()).hexdigest()[:16]}"


def _goes_ahead(unsent: Unsent) -> bool:
    """
    Whether nobody must see what came of it before the commit; a transaction begins with a question, so that a
    lost connection is noticed.
    """
    return unsent.expected in (None, 1) and not unsent.may_fail and unsent.text != _BEGIN


@functools.lru_cache(_TEXTS)
def _numbered(statement: str) -> str:
    """
    The statement with PostgreSQL's placeholders. Statements are our constants.
    """
    first, *others = statement.split("?")
    return first + "".join(f"${number}{text}" for number, text in enumerate(others, 1))
