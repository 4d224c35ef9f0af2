"""
A run and its agents, one call after the other, for tests of single rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from reticle.domain.tokens import Minted, mint
from reticle.domain.work import claimed, sessions
from reticle.domain.work.calling import Holding, WorkCaller
from reticle.domain.work.claim import Claimed, Idle, claim
from reticle.domain.work.planning import checked, prepare, start
from reticle.domain.work.queue import Moment
from reticle.errors import Refusal
from reticle.model.ids import RepositoryId
from reticle.model.work import Blocker, Job, Run, WorkSession
from reticle.model.work_plan import JobPlan, RolePlan, RunPlan
from reticle.ports.work import WorkBook
from reticle.testing.work import MemoryWork

T = TypeVar("T")

SHOP = RepositoryId("shop")
OPERATOR = WorkCaller("token:operator", SHOP)


def open_gate(_: WorkBook, __: Holding) -> None:
    """
    Lets everything through.
    """


class Desk:
    """
    A started run of these jobs; ``now`` is in seconds.
    """

    def __init__(self, *jobs: JobPlan, roles: dict[str, RolePlan] | None = None, begin: bool = True) -> None:
        self.work = MemoryWork()
        self.now = 1_700_000_000.0
        self._ids = 0
        plan = checked(RunPlan(jobs=jobs, roles=roles or {}))
        self.run = self.do(prepare, OPERATOR, plan, source=None, source_sha256="")
        if begin:
            self.do(start, OPERATOR, self.run.run_id)

    def do(self, rule: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """
        One rule at this moment; it takes the book first and the moment last.
        """
        return self.work.run(lambda book: rule(book, *arguments, self.moment(), **named))

    def look(self, rule: Callable[[WorkBook], T]) -> T:
        """
        One look.
        """
        return self.work.run(rule)

    def moment(self) -> Moment:
        """
        Now, by the operator.
        """
        return Moment(round(self.now * 1_000_000), "token:operator", self._mint)

    def _mint(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}{self._ids:032x}"

    def token(self) -> Minted:
        """
        A session's token.
        """

        def random(count: int) -> bytes:
            self._ids += 1
            return self._ids.to_bytes(count, "big")

        grants = [(each, SHOP) for each in sessions.capabilities_of(RolePlan())]
        return mint(grants, display_name="x", kind="session", now=self.now, expires_at=None, random=random)

    def agent(self, role: str = "maker", **wanted: Any) -> WorkSession:
        """
        A new session.
        """
        register = partial(sessions.register, wanted=sessions.Wanted(role, **wanted), minted=self.token())
        return self.do(register, OPERATOR, self.run.run_id)[0]

    def claim(self, session: WorkSession, seconds: int = 60) -> Claimed:
        """
        Its next packet.
        """
        got = self.asks(session, seconds)
        assert isinstance(got, Claimed), got
        return got

    def asks(self, session: WorkSession, seconds: int = 60) -> Claimed | Idle:
        """
        Its next packet, or why there is none.
        """
        return self.do(partial(claim, seconds=seconds, repo_root="/srv/shop"), OPERATOR, session.session_id)

    def with_packet(self, rule: Callable[..., T], got: Claimed, **named: Any) -> T:
        """
        One call of a packet's holder.
        """
        return self.do(rule, OPERATOR, got.lease.session_id, got.lease.lease_id, **named)

    def done(self, session: WorkSession) -> Claimed:
        """
        Claims, acknowledges and completes its next packet.
        """
        got = self.claim(session)
        self.with_packet(claimed.ack, got)
        self.with_packet(claimed.complete, got, job_id=None, summary="made it", gate=open_gate)
        return got

    def agent_of(self, got: Claimed) -> WorkSession:
        """
        Who holds a packet.
        """
        session = self.look(lambda book: book.session(got.lease.session_id))
        assert session is not None
        return session

    def job(self, name: str) -> Job:
        """
        A job as it is now.
        """
        return self.look(lambda book: book.jobs(self.run.run_id, name=name))[0]

    def run_now(self) -> Run:
        """
        The run as it is now.
        """
        run = self.look(lambda book: book.run(self.run.run_id))
        assert run is not None
        return run

    def session_now(self, session: WorkSession) -> WorkSession:
        """
        A session as it is now.
        """
        found = self.look(lambda book: book.session(session.session_id))
        assert found is not None
        return found

    def open_blockers(self) -> Sequence[Blocker]:
        """
        What waits for somebody.
        """
        return self.look(lambda book: book.blockers(run_id=self.run.run_id, limit=99))


def refusal_of(call: Callable[..., object], *arguments: Any, **named: Any) -> Refusal:
    """
    Why a call is refused.
    """
    try:
        call(*arguments, **named)
    except Refusal as refusal:
        return refusal
    raise AssertionError("it was not refused")
