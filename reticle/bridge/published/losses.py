"""
What the published packages lose without a word, seen from outside.

A mutation batch is cut at 40 added, 40 removed and 40 changed elements; the offline queue at 500 frames,
of which the newest are dropped (page-wire §6, §10). Reaching a cap exactly is taken as a loss.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Mapping, Sequence

from reticle.bridge.wire import WireEvent
from reticle.model.codes import EventType

BATCH_CAP = 40
QUEUE_CAP = 500
_QUEUE_FULL = QUEUE_CAP - 1  # a heartbeat may have been the last one queued
_BURST_SECONDS = 1.0

_BATCH_MS = 150.0
"""
Forty of a kind within so much of the page's time are taken for one full batch. Its events are stamped one
by one, over 3 ms on an idle machine and 70 on a busy one; rather a loss too many than one too few.
"""

_PREEMPTED_MS = 180.0
"""
A browser that lost its processor in the middle of a batch leaves one gap in it; up to so much the largest
gap of forty does not count towards ``_BATCH_MS``. A longer one stands between two batches.
"""

_FAMILIES: Mapping[str, str] = {
    EventType.DOM_ADDED: "dom.added",
    EventType.DOM_REMOVED: "dom.removed",
    EventType.DOM_ATTR: "dom.attr",
    EventType.DOM_TEXT: "dom.attr",
}
"""Types that share one batch cap; attribute and text changes do."""

_CHANNELS = {
    "dom.added": ("dom.added",),
    "dom.removed": ("dom.removed",),
    "dom.attr": ("dom.attr", "dom.text"),
}


class UndeclaredLosses:
    """
    Watches one page's events.
    """

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}
        self._burst_until = float("-inf")
        self._burst = 0

    def reconnected(self, now: float) -> None:
        """
        What comes now, in one burst, waited in the page's queue.
        """
        self._burst_until = now + _BURST_SECONDS
        self._burst = 0

    def observe(self, events: Sequence[WireEvent], now: float) -> list[tuple[str, int]]:
        """
        Losses that a batch gives away, as channel and least number.
        """
        lost: list[tuple[str, int]] = []
        for event in events:
            if event.type in _FAMILIES:
                lost.extend((channel, 1) for channel in self._batch_overflow(event))
        if now < self._burst_until:
            before, self._burst = self._burst, self._burst + len(events)
            if before < _QUEUE_FULL <= self._burst:
                lost.append(("*", 1))
        return lost

    def _batch_overflow(self, event: WireEvent) -> tuple[str, ...]:
        family = _FAMILIES[event.type]
        times = self._times.setdefault(family, deque(maxlen=BATCH_CAP))
        times.append(0.0 if event.page_time is None else event.page_time)
        if len(times) < BATCH_CAP or not _is_one_batch(times):
            return ()
        times.clear()
        return _CHANNELS[family]


def _is_one_batch(times: Sequence[float]) -> bool:
    if abs(times[-1] - times[0]) > _BATCH_MS + _PREEMPTED_MS:
        return False  # whatever the gaps are; looking at each would be most of what an event costs
    gaps = [abs(later - earlier) for earlier, later in itertools.pairwise(times)]
    largest = max(gaps)
    return largest <= _PREEMPTED_MS and sum(gaps) - largest <= _BATCH_MS
