"""
What one session's client can still get after it lost a stream: its newest events, bounded three ways.

Per session at most ``REPLAY_EVENTS``, ``REPLAY_BYTES`` and ``REPLAY_SECONDS``; all sessions share one budget
of bytes, and where it is spent those that keep most give. What had to go is remembered as a number per
stream, so that a client which comes back too late is told so instead of getting a history with a hole.

Lists, though the oldest goes first: they are short, and an empty deque takes ten times the memory of a list
in each of 20,000 sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from reticle.model.limits import REPLAY_ALL_BYTES, REPLAY_BYTES, REPLAY_EVENTS, REPLAY_SECONDS

SPARED: Final = 16
"""When the budget is spent, one part of so many is freed, so that looking who keeps most is rarely needed."""


@attrs.define
class ReplayBudget:
    """
    The bytes that all sessions keep together.
    """

    max_bytes: int = REPLAY_ALL_BYTES
    used_bytes: int = 0
    _keepers: dict[Replay, None] = attrs.field(factory=dict)

    def add(self, replay: Replay, size: int) -> None:
        """
        A session keeps so many bytes more. If they are too many, the ones that keep most lose half of theirs
        each, oldest first: the one answer that a session could not deliver outlives what another piled up.
        """
        self._keepers[replay] = None
        self.used_bytes += size
        if self.used_bytes <= self.max_bytes:
            return
        enough = self.max_bytes - self.max_bytes // SPARED
        while self.used_bytes > enough:
            for keeper in sorted(self._keepers, key=Replay.size, reverse=True):
                keeper.halve(enough)
                if self.used_bytes <= enough:
                    break

    def remove(self, replay: Replay, size: int) -> None:
        """
        A session keeps so many bytes less.
        """
        self.used_bytes -= size
        if not replay.size():
            self._keepers.pop(replay, None)


@attrs.define
class _Kept:
    """
    One stream's kept events, oldest first, and the number of the newest one that was dropped.
    """

    events: list[tuple[int, bytes]] = attrs.field(factory=list)
    lost_through: int = 0
    ended: bool = False


class Replay:
    """
    The kept events of one session; streams and events have numbers.

    Args:
        budget: Shared by all sessions.
        now: Seconds that never go backwards.
    """

    __slots__ = ("_budget", "_bytes", "_now", "_order", "_streams")

    def __init__(self, budget: ReplayBudget, now: Callable[[], float]) -> None:
        self._budget = budget
        self._now = now
        self._bytes = 0
        self._streams: dict[int, _Kept] = {}
        self._order: list[tuple[float, int, int]] = []  # when, stream, bytes; oldest first

    def keep(self, stream: int, number: int, frame: bytes) -> None:
        """
        Keep an event; the oldest ones of the session make room.
        """
        self.expire()
        kept = self._streams.setdefault(stream, _Kept())
        size = len(frame)
        kept.events.append((number, frame))
        self._order.append((self._now(), stream, size))
        self._bytes += size
        self._budget.add(self, size)
        while len(self._order) > REPLAY_EVENTS or self._bytes > REPLAY_BYTES:
            self._drop_oldest()

    def size(self) -> int:
        """
        The bytes that it keeps.
        """
        return self._bytes

    def halve(self, enough: int) -> None:
        """
        Drop the oldest events until half of the bytes are left, or the budget has only ``enough``.
        """
        half = self._bytes // 2
        while self._bytes > half and self._budget.used_bytes > enough:
            self._drop_oldest()

    def has_all_after(self, stream: int, number: int) -> bool:
        """
        Whether no event of a stream behind that number had to go.
        """
        kept = self._streams.get(stream)
        return kept is None or number >= kept.lost_through

    def after(self, stream: int, number: int) -> Sequence[bytes]:
        """
        The frames of a stream behind that number, as far as they are kept.
        """
        kept = self._streams.get(stream)
        return [] if kept is None else [frame for at, frame in kept.events if at > number]

    def ended(self, stream: int) -> None:
        """
        The stream has had its last event: once that is dropped, the stream is forgotten.
        """
        kept = self._streams.get(stream)
        if kept is not None:
            kept.ended = True
            if not kept.events:
                del self._streams[stream]

    def keeps(self, stream: int) -> bool:
        """
        Whether any event of that stream is still here.
        """
        kept = self._streams.get(stream)
        return kept is not None and bool(kept.events)

    def expire(self) -> None:
        """
        Drop what is too old.
        """
        oldest = self._now() - REPLAY_SECONDS
        while self._order and self._order[0][0] < oldest:
            self._drop_oldest()

    def forget(self) -> None:
        """
        Drop everything. Nothing may be kept afterwards.
        """
        freed, self._bytes = self._bytes, 0
        self._budget.remove(self, freed)
        self._order.clear()
        self._streams.clear()

    def _drop_oldest(self) -> None:
        _, stream, size = self._order.pop(0)
        kept = self._streams[stream]
        kept.lost_through, _ = kept.events.pop(0)
        self._bytes -= size
        self._budget.remove(self, size)
        if kept.ended and not kept.events:
            del self._streams[stream]
