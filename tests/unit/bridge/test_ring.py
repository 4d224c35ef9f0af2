"""
The newest events of a page.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.ring import Entry, EventRing


def entry(seq: int, event_type: str = "signal", raw: bytes = b"{}") -> Entry:
    """
    An event that arrived ten times ``seq`` milliseconds after the hello.
    """
    return Entry(seq, seq * 10, event_type, raw)


def filled(*types: str, max_events: int = 100, max_bytes: int = 10**6) -> tuple[EventRing, list[int]]:
    """
    A ring with these events, and the numbers of those it evicted.
    """
    evicted: list[int] = []
    ring = EventRing(
        lambda gone: evicted.extend(each.seq for each in gone), max_events=max_events, max_bytes=max_bytes
    )
    for seq, event_type in enumerate(types, start=1):
        ring.extend([entry(seq, event_type)])
    return ring, evicted


def test_a_read_gives_the_stretch_in_order() -> None:
    """
    ``since`` is exclusive, ``until`` inclusive, and kinds do not change the order.
    """
    ring, evicted = filled("signal", "dom.text", "signal", "page.health", "net.request")
    assert [event.seq for event in ring.between(0)] == [1, 2, 3, 4, 5]
    assert [event.type for event in ring.between(1, 4)] == ["dom.text", "signal", "page.health"]
    assert (list(ring.between(5)), evicted) == ([], [])


def test_churn_goes_first_and_then_the_oldest() -> None:
    """
    A page that rewrites a clock all day keeps its requests.
    """
    ring, evicted = filled("net.request", "dom.text", "signal", "dom.text", "signal", "signal", max_events=3)
    assert evicted == [2, 4, 1]
    assert [event.seq for event in ring.between(0)] == [3, 5, 6]


def test_a_churn_event_that_finds_no_room_goes_itself() -> None:
    """
    Churn never pushes out what proves something.
    """
    ring, evicted = filled("signal", "signal", "dom.text", max_events=2)
    assert (evicted, [event.seq for event in ring.between(0)]) == ([3], [1, 2])


def test_bytes_are_capped_too() -> None:
    """
    A few huge events push out as many small ones as needed.
    """
    evicted: list[int] = []
    ring = EventRing(lambda gone: evicted.extend(each.seq for each in gone), max_bytes=2_000)
    for seq in range(1, 6):
        ring.extend([entry(seq)])
    ring.extend([entry(6, raw=b"x" * 1_500)])
    assert evicted == [1, 2, 3, 4]
    assert (len(ring), ring.held_bytes) == (2, 1_902)


def test_data_is_decoded_once() -> None:
    """
    Two readers of one event see the same object.
    """
    ring = EventRing(lambda _: None)
    ring.extend([entry(1, raw=b'{"a":1}')])
    first, second = ring.between(0)[0], ring.between(0)[0]
    assert first is second
    assert first.data == {"a": 1}


def test_the_time_of_a_cursor_is_that_of_its_event() -> None:
    """
    A cursor inside the recording has the time of the newest event up to it.
    """
    ring, _ = filled("signal", "dom.text", "signal")
    assert [ring.time_at(cursor) for cursor in (0, 1, 2, 3, 99)] == [0, 10, 20, 30, 30]


@given(
    st.lists(st.sampled_from(["signal", "dom.text", "net.request", "page.health"]), max_size=80),
    st.integers(min_value=1, max_value=20),
    st.integers(min_value=0, max_value=90),
    st.integers(min_value=0, max_value=90),
)
def test_held_and_evicted_are_together_all(types: list[str], cap: int, since: int, until: int) -> None:
    """
    No event is ever both lost and held, or neither; reads agree with a plain filter.
    """
    ring, evicted = filled(*types, max_events=cap)
    held = [event.seq for event in ring.between(0)]
    assert sorted(held + evicted) == list(range(1, len(types) + 1))
    assert len(held) == min(cap, len(types)) == len(ring)
    assert [event.seq for event in ring.between(since, until)] == [
        seq for seq in held if since < seq <= until
    ]


def test_a_long_life_does_not_grow() -> None:
    """
    After 20,000 events in a ring of 100 the ring holds 100 and little more memory than that.
    """
    ring = EventRing(lambda _: None, max_events=100)
    for seq in range(1, 20_001):
        ring.extend([entry(seq)])
    assert [event.seq for event in ring.between(0)] == list(range(19_901, 20_001))
    assert len(ring._rest.entries) < 1_200


def test_a_cleared_ring_tells_what_it_held() -> None:
    """
    What is let go with a page is missing in the eyes of whoever still looks at it, in order.
    """
    evicted: list[int] = []
    ring = EventRing(lambda gone: evicted.extend(each.seq for each in gone))
    ring.extend([entry(1, "dom.text"), entry(2), entry(3, "dom.text")])
    ring.clear()
    assert (evicted, len(ring), ring.held_bytes, list(ring.between(0))) == ([1, 2, 3], 0, 0, [])
    ring.extend([entry(4)])
    assert [event.seq for event in ring.between(0)] == [4]
