"""
What claims that wait at the same moment begin with, asked for all of them at once: each way to PostgreSQL and
back costs more than most statements.

What was read holds as long as nothing but these claims changes it. So whatever one of them does beyond taking
what is first in its queue lets the others ask for themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from reticle.model.ids import RunId, WorkSessionId
from reticle.model.work import Candidate, Job, Message, Opening, Packet, WorkEvent, WorkLease, WorkSession
from reticle.storage.dialect import ask, lock_free, skip_locked
from reticle.storage.work.opening import CANDIDATES, RUNS_OF, SESSION_RUN_AND_LEASE, candidate_of, opening_of

if TYPE_CHECKING:
    from reticle.ports.work import Changing, Entry
    from reticle.storage.driver import Driver

Opens = tuple[WorkSessionId, int]
"""Which session begins, and when, in microseconds."""

_Queue = tuple[RunId, str]
"""A role of a run."""


class OpeningsAhead:
    """
    Openings of one transaction, which several claims share; provides ``place.AsksAhead``. In the writer
    thread.
    """

    def __init__(self) -> None:
        self._openings: dict[WorkSessionId, Opening] = {}
        self._waiting: dict[_Queue, list[Candidate]] = {}
        self._own: Opening | None = None

    def gather(self, driver: Driver, questions: Sequence[Opens]) -> None:
        """
        Ask for all of these, with their runs locked; what somebody else has locked is left out.
        """
        self.forget()
        sessions = list(dict.fromkeys(session_id for session_id, _now_us in questions))
        now_us = max(now_us for _session_id, now_us in questions)
        # One each: for all of them at once the server would not look into the index that it needs.
        each_asks = [(SESSION_RUN_AND_LEASE, (now_us, now_us, session_id)) for session_id in sessions]
        runs, found = lock_free(driver, RUNS_OF, (sessions,), each_asks)
        read = [opening_of(row, None) for answer in found for row in answer]
        openings = [each for each in read if each.run.run_id in runs]
        self._openings = {each.session.session_id: each for each in openings}
        queues = Counter(map(_queue_of, openings))
        candidates = skip_locked(driver, CANDIDATES, "work_message")
        answers = ask(driver, [(candidates, (*queue, most)) for queue, most in queues.items()])
        self._waiting = {
            queue: [candidate_of(row) for row in rows] for queue, rows in zip(queues, answers, strict=True)
        }

    def forget(self) -> None:
        """
        Let each ask for itself.
        """
        self._openings = {}
        self._waiting = {}

    def opening(self, session_id: WorkSessionId) -> Opening | None:
        """
        What a session begins with, once, if that is known.
        """
        found = self._openings.pop(session_id, None)
        if found is not None:
            waiting = self._waiting[_queue_of(found)]
            found = replace(found, first=waiting[0] if waiting else None)
        self._own = found
        return found

    def replaced(self, old: Changing) -> None:
        """
        A claim changed something.
        """
        own = self._own
        first = None if own is None else own.first
        if own is None or first is None:
            self.forget()
        elif isinstance(old, Message) and old.message_id == first.message.message_id:
            self._waiting.get(_queue_of(own), [])[:1] = []
        elif isinstance(old, Job) and old.job_id == first.job.job_id:
            return
        elif not (isinstance(old, WorkSession) and old.session_id == own.session.session_id):
            self.forget()

    def added(self, entries: Sequence[Entry]) -> None:
        """
        A claim wrote something new.
        """
        if not all(isinstance(entry, WorkLease | Packet | WorkEvent) for entry in entries):
            self.forget()


def _queue_of(opening: Opening) -> _Queue:
    return opening.run.run_id, opening.session.role
