"""
What must always hold is judged on every action, over the window alone.
"""

from __future__ import annotations

import json

import attrs
import pytest

from reticle.domain.explanation import explain
from reticle.domain.invariants import (
    asked_of_page,
    checked_invariant,
    declared,
    invariant_notes,
    invariants_in_json,
    invariants_in_toml,
    invariants_text,
    judged_invariants,
)
from reticle.domain.predicate import parse
from reticle.domain.rejudging import judge
from reticle.domain.verdict_record import decision_record
from reticle.errors import Refusal
from reticle.model.verdict import Held
from reticle.model.window import Invariant, Window
from reticle.storage.verdict_json import verdict_from_json, verdict_to_json
from reticle.storage.window_json import window_from_bytes, window_to_bytes
from reticle.testing.verdicts import recorded_verdict
from reticle.testing.windows import WindowBuilder

QUIET = {"kind": "console", "level": "error", "absent": True}
SIGNED_IN = {"kind": "text", "contains": "Anna"}
SAVED = {"kind": "net", "method": "POST", "ok": True}


def with_invariants(builder: WindowBuilder, *invariants: Invariant) -> Window:
    return attrs.evolve(builder.build(), invariants=invariants)


def saved() -> WindowBuilder:
    return WindowBuilder().click().net("POST", "/api/orders", 201).dom_added()


GOOD = [
    QUIET,
    SIGNED_IN,
    {"kind": "net", "ok": False, "count": 0},
    {"not": {"kind": "net", "ok": False}},
    {"not": {"kind": "element", "query": {"role": "alert"}}},
    {"kind": "never", "predicate": {"kind": "signal", "name": "crash"}},
    {"kind": "route", "contains": "/app"},
    {"kind": "same", "sides": [{"number": {"testid": "total"}}, {"state": "total"}]},
    {"allOf": [QUIET, {"anyOf": [SIGNED_IN, {"kind": "state", "path": "user"}]}]},
]


@pytest.mark.parametrize("predicate", GOOD)
def test_what_can_always_hold_is_an_invariant(predicate: dict[str, object]) -> None:
    """
    What is so now, and what does not happen, need no action.
    """
    assert checked_invariant("a", predicate, "project").fault is None


BAD = [
    {"kind": "net", "method": "POST"},
    {"kind": "signal", "name": "saved"},
    {"kind": "settled"},
    {"kind": "state", "path": "n", "equals": {"$delta": 1}},
    {"kind": "within", "ms": 5, "predicate": {"kind": "signal", "name": "saved"}},
    {"kind": "sequence", "predicates": [{"kind": "net"}, {"kind": "signal", "name": "saved"}]},
    {"kind": "same", "sides": [{"state": "n"}, {"response": "n", "urlContains": "/a"}]},
    {"allOf": [QUIET, {"kind": "net"}]},
    {"kind": "consol", "absent": True},
]


@pytest.mark.parametrize("predicate", BAD)
def test_what_an_action_would_have_to_bring_about_is_refused(predicate: dict[str, object]) -> None:
    """
    The refusal names what is wrong; in a file it stands as the fault.
    """
    with pytest.raises(Refusal) as refused:
        checked_invariant("a", predicate, "project")
    assert refused.value.code == "bad_predicate"
    assert declared("a", predicate, "app").fault is not None


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "two\nlines", 5])
def test_a_name_is_one_short_line(name: object) -> None:
    """
    It stands in findings.
    """
    with pytest.raises(Refusal) as refused:
        checked_invariant(name, QUIET, "project")
    assert refused.value.code == "bad_arguments"


def test_one_that_the_action_broke_makes_no_of_a_claim_that_held() -> None:
    """
    The save was answered, and the console has an error: the finding names invariant and place.
    """
    quiet = checked_invariant("no-errors", QUIET, "settings")
    decision = judge(parse(SAVED), with_invariants(saved().console("error", "boom"), quiet))
    assert (decision.verified.value, decision.reason.value) == ("no", "contradicted")
    (finding,) = [one for one in decision.findings if one.kind == "invariant-broken"]
    assert finding.claim == "invariant 'no-errors' (in reticle.toml)"
    assert "boom" in finding.counter
    assert judge(parse(SAVED), with_invariants(saved(), quiet)).verified.value == "yes"


def test_a_reading_that_held_before_and_does_not_now_is_broken() -> None:
    """
    Who was signed in and is not any more was signed out by the action.
    """
    anna = checked_invariant("signed-in", SIGNED_IN, "app")
    builder = saved().text("Anna", before=True).text("Anna", there=False)
    assert judge(parse(SAVED), with_invariants(builder, anna)).reason.value == "contradicted"


def test_one_that_was_broken_before_is_a_note() -> None:
    """
    The action did not break it.
    """
    anna = checked_invariant("signed-in", SIGNED_IN, "project")
    builder = saved().text("Anna", there=False, before=True).text("Anna", there=False)
    decision = judge(parse(SAVED), with_invariants(builder, anna))
    assert decision.verified.value == "yes"
    assert decision.honesty.notes == ("invariant 'signed-in' was broken before the action already",)


def test_one_of_which_nothing_was_known_before_is_a_doubt() -> None:
    """
    It does not hold now, and nobody knows whose doing that is.
    """
    anna = checked_invariant("signed-in", SIGNED_IN, "project")
    decision = judge(parse(SAVED), with_invariants(saved().text("Anna", there=False), anna))
    assert (decision.verified.value, decision.reason.value) == ("unknown", "evidence_incomplete")


def test_one_that_cannot_be_told_or_judged_is_named() -> None:
    """
    Neither stops the verdict, and neither is silent.
    """
    anna = checked_invariant("signed-in", SIGNED_IN, "project")
    broken = declared("typo", {"kind": "consol"}, "project")
    window = with_invariants(saved().text("Anna", before=True), anna, broken)
    assert judge(parse(SAVED), window).verified.value == "yes"
    assert [note.split(":")[0] for note in invariant_notes(window)] == [
        "invariant 'typo' is not judged",
        "invariant 'signed-in' cannot be told",
    ]


def test_a_short_window_is_no_reason_to_wait_and_no_doubt() -> None:
    """
    What did not come until the verdict did not come.
    """
    builder = saved().quiet(30)
    (one,) = judged_invariants(with_invariants(builder, checked_invariant("no-errors", QUIET, "project")))
    assert (one.before, one.now.held) == (Held.YES, Held.YES)


def test_without_an_action_or_a_page_nothing_is_judged() -> None:
    """
    Nobody broke anything, or nobody saw it.
    """
    quiet = checked_invariant("no-errors", QUIET, "project")
    assert judged_invariants(with_invariants(WindowBuilder().console("error", "x"), quiet)) == ()
    assert judged_invariants(with_invariants(saved().console("error", "x").connection_lost(), quiet)) == ()


def test_a_look_after_an_action_is_judged_by_them_too() -> None:
    """
    An assert after an action that another call made: what must not happen is known to have held before.
    """
    quiet = checked_invariant("quiet", QUIET, "app")
    signed_in = checked_invariant("signed-in", SIGNED_IN, "app")
    builder = WindowBuilder().console("error", "boom").dom_added().text("Anna", there=False)
    looked = with_invariants(builder, quiet, signed_in)
    assert judged_invariants(looked) == ()
    acted = attrs.evolve(looked, acted_at=(looked.opened_t_ms,))
    assert [(one.before, one.now.held) for one in judged_invariants(acted)] == [
        (Held.YES, Held.NO),
        (Held.UNKNOWN, Held.NO),
    ]


def test_the_record_and_the_explanation_name_each() -> None:
    """
    Whoever reads a verdict later sees by what else it was judged, also where that held.
    """
    window = with_invariants(saved().quiet(2_000), checked_invariant("quiet", QUIET, "settings"))
    decision = judge(parse(SAVED), window)
    assert decision_record(decision)["invariants"] == [
        {"name": "quiet", "declared": "settings", "before": "yes", "held": "yes"}
    ]
    verdict = attrs.evolve(recorded_verdict(), claim=SAVED, decision=decision)
    assert verdict_from_json(verdict_to_json(verdict)).decision.invariants == decision.invariants
    text = explain(verdict, window).text
    assert "what must always hold\n  yes quiet (declared by the settings; before: yes)" in text


def test_a_stored_window_judges_them_again_to_the_same() -> None:
    """
    The invariants are kept with the window, whatever the project says later.
    """
    window = with_invariants(saved().console("error", "boom"), checked_invariant("no-errors", QUIET, "app"))
    again = window_from_bytes(window_to_bytes(window))
    assert again == window
    assert judge(parse(SAVED), again) == judge(parse(SAVED), window)


def test_files_are_read_strictly_and_written_sorted() -> None:
    """
    What cannot be judged keeps its place and says why.
    """
    kept = [checked_invariant("b", QUIET, "project"), checked_invariant("a", SIGNED_IN, "project")]
    text = invariants_text(kept)
    assert [one.name for one in invariants_in_json(text)] == ["a", "b"]
    assert list(invariants_in_json(text)) == kept[::-1]
    for damaged in ("{", "[]", '{"version": 2, "invariants": []}', '{"version": 1}'):
        with pytest.raises(Refusal):
            invariants_in_json(damaged)
    odd = json.dumps({"version": 1, "invariants": [{"name": "x", "predicat": QUIET}, 5]})
    assert [one.fault is None for one in invariants_in_json(odd)] == [False, False]


def test_settings_may_write_the_predicate_as_a_table_or_as_text() -> None:
    """
    TOML has both, and one that cannot be read says so.
    """
    text = """
port = 4400
[[invariant]]
name = "no-errors"
predicate = {kind = "console", level = "error", absent = true}
[[invariant]]
name = "signed-in"
predicate = '{"kind": "text", "contains": "Anna"}'
"""
    assert [(one.name, one.fault) for one in invariants_in_toml(text)] == [
        ("no-errors", None),
        ("signed-in", None),
    ]
    assert invariants_in_toml("port = ")[0].fault is not None
    assert invariants_in_toml("port = 1") == ()


def test_the_page_is_asked_each_question_once() -> None:
    """
    An invariant that is about the same text costs no second question.
    """
    anna = checked_invariant("signed-in", SIGNED_IN, "project")
    assert len(asked_of_page(parse(SIGNED_IN), [anna, declared("typo", {}, "app")])) == 1
    assert [one.kind for one in asked_of_page(parse(SAVED), [anna])] == ["text"]
