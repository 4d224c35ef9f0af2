"""
The work inside one transaction that changes it; provides ``ports.WorkBook``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RunId, TokenId, WorkSessionId
from reticle.model.tokens import SealedToken
from reticle.model.work import (
    Blocker,
    Job,
    Message,
    Opening,
    Run,
    WorkLease,
    WorkSession,
)
from reticle.storage.dialect import ask, lock, lock_named, skip_locked, write
from reticle.storage.driver import Driver
from reticle.storage.tokens import expire_grants_within, expire_within, put_within
from reticle.storage.work.ahead import OpeningsAhead
from reticle.storage.work.between import Told
from reticle.storage.work.opening import (
    FIRST_CANDIDATE,
    RUN_OF,
    SESSION_AND_RUN,
    SESSION_RUN_AND_LEASE,
    opening_of,
    session_and_run,
)
from reticle.storage.work.reading import Reading
from reticle.storage.work.rows import GUARDS, TABLES, changes_of, guards_of, row_of
from reticle.storage.work.statements import insert, update

if TYPE_CHECKING:
    from reticle.ports.work import Entry

C = TypeVar("C", bound=Run | Job | WorkSession | Message | WorkLease | Blocker)


class Book(Reading):
    """
    Reads and writes of one transaction. What it told and whether it changed tokens is for the store, once the
    transaction is committed.
    """

    def __init__(self, driver: Driver, ahead: OpeningsAhead | None = None) -> None:
        super().__init__(driver)
        self._ahead = ahead
        self.told: list[Told] = []
        self.changed_tokens = False

    def locked(self, run_id: RunId) -> Run | None:
        """
        See ``WorkBook``.
        """
        lock(self._driver, run_id)
        return self.run(run_id)

    def locked_as(self, session_id: WorkSessionId) -> tuple[Run, WorkSession] | None:
        """
        See ``WorkBook``.
        """
        lock_named(self._driver, RUN_OF, (session_id,))
        row = self._driver.execute(SESSION_AND_RUN, (session_id,)).fetchone()
        return None if row is None else session_and_run(row)

    def opening(self, session_id: WorkSessionId, now_us: int) -> Opening | None:
        """
        See ``WorkBook``.
        """
        known = None if self._ahead is None else self._ahead.opening(session_id)
        if known is not None:
            return known
        lock_named(self._driver, RUN_OF, (session_id,))
        questions = (
            (SESSION_RUN_AND_LEASE, (now_us, now_us, session_id)),
            (skip_locked(self._driver, FIRST_CANDIDATE, "work_message"), (session_id, session_id)),
        )
        found, waiting = ask(self._driver, questions)
        row = found.fetchone()
        return None if row is None else opening_of(row, waiting.fetchone())

    def add(self, *entries: Entry) -> None:
        """
        See ``WorkBook``. Entries of one kind that follow one another are one statement.
        """
        if self._ahead is not None:
            self._ahead.added(entries)
        batch: list[Sequence[Any]] = []
        kind: type[Entry] | None = None
        for entry in entries:
            if type(entry) is not kind:
                self._insert(kind, batch)
                batch, kind = [], type(entry)
            batch.append(row_of(entry)[_numbered(kind) :])
        self._insert(kind, batch)

    def replace(self, old: C, new: C) -> C:
        """
        See ``WorkBook``.
        """
        changes = changes_of(old, new)
        if not changes:
            return new
        if self._ahead is not None:
            self._ahead.replaced(old)
        kind: Any = type(old)
        statement = update(kind, tuple(changes), GUARDS[kind])
        row = (*changes.values(), *guards_of(old))
        write(self._driver, statement, [row], partial(_raced, TABLES[kind]), expected=1)
        return new

    def forget_run(self, run_id: RunId) -> None:
        """
        See ``WorkBook``.
        """
        for name in (
            "work_event", "work_blocker", "work_review", "work_artifact", "work_packet", "work_lease",
            "work_message", "work_session", "work_dependency", "work_job", "work_run",
        ):  # fmt: skip
            self._driver.execute(f"DELETE FROM {name} WHERE run_id = ?", (run_id,))  # noqa: S608 - ours

    def tell(self, run_id: RunId, role: str | None, count: int = 1) -> None:
        """
        See ``WorkBook``.
        """
        self.told.append(Told(run_id, role, count))

    def issue(self, sealed: SealedToken) -> None:
        """
        See ``WorkBook``.
        """
        self.changed_tokens = True
        put_within(self._driver, sealed)

    def expire(self, token_id: TokenId, at_us: int) -> None:
        """
        See ``WorkBook``.
        """
        self.changed_tokens = True
        expire_within(self._driver, token_id, at_us / 1e6)

    def end_grants(self, token_id: TokenId, capabilities: Sequence[Capability], at_us: int) -> None:
        """
        See ``WorkBook``.
        """
        self.changed_tokens = True
        expire_grants_within(self._driver, token_id, capabilities, at_us / 1e6)

    def _insert(self, kind: type[Entry] | None, rows: Sequence[Sequence[Any]]) -> None:
        if kind is not None:
            names = kind.__struct_fields__[_numbered(kind) :]
            write(self._driver, insert(kind, names), rows, partial(_raced, TABLES[kind]))


def _numbered(kind: type[Entry]) -> bool:
    """
    Whether the database numbers what is new, in its first field.
    """
    return kind.__struct_fields__[0] == "seq"


def _raced(table: str) -> Refusal:
    return Refusal(
        RefusalCode.CONFLICT,
        f"another call changed the same {table.removeprefix('work_')} meanwhile; nothing was done",
        "Call it once more.",
    )
