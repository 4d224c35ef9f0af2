"""
Claims that wait for PostgreSQL at the same moment and begin with one question.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from twisted.internet.defer import Deferred

from reticle.domain.work import claimed
from reticle.domain.work.calling import WorkCaller
from reticle.domain.work.claim import Claimed, Idle, claim
from reticle.domain.work.ending import cancel_run
from reticle.domain.work.planning import checked, prepare, start
from reticle.errors import Refusal
from reticle.model.ids import RepositoryId, RunId, WorkSessionId
from reticle.model.work import WorkSession
from reticle.model.work_plan import JobPlan, RunPlan
from reticle.model.work_words import JobType, NoWork, WorkSessionState
from reticle.ports.work import WorkBook
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.place import Place
from reticle.storage.postgres.connection import PostgresPlace
from reticle.storage.tokens import StoredTokens
from reticle.storage.work.ahead import OpeningsAhead
from reticle.storage.work.news import LocalNews
from reticle.storage.work.store import StoredWork
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls
from reticle.testing.work import a_moment

T = TypeVar("T")
Got = Claimed | Idle | str
Question = tuple[WorkSession, WorkCaller]

SHOP = WorkCaller("local", RepositoryId("shop"))


class Crowd:
    """
    The work of one daemon, asked by many at once.
    """

    def __init__(self, database: Database, calls: ThreadCalls) -> None:
        self.database = database
        self.calls = calls
        audit = StoredAudit(database, lambda: 1_000.0)
        self.work = StoredWork(
            database, audit, StoredTokens(database, audit), LocalNews(lambda _: Deferred())
        )

    def do(self, rule: Callable[[WorkBook], T]) -> T:
        """
        One change by itself.
        """
        seen: list[T] = []
        self.calls.result_of(self.work.change(rule, a_draft(), seen.append))
        return seen[-1]

    def run(self, *jobs: JobPlan) -> RunId:
        """
        A started run.
        """
        plan = checked(RunPlan(jobs=jobs))
        run = self.do(lambda book: prepare(book, SHOP, plan, a_moment(), source=None, source_sha256=""))
        self.do(lambda book: start(book, SHOP, run.run_id, a_moment()))
        return run.run_id

    def agents(self, run_id: RunId, count: int) -> Sequence[WorkSession]:
        """
        So many sessions of one role.
        """
        made = [
            WorkSession(
                session_id=WorkSessionId(a_moment().mint("sess_")),
                run_id=run_id,
                role="maker",
                slot=slot,
                label="",
                state=WorkSessionState.ACTIVE,
                token_id=None,
                registered_by="local",
                reason="",
                registered_at_us=1,
            )
            for slot in range(count)
        ]
        self.do(lambda book: book.add(*made))
        return made

    def done(self, session: WorkSession) -> None:
        """
        A session makes its next packet.
        """
        (got,) = self.at_once((session, SHOP))
        assert isinstance(got, Claimed)
        lease_id, open_gate = got.lease.lease_id, lambda _book, _held: None
        who = SHOP, session.session_id, lease_id, a_moment()
        self.do(lambda book: claimed.ack(book, *who))
        self.do(lambda book: claimed.complete(book, *who, job_id=None, summary="", gate=open_gate))

    def at_once(self, *questions: Question) -> Sequence[Got]:
        """
        What these get that claim while the writer is busy; the code of a refusal.
        """
        with self.busy():
            pending = [self.asks(*question) for question in questions]
        return [self.answer(each) for each in pending]

    @contextmanager
    def busy(self) -> Iterator[None]:
        """
        What is asked here waits, and then comes together.
        """
        gate = threading.Event()
        held = self.database.run_beside(lambda: gate.wait(20))
        yield
        gate.set()
        self.calls.result_of(held)

    def asks(
        self, session: WorkSession, caller: WorkCaller, meanwhile: Callable[[], object] = int
    ) -> Deferred[Claimed | Idle]:
        """
        One claim; what happens meanwhile happens when its opening was read.
        """
        moment, seen = a_moment(), list[Claimed | Idle]()
        claiming = partial(
            claim, caller=caller, session_id=session.session_id, moment=moment, seconds=60, repo_root="/srv"
        )

        def rule(book: WorkBook) -> Claimed | Idle:
            meanwhile()
            return claiming(book)

        opens = session.session_id, moment.now_us
        changed = self.work.change(rule, a_draft(), seen.append, opens)
        return changed.addCallback(lambda _: seen[-1])

    def answer(self, pending: Deferred[Claimed | Idle]) -> Got:
        """
        What became of a claim.
        """
        try:
            return self.calls.result_of(pending)
        except Refusal as refusal:
            return str(refusal.code)


@pytest.fixture
def crowd(
    postgres: PostgresPlace, open_databases: Callable[[Path | Place], Database], calls: ThreadCalls
) -> Crowd:
    """
    A daemon on an empty database.
    """
    database = open_databases(postgres)
    calls.result_of(database.open())
    return Crowd(database, calls)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """
    How many were asked for at once, each time.
    """
    seen: list[int] = []
    gather = OpeningsAhead.gather

    def counted(self: OpeningsAhead, driver: Any, questions: Sequence[Any]) -> None:
        seen.append(len(questions))
        gather(self, driver, questions)

    monkeypatch.setattr(OpeningsAhead, "gather", counted)
    return seen


def stop(book: WorkBook, run_id: RunId) -> None:
    """
    Cancel a run.
    """
    run = book.locked(run_id)
    assert run is not None
    cancel_run(book, run, a_moment(), "enough")


def makes(*names: str) -> list[JobPlan]:
    """
    Jobs that wait for nothing.
    """
    return [JobPlan(id=name, role="maker", prompt="make it") for name in names]


def names_of(answers: Sequence[Got]) -> list[str]:
    """
    The job of each packet, else why there is none.
    """
    return [
        each if isinstance(each, str) else each.job.name if isinstance(each, Claimed) else each.reason.value
        for each in answers
    ]


def test_each_gets_a_packet_of_its_own_in_the_order_of_the_queue(crowd: Crowd, rows: list[int]) -> None:
    """
    Five agents that ask at once share three packets, and the others are told why there is none.
    """
    run_id = crowd.run(*makes("a", "b", "c"))
    got = crowd.at_once(*((each, SHOP) for each in crowd.agents(run_id, 5)))
    assert names_of(got) == ["a", "b", "c", NoWork.ALL_CLAIMED, NoWork.ALL_CLAIMED]
    assert rows == [5]
    leases = crowd.do(lambda book: [book.active_lease(job_id=each.job_id) for each in book.jobs(run_id)])
    assert [each and each.lease_id for each in leases] == [
        each.lease.lease_id for each in got if isinstance(each, Claimed)
    ]


def test_who_asks_twice_at_once_gets_one_packet(crowd: Crowd) -> None:
    """
    The second answer is the packet that the session has from the first.
    """
    first, second = crowd.agents(crowd.run(*makes("a", "b", "c")), 2)
    got = crowd.at_once((first, SHOP), (first, SHOP), (second, SHOP))
    assert names_of(got) == ["a", "a", "b"]
    assert [each.again for each in got if isinstance(each, Claimed)] == [False, True, False]


def test_one_that_is_refused_harms_no_other(crowd: Crowd, rows: list[int]) -> None:
    """
    A caller of another repository is told that there is no such run, and takes no packet from those behind.
    """
    agents = crowd.agents(crowd.run(*makes("a", "b")), 3)
    stranger = WorkCaller("local", RepositoryId("other"))
    got = crowd.at_once((agents[0], SHOP), (agents[1], stranger), (agents[2], SHOP))
    assert names_of(got) == ["a", "not_found", "b"]
    assert rows == [3]


def test_what_is_not_for_one_is_for_the_next(crowd: Crowd) -> None:
    """
    Whoever made something does not review it, and the reviewer behind gets it though both asked at once.
    """
    review = JobPlan(id="review", role="maker", type=JobType.REVIEW, depends_on=["a"], reviews="a")
    author, other = crowd.agents(crowd.run(*makes("a"), review), 2)
    crowd.done(author)
    got = crowd.at_once((author, SHOP), (other, SHOP))
    assert names_of(got) == [NoWork.OWN_WORK, "review"]


def test_a_change_between_two_claims_counts_for_the_second(crowd: Crowd) -> None:
    """
    What was asked ahead is forgotten when something else was done meanwhile: a run that is stopped hands out
    nothing more.
    """
    run_id = crowd.run(*makes("a", "b", "c", "d"))
    agents = crowd.agents(run_id, 4)
    with crowd.busy():
        before = [crowd.asks(each, SHOP) for each in agents[:2]]
        stopped = crowd.work.change(partial(stop, run_id=run_id), a_draft(), lambda _: None)
        behind = [crowd.asks(each, SHOP) for each in agents[2:]]
    assert names_of([crowd.answer(each) for each in before]) == ["a", "b"]
    crowd.calls.result_of(stopped)
    assert names_of([crowd.answer(each) for each in behind]) == [NoWork.RUN_CANCELED] * 2


def test_one_that_waits_for_another_daemon_keeps_it_from_no_other_run(
    crowd: Crowd, postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A daemon that has a run may take the next one, though claims of both wait here and were read together.
    """
    gathered, gather = threading.Event(), OpeningsAhead.gather

    def seen(self: OpeningsAhead, driver: Any, questions: Sequence[Any]) -> None:
        gather(self, driver, questions)
        gathered.set()

    monkeypatch.setattr(OpeningsAhead, "gather", seen)
    free, taken = crowd.run(*makes("a", "b")), crowd.run(*makes("x"))
    agents = [*crowd.agents(taken, 1), *crowd.agents(free, 2)]
    other = PostgresPlace(postgres.address, "other").open(full_sync=False)
    # A deadlock is noticed here, before the claim's own connection would break it.
    other.driver.execute("SET deadlock_timeout = '100ms'")
    other.driver.begin()
    other.driver.lock(taken)
    other.driver.flush()
    with crowd.busy():
        pending = [crowd.asks(each, SHOP) for each in agents]
    assert gathered.wait(20)
    other.driver.lock(free)
    other.driver.flush()
    other.driver.command(b"COMMIT")
    other.close()
    assert names_of([crowd.answer(each) for each in pending]) == ["x", "a", "b"]


def test_a_run_that_another_daemon_has_holds_up_nobody_else(
    crowd: Crowd, postgres: PostgresPlace, rows: list[int]
) -> None:
    """
    Claims of a free run are answered while another daemon changes the run of a third one.
    """
    free, taken = crowd.run(*makes("a", "b")), crowd.run(*makes("x"))
    first, second = crowd.agents(free, 2)
    (third,) = crowd.agents(taken, 1)
    other = PostgresPlace(postgres.address, "other").open(full_sync=False)
    other.driver.begin()
    other.driver.lock(taken)
    other.driver.flush()
    with crowd.busy():
        pending = [crowd.asks(each, SHOP) for each in (first, second, third)]
    assert names_of([crowd.answer(each) for each in pending[:2]]) == ["a", "b"]
    other.driver.command(b"COMMIT")
    other.close()
    assert names_of([crowd.answer(pending[2])]) == ["x"]
    assert rows == [3]


def test_one_that_lost_a_race_is_told_and_the_others_have_their_packets(
    crowd: Crowd, postgres: PostgresPlace
) -> None:
    """
    When what was read of one session is not so any more at its commit, all are made again: it is told that it
    ended, and everybody else gets one packet.
    """
    run_id = crowd.run(*makes("a", "b"))
    agents = crowd.agents(run_id, 3)
    other = PostgresPlace(postgres.address, "other").open(full_sync=False)
    ends = "UPDATE work_session SET state = 'ended' WHERE session_id = ?"

    def end() -> None:
        other.transact_on_driver(lambda driver: driver.execute(ends, (agents[1].session_id,)))

    with crowd.busy():
        pending = [crowd.asks(each, SHOP, end if each is agents[1] else lambda: None) for each in agents]
    assert names_of([crowd.answer(each) for each in pending]) == ["a", NoWork.SESSION_ENDED, "b"]
    other.close()
    assert len(crowd.do(lambda book: book.packets(run_id=run_id, limit=9))) == 2
