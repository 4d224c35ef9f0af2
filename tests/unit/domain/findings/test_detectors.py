"""
Each detector: where it fires, where it is held back, and the near miss where it must stay silent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest

from reticle.domain.capture import BLIND_SPOTS
from reticle.domain.findings import DETECTORS, find_all
from reticle.domain.predicate import parse
from reticle.model.browser import Attestation
from reticle.model.codes import VerifiedReason
from reticle.model.ids import BrowserLeaseId
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep

DOCS = Path(__file__).resolve().parents[4] / "docs"
PAGE = "".join(
    (DOCS / name).read_text(encoding="utf-8") for name in ("reference/verdicts.md", "explanation/verdict.md")
)
OBSERVED, ABSENCE = FindingTier.OBSERVED, FindingTier.ABSENCE


def kinds(builder: WindowBuilder, predicate: Mapping[str, object] | None = None) -> list[str]:
    return [finding.kind for finding in found(builder, predicate)]


def found(builder: WindowBuilder, predicate: Mapping[str, object] | None = None) -> tuple[Finding, ...]:
    return find_all(builder.build(), None if predicate is None else parse(predicate))


def failing(status: int = 500, **fields: object) -> WindowBuilder:
    return WindowBuilder().click().net("POST", "/api/orders", status, **fields)


# --- ui-advanced-request-failed ------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        lambda b: b.dom_added(),
        lambda b: b.shown("status", "Saved"),
        lambda b: b.route("/done"),
        lambda b: b.state_change("cart.count", 2, 1),
        lambda b: b.event("dom.attr", {"attr": "class", "value": "open", "old": ""}),
        lambda b: b.event("dom.text", {"text": "3", "old": "2"}),
        lambda b: b.loss("dom"),
    ],
)
def test_a_page_that_goes_on_over_a_failed_request_is_found(move: WindowStep) -> None:
    """
    A silent 500 under a healthy screen is observed, whatever way the screen moved.
    """
    (finding,) = found(move(failing()))
    assert (finding.kind, finding.tier) == ("ui-advanced-request-failed", OBSERVED)
    assert finding.counter == "POST /api/orders 500"
    assert finding.detail == {"method": "POST", "url": "/api/orders", "status": 500}


@pytest.mark.parametrize(
    "own_up",
    [
        lambda b: b.event("dom.attr", {"attr": "aria-invalid", "value": "true", "old": None}),
        lambda b: b.shown("textbox", ""),
        lambda b: b.dom_added("paragraph", "Bestellung fehlgeschlagen"),
        lambda b: b.event("dom.text", {"text": "注文に失敗しました", "old": ""}),
        lambda b: b.dom_added("status", "Kortet avvisades"),
        lambda b: b.event("dom.text", {"text": "Error 402", "old": ""}),
        lambda b: b.signal("order.failed"),
        lambda b: b.state_change("checkout.error", "boom", None),
        lambda b: b.state_change("message", "Kortet avvisades", None),
    ],
)
def test_a_failure_that_is_owned_up_to_is_no_contradiction(own_up: WindowStep) -> None:
    """
    An app that shows the failure, in any language or way, is not accused of hiding it.
    """
    assert kinds(own_up(failing(402, responseBody='{"detail": "Kortet avvisades"}').dom_added())) == []


def test_a_read_that_was_tried_again_is_not_a_poll() -> None:
    """
    Retries with growing pauses, as query libraries make them, hide no failure.
    """
    builder = WindowBuilder().click().net("GET", "/api/cart", 500).wait(1_000).net("GET", "/api/cart", 500)
    builder.wait(2_000).net("GET", "/api/cart", 500).dom_added()
    assert set(kinds(builder)) == {"ui-advanced-request-failed"}


@pytest.mark.parametrize(
    "toast",
    [
        lambda b: b.shown("alert", "Order placed!"),
        lambda b: b.shown("status", "Gespeichert"),
        lambda b: b.dom_added("alert", ""),
        lambda b: b.event("dom.attr", {"attr": "aria-invalid", "value": "false", "old": "true"}),
        lambda b: b.state_change("checkout.error", None, "boom"),
        lambda b: b.state_change("checkout.errors", {}, {"card": "declined"}),
        lambda b: b.dom_added("paragraph", "Order 512"),
        lambda b: b.dom_added("paragraph", "Order 500 saved"),
        lambda b: b.dom_added("textbox", "Name (required)"),
        lambda b: b.shown("alert", "Sipariş kaydedildi"),
    ],
)
def test_a_lying_toast_owns_up_to_nothing(toast: WindowStep) -> None:
    """
    A success message over a failure is the contradiction, not its acknowledgement.
    """
    assert kinds(toast(failing())) == ["ui-advanced-request-failed"]


@pytest.mark.parametrize("text", ["Něco se pokazilo", "Vše je v pořádku", ""])
def test_an_alert_that_is_not_understood_neither_accuses_nor_acquits(text: str) -> None:
    """
    An alert in other words may be the error or a success toast: the verdict is unknown, with the way out.
    """
    (finding,) = found(failing().shown("alert", text).dom_added())
    assert (finding.kind, finding.tier) == ("ui-advanced-request-failed", ABSENCE)
    assert finding.counter.endswith('if the failure is meant, join {"kind": "net", "ok": false} to the claim')


@pytest.mark.parametrize(
    ("sent", "answer", "text"),
    [
        ('{"title": "Buy milk"}', '{"code": "E1", "input": {"title": "Buy milk"}}', "Buy milk"),
        ("title=Buy+more+milk", '{"input": "Buy more milk"}', "Buy more milk"),
        (None, f"<html>Traceback {'x ' * 200} 'Your order is placed'</html>", "Your order is placed"),
        (None, "no such table: Done", "Done"),
    ],
)  # fmt: skip
def test_what_the_page_shows_by_chance_is_no_quotation(sent: str | None, answer: str, text: str) -> None:
    """
    An optimistic row that the failed answer repeats, or a word of a debug page, owns up to nothing.
    """
    builder = failing(responseBody=answer, requestBody=sent).dom_added("listitem", text)
    assert kinds(builder) == ["ui-advanced-request-failed"]


@pytest.mark.parametrize(("last", "expected"), [(201, []), (500, ["ui-advanced-request-failed"] * 3)])
def test_a_call_that_succeeds_in_the_end_has_not_failed(last: int, expected: list[str]) -> None:
    """
    An app that tries again until it succeeds is not accused of its first attempts.
    """
    builder = (
        failing(503).wait(100).net("POST", "/api/orders", 503).wait(100).net("POST", "/api/orders", last)
    )
    assert kinds(builder.dom_added("status", "Done")) == expected


def test_a_failed_document_is_found_although_it_reports_no_change() -> None:
    """
    A form post that is answered 500 leads to a new page, and that is movement enough.
    """
    builder = WindowBuilder().click().pending("POST", "/orders", initiator="document").new_document()
    builder.answered("n1", "POST", "/orders", 500, initiator="document")
    assert kinds(builder) == ["ui-advanced-request-failed"]


def test_an_error_that_was_shown_before_the_request_owns_up_to_nothing() -> None:
    """
    An old error message says nothing about the new failure.
    """
    builder = WindowBuilder().click().shown("alert", "Invalid e-mail").net("POST", "/api/orders", 500)
    assert kinds(builder.dom_added()) == ["ui-advanced-request-failed"]


@pytest.mark.parametrize("claim", [{"status": 500}, {"ok": False}, {"method": "POST", "status": 500}])
def test_a_declared_failure_is_expected(claim: dict[str, object]) -> None:
    """
    Who says beforehand that the request fails is not contradicted by its failing.
    """
    predicate = {"allOf": [{"kind": "net", **claim}, {"kind": "settled"}]}
    assert kinds(failing().dom_added(), predicate) == []
    assert kinds(failing().dom_added(), {"not": {"kind": "net", **claim}}) == ["ui-advanced-request-failed"]
    other = {"kind": "net", "urlContains": "/other", **claim}
    assert kinds(failing().dom_added(), other) == ["ui-advanced-request-failed"]


CHECKED = {"kind": "element", "role": "checkbox", "name": "Mail", "state": "checked"}


def matched(*, there: bool) -> dict[str, object]:
    return {"matched": there, "count": int(there), "candidates": 1, "perceivable": there, "elements": []}


@pytest.mark.parametrize(
    ("before", "after", "claim", "expected"),
    [
        (False, True, CHECKED, ["ui-advanced-request-failed"]),
        (False, True, {"allOf": [CHECKED, {"kind": "settled"}]}, ["ui-advanced-request-failed"]),
        (True, True, CHECKED, []),
        (False, False, CHECKED, []),
        (False, True, {"not": CHECKED}, []),
        (True, False, {**CHECKED, "absent": True}, []),
    ],
)
def test_a_claim_that_came_true_on_the_page_is_progress(
    *, before: bool, after: bool, claim: dict[str, object], expected: list[str]
) -> None:
    """
    A box that is checked over a PATCH that failed lies like a toast, although no node of the page changed.
    """
    builder = failing().answers(CHECKED, matched(there=before), before=True)
    builder.answers(CHECKED, matched(there=after))
    assert kinds(builder, claim) == expected


@pytest.mark.parametrize(
    ("method", "checked", "claim", "expected"),
    [
        ("PATCH", True, CHECKED, ["ui-advanced-request-failed"]),
        ("PATCH", False, CHECKED, []),
        ("GET", True, CHECKED, []),
        ("PATCH", True, {"allOf": [CHECKED, {"kind": "net", "ok": False}]}, []),
        ("PATCH", True, {"kind": "settled"}, []),
    ],
)
def test_a_look_after_a_write_that_failed_unnoticed_is_in_doubt(
    method: str, *, checked: bool, claim: dict[str, object], expected: list[str]
) -> None:
    """
    Who looks only after the act knows no before: a failed write under a still page is not passed over.
    """
    builder = WindowBuilder().net(method, "/api/mail", 500).answers(CHECKED, matched(there=checked))
    findings = found(builder, claim)
    assert [finding.kind for finding in findings] == expected
    assert all(finding.tier is ABSENCE for finding in findings)


def test_what_was_taken_back_is_no_progress() -> None:
    """
    An optimistic row that is removed again, and a button that is enabled again, claim nothing.
    """
    builder = (
        WindowBuilder().click().event("dom.attr", {"attr": "disabled", "value": "", "old": None}, ref="e1")
    )
    builder.dom_added("listitem", "New").net("POST", "/api/orders", 500).dom_removed("listitem", "New")
    builder.event("dom.attr", {"attr": "disabled", "value": None, "old": ""}, ref="e1")
    assert kinds(builder) == []


@pytest.mark.parametrize(
    "harmless",
    [
        lambda b: b.net("POST", "/api/orders", 302),
        lambda b: b.net("GET", "/@vite/ping", 500),
        lambda b: b.net("POST", "https://o1.ingest.sentry.io/api", 429),
        lambda b: b.net("POST", "/beacon", 500, initiator="beacon"),
        lambda b: b.net("GET", "/api/orders", 0, aborted=True, error="AbortError"),
        lambda b: (
            [b.answered_before("GET", f"/poll?t={n}", age_ms=n * 800) for n in (3, 2, 1)]
            and b.net("GET", "/poll?t=4", 500)
        ),
        lambda b: b.open_before("POST", "/api/old").answered("old1", "POST", "/api/old", 500),
    ],
)
def test_failures_that_are_not_the_apps_are_left_out(harmless: WindowStep) -> None:
    """
    Redirects, tooling, telemetry, aborts, polls and what came before the action accuse nobody.
    """
    assert kinds(harmless(WindowBuilder().click()).dom_added().shown("status", "ok")) == []


def test_a_document_that_answers_4xx_shows_itself() -> None:
    """
    A re-rendered form with errors is an answer; a server error behind a form post is a fault.
    """
    for status, expected in ((422, []), (500, ["ui-advanced-request-failed"])):
        builder = WindowBuilder().click().pending("POST", "/orders", initiator="document").new_document()
        builder.answered("n9", "POST", "/orders", status, initiator="document").dom_added()
        assert kinds(builder) == expected


def test_an_address_that_answers_4xx_proves_no_arrival_by_itself() -> None:
    """
    A link that leads to "not found" is doubted, unless the claim says what is shown there, or that it fails.
    """
    arrived = {"kind": "route", "pathname": "/gone"}
    builder = (
        WindowBuilder().click().net("GET", "/gone", 404, initiator="document").new_document().at("/gone")
    )
    (finding,) = found(builder, arrived)
    assert (finding.kind, finding.tier) == ("ui-advanced-request-failed", ABSENCE)
    assert "GET /gone 404: it may show an error" in finding.counter
    shown = {"kind": "text", "contains": "There is no such page"}
    failing = {"kind": "net", "urlContains": "/gone", "status": 404}
    for more in (shown, failing):
        assert kinds(builder, {"allOf": [arrived, more]}) == []
    fine = WindowBuilder().click().net("GET", "/here", 200, initiator="document").new_document().at("/here")
    assert kinds(fine, {"kind": "route", "pathname": "/here"}) == []


# --- signal-contradicted -------------------------------------------------------------------------


def test_a_success_signal_over_a_failed_request_is_found_once() -> None:
    """
    The app says "placed", the server said 500: one finding, not two.
    """
    (finding,) = found(failing().dom_added().signal("order.placed", {"id": 1}))
    assert (finding.kind, finding.tier) == ("signal-contradicted", OBSERVED)
    assert finding.claim == "signal 'order.placed'"


@pytest.mark.parametrize("name", ["order.failed", "orderRejected", "checkout.started", "form.submitted"])
def test_a_signal_that_claims_no_success_contradicts_nothing(name: str) -> None:
    """
    Signals about a failure or a beginning are true over a failed request.
    """
    assert "signal-contradicted" not in kinds(failing().signal(name))


def test_a_signal_from_before_the_request_is_not_about_it() -> None:
    """
    A success announced earlier belongs to something else.
    """
    assert kinds(WindowBuilder().click().signal("cart.saved").net("POST", "/api/orders", 500)) == []


# --- partial-failure-in-ok-response --------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        '{"ok": false}',
        '{"success": false, "data": {}}',
        '{"error": "card declined"}',
        '{"errors": [{"message": "x"}], "data": null}',
        '{"results": [{"id": 1}, {"id": 2, "error": "gone"}]}',
        {"failureReason": "stock"},
        '{"status": "fail", "data": {"card": "declined"}}',
        '[{"id": 1}, {"error": "gone"}]',
        '{"data": {"orderCreate": {"order": null, "userErrors": [{"message": "no stock"}]}}}',
        '{"Success": false}',
        '{"isSuccess": false}',
        '{"success": "false"}',
        '{"ok": 0}',
        '{"hasErrors": true}',
        '{"errno": 13}',
        '{"error_code": "E42"}',
        '{"exception": "ValueError"}',
        '{"status": 422, "title": "Unprocessable"}',
        '{"code": 500, "msg": "no"}',
        '{"statusCode": 404, "message": "Not Found"}',
        '{"result": "KO"}',
        '{"state": "failed"}',
        '{"status": "declined"}',
        '{"succeeded": 2, "failed": 1}',
        '{"responses": [{"status": 201}, {"status": 409}]}',
        '{"result": {"ok": false}}',
        "ERROR: could not save",
        "Failed to save the order",
        "Could not save",
        "<html><head><title>500 Internal Server Error</title></head></html>",
    ],
)
def test_a_failure_inside_an_ok_answer_is_found(body: object) -> None:
    """
    Status 200 with a body that says it failed is not a success.
    """
    (finding,) = found(WindowBuilder().click().net("POST", "/api/orders", 200, responseBody=body).dom_added())
    assert (finding.kind, finding.tier) == ("partial-failure-in-ok-response", OBSERVED)


@pytest.mark.parametrize(
    "body",
    [
        '{"ok": true, "error": null, "errors": []}',
        '{"error": ""}',
        '{"error": "[REDACTED]"}',
        "<p>error</p>",
        '["error"]',
        '{"status": "done", "data": {"orderCreate": {"userErrors": []}}}',
        '{"message": "error"}',
        '{"errno": 0, "errcode": "0", "errmsg": "ok"}',
        '{"errorCode": "0000", "message": "ok"}',
        '{"status": 200, "title": "Mug"}',
        '{"status": 404}',
        '{"code": 450, "price": 7}',
        '{"errorCount": 3, "id": 7}',
        '{"success": 0, "failed": 0}',
        '{"failed": 2, "passed": 5}',
        '{"succeeded": 3, "failed": 0}',
        '{"state": "pending"}',
        '{"results": [{"status": "failed_payments"}, {"status": 200}]}',
        "Errors are kept in the log",
        "saved: no error",
        "Failed logins: 3",
        "<html><head><title>Terrors of the night</title></head></html>",
        "<p>Error: name is missing</p>",
        "",
        None,
    ],
)
def test_an_ok_answer_without_a_failure_is_left_alone(body: object) -> None:
    """
    Empty error fields, placeholders and other documents report no failure.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 200, responseBody=body).dom_added()
    assert kinds(builder) == []


def test_a_refusal_that_the_request_asked_for_is_no_failure() -> None:
    """
    Who rejects an offer is answered that it is rejected.
    """
    asked = (
        WindowBuilder().click().net("POST", "/offers/7/reject", 200, responseBody='{"status": "rejected"}')
    )
    assert kinds(asked.dom_added()) == []
    sent = WindowBuilder().click()
    sent.net("PUT", "/offers/7", 200, requestBody='{"to": "denied"}', responseBody='{"state": "denied"}')
    assert kinds(sent.dom_added()) == []


def test_history_that_was_merely_read_is_no_failure() -> None:
    """
    A list of past jobs, one of which failed, is not a failed read.
    """
    bodies = (
        '{"items": [{"error": "old"}]}',
        '{"status": 404, "message": "x"}',
        '{"state": "failed"}',
        '{"errno": 3}',
    )
    for body in bodies:
        read = WindowBuilder().click().net("GET", "/api/jobs", 200, responseBody=body).dom_added()
        assert kinds(read) == []


def test_a_reported_failure_that_was_declared_or_shown_is_no_contradiction() -> None:
    """
    A validation error that the page shows, or that the claim names, is as it should be.
    """
    builder = WindowBuilder().click().net("POST", "/a", 200, responseBody='{"error": "Name is taken"}')
    assert kinds(builder, {"kind": "net", "bodyContains": "taken"}) == ["response-ignored"]
    assert kinds(builder.dom_added("paragraph", "Name is taken")) == []


# --- uncaught-error ------------------------------------------------------------------------------


def test_an_uncaught_error_is_found_with_its_source() -> None:
    """
    A throw in the window contradicts a claim of success and names file and line.
    """
    (finding,) = found(WindowBuilder().click().uncaught("x is undefined", source="/src/cart.js", line=42))
    assert (finding.kind, finding.tier, finding.source) == ("uncaught-error", OBSERVED, "/src/cart.js:42")
    assert finding.counter == "uncaught error: x is undefined"
    for source, line in (("/static/order.js:8:66", 8), ("/src/cart.js:42", 42), ("/src/cart.js", None)):
        (known,) = found(WindowBuilder().click().uncaught("x is undefined", source=source, line=line))
        assert known.source == source
    (rejection,) = found(WindowBuilder().click().uncaught("no", kind="unhandledrejection"))
    assert rejection.counter == "unhandled rejection: no"


@pytest.mark.parametrize(
    ("message", "source"),
    [
        ("ResizeObserver loop completed with undelivered notifications.", ""),
        ("AbortError: The operation was aborted", ""),
        ("boom", "chrome-extension://abc/x.js"),
    ],
)
def test_errors_without_a_victim_are_left_out(message: str, source: str) -> None:
    """
    Browser notices, aborted requests and extensions are not the app's faults.
    """
    assert kinds(WindowBuilder().click().uncaught(message, source=source)) == []


def test_a_fetch_cut_off_by_leaving_the_page_is_no_fault() -> None:
    """
    The same message in the page that stays is one.
    """
    cut = WindowBuilder().click().uncaught("TypeError: Failed to fetch").new_document().dom_added()
    assert kinds(cut) == []
    assert kinds(WindowBuilder().click().uncaught("TypeError: Failed to fetch")) == ["uncaught-error"]


def test_a_strangers_error_only_casts_doubt() -> None:
    """
    "Script error." may come of another origin's script: unknown, not no.
    """
    (finding,) = found(WindowBuilder().click().uncaught("Script error."))
    assert finding.tier is ABSENCE


def test_a_declared_error_is_expected() -> None:
    """
    Who claims that the console shows this error is not contradicted by it.
    """
    claim = {"kind": "console", "level": "error", "contains": "boom"}
    assert kinds(WindowBuilder().click().uncaught("boom"), claim) == []
    assert kinds(WindowBuilder().click().uncaught("bang"), claim) == ["uncaught-error"]
    assert kinds(WindowBuilder().click().console("error", "boom")) == []


# --- duplicate-request ---------------------------------------------------------------------------


def test_the_same_write_twice_is_found() -> None:
    """
    A double submit casts doubt on a claim that holds.
    """
    builder = WindowBuilder().click()
    builder.net("POST", "/api/orders", 201, requestBody='{"a":1}').net(
        "POST", "/api/orders", 201, requestBody='{"a":1}'
    )
    (finding,) = found(builder.dom_added())
    assert (finding.kind, finding.tier, finding.detail["times"]) == ("duplicate-request", ABSENCE, 2)


@pytest.mark.parametrize(
    "calls",
    [
        lambda b: b.net("POST", "/a", requestBody="1").net("POST", "/a", requestBody="2"),
        lambda b: b.net("POST", "/a").net("POST", "/b"),
        lambda b: b.net("POST", "/a").net("PUT", "/a"),
        lambda b: b.net("GET", "/a").net("GET", "/a"),
        lambda b: (
            b.net("POST", "/a", 503, requestBody="1")
            .shown("alert", "retrying")
            .net("POST", "/a", requestBody="1")
        ),
    ],
)
def test_other_writes_and_retries_are_no_duplicates(calls: WindowStep) -> None:
    """
    Another body, URL or method is another write; a repeat after a failure is a retry.
    """
    assert kinds(calls(WindowBuilder().click()).dom_added()) == []


def test_a_declared_count_is_no_surprise() -> None:
    """
    Two equal writes are right where two were claimed, and where there was no action.
    """
    builder = WindowBuilder().click().net("POST", "/a").net("POST", "/a").dom_added()
    assert kinds(builder, {"kind": "net", "method": "POST", "count": 2}) == []
    assert kinds(WindowBuilder().net("POST", "/a").net("POST", "/a").dom_added()) == []


def graphql_poll(*before: int, pauses: int = 350, times: int = 2) -> WindowBuilder:
    """
    A query by POST, answered so many milliseconds before a click and some times after it.
    """
    body = '{"query":"{ viewers }"}'
    builder = WindowBuilder(step_ms=0).click()
    for age_ms in before:
        builder.answered_before("POST", "/graphql", age_ms=age_ms, durationMs=10, requestBody=body)
    for _ in range(times):
        builder.wait(pauses).net(
            "POST", "/graphql", requestBody=body, responseBody='{"data": {"viewers": 2}}'
        )
    return builder.dom_added()


def test_a_query_that_is_polled_by_post_is_no_duplicate() -> None:
    """
    GraphQL asks by POST; what beat before the click already is not sent twice by it.
    """
    assert kinds(graphql_poll(700, 350, 0)) == []
    assert kinds(graphql_poll(350, 0)) == ["duplicate-request"]
    assert kinds(graphql_poll(0, times=4)) == []
    assert kinds(graphql_poll(times=5)) == ["duplicate-request"]
    assert kinds(graphql_poll(1_700, 350, 0)) == ["duplicate-request"]
    assert kinds(graphql_poll(700, 350, 0, pauses=30)) == ["duplicate-request"]


def late_poll(*inside: int) -> WindowBuilder:
    """
    A query by POST that came unevenly before the click, and then after these pauses.
    """
    body = '{"query":"{ viewers }"}'
    builder = WindowBuilder(step_ms=0).click()
    for age_ms in (3_400, 3_000, 1_700, 1_600, 1_100, 200):
        builder.answered_before("POST", "/graphql", age_ms=age_ms, durationMs=10, requestBody=body)
    for pause in inside:
        builder.wait(pause).net("POST", "/graphql", requestBody=body, responseBody='{"data": 2}')
    return builder.dom_added()


def test_a_poll_by_post_that_a_busy_machine_makes_uneven_is_no_duplicate() -> None:
    """
    Timers that come late, and then one upon the other, are no fault of the app.
    """
    assert kinds(late_poll(900, 40, 1_200, 350, 300, 800, 60, 400, 350, 350)) == []
    assert kinds(late_poll(300, 400)) == []
    begun = graphql_poll(200, pauses=300, times=4)
    for pause in (40, 700, 310, 900, 20, 300):
        begun.wait(pause).net("POST", "/graphql", requestBody='{"query":"{ viewers }"}', responseBody="{}")
    assert kinds(begun) == []


def test_a_query_that_is_sent_twice_at_once_beside_an_uneven_poll_is_a_duplicate() -> None:
    """
    What comes faster than it did, or was only sent by earlier actions, is looked at.
    """
    assert kinds(late_poll(300, 30)) == ["duplicate-request"]
    assert kinds(late_poll(1_300, 400)) == []
    assert kinds(late_poll(1_300, 400).acted_before(age_ms=3_450)) == ["duplicate-request"]


def test_another_body_beside_a_poll_is_still_a_duplicate() -> None:
    """
    The order goes to the same address as the poll, and is told from it by its body.
    """
    builder = graphql_poll(700, 350, 0)
    for _ in range(2):
        builder.net("POST", "/graphql", requestBody='{"query":"mutation { order }"}')
    assert kinds(builder.dom_added()) == ["duplicate-request"]


def created(*bodies: str, method: str = "POST", action: str = "click") -> WindowBuilder:
    """
    Something that is created with each of these bodies.
    """
    builder = WindowBuilder().action(action)
    for body in bodies:
        builder.net(method, "/api/tasks", 201, requestBody=body, responseBody='{"id": 1}')
    return builder.dom_added()


@pytest.mark.parametrize(
    "again",
    [
        '{"title": "Buy milk ", "minutes": 5}',
        '{"title": " Buy  milk", "minutes": 5}',
        '{"minutes": 5, "title": "Buy milk"}',
        '{"title": "Buy milk", "minutes": 5, "nonce": "b7"}',
        '{"title": "Buy milk", "minutes": 5, "Request-Id": "2", "sent_at": 17}',
    ],
)
def test_a_post_that_differs_by_next_to_nothing_is_sent_twice(again: str) -> None:
    """
    A blank at the end, another order of fields or a nonce makes no other task of it.
    """
    (finding,) = found(created('{"title": "Buy milk", "minutes": 5}', again))
    assert (finding.kind, finding.tier) == ("duplicate-request", ABSENCE)
    assert finding.counter == "POST /api/tasks sent 2 times with bodies that differ by next to nothing"


@pytest.mark.parametrize(
    "builder",
    [
        created('{"title": "Buy milk", "minutes": 5}', '{"title": "Buy milk", "minutes": 6}'),
        created('{"title": "Buy milk"}', '{"title": "buy milk"}'),
        created('{"id": "a1", "title": "Buy milk"}', '{"id": "a2", "title": "Buy milk"}'),
        created('{"n": 1, "nonce": "a"}', '{"n": 1, "nonce": "b"}'),
        created('{"text": "Buy"}', '{"text": "Buy "}', action="type"),
        created('{"text": "Buy milk"}', '{"text": "Buy milk "}', method="PUT"),
    ],
)
def test_posts_that_differ_by_more_are_two(builder: WindowBuilder) -> None:
    """
    Near misses: another number, other letters, another thing, no words at all, a draft that grows.
    """
    assert kinds(builder) == []


# --- request-never-settled -----------------------------------------------------------------------


def test_a_request_left_open_while_the_page_goes_on_is_found() -> None:
    """
    An optimistic screen over a hanging request casts doubt.
    """
    (finding,) = found(WindowBuilder().click().dom_added().pending("POST", "/api/orders"))
    assert (finding.kind, finding.tier) == ("request-never-settled", ABSENCE)
    assert finding.counter == "POST /api/orders still in flight"


@pytest.mark.parametrize(
    "open_request",
    [
        lambda b: b.pending("GET", "/@vite/client").dom_added(),
        lambda b: b.pending("GET", "/socket.io/?transport=polling").dom_added(),
        lambda b: b.open_before("POST", "/api/old").dom_added(),
        lambda b: b.pending("POST", "/api/orders"),
        lambda b: b.net("GET", "/poll").wait(800).pending("GET", "/poll").dom_added(),
    ],
)
def test_requests_that_may_stay_open_are_left_out(open_request: WindowStep) -> None:
    """
    Tooling, long polling, older requests, and a page that still waits, are as they should be.
    """
    assert kinds(open_request(WindowBuilder().click())) == []


# --- response-ignored ----------------------------------------------------------------------------


def test_a_successful_write_without_any_reaction_is_found() -> None:
    """
    A save that changes nothing on the page casts doubt, once it had time to.
    """
    (finding,) = found(WindowBuilder().click().net("POST", "/api/orders", 201))
    assert (finding.kind, finding.tier) == ("response-ignored", ABSENCE)
    assert kinds(WindowBuilder().click().net("POST", "/api/orders", 201).quiet(299)) == []


@pytest.mark.parametrize(
    "reaction",
    [
        lambda b: b.dom_added(),
        lambda b: b.signal("saved"),
        lambda b: b.state_change("a", 1, 0),
        lambda b: b.route("/b"),
        lambda b: b.new_document(),
        lambda b: b.loss("dom"),
    ],
)
def test_any_reaction_to_a_write_is_enough(reaction: WindowStep) -> None:
    """
    A change on the page, a signal, the store, the route or a new page is a reaction.
    """
    assert kinds(reaction(WindowBuilder().click().net("POST", "/api/orders", 201))) == []


# --- action-had-no-effect ------------------------------------------------------------------------


def test_a_dead_button_is_found_with_its_source() -> None:
    """
    A click that leaves no trace at all casts doubt on the control.
    """
    (finding,) = found(WindowBuilder().click("Pay", source="cart.html:12"))
    assert (finding.kind, finding.tier) == ("action-had-no-effect", ABSENCE)
    assert (finding.claim, finding.source) == ("click on 'Pay'", "cart.html:12")


@pytest.mark.parametrize(
    "effect",
    [
        lambda b: b.click().console("log", "clicked"),
        lambda b: b.click().pending("GET", "/a"),
        lambda b: b.click(domMutatedWithin=1),
        lambda b: b.click(appeared="Copied"),
        lambda b: b.click(invalid=[{"name": "Mail", "message": "Please fill out this field."}]),
        lambda b: b.click(opened=[{"url": "/print", "blocked": True}]),
        lambda b: b.click().event("visible.shown", {"role": "dialog"}),
        lambda b: b.click().event("dialog", {"kind": "alert", "state": "open"}),
        lambda b: b.click().event("download", {"filename": "a.csv", "url": "/a.csv"}),
        lambda b: b.click().loss("dom"),
        lambda b: b.click().connection_lost(),
        lambda b: b.click().new_document(),
        lambda b: b.action("fill"),
        lambda b: b,
    ],
)
def test_any_trace_of_an_action_is_an_effect(effect: WindowStep) -> None:
    """
    Whatever happened, or may have happened unseen, keeps a button from being called dead.
    """
    assert "action-had-no-effect" not in kinds(effect(WindowBuilder()))


def test_a_tab_that_the_driven_browser_opened_is_an_effect_and_one_that_a_page_claims_is_none() -> None:
    """
    Only the daemon's own word for it counts.
    """
    window = WindowBuilder().click().event("page.opened", {"sessionId": "b2", "url": "/help"}).build()
    assert [one.kind for one in find_all(window, None)] == ["action-had-no-effect"]
    driven = attrs.evolve(window.page, attested=Attestation(BrowserLeaseId("l1"), "http://localhost:8000/"))
    assert list(find_all(attrs.evolve(window, page=driven), None)) == []


def test_a_clock_that_ticks_while_a_dead_button_is_pressed_does_not_hide_it() -> None:
    """
    The page counts every change during the act; where they were told, only those of the page's own count.
    """
    tick = {"text": "0:03"}
    builder = WindowBuilder(step_ms=0).click(domMutatedWithin=1)
    for age_ms in (600, 250):
        builder.changed_before("dom.text", tick, ref="e9", age_ms=age_ms)
    for pause in (50, 400, 300):
        builder.wait(pause).event("dom.text", tick, ref="e9")
    assert kinds(builder) == ["action-had-no-effect"]


def test_health_beats_and_tooling_are_no_effect() -> None:
    """
    A heartbeat is not a reaction to a click.
    """
    builder = WindowBuilder().click().event("page.health", {"hidden": False}).net("GET", "/__vite_ping")
    assert kinds(builder) == ["action-had-no-effect"]


def test_a_clean_checkout_has_no_findings() -> None:
    """
    A page that does everything right is accused of nothing.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 201, responseBody='{"id": 7, "error": null}')
    assert kinds(builder.dom_added().signal("order.placed").state_change("cart", [], [1])) == []
    assert len(DETECTORS) == 40


def test_every_detector_reason_and_blind_spot_is_on_the_page_about_verdicts() -> None:
    """
    Whoever gets a finding, a reason or a blind spot finds what it says, and nothing there is invented.
    """
    named = set(re.findall(r"^\| `([a-z-]+)` \| (?:observed|doubt)", PAGE, re.MULTILINE))
    assert named == set(DETECTORS)
    assert [reason.value for reason in VerifiedReason if not re.search(rf"\b{reason.value}\b", PAGE)] == []
    assert [kind for kind in BLIND_SPOTS if f"`{kind}`" not in PAGE] == []
