"""
What a call of a session begins with, in one question: each way to the database and back costs more than most
statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from reticle.model.work import Candidate, Job, Message, Opening, Run, WorkLease, WorkSession
from reticle.model.work_words import LeaseState, MessageState
from reticle.storage.work.rows import value_of
from reticle.storage.work.statements import columns_of

RUN_OF: Final = "SELECT run_id FROM work_session WHERE session_id = ?"
"""The run of a session, which it never leaves."""

_ACTIVE: Final = f"state = '{LeaseState.ACTIVE.value}'"
_SESSION_COLUMNS: Final = f"{columns_of(WorkSession, 'work_session.')}, {columns_of(Run, 'work_run.')}"
_JOINED: Final = "work_session JOIN work_run ON work_run.run_id = work_session.run_id"

SESSION_AND_RUN: Final = f"SELECT {_SESSION_COLUMNS} FROM {_JOINED} WHERE work_session.session_id = ?"  # noqa: S608 - names of our own

SESSION_RUN_AND_LEASE: Final = (
    f"SELECT {_SESSION_COLUMNS}, {columns_of(WorkLease, 'work_lease.')},"  # noqa: S608 - as above
    f" (SELECT until_us FROM work_lease AS next WHERE next.{_ACTIVE} ORDER BY until_us LIMIT 1) <= ?"
    f" AND EXISTS (SELECT 1 FROM work_lease AS other WHERE other.{_ACTIVE} AND other.until_us <= ?"
    " AND other.run_id = work_session.run_id)"
    f" FROM {_JOINED} LEFT JOIN work_lease"
    f" ON work_lease.session_id = work_session.session_id AND work_lease.{_ACTIVE}"
    " WHERE work_session.session_id = ?"
)
"""
A session has one active lease at most (``uq_work_lease_session_id``). Whether any lease has lapsed is asked
first, in an order that one index has, whatever else a database makes of the statement: asked for by the run,
SQLite looks at each lease that it ever had, and PostgreSQL, which keeps the plan that it made while the table
was empty, at each active one. Takes the time twice, and the session.
"""

RUNS_OF: Final = "SELECT DISTINCT run_id FROM work_session WHERE session_id = ANY(?)"
"""Those of several sessions, for PostgreSQL."""

# States are spelled out, so that the index over pending messages serves it.
_CANDIDATES: Final = (
    f"SELECT {columns_of(Message, 'work_message.')}, {columns_of(Job, 'work_job.')},"  # noqa: S608 - as above
    " NOT EXISTS (SELECT 1 FROM work_dependency WHERE work_dependency.job_id = work_job.job_id)"
    " FROM work_message JOIN work_job ON work_job.job_id = work_message.job_id"
    f" WHERE work_message.state = '{MessageState.PENDING.value}'"
)
_IN_ORDER: Final = "ORDER BY work_message.priority DESC, work_message.seq LIMIT"
CANDIDATES: Final = f"{_CANDIDATES} AND work_message.run_id = ? AND work_message.role = ? {_IN_ORDER} ?"
"""What waits first for a role of a run."""

FIRST_CANDIDATE: Final = (
    f"{_CANDIDATES}"  # noqa: S608 - as above
    " AND work_message.run_id = (SELECT run_id FROM work_session WHERE session_id = ?)"
    " AND work_message.role = (SELECT role FROM work_session WHERE session_id = ?)"
    f" {_IN_ORDER} 1"
)
"""Two questions for one row of the session: a comparison of pairs would not be looked up in the index."""

_SESSION_END: Final = len(WorkSession.__struct_fields__)
_RUN_END: Final = _SESSION_END + len(Run.__struct_fields__)
_MESSAGE_END: Final = len(Message.__struct_fields__)


def session_and_run(row: Sequence[Any]) -> tuple[Run, WorkSession]:
    """
    A row of ``SESSION_AND_RUN``.
    """
    return value_of(Run, row[_SESSION_END:_RUN_END]), value_of(WorkSession, row[:_SESSION_END])


def opening_of(row: Sequence[Any], waiting: Sequence[Any] | None) -> Opening:
    """
    A row of ``SESSION_RUN_AND_LEASE`` and one of ``FIRST_CANDIDATE``, if there is one.
    """
    run, session = session_and_run(row)
    lease = row[_RUN_END:-1]
    held = None if lease[0] is None else value_of(WorkLease, lease)
    first = None if waiting is None else candidate_of(waiting)
    return Opening(run, session, held, bool(row[-1]), first)


def candidate_of(row: Sequence[Any]) -> Candidate:
    """
    A row of ``CANDIDATES``.
    """
    message, job = value_of(Message, row[:_MESSAGE_END]), value_of(Job, row[_MESSAGE_END:-1])
    return Candidate(message, job, bool(row[-1]))
