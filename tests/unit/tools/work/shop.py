"""
A repository with agents in a run, each with a token of its own: what the tests of gates are about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from reticle.errors import Refusal
from reticle.model.codes import Verified
from reticle.model.ids import BrowserLeaseId, RepositoryId, VerdictId
from reticle.model.page import Attestation
from reticle.model.provenance import Provenance, Serving, ServingProcess, Snapshot
from reticle.model.tokens import Repository
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.model.verdict import Verdict
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.drafts import a_draft
from reticle.testing.pages import FakePages
from reticle.testing.stores import MemoryVerdicts
from reticle.testing.toolcalls import answer_of
from reticle.testing.verdicts import recorded_verdict
from reticle.tools.spec import Tool
from reticle.tools.work import agents, artifacts, holding, packets, reviews, runs, views

ROOT = "/srv/shop"
SHOP = "shop"
URL = "http://localhost:3000/cart"
CLAIM = {"kind": "text", "contains": "Order placed"}
GATE = {"claim": CLAIM, "url": URL}
TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for module in (agents, artifacts, holding, packets, reviews, runs, views)
    for tool in module.TOOLS
}


def refused(call: Any, *arguments: Any, **named: Any) -> Refusal:
    """
    Why a call is refused.
    """
    try:
        call(*arguments, **named)
    except Refusal as refusal:
        return refusal
    raise AssertionError("it was not refused")


@attrs.define
class Agent:
    """
    An agent with its token, and the packet that it has.
    """

    shop: Shop
    context: FakeContext
    session_id: str
    packet: Mapping[str, Any] = attrs.Factory(dict)

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """
        One call with its session and, where it has one, its lease.
        """
        given: dict[str, Any] = {"repository_id": SHOP, "session_id": self.session_id, **arguments}
        if self.packet and name.startswith(("work.", "artifact.publish", "review.")):
            given.setdefault("lease_id", self.packet["lease_id"])
        if name in {"artifact.get_content", "list.artifacts", "why"}:
            del given["session_id"]
        return dict(answer_of(TOOLS[name], self.context, given).fields)

    def claim(self, *, ack: bool = True) -> Mapping[str, Any]:
        """
        The next packet.
        """
        self.packet = {}
        self.packet = self.call("work.claim_next")
        assert self.packet["status"] == "claimed", self.packet
        self.shop.clock.advance(1)
        if ack:
            self.call("work.ack")
        return self.packet

    def verifies(self, **changes: Any) -> VerdictId:
        """
        A verdict of this agent's, as a call of its would record it now.
        """
        self.shop.clock.advance(1)
        now = self.shop.clock.now()
        seen = self.shop.snapshot()
        provenance = Provenance(
            RepositoryId(SHOP),
            now,
            seen.tree,
            seen.tree,
            serving=Serving((ServingProcess(7, ROOT),)),
            work_lease_id=str(self.packet.get("lease_id", "")),
        )
        of_files = changes.pop("provenance", {})
        verified = changes.pop("verified", Verified.YES)
        verdict = attrs.evolve(
            recorded_verdict(f"verdict_{round(now * 1000)}"),
            at=now,
            principal=self.context.principal.name,
            url=URL,
            claim=CLAIM,
            attested=Attestation(BrowserLeaseId("lease-1"), URL),
            provenance=attrs.evolve(provenance, **of_files),
        )
        verdict = attrs.evolve(verdict, decision=attrs.evolve(verdict.decision, verified=verified), **changes)
        return self.shop.record(verdict)


class Shop:
    """
    The repository, its operator, and one run.

    Args:
        jobs: The plan's jobs; the role ``reviewer`` may review.
    """

    def __init__(self, *jobs: Mapping[str, Any]) -> None:
        self.clock = FakeClock()
        self.verdicts = MemoryVerdicts()
        self.operator = FakeContext(FakePages(), clock=self.clock, verdicts=self.verdicts)
        self.operator.repositories.keep(Repository(RepositoryId(SHOP), ROOT, "Shop", (URL[:21],), 1.0))
        self.trees = self.operator.worktrees
        self.trees.write(ROOT, "src/cart.py", "total = 1")
        self.run_id = ""
        self.agents = 0
        if jobs:
            self.prepare(*jobs)

    def prepare(self, *jobs: Mapping[str, Any]) -> None:
        """
        Another run, started.
        """
        plan: Sequence[Mapping[str, Any]] = [{"role": "maker", **job} for job in jobs]
        made = answer_of(TOOLS["run.prepare"], self.operator, {"repository_id": SHOP, "jobs": plan}).fields
        self.run_id = str(made["run_id"])
        answer_of(TOOLS["run.start"], self.operator, {"repository_id": SHOP, "run_id": self.run_id})

    def cancel(self) -> None:
        """
        The operator gives the run up.
        """
        answer_of(TOOLS["run.cancel"], self.operator, {"repository_id": SHOP, "run_id": self.run_id})

    def agent(self, role: str = "maker") -> Agent:
        """
        A new agent of a role.
        """
        asked = {"repository_id": SHOP, "run_id": self.run_id, "role": role}
        made = answer_of(TOOLS["session.register"], self.operator, asked).fields
        token = made["session_capability_token"]
        assert isinstance(token, dict)
        principal = Principal(PrincipalKind.TOKEN, str(token["token_id"]))
        context = FakeContext(FakePages(), clock=self.clock, verdicts=self.verdicts, principal=principal)
        self.agents += 1
        context._minted = self.agents * 1_000  # ids of several agents in one database
        for name in ("work", "tokens", "repositories", "worktrees"):
            setattr(context, name, getattr(self.operator, name))
        return Agent(self, context, str(made["session_id"]))

    def detail(self) -> Mapping[str, Any]:
        """
        The run as the operator sees it.
        """
        asked = {"repository_id": SHOP, "run_id": self.run_id}
        return answer_of(TOOLS["run.detail"], self.operator, asked).fields

    def states(self) -> dict[str, str]:
        """
        The state of each job by its id.
        """
        return {job["id"]: job["state"] for job in self.detail()["jobs"]}

    def snapshot(self) -> Snapshot:
        """
        The files now.
        """
        seen: list[Snapshot] = []
        self.trees.snapshot(ROOT).addCallback(seen.append)
        return seen[0]

    def record(self, verdict: Verdict) -> VerdictId:
        """
        Keep a verdict.
        """
        self.verdicts.put(verdict, a_draft())
        return verdict.verdict_id


__all__ = ["CLAIM", "GATE", "LOCAL", "ROOT", "SHOP", "URL", "Agent", "Shop", "refused"]
