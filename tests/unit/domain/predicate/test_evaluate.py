"""
Composites: how parts that hold, fail or cannot be told make a whole.
"""

from __future__ import annotations

import itertools

import pytest

from reticle.domain.predicate import evaluate, parse, questions
from reticle.domain.predicate.grammar import ELEMENT_STATES
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder, WindowStep

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN

PARTS = {
    YES: {"kind": "text", "contains": "there"},
    NO: {"kind": "text", "contains": "missing"},
    UNKNOWN: {"kind": "text", "contains": "unread"},
}
WINDOW = WindowBuilder().text("there").text("missing", there=False).build()


@pytest.mark.parametrize(("one", "two"), list(itertools.product(Held, Held)))
def test_all_of_and_any_of_over_three_values(one: Held, two: Held) -> None:
    """
    In allOf a failure outranks an unknown; in anyOf a success does, and then an unknown.
    """
    parts = [PARTS[one], PARTS[two]]
    both = evaluate(parse({"allOf": parts}), WINDOW)
    either = evaluate(parse({"anyOf": parts}), WINDOW)
    assert both.held is (NO if NO in (one, two) else UNKNOWN if UNKNOWN in (one, two) else YES)
    assert either.held is (YES if YES in (one, two) else UNKNOWN if UNKNOWN in (one, two) else NO)
    assert [child.held for child in both.children] == [one, two]
    assert [child.held for child in either.children] == [one, two]


@pytest.mark.parametrize(("part", "held"), [(YES, NO), (NO, YES), (UNKNOWN, UNKNOWN)])
def test_not_keeps_what_cannot_be_told(part: Held, held: Held) -> None:
    """
    Not knowing is not the opposite of anything.
    """
    assert evaluate(parse({"not": PARTS[part]}), WINDOW).held is held


def test_not_of_an_event_must_hold_for_a_while() -> None:
    """
    "Never" right after the click is too early; a sighting refutes it at once.
    """
    never = parse({"not": {"kind": "net", "method": "DELETE"}})
    early = evaluate(never, WindowBuilder().quiet(50).build())
    assert (early.held, early.retry_after_ms) == (UNKNOWN, 250)
    assert evaluate(never, WindowBuilder().quiet(300).build()).held is YES
    seen = evaluate(never, WindowBuilder().net("DELETE", "/a").quiet(0).build())
    assert (seen.held, seen.final) == (NO, True)
    assert evaluate(never, WindowBuilder().loss("net").build()).held is UNKNOWN


def test_counts_inside_not_are_held_too() -> None:
    """
    "Not exactly one" is not told while a second may follow.
    """
    claim = parse({"not": {"kind": "net", "method": "POST", "count": 1}})
    assert evaluate(claim, WindowBuilder().net("POST", "/a").quiet(10).build()).held is UNKNOWN
    assert evaluate(claim, WindowBuilder().net("POST", "/a").build()).held is NO
    twice = evaluate(claim, WindowBuilder().net("POST", "/a").net("POST", "/a").quiet(10).build())
    assert (twice.held, twice.final) == (YES, True)


def test_an_exceeded_count_ends_an_all_of_at_once() -> None:
    """
    Nothing that may still come can mend a double submit.
    """
    claim = parse({"allOf": [PARTS[NO], {"kind": "net", "method": "POST", "count": 1}]})
    window = WindowBuilder().net("POST", "/a").net("POST", "/a").text("missing", there=False).build()
    outcome = evaluate(claim, window)
    assert (outcome.held, outcome.final, outcome.assertion) == (NO, True, "net.count")


def test_the_soonest_part_says_when_to_look_again() -> None:
    """
    A wait is as short as the part that may change first.
    """
    claim = parse(
        {"allOf": [{"kind": "settled", "quietMs": 800}, {"kind": "signal", "name": "a", "count": 1}]}
    )
    assert evaluate(claim, WindowBuilder().signal("a").quiet(100).build()).retry_after_ms == 200


def test_an_any_of_that_fails_names_every_branch() -> None:
    """
    An agent sees why none of its alternatives held.
    """
    outcome = evaluate(parse({"anyOf": [PARTS[NO], {"kind": "net", "method": "PUT"}]}), WINDOW)
    assert outcome.failure == (
        'none of 2 holds: text "missing" is not on the page; no PUT; no request was seen at all'
    )


def test_a_count_not_reached_yet_is_not_refuted_yet() -> None:
    """
    "Not exactly two" holds only once the second has had its time to come; for signals as for requests.
    """
    for once, claim in (
        (WindowBuilder().net("POST", "/a"), {"kind": "net", "method": "POST", "count": 2}),
        (WindowBuilder().signal("s"), {"kind": "signal", "name": "s", "count": 2}),
    ):
        fresh = evaluate(parse({"not": claim}), once.quiet(299).build())
        assert (fresh.held, fresh.retry_after_ms) == (UNKNOWN, 1)
        assert evaluate(parse({"not": claim}), once.quiet(300).build()).held is YES


def test_evidence_is_listed_in_the_order_of_the_parts() -> None:
    """
    Who reads the evidence of a composite finds it as the claim was written.
    """
    window = WindowBuilder().net("POST", "/a").signal("s").console("log", "x").build()
    parts = [{"kind": "console", "level": "log"}, {"kind": "signal", "name": "s"}, {"kind": "net"}]
    for composite in ("allOf", "anyOf"):
        evidence = evaluate(parse({composite: parts}), window).evidence
        assert [fact["seq"] for fact in evidence] == [14, 13, 12]


BUTTON = {"kind": "element", "role": "button"}
MATCHED = {
    "matched": True,
    "count": 1,
    "candidates": 1,
    "perceivable": True,
    "elements": [{"ref": "e1", "role": "button"}],
}
MISSED = {"matched": False, "count": 0, "candidates": 0, "elements": []}
FOUND = {"found": True, "value": 2, "path": "n", "storeNames": ["app"]}
NOT_FOUND = {"found": False, "storeNames": ["app"], "availableKeys": ["m"]}

CATALOGUE = [
    ("element.present", {"kind": "element", "testid": "x"}, MATCHED, YES),
    ("element.absent", {**BUTTON, "absent": True}, MISSED, YES),
    ("element.state", {**BUTTON, "state": "checked"}, MISSED, NO),
    ("element.role", BUTTON, MATCHED, YES),
    ("element.role+name", {**BUTTON, "name": "Save"}, MATCHED, YES),
    ("element.name", {"kind": "element", "testid": "x", "name": "Save"}, MISSED, NO),
    ("element.value", {"kind": "element", "testid": "x", "value": "2"}, MATCHED, YES),
    ("element.text", {"kind": "element", "text": "Save"}, MISSED, NO),
    ("text.present", {"kind": "text", "contains": "a"}, {"count": 1, "visibleCount": 1, "samples": []}, YES),
    ("text.absent", {"kind": "text", "contains": "a", "absent": True}, {"count": 0, "visibleCount": 0}, YES),
    ("state.equals", {"kind": "state", "path": "n", "equals": 3}, FOUND, NO),
    ("state.path-missing", {"kind": "state", "path": "n"}, NOT_FOUND, NO),
    ("state.store-missing", {"kind": "state", "path": "n"}, {"found": False, "storeNames": []}, UNKNOWN),
    ("state.unreadable", {"kind": "state", "path": "n"}, None, UNKNOWN),
    ("route.changed", {"kind": "route"}, {"pathname": "/"}, NO),
    ("route.pathname", {"kind": "route", "pathname": "/a"}, {"pathname": "/a"}, YES),
    ("route.contains", {"kind": "route", "contains": "q=1"}, {"pathname": "/a", "search": "?q=1"}, YES),
]
"""The ids that readings decide: id, claim, the page's answer, and whether it holds (reticle-tools §2.7)."""


@pytest.mark.parametrize(("assertion", "claim", "answer", "held"), CATALOGUE)
def test_every_id_that_readings_decide(
    assertion: str, claim: dict[str, object], answer: dict[str, object] | None, held: Held
) -> None:
    """
    Whoever keeps statistics of failures finds the ids that they know.
    """
    error = "command_timeout" if answer is None else None
    seen = evaluate(parse(claim), WindowBuilder().answers(claim, answer, error=error).build())
    assert (seen.assertion, seen.held) == (assertion, held)
    assert (seen.failure is None) is (held is YES)


@pytest.mark.parametrize(
    ("assertion", "claim", "step", "held"),
    [
        ("net.present", {"kind": "net"}, lambda b: b.net("GET", "/a"), YES),
        ("net.present", {"kind": "net", "ok": False}, lambda b: b.net("GET", "/a"), NO),
        ("net.count", {"kind": "net", "count": 2}, lambda b: b.net("GET", "/a"), NO),
        ("net.bodyContains", {"kind": "net", "bodyContains": "x"}, lambda b: b.net("GET", "/a"), UNKNOWN),
        ("net.unobserved-channel", {"kind": "net", "url": "/logo.png"}, lambda b: b, UNKNOWN),
        (
            "net.unobservable-status",
            {"kind": "net", "status": 200},
            lambda b: b.net("GET", "/a", None),
            UNKNOWN,
        ),
        ("console.present", {"kind": "console", "level": "info"}, lambda b: b.console("info", "x"), YES),
        ("console.present", {"kind": "console", "level": "debug"}, lambda b: b.console("debug", "x"), YES),
        ("console.absent", {"kind": "console", "level": "error", "absent": True}, lambda b: b, YES),
        (
            "console.absent-contains",
            {"kind": "console", "contains": "x", "absent": True},
            lambda b: b.console("warn", "x"),
            NO,
        ),
        ("animation.present", {"kind": "animation"}, lambda b: b.animation("start", "a"), YES),
        ("signal.absent", {"kind": "signal", "name": "s"}, lambda b: b, NO),
        (
            "signal.payload",
            {"kind": "signal", "name": "s", "data": {"n": 1}},
            lambda b: b.signal("s", {"n": 2}),
            NO,
        ),
        ("signal.count", {"kind": "signal", "name": "s", "count": 1}, lambda b: b.signal("s"), YES),
        ("settled.quiet", {"kind": "settled"}, lambda b: b, YES),
        ("settled.in-flight", {"kind": "settled"}, lambda b: b.pending("GET", "/a"), UNKNOWN),
    ],
)
def test_every_id_that_events_decide(
    assertion: str, claim: dict[str, object], step: WindowStep, held: Held
) -> None:
    """
    As for readings; every console level that a page reports can be claimed.
    """
    seen = evaluate(parse(claim), step(WindowBuilder()).build())
    assert (seen.assertion, seen.held) == (assertion, held)
    assert (seen.failure is None) is (held is YES)


@pytest.mark.parametrize("state", ELEMENT_STATES)
def test_every_state_is_asked_of_the_page_and_its_answer_taken(state: str) -> None:
    """
    Visible, focused, in view: the page decides, and a miss shows the states that were there.
    """
    claim = {**BUTTON, "state": state}
    [question] = questions(parse(claim))
    assert question.fields["state"] == state
    assert evaluate(parse(claim), WindowBuilder().answers(claim, MATCHED).build()).held is YES
    other = {**MISSED, "candidates": 1, "elements": [{"role": "button", "name": "Go", "states": ["visible"]}]}
    missed = evaluate(parse(claim), WindowBuilder().answers(claim, other).build())
    assert missed.held is NO
    assert missed.failure is not None
    assert missed.failure.endswith('1 found, none in that state (button "Go" visible)')


@pytest.mark.parametrize("kind", ["net", "route", "console", "animation", "signal"])
def test_a_leafs_own_cursor_narrows_its_window_and_never_widens_it(kind: str) -> None:
    """
    The later of the call's and the claim's cursor counts.
    """
    builder = (
        WindowBuilder().net("GET", "/a").route("/b").console("log", "x").animation("start", "s").signal("t")
    )
    window = builder.at("/").build()
    last = max(event.seq for event in window.events)
    assert evaluate(parse({"kind": kind, "since": 0}), window).held is YES
    assert evaluate(parse({"kind": kind, "since": last}), window).held is NO
