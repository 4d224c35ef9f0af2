"""
Recording a page's events.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from reticle.bridge.flood import FloodGate
from reticle.bridge.recording import Recording
from reticle.bridge.wire import WireEvent
from reticle.model.codes import EventType
from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.limits import ANSWERS_REMEMBERED, CHANGES_REMEMBERED, EVENT_DATA_BYTES
from reticle.model.page import Loss, PageIdentity

DOC = DocumentId("doc00001")
IDENTITY = PageIdentity(PageId("s1"), "http://localhost/", "Shop", own_script=True, document_id=DOC)


def event(
    event_type: str,
    fields: Mapping[str, object] | None = None,
    seq: int | None = None,
    document: str | None = None,
) -> WireEvent:
    """
    An event of our page script.
    """
    raw = msgspec.Raw(msgspec.json.encode(fields or {}))
    return WireEvent(type=event_type, data=raw, page_seq=seq, document_id=document)


class Scene:
    """
    A recording whose time a test moves.
    """

    def __init__(self, *, max_events: int = 1_000, per_second: int = 1_000) -> None:
        self.clock = Clock()
        self.recording = Recording(self.clock.seconds, max_events=max_events, flood=FloodGate(per_second))
        self.recording.document_loaded(DOC)

    def record(self, *events: WireEvent) -> None:
        """
        Let a batch arrive.
        """
        self.recording.record(events, DOC, counted=True)

    def losses(self, since: int = 0) -> list[Loss]:
        """
        What a window from ``since`` misses.
        """
        return list(self.recording.losses(since, self.recording.cursor()))


def test_events_are_stamped_on_arrival() -> None:
    """
    Number, time and action are the daemon's, whatever clock the page has.
    """
    scene = Scene()
    scene.clock.advance(1.5)
    scene.record(event("signal", {"name": "saved"}, 1, "doc00001"))
    scene.recording.attribute(ActionId("a1"))
    scene.clock.advance(0.25)
    scene.record(event("signal", {"name": "saved"}, 2), event("dom.text", seq=3))
    scene.recording.attribute(None)
    scene.record(event("signal", seq=4))
    told = [
        (each.seq, each.t_ms, each.type, each.action_id, each.document_id)
        for each in scene.recording.events(0)
    ]
    assert told == [
        (1, 1500, "signal", None, DOC),
        (2, 1750, "signal", "a1", DOC),
        (3, 1750, "dom.text", "a1", DOC),
        (4, 1750, "signal", None, DOC),
    ]
    assert scene.recording.events(1, 2)[0].data == {"name": "saved"}


def test_a_gap_in_the_pages_count_is_a_loss_of_anything() -> None:
    """
    When event 2 never came, no claim of absence holds.
    """
    scene = Scene()
    scene.record(event("signal", seq=1), event("signal", seq=3))
    assert scene.losses() == [Loss(Cursor(1), "*", 1, "page")]


def test_an_overflow_says_what_the_gap_was() -> None:
    """
    A page that dropped only log lines while it was offline can still prove a request.
    """
    scene = Scene()
    scene.record(
        event("signal", seq=1),
        event("net.request", seq=5),
        event(EventType.TRANSPORT_OVERFLOW, {"dropped": 3, "channels": {"console.log": 3}}, 6),
    )
    assert scene.losses() == [Loss(Cursor(2), "console.log", 3, "page")]


def test_an_overflow_without_names_is_a_loss_of_anything() -> None:
    """
    The published marker has a number only.
    """
    scene = Scene()
    scene.record(event(EventType.TRANSPORT_OVERFLOW, {"dropped": 12}, 1))
    assert scene.losses() == [Loss(Cursor(0), "*", 12, "page")]


def test_a_truncated_batch_is_a_loss_of_its_channel() -> None:
    """
    The page's own caps impeach what they cut.
    """
    scene = Scene()
    scene.record(event(EventType.TRUNCATED, {"channel": "dom", "dropped": 800}, 1))
    assert scene.losses() == [Loss(Cursor(0), "dom", 800, "page")]


def test_a_flood_is_sampled_and_told() -> None:
    """
    The one console error in a burst is kept, and the dropped log lines are counted.
    """
    scene = Scene(per_second=3)
    scene.record(*(event("console.log", seq=seq) for seq in range(1, 6)), event("console.error", seq=6))
    assert [each.type for each in scene.recording.events(0)] == ["console.log"] * 3 + ["console.error"]
    assert scene.losses() == [Loss(Cursor(3), "console.log", 2, "flood")]


def test_eviction_impeaches_only_windows_that_needed_the_event() -> None:
    """
    A window that began after the evicted events is whole.
    """
    scene = Scene(max_events=3)
    scene.record(*(event("signal", seq=seq) for seq in range(1, 6)))
    assert scene.losses() == [Loss(Cursor(0), "signal", 2, "ring")]
    assert scene.losses(since=2) == []


def test_a_window_holds_all_that_a_verdict_needs() -> None:
    """
    Events, blind spots, open requests, times and document of exactly the stretch.
    """
    scene = Scene()
    scene.record(
        event("net.pending", {"id": "n1"}, 1), event(EventType.BLIND_SPOT, {"kind": "x", "count": 2}, 2)
    )
    scene.clock.advance(1)
    scene.record(event("net.request", {"id": "n1", "status": 200}, 3))
    scene.clock.advance(1)
    window = scene.recording.window(IDENTITY, Cursor(2))
    assert (window.since, window.until, window.opened_t_ms, window.closed_t_ms) == (2, 3, 0, 2000)
    assert [each.seq for each in window.events] == [3]
    assert [each.seq for each in window.open_requests_before] == [1]
    assert (window.blind_spots, window.document_id, window.connection_lost) == ({"x": 2}, DOC, False)
    past = scene.recording.window(IDENTITY, Cursor(0), Cursor(2))
    assert (past.closed_t_ms, past.open_requests_before) == (0, [])


def test_a_new_document_starts_clean() -> None:
    """
    Blind spots and open requests of the old document do not follow into the new one.
    """
    scene = Scene()
    scene.record(
        event("net.pending", {"id": "n1"}, 1), event(EventType.BLIND_SPOT, {"kind": "x", "count": 2}, 2)
    )
    scene.recording.document_loaded(DocumentId("doc00002"))
    window = scene.recording.window(IDENTITY, Cursor(2))
    assert (window.document_id, window.open_requests_before) == ("doc00002", [])
    scene.record(event("signal", seq=3))
    assert scene.recording.window(IDENTITY, Cursor(3)).blind_spots == {}


def test_a_document_that_an_action_loads_at_once_is_new_in_its_window() -> None:
    """
    A reload right after the click, with no event between, is still seen to have come of it.
    """
    scene = Scene()
    scene.record(event("signal", seq=1))
    since = scene.recording.cursor()
    assert not scene.recording.window(IDENTITY, since).new_document
    assert scene.recording.window(IDENTITY, Cursor(0)).new_document
    scene.recording.document_loaded(DocumentId("doc00002"))
    assert scene.recording.window(IDENTITY, since).new_document
    scene.recording.record([event("signal")], DocumentId("doc00002"), counted=False)
    assert scene.recording.window(IDENTITY, since).new_document
    assert not scene.recording.window(IDENTITY, scene.recording.cursor()).new_document


def test_a_window_of_an_action_opens_when_it_was_taken() -> None:
    """
    Silence before the action is not taken for silence after it.
    """
    scene = Scene()
    scene.record(event("signal", seq=1))
    scene.clock.advance(5)
    assert scene.recording.window(IDENTITY, Cursor(1)).opened_t_ms == 0
    scene.recording.attribute(ActionId("a1"))
    scene.clock.advance(0.1)
    window = scene.recording.window(IDENTITY, Cursor(1))
    assert (window.opened_t_ms, window.closed_t_ms) == (5_000, 5_100)


def test_a_window_knows_when_somebody_acted() -> None:
    """
    What comes at an even pace because an agent acts at one is not taken for a poll.
    """
    scene = Scene()
    for action in ("a1", "a2", "a3"):
        scene.clock.advance(1)
        scene.recording.attribute(ActionId(action))
        scene.recording.attribute(None)
        scene.record(event("signal"))
    assert scene.recording.window(IDENTITY, Cursor(2)).acted_at == [1_000, 2_000, 3_000]
    assert scene.recording.window(IDENTITY, Cursor(0), Cursor(1)).acted_at == [1_000, 2_000]


def test_a_lost_page_is_told_until_it_is_back() -> None:
    """
    A window that ends while nobody speaks for the page says so, later ones do not.
    """
    scene = Scene()
    scene.record(event("signal", seq=1))
    scene.recording.connection(connected=False)
    assert scene.recording.window(IDENTITY, Cursor(0)).connection_lost
    scene.recording.connection(connected=True)
    assert not scene.recording.window(IDENTITY, Cursor(0)).connection_lost


def test_scripts_without_counts_have_no_gaps() -> None:
    """
    The published packages' own numbers are not trusted, nor are their document names.
    """
    scene = Scene()
    scene.recording.record([event("signal", seq=900, document="other")], DOC, counted=False)
    assert scene.losses() == []
    assert scene.recording.events(0)[0].document_id == DOC


def test_absurd_numbers_from_a_page_stay_sensible() -> None:
    """
    A hostile count cannot break the account.
    """
    scene = Scene()
    scene.record(
        event(EventType.TRUNCATED, {"channel": 5, "dropped": -3}, 1),
        event(EventType.TRUNCATED, {"channel": "dom", "dropped": 10**30}, 2),
        event(EventType.BLIND_SPOT, {"kind": "x", "count": 10**30}, 3),
        event(EventType.TRANSPORT_OVERFLOW, {"channels": [], "dropped": "many"}, 4),
    )
    assert scene.losses() == [Loss(Cursor(0), "*", 2, "page"), Loss(Cursor(1), "dom", 10**9, "page")]
    assert scene.recording.window(IDENTITY, Cursor(0)).blind_spots == {"x": 10**6}


def test_a_window_brings_the_answers_from_before_it() -> None:
    """
    What the page had read is there to compare a write with, and no more than is remembered.
    """
    scene = Scene()
    scene.record(*[event("net.request", {"id": str(n)}, n + 1) for n in range(ANSWERS_REMEMBERED + 5)])
    since = scene.recording.cursor()
    scene.record(event("net.request", {"id": "later"}, ANSWERS_REMEMBERED + 6))
    window = scene.recording.window(IDENTITY, since)
    before = [answer.data["id"] for answer in window.answers_before]
    assert (len(before), before[-1]) == (ANSWERS_REMEMBERED - 1, str(ANSWERS_REMEMBERED + 4))
    assert scene.recording.window(IDENTITY, Cursor(0)).answers_before == []


def test_a_window_brings_the_changes_from_before_it() -> None:
    """
    What moved already before an action can be told from what the action moved.
    """
    scene = Scene()
    scene.record(*[event("dom.text", {"text": str(n)}, n + 1) for n in range(CHANGES_REMEMBERED)])
    scene.record(event("console.log", {"message": "x"}, CHANGES_REMEMBERED + 1))
    since = scene.recording.cursor()
    scene.record(event("dom.text", {"text": "later"}, CHANGES_REMEMBERED + 2))
    before = [change.data["text"] for change in scene.recording.window(IDENTITY, since).changes_before]
    assert before == [str(n) for n in range(1, CHANGES_REMEMBERED)]
    assert scene.recording.window(IDENTITY, Cursor(0)).changes_before == []


def test_an_event_keeps_the_number_of_hot_updates_before_it() -> None:
    """
    Which code an event came from is known as long as the event is.
    """
    scene = Scene()
    scene.record(event("signal"), msgspec.structs.replace(event("signal"), edit_epoch=2))
    assert [each.edit_epoch for each in scene.recording.events(0)] == [None, 2]


def test_an_event_keeps_what_the_page_followed_it_back_to() -> None:
    """
    Whose doing it is stays known; packages that number nothing follow nothing either.
    """
    scene = Scene()
    scene.record(event("signal"), msgspec.structs.replace(event("signal"), cause="load"))
    scene.recording.record([msgspec.structs.replace(event("signal"), cause="load")], DOC, counted=False)
    assert [each.cause for each in scene.recording.events(0)] == [None, "load", None]


def test_an_event_far_too_large_is_a_loss_of_its_channel() -> None:
    """
    A page cannot fill its buffer, or hold the daemon, with one event; what is missing is known.
    """
    scene = Scene()
    scene.record(
        event("state.change", seq=1),
        event("console.log", {"message": "x" * EVENT_DATA_BYTES}, 2),
        event("signal", seq=3),
    )
    assert [each.type for each in scene.recording.events(0)] == ["state.change", "signal"]
    assert scene.losses() == [Loss(Cursor(1), "console.log", 1, "page")]


TYPES = st.sampled_from(
    ["dom.text", "console.log", "net.pending", "net.request", "signal", "made.up", "transport.overflow"]
)
TOLD = st.builds(
    event,
    TYPES,
    st.sampled_from([None, {"id": "n1"}, {"id": "n2"}, {"dropped": 2, "channels": {"signal": 1}}]),
    st.none() | st.integers(min_value=1, max_value=40),
    st.sampled_from([None, "doc00001", "doc00002"]),
)


@given(st.lists(TOLD, max_size=40), st.integers(min_value=1, max_value=9), st.booleans())
def test_a_batch_is_what_its_events_are(told: list[WireEvent], size: int, counted: bool) -> None:  # noqa: FBT001
    """
    However a page groups its events, the recording is the same: events, losses, open requests.
    """
    batched, single = Scene(max_events=12, per_second=30), Scene(max_events=12, per_second=30)
    for at in range(0, len(told), size):
        batched.recording.record(told[at : at + size], DOC, counted=counted)
        for each in told[at : at + size]:
            single.recording.record([each], DOC, counted=counted)
    end = batched.recording.cursor()
    for since in range(end + 1):
        assert batched.recording.window(IDENTITY, Cursor(since)) == single.recording.window(
            IDENTITY, Cursor(since)
        )
    assert (batched.recording.held(), batched.recording.lost()) == (
        single.recording.held(),
        single.recording.lost(),
    )


def test_a_forgotten_recording_is_no_silent_one() -> None:
    """
    A verdict that still waits on a page that was forgotten does not take its emptiness for absence.
    """
    scene = Scene()
    scene.record(event("signal", seq=1), event("net.request", {"id": "n1"}, 2))
    scene.recording.forget()
    assert scene.recording.events(0) == []
    assert [(loss.channel, loss.dropped, loss.where) for loss in scene.losses()] == [
        ("signal", 1, "ring"),
        ("net.request", 1, "ring"),
    ]
