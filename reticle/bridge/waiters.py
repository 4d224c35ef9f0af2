"""
Calls that wait until something happens, with a limit.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IDelayedCall, IReactorTime


@attrs.frozen(eq=False)
class _Waiter:
    ready: Callable[[], bool]
    answer: Deferred[bool]
    timer: IDelayedCall


class Waiters:
    """
    Those who wait at one place; ``wake`` is called by whoever changed something.
    """

    def __init__(self, clock: IReactorTime) -> None:
        self._clock = clock
        self._waiting: dict[int, _Waiter] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def wait(self, ready: Callable[[], bool], seconds: float) -> Deferred[bool]:
        """
        True as soon as ``ready()`` holds at a ``wake``, at once when it holds now, False after ``seconds``.

        Cancelling the answer takes the waiter away.
        """
        if ready():
            return succeed(True)
        if seconds <= 0:
            return succeed(False)
        number = self._next = self._next + 1
        answer: Deferred[bool] = Deferred(lambda _: self._take(number))
        timer = self._clock.callLater(seconds, self._expire, number)
        self._waiting[number] = _Waiter(ready, answer, timer)
        return answer

    def wake(self) -> None:
        """
        Let everyone look again whose condition holds now.
        """
        if not self._waiting:
            return
        for number, waiter in list(self._waiting.items()):
            if number in self._waiting and waiter.ready():
                self._take(number)
                waiter.answer.callback(True)

    def _expire(self, number: int) -> None:
        self._waiting.pop(number).answer.callback(False)

    def _take(self, number: int) -> None:
        waiter = self._waiting.pop(number, None)
        if waiter is not None:
            waiter.timer.cancel()
