"""
Who may open a context next: as many as there is room for at once, the others in the order in which they came.
"""

from __future__ import annotations

from collections import deque

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IReactorTime

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import BROWSER_CONTEXTS, BROWSER_QUEUE_SECONDS


class Turns:
    """
    The places, and the queue for them.

    Args:
        clock: For the time that one waits at most.
        places: How many there are.
    """

    def __init__(self, clock: IReactorTime, places: int = BROWSER_CONTEXTS) -> None:
        self._clock = clock
        self._places = places
        self._taken = 0
        self._queue: deque[Deferred[None]] = deque()

    @property
    def waiting(self) -> int:
        """
        How many stand in the queue.
        """
        return len(self._queue)

    def take(self) -> Deferred[None]:
        """
        Ready when there is a place, which is then taken until ``give``; ``browser_full`` after
        ``BROWSER_QUEUE_SECONDS``. Who cancels it leaves the queue.
        """
        if self._taken < self._places:
            self._taken += 1
            return succeed(None)
        turn: Deferred[None] = Deferred(self._queue.remove)
        self._queue.append(turn)
        timer = self._clock.callLater(BROWSER_QUEUE_SECONDS, self._too_long, turn)

        def came(result: object) -> object:
            if timer.active():
                timer.cancel()
            return result

        return turn.addBoth(came)

    def give(self) -> None:
        """
        A place is free again: whoever waits longest has it.
        """
        if self._queue:
            self._queue.popleft().callback(None)
        else:
            self._taken -= 1

    def refuse(self, why: Refusal) -> None:
        """
        Whoever waits, waits in vain.
        """
        waiting, self._queue = self._queue, deque()
        for turn in waiting:
            turn.errback(why)

    def _too_long(self, turn: Deferred[None]) -> None:
        self._queue.remove(turn)
        turn.errback(
            Refusal(
                RefusalCode.BROWSER_FULL,
                f"All {self._places} contexts of the browser have been in use for {BROWSER_QUEUE_SECONDS} s.",
                'Release one that is no longer needed: reticle_lease {"action": "list"} names yours.',
            )
        )
