"""
What was produced and not kept: the account that lets a verdict say "I did not see" (DESIGN §7).

A loss has a place in the event order, so that only the windows that reach over it are impeached.
The account is bounded: per channel and cause it keeps a few stretches and merges the older ones, which
can only make it more cautious, never less.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from reticle.bridge.ring import Entry
from reticle.model.ids import Cursor
from reticle.model.journal import LossStretch
from reticle.model.limits import LOSS_CHANNELS, LOSS_RUNS
from reticle.model.page import Loss

ANY_CHANNEL: Final = "*"
RING: Final = "ring"
PAGE: Final = "page"
FLOOD: Final = "flood"
DOCUMENT: Final = "document"
JOURNAL: Final = "journal"
"""The values of ``Loss.where``."""

_BY_NUMBER: Final = frozenset({RING, JOURNAL})
"""What was lost so was lost at its own number, whenever that is said."""

_NEAR = 64  # losses this close together are one stretch


@attrs.define
class _Stretch:
    """
    Losses between two cursors, both inclusive.
    """

    first: int
    last: int
    dropped: int


class LossAccount:
    """
    All losses of one page.
    """

    def __init__(self) -> None:
        self._stretches: dict[tuple[str, str], list[_Stretch]] = {}
        self._total = 0

    @property
    def total(self) -> int:
        """
        Everything ever lost, for status pages.
        """
        return self._total

    def add(self, channel: str, at: int, dropped: int, where: str) -> None:
        """
        Record that ``dropped`` things of a channel were lost right after the event numbered ``at``.
        """
        if dropped <= 0:
            return
        self._total += dropped
        key = (channel, where)
        if key not in self._stretches and len(self._stretches) >= LOSS_CHANNELS:
            key = (ANY_CHANNEL, where)
        stretches = self._stretches.setdefault(key, [])
        if stretches and at - stretches[-1].last <= _NEAR:
            newest = stretches[-1]
            newest.first, newest.last = min(newest.first, at), max(newest.last, at)
            newest.dropped += dropped
            return
        self._append(stretches, _Stretch(at, at, dropped))

    @staticmethod
    def _append(stretches: list[_Stretch], newest: _Stretch) -> None:
        stretches.append(newest)
        if len(stretches) > LOSS_RUNS:
            oldest, second = stretches[:2]
            last = max(oldest.last, second.last)
            stretches[:2] = [_Stretch(oldest.first, last, oldest.dropped + second.dropped)]

    def add_evicted(self, entries: Iterable[Entry]) -> None:
        """
        Record that the ring let these go: each was lost at its own number, whenever that is said.
        """
        stretches_of = self._stretches.get
        for entry in entries:
            at = entry.seq - 1
            stretches = stretches_of((entry.type, RING))
            newest = None if stretches is None else stretches[-1]
            # What `add` does, for the one case that comes in masses: a stretch goes on.
            if newest is not None and newest.last <= at <= newest.last + _NEAR:
                newest.last = at
                newest.dropped += 1
                self._total += 1
            else:
                self.add(entry.type, at, 1, RING)

    def stretches(self) -> list[LossStretch]:
        """
        All of it, for the journal.
        """
        return [
            LossStretch(channel, where, stretch.first, stretch.last, stretch.dropped)
            for (channel, where), stretches in self._stretches.items()
            for stretch in stretches
        ]

    def restore(self, stretches: Iterable[LossStretch]) -> None:
        """
        Be the account of these, and of nothing else.
        """
        self._stretches, self._total = {}, 0
        for told in sorted(stretches, key=lambda told: (told.first, told.last)):
            key = (told.channel, told.where)
            if key not in self._stretches and len(self._stretches) >= LOSS_CHANNELS:
                key = (ANY_CHANNEL, told.where)
            self._total += told.dropped
            self._append(self._stretches.setdefault(key, []), _Stretch(told.first, told.last, told.dropped))

    def take_back(self, channel: str, dropped: int, where: str) -> None:
        """
        The newest so many losses of a channel turned out to be known by another name.
        """
        stretches = self._stretches.get((channel, where), [])
        while dropped > 0 and stretches:
            newest = stretches[-1]
            taken = min(dropped, newest.dropped)
            newest.dropped -= taken
            dropped -= taken
            self._total -= taken
            if not newest.dropped:
                stretches.pop()

    def between(self, since: int, until: int) -> list[Loss]:
        """
        The losses that a window may miss. ``dropped`` is an upper bound where a stretch began earlier.

        An evicted event, or one that the journal lost, was lost at its own number, so eviction at ``until``
        concerns the next window; any other loss at ``until`` happened before the window was closed. In the
        order of their places, however they came to be told.
        """
        found = [
            Loss(Cursor(max(stretch.first, since)), channel, stretch.dropped, where)
            for (channel, where), stretches in self._stretches.items()
            for stretch in stretches
            if stretch.last >= since
            and (stretch.first < until or (stretch.first == until and where not in _BY_NUMBER))
        ]
        return sorted(found, key=lambda loss: (loss.since, loss.channel, loss.where))
