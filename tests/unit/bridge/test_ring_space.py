"""
What the rings of all pages hold together.
"""

from __future__ import annotations

import sys

from reticle.bridge.recording import Recording
from reticle.bridge.ring import ENTRY_BYTES, Entry, EventRing
from reticle.bridge.ring_space import RingSpace
from reticle.bridge.wire import WireEvent
from reticle.model.bridge_limits import ALL_EVENT_BYTES
from reticle.model.limits import PAGE_EVENT_BYTES

SIZE = 10_000


def ring_of(space: RingSpace, events: int = 0) -> tuple[EventRing, list[int]]:
    """
    A ring with so many events of ``SIZE`` bytes, and the numbers of those it let go.
    """
    gone: list[int] = []
    ring = EventRing(lambda entries: gone.extend(entry.seq for entry in entries), space=space)
    fill(ring, range(1, events + 1))
    return ring, gone


def fill(ring: EventRing, numbers: range) -> None:
    """
    Keep events with these numbers.
    """
    for seq in numbers:
        ring.extend([Entry(seq, 0, "signal", b"x" * (SIZE - ENTRY_BYTES))])


def test_the_largest_ring_gives_up_its_oldest() -> None:
    """
    A page that floods costs itself its past, and not the quiet page beside it.
    """
    space = RingSpace(max_bytes=100 * SIZE)
    quiet, kept = ring_of(space, 5)
    loud, lost = ring_of(space, 200)
    assert kept == []
    assert len(quiet) == 5
    assert lost == list(range(1, len(lost) + 1))
    assert space.held_bytes == quiet.held_bytes + loud.held_bytes
    assert 80 * SIZE < space.held_bytes <= 100 * SIZE


def test_equal_rings_share_what_there_is() -> None:
    """
    A hundred busy pages each keep about the same, whatever order they came in.
    """
    space = RingSpace(max_bytes=1_000 * SIZE)
    rings = [ring_of(space, 50)[0] for _ in range(100)]
    assert space.held_bytes == sum(ring.held_bytes for ring in rings) <= 1_000 * SIZE
    assert min(map(len, rings[:-1])) >= 5


def test_what_was_given_up_is_a_declared_loss_of_its_page() -> None:
    """
    A verdict about a window whose events went to make room for another page's is not a yes.
    """
    space = RingSpace(max_bytes=50 * SIZE)
    mine = Recording(lambda: 0.0, space=space)
    event = WireEvent("signal", b'{"name":"' + b"x" * SIZE + b'"}')  # type: ignore[arg-type]  # bytes stand for Raw
    for _ in range(40):
        mine.record([event], None, counted=False)
    assert mine.losses(0, 40) == []
    other = Recording(lambda: 0.0, space=space)
    for _ in range(40):
        other.record([event], None, counted=False)
    [loss] = mine.losses(0, 40)
    assert (loss.channel, loss.where) == ("signal", "ring")
    assert loss.dropped == 40 - mine.buffer().held == mine.buffer().dropped > 0
    assert mine.losses(40, 40) == []


def test_a_page_that_is_forgotten_gives_its_share_back() -> None:
    """
    What closed tabs held is there for those that are open.
    """
    space = RingSpace(max_bytes=100 * SIZE)
    gone, _ = ring_of(space, 60)
    gone.clear()
    assert space.held_bytes == 0
    _, lost = ring_of(space, 95)
    assert lost == []


def test_memory_of_what_was_let_go_is_given_back_at_once() -> None:
    """
    A cap on bytes is one on memory: what it pushed out is not held by the list that it stood in.
    """
    ring = EventRing(lambda _gone: None, max_events=1)
    first = Entry(1, 0, "signal", b"{}")
    ring.extend([first])
    held = sys.getrefcount(first)
    fill(ring, range(2, 3))
    assert sys.getrefcount(first) == held - 1


def test_sixteen_full_pages_fit() -> None:
    """
    The usual number of pages is not touched by the cap for many.
    """
    assert 16 * PAGE_EVENT_BYTES <= ALL_EVENT_BYTES


def test_what_was_read_longest_ago_is_decoded_no_more() -> None:
    """
    Reading the whole past of many pages does not double what the daemon takes.
    """
    space = RingSpace(max_decoded_bytes=30 * SIZE)
    entries = [
        Entry(seq, seq, "signal", b'{"n":%d}' % seq + b" " * (SIZE - ENTRY_BYTES - 10)) for seq in range(50)
    ]
    ring = EventRing(lambda _gone: None, space=space)
    ring.extend(entries)
    first = ring.between(-1)
    assert [event.data["n"] for event in first] == list(range(50))
    held = [entry.seq for entry in entries if entry.decoded is not None]
    assert held == list(range(20, 50))
    assert ring.between(-1) == first
    assert ring.between(40)[0] is ring.between(40)[0]
