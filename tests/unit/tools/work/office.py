"""
The work behind the real gate: an operator, agents with tokens of their own, calls that wait and end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import msgspec
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller, cancelled_by_client
from reticle.model.codes import Capability, Carrier
from reticle.model.ids import GrantId, RepositoryId
from reticle.model.tokens import Grant, Repository
from reticle.model.trust import Principal, PrincipalKind
from reticle.testing.context import RecordedProgress
from reticle.testing.gate import GateBench
from reticle.tools.work import agents, holding, packets, recovering, runs, views

SHOP = RepositoryId("shop")
MODULES = (agents, holding, packets, recovering, runs, views)
CAPABILITIES = (
    Capability.ADMIN,
    Capability.CLAIM,
    Capability.WRITE,
    Capability.READ,
    Capability.RECOVERY,
)


@attrs.define(eq=False)
class Asked:
    """
    One call on its way: ``answer`` is there once it has ended.
    """

    call: Call
    progress: RecordedProgress
    answer: Mapping[str, Any] | None = None

    def ended(self, result: CallResult) -> None:
        """
        Keep what its client was told.
        """
        self.answer = result.structured

    def hang_up(self) -> None:
        """
        Its client is gone.
        """
        self.call.stop(cancelled_by_client())


@attrs.define(eq=False)
class Employee:
    """
    Somebody who calls.
    """

    office: Office
    principal: Principal
    session_id: str = ""

    def ask(self, name: str, **arguments: Any) -> Asked:
        """
        Begin a call.
        """
        given: dict[str, Any] = {"repository_id": SHOP, **arguments}
        if self.session_id:
            given.setdefault("session_id", self.session_id)
        progress = RecordedProgress()
        call = Call(
            Caller(self.principal, Carrier.HTTP, f"of {self.session_id}"),
            name,
            msgspec.json.encode(given),
            progress=progress,
        )
        asked = Asked(call, progress)
        ended = Deferred.fromCoroutine(self.office.bench.gate.call(call))
        ended.addCallback(asked.ended).addErrback(self.office.failures.append)
        return asked

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """
        A call that is answered at once.
        """
        asked = self.ask(name, **arguments)
        assert asked.answer is not None, f"{name} waits"
        return dict(asked.answer)


class Office:
    """
    A started run of these jobs.
    """

    def __init__(self, *jobs: Mapping[str, Any], roles: Mapping[str, Any] | None = None) -> None:
        tools = [tool for module in MODULES for tool in module.TOOLS]
        self.bench = GateBench(extra=tools)
        self.clock = self.bench.clock
        self.failures: list[object] = []
        self.bench.repositories.keep(Repository(SHOP, "/srv/shop", "Shop", (), 0.0))
        grants = [Grant(GrantId(f"g_{each}"), each, None, 0.0) for each in CAPABILITIES]
        self.operator = Employee(self, self.bench.token(*grants, name="operator"))
        self.run_id = ""
        if jobs:
            self.prepare(jobs, roles)

    def prepare(self, jobs: Sequence[Mapping[str, Any]], roles: Mapping[str, Any] | None = None) -> None:
        """
        A run, started.
        """
        plan = [{"role": "maker", **job} for job in jobs]
        more = {} if roles is None else {"roles": roles}
        self.run_id = self.operator.call("run.prepare", jobs=plan, **more)["run_id"]
        assert self.operator.call("run.start", run_id=self.run_id)["ok"]

    def agent(self, role: str = "maker") -> Employee:
        """
        A new agent with its own token.
        """
        made = self.operator.call("session.register", run_id=self.run_id, role=role)
        token = Principal(PrincipalKind.TOKEN, made["session_capability_token"]["token_id"])
        return Employee(self, token, made["session_id"])

    def state(self, job: str) -> str:
        """
        A job's state.
        """
        jobs = self.operator.call("list.jobs", run_id=self.run_id)["jobs"]
        return next(str(each["state"]) for each in jobs if each["id"] == job)
