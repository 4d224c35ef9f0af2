"""
The events of a page.
"""

from __future__ import annotations

import pytest

from reticle.model.codes import EventType
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.observe import GROUPS, TOOLS

OBSERVE = TOOLS[0]


def seqs(scene: Scene, arguments: dict[str, object]) -> list[int]:
    """
    The numbers of the events in an answer.
    """
    events = answer_of(OBSERVE, scene.context, arguments).fields["events"]
    assert isinstance(events, list)
    return [event["seq"] for event in events]


@pytest.fixture
def busy(scene: Scene) -> Scene:
    """
    A page with one event of each family, a second apart.
    """
    for kind, fields in (
        (EventType.DOM_ADDED, {"role": "row", "name": "Pen"}),
        (EventType.NET_REQUEST, {"id": "n", "method": "GET", "url": "/a", "status": 500, "ok": False}),
        (EventType.ROUTE_CHANGE, {"from": "/", "to": "/cart"}),
        (EventType.CONSOLE_ERROR, {"message": "bad"}),
        (EventType.SIGNAL, {"name": "order.placed", "data": {}}),
        (EventType.STATE_CHANGE, {"store": "cart", "path": "total", "old": 0, "value": True}),
        (EventType.PAGE_HEALTH, {"hidden": False}),
        (EventType.VISIBLE_SHOWN, {"role": "alert", "name": "", "text": "Sorry"}),
    ):
        scene.page.record(kind, fields)
        scene.clock.advance(1)
    return scene


def test_events_come_with_a_digest_of_the_stretch(busy: Scene) -> None:
    """
    One look tells what failed, what was shown and where the page went.
    """
    answer = answer_of(OBSERVE, busy.context, {"since": 0})
    assert answer.fields["summary"] == {
        "net": {"total": 1, "errors": 1, "headline": ["GET /a 500"]},
        "consoleErrors": ["bad"],
        "route": "/ -> /cart",
        "shown": ["alert Sorry"],
        "signals": ["order.placed"],
        "stateChanges": ["cart.total: 0 -> true"],
        "domChanges": 1,
    }
    assert answer.text is not None
    assert answer.text.splitlines()[0] == '1 0ms dom.added {"role":"row","name":"Pen"}'
    assert answer.text.splitlines()[-1] == "since: 0 · until: 8"


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ([], [1, 2, 3, 4, 5, 6, 8]),
        (["dom"], [1, 8]),
        (["net", "route"], [2, 3]),
        (["console"], [4]),
        (["signal", "state"], [5, 6]),
        (["health"], [7]),
        (["visible.shown"], [8]),
    ],
)
def test_filters_leave_families_or_types(busy: Scene, filters: list[str], wanted: list[int]) -> None:
    """
    A group or a raw type narrows; heartbeats are shown only on request.
    """
    assert seqs(busy, {"since": 0, "filters": filters}) == wanted


def test_without_cursors_the_last_moments_are_shown(busy: Scene) -> None:
    """
    A bare look goes two seconds back, or as far as it is told, and names the cursors of that stretch.
    """
    answer = answer_of(OBSERVE, busy.context, {})
    assert (answer.fields["since"], answer.fields["until"]) == (6, 8)
    assert seqs(busy, {}) == [8]
    assert seqs(busy, {"window_ms": 4_000}) == [5, 6, 8]


def test_a_quiet_page_was_watched(busy: Scene) -> None:
    """
    Nothing lately is an observation, with a cursor to go on from.
    """
    busy.clock.advance(5)
    fields = answer_of(OBSERVE, busy.context, {}).fields
    assert (fields["events"], fields["observed"], fields["since"], fields["until"]) == ([], True, 8, 8)


def test_only_the_newest_events_are_kept_and_the_rest_is_counted(busy: Scene) -> None:
    """
    A cap on events names how many older ones there are.
    """
    fields = answer_of(OBSERVE, busy.context, {"since": 0, "max_events": 2}).fields
    assert (fields["total"], fields["truncated"], fields["droppedOldest"]) == (7, True, 5)
    assert seqs(busy, {"since": 0, "max_events": 2}) == [6, 8]


def test_a_filter_that_matched_nothing_shows_what_there_was(scene: Scene) -> None:
    """
    The types that did occur are named.
    """
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    fields = answer_of(OBSERVE, scene.context, {"since": 0, "filters": ["net"]}).fields
    assert fields["hint"] == {"totalInWindow": 1, "byType": {"dom.added": 1}}


@pytest.mark.parametrize(("channel", "observed"), [("net", False), ("*", False), ("dom", True)])
def test_a_loss_matters_to_the_family_that_was_asked_for(
    scene: Scene, channel: str, *, observed: bool
) -> None:
    """
    An empty look at the network is evidence unless network events were lost.
    """
    scene.page.lose(channel)
    fields = answer_of(OBSERVE, scene.context, {"since": 0, "filters": ["net"]}).fields
    assert fields["observed"] is observed


def test_an_unknown_filter_is_refused(scene: Scene) -> None:
    """
    A misspelt group is not taken for "everything" or "nothing".
    """
    refusal = refusal_of(OBSERVE, scene.context, {"filters": ["network"]})
    assert refusal.code == "bad_arguments"
    assert "dom, net, route" in refusal.recovery


def test_long_texts_in_events_are_cut_in_sight(scene: Scene) -> None:
    """
    A large body inside an event does not flood the agent.
    """
    scene.page.record(
        EventType.NET_REQUEST, {"id": "n", "responseBody": "x" * 1_000, "nested": [{"a": "y" * 400}]}
    )
    events = answer_of(OBSERVE, scene.context, {"since": 0}).fields["events"]
    assert isinstance(events, list)
    assert events[0]["data"]["responseBody"] == "x" * 300 + "…(+700 chars)"
    assert events[0]["data"]["nested"][0]["a"] == "y" * 300 + "…(+100 chars)"


def test_an_action_is_followed(scene: Scene) -> None:
    """
    The events of one action are found however long ago it was.
    """
    action = scene.page.begin_action()
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    scene.page.end_action(action)
    scene.clock.advance(60)
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    assert seqs(scene, {"actionId": action}) == [1]


def test_many_events_cost_and_the_answer_says_so(scene: Scene) -> None:
    """
    From 80 events on the agent is told what it cost and how to ask for less; a few cost next to nothing.
    """
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    assert "cost" not in answer_of(OBSERVE, scene.context, {}).fields
    for _ in range(100):
        scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    cost = answer_of(OBSERVE, scene.context, {}).fields["cost"]
    assert isinstance(cost, dict)
    assert (cost["events"], cost["tokens"] > 500) == (101, True)
    assert cost["recommendation"].startswith("Ask for less")


def test_events_that_the_buffer_let_go_are_counted(scene: Scene) -> None:
    """
    A look at a page that reports a lot says that the oldest events are gone.
    """
    assert "buffer" not in answer_of(OBSERVE, scene.context, {}).fields
    scene.page.evicted = 7
    scene.page.record(EventType.SIGNAL, {"name": "a"})
    buffer = answer_of(OBSERVE, scene.context, {}).fields["buffer"]
    assert isinstance(buffer, dict)
    assert (buffer["held"], buffer["dropped"]) == (1, 7)


@pytest.mark.parametrize(
    ("group", "event_type"),
    [
        ("storage", EventType.STORAGE_CHANGE), ("animation", EventType.ANIM_START), ("perf", EventType.PERF),
        ("focus", EventType.FOCUS_CHANGE), ("scroll", EventType.SCROLL_POSITION),
        ("dialog", EventType.DIALOG), ("download", EventType.DOWNLOAD), ("edit", EventType.EDIT_APPLIED),
        ("human", EventType.HUMAN_MARK), ("scroll", EventType.REVEAL_SHOWN),
        ("perf", EventType.RENDER_COMMIT),
    ],
)  # fmt: skip
def test_every_family_has_a_filter(scene: Scene, group: str, event_type: EventType) -> None:
    """
    An agent that looks for one kind of event gets it by the group's name and nothing else.
    """
    scene.page.record(event_type, {})
    scene.page.record(EventType.SIGNAL, {"name": "other"})
    events = answer_of(OBSERVE, scene.context, {"filters": [group]}).fields["events"]
    assert isinstance(events, list)
    assert [event["type"] for event in events] == [event_type]


def test_every_event_type_is_in_a_group() -> None:
    """
    No event can be found only by those who know its name.
    """
    prefixes = tuple(prefix for group in GROUPS.values() for prefix in group)
    assert [word.value for word in EventType if not word.startswith(prefixes)] == []
