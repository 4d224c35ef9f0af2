"""
Defects of the original that a verdict of ours does not have, by their numbers in the list of them
(reticle-tools §9.2). Number 26 is about navigating: ``tests/unit/tools/test_navigate.py``.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.findings import duplicate_request, find_all
from reticle.domain.ladder import decide
from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.questions import questions
from reticle.domain.rejudging import judge
from reticle.errors import Refusal
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.limits import COUNT_HOLD_MS
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder, WindowStep

GONE = {"kind": "element", "query": {"testid": "spinner"}, "absent": True}


@pytest.mark.parametrize("error", ["page_error", "command_timeout", "stale_ref"])
@pytest.mark.parametrize("claim", [GONE, {"not": {"kind": "element", "query": {"testid": "spinner"}}}])
def test_a_page_match_that_failed_is_not_absent(claim: Mapping[str, object], error: str) -> None:
    """
    Number 1: a page that could not look for an element has not said that there is none.
    """
    builder = WindowBuilder().click().dom_added()
    for question in questions(parse(claim)):
        builder.reading(question.kind, question.fields, None, error=error)
    decision = decide(parse(claim), builder.build())
    assert (decision.verified, decision.reason) == (Verified.UNKNOWN, VerifiedReason.INCONCLUSIVE)
    assert decision.outcome.held is Held.UNKNOWN


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ({"kind": "state", "path": "n", "equals": {"$gtt": 1}}, "$gt"),
        ({"kind": "signal", "name": "x", "dataMatches": {"n": {"$inn": [1]}}}, "$in"),
        ({"kind": "net", "body": {"order.id": {"$exist": True}}}, "$exists"),
    ],
)
def test_an_operator_that_there_is_not_is_refused(claim: Mapping[str, object], word: str) -> None:
    """
    Number 2: a misspelt operator is not a claim that is quietly false; the nearest one is named.
    """
    with pytest.raises(Refusal) as refused:
        parse(claim)
    assert word in f"{refused.value} {refused.value.recovery}"


@pytest.mark.parametrize("level", ["log", "info", "debug", "warn", "error"])
def test_every_level_of_the_console_can_be_claimed(level: str) -> None:
    """
    Number 2: what is captured can be asserted, ``info`` and ``debug`` too, there and absent.
    """
    window = WindowBuilder().click().console(level, "cache warmed").build()
    there = {"kind": "console", "level": level, "contains": "warmed"}
    assert evaluate(parse(there), window).held is Held.YES
    assert evaluate(parse({**there, "absent": True}), window).held is Held.NO
    for other in {"log", "info", "debug", "warn", "error"} - {level}:
        assert evaluate(parse({**there, "level": other}), window).held is Held.NO


ONCE = {"kind": "signal", "name": "order.placed", "count": 1}


@pytest.mark.parametrize(
    ("claim", "early"),
    [
        (ONCE, Held.UNKNOWN),
        ({"kind": "net", "method": "POST", "count": 1}, Held.UNKNOWN),
        ({"not": {**ONCE, "count": 2}}, Held.UNKNOWN),
        ({"not": ONCE}, Held.UNKNOWN),
        ({"kind": "stream", "direction": "in", "count": 1}, Held.UNKNOWN),
    ],
)
def test_a_count_is_held_before_it_is_believed(claim: Mapping[str, object], early: Held) -> None:
    """
    Number 3: "exactly once" waits for a late second one: of signals, inside ``not``, at the budget's end.
    """

    def told(quiet_ms: int) -> WindowBuilder:
        builder = WindowBuilder().click().net("POST", "/api/orders", 201, responseBody="{}")
        builder.event("net.stream", {"transport": "sse", "direction": "in", "id": "s1", "url": "/events"})
        return builder.signal("order.placed").quiet(quiet_ms).budget_spent()

    outcome = evaluate(parse(claim), told(COUNT_HOLD_MS - 200).build())
    assert (outcome.held, outcome.final) == (early, False)
    assert decide(parse(claim), told(0).build()).verified is not Verified.YES
    assert evaluate(parse(claim), told(COUNT_HOLD_MS + 200).build()).held is not Held.UNKNOWN


def test_a_late_second_one_is_caught() -> None:
    """
    Number 3: the duplicate that comes a moment later makes a no, and nothing can change it any more.
    """
    window = WindowBuilder().click().signal("order.placed").wait(300).signal("order.placed").build()
    outcome = evaluate(parse(ONCE), window)
    assert (outcome.held, outcome.final) == (Held.NO, True)


@pytest.mark.parametrize(
    ("claim", "grade"),
    [
        ({"allOf": [{"kind": "signal", "name": "saved"}, {"kind": "net", "method": "PUT"}]}, Grade.SIGNAL),
        ({"allOf": [{"kind": "text", "contains": "Saved"}, {"kind": "net", "method": "PUT"}]}, Grade.NET),
        ({"anyOf": [{"kind": "text", "contains": "Saved"}, {"kind": "net", "method": "PUT"}]}, Grade.NET),
        ({"kind": "net", "method": "PUT"}, Grade.NET),
        ({"kind": "text", "contains": "Saved"}, Grade.PRESENCE),
    ],
)
@pytest.mark.parametrize("acted", [True, False])
def test_one_grade_for_every_tool_and_every_tree(
    claim: Mapping[str, object], grade: Grade, *, acted: bool
) -> None:
    """
    Number 4: a composite is as strong as what held in it, and a ``net`` without ``urlContains`` is a ``net``,
    whether an action is judged or the page as it is.
    """
    builder = WindowBuilder().click() if acted else WindowBuilder()
    builder.text("Saved", there=False, before=True)
    builder.net("PUT", "/api/mail", 200, responseBody="{}").signal("saved").dom_added().text("Saved")
    assert decide(parse(claim), builder.build()).honesty.grade is grade


def test_a_grade_can_be_demanded_of_a_composite() -> None:
    """
    Number 4: ``min_grade`` looks at the whole tree.
    """
    claim = parse({"allOf": [{"kind": "text", "contains": "Saved"}, {"kind": "net", "method": "PUT"}]})
    builder = WindowBuilder().click().text("Saved", there=False, before=True)
    window = builder.net("PUT", "/api/mail", 200, responseBody="{}").dom_added().text("Saved").build()
    assert judge(claim, window, "net").verified is Verified.YES
    assert judge(claim, window, "signal").reason is VerifiedReason.VACUOUS_GRADE


@pytest.mark.parametrize(
    "banner",
    [
        lambda b: b.shown("alert", "Ups, das hat nicht geklappt: Karte abgelehnt"),
        lambda b: b.dom_added("paragraph", "Card declined"),
        lambda b: b.event("dom.text", {"text": "Card declined", "old": ""}, ref="e9"),
        lambda b: b.shown("textbox", ""),
        lambda b: b.event("dom.attr", {"attr": "aria-invalid", "value": "true", "old": None}, ref="e4"),
    ],
)
def test_an_error_banner_owns_up_to_a_failure(banner: WindowStep) -> None:
    """
    Number 19: an app without a store and without signals that shows its error is not accused of hiding it.
    """
    builder = WindowBuilder().click().net("POST", "/api/pay", 402, responseBody='{"error": "Card declined"}')
    assert find_all(banner(builder).build(), None) == ()


def test_two_different_posts_to_one_address_are_no_duplicate() -> None:
    """
    Number 20: duplicates are told by their bodies.
    """

    def twice(first: str, second: str) -> list[str]:
        builder = WindowBuilder().click()
        for body in (first, second):
            builder.net("POST", "/graphql", 200, requestBody=body, responseBody="{}")
        return [finding.kind for finding in find_all(builder.dom_added().build(), None)]

    assert twice('{"add": 1}', '{"add": 2}') == []
    assert twice('{"add": 1}', '{"add": 1}') == [duplicate_request.KIND]


@pytest.mark.parametrize(
    "answer",
    [
        {"responseBody": '{"id": 7}', "responseSize": 9},
        {"responseBody": "created", "responseSize": 7},
        {"responseSize": 0},
        {},
    ],
)
def test_an_ordinary_write_is_proved_as_it_is_captured_by_default(answer: Mapping[str, object]) -> None:
    """
    Number 28: our script tells the bodies of JSON and text unasked, so that a plain write is a yes.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}
    window = WindowBuilder().click().net("POST", "/api/orders", 201, **answer).dom_added().build()
    assert decide(parse(claim), window).verified is Verified.YES


def test_a_write_that_nobody_could_read_is_proved_by_what_the_server_then_holds() -> None:
    """
    Number 28: where a body was not captured (other packages), a later read of the thing is proof.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 201, responseSize=9)
    claim: dict[str, object] = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
    assert decide(parse(claim), builder.dom_added().build()).reason is VerifiedReason.OUTCOME_UNREAD
    builder.net("GET", "/api/orders/7", 200, responseBody='{"id": 7, "state": "placed"}')
    read = {"kind": "net", "method": "GET", "urlContains": "/api/orders", "bodyContains": "placed"}
    decision = decide(parse({"allOf": [claim, read]}), builder.build())
    assert decision.verified is Verified.YES
