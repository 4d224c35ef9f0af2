"""
A window judged when a call ends, and again later.
"""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.ladder import decide
from reticle.domain.predicate import as_json, parse
from reticle.domain.rejudging import differences, judge, rejudge
from reticle.domain.verdict_record import decision_record
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.verdict import MinGrade
from reticle.storage.window_json import window_from_bytes, window_to_bytes
from reticle.testing.verdicts import recorded_verdict
from reticle.testing.windows import WindowBuilder

TEXT = {"kind": "text", "contains": "Saved"}
NET = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}


@pytest.mark.parametrize("least", ["presence", "state", "net", "signal"])
def test_a_yes_must_reach_the_demanded_grade(least: MinGrade) -> None:
    """
    Evidence of a request passes for presence, state and net, and not for a signal.
    """
    window = WindowBuilder().net("POST", "/api/orders", 201).dom_added("status", "ok").build()
    decision = decide(parse(NET), window)
    assert (decision.verified, decision.honesty.grade) == (Verified.YES, Grade.NET)
    judged = judge(parse(NET), window, least)
    if least == "signal":
        assert (judged.verified, judged.reason) == (Verified.UNKNOWN, VerifiedReason.VACUOUS_GRADE)
        assert judged.honesty == decision.honesty
    else:
        assert judged == decision


def test_a_demand_changes_no_other_answer() -> None:
    """
    A no stays a no, whatever grade was demanded.
    """
    window = WindowBuilder().build()
    decision = decide(parse(TEXT), window)
    assert decision.verified is not Verified.YES
    assert judge(parse(TEXT), window, "signal") == decision


@pytest.mark.parametrize("claim", [TEXT, NET, {"kind": "not", "predicate": TEXT}, {"kind": "settled"}])
@pytest.mark.parametrize("status", [201, 202, 500])
def test_a_stored_window_is_judged_bit_for_bit_as_it_was(claim: dict[str, object], status: int) -> None:
    """
    Whoever re-evaluates a verdict from the database gets the very same decision, evidence and words included.
    """
    predicate = parse(claim)
    window = WindowBuilder().click().net("POST", "/api/orders", status).dom_added("status", "Saved").build()
    verdict = attrs.evolve(
        recorded_verdict(),
        claim=as_json(predicate),
        decision=judge(predicate, window, "state"),
        min_grade="state",
    )
    again = rejudge(verdict, window_from_bytes(window_to_bytes(window)))
    assert again == verdict.decision
    assert differences(decision_record(verdict.decision), decision_record(again)) == {}


def test_a_judgement_that_differs_is_told_with_its_place() -> None:
    """
    After an upgrade one sees which part of an old verdict is decided otherwise.
    """
    one = decision_record(decide(parse(NET), WindowBuilder().click().net("POST", "/api/orders", 201).build()))
    other = decision_record(decide(parse(NET), WindowBuilder().click().build()))
    found = differences(one, other)
    assert found["verified"] == (one["verified"], other["verified"])
    assert set(found) >= {"verified", "verifiedReason", "outcome.held"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=4)


@given(OBJECTS, OBJECTS)
def test_nothing_differs_only_between_equal_values(one: dict[str, object], other: dict[str, object]) -> None:
    """
    A comparison that names no difference has none to name; None and a missing key are alike.
    """
    assert differences(one, one) == {}
    if differences(one, other) == {}:
        assert _without_none(one) == _without_none(other)


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value
