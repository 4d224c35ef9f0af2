"""
What a call claims.
"""

from __future__ import annotations

import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.errors import Refusal
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.testing.windows import WindowBuilder
from reticle.tools.claims import demand_grade, parse_claim

TEXT = {"kind": "text", "contains": "Saved"}
NET = {"kind": "net", "method": "POST"}


def test_either_name_gives_the_same_claim() -> None:
    """
    An agent may write until or predicate, or both alike in different spellings.
    """
    claim = parse_claim(TEXT, None)
    assert parse_claim(None, TEXT) == claim
    assert parse_claim(TEXT, {"type": "text", "value": "Saved"}) == claim
    assert [question.kind for question in claim.questions] == ["text"]


def test_two_different_claims_are_refused() -> None:
    """
    Neither of two expectations is dropped in silence.
    """
    with pytest.raises(Refusal) as caught:
        parse_claim(TEXT, NET)
    assert caught.value.code == "bad_arguments"
    assert "allOf" in caught.value.recovery


def test_a_claim_is_needed_unless_there_is_a_default() -> None:
    """
    An assertion of nothing is refused; an act without a claim waits for quiet.
    """
    with pytest.raises(Refusal) as caught:
        parse_claim(None, None)
    assert caught.value.code == "bad_arguments"
    assert parse_claim(None, None, {"kind": "settled"}).canonical["kind"] == "settled"


def test_a_claim_names_its_refs_however_deep() -> None:
    """
    A claim about a part of a page belongs to the page of which that part was shown; a selector to any.
    """
    parts = [
        {"kind": "not", "predicate": {"kind": "text", "contains": "Saved", "scope": "e4"}},
        {"kind": "anyOf", "predicates": [
            {"kind": "element", "role": "button", "scope": "e5"}, {"kind": "animation", "target": "e6"},
        ]},
        {"kind": "element", "role": "button", "scope": "#cart"},
        {"kind": "text", "contains": "e7"},
        NET,
    ]  # fmt: skip
    assert parse_claim({"kind": "allOf", "predicates": parts}, None).refs == ["e4", "e5", "e6"]
    assert parse_claim(NET, None).refs == []


@pytest.mark.parametrize("least", ["presence", "state", "net", "signal"])
def test_a_yes_must_reach_the_demanded_grade(least: str) -> None:
    """
    Evidence of a request passes for presence, state and net, and not for a signal.
    """
    window = WindowBuilder().net("POST", "/api/orders", 201).dom_added("status", "ok").build()
    decision = decide(parse({**NET, "urlContains": "/api/orders"}), window)
    assert (decision.verified, decision.honesty.grade) == (Verified.YES, Grade.NET)
    judged = demand_grade(decision, least)  # type: ignore[arg-type]  # one of the four
    if least == "signal":
        assert (judged.verified, judged.reason) == (Verified.UNKNOWN, VerifiedReason.VACUOUS_GRADE)
        assert judged.honesty == decision.honesty
    else:
        assert judged is decision


def test_a_demand_changes_no_other_answer() -> None:
    """
    A no stays a no, whatever grade was demanded.
    """
    decision = decide(parse(TEXT), WindowBuilder().build())
    assert decision.verified is not Verified.YES
    assert demand_grade(decision, "signal") is decision
