"""
One stream of a session as its client sees it: events with ids, on whatever connection there is.

A connection may break and another take over; what was sent meanwhile is replayed from the session's
``Replay``. An id is ``<life>-<stream>-<number>``: the life names one stay of the session in this daemon's
memory, so an id of another stay or another daemon is told from ours.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.transport.frame import numbered_frame, priming_frame
from reticle.transport.replay import Replay
from reticle.transport.sse_response import SseResponse

Places = Callable[[], Replay]
"""Gives the session's replay, made at the first event."""


class NumberedStream:
    """
    Args:
        number: Which stream of the session; 0 is the standalone one.
        life: The part of the ids that is the session's.
        primes: Whether the client understands an event without data (2025-11-25).
        replay: Where events are kept.
    """

    __slots__ = ("_connection", "_last", "_life", "_primes", "_replay", "_sent_through", "ended", "number")

    def __init__(self, number: int, life: str, *, primes: bool, replay: Places) -> None:
        self.number = number
        self.ended = False
        self._life = life
        self._primes = primes
        self._replay = replay
        self._connection: SseResponse | None = None
        self._last = 0
        self._sent_through = 0

    @property
    def is_connected(self) -> bool:
        """
        Whether somebody reads it.
        """
        return self._connection is not None

    @property
    def last(self) -> int:
        """
        The number of the newest event.
        """
        return self._last

    def connect(self, connection: SseResponse, *, after: int | None = None) -> None:
        """
        Let ``connection`` be the reader; a former one is ended.

        Args:
            connection: A fresh response.
            after: The number of the last event that the client has; None for one that names none, which
                gets what nobody was sent yet and is still kept.
        """
        since = self._sent_through if after is None else after
        # Most standalone streams never bring anything: no store is made for them.
        missed = self._replay().after(self.number, since) if self._last > since else ()
        former, self._connection = self._connection, connection
        if former is not None:
            former.end()
        for frame in missed:
            connection.put(frame)
        self._sent_through = self._last
        if self.ended:
            self._connection = None
            connection.end()
        elif self._primes:
            self._last += 1
            self._sent_through = self._last
            connection.put(priming_frame(self._event_id(self._last)))

    def disconnected(self, connection: SseResponse) -> None:
        """
        That connection is gone; another one may have taken over already.
        """
        if self._connection is connection:
            self._connection = None

    def send(self, message: bytes) -> None:
        """
        Number a message, keep it, and write it where somebody reads.
        """
        self._last += 1
        frame = numbered_frame(self._event_id(self._last), message)
        self._replay().keep(self.number, self._last, frame)
        if self._connection is not None:
            self._sent_through = self._last
            self._connection.put(frame)

    def end(self) -> None:
        """
        Nothing follows.
        """
        self.ended = True
        self.release()
        self._replay().ended(self.number)

    def release(self) -> None:
        """
        End the connection and not the stream: its client comes back (SEP-1699).
        """
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.end()

    def _event_id(self, number: int) -> bytes:
        return b"%b-%d-%d" % (self._life.encode("ascii"), self.number, number)
