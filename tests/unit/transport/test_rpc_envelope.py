"""
Lines of the Unix socket.
"""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.model.limits import RPC_DEADLINE_SECONDS
from reticle.transport.rpc_envelope import BadLine, fault_line, read_request, response_line

WHOLE: dict[str, Any] = {"schema_version": 1, "request_id": "r1", "method": "repo.list"}


def line(**changed: object) -> bytes:
    """
    A good request but for what a test changes; None leaves a field out.
    """
    fields = {name: value for name, value in {**WHOLE, **changed}.items() if value is not None}
    return json.dumps(fields).encode()


def test_a_request_is_read() -> None:
    """
    What is left out has its default; what is there is handed on as it came.
    """
    read = read_request(line())
    assert (read.request_id, read.method, read.params) == ("r1", "repo.list", b"{}")
    assert (read.token, read.deadline_seconds) == (None, None)
    read = read_request(line(request_id=7, params={"a": [1]}, capability_token="dtok_x", deadline_ms=250))
    assert (read.request_id, read.params, read.token, read.deadline_seconds) == (
        7,
        b'{"a": [1]}',
        "dtok_x",
        0.25,
    )
    assert "dtok_x" not in repr(read)
    assert read_request(line(deadline_ms=10**12)).deadline_seconds == RPC_DEADLINE_SECONDS
    assert read_request(line(capability_token="")).token is None


@pytest.mark.parametrize(
    ("text", "code", "request_id"),
    [
        (b"no json", "malformed_body", None),
        (b"[]", "malformed_body", None),
        (line(request_id=None), "invalid_request", None),
        (line(request_id=[1]), "invalid_request", None),
        (line(method=None), "invalid_request", "r1"),
        (line(method=""), "invalid_request", "r1"),
        (line(schema_version=None), "invalid_request", "r1"),
        (line(schema_version=True), "invalid_request", "r1"),
        (line(schema_version=2), "version_incompatible", "r1"),
        (line(capability_token=5), "invalid_request", "r1"),
        (line(deadline_ms=0), "invalid_request", "r1"),
        (line(deadline_ms=1.5), "invalid_request", "r1"),
    ],
)
def test_what_is_no_request_is_told_with_its_id(text: bytes, code: str, request_id: object) -> None:
    """
    A client that sends many at once learns which one was wrong, wherever its id could be read.
    """
    with pytest.raises(BadLine) as caught:
        read_request(text)
    assert (caught.value.code, caught.value.request_id) == (code, request_id)


@given(st.binary(max_size=80))
def test_no_line_breaks_the_reader(noise: bytes) -> None:
    """
    Whatever arrives is a request or is told to be none.
    """
    with contextlib.suppress(BadLine):
        assert read_request(noise).method


def test_a_response_is_the_flat_result_in_an_envelope() -> None:
    """
    The same fields as over MCP, in the words of the second seed's socket.
    """
    done = {"ok": True, "method": "repo.list", "audit_id": "audit_1", "repositories": []}
    assert json.loads(response_line("r1", done)) == {
        "schema_version": 1, "request_id": "r1", "ok": True, "audit_id": "audit_1",
        "data": {"repositories": []},
    }  # fmt: skip
    refused = {
        "ok": False, "method": "repo.list", "audit_id": "audit_2", "error": "capability_missing",
        "message": "needs read", "recovery": "Use another token.", "required_capability": "read",
    }  # fmt: skip
    assert json.loads(response_line(2, refused)) == {
        "schema_version": 1, "request_id": 2, "ok": False, "audit_id": "audit_2",
        "error": {
            "code": "capability_missing", "message": "needs read", "suggestion": "Use another token.",
            "details": {"required_capability": "read"},
        },
    }  # fmt: skip


def test_a_fault_has_the_same_form() -> None:
    """
    A client reads one form of error, whether a call was made or not.
    """
    told = json.loads(fault_line(None, "malformed_body", "no json"))
    assert told["error"] == {"code": "malformed_body", "message": "no json", "details": {}, "suggestion": ""}
    assert (told["ok"], told["audit_id"], told["request_id"]) == (False, None, None)
