"""
What one session's client can still get after it lost a stream: its newest events, bounded three ways.

Per session at most ``REPLAY_EVENTS``, ``REPLAY_BYTES`` and ``REPLAY_SECONDS``; all sessions share one budget
of bytes. What had to go is remembered as a number per stream, so that a client which comes back too late is
told so instead of getting a history with a hole.

Lists, though the oldest goes first: they are short, and an empty deque takes ten times the memory of a list
in each of 20,000 sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from reticle.model.limits import REPLAY_ALL_BYTES, REPLAY_BYTES, REPLAY_EVENTS, REPLAY_SECONDS


@attrs.define
class ReplayBudget:
    """
    The bytes that all sessions keep together.
    """

    max_bytes: int = REPLAY_ALL_BYTES
    used_bytes: int = 0


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
        self._budget.used_bytes += size
        while self._order and (
            len(self._order) > REPLAY_EVENTS
            or self._bytes > REPLAY_BYTES
            or self._budget.used_bytes > self._budget.max_bytes
        ):
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
        self._budget.used_bytes -= self._bytes
        self._bytes = 0
        self._order.clear()
        self._streams.clear()

    def _drop_oldest(self) -> None:
        _, stream, size = self._order.pop(0)
        kept = self._streams[stream]
        kept.lost_through, _ = kept.events.pop(0)
        self._bytes -= size
        self._budget.used_bytes -= size
        if kept.ended and not kept.events:
            del self._streams[stream]
