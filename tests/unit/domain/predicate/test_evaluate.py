"""
Composites: how parts that hold, fail or cannot be told make a whole.
"""

from __future__ import annotations

import itertools

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder

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
