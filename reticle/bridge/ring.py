"""
The events of one page, newest kept: capped in number and bytes, quick to read at any age.

Two lanes, each in order: churn (what repeats by nature and proves little) and the rest. When a cap bites,
churn goes first, oldest first, then the oldest of the rest. A read finds its place in each lane by
bisection and merges, so it costs what it returns, however long the page has lived.
Every eviction is told to ``on_evicted``; the ring itself accounts for nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter

import msgspec

from reticle.bridge.ring_space import RingSpace
from reticle.bridge.wire import read_data
from reticle.model.codes import EventType
from reticle.model.ids import ActionId, DocumentId
from reticle.model.limits import PAGE_EVENT_BYTES, PAGE_EVENTS
from reticle.model.page import App, PageEvent

CHURN: frozenset[str] = frozenset(
    {EventType.DOM_TEXT, EventType.PAGE_HEALTH}
    | {"anim.start", "anim.end", "render.commit", "scroll.position"}
)
"""Types that go first; the four names are the published packages'."""

ENTRY_BYTES = 200
"""What an entry costs beside its data."""

_COMPACT_AT = 1_024
_seq = attrgetter("seq")


class Entry(msgspec.Struct, eq=False, gc=False):
    """
    One recorded event; its data is decoded when it is first read.

    There may be a million of them, so the garbage collector does not look at them: what they refer to never
    refers back.
    """

    seq: int
    t_ms: int
    type: str
    raw: bytes
    ref: str | None = None
    document_id: DocumentId | None = None
    action_id: ActionId | None = None
    edit_epoch: int | None = None
    app: App | None = None
    cause: str | None = None
    decoded: PageEvent | None = None

    @property
    def size(self) -> int:
        """
        Bytes counted against the cap.
        """
        return len(self.raw) + ENTRY_BYTES

    def event(self) -> PageEvent:
        """
        The event as the rest of the daemon knows it; the same object until it is let go.
        """
        if self.decoded is None:
            self.decoded = PageEvent(
                self.seq,
                self.t_ms,
                self.type,
                read_data(self.raw),
                self.ref,
                self.document_id,
                self.action_id,
                self.edit_epoch,
                self.app,
                self.cause,
            )
        return self.decoded

    def let_go(self) -> None:
        """
        Hold the decoded event no longer; who reads it again has it decoded again.
        """
        self.decoded = None


_GONE = Entry(0, 0, "", b"")
"""Stands in a lane where an entry was."""


class _Lane:
    """
    Entries in order, taken from the front in constant time on average; added at the end of ``entries``.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._head = 0

    def __len__(self) -> int:
        return len(self.entries) - self._head

    def pop_oldest(self) -> Entry:
        head = self._head
        entry = self.entries[head]
        self.entries[head] = _GONE  # its memory is given back now, not when the list is next cut
        self._head = head + 1
        if head >= _COMPACT_AT and head * 8 >= len(self.entries):
            del self.entries[: head + 1]
            self._head = 0
        return entry

    def between(self, since: int, until: int | None) -> list[Entry]:
        start = bisect_right(self.entries, since, lo=self._head, key=_seq)
        end = len(self.entries) if until is None else bisect_right(self.entries, until, lo=start, key=_seq)
        return self.entries[start:end]

    def last_until(self, seq: int) -> Entry | None:
        index = bisect_left(self.entries, seq + 1, lo=self._head, key=_seq)
        return self.entries[index - 1] if index > self._head else None


class EventRing:
    """
    The newest events of a page.

    Args:
        on_evicted: Called with the entries that a cap pushed out, in the order in which they went.
        max_events: The cap in number.
        max_bytes: The cap in bytes, ``Entry.size`` summed.
        space: What this ring shares with those of other pages; None: it has no others.
    """

    def __init__(
        self,
        on_evicted: Callable[[Sequence[Entry]], None],
        *,
        max_events: int = PAGE_EVENTS,
        max_bytes: int = PAGE_EVENT_BYTES,
        space: RingSpace | None = None,
    ) -> None:
        self._on_evicted = on_evicted
        self._space = RingSpace() if space is None else space
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._churn = _Lane()
        self._rest = _Lane()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._churn) + len(self._rest)

    @property
    def held_bytes(self) -> int:
        """
        Bytes counted against the cap now.
        """
        return self._bytes

    def extend(self, entries: Iterable[Entry]) -> None:
        """
        Keep entries, oldest first, whose ``seq`` are beyond all others; evict what no longer fits.
        """
        max_bytes, max_events = self._max_bytes, self._max_events
        # Counted here instead of asked for: this is what an event costs.
        churn_held, rest_held, held_bytes = len(self._churn), len(self._rest), self._bytes
        evicted: list[Entry] = []
        for entry in entries:
            if entry.type in CHURN:
                self._churn.entries.append(entry)
                churn_held += 1
            else:
                self._rest.entries.append(entry)
                rest_held += 1
            held_bytes += len(entry.raw) + ENTRY_BYTES
            while held_bytes > max_bytes or churn_held + rest_held > max_events:
                if churn_held:
                    oldest = self._churn.pop_oldest()
                    churn_held -= 1
                else:
                    oldest = self._rest.pop_oldest()
                    rest_held -= 1
                held_bytes -= len(oldest.raw) + ENTRY_BYTES
                evicted.append(oldest)
        grown, self._bytes = held_bytes - self._bytes, held_bytes
        if evicted:
            self._on_evicted(evicted)
        self._space.changed(self, grown)

    def give_up(self, wanted_bytes: int) -> None:
        """
        Evict at least so many bytes, or everything, in the order in which a cap would.
        """
        left, gone = self._bytes - wanted_bytes, list[Entry]()
        while self._bytes > left and (lane := self._churn if len(self._churn) else self._rest):
            oldest = lane.pop_oldest()
            self._bytes -= oldest.size
            gone.append(oldest)
        self._on_evicted(gone)
        self._space.changed(self, -sum(entry.size for entry in gone))

    def clear(self) -> None:
        """
        Evict everything.
        """
        gone, held_bytes = [*self._entries(-1, None)], self._bytes
        self._churn, self._rest, self._bytes = _Lane(), _Lane(), 0
        self._on_evicted(gone)
        self._space.changed(self, -held_bytes)
        self._space.left(self)

    def between(self, since: int, until: int | None = None) -> Sequence[PageEvent]:
        """
        Held events with ``since < seq <= until``, oldest first.
        """
        decoded = self._space.decoded
        return [entry.decoded or decoded(entry) for entry in self._entries(since, until)]

    def time_at(self, seq: int) -> int:
        """
        ``t_ms`` of the newest held event up to ``seq``; 0 when there is none.
        """
        last = self.last_until(seq)
        return 0 if last is None else last.t_ms

    def last_until(self, seq: int) -> Entry | None:
        """
        The newest held event up to ``seq``, or None.
        """
        found = [entry for entry in (self._churn.last_until(seq), self._rest.last_until(seq)) if entry]
        return max(found, default=None, key=_seq)

    def _entries(self, since: int, until: int | None) -> Iterator[Entry] | list[Entry]:
        churn, rest = self._churn.between(since, until), self._rest.between(since, until)
        if not churn:
            return rest
        return merge(churn, rest, key=_seq) if rest else churn
