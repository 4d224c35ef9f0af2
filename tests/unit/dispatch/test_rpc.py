"""
Calls without a protocol around them.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.rpc import Rpc
from reticle.errors import Refusal
from reticle.model.codes import AuditTransport, Carrier, RefusalCode
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.testing.gate import GateBench


def test_a_call_takes_the_one_road() -> None:
    """
    The shell gets the result that an agent gets, and leaves a row that says which door it came through.
    """
    bench = GateBench()
    answer = Rpc(bench.shared).begin(LOCAL, "test_echo", b'{"text": "hi"}').answer().result
    assert answer == {
        "ok": True, "method": "test_echo", "audit_id": bench.audit.rows[0].audit_id, "text": "hi",
        "sessionId": None,
    }  # fmt: skip
    [row] = bench.audit.rows
    assert (row.draft.transport, row.draft.carrier) == (AuditTransport.RPC, Carrier.SOCKET)


@pytest.mark.parametrize(("params", "code"), [(b"[]", "bad_arguments"), (b'{"text": 5}', "bad_arguments")])
def test_what_is_wrong_with_the_params_is_answered(params: bytes, code: str) -> None:
    """
    A wrong parameter is a refusal with its own row.
    """
    bench = GateBench()
    answer = Rpc(bench.shared).begin(LOCAL, "test_echo", params).answer().result
    assert isinstance(answer, dict)
    assert (answer["ok"], answer["error"]) == (False, code)
    assert len(bench.audit.rows) == 1


def test_nobody_may_do_nothing() -> None:
    """
    A call without a token that counts is refused with the reason, and written down.
    """
    bench = GateBench()
    nobody = Principal(PrincipalKind.TOKEN, None, RefusalCode.TOKEN_MISSING)
    answer = Rpc(bench.shared).begin(nobody, "test_echo", b'{"text": "hi"}').answer().result
    assert isinstance(answer, dict)
    assert answer["error"] == "token_missing"
    assert [row.decision for row in bench.audit.rows] == ["refused:token_missing"]


def test_a_call_can_be_stopped() -> None:
    """
    It is answered with the reason it was stopped for.
    """
    bench = GateBench()
    call = Rpc(bench.shared).begin(LOCAL, "test_wait", b"{}")
    call.stop(Refusal(RefusalCode.CANCELLED, "the client hung up"))
    answer = call.answer().result
    assert isinstance(answer, dict)
    assert answer["error"] == "cancelled"
    assert bench.waiting.cancelled == 1
