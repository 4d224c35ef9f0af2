"""
When a claim that holds has nothing left to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from reticle.domain.foreseen import nothing_comes_in
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import EventType, Verified
from reticle.model.ids import Cursor, DocumentId
from reticle.model.limits import CALM_MS, QUIET_MS, READ_GAP_MS
from reticle.model.page import Loss
from reticle.model.window import Pending, Window
from reticle.testing.windows import WindowBuilder

SAVED: Mapping[str, object] = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}
THANKS: Mapping[str, object] = {"kind": "text", "contains": "Thank you"}
ORDER = {"id": "n9", "method": "POST", "url": "/api/other", "initiator": "fetch"}


def acted() -> WindowBuilder:
    """
    A click, its answer, and what the page shows of it.
    """
    saved = WindowBuilder().click().net("POST", "/api/orders", 201, responseBody='{"id":1}')
    return saved.event(EventType.DOM_ADDED, {"role": "status", "name": "", "text": "Thank you"})


def window(
    builder: WindowBuilder | None = None, still_ms: int = CALM_MS, pending: Mapping[str, Any] = {}
) -> Window:
    """
    What was seen, with what the page said was coming.
    """
    built = (acted() if builder is None else builder).quiet(still_ms).build()
    return attrs.evolve(built, pending=Pending(built.closed_t_ms, **{"quiet_ms": QUIET_MS, **pending}))


def comes_in(seen: Window, claim: Mapping[str, object] = SAVED) -> int | None:
    """
    How long a claim has to be watched on.
    """
    return nothing_comes_in(parse(claim), seen)


def test_two_frames_of_calm_are_enough_where_nothing_is_due() -> None:
    """
    A claim that holds on a page with nothing to do is proved then, and its verdict says so.
    """
    assert comes_in(window()) == 0
    assert comes_in(window(still_ms=10)) == CALM_MS - 10
    decision = decide(parse(SAVED), window())
    assert decision.verified is Verified.YES
    assert decision.because.endswith("(nothing was left to come).")
    assert decision.honesty.settled is False


@pytest.mark.parametrize(
    "pending",
    [
        {"quiet_ms": 200},
        {"quiet_ms": 0},
        {"timers": 1, "soonest_ms": 100, "latest_ms": 100},
        {"animations": 1, "soonest_ms": 100, "latest_ms": 100},
        {"loads": 1},
        {"later_ms": 7_000},
    ],
)
def test_what_is_due_is_waited_for(pending: Mapping[str, int]) -> None:
    """
    A timer, a script under way, the app's own clock or socket: each may yet speak against the claim.
    """
    assert comes_in(window(pending=pending)) is None


def test_what_is_due_later_than_it_would_have_been_watched_is_no_reason() -> None:
    """
    The page only has to be quiet for as long as the full time had seen.
    """
    assert comes_in(window(pending={"quiet_ms": QUIET_MS - CALM_MS})) == 0
    assert comes_in(window(pending={"quiet_ms": QUIET_MS - CALM_MS - 1})) is None


def test_a_frame_has_to_be_drawn_first() -> None:
    """
    On a machine that draws late, what the app does about what shows comes late too.
    """
    assert comes_in(window(pending={"undrawn": True})) == READ_GAP_MS


def test_a_page_that_does_not_tell_is_watched() -> None:
    """
    A page of the published packages, and an older script, have the full time.
    """
    built = acted().quiet(CALM_MS).build()
    assert comes_in(built) is None
    assert comes_in(attrs.evolve(built, pending=Pending(built.closed_t_ms))) is None


@pytest.mark.parametrize(
    "goes_on",
    [
        lambda builder: builder.pending("POST", "/api/audit"),
        lambda builder: builder.pending("GET", "/api/stock"),
        lambda builder: builder.net("GET", "/news").wait(900).net("GET", "/news").pending("GET", "/news"),
        lambda builder: builder.event(EventType.DIALOG, {"id": "d1", "state": "open", "kind": "confirm"}),
        lambda builder: builder.event(EventType.PAGE_HEALTH, {"hidden": True}),
    ],
)
def test_whatever_is_open_is_waited_for(goes_on: Callable[[WindowBuilder], WindowBuilder]) -> None:
    """
    An answer that is not there may be a failure, a read's as a write's; a dialog holds the page; a hidden tab
    does later what it would have done now.
    """
    assert comes_in(window(goes_on(acted()))) is None


@pytest.mark.parametrize(
    "change",
    [
        {"connection_lost": True},
        {"losses": [Loss(Cursor(0), "dom", 1, "page")]},
        {"blind_spots": {"worker": 1}},
        {"new_document": True, "document_id": DocumentId("d2")},
        {"action": None},
    ],
)
def test_what_is_not_seen_whole_is_watched(change: Mapping[str, object]) -> None:
    """
    Where something happens out of sight, time is all there is.
    """
    assert comes_in(attrs.evolve(window(), **change)) is None  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    "claim",
    [
        {**SAVED, "count": 1},
        {**THANKS, "absent": True},
        {"kind": "not", "predicate": THANKS},
        {"kind": "allOf", "predicates": [SAVED, {"kind": "console", "level": "error", "absent": True}]},
        {"kind": "allOf", "predicates": [SAVED, {"kind": "settled"}]},
        {"kind": "route", "contains": "/orders"},
        {"kind": "state", "path": "cart.error", "equals": {"$exists": False}},
    ],
)
def test_only_a_claim_of_presence_may_be_early(claim: Mapping[str, object]) -> None:
    """
    A count, an absence and an address hold the time that they always had.
    """
    assert comes_in(window(), claim) is None


def test_words_that_change_are_a_stir() -> None:
    """
    A page that still writes has not come to rest, though only its text changes.
    """
    writing = acted().wait(100).event(EventType.DOM_TEXT, {"text": "2 of 3"}, ref="e2")
    assert comes_in(window(writing, still_ms=5)) == CALM_MS - 5
