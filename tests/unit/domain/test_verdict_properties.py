"""
Laws that hold for every window: losing evidence never helps, and neither order nor batching matters.
"""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified
from reticle.model.page import Loss
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder, without

STEPS = {
    "post": lambda b: b.net("POST", "/api/a", 200, responseBody="{}"),
    "post failed": lambda b: b.net("POST", "/api/a", 500),
    "post accepted": lambda b: b.net("POST", "/api/a", 202, responseBody="{}"),
    "post unread": lambda b: b.net("POST", "/api/a", 200, responseSize=9),
    "body failed": lambda b: b.net("POST", "/api/a", 200, responseBody='{"ok": false}'),
    "get": lambda b: b.net("GET", "/api/b", 200),
    "get failed": lambda b: b.net("GET", "/api/b", 404),
    "opaque": lambda b: b.net("POST", "https://x.test/c", None),
    "post open": lambda b: b.pending("POST", "/api/d"),
    "get open": lambda b: b.pending("GET", "/api/e"),
    "added": lambda b: b.dom_added("listitem", "Row"),
    "removed": lambda b: b.dom_removed("listitem", "Row"),
    "toast": lambda b: b.shown("status", "Saved"),
    "alert": lambda b: b.shown("alert", "Failed"),
    "signal": lambda b: b.signal("row.saved", {"n": 1}),
    "error signal": lambda b: b.signal("row.failed"),
    "state": lambda b: b.state_change("rows", 2, 1),
    "route": lambda b: b.route("/rows"),
    "log": lambda b: b.console("log", "x"),
    "console error": lambda b: b.console("error", "x"),
    "uncaught": lambda b: b.uncaught("x"),
    "pause": lambda b: b.wait(400),
    "document": lambda b: b.new_document(f"doc{len(b.build().events)}"),
}

LEAVES = [
    {"kind": "text", "contains": "Saved"},
    {"kind": "text", "contains": "Gone", "absent": True},
    {"kind": "element", "query": {"testid": "row"}},
    {"kind": "state", "path": "rows", "equals": 2},
    {"kind": "route", "pathname": "/rows"},
    {"kind": "net", "method": "POST", "urlContains": "/api/a", "status": 200},
    {"kind": "net", "method": "POST", "urlContains": "/api/a", "count": 1},
    {"kind": "net", "method": "POST", "count": 0},
    {"kind": "net", "ok": False},
    {"kind": "console", "level": "error", "absent": True},
    {"kind": "console", "level": "log"},
    {"kind": "signal", "name": "row.saved", "data": {"n": 1}},
    {"kind": "signal", "name": "row.saved", "count": 1},
    {"kind": "signal", "name": "row.failed", "count": 0},
    {"kind": "settled"},
]

predicates = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"allOf": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"anyOf": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=4,
)


@st.composite
def windows(draw: st.DrawFn) -> Window:
    """
    A window of some steps, with or without an action, readings before and after it.
    """
    builder = WindowBuilder()
    if draw(st.booleans()):
        builder.click()
        for question, answer in (("Saved", False), ("Gone", True)):
            builder.text(question, there=answer, before=True)
    for step in draw(st.lists(st.sampled_from(sorted(STEPS)), max_size=7)):
        STEPS[step](builder)
    builder.text("Saved", there=draw(st.booleans())).text("Gone", there=draw(st.booleans()))
    builder.element({"testid": "row"}, there=draw(st.booleans())).at(draw(st.sampled_from(["/", "/rows"])))
    builder.state("rows", draw(st.sampled_from([1, 2, "[TRUNCATED]"])))
    return builder.quiet(draw(st.sampled_from([0, 200, 400, 1_000]))).build()


@given(windows(), predicates, st.data())
def test_losing_evidence_never_turns_a_verdict_into_yes(
    window: Window, value: object, data: st.DataObject
) -> None:
    """
    Whatever subset of the events is lost, with the loss declared, a no or unknown does not become a pass.
    """
    predicate = parse(value)
    before = decide(predicate, window)
    seqs = [event.seq for event in window.events]
    gone = data.draw(st.sets(st.sampled_from(seqs))) if seqs else set()
    by_channel = data.draw(st.booleans())
    lossy = without(window, sorted(gone)) if not by_channel else lost_by_channel(window, gone)
    after = decide(predicate, lossy)
    if before.verified is not Verified.YES:
        assert after.verified is not Verified.YES, (before.reason, gone)
    assert after.honesty.grade <= before.honesty.grade


def lost_by_channel(window: Window, gone: set[int]) -> Window:
    """
    As ``without``, with each loss under its own event type.
    """
    losses = [Loss(window.since, event.type, 1, "page") for event in window.events if event.seq in gone]
    kept = tuple(event for event in window.events if event.seq not in gone)
    return attrs.evolve(window, events=kept, losses=(*window.losses, *losses))


@given(windows(), predicates)
def test_a_lost_page_is_always_unknown(window: Window, value: object) -> None:
    """
    No page that went away is ever judged.
    """
    decision = decide(parse(value), attrs.evolve(window, connection_lost=True))
    assert decision.verified is Verified.UNKNOWN


@given(windows(), predicates)
def test_losing_the_readings_never_makes_a_yes(window: Window, value: object) -> None:
    """
    A page that stops answering turns no verdict into a pass, nor into a fault that was not there.
    """
    predicate = parse(value)
    before = decide(predicate, window)
    failed = tuple(attrs.evolve(reading, answer=None, error="page_error") for reading in window.after)
    after = decide(predicate, attrs.evolve(window, after=failed))
    if before.verified is not Verified.YES:
        assert after.verified is not Verified.YES
    unread = tuple(attrs.evolve(reading, answer=None, error="page_error") for reading in window.before)
    assert decide(predicate, attrs.evolve(window, before=unread)).verified is not Verified.YES or (
        before.verified is Verified.YES
    )


@given(windows(), predicates)
def test_the_same_events_in_other_batches_give_the_same_verdict(window: Window, value: object) -> None:
    """
    Numbers that grow in larger steps, as when other traffic lies between, change nothing.
    """
    spread = attrs.evolve(
        window,
        events=tuple(
            attrs.evolve(event, seq=window.since + 3 * (event.seq - window.since)) for event in window.events
        ),
    )
    predicate = parse(value)
    assert decide(predicate, spread).verified is decide(predicate, window).verified


@given(windows(), predicates, st.data())
def test_independent_events_may_come_in_any_order(window: Window, value: object, data: st.DataObject) -> None:
    """
    Console lines and heartbeats between the app's own events change nothing, wherever they stand.
    """
    predicate = parse(value)
    noise = data.draw(st.lists(st.integers(0, len(window.events)), max_size=3))
    events = list(window.events)
    for place in noise:
        like = events[max(place - 1, 0)] if events else None
        t_ms = like.t_ms if like is not None else window.opened_t_ms
        event = attrs.evolve(BEAT, t_ms=t_ms, document_id=like.document_id if like is not None else None)
        events.insert(place, event)
    renumbered = tuple(
        attrs.evolve(event, seq=window.since + number) for number, event in enumerate(events, 1)
    )
    noisy = attrs.evolve(window, events=renumbered)
    assert decide(predicate, noisy).verified is decide(predicate, window).verified


BEAT = WindowBuilder().event("page.health", {"hidden": False, "reason": "heartbeat"}).build().events[0]
