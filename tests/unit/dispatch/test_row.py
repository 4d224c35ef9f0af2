"""
One row for a call, also for one that changes something.
"""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller, cancelled_by_client
from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Carrier, RefusalCode
from reticle.model.ids import AuditId
from reticle.model.trust import LOCAL
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.tools.spec import ToolAnswer


class Changing:
    """
    A tool that changes something; the test says how that ends.
    """

    def __init__(self) -> None:
        self.drafts: list[AuditDraft] = []
        self.committed: Deferred[AuditId] = Deferred()
        self.twice = False

    async def run(self, context: CallContext, _: NoArguments) -> ToolAnswer:
        """
        Make the change, once or twice.
        """
        await context.mutate(self.change)
        if self.twice:
            await context.mutate(self.change)
        return ToolAnswer({"done": True})

    def change(self, draft: AuditDraft) -> Deferred[AuditId]:
        """
        What a store does.
        """
        self.drafts.append(draft)
        return self.committed


def start(changing: Changing, carrier: Carrier = Carrier.SSE) -> tuple[GateBench, Call, list[CallResult]]:
    """
    A call of the tool, waiting for its commit.
    """
    bench = GateBench([scripted_tool("test_change", changing.run)])
    call = Call(Caller(LOCAL, carrier, "c1"), "test_change")
    results: list[CallResult] = []
    Deferred.fromCoroutine(bench.gate.call(call)).addCallback(results.append)
    return bench, call, results


def test_a_change_brings_its_row_along() -> None:
    """
    What was changed is answered with the row that was committed with it, and there is no second row.
    """
    changing = Changing()
    bench, _, results = start(changing)
    [draft] = changing.drafts
    assert (draft.tool, draft.decision, draft.principal) == ("test_change", "allowed", "local")
    assert results == []
    changing.committed.callback(AuditId("audit_7"))
    assert results[0].structured == {
        "ok": True,
        "method": "test_change",
        "audit_id": "audit_7",
        "done": True,
    }
    assert bench.audit.rows == []


def test_a_change_that_was_refused_has_the_gates_row() -> None:
    """
    Nothing was changed, and the log says why.
    """
    changing = Changing()
    bench, _, results = start(changing)
    changing.committed.errback(Refusal(RefusalCode.CONFLICT, "taken", "Take another."))
    assert (results[0].structured["error"], results[0].structured["audit_id"]) == ("conflict", "audit_1")
    assert bench.audit.decisions() == [("test_change", "refused:conflict")]


def test_a_change_that_began_is_not_stopped() -> None:
    """
    A client that cancels during the commit leaves no change without an answer in the log.
    """
    changing = Changing()
    _, call, results = start(changing)
    call.stop(cancelled_by_client())
    assert results == []
    changing.committed.callback(AuditId("audit_7"))
    assert results[0].structured["ok"] is True


def test_a_second_change_is_a_bug(logged_failures: Any) -> None:
    """
    A call with two changes would need two rows; it is answered with the row that it has.
    """
    changing = Changing()
    changing.twice = True
    bench, _, results = start(changing)
    changing.committed.callback(AuditId("audit_7"))
    assert (results[0].structured["error"], results[0].structured["audit_id"]) == (
        "internal_error",
        "audit_7",
    )
    assert len(changing.drafts) == 1
    assert bench.audit.rows == []
    assert len(logged_failures.flush()) == 1


@pytest.mark.parametrize("carrier", Carrier)
def test_the_row_says_which_door(carrier: Carrier) -> None:
    """
    What came through the Unix socket is told apart from what an agent sent.
    """
    changing = Changing()
    start(changing, carrier)
    wanted = AuditTransport.RPC if carrier is Carrier.SOCKET else AuditTransport.MCP
    assert (changing.drafts[0].transport, changing.drafts[0].carrier) == (wanted, carrier)
