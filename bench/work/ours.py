"""
Claims through the daemon's own store: its rules, its writer thread, its audit row; no socket and no MCP.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from twisted.internet.defer import Deferred

from reticle.domain.work.calling import WorkCaller
from reticle.domain.work.claim import Claimed, Idle, claim
from reticle.domain.work.planning import checked, prepare, start
from reticle.domain.work.queue import Moment
from reticle.model.ids import RepositoryId, RunId, WorkSessionId
from reticle.model.work import WorkSession
from reticle.model.work_plan import JobPlan, RunPlan
from reticle.model.work_words import WorkSessionState
from reticle.ports.work import WorkBook
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.place import Place
from reticle.storage.tokens import StoredTokens
from reticle.storage.work.news import LocalNews
from reticle.storage.work.store import StoredWork
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls

T = TypeVar("T")

CALLER = WorkCaller("local", RepositoryId("repo_bench"))
ROLE = "maker"


class OurQueue:
    """
    Claims of the store of one daemon.
    """

    def __init__(self, work: StoredWork, calls: ThreadCalls) -> None:
        self._work = work
        self._calls = calls
        self._free: list[WorkSessionId] = []

    def fill(self, packets: int) -> None:
        """
        A run of so many packets, and as many sessions: an agent has one packet at a time.
        """
        jobs = [JobPlan(id=f"j{number}", role=ROLE, prompt="make it") for number in range(packets)]
        plan = checked(RunPlan(title="bench", jobs=jobs))
        run = self._change(lambda book: prepare(book, CALLER, plan, _moment(), source=None, source_sha256=""))
        self._change(lambda book: start(book, CALLER, run.run_id, _moment()))
        sessions = [_session(run.run_id, slot) for slot in range(packets)]
        self._change(lambda book: book.add(*sessions))
        self._free = [each.session_id for each in sessions]

    def claim(self, times: int, at_once: int = 1) -> list[float]:
        """
        Claim so many, one after the other or so many side by side; the seconds of each.
        """
        took: list[float] = []
        for begin in range(0, times, at_once):
            started = time.perf_counter()
            pending = [self._claimed(self._free.pop()) for _ in range(min(at_once, times - begin))]
            for each in pending:
                each.addCallback(lambda _, started=started: took.append(time.perf_counter() - started))
            for each in pending:
                self._calls.result_of(each)
        return took

    def _claimed(self, session_id: WorkSessionId) -> Deferred[object]:
        got: list[Claimed | Idle] = []

        def rule(book: WorkBook) -> Claimed | Idle:
            return claim(book, CALLER, session_id, _moment(), seconds=600, repo_root="/bench")

        def look(audit_id: object) -> object:
            assert isinstance(got[-1], Claimed)
            return audit_id

        draft, opens = a_draft("work.claim_next"), (session_id, _moment().now_us)
        return self._work.change(rule, draft, got.append, opens).addCallback(look)

    def _change(self, rule: Callable[[WorkBook], T]) -> T:
        seen: list[T] = []
        self._calls.result_of(self._work.change(rule, a_draft("bench"), seen.append))
        return seen[-1]


@contextmanager
def store_at(place: Path | Place) -> Iterator[OurQueue]:
    """
    The store of a daemon at a place.
    """
    calls = ThreadCalls()
    database = Database(place, calls.callFromThread)
    database.startService()
    calls.result_of(database.open())
    audit = StoredAudit(database, lambda: time.time_ns() / 1e9)
    tokens = StoredTokens(database, audit)
    yield OurQueue(StoredWork(database, audit, tokens, LocalNews(lambda _: Deferred())), calls)
    calls.result_of(database.stopService())


def _session(run_id: RunId, slot: int) -> WorkSession:
    return WorkSession(
        session_id=WorkSessionId(f"sess_{secrets.token_hex(16)}"),
        run_id=run_id,
        role=ROLE,
        slot=slot,
        label="",
        state=WorkSessionState.ACTIVE,
        token_id=None,
        registered_by="local",
        reason="",
        registered_at_us=1,
        called_at_us=1,
    )


def _moment() -> Moment:
    return Moment(time.time_ns() // 1000, "local", lambda prefix: f"{prefix}{secrets.token_hex(16)}")
