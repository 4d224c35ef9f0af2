"""
The ladder: every rung, in its order, over windows written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import evaluate, parse
from reticle.model.codes import Grade
from reticle.model.verdict import Decision
from reticle.testing.windows import WindowBuilder, WindowStep

PLACED = {"kind": "text", "contains": "Order placed"}
POSTED = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1}


def judged(builder: WindowBuilder, predicate: Mapping[str, object] | None) -> tuple[str, str]:
    decision = decision_of(builder, predicate)
    return decision.verified.value, decision.reason.value


def decision_of(builder: WindowBuilder, predicate: Mapping[str, object] | None) -> Decision:
    return decide(None if predicate is None else parse(predicate), builder.build())


def checkout(status: int = 201) -> WindowBuilder:
    """
    A checkout whose text was not there before and is there afterwards.
    """
    builder = WindowBuilder().click(source="cart.html:7").text("Order placed", there=False, before=True)
    return builder.net("POST", "/api/orders", status, responseBody="{}").dom_added().text("Order placed")


def test_a_consequence_that_held_over_clean_evidence_is_proved() -> None:
    """
    The one way to yes: it held, nothing disagrees, nothing was lost.
    """
    decision = decision_of(checkout(), {"allOf": [PLACED, POSTED]})
    assert (decision.verified.value, decision.reason.value) == ("yes", "proved")
    assert decision.because == (
        'Held at grade net: text "Order placed", POST /api/orders 201, no more than 1, watched for 1020 ms.'
    )
    assert decision.source is None
    assert decision.honesty.grade is Grade.NET
    assert decision.honesty.clean
    assert decision.honesty.settled
    assert decision.findings == ()


def test_a_lost_page_outranks_everything() -> None:
    """
    An app is never blamed, nor praised, for a page that went away.
    """
    for builder in (checkout(), checkout(500), WindowBuilder().click()):
        decision = decision_of(builder.connection_lost(), PLACED)
        assert (decision.verified.value, decision.reason.value) == ("unknown", "observation_lost")
        assert decision.source is None
        assert not decision.honesty.clean


def test_a_claim_that_cannot_be_told_is_inconclusive() -> None:
    """
    A page that did not answer is unknown, and the sentence says why.
    """
    decision = decision_of(WindowBuilder().dom_added(), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "inconclusive")
    assert decision.because == 'It cannot be told whether text "Order placed" holds: the page was not asked.'


def test_a_claim_that_did_not_hold_is_a_no_with_the_control_as_source() -> None:
    """
    The failed request beside the failed claim is named, and the file and line of the control.
    """
    builder = WindowBuilder().click(source="cart.html:7").net("POST", "/api/orders", 402)
    builder.shown("alert", "Card declined").text("Order placed", there=False)
    decision = decision_of(builder, PLACED)
    assert (decision.verified.value, decision.reason.value) == ("no", "assertion_failed")
    assert decision.because == (
        'The declared consequence did not hold: text "Order placed" is not on the page; '
        "also found: POST /api/orders 402."
    )
    assert decision.source == "cart.html:7"


def test_a_no_while_a_request_is_open_is_not_yet_one() -> None:
    """
    Time that ran out while the server still worked is nobody's fault yet; an exceeded count is.
    """
    builder = WindowBuilder().click().pending("POST", "/api/orders").text("Order placed", there=False)
    decision = decision_of(builder.budget_spent(), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "inconclusive")
    assert "POST /api/orders was still in flight" in decision.because
    again = WindowBuilder().click().net("GET", "/api/rows").dom_added().wait(900).pending("GET", "/api/rows")
    assert judged(again.text("Order placed", there=False), PLACED) == ("unknown", "inconclusive")
    twice = WindowBuilder().click().net("POST", "/api/orders", 201).net("POST", "/api/orders", 201)
    assert judged(twice.pending("GET", "/slow"), POSTED) == ("no", "assertion_failed")


def test_a_contradiction_outranks_a_claim_that_held() -> None:
    """
    A lying toast is a no although its text is just what was declared.
    """
    decision = decision_of(checkout(500), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("no", "contradicted")
    assert decision.because == "Evidence contradicts: the page went on, but POST /api/orders 500."
    assert decision.source == "cart.html:7"


def test_a_throw_names_its_own_file() -> None:
    """
    Where the app threw is a better pointer than the button.
    """
    decision = decision_of(checkout().uncaught("boom", source="/src/cart.js", line=3), PLACED)
    assert (decision.verified.value, decision.source) == ("no", "/src/cart.js:3")


def test_missing_evidence_casts_doubt() -> None:
    """
    A double submit, or a write left hanging, is unknown even where the claim held.
    """
    doubled = checkout().net("POST", "/api/orders", 201, responseBody="{}")
    assert judged(doubled, PLACED) == ("unknown", "evidence_incomplete")
    assert judged(checkout().pending("POST", "/api/log"), PLACED) == ("unknown", "evidence_incomplete")


def test_an_open_read_may_still_be_the_failure() -> None:
    """
    An order that shows as placed while its totals are still fetched is not done: the fetch may fail.
    """
    decision = decision_of(checkout().pending("GET", "/api/totals"), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "outcome_pending")
    assert decision.because.startswith("It holds, but how GET /api/totals still in flight ends may")


@pytest.mark.parametrize(
    "lasting",
    [
        lambda b: b.pending("GET", "/__reload__/events/"),
        lambda b: b.pending("GET", "/socket.io/?transport=polling"),
        lambda b: b.open_before("GET", "/list"),
        lambda b: b.pending("GET", "/feed", id_="s").event("net.stream", {"id": "s", "direction": "in"}),
        lambda b: (
            b.answered_before("GET", "/poll", age_ms=3_000)
            .answered_before("GET", "/poll", age_ms=2_000)
            .answered_before("GET", "/poll", age_ms=1_000)
            .pending("GET", "/poll")
        ),
    ],
)
def test_a_read_that_is_meant_to_last_vetoes_nothing(lasting: WindowStep) -> None:
    """
    A page that polls or holds a stream open still gets its yes (field report VD-08).
    """
    builder = lasting(WindowBuilder().click()).text("Order placed", there=False, before=True)
    assert judged(builder.dom_added().text("Order placed"), PLACED) == ("yes", "proved")


def test_a_value_that_only_readings_show_refutes_nothing_happened() -> None:
    """
    A field whose value changed leaves no event, and is an effect all the same.
    """
    query = {"testid": "qty", "value": "2"}
    builder = WindowBuilder().click().element(query, there=False, before=True)
    assert judged(builder.element(query), {"kind": "element", "query": query}) == ("yes", "proved")


@pytest.mark.parametrize("spot", ["cross-origin-iframe", "closed-shadow-root", "virtualized-unmounted"])
@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "text", "contains": "Oops", "absent": True},
        {"not": {"kind": "text", "contains": "Oops"}},
        {"allOf": [PLACED, {"kind": "text", "contains": "Oops", "absent": True}]},
    ],
)
def test_an_absence_where_nobody_can_look_is_unknown(spot: str, claim: dict[str, object]) -> None:
    """
    "Not there" is only as good as the sight.
    """
    builder = checkout().text("Oops", there=False).text("Oops", before=True).blind_spot(spot, 2)
    decision = decision_of(builder, claim)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "absence_blind_spot")
    assert f"2 {spot}" in decision.because
    assert decision.honesty.partial
    assert judged(checkout().blind_spot(spot), PLACED) == ("yes", "proved")


def test_a_canvas_hides_texts_and_no_elements() -> None:
    """
    "No error text" is unknown where a canvas may show one; "no alert" is not, as there are none in a picture.
    """
    texts = checkout().text("Oops", there=False).text("Oops", before=True).blind_spot("canvas")
    gone = {"kind": "text", "contains": "Oops", "absent": True}
    assert judged(texts, {"allOf": [PLACED, gone]}) == ("unknown", "absence_blind_spot")
    query = {"role": "alert"}
    alerts = checkout().element(query, there=False).element(query, before=True).blind_spot("canvas")
    none = {"kind": "element", "query": query, "absent": True}
    assert judged(alerts, {"allOf": [PLACED, none]}) == ("yes", "proved")


def test_what_was_true_before_the_action_proves_nothing() -> None:
    """
    A text that stood there all along is unknown, unless something else is new.
    """
    builder = WindowBuilder().click().text("Order placed", before=True).text("Order placed")
    builder.net("POST", "/api/orders", 201, responseBody="{}").dom_added()
    assert judged(builder, PLACED) == ("unknown", "already_true")
    assert judged(builder, {"allOf": [PLACED, POSTED]}) == ("yes", "proved")
    assert judged(builder, {"allOf": [PLACED, {"kind": "settled"}]}) == ("unknown", "already_true")


@pytest.mark.parametrize("channel", ["*", "net", "error.uncaught", "signal"])
def test_lost_evidence_that_could_contradict_makes_unknown(channel: str) -> None:
    """
    A yes over a window that may have lost a failure would be a guess.
    """
    assert judged(checkout().loss(channel), PLACED) == ("unknown", "unclean_capture")


@pytest.mark.parametrize("channel", ["dom", "console", "storage.change", "state"])
def test_lost_evidence_that_matters_to_nothing_does_not_veto(channel: str) -> None:
    """
    A long list that overflowed the page's batch does not undo a proof that needs none of it.
    """
    decision = decision_of(checkout().loss(channel), PLACED)
    assert decision.verified.value == "yes"
    assert decision.honesty.issues == (f"5 {channel} events lost (ring)",)


@pytest.mark.parametrize("predicate", [None, {"kind": "settled"}])
def test_nothing_declared_is_never_a_pass(predicate: dict[str, object] | None) -> None:
    """
    A quiet page with nothing wrong is unknown; a fault in it is still a no.
    """
    assert judged(WindowBuilder().click().dom_added(), predicate) == ("unknown", "nothing_declared")
    assert judged(WindowBuilder().click().dom_added().quiet(100), predicate) == ("unknown", "unsettled")
    assert judged(WindowBuilder().click().uncaught("boom").quiet(100), predicate) == ("no", "contradicted")
    assert judged(WindowBuilder().click(), predicate) == ("unknown", "evidence_incomplete")


def test_who_claims_only_that_the_page_settles_is_told_that_it_proves_nothing() -> None:
    """
    The sentence is true of a caller who gave "settled" as well as of one who gave nothing.
    """
    assert decision_of(WindowBuilder().click().dom_added(), {"kind": "settled"}).because == (
        "The page settled and nothing disagrees, but settling alone proves nothing: "
        "name with until what must come of it."
    )


def test_settling_alone_does_not_satisfy_a_declared_alternative() -> None:
    """
    "Text or quiet" that holds by quiet alone is empty.
    """
    builder = WindowBuilder().click().dom_added().text("Order placed", there=False)
    assert judged(builder, {"anyOf": [PLACED, {"kind": "settled"}]}) == ("unknown", "vacuous_grade")


def test_accepted_is_not_done() -> None:
    """
    A 202 leaves the outcome open, unless the 202 itself was declared.
    """
    assert judged(checkout(202), PLACED) == ("unknown", "outcome_pending")
    declared = {"allOf": [PLACED, {"kind": "net", "method": "POST", "status": 202}]}
    assert judged(checkout(202), declared) == ("yes", "proved")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"responseSize": 20}, "outcome_unread"),
        ({"responseSize": 20, "contentType": "application/json"}, "outcome_unread"),
        ({"responseSize": 20, "contentType": "image/png"}, "proved"),
        ({"responseSize": 0}, "proved"),
        ({"responseSize": 20, "responseBody": "{}"}, "proved"),
    ],
)
def test_a_writes_answer_must_have_been_read(fields: dict[str, object], reason: str) -> None:
    """
    A body that nobody recorded may say that it failed.
    """
    builder = WindowBuilder().click().text("Order placed", there=False, before=True)
    builder.net("POST", "/api/orders", 201, **fields).dom_added().text("Order placed")
    assert judged(builder, PLACED)[1] == reason


def test_an_absence_needs_a_page_that_is_done() -> None:
    """
    "No error" while a write is in flight is too early.
    """
    claim = {"kind": "console", "level": "error", "absent": True}
    slow = WindowBuilder().click().console("log", "x").open_before("GET", "/a")
    assert judged(slow, claim) == ("unknown", "unsettled")
    assert judged(WindowBuilder().click().console("log", "x"), claim) == ("yes", "proved")


def test_a_decision_is_a_function_of_its_window() -> None:
    """
    The same window gives the same decision, with the outcome handed in or not.
    """
    window = checkout().build()
    predicate = parse(PLACED)
    assert decide(predicate, window) == decide(predicate, window, outcome=evaluate(predicate, window))


def test_a_write_that_cannot_be_read_is_no_yes() -> None:
    """
    An opaque write may have failed: unknown, unless the claim reads back what the server holds.
    """
    builder = WindowBuilder().click().text("Order placed", there=False, before=True)
    builder.net("POST", "https://api.other/orders", None).dom_added().text("Order placed")
    decision = decision_of(builder, PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "outcome_unread")
    assert decision.because == (
        "What the server answered to a write could not be read: "
        "POST https://api.other/orders with an answer that could not be read."
    )
    builder.net("GET", "/api/orders", responseBody='[{"id": 7}]')
    read_back = {"kind": "net", "method": "GET", "urlContains": "/api/orders", "bodyContains": '"id": 7'}
    assert judged(builder, {"allOf": [PLACED, read_back]}) == ("yes", "proved")


def test_a_write_that_is_still_out_is_not_done() -> None:
    """
    Nothing moved and the text was read: the answer may still be an error.
    """
    builder = WindowBuilder().click().text("Order placed", there=False, before=True).text("Order placed")
    decision = decision_of(builder.pending("POST", "/api/orders"), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "outcome_pending")
    assert decision.because.startswith("Sent is not done: POST /api/orders still in flight")


def test_a_toast_that_expired_is_a_yes_and_one_that_was_taken_back_a_no() -> None:
    """
    A message shorter than the watch is no retraction.
    """
    builder = WindowBuilder().click().text("Order placed", there=False, before=True)
    builder.net("POST", "/api/orders", 201, responseBody="{}").shown("status", "Order placed")
    builder.dom_removed("status", "").text("Order placed", there=False)
    decision = decision_of(builder, PLACED)
    assert (decision.verified.value, decision.reason.value) == ("yes", "proved")
    assert 'text "Order placed", shown and gone by itself' in decision.because
    taken = builder.shown("alert", "Payment failed")
    decision = decision_of(taken, PLACED)
    assert (decision.verified.value, decision.reason.value) == ("no", "assertion_failed")
    assert 'the page then said "Payment failed"' in decision.because


def test_a_poll_that_failed_before_the_action_is_not_its_fault() -> None:
    """
    A broken background poll neither accuses an order nor hides a failure that is new.
    """

    def polled(*ages: int, status: int = 500) -> WindowBuilder:
        builder = checkout().wait(100).net("GET", "/api/inbox", 500)
        for age in ages:
            builder.answered_before("GET", "/api/inbox", status, age_ms=age)
        return builder

    assert judged(polled(14_850, 9_850, 4_850), PLACED) == ("yes", "proved")
    assert judged(polled(300), PLACED) == ("unknown", "evidence_incomplete")
    assert judged(polled(300, status=200), PLACED) == ("no", "contradicted")
    assert judged(polled(), PLACED) == ("no", "contradicted")


def test_a_read_that_is_tried_again_at_an_even_pace_has_failed() -> None:
    """
    An order whose totals could not be fetched, three times a second apart, is no pass, whatever was fetched
    before; nor is the one failure of a button that was pressed each second.
    """

    def ordered(*tries: int) -> WindowBuilder:
        builder = checkout()
        for pause in tries:
            builder.net("GET", "/api/totals", 500).wait(pause)
        return builder

    assert judged(ordered(990, 990, 990), PLACED) == ("no", "contradicted")
    loaded = ordered(990, 990).answered_before("GET", "/api/totals", age_ms=980)
    assert judged(loaded, PLACED) == ("no", "contradicted")
    pressed = ordered(0)
    for age_ms in (4_000, 3_000, 2_000, 1_000):
        pressed.acted_before(age_ms=age_ms + 10).answered_before("GET", "/api/totals", age_ms=age_ms)
    assert judged(pressed, PLACED) == ("no", "contradicted")


def test_a_read_whose_answer_breaks_off_has_failed() -> None:
    """
    Totals of which only the beginning came are no totals; a read that the app itself broke off is no failure.
    """
    decision = decision_of(checkout().net("GET", "/api/totals", responseBody="{", bodyBroken=True), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("no", "contradicted")
    assert "GET /api/totals 200, whose body broke off" in decision.because
    aborted = checkout().net("GET", "/api/totals", responseBody="{", aborted=True)
    assert judged(aborted, PLACED) == ("yes", "proved")


def test_a_list_that_is_read_after_each_step_is_no_long_poll() -> None:
    """
    Steps in quick succession ask again as soon as they are answered: the last one's failure is a failure.
    """
    stepped = checkout().net("GET", "/api/cart", 500)
    for age_ms in (600, 450, 300, 150):
        stepped.answered_before("GET", "/api/cart", age_ms=age_ms, durationMs=50)
    assert judged(stepped, PLACED) == ("no", "contradicted")


def test_what_did_not_happen_on_a_hidden_page_may_still_come() -> None:
    """
    A browser stops frames in a hidden tab: without any reaction nothing can be told; with one it can.
    """
    missing = WindowBuilder().click().net("GET", "/api/a").text("Order placed", there=False)
    assert judged(missing, PLACED) == ("no", "assertion_failed")
    decision = decision_of(missing.hidden(), PLACED)
    assert (decision.verified.value, decision.reason.value) == ("unknown", "inconclusive")
    assert "hidden tab" in decision.because
    assert decision.honesty.notes == (
        "the page is in a hidden tab, where browsers stop frames and slow timers",
    )
    assert decision.honesty.clean
    assert judged(missing.dom_added(), PLACED) == ("no", "assertion_failed")
    assert judged(missing.silent(20_000), PLACED) == ("unknown", "inconclusive")
    failed = WindowBuilder().click().net("POST", "/api/a", 500).text("Order placed", there=False).hidden()
    assert judged(failed, PLACED) == ("no", "assertion_failed")


def test_a_consequence_that_held_on_a_hidden_page_is_proved_and_an_absence_is_not() -> None:
    """
    SN-09: what was seen was seen; what was not may be late.
    """
    decision = decision_of(checkout().hidden(), PLACED)
    assert (decision.verified.value, decision.honesty.notes[0][:29]) == (
        "yes",
        "the page is in a hidden tab, ",
    )
    absent = {"kind": "console", "level": "error", "absent": True}
    assert judged(WindowBuilder().click().dom_added().hidden(), absent) == ("unknown", "unsettled")


def test_churn_that_made_room_is_noted_and_sampling_impeaches() -> None:
    """
    Heartbeats are nobody's evidence; a sampled stream may have dropped anything.
    """
    churned = decision_of(checkout().loss("page.health"), PLACED)
    assert (churned.verified.value, churned.honesty.clean) == ("yes", True)
    assert churned.honesty.notes == ("5 page.health events lost (ring)",)
    sampled = decision_of(checkout().blind_spot("rate-limited", 40), PLACED)
    assert (sampled.reason.value, sampled.honesty.clean) == ("unclean_capture", False)


@pytest.mark.parametrize("channel", ["route", "edit.applied"])
def test_a_lost_route_or_hot_update_may_have_contradicted(channel: str) -> None:
    """
    "Nothing was rendered" and "other code ran" would be known from just these events.
    """
    assert judged(checkout().loss(channel), PLACED) == ("unknown", "unclean_capture")
