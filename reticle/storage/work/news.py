"""
Who waits for work in this process, and what wakes them; provides ``ports.WorkNews``.

A wake goes to one listener for each packet, the longest waiting first, so that a new packet costs one look
and not one for each agent; one that does not use it passes it on.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred

from reticle.model.ids import RunId

Sleep = Callable[[float], Deferred[None]]
"""Ready after so many seconds; may be cancelled."""


def sleeping(reactor: Any) -> Sleep:
    """
    Time by a reactor's clock, which is asked for when somebody waits.
    """

    def sleep(seconds: float) -> Deferred[None]:
        slept: Deferred[None] = Deferred(lambda _: call.cancel())
        call = reactor.callLater(seconds, slept.callback, None)
        return slept

    return sleep


class LocalNews:
    """
    The listeners of one process.

    Args:
        sleep: Time.
    """

    def __init__(self, sleep: Sleep) -> None:
        self.sleep = sleep
        self._listening: dict[RunId, OrderedDict[_Listener, None]] = {}

    def publish(self, run_id: RunId, role: str | None, count: int = 1) -> None:
        """
        See ``WorkNews``.
        """
        listeners = list(self._listening.get(run_id, ()))
        if role is None:
            for listener in listeners:
                listener.wake()
            return
        idle = [each for each in listeners if each.role == role and not each.woken]
        for listener in idle[:count]:
            listener.wake()

    def publish_behind(self, listener: _Listener) -> None:
        """
        Wake the next listener of its role behind one.
        """
        listeners = iter(self._listening.get(listener.run_id, ()))
        behind = itertools.dropwhile(lambda each: each is not listener, listeners)
        for each in itertools.islice(behind, 1, None):
            if each.role == listener.role and not each.woken:
                each.wake()
                return

    def publish_all(self) -> None:
        """
        Wake everybody: something may have been told that was not heard here.
        """
        for run_id in list(self._listening):
            self.publish(run_id, None)

    def listen(self, run_id: RunId, role: str) -> _Listener:
        """
        See ``WorkNews``.
        """
        listener = _Listener(self, run_id, role)
        self._listening.setdefault(run_id, OrderedDict())[listener] = None
        return listener

    def waiting(self, run_id: RunId | None = None) -> int:
        """
        How many listen, to one run or at all.
        """
        if run_id is not None:
            return len(self._listening.get(run_id, ()))
        return sum(map(len, self._listening.values()))

    def forget(self, listener: _Listener) -> None:
        """
        It listens no more.
        """
        listeners = self._listening.get(listener.run_id)
        if listeners is None or listeners.pop(listener, self) is self:
            return
        if not listeners:
            del self._listening[listener.run_id]


class _Listener:
    """
    Provides ``ports.Listening``. ``woken``: something was told that it has not heard yet.
    """

    def __init__(self, news: LocalNews, run_id: RunId, role: str) -> None:
        self.run_id = run_id
        self.role = role
        self.woken = False
        self._news = news
        self._waiting: Deferred[None] | None = None

    def wake(self) -> None:
        """
        Tell it.
        """
        self.woken = True
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.callback(None)

    async def heard(self, seconds: float) -> bool:
        """
        See ``Listening``.
        """
        if not self.woken and seconds > 0:
            await self._wait(seconds)
        heard, self.woken = self.woken, False
        return heard

    def pass_on(self) -> None:
        """
        See ``Listening``.
        """
        self._news.publish(self.run_id, self.role)

    def pass_behind(self) -> None:
        """
        See ``Listening``.
        """
        self._news.publish_behind(self)

    def stop(self) -> None:
        """
        See ``Listening``.
        """
        self._news.forget(self)
        if self.woken:
            self.woken = False
            self.pass_on()

    async def _wait(self, seconds: float) -> None:
        waiting: Deferred[None] = Deferred()
        self._waiting = waiting
        timer = self._news.sleep(seconds)
        timer.addCallbacks(lambda _: self._time_is_over(waiting), lambda _: None)
        try:
            await waiting
        finally:
            self._waiting = None
            timer.cancel()

    def _time_is_over(self, waiting: Deferred[None]) -> None:
        if self._waiting is waiting:
            self._waiting = None
            waiting.callback(None)
