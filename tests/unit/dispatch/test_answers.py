"""
Kinds of failure and what the peer is told of them.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.answers import answered, as_refusal, check_fields, refused
from reticle.errors import LocalMisuse, PeerFault, Refusal
from reticle.model.ids import AuditId
from reticle.model.limits import ANSWER_CHARS
from reticle.tools.spec import ToolAnswer


def test_an_answer_is_one_flat_object() -> None:
    """
    The gate's three fields come first, the tool's own beside them, the tool's text as it is.
    """
    result = answered("t", AuditId("a1"), ToolAnswer({"n": 1}, text="one"))
    assert list(result.structured.items()) == [("ok", True), ("method", "t"), ("audit_id", "a1"), ("n", 1)]
    assert (result.text, result.is_error) == ("one", False)


def test_an_answer_without_text_gets_an_outline() -> None:
    """
    A tool that writes no text is still readable.
    """
    assert answered("t", AuditId("a1"), ToolAnswer({"n": 1})).text == "n: 1"


def test_a_tools_text_is_bounded_too() -> None:
    """
    No tool can send more text than a client takes.
    """
    assert len(answered("t", AuditId("a1"), ToolAnswer({}, text="x" * 99_999)).text) <= ANSWER_CHARS


@pytest.mark.parametrize("name", ["ok", "method", "audit_id"])
def test_a_tool_cannot_hide_the_gates_fields(name: str) -> None:
    """
    A tool that answers with a field of the gate is found at once.
    """
    with pytest.raises(LocalMisuse):
        check_fields({name: 1})


def test_a_refusal_says_what_and_what_next() -> None:
    """
    Text and fields of a refusal carry code, message, next step and candidates.
    """
    result = refused(
        "t", None, Refusal("no_session", "no page", "Open it.", {"candidates": ["a", "b"], "ok": True})
    )
    assert result.text == "refused (no_session): no page\nnext: Open it.\ncandidates: [a, b]"
    assert result.structured == {
        "ok": False,
        "method": "t",
        "audit_id": None,
        "error": "no_session",
        "message": "no page",
        "recovery": "Open it.",
        "candidates": ["a", "b"],
    }
    assert result.is_error


def test_the_table_of_failures() -> None:
    """
    Refusals pass, faults of a peer keep their code, and a bug tells nothing but its number.
    """
    refusal = Refusal("c", "m")
    assert as_refusal(refusal, "i1") is refusal
    fault = as_refusal(PeerFault("malformed_body", "bad page"), "i1")
    assert (fault.code, fault.message) == ("malformed_body", "bad page")
    for bug in (ValueError("secret"), LocalMisuse("secret")):
        told = as_refusal(bug, "i1")
        assert (told.code, told.details) == ("internal_error", {"incident": "i1"})
        assert "secret" not in told.message + told.recovery
        assert "i1" in told.message
