"""
What the rings of all pages may hold together: a hundred busy pages must not take the machine's memory.

Over the cap the largest rings give up their oldest events until they are as the others are; each ring
accounts for what it let go, as for everything else that a cap pushes out.
Events that were read are held decoded too, which takes about as much again: of all pages
those that were read last.
"""

from __future__ import annotations

from collections import deque
from heapq import nlargest
from typing import Protocol

from reticle.model.bridge_limits import ALL_EVENT_BYTES, DECODED_EVENT_BYTES
from reticle.model.page import PageEvent

_FREED_SHARE = 64
"""A 64th of the whole is freed at once, so that a flood looks for the largest ring once in a while only."""

_LEAST_BYTES = 64 * 1024
"""What a ring gives up at least, where many are equally large."""


class Holder(Protocol):
    """
    One ring.
    """

    @property
    def held_bytes(self) -> int:
        """
        What it holds now.
        """

    def give_up(self, wanted_bytes: int) -> None:
        """
        Let the oldest events go, at least so much of them or all.
        """


class Decodable(Protocol):
    """
    An entry of a ring.
    """

    @property
    def size(self) -> int:
        """
        Its bytes, as the rings count them.
        """

    def event(self) -> PageEvent:
        """
        The event, decoded and held from now on.
        """

    def let_go(self) -> None:
        """
        Hold the decoded event no longer.
        """


class RingSpace:
    """
    The account of all rings.

    Args:
        max_bytes: What they may hold together.
        max_decoded_bytes: The size of the entries that may hold their events decoded.
    """

    def __init__(
        self, max_bytes: int = ALL_EVENT_BYTES, *, max_decoded_bytes: int = DECODED_EVENT_BYTES
    ) -> None:
        self._max_bytes = max_bytes
        self._holders: dict[Holder, None] = {}
        self._held_bytes = 0
        self._max_decoded_bytes = max_decoded_bytes
        self._decoded: deque[Decodable] = deque()
        self._decoded_bytes = 0

    @property
    def held_bytes(self) -> int:
        """
        What all of them hold now.
        """
        return self._held_bytes

    def changed(self, holder: Holder, by_bytes: int) -> None:
        """
        A ring holds so much more, or less; room is made where it is too much.
        """
        self._held_bytes += by_bytes
        self._holders.setdefault(holder)
        if by_bytes > 0 and self._held_bytes > self._max_bytes:
            self._make_room(self._max_bytes - self._max_bytes // _FREED_SHARE)

    def left(self, holder: Holder) -> None:
        """
        A ring is used no more, and has said that it holds nothing.
        """
        self._holders.pop(holder, None)

    def decoded(self, entry: Decodable) -> PageEvent:
        """
        The event of an entry that does not hold it; those that were read longest ago let theirs go for it.
        """
        event = entry.event()
        self._decoded.append(entry)
        self._decoded_bytes += entry.size
        while self._decoded_bytes > self._max_decoded_bytes:
            oldest = self._decoded.popleft()
            self._decoded_bytes -= oldest.size
            oldest.let_go()
        return event

    def _make_room(self, wanted_bytes: int) -> None:
        while (over := self._held_bytes - wanted_bytes) > 0:
            largest, *others = nlargest(2, self._holders, key=lambda holder: holder.held_bytes)
            second = others[0].held_bytes if others else 0
            largest.give_up(min(over, max(largest.held_bytes - second, _LEAST_BYTES)))
