"""
Laws that hold for every window: losing evidence never helps, and neither order nor batching matters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.capture import BLIND_SPOTS
from reticle.domain.findings import stream_stopped
from reticle.domain.foreseen import nothing_comes_in
from reticle.domain.ladder import decide
from reticle.domain.predicate import Predicate, parse
from reticle.model.codes import Verified
from reticle.model.ids import Cursor
from reticle.model.limits import KNOWN_WORK_MS, QUIET_MS
from reticle.model.page import Loss, PageEvent
from reticle.model.window import Pending, Window
from reticle.testing.windows import WindowBuilder, WindowStep, without


def asked_before(builder: WindowBuilder, ages_ms: Sequence[int], took_ms: int = 0) -> WindowBuilder:
    """
    A read that was answered again and again before the window.
    """
    for age_ms in ages_ms:
        builder.answered_before("GET", "/api/b", age_ms=age_ms, durationMs=took_ms)
    return builder


STORED = {"area": "local", "key": "rows", "old": None, "new": "2"}
LIVE = {"transport": "ws", "id": "w1", "url": "/live"}


def ticks(builder: WindowBuilder, times: int) -> WindowBuilder:
    """
    A stream with an even beat.
    """
    for _ in range(times):
        builder.wait(100).event("net.stream", {**LIVE, "direction": "in", "preview": "tick", "bytes": 4})
    return builder


TASKS = [
    {"id": number, "title": title}
    for number, title in ((4, "Milk"), (1, "Bread"), (2, "Coffee"), (3, "Butter"))
]

STEPS: dict[str, WindowStep] = {
    "post": lambda b: b.net("POST", "/api/a", 200, responseBody="{}"),
    "post failed": lambda b: b.net("POST", "/api/a", 500),
    "post accepted": lambda b: b.net("POST", "/api/a", 202, responseBody="{}"),
    "post unread": lambda b: b.net("POST", "/api/a", 200, responseSize=9),
    "body failed": lambda b: b.net("POST", "/api/a", 200, responseBody='{"ok": false}'),
    "get": lambda b: b.net("GET", "/api/b", 200),
    "get soft failure": lambda b: b.net("GET", "/api/b", 200, responseBody='{"ok": false}'),
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
    "blame": lambda b: b.shown("alert", "Invalid name"),
    "row": lambda b: b.dom_added("row", "Saved"),
    "row gone": lambda b: b.dom_removed("row", "Saved"),
    "echo": lambda b: b.net(
        "PUT", "/api/a/7", 200, requestBody='{"n": "x"}', responseBody='{"id": 7, "n": "y"}'
    ),
    "order": lambda b: b.net("GET", "/api/orders/7", 200, responseBody='{"id": 7, "total": 4200}'),
    "refund": lambda b: b.net(
        "POST", "/api/orders/7/refund", 200, requestBody='{"amount": 42}', responseBody="{}"
    ),
    "edit": lambda b: b.edit(),
    "stored": lambda b: b.event("storage.change", STORED),
    "unstored": lambda b: b.event("storage.change", {**STORED, "new": None, "old": "2"}),
    "message": lambda b: b.event("net.stream", {**LIVE, "direction": "in", "preview": "tick", "bytes": 4}),
    "messages": lambda b: ticks(b, 6),
    "stream closed": lambda b: b.event("net.stream", {**LIVE, "direction": "close"}).wait(3_100),
    "silence": lambda b: b.wait(4_000),
    "paint": lambda b: b.event("perf", {"metric": "lcp", "value": 900, "at": 900}),
    "asked": lambda b: b.event(
        "dialog", {"id": "d1", "kind": "confirm", "message": "Sure?", "state": "open"}
    ),
    "file": lambda b: b.event("download", {"filename": "a.csv", "url": "/a.csv"}),
    "total": lambda b: b.net("GET", "/api/cart", 200, responseBody='{"total": 42.5}'),
    "wrong total": lambda b: b.event("dom.text", {"text": "Total: €24.50", "old": ""}, ref="e8"),
    "right total": lambda b: b.event("dom.text", {"text": "Total: €42.50", "old": ""}, ref="e8"),
    "one qty": lambda b: b.net(
        "PATCH", "/api/items/7", 200, requestBody='{"qty": 3}', responseBody='{"id": 7, "qty": 3}'
    ),
    "qty here": lambda b: b.state_change("items.0.qty", 3, 1),
    "qty there": lambda b: b.state_change("items.1.qty", 3, 2),
    "error noted": lambda b: b.state_change("orders.error", "failed", None),
    "todo": lambda b: b.dom_added("listitem", "Milk"),
    "todo refused": lambda b: b.net("POST", "/api/todos", 500, requestBody='{"title": "Milk"}'),
    "todo gone": lambda b: b.dom_removed("listitem", "Milk"),
    "dialog gone": lambda b: b.dom_removed("dialog", "Settings"),
    "focus nowhere": lambda b: b.event("focus.change", {"toBody": True}),
    "focus": lambda b: b.event("focus.change", {"toBody": False, "to": "button Open"}, ref="e1"),
    "slide": lambda b: b.animation("start", "slide"),
    "hidden": lambda b: b.event("page.health", {"hidden": True}),
    "aborted": lambda b: b.net("POST", "/api/a", 0, aborted=True, error="AbortError"),
    "pause": lambda b: b.wait(400),
    "tasks": lambda b: b.net("GET", "/api/tasks", 200, responseBody=json.dumps(TASKS)),
    "list": lambda b: b.dom_added("list", "Tasks", "Milk Bread Coffee Butter"),
    "list lacks one": lambda b: b.dom_added("list", "Tasks", "Milk Bread Butter"),
    "item unchanged": lambda b: b.net("GET", "/api/items/7", 200, responseBody='{"id": 7, "qty": 1}'),
    "item changed": lambda b: b.net("GET", "/api/items", 200, responseBody='[{"id": 7, "qty": 3}]'),
    "votes": lambda b: b.net("POST", "/api/votes", 200, responseBody='{"votes": 12}'),
    "wrong votes": lambda b: b.event("dom.text", {"text": "Votes: 21", "old": ""}, ref="e7"),
    "complaint": lambda b: b.console("error", 'Each child in a list should have a unique "key" prop.'),
    "task": lambda b: b.net("POST", "/api/tasks", 201, requestBody='{"title": "Milk"}', responseBody="{}"),
    "task again": lambda b: b.net(
        "POST", "/api/tasks", 201, requestBody='{"title": "Milk "}', responseBody="{}"
    ),
    "optional": lambda b: b.net("GET", "/api/avatar", 404),
    "figures": lambda b: b.net("POST", "/api/figures", 404, requestBody='{"used": "save"}'),
    "elsewhere": lambda b: b.net("POST", "https://stats.test/collect", 500),
    "document": lambda b: b.new_document(f"doc{len(b.build().events)}"),
}


def told(builder: WindowBuilder, *steps: str) -> WindowBuilder:
    """
    Several steps in a row.
    """
    for step in steps:
        STEPS[step](builder)
    return builder


def overtaken(builder: WindowBuilder, older: str) -> WindowBuilder:
    """
    What was typed first is answered last, and shown; a document gives each of its requests an id of its own.
    """
    return (
        builder.pending("GET", "/api/s?q=a", id_=older)
        .net("GET", "/api/s?q=ab", 200, responseBody='["abacus"]')
        .answered(older, "GET", "/api/s?q=a", responseBody='["aardvark"]')
        .dom_added("option", "aardvark")
    )


STEPS.update(
    {
        "rollback": lambda b: told(b, "todo", "todo refused", "todo gone"),
        "wrong cart": lambda b: told(b, "total", "wrong total"),
        "spread": lambda b: told(b, "one qty", "qty here", "qty there"),
        "focus lost": lambda b: told(b, "dialog gone", "focus nowhere"),
        "row missing": lambda b: told(b, "tasks", "list lacks one"),
        "sent twice": lambda b: told(b, "task", "task again"),
        "miscounted": lambda b: told(b, "votes", "wrong votes"),
        "not taken over": lambda b: told(b, "one qty", "item unchanged"),
        "stream stops": lambda b: told(b, "messages", "stream closed"),
        "stream falls silent": lambda b: told(b, "messages", "silence"),
        "lie": lambda b: told(b, "post failed", "error noted", "toast"),
        "overtaken": lambda b: overtaken(b, f"q{len(b.build().events)}"),
    }
)
"""What each detector is about, whole, so that a test that takes parts away meets it."""

EARLIER: dict[str, WindowStep] = {
    "post open": lambda b: b.open_before("POST", "/api/a", id_="old1"),
    "get open": lambda b: b.open_before("GET", "/api/b", id_="old2", age_ms=300),
    "post": lambda b: b.answered_before("POST", "/api/a", 200, requestBody="{}"),
    "get failed": lambda b: b.answered_before("GET", "/api/b", 404),
    "get": lambda b: b.answered_before("GET", "/api/b", 200, age_ms=500, durationMs=400),
    "order": lambda b: b.answered_before(
        "GET", "/api/orders/7", responseBody='{"id": 7, "total": 4200}', age_ms=400
    ),
    "poll": lambda b: asked_before(b, (3_000, 2_000, 1_000)),
    "long poll": lambda b: asked_before(b, (700, 590, 480, 370), took_ms=100),
    "saved": lambda b: b.answered_before("PUT", "/api/a", 200, age_ms=1_200).changed_before(
        "visible.shown", {"role": "status", "text": "Saved"}, age_ms=1_000
    ),
    "item": lambda b: b.answered_before(
        "GET", "/api/items/7", responseBody='{"id": 7, "qty": 1}', age_ms=600
    ),
    "row": lambda b: b.changed_before("dom.added", {"role": "listitem", "name": "Row"}),
}

LATE: dict[str, WindowStep] = {
    "post open": lambda b: b.answered("old1", "POST", "/api/a", 500),
    "get open": lambda b: b.answered("old2", "GET", "/api/b", 404),
}

LEAVES: list[dict[str, Any]] = [
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
    {"kind": "animation", "name": "slide"},
    {"not": {"kind": "animation", "name": "slide"}},
    {"kind": "settled"},
    {"kind": "storage", "key": "rows", "equals": 2},
    {"kind": "storage", "key": "rows", "removed": True},
    {"kind": "storage", "count": 1},
    {"kind": "stream", "direction": "in"},
    {"kind": "stream", "contains": "tick", "count": 1},
    {"kind": "perf", "metric": "lcp", "value": {"$lt": 1_000}},
    {"kind": "dialog", "dialog": "confirm", "contains": "Sure"},
    {"kind": "dialog", "count": 0},
    {"kind": "download", "contains": "a.csv"},
    {"kind": "net", "method": "POST", "urlContains": "/api/a", "body": {"ok": {"$exists": False}}},
    {"kind": "net", "urlContains": "/api/items", "requestBody": {"qty": 3}},
    {"kind": "net", "urlContains": "/api/cart", "body": {"total": {"$gt": 40}}},
    {"kind": "state", "path": "rows", "equals": {"$delta": 1}},
    {"kind": "sequence", "predicates": [
        {"kind": "net", "method": "POST", "urlContains": "/api/a"}, {"kind": "signal", "name": "row.saved"},
    ]},
    {"kind": "within", "ms": 300, "predicate": {"kind": "net", "method": "POST", "urlContains": "/api/a"}},
    {"kind": "within", "ms": 300, "predicate": {"kind": "signal", "name": "row.saved"}},
    {"kind": "never", "predicate": {"kind": "signal", "name": "row.failed"}},
    {"kind": "same", "sides": [
        {"request": "qty", "urlContains": "/api/items"}, {"response": "qty", "urlContains": "/api/items"},
    ]},
    {"kind": "same", "sides": [{"state": "rows"}, {"response": "qty", "urlContains": "/api/items"}]},
    {"kind": "net", "method": "POST", "urlContains": "/api/tasks", "status": 201},
    {"kind": "never", "predicate": {"kind": "text", "contains": "Failed"}},
]  # fmt: skip

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
    earlier = sorted(draw(st.sets(st.sampled_from(sorted(EARLIER)), max_size=3)))
    for step in earlier:
        EARLIER[step](builder)
    late = {step: LATE[step] for step in earlier if step in LATE and draw(st.booleans())}
    steps = {**STEPS, **{f"late {step}": answer for step, answer in late.items()}}
    if draw(st.booleans()):
        builder.click()
        for question, answer in (("Saved", False), ("Gone", True)):
            builder.text(question, there=answer, before=True)
        builder.state("rows", 1, before=True)
    for step in draw(st.lists(st.sampled_from(sorted(steps)), max_size=7)):
        steps[step](builder)
    builder.text("Saved", there=draw(st.booleans())).text("Gone", there=draw(st.booleans()))
    builder.text("Failed", there=False)
    builder.element({"testid": "row"}, there=draw(st.booleans())).at(draw(st.sampled_from(["/", "/rows"])))
    builder.state("rows", draw(st.sampled_from([1, 2, "[TRUNCATED]"])))
    if draw(st.booleans()):
        builder.blind_spot(draw(st.sampled_from(sorted(BLIND_SPOTS))))
    window = builder.quiet(draw(st.sampled_from([0, 40, 200, 400, 1_000]))).build()
    return attrs.evolve(window, pending=draw(scheduled(window)))


def scheduled(window: Window) -> st.SearchStrategy[Pending | None]:
    """
    What a page may say of its work at a window's end; a page with a stream never says that nothing comes.
    """
    streams = any(event.type == "net.stream" for event in window.events)
    later = st.sampled_from([0] if streams else [0, 100, 460, 500, 900, 60_000])
    timer = st.sampled_from([None, 100, 600, 2_600])
    unseen = st.sampled_from([(), (), ("modules",)])

    def told(quiet_ms: int, due_ms: int | None, ways: tuple[str, ...], *, rested: bool) -> Pending:
        quiet_ms = quiet_ms if due_ms is None else min(quiet_ms, due_ms)
        timers = 0 if due_ms is None else 1
        end = window.closed_t_ms
        return Pending(
            end,
            timers,
            0,
            0,
            due_ms,
            due_ms,
            quiet_ms=quiet_ms,
            unseen=ways,
            rested=rested and quiet_ms >= QUIET_MS,
        )

    return st.none() | st.builds(told, later, timer, unseen, rested=st.booleans())


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


SCENES: dict[str, WindowStep] = {
    "rollback": STEPS["rollback"],
    "wrong cart": STEPS["wrong cart"],
    "spread": STEPS["spread"],
    "focus lost": STEPS["focus lost"],
    "stream stops": STEPS["stream stops"],
    "stream falls silent": STEPS["stream falls silent"],
    "lie": STEPS["lie"],
    "overtaken": STEPS["overtaken"],
    "echo": STEPS["echo"],
    "row missing": STEPS["row missing"],
    "sent twice": STEPS["sent twice"],
    "miscounted": STEPS["miscounted"],
    "not taken over": lambda b: STEPS["not taken over"](EARLIER["item"](b)),
    "complaint": STEPS["complaint"],
    "success without its write": lambda b: EARLIER["saved"](b).shown("status", "Saved"),
    "failure blamed on the user": lambda b: told(b, "post failed", "error signal", "blame"),
    "refund": lambda b: told(b, "order", "refund", "added"),
}
"""Whole disagreements, each of which keeps a claim that holds from being a yes."""


@pytest.mark.parametrize("by_channel", [True, False])
@pytest.mark.parametrize("scene", SCENES)
def test_no_part_of_a_disagreement_that_is_lost_makes_a_pass(scene: str, *, by_channel: bool) -> None:
    """
    Whatever subset of what a detector saw is lost, the claim beside it is no yes.
    """
    window = SCENES[scene](WindowBuilder().click()).signal("row.saved", {"n": 1}).quiet(1_000).build()
    claim = parse({"kind": "signal", "name": "row.saved"})
    assert decide(claim, window).verified is not Verified.YES
    seqs = [event.seq for event in window.events if event.type != "signal"]
    for number in range(1, 2 ** len(seqs)):
        gone = {seq for place, seq in enumerate(seqs) if number >> place & 1}
        lossy = lost_by_channel(window, gone) if by_channel else without(window, sorted(gone))
        after = decide(claim, lossy)
        assert after.verified is not Verified.YES, sorted(gone)


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


@given(windows(), predicates, st.data())
def test_events_that_do_not_depend_on_each_other_may_change_places(
    window: Window, value: object, data: st.DataObject
) -> None:
    """
    Whichever of two unrelated things a page reports first, the verdict is the same.

    Both come at one time: how long something has held already is a matter of when it was told.
    """
    predicate = parse(value)
    told, exchange = list(window.events), list(window.events)
    for _ in range(data.draw(st.integers(1, 4))):
        swappable = [
            place
            for place in range(len(told) - 1)
            if told[place : place + 2] == exchange[place : place + 2]
            and independent(*told[place : place + 2])
        ]
        if swappable:
            place = data.draw(st.sampled_from(swappable))
            later = told[place + 1]
            told[place] = attrs.evolve(told[place], t_ms=later.t_ms)
            exchange[place : place + 2] = exchanged(told[place], later)
    one, other = (attrs.evolve(window, events=tuple(events)) for events in (told, exchange))
    assert decide(predicate, other).verified is decide(predicate, one).verified


def independent(one: PageEvent, other: PageEvent) -> bool:
    """
    Whether neither of two neighbours can be a cause or an answer of the other.
    """
    if one.document_id != other.document_id or "edit.applied" in (one.type, other.type):
        return False
    if one.type in NOISE or other.type in NOISE:
        return True
    requests = one.type == other.type and one.type in ("net.pending", "net.request")
    if requests:
        # which of two reads of one path was asked for last tells a stale answer from a fresh one
        return str(one.data.get("url")).split("?")[0] != str(other.data.get("url")).split("?")[0]
    return {one.type, other.type} <= {"dom.added", "state.change", "route.change"} and one.type != other.type


def exchanged(one: PageEvent, other: PageEvent) -> tuple[PageEvent, PageEvent]:
    """
    The two in the other order, each with the place and time of the other.
    """
    return attrs.evolve(other, seq=one.seq, t_ms=one.t_ms), attrs.evolve(one, seq=other.seq, t_ms=other.t_ms)


@given(windows(), predicates, st.data())
def test_replies_that_come_later_or_never_make_no_pass(
    window: Window, value: object, data: st.DataObject
) -> None:
    """
    A slow or hanging server turns no verdict into a pass: its answer is waited for, a read's too.
    """
    predicate = parse(value)
    replies = [event for event in window.events if event.type == "net.request"]
    if not replies:
        return
    chosen = data.draw(st.lists(st.sampled_from(replies), min_size=1, unique_by=lambda event: event.seq))
    events = list(window.events)
    for reply in chosen:
        place = events.index(reply)
        events.pop(place)
        if data.draw(st.booleans()):
            events.insert(data.draw(st.integers(place, len(events))), reply)
    times = [event.t_ms for event in window.events]
    late = tuple(
        attrs.evolve(event, seq=window.since + number, t_ms=times[number - 1])
        for number, event in enumerate(events, 1)
    )
    delayed = decide(predicate, attrs.evolve(window, events=late))
    if decide(predicate, window).verified is not Verified.YES:
        assert delayed.verified is not Verified.YES, ([one.data for one in chosen], delayed.because)


@given(windows(), predicates)
def test_a_claim_that_is_denied_twice_is_no_easier_to_pass(window: Window, value: object) -> None:
    """
    Who writes "it is not so that it is not there" gets no pass where "it is there" gets none.
    """
    if decide(parse(value), window).verified is not Verified.YES:
        twice = decide(parse({"not": {"not": value}}), window)
        assert twice.verified is not Verified.YES, twice.because


@pytest.mark.parametrize("act", [True, False])
@pytest.mark.parametrize(
    "claim",
    [
        {"not": {"not": {"kind": "text", "contains": "Saved"}}},
        {"allOf": [{"not": {"not": {"kind": "text", "contains": "Saved"}}}]},
        {"not": {"anyOf": [{"not": {"kind": "text", "contains": "Saved"}}]}},
        {"not": {"kind": "text", "contains": "Saved", "absent": True}},
    ],
)
def test_a_write_that_failed_is_minded_however_the_claim_is_put(
    claim: Mapping[str, object], *, act: bool
) -> None:
    """
    The page shows "Saved", the row was taken away again and the server then answered 500: no pass.
    """
    builder = WindowBuilder()
    if act:
        builder.click().text("Saved", there=False, before=True)
    builder.dom_added("listitem", "Milk").pending("POST", "/api/todos", id_="1").dom_removed(
        "listitem", "Milk"
    )
    builder.answered("1", "POST", "/api/todos", 500, requestBody='{"title": "Milk"}')
    window = builder.text("Saved").quiet(1_000).build()
    assert decide(parse(claim), window).verified is not Verified.YES


@pytest.mark.parametrize("times", [1, 2])
def test_a_search_whose_last_answer_comes_later_or_never_is_no_pass(times: int) -> None:
    """
    The list shows what the first letter found; wherever the answers to both letters come, or do not, that is
    no pass. Once each of them came after what the first one showed, it was one.
    """
    builder = WindowBuilder().click().text("Gone", there=True, before=True)
    told(builder, *["overtaken"] * times)
    window = builder.text("Gone", there=False).quiet(1_000).build()
    claim = parse({"kind": "text", "contains": "Gone", "absent": True})
    assert decide(claim, window).verified is Verified.NO
    newer = [event.seq for event in window.events if event.data.get("responseBody") == '["abacus"]']
    assert len(newer) == times
    for places in product([*range(len(window.events)), None], repeat=times):
        delayed = answered_at(window, dict(zip(newer, places, strict=True)))
        assert decide(claim, delayed).verified is not Verified.YES, places


def answered_at(window: Window, places: Mapping[int, int | None]) -> Window:
    """
    The window with some events at later places, or never.
    """
    events = list(window.events)
    for one in window.events:
        if one.seq in places:
            now, later = events.index(one), places[one.seq]
            events.pop(now)
            if later is not None:
                events.insert(max(now, later), one)
    moved = tuple(
        attrs.evolve(one, seq=was.seq, t_ms=was.t_ms) for one, was in zip(events, window.events, strict=False)
    )
    return attrs.evolve(window, events=moved)


@pytest.mark.parametrize("leaf", LEAVES, ids=str)
@pytest.mark.parametrize("earlier", [None, *EARLIER])
def test_no_single_reply_that_stays_out_makes_a_pass(leaf: object, earlier: str | None) -> None:
    """
    Whatever one answer made a no, a server that does not give it within the budget makes no yes.
    """
    predicate = parse(leaf)
    for window, without_replies in answered_windows(earlier):
        delayed = decide(predicate, without_replies)
        if delayed.verified is Verified.YES:
            assert decide(predicate, window).verified is Verified.YES, delayed.because


@cache
def answered_windows(earlier: str | None) -> list[tuple[Window, Window]]:
    """
    For each step that has an answer, a window with much besides, and the same without any answer.
    """
    found = []
    for step in STEPS.values():
        builder = EARLIER[earlier](WindowBuilder()) if earlier else WindowBuilder()
        builder.click().text("Saved", there=False, before=True).text("Gone", there=True, before=True)
        builder.signal("row.saved", {"n": 1}).console("log", "x").animation("start", "slide")
        window = (
            step(builder.route("/rows").dom_added("row", "Saved"))
            .text("Saved")
            .text("Gone", there=False)
            .element({"testid": "row"})
            .at("/rows")
            .state("rows", 2)
            .quiet(1_000)
            .build()
        )
        late = tuple(event for event in window.events if event.type != "net.request")
        if len(late) < len(window.events):
            found.append((window, attrs.evolve(window, events=late)))
    return found


@given(windows(), predicates, st.data())
def test_events_that_arrive_together_make_no_pass(window: Window, value: object, data: st.DataObject) -> None:
    """
    Two events that come in one message, at the time of the later, prove no more than one by one.
    """
    predicate = parse(value)
    events = list(window.events)
    if len(events) > 1:
        place = data.draw(st.integers(0, len(events) - 2))
        events[place] = attrs.evolve(events[place], t_ms=events[place + 1].t_ms)
    together = attrs.evolve(window, events=tuple(events))
    apart = decide(predicate, window)
    # an even beat that fell silent is known by its times alone
    paced = any(finding.kind == stream_stopped.KIND for finding in apart.findings)
    if apart.verified is not Verified.YES and not paced:
        assert decide(predicate, together).verified is not Verified.YES


@given(windows(), predicates, st.data())
def test_what_was_announced_is_waited_for(window: Window, value: object, data: st.DataObject) -> None:
    """
    A watch that ends early, because nothing was left to come, makes no pass of what the full one had not
    passed, whatever comes at the times that the page announced.
    """
    step = data.draw(st.sampled_from(sorted(set(STEPS) - {"hidden", "document"})))
    assert_waited_for(parse(value), window, step)


ONCE: Sequence[Mapping[str, object]] = [
    {"kind": "net", "method": "POST", "urlContains": "/api/a", "count": 1},
    {"kind": "not", "predicate": {"kind": "signal", "name": "row.failed"}},
    {"kind": "allOf", "predicates": [
        {"kind": "text", "contains": "Saved"}, {"kind": "console", "level": "error", "absent": True},
    ]},
    {"kind": "text", "contains": "Saved"},
]  # fmt: skip


@pytest.mark.parametrize("claim", ONCE)
@pytest.mark.parametrize("due", [{"quiet_ms": 100}, {"timers": 1, "soonest_ms": 100, "latest_ms": 100}, {}])
@pytest.mark.parametrize("rested", [False, True])
def test_no_step_that_was_announced_is_missed(
    claim: Mapping[str, object], due: Mapping[str, int], *, rested: bool
) -> None:
    """
    Of all that may come of a timer, nothing is cut off by a verdict that comes before it, as soon as the page
    rests or a moment later.
    """
    builder = WindowBuilder().click().text("Saved", there=False, before=True)
    seen = told(builder, "post", "toast").text("Saved").quiet(0 if rested else 40).build()
    quiet = Pending(seen.closed_t_ms, quiet_ms=60_000, rested=rested)
    pending = attrs.evolve(quiet, **due)  # type: ignore[arg-type]  # by name
    window = attrs.evolve(seen, pending=pending)
    early = [
        assert_waited_for(parse(claim), window, step) for step in STEPS if step not in ("hidden", "document")
    ]
    assert any(early) is not bool(due)


def assert_waited_for(predicate: Predicate, window: Window, step: str) -> bool:
    """
    Whether a window is judged early; where it is, and the step comes when the page announced that something
    would, the full watch gives the same pass.
    """
    pending = window.pending
    early = decide(predicate, window)
    if pending is None or early.verified is not Verified.YES or nothing_comes_in(predicate, window) != 0:
        return False
    due = [pending.quiet_ms, pending.soonest_ms, pending.latest_ms]
    announced = sorted(ms for ms in due if ms is not None)
    known = max((ms for ms in announced if ms <= KNOWN_WORK_MS), default=0)
    end = window.closed_t_ms + known + QUIET_MS - early_still_ms(window)
    come = STEPS[step](WindowBuilder()).build()
    moved = window.closed_t_ms + announced[0] - come.opened_t_ms
    late = [
        attrs.evolve(event, seq=window.until + number, t_ms=event.t_ms + moved)
        for number, event in enumerate(come.events, 1)
    ]
    # an interval's next tick is not waited for beyond the half second that follows the last stir
    own = pending.soonest_ms is not None and pending.soonest_ms <= KNOWN_WORK_MS
    limit = end if own else window.closed_t_ms + QUIET_MS - early_still_ms(window)
    seen = [event for event in late if event.t_ms <= limit]
    full = attrs.evolve(
        window,
        events=(*window.events, *seen),
        until=Cursor(window.until + len(seen)),
        closed_t_ms=limit,
        pending=None,
    )
    after = decide(predicate, full)
    assert after.verified is Verified.YES, (step, after.because)
    return True


def early_still_ms(window: Window) -> int:
    """
    How long a window was still at its end.
    """
    return window.closed_t_ms - max([window.opened_t_ms, *(event.t_ms for event in window.events)])


NOISE = frozenset({"console.log", "anim.start", "page.health"})
BEAT = WindowBuilder().event("page.health", {"hidden": False, "reason": "heartbeat"}).build().events[0]
