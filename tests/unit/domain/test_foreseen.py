"""
When a claim that holds has nothing left to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import pytest

from reticle.domain.foreseen import lacks_only_time, nothing_comes_in
from reticle.domain.ladder import decide
from reticle.domain.predicate import evaluate, parse
from reticle.model.codes import EventType, Verified
from reticle.model.ids import Cursor, DocumentId
from reticle.model.limits import CALM_MS, COUNT_HOLD_MS, KNOWN_WORK_MS, QUIET_MS, READ_GAP_MS
from reticle.model.page import Loss
from reticle.model.verdict import Held, Outcome
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
    assert decision.because.endswith("(nothing was left to come for 0.5 s).")
    assert decision.honesty.settled is False
    far = decide(parse(SAVED), window(pending={"quiet_ms": 60_000}))
    assert far.because.endswith("(nothing was left to come).")


@pytest.mark.parametrize(
    "pending",
    [
        {"quiet_ms": 200},
        {"quiet_ms": 0},
        {"timers": 1, "soonest_ms": 100, "latest_ms": 100},
        {"animations": 1, "soonest_ms": 100, "latest_ms": 100},
        {"timers": 2, "soonest_ms": KNOWN_WORK_MS, "latest_ms": 4_000},
        {"loads": 1},
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


def test_what_no_full_watch_would_wait_for_is_named_and_let_be() -> None:
    """
    A message that goes by itself after three seconds, or a reminder in seven, delays no verdict.
    """
    toast = {"timers": 1, "soonest_ms": KNOWN_WORK_MS + 1, "latest_ms": 3_000, "quiet_ms": KNOWN_WORK_MS + 1}
    assert comes_in(window(pending=toast)) == 0
    assert comes_in(window(pending={"later_ms": 7_000})) == 0
    because = decide(parse(SAVED), window(pending=toast)).because
    assert because.endswith("(nothing was left to come but a timer due in 3 s).")


def test_an_interval_that_is_due_soon_is_told_beside_the_pass() -> None:
    """
    What an interval takes back after 2.5 s was there when it was judged: who reads it knows for how long.
    """
    because = decide(parse(SAVED), window(pending={"quiet_ms": 2_500})).because
    assert because.endswith("(nothing was left to come for 2.5 s).")


EXACT: Sequence[Mapping[str, object]] = [
    {**SAVED, "count": 1},
    {**THANKS, "contains": "Refused", "absent": True},
    {"kind": "not", "predicate": {"kind": "text", "contains": "Refused"}},
    {"kind": "not", "predicate": {**SAVED, "method": "DELETE"}},
    {"kind": "allOf", "predicates": [SAVED, {"kind": "console", "level": "error", "absent": True}]},
    {"kind": "route", "contains": "/orders"},
    {"kind": "state", "path": "cart.error", "equals": {"$exists": False}},
    {"kind": "storage", "key": "draft", "removed": True},
]
"""Claims that rest on what did not come, or did not come yet."""


@pytest.mark.parametrize("claim", EXACT)
def test_a_count_an_absence_and_an_address_are_early_where_nothing_can_come_unseen(
    claim: Mapping[str, object],
) -> None:
    """
    What begins a late duplicate is seen by the page script as well as what begins anything else.
    """
    assert comes_in(window(), claim) == 0


@pytest.mark.parametrize("claim", EXACT)
@pytest.mark.parametrize(
    "way", ["modules", "service-worker", "peer", "codec", "audio", "location", "channel", "frames"]
)
def test_they_are_watched_in_full_where_something_may_come_unseen(
    claim: Mapping[str, object], way: str
) -> None:
    """
    A second request out of a module that is still fetched, or out of another tab's message, has no beginning
    in the page.
    """
    assert comes_in(window(pending={"unseen": (way,)}), claim) is None
    assert comes_in(window(pending={"unseen": (way,)})) == 0


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "allOf", "predicates": [SAVED, {"kind": "settled"}]},
        {"kind": "never", "predicate": THANKS, "ms": 300},
        {"kind": "within", "predicate": SAVED, "ms": 900},
        {"kind": "animation", "name": "slide"},
        {"kind": "stream", "count": 0},
        {"kind": "not", "predicate": {"kind": "settled"}},
    ],
)
def test_a_claim_that_names_a_time_is_watched_for_it(claim: Mapping[str, object]) -> None:
    """
    Whoever says how long to watch is not told sooner.
    """
    assert comes_in(window(), claim) is None


def outcome_of(claim: Mapping[str, object], seen: Window) -> Outcome:
    """
    What a claim is worth.
    """
    return evaluate(parse(claim), seen)


def test_a_count_need_not_be_held_where_nothing_can_follow() -> None:
    """
    The verdict comes with the calm, and says how briefly the count was watched and why that is enough.
    """
    claim = {**SAVED, "count": 1}
    decision = decide(parse(claim), window())
    assert decision.verified is Verified.YES
    watched = decision.outcome.evidence[1]["watchedMs"]
    assert isinstance(watched, int)
    assert CALM_MS <= watched < COUNT_HOLD_MS
    assert decision.because.endswith(f"watched for {watched} ms (nothing was left to come for 0.5 s).")
    assert outcome_of(claim, window(still_ms=CALM_MS - 1)).held is Held.UNKNOWN
    assert outcome_of(claim, window(pending={"timers": 1, "soonest_ms": 250, "latest_ms": 250})).held is (
        Held.UNKNOWN
    )


def test_a_hold_that_goes_on_lacks_nothing_but_time() -> None:
    """
    The quiet of the page is watched beside the hold of a count, not after it.
    """
    claim = parse({**SAVED, "count": 1})
    fresh = window(pending={"quiet_ms": 0})
    held = window(still_ms=COUNT_HOLD_MS, pending={"quiet_ms": 0})
    assert lacks_only_time(claim, fresh, evaluate(claim, fresh))
    assert evaluate(claim, held).held is Held.YES
    missing = parse(
        {"kind": "allOf", "predicates": [{**SAVED, "count": 1}, {"kind": "text", "contains": "Bye"}]}
    )
    assert not lacks_only_time(missing, fresh, evaluate(missing, fresh))


def test_words_that_change_are_a_stir() -> None:
    """
    A page that still writes has not come to rest, though only its text changes.
    """
    writing = acted().wait(100).event(EventType.DOM_TEXT, {"text": "2 of 3"}, ref="e2")
    assert comes_in(window(writing, still_ms=5)) == CALM_MS - 5
