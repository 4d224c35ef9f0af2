"""
Public faults of verifiers (field reports, area VD), as windows with the one right answer each.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.errors import Refusal
from reticle.model.limits import LONG_POLL_MS
from reticle.testing.windows import WindowBuilder, WindowStep

ERROR_SHOWN = {"kind": "text", "contains": "Could not save"}
ROW = {"kind": "text", "contains": "New row"}


def judged(builder: WindowBuilder, predicate: Mapping[str, object] | None) -> tuple[str, str]:
    decision = decide(None if predicate is None else parse(predicate), builder.build())
    return decision.verified.value, decision.reason.value


def test_vd01_the_observer_left_and_the_app_is_not_blamed() -> None:
    """
    A socket that died in the wait is unknown, without a pointer into the app.
    """
    builder = (
        WindowBuilder().click(source="app.js:1").text("Saved", there=False).connection_lost().budget_spent()
    )
    decision = decide(parse({"kind": "text", "contains": "Saved"}), builder.build())
    assert (decision.verified.value, decision.reason.value) == ("unknown", "observation_lost")
    assert decision.source is None


@pytest.mark.parametrize(
    ("claim", "blind"),
    [
        ({"kind": "net", "method": "POST", "count": 0}, lambda b: b.loss("net", where="ring")),
        ({"kind": "console", "level": "error", "absent": True}, lambda b: b.loss("*", where="flood")),
        (
            {"not": {"kind": "state", "path": "a"}},
            lambda b: b.answers({"kind": "state", "path": "a"}, {"found": False, "storeNames": []}),
        ),
        ({"kind": "net", "urlContains": "/report.pdf", "count": 0}, lambda b: b),
        (
            {"kind": "text", "contains": "Row 400", "absent": True},
            lambda b: b.text("Row 400", there=False).blind_spot("virtualized-unmounted", 980),
        ),
        (
            {"kind": "text", "contains": "Error", "absent": True},
            lambda b: b.text("Error", there=False).blind_spot("cross-origin-iframe"),
        ),
    ],
)
def test_vd03_absence_where_we_cannot_look_is_unknown(claim: dict[str, object], blind: WindowStep) -> None:
    """
    Evicted evidence, floods, missing stores, unwatched loads, unmounted rows, foreign frames: unknown.
    """
    assert judged(blind(WindowBuilder().dom_added()), claim)[0] == "unknown"


def optimistic() -> WindowBuilder:
    """
    A row that is added before its write fails.
    """
    builder = WindowBuilder().click().text("Could not save", there=False, before=True)
    return (
        builder.text("New row", there=False, before=True)
        .dom_added("listitem", "New row")
        .net("POST", "/api/rows", 500)
    )


def test_vd05a_an_app_that_takes_its_claim_back_is_right() -> None:
    """
    Row added, server 500, row removed, error shown, and the error was what was declared: yes.
    """
    builder = (
        optimistic()
        .dom_removed("listitem", "New row")
        .shown("alert", "Could not save")
        .text("Could not save")
    )
    assert judged(builder, ERROR_SHOWN) == ("yes", "proved")


def test_vd05b_an_app_that_keeps_its_claim_is_contradicted() -> None:
    """
    The row stays over a 500: no, and the 500 is cited.
    """
    decision = decide(parse(ROW), optimistic().text("New row").build())
    assert (decision.verified.value, decision.reason.value) == ("no", "contradicted")
    assert "POST /api/rows 500" in decision.because
    failed = decide(parse(ERROR_SHOWN), optimistic().text("Could not save", there=False).build())
    assert (failed.verified.value, failed.reason.value) == ("no", "assertion_failed")
    assert "POST /api/rows 500" in failed.because


def test_vd05c_a_slow_success_is_waited_for() -> None:
    """
    While the answer is out the verdict is open; when it came, it is yes.
    """
    builder = (
        WindowBuilder().click().text("New row", there=False, before=True).dom_added("listitem", "New row")
    )
    builder.text("New row").pending("POST", "/api/rows", id_="p1")
    assert judged(builder, ROW) == ("unknown", "evidence_incomplete")
    builder.wait(4_000).answered("p1", "POST", "/api/rows", 200, responseBody="{}")
    assert judged(builder, ROW) == ("yes", "proved")


@pytest.mark.parametrize("role", ["status", "alert"])
def test_vd05d_a_success_toast_over_a_500_is_a_no(role: str) -> None:
    """
    Even where the toast's text is what was declared, and whatever role the toast has.
    """
    builder = WindowBuilder().click().text("Saved", there=False, before=True).net("POST", "/api/rows", 500)
    builder.shown(role, "Saved").text("Saved")
    assert judged(builder, {"kind": "text", "contains": "Saved"}) == ("no", "contradicted")


def test_vd06_a_2xx_that_means_nothing_yet_or_the_wrong_thing() -> None:
    """
    202 is not done, a body can refute its status, a redirect and 204 and 304 are no failures.
    """
    shown = WindowBuilder().click().text("Saved", there=False, before=True).text("Saved")
    claim = {"kind": "text", "contains": "Saved"}
    accepted = shown.net("POST", "/api/jobs", 202, responseBody="{}").dom_added()
    assert judged(accepted, claim) == ("unknown", "outcome_pending")
    polled = accepted.net("GET", "/api/jobs/1", 200, responseBody='{"error": "worker died"}')
    assert judged(polled, claim) == ("no", "contradicted")
    for status in (204, 302, 304):
        fine = WindowBuilder().click().text("Saved", there=False, before=True).text("Saved")
        assert judged(fine.net("POST", "/api/rows", status).dom_added(), claim) == ("yes", "proved")


def test_vd06_a_beacon_or_an_opaque_answer_is_no_evidence_of_success() -> None:
    """
    A call whose answer nobody can see proves that it was made, not that it worked.
    """
    beacon = WindowBuilder().click().net("POST", "/count", None, initiator="beacon").dom_added()
    assert judged(beacon, {"kind": "net", "urlContains": "/count"}) == ("yes", "proved")
    assert judged(beacon, {"kind": "net", "urlContains": "/count", "ok": True}) == ("unknown", "inconclusive")


def test_vd08_a_page_that_is_never_quiet_is_judged_by_its_consequence() -> None:
    """
    A poll each 800 ms and an event stream do not veto; without a claim they are named.
    """
    builder = WindowBuilder().click().text("Saved", there=False, before=True)
    builder.event("net.stream", {"transport": "sse", "direction": "open", "id": "s1", "url": "/events"})
    for _ in range(3):
        builder.net("GET", "/api/poll?t=1").dom_added("listitem", "tick").wait(780)
    builder.text("Saved").dom_added().quiet(100)
    assert judged(builder, {"kind": "text", "contains": "Saved"}) == ("yes", "proved")
    bare = decide(None, builder.build())
    assert (bare.verified.value, bare.reason.value) == ("unknown", "unsettled")
    assert "GET /api/poll" in bare.because


def test_vd08_a_document_that_still_loads_is_not_settled() -> None:
    """
    A pause in the middle of a streamed page is not its end.
    """
    builder = WindowBuilder().click().pending("GET", "/report", initiator="document").dom_added().wait(1_000)
    assert judged(builder, None)[0] == "unknown"
    assert judged(builder, {"kind": "settled"})[1] != "nothing_declared"


@pytest.mark.parametrize(
    ("equals", "value", "verified"),
    [
        ([1, {"a": 2}], [1, {"a": 2}], "yes"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "yes"),
        ([1, 2], [2, 1], "no"),
        (1, "1", "no"),
        (0.3, 0.1 + 0.2, "no"),
        (None, None, "yes"),
        ("x" * 61_440, "[TRUNCATED]", "unknown"),
    ],
)
def test_vd10_comparison_is_structural_and_strict(equals: object, value: object, verified: str) -> None:
    """
    Lists, objects, types and cut values compare as a careful person would.
    """
    builder = WindowBuilder().dom_added().state("a", value)
    assert judged(builder, {"kind": "state", "path": "a", "equals": equals})[0] == verified


def test_vd11_a_consequence_just_after_the_budget_is_unknown_while_something_is_open() -> None:
    """
    No only if everything was over when time ran out.
    """
    claim = {"kind": "text", "contains": "Saved"}
    late = WindowBuilder().click().pending("POST", "/api/rows").text("Saved", there=False).budget_spent()
    assert judged(late, claim) == ("unknown", "inconclusive")
    over = (
        WindowBuilder()
        .click()
        .net("POST", "/api/rows", 200)
        .dom_added()
        .text("Saved", there=False)
        .budget_spent()
    )
    assert judged(over, claim) == ("no", "assertion_failed")


def test_vd11_a_button_without_a_visible_effect_is_not_called_dead() -> None:
    """
    It may have written to the clipboard: unknown, not no.
    """
    assert judged(WindowBuilder().click(), None) == ("unknown", "evidence_incomplete")


def test_a_form_post_that_leads_to_a_new_page_is_proved() -> None:
    """
    The standard server-rendered case: post, redirect, the new page shows the result.
    """
    builder = WindowBuilder().click().text("Thank you", there=False, before=True).at("/cart", before=True)
    builder.pending("POST", "/checkout", initiator="document").new_document()
    builder.answered("n1", "POST", "/checkout", 200, initiator="document", redirected=True)
    builder.text("Thank you").at("/orders/7")
    claim = {
        "allOf": [
            {"kind": "net", "method": "POST", "urlContains": "/checkout", "ok": True, "count": 1},
            {"kind": "route", "pathname": "/orders/7"},
            {"kind": "text", "contains": "Thank you"},
        ]
    }
    assert judged(builder, claim) == ("yes", "proved")


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "net", "method": "POST", "count": 0},
        {"kind": "console", "level": "error", "absent": True},
        {"not": {"kind": "signal", "name": "order.placed"}},
        {"kind": "text", "contains": "Error", "absent": True},
    ],
)
def test_vd03_an_absence_over_a_whole_watch_is_a_yes(claim: dict[str, object]) -> None:
    """
    Where the channel was watched all the time without loss, "it did not happen" is told.
    """
    builder = WindowBuilder().click().dom_added().text("Error", before=True).text("Error", there=False)
    assert judged(builder, claim) == ("yes", "proved")


def test_vd05_a_failure_that_was_declared_is_no_contradiction() -> None:
    """
    Who tests the error path names the 500, and gets a yes where the app shows it.
    """
    claim = {"allOf": [{"kind": "net", "method": "POST", "status": 500}, ERROR_SHOWN]}
    builder = optimistic().shown("alert", "Could not save").text("Could not save")
    assert judged(builder, claim) == ("yes", "proved")
    assert judged(optimistic().text("New row"), {"allOf": [ROW, {"kind": "net", "ok": False}]}) == (
        "yes",
        "proved",
    )


@pytest.mark.parametrize("error", ["Kunne ikke gemme", "Gat ekki vistað", "Không lưu được"])
def test_vd05_an_error_is_known_in_any_language_by_what_the_server_said(error: str) -> None:
    """
    A message that repeats the failed answer owns up to it, in languages that no word list has.
    """
    builder = WindowBuilder().click().text(error, there=False, before=True)
    builder.dom_added("listitem", "New row").net("POST", "/api/rows", 500, responseBody={"detail": error})
    builder.shown("alert", error).text(error)
    assert judged(builder, {"kind": "text", "contains": error}) == ("yes", "proved")


def test_vd06_an_echo_with_another_amount_is_a_no() -> None:
    """
    The server answered 200 and kept another sum than was sent.
    """
    builder = WindowBuilder().click().text("Saved", there=False, before=True)
    builder.net(
        "PUT", "/api/refunds/7", requestBody='{"amount": 4200}', responseBody='{"id": 7, "amount": 42}'
    )
    builder.dom_added().text("Saved")
    decision = decide(parse({"kind": "text", "contains": "Saved"}), builder.build())
    assert (decision.verified.value, decision.reason.value) == ("no", "contradicted")
    assert "was sent amount 4200, but its answer has amount 42" in decision.because


def test_vd06_a_search_that_echoes_its_question_is_no_write() -> None:
    """
    An echo mismatch is flagged only where something was written.
    """
    builder = WindowBuilder().click().text("2 results", there=False, before=True)
    builder.net("POST", "/api/search", requestBody='{"name": "tea"}', responseBody='{"id": 1, "name": "all"}')
    claim = {"kind": "text", "contains": "2 results"}
    assert judged(builder.dom_added().text("2 results"), claim) == ("yes", "proved")


def test_vd06_a_refund_that_is_off_by_a_hundred_is_a_no() -> None:
    """
    Every channel is green; the order was read as 4200 and 42 was sent.
    """
    builder = WindowBuilder().click().text("Refunded", there=False, before=True)
    builder.answered_before("GET", "/api/orders/7", responseBody='{"id": 7, "total": 4200}')
    builder.net("POST", "/api/orders/7/refund", 201, requestBody='{"amount": 42}', responseBody="{}")
    claim = {"kind": "text", "contains": "Refunded"}
    assert judged(builder.dom_added().text("Refunded"), claim) == ("no", "contradicted")


@pytest.mark.parametrize(
    "step",
    [
        lambda b: b.net("POST", "https://api.other/rows", None),
        lambda b: b.net("POST", "/api/rows", 0, aborted=True, error="AbortError"),
        lambda b: b.pending("POST", "/api/rows").new_document().dom_added(),
    ],
)
def test_vd06_an_opaque_or_cut_off_write_is_unknown(step: WindowStep) -> None:
    """
    Nobody knows whether it was done: opaque, aborted, or left behind by its page.
    """
    builder = WindowBuilder().click().text("Saved", there=False, before=True)
    claim = {"kind": "text", "contains": "Saved"}
    assert judged(step(builder).dom_added().text("Saved"), claim) == ("unknown", "outcome_unread")


def test_vd08_clocks_and_animations_do_not_keep_a_page_busy() -> None:
    """
    A ticking clock and an endless spinner are not activity.
    """
    builder = WindowBuilder().click().net("GET", "/api/a").dom_added()
    for second in range(4):
        builder.wait(300).event("dom.text", {"text": f"12:00:0{second}", "old": ""}, ref="e3")
        builder.animation("start", "spin").event("scroll.position", {"y": second})
    assert judged(builder.quiet(50), None) == ("unknown", "nothing_declared")


def test_vd08_endless_retries_to_a_dead_backend_are_named() -> None:
    """
    Without a claim nobody can say that it settled, and the sentence names what kept firing.
    """
    builder = WindowBuilder().click().dom_added()
    for age_ms in (1_440, 960, 480):
        builder.answered_before("GET", "/api/dead", 0, age_ms=age_ms, error="Failed to fetch")
    for _ in range(3):
        builder.net("GET", "/api/dead", 0, error="Failed to fetch").wait(460)
    bare = decide(None, builder.dom_added().quiet(100).build())
    assert (bare.verified.value, bare.reason.value) == ("unknown", "unsettled")
    assert "GET /api/dead" in bare.because


@pytest.mark.parametrize(
    ("count", "sent", "verified"),
    [(0, 0, "yes"), (0, 1, "no"), (1, 1, "yes"), (1, 2, "no"), (None, 2, "unknown")],
)
def test_vd10_a_count_is_exact_and_no_count_is_at_least_one(
    count: int | None, sent: int, verified: str
) -> None:
    """
    "Once" is not "at least once"; a double submit that no count forbids is a doubt of its own.
    """
    builder = WindowBuilder().click().dom_added()
    for _ in range(sent):
        builder.net("POST", "/api/rows", responseBody="{}").dom_added()
    claim = {"kind": "net", "method": "POST", **({} if count is None else {"count": count})}
    assert judged(builder, claim)[0] == verified


def test_vd10_a_cut_text_and_a_misspelt_field_are_never_compared() -> None:
    """
    60 KB that did not fit are unknown, and a field that is not in the grammar is refused with the right one.
    """
    builder = WindowBuilder().dom_added().net("GET", "/big", responseBody="x" * 8_192, bodyTruncated=True)
    assert judged(builder, {"kind": "net", "bodyContains": "end"}) == ("unknown", "inconclusive")
    with pytest.raises(Refusal) as refused:
        parse({"kind": "net", "urlContain": "/a"})
    assert refused.value.details["nearest"] == "urlContains"


@pytest.mark.parametrize(("at_ms", "verified"), [(3_950, "yes"), (4_050, "unknown")])
def test_vd11_a_consequence_about_the_budget_is_yes_before_it_and_unknown_after(
    at_ms: int, verified: str
) -> None:
    """
    50 ms before the budget's end it holds; 50 ms after it the write was still out: nobody's fault.
    """
    claim = {"kind": "text", "contains": "Saved"}
    builder = WindowBuilder().click().text("Saved", there=False, before=True).pending("POST", "/a", id_="1")
    if at_ms < 4_000:
        builder.wait(at_ms).answered("1", "POST", "/a", responseBody="{}").dom_added().text("Saved")
    else:
        builder.wait(4_000).text("Saved", there=False)
    assert judged(builder.quiet(0).budget_spent(), claim)[0] == verified


def test_vd11_a_click_that_only_opens_another_tab_is_not_called_dead() -> None:
    """
    What it did cannot be seen from here: the claim cannot be proved, and no fault is told.
    """
    bare = decide(None, WindowBuilder().click("Open report", source="a.js:1").build())
    assert (bare.verified.value, bare.source) == ("unknown", None)


def test_sn07_a_row_of_a_virtual_list_is_not_known_to_be_absent() -> None:
    """
    980 rows are not mounted; the one looked for may be among them.
    """
    claim = {"kind": "element", "text": "Row 400", "absent": True}
    builder = WindowBuilder().dom_added().element({"text": "Row 400"}, there=False)
    assert judged(builder.blind_spot("virtualized-unmounted", 980), claim) == (
        "unknown",
        "absence_blind_spot",
    )


def test_sn09_a_hidden_tab_does_not_veto_what_held_and_is_told() -> None:
    """
    Text, test id and role agree; a declared consequence is a yes although the page never idled.
    """
    builder = (
        WindowBuilder()
        .click()
        .event("page.health", {"hidden": True})
        .pending("GET", "/socket.io/?transport=polling")
    )
    builder.open_before("GET", "/poll", age_ms=LONG_POLL_MS)
    for query in ({"testid": "done"}, {"role": "status"}):
        builder.element(query, there=False, before=True).element(query)
    builder.text("Saved", there=False, before=True).text("Saved").dom_added()
    for claim in (
        {"kind": "text", "contains": "Saved"},
        {"kind": "element", "testid": "done"},
        {"kind": "element", "role": "status"},
    ):
        decision = decide(parse(claim), builder.build())
        assert decision.verified.value == "yes"
        assert "hidden tab" in decision.honesty.notes[0]
