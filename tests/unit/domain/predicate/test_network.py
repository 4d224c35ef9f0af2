"""
Requests as evidence: finished ones count, open and unreadable ones keep the answer open.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.predicate import Predicate, evaluate, parse
from reticle.model.ids import Cursor
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder

YES, NO, UNKNOWN = Held.YES, Held.NO, Held.UNKNOWN


def net(**fields: object) -> Predicate:
    return parse({"kind": "net", **fields})


@pytest.mark.parametrize(
    ("fields", "held"),
    [
        ({}, YES),
        ({"method": "post"}, YES),
        ({"method": "PUT"}, NO),
        ({"urlContains": "/orders"}, YES),
        ({"urlContains": "/order/"}, NO),
        ({"status": 201}, YES),
        ({"status": 200}, NO),
        ({"ok": True}, YES),
        ({"ok": False}, NO),
        ({"bodyContains": '"id": 7'}, YES),
        ({"bodyContains": "id: 8"}, NO),
        ({"method": "POST", "urlContains": "/api", "status": 201, "ok": True, "bodyContains": "7"}, YES),
        ({"count": 1}, YES),
        ({"count": 0}, NO),
        ({"count": 2}, NO),
        ({"since": 12}, NO),
        ({"since": 11}, YES),
    ],
)
def test_each_field_narrows_what_counts(fields: dict[str, object], held: Held) -> None:
    """
    A finished request fits exactly when every named field does.
    """
    window = WindowBuilder().net("POST", "/api/orders", 201, responseBody='{"id": 7}').build()
    assert evaluate(net(**fields), window).held is held


def test_a_miss_names_the_calls_that_were_seen() -> None:
    """
    An agent that expected another call reads which ones there were.
    """
    window = WindowBuilder().net("POST", "/api/orders", 500).net("GET", "/api/cart").build()
    outcome = evaluate(net(method="POST", urlContains="/api/orders", status=201), window)
    assert outcome.held is NO
    assert outcome.assertion == "net.present"
    assert outcome.failure == "no POST to …/api/orders… status 201; but POST /api/orders 500"
    assert outcome.observed == ["POST /api/orders 500", "GET /api/cart 200"]


def test_a_call_about_another_thing_is_none_about_this_one() -> None:
    """
    That order 12 was deleted does not show that order 1 was.
    """
    window = WindowBuilder().net("DELETE", "/api/orders/12", 204).build()
    claim = {"method": "DELETE", "urlContains": "/api/orders/1"}
    assert evaluate(net(**claim), window).held is NO
    assert evaluate(net(**claim, count=0), window).held is YES
    assert evaluate(net(**{**claim, "urlContains": "/api/orders/12"}), window).held is YES


def test_a_pending_request_that_fits_keeps_the_answer_open() -> None:
    """
    A call that is still in flight when time is over is neither there nor missing.
    """
    window = WindowBuilder().pending("POST", "/api/orders").budget_spent().build()
    outcome = evaluate(net(method="POST", status=201), window)
    assert (outcome.held, outcome.failure) == (UNKNOWN, "POST /api/orders is still in flight")
    assert evaluate(net(method="PUT"), window).held is NO
    assert evaluate(net(method="POST", count=0), window).held is UNKNOWN


def test_too_many_is_final_at_once_and_just_enough_must_hold() -> None:
    """
    A double submit is caught whether its second request comes now or within the hold time.
    """
    twice = WindowBuilder().net("POST", "/a").net("POST", "/a").quiet(0).build()
    over = evaluate(net(method="POST", count=1), twice)
    assert (over.held, over.final, over.assertion) == (NO, True, "net.count")
    fresh = evaluate(net(method="POST", count=1), WindowBuilder().net("POST", "/a").quiet(100).build())
    assert (fresh.held, fresh.retry_after_ms) == (UNKNOWN, 200)
    held = evaluate(net(method="POST", count=1), WindowBuilder().net("POST", "/a").quiet(300).build())
    assert (held.held, held.final) == (YES, False)


@pytest.mark.parametrize("channel", ["*", "net", "net.request"])
def test_absence_needs_a_whole_watch(channel: str) -> None:
    """
    "No such call" over a window that lost network evidence cannot be told; a sighting still can.
    """
    lossy = WindowBuilder().net("GET", "/a").loss(channel).build()
    assert evaluate(net(method="POST", count=0), lossy).held is UNKNOWN
    assert evaluate(net(method="POST"), lossy).held is UNKNOWN
    assert evaluate(net(method="GET"), lossy).held is YES
    assert evaluate(net(method="GET", count=1), lossy).held is UNKNOWN
    other = WindowBuilder().net("GET", "/a").loss("dom").build()
    assert evaluate(net(method="POST", count=0), other).held is YES


@pytest.mark.parametrize("spot", ["wrapped-network", "uninstrumented-frame", "worker", "service-worker"])
def test_absence_where_requests_leave_unseen_cannot_be_told(spot: str) -> None:
    """
    A page part whose requests nobody watches makes "no request" unknown.
    """
    builder = WindowBuilder().net("POST", "/a").blind_spot(spot)
    assert evaluate(net(method="GET", count=0), builder.build()).held is UNKNOWN
    assert evaluate(net(method="POST", count=1), builder.build()).held is UNKNOWN
    assert evaluate(net(method="POST"), builder.build()).held is YES


def test_an_unreadable_status_is_not_evidence() -> None:
    """
    An opaque answer proves that the call was made and nothing about how it went.
    """
    window = WindowBuilder().net("POST", "https://other.test/x", None).build()
    assert evaluate(net(method="POST"), window).held is YES
    status = evaluate(net(status=200), window)
    assert (status.held, status.assertion) == (UNKNOWN, "net.unobservable-status")
    assert evaluate(net(ok=True), window).held is UNKNOWN
    aborted = WindowBuilder().net("GET", "/a", 0, aborted=True, error="AbortError").build()
    assert evaluate(net(ok=False), aborted).held is UNKNOWN


def test_a_network_failure_is_a_failed_call() -> None:
    """
    A server that is not there makes ok false, with status 0.
    """
    window = WindowBuilder().net("POST", "/a", 0, error="Failed to fetch").build()
    assert evaluate(net(ok=False), window).held is YES
    assert evaluate(net(ok=True), window).held is NO


@pytest.mark.parametrize("status", [301, 302, 303, 304, 204])
def test_a_redirect_or_an_empty_answer_is_no_failure(status: int) -> None:
    """
    Status 3xx and 204 count as ok, whatever the page's own flag says.
    """
    window = WindowBuilder().net("GET", "/a", status, ok=False).build()
    assert evaluate(net(ok=True), window).held is YES


def test_a_body_that_was_not_recorded_or_cut_is_not_evidence() -> None:
    """
    What is not in a cut body may be in its rest.
    """
    assert evaluate(net(bodyContains="x"), WindowBuilder().net("GET", "/a").build()).held is UNKNOWN
    cut = WindowBuilder().net("GET", "/a", responseBody="abc", bodyTruncated=True).build()
    assert evaluate(net(bodyContains="x"), cut).held is UNKNOWN
    assert evaluate(net(bodyContains="b"), cut).held is YES
    redacted = WindowBuilder().net("GET", "/a", responseBody='{"t":"[REDACTED]"}').build()
    assert evaluate(net(bodyContains="x"), redacted).held is UNKNOWN
    another = WindowBuilder().net("GET", "/a", responseBody='{"id":71}').build()
    outcome = evaluate(net(bodyContains='"id":7'), another)
    assert outcome.held is UNKNOWN
    assert "only as a part of another number" in str(outcome.failure)
    assert evaluate(net(bodyContains='"id":71'), another).held is YES
    grouped = WindowBuilder().net("GET", "/a", responseBody="<td>Cost 2 500</td>").build()
    assert evaluate(net(bodyContains="Cost 2"), grouped).held is UNKNOWN
    assert evaluate(net(bodyContains="<td>Cost 2 500"), grouped).held is YES
    decoded = WindowBuilder().net("GET", "/a", responseBody={"id": 7}).build()
    assert evaluate(net(bodyContains='"id":7'), decoded).held is YES


@pytest.mark.parametrize("url", ["/logo.png", "/export.csv", "https://cdn.test/app.js?v=2"])
def test_what_browsers_load_by_themselves_is_not_watched(url: str) -> None:
    """
    A picture or a download that was not seen may have been loaded all the same.
    """
    outcome = evaluate(net(urlContains=url, count=0), WindowBuilder().build())
    assert (outcome.held, outcome.assertion) == (UNKNOWN, "net.unobserved-channel")
    assert evaluate(net(urlContains=url), WindowBuilder().net("GET", url).build()).held is YES


def test_a_form_post_that_leads_to_a_new_page_can_be_proved() -> None:
    """
    The standard case of a server-rendered app: the next document answers for the post.
    """
    builder = WindowBuilder().click().pending("POST", "/login", initiator="document").new_document()
    arrived = builder.answered("n1", "POST", "/login", 200, initiator="document", redirected=True).build()
    outcome = evaluate(net(method="POST", urlContains="/login", status=200, count=1), arrived)
    assert outcome.held is YES
    assert evaluate(net(method="POST", status=302), arrived).held is UNKNOWN
    assert evaluate(net(method="POST", ok=False), arrived).held is NO


def test_a_redirected_arrival_is_also_a_request_of_its_own() -> None:
    """
    A post that ends at another address proves both: the post, and the page that it led to.
    """
    builder = WindowBuilder().click().pending("POST", "/login", initiator="document").new_document()
    arrived = builder.answered("n9", "GET", "/home", 200, initiator="document").build()
    assert evaluate(net(method="POST", urlContains="/login", ok=True), arrived).held is YES
    assert evaluate(net(method="GET", urlContains="/home", status=200), arrived).held is YES


def test_a_call_of_an_ended_document_counts_and_an_unanswered_one_stays_open() -> None:
    """
    A fetch that was answered before the page left is evidence; one that was not is unknown.
    """
    window = (
        WindowBuilder()
        .click()
        .net("POST", "/api/save", 200)
        .pending("POST", "/api/log")
        .new_document()
        .build()
    )
    assert evaluate(net(method="POST", urlContains="/api/save", status=200), window).held is YES
    cut = evaluate(net(method="POST", urlContains="/api/log"), window)
    assert cut.held is UNKNOWN
    assert cut.failure == "the answer of POST /api/log was not seen: its document ended"


def test_a_call_that_was_under_way_before_the_action_is_not_its_doing() -> None:
    """
    An old request that happens to end after the click proves nothing about the click.
    """
    builder = WindowBuilder().open_before("POST", "/api/save", id_="old1")
    builder.answered("old1", "POST", "/api/save", 200)
    assert evaluate(net(method="POST"), builder.build()).held is YES
    assert evaluate(net(method="POST"), builder.click().build()).held is NO


def test_development_tooling_does_not_count_as_any_request() -> None:
    """
    A hot-reload ping is not "a request" of the app unless it is named.
    """
    window = WindowBuilder().net("GET", "/@vite/client").build()
    assert evaluate(net(), window).held is NO
    assert evaluate(net(urlContains="/@vite/"), window).held is YES


def test_a_later_cursor_moves_the_start() -> None:
    """
    A predicate may look at less than the window, never at more.
    """
    window = WindowBuilder().net("POST", "/a").net("POST", "/b").build()
    assert evaluate(net(method="POST", count=1, since=12), window).held is YES
    assert evaluate(net(method="POST", count=2, since=0), window).held is YES
    assert attrs.evolve(window, since=Cursor(12)).since == 12
