"""
Bodies and their credentials.
"""

from __future__ import annotations

import json

import pytest

from reticle.model.codes import RefusalCode
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.transport.credential import credential_fault

EXPIRED = Principal(PrincipalKind.TOKEN, "dtok_x", RefusalCode.TOKEN_EXPIRED)
CALL = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}'
LIST = b'{"jsonrpc":"2.0","id":7,"method":"tools/list"}'


@pytest.mark.parametrize(
    "body", [LIST, CALL.replace(b'"id":7,', b""), b"[" + CALL + b"]", b"no json", CALL.replace(b"2.0", b"1")]
)
def test_only_the_call_of_a_tool_reaches_the_gate_with_a_token_that_ended(body: bytes) -> None:
    """
    Everything else is a 401 that says why, never an empty list.
    """
    answer = credential_fault(body, EXPIRED)
    assert answer is not None
    error = json.loads(answer.body)["error"]
    assert (answer.status, error["code"], error["data"]) == (401, -31001, {"code": "token_expired"})
    assert answer.headers == ((b"WWW-Authenticate", b"Bearer"),)
    assert credential_fault(CALL, EXPIRED) is None
    assert credential_fault(body, LOCAL) is None


def test_the_refusal_names_the_request() -> None:
    """
    A client can tell which of its requests was refused.
    """
    answer = credential_fault(LIST, EXPIRED)
    assert answer is not None
    assert json.loads(answer.body)["id"] == 7


def test_a_token_among_the_params_is_refused_whoever_asks() -> None:
    """
    It would not count there, and its sender learns where it does.
    """
    answer = credential_fault(CALL.replace(b'"x"', b'"x","token":"dtok_1"'), LOCAL)
    assert answer is not None
    assert json.loads(answer.body)["error"]["data"] == {"code": "token_malformed"}
