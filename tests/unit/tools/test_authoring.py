"""
Methods that are hidden from agents.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.model.codes import Capability, Carrier
from reticle.model.trust import LOCAL
from reticle.testing.gate import GateBench
from reticle.testing.tokens import a_grant, a_repository
from reticle.tools.authoring import TOOLS


@pytest.mark.parametrize("name", ["workflow.validate", "workflow.init", "workflow_validate", "workflow_init"])
@pytest.mark.parametrize("carrier", Carrier)
def test_nobody_reaches_them_whatever_the_token(name: str, carrier: Carrier) -> None:
    """
    By either name, over each carrier, directly or through reticle_run: hidden, with a row that says so.
    """
    bench = GateBench(TOOLS)
    bench.repositories.keep(a_repository("r1"))
    bench.tokens.keep()
    mighty = bench.token(*(a_grant(each) for each in Capability))
    for principal in (LOCAL, mighty):
        for call in (
            Call(Caller(principal, carrier, "c1"), name, b'{"repository_id":"r1"}'),
            Call(Caller(principal, carrier, "c1"), "reticle_run", b'{"tool":"%s"}' % name.encode()),
        ):
            told: list[object] = []
            Deferred.fromCoroutine(bench.gate.call(call)).addCallback(told.append)
            [result] = told
            assert result.structured["error"] == "tool_hidden"  # type: ignore[attr-defined]
    dotted = name.replace("_", ".")
    rows = [row.decision for row in bench.audit.rows if row.tool == dotted]
    assert rows == ["hidden:tool_hidden"] * 4
