"""
Messages that expire, and claims that are taken back.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder, WindowStep

SAVED = {"kind": "text", "contains": "Saved"}


def outcome(step: WindowStep, claim: object = None) -> Outcome:
    builder = step(WindowBuilder().click().text("Saved", there=False, before=True))
    return evaluate(parse(claim or SAVED), builder.text("Saved", there=False).build())


@pytest.mark.parametrize(
    "toast",
    [
        lambda b: b.net("POST", "/a").shown("status", "Saved"),
        lambda b: b.net("POST", "/a").shown("alert", "Saved").net("GET", "/rows").dom_removed("alert", ""),
        lambda b: b.dom_added("status", "Saved").dom_removed("status", "Saved"),
        lambda b: b.net("POST", "/a").dom_added("generic", "", "Saved  now").dom_removed("generic", ""),
        lambda b: b.event("dom.text", {"text": "Saved"}, ref="e9").event("dom.text", {"text": ""}, ref="e9"),
        lambda b: b.dom_added("note", "Saved").event("visible.shown", {"role": "region", "name": "Saved"}),
        lambda b: b.shown("status", "Saved").net("GET", "/@vite/x", 500),
    ],
)
def test_a_message_that_went_by_itself_was_there(toast: WindowStep) -> None:
    """
    A toast that is gone before the second look still told the user that it was saved.
    """
    seen = outcome(toast)
    assert (seen.held, seen.assertion) == (Held.YES, "text.present")
    assert seen.evidence[0]["gone"] is True


@pytest.mark.parametrize(
    ("sight", "fields", "held"),
    [
        ("none", {}, Held.NO),
        ("none", {"visible": True}, Held.NO),
        ("spoken", {}, Held.YES),
        ("spoken", {"visible": True}, Held.NO),
        (None, {"visible": True}, Held.YES),
    ],
)
def test_a_message_that_nobody_met_was_not_there(
    sight: str | None, fields: dict[str, bool], held: Held
) -> None:
    """
    White on white for three seconds tells nobody that it was saved; off the screen it tells who is read to.
    """
    told = {"role": "status", "text": "Saved", **({"sight": sight} if sight else {})}
    builder = WindowBuilder().click().text("Saved", there=False, before=True, **fields)
    builder.event("dom.added", told, ref="e9").dom_removed("status", "Saved")
    claim = {**SAVED, **fields}
    assert evaluate(parse(claim), builder.text("Saved", there=False, **fields).build()).held is held


@pytest.mark.parametrize(("sight", "held"), [("none", Held.NO), (None, Held.YES)])
def test_a_hidden_message_in_a_part_that_is_seen_was_not_there(sight: str | None, held: Held) -> None:
    """
    A part that was put in tells all its text; a message in it tells for itself whether anybody met it.
    """
    told = {"role": "alert", "text": "Hours are a number", **({"sight": sight} if sight else {})}
    claim = {"kind": "text", "contains": "Hours are a number"}
    builder = WindowBuilder().click().text("Hours are a number", there=False, before=True)
    builder.net("POST", "/time", 422)
    builder.event("dom.added", {"role": "generic", "text": "Net 112.50 Hours are a number Add"}, ref="e9")
    builder.event("visible.shown", told, ref="e10")
    assert evaluate(parse(claim), builder.text("Hours are a number", there=False).build()).held is held


def test_what_describes_a_field_is_read_out_and_not_seen() -> None:
    """
    The problem beside a field may not be displayed, while the field says that it is described by it.
    """
    for visible, held in ((True, Held.NO), (None, Held.YES)):
        fields = {} if visible is None else {"visible": visible}
        builder = WindowBuilder().click().text("Expired", there=False, before=True, **fields)
        builder.event("visible.shown", {"role": "textbox", "name": "Coupon", "text": "Expired"}, ref="e9")
        claim = {"kind": "text", "contains": "Expired", **fields}
        assert evaluate(parse(claim), builder.text("Expired", there=False, **fields).build()).held is held


def test_a_text_that_came_into_view_late_is_no_message() -> None:
    """
    A row that a class faded in and the next list no longer has was lost, not told and gone.
    """
    row = {"role": "row", "name": "Saved", "text": "Saved"}
    seen = outcome(
        lambda b: (
            b.event("dom.added", {**row, "sight": "none"}, ref="e9")
            .event("visible.shown", {**row, "sight": "seen"}, ref="e9")
            .net("GET", "/rows")
            .dom_removed("row", "Saved")
        )
    )
    assert seen.held is Held.NO
    assert "came between" in str(seen.failure)


@pytest.mark.parametrize(
    ("told", "held"), [("Saved", Held.YES), ("Saved twice", Held.NO), (None, Held.UNKNOWN)]
)
def test_a_text_that_stood_alone_and_went_is_told_from_a_part(told: str | None, held: Held) -> None:
    """
    "Saved" alone is met by a toast that said so, not by "Saved twice"; of two elements at once it is open.
    """
    fields = {"exact": True}
    builder = WindowBuilder().click().text("Saved", there=False, before=True, **fields)
    if told is None:
        builder.dom_added("group", "", "Order 7 Saved").dom_removed("group", "Order 7 Saved")
    else:
        builder.event("dom.text", {"text": told}, ref="e9").event("dom.text", {"text": ""}, ref="e9")
    claim = {**SAVED, **fields}
    assert evaluate(parse(claim), builder.text("Saved", there=False, **fields).build()).held is held


@pytest.mark.parametrize(
    "steps",
    [
        lambda b: b.net("POST", "/a", 409).shown("alert", "Saved").wait(700).dom_removed("alert", "Saved"),
        lambda b: b.uncaught("boom").shown("alert", "Saved").wait(700).dom_removed("alert", "Saved"),
    ],
)
def test_what_came_before_a_message_did_not_take_it_back(steps: WindowStep) -> None:
    """
    "Ines is counting this product" tells of the refusal that it follows, and goes by its own clock.
    """
    assert outcome(steps).held is Held.YES


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (lambda b: b.shown("status", "Saved").net("POST", "/a", 500), "POST /a 500"),
        (lambda b: b.shown("status", "Saved").uncaught("boom"), "uncaught error: boom"),
        (lambda b: b.shown("status", "Saved").shown("alert", "Failed"), 'the page then said "Failed"'),
        (lambda b: b.shown("status", "Saved").shown("textbox", ""), "a field was marked invalid"),
        (
            lambda b: b.dom_added("row", "Saved").net("GET", "/rows").dom_removed("row", "Saved"),
            "GET /rows 200 came between",
        ),
        (
            lambda b: b.dom_added("row", "Saved").net("GET", "/rows"),
            "its element was not seen to go by itself",
        ),
    ],
)
def test_a_claim_that_was_taken_back_does_not_hold(steps: WindowStep, why: str) -> None:
    """
    A failure, an error, or the server's next list undo what an optimistic page had shown.
    """
    seen = outcome(steps)
    assert (seen.held, seen.failure) == (Held.NO, f'text "Saved" came up and was taken back: {why}')


@pytest.mark.parametrize(
    "limit", [lambda b: b.loss("net"), lambda b: b.loss("*"), lambda b: b.pending("POST", "/a")]
)
def test_it_cannot_be_told_while_a_failure_may_be_hidden_or_to_come(limit: WindowStep) -> None:
    """
    A lost event or an open request may be the failure that took the claim back.
    """
    assert outcome(lambda b: limit(b.shown("status", "Saved"))).held is Held.UNKNOWN


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"not": SAVED}, Held.YES),
        ({**SAVED, "absent": True}, Held.YES),
        ({**SAVED, "visible": True}, Held.UNKNOWN),
        ({"allOf": [SAVED, {"kind": "net", "count": 0}]}, Held.YES),
        ({"anyOf": [{"kind": "signal", "name": "x"}, SAVED]}, Held.YES),
        ({"kind": "text", "contains": "saved"}, Held.UNKNOWN),
    ],
)
def test_only_the_claim_of_the_text_itself_is_met(claim: dict[str, object], expected: Held) -> None:
    """
    "It is not there" is about now; other texts, and what the page was not asked, are not met by the toast.
    """
    assert outcome(lambda b: b.shown("status", "Saved"), claim).held is expected


def toast_around_an_answer(
    before_answer_ms: int, after_answer_ms: int, *, begun_first: bool = True
) -> WindowStep:
    def step(b: WindowBuilder) -> WindowBuilder:
        if begun_first:
            b.pending("POST", "/a", id_="p")
        b.event("dom.text", {"text": "Saved"}, ref="e9")
        if not begun_first:
            b.pending("POST", "/a", id_="p")
        b.wait(before_answer_ms).answered("p", "POST", "/a")
        return b.wait(after_answer_ms).event("dom.text", {"text": ""}, ref="e9")

    return step


@pytest.mark.parametrize(
    ("step", "held"),
    [
        (toast_around_an_answer(0, 200), Held.YES),
        (toast_around_an_answer(100, 200), Held.NO),  # an optimistic text, until the answer came
        (toast_around_an_answer(0, 0), Held.NO),  # gone with the answer
        (toast_around_an_answer(0, 200, begun_first=False), Held.NO),  # sent after the text: not its reason
    ],
)
def test_an_answer_whose_body_is_read_behind_the_text_that_tells_of_it_took_nothing_back(
    step: WindowStep, held: Held
) -> None:
    """
    An app that says "Saved" on the status alone does so before the answer's body is read and reported.
    """
    assert outcome(step).held is held


def test_of_several_answers_the_nearest_to_the_end_is_named() -> None:
    """
    Who reads why a row went is led to the list that no longer had it, not to the write before.
    """

    def listed_anew(b: WindowBuilder) -> WindowBuilder:
        b.dom_added("row", "Saved").net("POST", "/a").net("GET", "/rows")
        return b.dom_removed("row", "Saved")

    seen = outcome(listed_anew)
    assert seen.failure == 'text "Saved" came up and was taken back: GET /rows 200 came between'


def test_without_an_action_a_text_is_there_or_not() -> None:
    """
    An assertion is about the page as it is, not about a toast of some time ago.
    """
    window = WindowBuilder().shown("status", "Saved").text("Saved", there=False).build()
    assert evaluate(parse(SAVED), window).held is Held.NO


def test_a_message_of_a_document_that_is_gone_does_not_count() -> None:
    """
    The page that said it was replaced; the new one has to say it.
    """
    assert outcome(lambda b: b.shown("status", "Saved").new_document().dom_added()).held is Held.NO
