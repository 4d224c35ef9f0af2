"""
The browsers that run. ``test_driver.py`` has their everyday life; here is what happens at the edges of it.
"""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.task import Clock

from reticle.browser.chromium import Chromium
from reticle.browser.failures import failed
from reticle.browser.pool import OnEnd, Pool
from reticle.errors import Refusal
from reticle.model.limits import BROWSER_IDLE_SECONDS
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.cdp import ScriptedBrowser


class Starter:
    """
    Browsers that come when the test says so.
    """

    def __init__(self, *, shows: bool = True) -> None:
        self.shows = shows
        self.fault: Exception | None = None
        self.coming: list[Deferred[Chromium]] = []
        self.ended: list[Chromium] = []
        self.clock = Clock()
        self.pool = Pool(self, self.clock, lambda chromium, _: self.ended.append(chromium))
        self._on_end: OnEnd | None = None

    async def start(self, *, headed: bool, on_end: OnEnd) -> Chromium:
        """
        See ``pool.Starts``.
        """
        del headed
        self._on_end = on_end
        coming: Deferred[Chromium] = Deferred()
        self.coming.append(coming)
        return await coming

    def come(self) -> Chromium:
        """
        The newest one is there.
        """
        assert self._on_end is not None
        chromium = Chromium(ScriptedBrowser().conversation, lambda: self._close(chromium), None, self._on_end)
        self.coming[-1].callback(chromium)
        return chromium

    def _close(self, chromium: Chromium) -> Deferred[None]:
        chromium.ended(failed("it was ended"))
        return succeed(None) if self.fault is None else fail(self.fault)


def test_those_who_ask_while_it_starts_share_it() -> None:
    """
    One process, however many agents begin at once; one that does not come refuses them all.
    """
    starter = Starter()
    asked = [starter.pool.get(headed=False) for _ in range(3)]
    assert len(starter.coming) == 1
    starter.coming[0].errback(failed("It did not start."))
    assert [refusal_of(each).message for each in asked] == ["It did not start."] * 3
    again = [starter.pool.get(headed=False) for _ in range(2)]
    chromium = starter.come()
    assert [result_of(each) for each in again] == [chromium] * 2
    assert result_of(starter.pool.get(headed=False)) is chromium


def test_who_gives_up_does_not_take_it_from_the_others() -> None:
    """
    A cancelled call ends no browser that another waits for.
    """
    starter = Starter()
    gone, stays = starter.pool.get(headed=False), starter.pool.get(headed=False)
    gone.addErrback(lambda _: None)
    gone.cancel()
    chromium = starter.come()
    assert result_of(stays) is chromium


def test_a_browser_that_only_is_as_it_is_serves_both_kinds() -> None:
    """
    One that somebody else started has windows or has not; there is one of it.
    """
    starter = Starter(shows=False)
    unseen, seen = starter.pool.get(headed=False), starter.pool.get(headed=True)
    chromium = starter.come()
    assert (result_of(unseen), result_of(seen)) == (chromium, chromium)


def test_it_rests_and_ends_but_not_while_it_is_needed() -> None:
    """
    Whoever asks in time keeps it.
    """
    starter = Starter()
    starter.pool.get(headed=False)
    first = starter.come()
    starter.pool.rest()
    starter.clock.advance(BROWSER_IDLE_SECONDS - 1)
    assert result_of(starter.pool.get(headed=False)) is first
    starter.clock.advance(BROWSER_IDLE_SECONDS)
    assert starter.ended == []
    starter.pool.rest()
    starter.clock.advance(BROWSER_IDLE_SECONDS)
    assert (starter.ended, starter.clock.getDelayedCalls()) == ([first], [])


def test_stop_waits_for_one_that_is_just_starting() -> None:
    """
    A daemon that stops at the wrong moment leaves no browser behind.
    """
    starter = Starter()
    asked = starter.pool.get(headed=False)
    stopped = Deferred.fromCoroutine(starter.pool.stop())
    assert not stopped.called
    chromium = starter.come()
    assert (result_of(asked), starter.ended) == (chromium, [chromium])
    assert result_of(stopped) is None


def test_one_that_ends_by_itself_is_told_and_forgotten() -> None:
    """
    The next who asks gets another.
    """
    starter = Starter()
    starter.pool.get(headed=False)
    first = starter.come()
    why: Refusal = failed("it was killed")
    first.ended(why)
    first.ended(why)
    assert starter.ended == [first]
    starter.pool.get(headed=False)
    assert len(starter.coming) == 2


def test_a_browser_that_does_not_end_is_logged(logged_failures: Any) -> None:
    """
    Nobody waits for the end of one that has no lease any more: what goes wrong with it is in the log.
    """
    starter = Starter()
    asked = starter.pool.get(headed=False)
    starter.come()
    result_of(asked)
    starter.fault = OSError(5, "no folder")
    starter.pool.rest()
    starter.clock.advance(BROWSER_IDLE_SECONDS)
    assert [failure.type for failure in logged_failures.flush()] == [OSError]
