"""
Two channels agree or they do not; where one of them could not be read, neither is said.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.already_true import already_true
from reticle.domain.foreseen import nothing_comes_in
from reticle.domain.grade import grade
from reticle.domain.predicate import evaluate, parse
from reticle.model.codes import Grade
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN

TOTAL = {"text": {"testid": "total"}}
NUMBER = {"number": {"testid": "total"}}
ROWS = {"count": {"role": "row"}}
STATE = {"state": "total"}
ANSWER = {"response": "items.length", "urlContains": "/api/items"}


def same(*sides: object, **more: object) -> dict[str, object]:
    return {"kind": "same", "sides": list(sides), **more}


def shown(window: WindowBuilder, text: str, *, before: bool = False, **more: object) -> WindowBuilder:
    """
    The element that shows the total.
    """
    answer = {"count": 1, "visibleCount": 1, "visible": True, "text": text, **more}
    return window.reading("content", {"query": {"testid": "total"}}, answer, before=before)


def rows(window: WindowBuilder, count: int) -> WindowBuilder:
    """
    So many rows that a user can see, and one that is hidden.
    """
    answer = {"count": count + 1, "visibleCount": count}
    return window.reading("content", {"query": {"role": "row"}, "all": True}, answer)


def judged(claim: Mapping[str, object], window: WindowBuilder) -> Outcome:
    return evaluate(parse(claim), window.build())


TEXTS = [
    ("Anna", "Anna", YES),
    ("Anna  \u00a0 Lee", "Anna Lee", YES),
    ("anna", "Anna", NO),
    ("Anna", None, NO),
    ("", None, UNKNOWN),
    ("$1,234.50", 1234.5, YES),
    ("$1,234.50", 1234.51, NO),
    ("$0.30", 0.1 + 0.2, YES),
    ("1,234", 1234, UNKNOWN),
    ("1,234", 99, NO),
    ("3 of 7", 3, UNKNOWN),
    ("none", 3, NO),
    ("1.2k", 1200, UNKNOWN),
    ("true", True, UNKNOWN),
    ("a", ["a"], UNKNOWN),
    ("12", "12.0", NO),
    ("Anna", "[REDACTED]", UNKNOWN),
    ("Anna", {"a": "[TRUNCATED]"}, UNKNOWN),
]


@pytest.mark.parametrize(("text", "value", "held"), TEXTS)
def test_a_text_is_compared_with_a_state_path(text: str, value: object, held: Held) -> None:
    """
    White space is folded, numbers are numbers, and what cannot be compared is not decided.
    """
    outcome = judged(same(TOTAL, STATE), shown(WindowBuilder(), text).state("total", value))
    assert outcome.held is held, outcome.failure
    if held is NO:
        assert repr(text) in str(outcome.failure)
        assert repr(value) in str(outcome.failure)


def test_cents_are_dollars_by_their_scale_and_rounding_by_its_tolerance() -> None:
    """
    Money is compared in one unit, as near as it is said.
    """
    cents = {"state": "total", "scale": 0.01}
    assert judged(same(NUMBER, cents), shown(WindowBuilder(), "$1,234.50").state("total", 123450)).held is YES
    assert judged(same(NUMBER, cents), shown(WindowBuilder(), "$1,234.50").state("total", 123451)).held is NO
    third = shown(WindowBuilder(), "0,33 €").state("total", 1 / 3)
    assert judged(same(NUMBER, STATE), third).held is NO
    third = shown(WindowBuilder(), "0,33 €").state("total", 1 / 3)
    assert judged(same(NUMBER, STATE, tolerance=0.005), third).held is YES
    marked = {"number": {"testid": "total"}, "decimal": "."}
    assert judged(same(marked, STATE), shown(WindowBuilder(), "1,234").state("total", 1234)).held is YES


def test_the_rows_shown_are_as_many_as_the_answer_has() -> None:
    """
    What a user sees is compared with the last answer of the window; a hidden row is none.
    """
    window = WindowBuilder().click().net("GET", "/api/items", 200, responseBody={"items": [1]})
    window.net("GET", "/api/items", 200, responseBody='{"items": [1, 2, 3]}')
    outcome = judged(same(ROWS, ANSWER), rows(window, 3))
    assert outcome.held is YES
    assert outcome.evidence
    window = WindowBuilder().click().net("GET", "/api/items", 200, responseBody={"items": [1, 2, 3]})
    missing = judged(same(ROWS, ANSWER), rows(window, 2))
    assert missing.held is NO
    assert "is 2" in str(missing.failure)
    assert "is 3" in str(missing.failure)


def test_an_answer_that_is_not_whole_decides_nothing() -> None:
    """
    Cut, unread, still under way or lost: none of it is another number.
    """
    bodies: list[dict[str, object]] = [
        {"responseBody": {"items": [1, 2, "[TRUNCATED]"]}},
        {"responseBody": '{"items": [1, 2', "bodyTruncated": True},
        {"responseBody": "<p>no JSON</p>"},
        {},
    ]
    for fields in bodies:
        window = WindowBuilder().click().net("GET", "/api/items", 200, **fields)
        assert judged(same(ROWS, ANSWER), rows(window, 3)).held is UNKNOWN, fields
    whole = {"responseBody": {"items": [1, 2, 3]}}
    late = WindowBuilder().click().net("GET", "/api/items", 200, **whole).pending("GET", "/api/items")
    assert judged(same(ROWS, ANSWER), rows(late, 3)).held is UNKNOWN
    lossy = WindowBuilder().click().net("GET", "/api/items", 200, **whole).loss("net")
    assert judged(same(ROWS, ANSWER), rows(lossy, 3)).held is UNKNOWN
    assert judged(same(ROWS, ANSWER), rows(WindowBuilder().click(), 3)).held is NO
    blind = WindowBuilder().click().net("GET", "/api/items", 200, **whole).blind_spot("virtualized-unmounted")
    assert judged(same(ROWS, ANSWER), rows(blind, 3)).held is UNKNOWN


def test_what_was_sent_is_compared_with_what_the_field_holds() -> None:
    """
    A field's value is the value in the request's body.
    """
    claim = same(
        {"value": {"testid": "total"}}, {"request": "name", "urlContains": "/api/me", "method": "put"}
    )
    sent = WindowBuilder().click().net("PUT", "/api/me", 200, requestBody='{"name": "Anna"}')
    assert judged(claim, shown(sent, "", value="Anna")).held is YES
    sent = WindowBuilder().click().net("PUT", "/api/me", 200, requestBody='{"name": "anna"}')
    assert judged(claim, shown(sent, "", value="Anna")).held is NO
    sent = WindowBuilder().click().net("PUT", "/api/me", 200, requestBody='{"name": "Anna"}')
    assert judged(claim, shown(sent, "Anna")).held is UNKNOWN


def test_a_stored_value_is_compared_by_its_path() -> None:
    """
    A key of the storage holds JSON, of which a part is meant.
    """
    claim = same(STATE, {"storage": "cart", "path": "items.length"})
    fields = {"key": "cart"}
    found = {"found": True, "area": "local", "value": '{"items": [1, 2]}'}
    assert judged(claim, WindowBuilder().state("total", 2).reading("stored", fields, found)).held is YES
    answers: list[tuple[dict[str, object], Held]] = [
        ({**found, "value": '{"items": [1]}'}, NO),
        ({**found, "value": "not json"}, UNKNOWN),
        ({**found, "alsoIn": ["session"]}, UNKNOWN),
        ({**found, "truncated": True}, UNKNOWN),
        ({**found, "value": "[REDACTED]"}, UNKNOWN),
        ({"found": False}, NO),
        ({"found": False, "unavailable": ["local"]}, UNKNOWN),
    ]
    for answer, held in answers:
        window = WindowBuilder().state("total", 2).reading("stored", fields, answer)
        assert judged(claim, window).held is held, answer


ELEMENTS = [
    ({"count": 0, "visibleCount": 0}, NO),
    ({"count": 3, "visibleCount": 2}, UNKNOWN),
    ({"count": 1, "visibleCount": 0, "visible": False, "text": "5"}, NO),
    ({"count": 1, "visibleCount": 1, "visible": True, "text": "5", "cut": True}, UNKNOWN),
    ({"count": 1, "visibleCount": 1, "visible": True, "text": "[REDACTED]"}, UNKNOWN),
    ({"scopeMissing": True, "count": 0, "visibleCount": 0}, UNKNOWN),
    ({"nonsense": 1}, UNKNOWN),
]


@pytest.mark.parametrize(("answer", "held"), ELEMENTS)
def test_an_element_that_is_not_the_one_is_no_equality_and_no_difference(
    answer: dict[str, object], held: Held
) -> None:
    """
    An element that is not there does not show the value, and `not` does not make a proof of that.
    """
    window = WindowBuilder().state("total", 5).reading("content", {"query": {"testid": "total"}}, answer)
    assert judged(same(TOTAL, STATE), window).held is held
    window = WindowBuilder().state("total", 5).reading("content", {"query": {"testid": "total"}}, answer)
    assert judged({"not": same(TOTAL, STATE)}, window).held is UNKNOWN
    inner = {"allOf": [same(TOTAL, STATE), same(STATE, {"literal": 5})]}
    window = WindowBuilder().state("total", 5).reading("content", {"query": {"testid": "total"}}, answer)
    assert judged({"not": inner}, window).held is UNKNOWN


def test_beside_another_part_that_does_not_hold_nothing_needs_to_be_compared() -> None:
    """
    "Not both" is so when one is not, whatever could be read for the other, and no loss changes it.
    """
    nothing = same({"request": "qty", "urlContains": "/api/a"}, {"response": "qty", "urlContains": "/api/a"})
    text = {"kind": "text", "contains": "Saved"}
    both, either = {"allOf": [nothing, text]}, {"anyOf": [nothing, text]}
    assert judged({"not": both}, WindowBuilder().text("Saved", there=False)).held is YES
    assert judged({"not": both}, WindowBuilder().text("Saved")).held is UNKNOWN
    assert judged({"not": either}, WindowBuilder().text("Saved", there=False)).held is UNKNOWN


def test_a_difference_that_was_read_is_what_not_claims() -> None:
    """
    Both sides were there and differ.
    """
    window = shown(WindowBuilder(), "5").state("total", 6)
    assert judged({"not": same(TOTAL, STATE)}, window).held is YES


def test_a_page_that_failed_to_answer_is_unknown() -> None:
    """
    A failed reading is never another value.
    """
    for claim in (same(TOTAL, STATE), {"not": same(TOTAL, STATE)}):
        assert judged(claim, WindowBuilder()).held is UNKNOWN
        assert judged(claim, WindowBuilder().answers(claim, None, error="command_timeout")).held is UNKNOWN


CONTAINED = [
    ("Total: $12.50 for 3 items", 12.5, YES),
    ("Total: $12.50 for 3 items", 4, NO),
    ("Total: 1,234 for 3 items", 1234, UNKNOWN),
    ("Hello, Anna Lee!", "Anna Lee", YES),
    ("Hello, Anna Lee!", "Bob", NO),
    ("Hello", "", UNKNOWN),
]


@pytest.mark.parametrize(("text", "value", "held"), CONTAINED)
def test_a_text_has_the_other_side_in_it(text: str, value: object, held: Held) -> None:
    """
    A sentence has the number, or the name, that it is about.
    """
    window = shown(WindowBuilder(), text).state("total", value)
    assert judged(same(TOTAL, STATE, operator="contains"), window).held is held


def test_a_list_has_the_member() -> None:
    """
    A list of the state has what a field says.
    """
    claim = same(STATE, {"literal": "mug"}, operator="contains")
    assert judged(claim, WindowBuilder().state("total", ["cup", "mug"])).held is YES
    assert judged(claim, WindowBuilder().state("total", ["cup"])).held is NO


GRADES = [
    (same(TOTAL, {"literal": "5"}), Grade.PRESENCE),
    (same(TOTAL, STATE), Grade.STATE),
    (same(TOTAL, {"response": "total", "urlContains": "/api"}), Grade.NET),
]


@pytest.mark.parametrize(("claim", "expected"), GRADES)
def test_a_relation_is_as_strong_as_its_strongest_channel(claim: dict[str, object], expected: Grade) -> None:
    """
    What the network or a store says counts for more than two texts.
    """
    window = shown(WindowBuilder().click().net("GET", "/api", 200, responseBody={"total": 5}), "5").state(
        "total", 5
    )
    parsed = parse(claim)
    outcome = evaluate(parsed, window.build())
    assert outcome.held is YES, outcome.failure
    assert grade(parsed, outcome) is expected
    assert nothing_comes_in(parsed, window.build()) is None


def test_a_relation_that_was_true_before_of_the_same_values_proves_nothing() -> None:
    """
    A dead button leaves both sides as they were; a live one changes both.
    """
    parsed = parse(same(TOTAL, STATE))

    def was(before: tuple[str, int], after: tuple[str, int]) -> Held:
        builder = shown(WindowBuilder().click(), before[0], before=True).state(
            "total", before[1], before=True
        )
        window = shown(builder, after[0]).state("total", after[1]).build()
        return already_true(parsed, evaluate(parsed, window), window)

    assert was(("5", 5), ("5", 5)) is YES
    assert was(("5", 5), ("6", 6)) is NO
    assert was(("5", 6), ("6", 6)) is NO
    assert was(("5 or 6", 6), ("6", 6)) is UNKNOWN
