"""
The browsers that run: none before the first is needed, one with windows to look at and one without.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.browser.chromium import Chromium
from reticle.errors import Refusal
from reticle.model.limits import BROWSER_IDLE_SECONDS

OnEnd = Callable[[Chromium, Refusal], object]


class Starts(Protocol):
    """
    Whoever brings a browser: ``starting.Starter``, or ``attached.Attacher``.
    """

    @property
    def shows(self) -> bool:
        """
        Whether it can bring one with windows to look at beside one without.
        """

    def start(self, *, headed: bool, on_end: OnEnd) -> Coroutine[Any, Any, Chromium]:
        """
        One that answers. Raises ``Refusal``: ``no_browser`` or ``browser_failed``.
        """


class Pool:
    """
    At most one browser of each kind.

    Args:
        starter: Brings them.
        clock: For the end of one that nobody needs any more.
        on_end: Told of each that ended, with the reason.
    """

    _log = Logger()

    def __init__(self, starter: Starts, clock: IReactorTime, on_end: OnEnd) -> None:
        self._starter = starter
        self._clock = clock
        self._on_end = on_end
        self._running: dict[bool, Chromium] = {}
        self._asked: dict[bool, list[Deferred[Chromium]]] = {}
        self._idle: dict[bool, IDelayedCall] = {}

    def get(self, *, headed: bool) -> Deferred[Chromium]:
        """
        The browser of that kind, started if it does not run; several who ask at once get the same.
        """
        headed = headed and self._starter.shows
        asked: Deferred[Chromium] = Deferred()
        timer = self._idle.pop(headed, None)
        if timer is not None and timer.active():
            timer.cancel()
        running = self._running.get(headed)
        if running is not None:
            asked.callback(running)
            return asked
        waiting = self._asked.setdefault(headed, [])
        waiting.append(asked)
        if len(waiting) == 1:
            starting = Deferred.fromCoroutine(self._starter.start(headed=headed, on_end=self._ended))
            starting.addBoth(self._settle, headed)
        return asked

    def rest(self) -> None:
        """
        A context was closed: a browser without any ends after ``BROWSER_IDLE_SECONDS``.
        """
        for headed, chromium in self._running.items():
            if chromium.empty and headed not in self._idle:
                self._idle[headed] = self._clock.callLater(BROWSER_IDLE_SECONDS, self._is_idle, headed)

    async def stop(self) -> None:
        """
        End them all. Ready when none is left, also none that was just starting.
        """
        for timer in self._idle.values():
            if timer.active():
                timer.cancel()
        self._idle.clear()
        starting = [waiter for headed in list(self._asked) for waiter in [self.get(headed=headed)]]
        await DeferredList(starting, consumeErrors=True)
        # each leaves the table as it ends
        await DeferredList([chromium.stop() for chromium in list(self._running.values())], consumeErrors=True)

    def _settle(self, outcome: Chromium | Failure, headed: bool) -> None:  # noqa: FBT001 - a Deferred's argument
        waiting = self._asked.pop(headed)
        if isinstance(outcome, Chromium):
            self._running[headed] = outcome
        for asked in waiting:
            if not asked.called:
                asked.callback(outcome) if isinstance(outcome, Chromium) else asked.errback(outcome)

    def _ended(self, chromium: Chromium, why: Refusal) -> None:
        for headed in [headed for headed, running in self._running.items() if running is chromium]:
            del self._running[headed]
            timer = self._idle.pop(headed, None)
            if timer is not None and timer.active():
                timer.cancel()
        self._on_end(chromium, why)

    def _is_idle(self, headed: bool) -> None:  # noqa: FBT001 - a timer's argument
        del self._idle[headed]
        chromium = self._running.get(headed)
        if chromium is not None and chromium.empty:
            chromium.stop().addErrback(self._not_ended)

    def _not_ended(self, failure: Failure) -> None:
        self._log.failure("a browser without a lease could not be ended", failure)
