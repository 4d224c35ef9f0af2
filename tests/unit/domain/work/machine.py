"""
The whole work domain against a model of it, under any order of calls, clock jumps, crashes and restarts.

The model knows for each job who holds it by which claim, until when, how often it was completed, and whether
its gate was open then; after each step the store is compared with it. The store is a ``Subject``, so that the
same machine runs over each database.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import attrs
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from reticle.domain.tokens import Minted, mint
from reticle.domain.work import claimed, recovery, review, sessions
from reticle.domain.work.calling import Holding, WorkCaller
from reticle.domain.work.claim import Claimed, Idle, claim
from reticle.domain.work.planning import checked, prepare, start
from reticle.domain.work.queue import Moment
from reticle.domain.work.review_words import Decision
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import JobId, RepositoryId, RunId, WorkLeaseId, WorkSessionId
from reticle.model.tokens import SESSION_KIND
from reticle.model.work import Job, WorkLease
from reticle.model.work_plan import JobPlan, RolePlan, RunPlan
from reticle.model.work_words import (
    BlockerState,
    EscalationAction,
    JobState,
    JobType,
    MessageState,
    NoWork,
    ReviewOutcome,
    RunState,
    Severity,
    WorkSessionState,
)
from reticle.ports.work import WorkBook, WorkReading

T = TypeVar("T")

REPOSITORY = RepositoryId("repo_1")
CALLER = WorkCaller("local", REPOSITORY)
ROLES = ("coder", "tester", "judge")
JUDGE = "judge"
MAX_ATTEMPTS = 2
PICK = st.integers(0, 255)
"""Which of those that there are."""

HAPPENINGS = [
    happening
    for happening, weight in {
        "claim": 9,
        "ack": 8,
        "complete": 9,
        "heartbeat": 2,
        "release": 1,
        "block": 1,
        "unheard": 1,
        "time_goes": 3,
        "time_goes_back": 1,
        "sweep": 1,
        "register": 1,
        "close_session": 1,
        "take_back": 1,
        "decide": 2,
        "restart": 1,
    }.items()
    for _ in range(weight)
]
"""What may happen, as often as it is likely."""


class Crashed(Exception):
    """
    The daemon died before it committed.
    """


class Subject(Protocol):
    """
    A store under test.
    """

    def run(self, rule: Callable[[WorkBook], T]) -> T:
        """
        What a rule gives, committed; raises what it raises, with nothing changed.
        """

    def restart(self) -> None:
        """
        The daemon is killed, and another one opens the same database.
        """

    def close(self) -> None:
        """
        The test is over.
        """


@attrs.define
class Held:
    """
    What the model knows of a live claim.
    """

    lease_id: WorkLeaseId
    session_id: WorkSessionId
    job_id: JobId
    until_us: int
    acked: bool = False


@attrs.frozen
class Ticket:
    """
    A claim as an agent remembers it, which may be long over.
    """

    lease_id: WorkLeaseId
    session_id: WorkSessionId
    job_id: JobId


class WorkMachine(RuleBasedStateMachine):
    """
    Set ``open_subject`` in a subclass.
    """

    open_subject: Callable[[], Subject]

    def __init__(self) -> None:
        super().__init__()
        self.subject = type(self).open_subject()
        self.now_us = 1_700_000_000_000_000
        self.ids = 0
        self.run_id = RunId("")
        self.held: dict[JobId, Held] = {}
        self.done: dict[JobId, int] = {}
        self.fencing: dict[JobId, int] = {}
        self.roles: dict[WorkSessionId, str] = {}
        self.live: set[WorkSessionId] = set()
        self.claims = 0
        self.over = False
        self.tickets: list[Ticket] = []
        self.judged: dict[JobId, JobId] = {}
        self.authors: dict[JobId, WorkSessionId] = {}

    def teardown(self) -> None:
        """
        Let the store go.
        """
        self.subject.close()

    def moment(self) -> Moment:
        """
        Now.
        """

        def mint_id(prefix: str) -> str:
            self.ids += 1
            return f"{prefix}{self.ids:032x}"

        return Moment(self.now_us, "local", mint_id)

    def token(self) -> Minted:
        """
        A session's token.
        """

        def random(count: int) -> bytes:
            self.ids += 1
            return self.ids.to_bytes(count, "big")

        return mint(
            [(Capability.CLAIM, REPOSITORY)],
            display_name="x",
            kind=SESSION_KIND,
            now=self.now_us / 1e6,
            expires_at=None,
            random=random,
        )

    @initialize(
        shape=st.lists(
            st.tuples(st.sampled_from(ROLES), st.sets(st.integers(0, 5), max_size=2), st.integers(0, 2)),
            min_size=1,
            max_size=5,
        )
    )
    def plan(self, shape: list[tuple[str, set[int], int]]) -> None:
        """
        A run of some jobs, each waiting for some of those before it, some of them reviewed, once or twice.
        """
        jobs = [
            JobPlan(
                id=f"j{place}",
                role=role,
                depends_on=[f"j{each}" for each in sorted(needs) if each < place],
                max_attempts=MAX_ATTEMPTS,
            )
            for place, (role, needs, _) in enumerate(shape)
        ]
        jobs += [
            JobPlan(
                id=f"r{place}{which}",
                role=JUDGE,
                type=JobType.REVIEW,
                depends_on=[f"j{place}"],
                max_attempts=MAX_ATTEMPTS,
            )
            for place, (_, _, reviews) in enumerate(shape)
            for which in range(reviews)
        ]
        roles = {role: RolePlan(slots=3, reviewer=role == JUDGE) for role in ROLES}
        plan = checked(RunPlan(jobs=jobs, roles=roles))
        run = self.subject.run(
            lambda book: prepare(book, CALLER, plan, self.moment(), source=None, source_sha256="")
        )
        self.run_id = run.run_id
        self.subject.run(lambda book: start(book, CALLER, self.run_id, self.moment()))
        by_name = {job.name: job.job_id for job in self._jobs()}
        self.judged = {by_name[name]: by_name[f"j{name[1]}"] for name in by_name if name[0] == "r"}
        for role in (*ROLES, *ROLES):
            self._register(role, displace=False)

    @rule(
        happening=st.sampled_from(HAPPENINGS),
        pick=PICK,
        number=st.integers(1, 200),
        flag=st.booleans(),
    )
    def happens(self, happening: str, pick: int, number: int, flag: bool) -> None:  # noqa: C901, FBT001 - a table
        """
        One thing, those that agents do mostly being the likely ones.
        """
        match happening:
            case "register":
                self.register(ROLES[pick % len(ROLES)], displace=flag)
            case "close_session":
                self.close_session(pick)
            case "claim":
                self.claim(pick, seconds=number, crash=number % 10 == 0)
            case "heartbeat":
                self.heartbeat(pick, extend=number if flag else None)
            case "complete":
                self.complete(pick, open_gate=number % 4 != 0, say=number)
            case "time_goes":
                self.time_goes(number if flag else number // 10)
            case "time_goes_back":
                self.time_goes(-number)
            case "take_back":
                self.take_back(pick)
            case "decide":
                self.decide(list(EscalationAction)[pick % 3], rarely=number % 10)
            case "sweep" | "restart":
                getattr(self, happening)()
            case _:
                getattr(self, happening)(pick)

    def register(self, role: str, *, displace: bool) -> None:
        """
        One more agent, in a free slot or in another's.
        """
        self._register(role, displace=displace)

    def _register(self, role: str, *, displace: bool) -> None:
        wanted = sessions.Wanted(role, replace=displace, force_live=displace, reason="test")
        minted = self.token()
        outcome, refused = self._tried(
            lambda book: sessions.register(
                book, CALLER, self.run_id, self.moment(), wanted=wanted, minted=minted
            )
        )
        if outcome is None:
            assert refused == (RefusalCode.INVALID_TRANSITION if self.over else RefusalCode.CONFLICT)
            return
        session, before = outcome
        if before is not None:
            self._gone(before.session_id)
        self.roles[session.session_id] = role
        self.live.add(session.session_id)

    def close_session(self, pick: int) -> None:
        """
        An agent leaves.
        """
        session_id = self._agent(pick)
        _, already = self.subject.run(
            lambda book: sessions.close(book, CALLER, session_id, self.moment(), reason="test")
        )
        assert already is (session_id not in self.live)
        self._gone(session_id)

    def claim(self, pick: int, *, seconds: int, crash: bool) -> None:
        """
        An agent asks for work; the daemon may die before it commits.
        """
        session_id = self._agent(pick)

        def ask(book: WorkBook) -> Claimed | Idle:
            got = claim(book, CALLER, session_id, self.moment(), seconds=seconds, repo_root="/src")
            if crash:
                raise Crashed
            return got

        try:
            got = self.subject.run(ask)
        except Crashed:
            self.subject.restart()
            return
        if not (isinstance(got, Claimed) and got.again):
            self._lapse(idle=isinstance(got, Idle), session_id=session_id)
        if isinstance(got, Idle):
            self._check_idle(got, session_id)
        else:
            self._claimed(got, session_id)

    def _claimed(self, got: Claimed, session_id: WorkSessionId) -> None:
        lease, job = got.lease, got.job
        assert session_id in self.live
        if got.again:
            known = self.held[job.job_id]
            assert (known.lease_id, known.session_id) == (lease.lease_id, session_id)
        else:
            assert job.job_id not in self.held, "a packet with two holders"
            assert not self.done.get(job.job_id), "a packet done twice"
            assert all(each.session_id != session_id for each in self.held.values())
            assert job.role == self.roles[session_id]
            reviewed = self.judged.get(job.job_id)
            assert reviewed is None or self.authors[reviewed] != session_id, "it reviews its own work"
            assert lease.fencing > self.fencing.get(job.job_id, 0)
            self.claims += 1
            self.held[job.job_id] = Held(lease.lease_id, session_id, job.job_id, lease.until_us)
            self.tickets.append(Ticket(lease.lease_id, session_id, job.job_id))

    def _check_idle(self, idle: Idle, session_id: WorkSessionId) -> None:
        assert idle.next_action
        if session_id not in self.live and not self.over:
            assert idle.reason in (NoWork.SESSION_CLOSED, NoWork.SESSION_DISPLACED, NoWork.RUN_NEEDS_OPERATOR)
            return
        role = self.roles[session_id]
        queued = self.subject.run(lambda book: book.jobs(self.run_id, state=JobState.QUEUED, role=role))
        own = idle.reason is NoWork.OWN_WORK
        mine = [
            job for job in queued if self.authors.get(self.judged.get(job.job_id, JobId(""))) == session_id
        ]
        assert self.over or len(mine) == len(queued), "work was there and nobody got it"
        assert self.over or own is bool(mine)

    def ack(self, pick: int) -> None:
        """
        An agent says that it has its packet, perhaps long after it lost it.
        """
        ticket = self._ticket(pick)
        if self._refused(ticket, claimed.ack):
            return
        self.held[ticket.job_id].acked = True

    def heartbeat(self, pick: int, extend: int | None) -> None:
        """
        An agent keeps its packet.
        """
        ticket = self._ticket(pick)
        before = self._lease(ticket.lease_id)
        if self._refused(ticket, claimed.heartbeat, extend_seconds=extend):
            return
        after = self._lease(ticket.lease_id)
        assert before is not None
        assert after is not None
        assert after.until_us >= before.until_us, "a heartbeat shortened a lease"
        self.held[ticket.job_id].until_us = after.until_us

    def complete(self, pick: int, *, open_gate: bool, say: int) -> None:
        """
        An agent says that it is done; its gate is open or not. A reviewer decides.
        """
        ticket = self._ticket(pick)
        held = self._own(ticket)

        def gate(_: WorkBook, __: Holding) -> None:
            if not open_gate:
                raise Refusal(RefusalCode.VERDICT_MISSING, "no")

        decision = ReviewOutcome.ACCEPT
        if ticket.job_id in self.judged:
            decision = _DECISIONS[say % len(_DECISIONS)]
            said = Decision(decision, "because")
            outcome, refused = self._call(ticket, review.decide, decision=said, gate=gate)
        else:
            outcome, refused = self._call(ticket, claimed.complete, job_id=None, summary="", gate=gate)
        if outcome is None:
            if held is None:
                assert refused in _LATE
            elif not held.acked:
                assert refused == RefusalCode.INVALID_TRANSITION
            else:
                assert not open_gate
                assert refused == RefusalCode.VERDICT_MISSING
            return
        if outcome["status"] == "already_completed":
            return
        assert held is not None
        assert held.acked
        del self.held[ticket.job_id]
        if decision is ReviewOutcome.NEEDS_REVISION:
            self._sent_back(self.judged[ticket.job_id])
        elif decision is not ReviewOutcome.REJECT:
            assert open_gate, "completed through a closed gate"
            self.done[ticket.job_id] = self.done.get(ticket.job_id, 0) + 1
            self.authors[ticket.job_id] = ticket.session_id

    def _sent_back(self, job_id: JobId) -> None:
        """
        What was said of the attempt before is nothing, and who looks at it still does so in vain.
        """
        self.done[job_id] = 0
        for review_id in (each for each, judged in self.judged.items() if judged == job_id):
            self.done[review_id] = 0
            self.held.pop(review_id, None)

    def release(self, pick: int) -> None:
        """
        An agent gives its packet back.
        """
        ticket = self._ticket(pick)
        self._given_up(ticket, claimed.release, "already_released", reason="test")

    def block(self, pick: int) -> None:
        """
        An agent cannot go on.
        """
        ticket = self._ticket(pick)
        self._given_up(
            ticket,
            claimed.block,
            "already_blocked",
            job_id=None,
            kind="test",
            severity=Severity.BLOCKED,
            description="test",
        )

    def _given_up(self, ticket: Ticket, do: Any, already: str, **more: Any) -> None:
        held = self._own(ticket)
        outcome, refused = self._call(ticket, do, **more)
        if outcome is None:
            assert held is None
            assert refused in _LATE
            return
        if outcome["status"] == already:
            return
        assert held is not None
        del self.held[ticket.job_id]

    def unheard(self, pick: int) -> None:
        """
        The peer of a claim was gone when it was to be answered.
        """
        ticket = self._ticket(pick)
        held = self._own(ticket)
        known = self.held.get(ticket.job_id)
        undone = self.subject.run(
            lambda book: recovery.give_back_unheard(book, ticket.lease_id, self.moment())
        )
        mine = held or (known if known is not None and known.lease_id == ticket.lease_id else None)
        assert undone is (mine is not None and not mine.acked)
        if undone:
            del self.held[ticket.job_id]

    def time_goes(self, seconds: int) -> None:
        """
        Time goes on, or somebody sets the clock back.
        """
        self.now_us += seconds * 1_000_000

    def sweep(self) -> None:
        """
        The daemon looks for what lapsed.
        """
        runs = self.subject.run(lambda book: recovery.lapsed_runs(book, self.now_us))
        for run_id in runs:
            self.subject.run(partial(recovery.sweep_run, run_id=run_id, moment=self.moment()))
        self._lapse()

    def restart(self) -> None:
        """
        The daemon is killed and comes back.
        """
        self.subject.restart()

    def take_back(self, place: int) -> None:
        """
        An operator takes a packet from whoever holds it.
        """
        jobs = self._jobs()
        if not jobs:
            return
        job = jobs[place % len(jobs)]
        self.subject.run(
            lambda book: recovery.requeue_stale(
                book, CALLER, self.run_id, job.job_id, self.moment(), force="test"
            )
        )
        self._lapse()
        self.held.pop(job.job_id, None)

    def decide(self, action: EscalationAction, *, rarely: int) -> None:
        """
        A person decides about what waits for them.
        """
        if self.over:
            return
        if action is EscalationAction.CANCEL_RUN and rarely:
            action = EscalationAction.RETRY
        found = self.subject.run(
            lambda book: book.blockers(run_id=self.run_id, state=BlockerState.OPEN, limit=1)
        )
        for blocker in found:
            resolved = partial(recovery.resolve, action=action, resolution="test")
            self.subject.run(
                partial(resolved, caller=CALLER, blocker_id=blocker.blocker_id, moment=self.moment())
            )

    @invariant()
    def agrees(self) -> None:
        """
        The store has what the model knows, and nothing is lost or doubled.
        """
        if self.run_id:
            self.subject.run(self._compare)

    def _compare(self, book: WorkReading) -> None:
        run = book.run(self.run_id)
        assert run is not None
        jobs = book.jobs(self.run_id)
        self._check_run(run.state, jobs)
        for job in jobs:
            self._check_job(book, job)
        for session_id in self.roles:
            session = book.session(session_id)
            assert session is not None
            assert (session.state is WorkSessionState.ACTIVE) is (session_id in self.live)
        leases = [book.active_lease(session_id=each) for each in self.roles]
        assert len([each for each in leases if each is not None]) == len(self.held)

    def _check_run(self, state: RunState, jobs: Any) -> None:
        states = {job.state for job in jobs}
        ended = state in (RunState.COMPLETED, RunState.CANCELED, RunState.FAILED)
        if ended:
            self.over = True
            self.live.clear()
            self.held.clear()
            assert states <= {JobState.COMPLETED, JobState.CANCELED, JobState.FAILED}
            assert (JobState.FAILED in states) is (state is RunState.FAILED)
        moving = states & {JobState.QUEUED, JobState.CLAIMED, JobState.RUNNING}
        assert bool(moving) is (state is RunState.RUNNING)
        assert (state is RunState.NEEDS_OPERATOR) is (not moving and JobState.WAITING_HUMAN in states)

    def _check_job(self, book: WorkReading, job: Job) -> None:
        message, lease, held = book.live_message(job.job_id), book.active_lease(job_id=job.job_id), None
        held = self.held.get(job.job_id)
        assert job.fencing >= self.fencing.get(job.job_id, 0), "a fencing number went back"
        self.fencing[job.job_id] = job.fencing
        assert job.attempt <= job.max_attempts
        assert (job.state is JobState.COMPLETED) is (self.done.get(job.job_id, 0) == 1)
        if held is None:
            assert lease is None, "a claim that nobody knows of"
            assert job.state not in (JobState.CLAIMED, JobState.RUNNING)
            assert (message is not None) is (job.state is JobState.QUEUED)
            assert message is None or message.state is MessageState.PENDING
        else:
            assert lease is not None, "a claim was lost"
            assert (lease.lease_id, lease.session_id) == (held.lease_id, held.session_id)
            assert (lease.fencing, lease.until_us) == (job.fencing, held.until_us)
            assert job.state is (JobState.RUNNING if held.acked else JobState.CLAIMED)
            assert message is not None
            assert message.message_id == lease.message_id
            assert message.state is (MessageState.ACKED if held.acked else MessageState.CLAIMED)
        if job.state is JobState.BLOCKED:
            assert any(each.state is not JobState.COMPLETED for each in book.needs(job.job_id))
        if job.state is JobState.WAITING_HUMAN:
            assert book.blockers(job_id=job.job_id, state=BlockerState.OPEN, limit=1)

    def _agent(self, pick: int) -> WorkSessionId:
        """
        Mostly one that has no packet, at times one that has, or that ended.
        """
        known = list(self.roles)
        alive = [each for each in known if each in self.live]
        idle = [each for each in alive if each not in {held.session_id for held in self.held.values()}]
        chosen = (known, alive, alive)[pick % 8] if pick % 8 < 3 else idle
        chosen = chosen or alive or known
        return chosen[pick // 8 % len(chosen)]

    def _ticket(self, pick: int) -> Ticket:
        """
        Mostly a claim that is held, at times one that is over, seldom one that never was.
        """
        held = [Ticket(each.lease_id, each.session_id, each.job_id) for each in self.held.values()]
        chosen = (held if pick % 4 else self.tickets) or self.tickets
        if not chosen:
            return Ticket(WorkLeaseId("lease_none"), next(iter(self.roles)), JobId("job_none"))
        return chosen[pick // 4 % len(chosen)]

    def _jobs(self) -> Any:
        return self.subject.run(lambda book: book.jobs(self.run_id))

    def _lease(self, lease_id: WorkLeaseId) -> WorkLease | None:
        return self.subject.run(lambda book: book.lease(lease_id))

    def _own(self, ticket: Ticket) -> Held | None:
        """
        The live claim that a ticket still is.
        """
        held = self.held.get(ticket.job_id)
        if held is None or held.lease_id != ticket.lease_id or held.until_us <= self.now_us:
            return None
        return held

    def _call(self, ticket: Ticket, do: Any, **more: Any) -> tuple[Any, str]:
        return self._tried(
            lambda book: do(book, CALLER, ticket.session_id, ticket.lease_id, self.moment(), **more)
        )

    def _tried(self, rule: Callable[[WorkBook], T]) -> tuple[T | None, str]:
        """
        What a rule gives, or None and the code of its refusal.
        """
        try:
            return self.subject.run(rule), ""
        except Refusal as refusal:
            return None, refusal.code

    def _refused(self, ticket: Ticket, do: Any, **more: Any) -> bool:
        """
        Call what needs a live claim; whether it was refused, as it must be exactly when there is none.
        """
        held = self._own(ticket)
        outcome, refused = self._call(ticket, do, **more)
        if outcome is None:
            assert held is None
            assert refused in _LATE
            return True
        assert held is not None, "a late call was let through"
        return False

    def _lapse(self, *, idle: bool = False, session_id: WorkSessionId | None = None) -> None:
        """
        What the store takes back at a look: every claim whose time is over. A look that ended before it came
        to that took nothing.
        """
        if session_id is not None and idle and (self.over or session_id not in self.live):
            return
        run = self.subject.run(lambda book: book.run(self.run_id))
        assert run is not None
        if session_id is not None and run.state is RunState.NEEDS_OPERATOR and not self.held:
            return
        self.held = {name: each for name, each in self.held.items() if each.until_us > self.now_us}

    def _gone(self, session_id: WorkSessionId) -> None:
        self.live.discard(session_id)
        self.held = {name: each for name, each in self.held.items() if each.session_id != session_id}


_DECISIONS = [
    *[ReviewOutcome.ACCEPT] * 4,
    *[ReviewOutcome.NEEDS_REVISION] * 4,
    ReviewOutcome.ACCEPT_WITH_FINDINGS,
    ReviewOutcome.REJECT,
]
_LATE = (RefusalCode.LEASE_ERROR, RefusalCode.SESSION_INACTIVE, RefusalCode.NOT_FOUND)
