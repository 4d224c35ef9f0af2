"""
Who waits for work is woken by it, one for each packet, and no wake is lost.
"""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from reticle.model.ids import RunId
from reticle.storage.work.news import LocalNews
from reticle.testing.clock import FakeClock

RUN = RunId("run_1")


def bench() -> tuple[LocalNews, FakeClock]:
    """
    News of a process, by a clock that the test moves.
    """
    clock = FakeClock()
    return LocalNews(clock.sleep), clock


def waiting(listening: Any, seconds: float = 50.0) -> tuple[list[Any], Deferred[Any]]:
    """
    What a wait gives, once it does.
    """
    heard: list[Any] = []
    wait = Deferred.fromCoroutine(listening.heard(seconds))
    wait.addCallback(heard.append).addErrback(lambda failure: heard.append(failure.type))
    return heard, wait


def test_the_longest_waiting_is_woken_first_and_one_for_each_packet() -> None:
    """
    A packet costs one look, and those who came first get theirs first.
    """
    news, _ = bench()
    heard = [waiting(news.listen(RUN, "maker"))[0] for _ in range(3)]
    other, _ = waiting(news.listen(RUN, "tester"))
    news.publish(RUN, "maker")
    assert heard == [[True], [], []]
    news.publish(RUN, "maker", 5)
    assert heard == [[True], [True], [True]]
    assert other == []
    news.publish(RUN, None)
    assert other == [True]


def test_what_is_told_between_look_and_wait_is_heard() -> None:
    """
    A packet that is queued while an agent looks is not missed.
    """
    news, _ = bench()
    listening = news.listen(RUN, "maker")
    news.publish(RUN, "maker")
    assert waiting(listening)[0] == [True]
    heard, _ = waiting(listening)
    assert heard == []


def test_a_wait_ends_by_itself_and_leaves_no_timer() -> None:
    """
    Who waits long enough looks again without news.
    """
    news, clock = bench()
    heard, _ = waiting(news.listen(RUN, "maker"), 10)
    clock.advance(10)
    assert heard == [False]
    assert clock.pending() == 0


def test_a_wake_that_nobody_used_goes_to_the_next() -> None:
    """
    An agent that left with a wake in its hand leaves it to another one.
    """
    news, clock = bench()
    first, second = news.listen(RUN, "maker"), news.listen(RUN, "maker")
    heard, _ = waiting(second)
    news.publish(RUN, "maker")
    assert heard == []
    first.stop()
    first.stop()
    assert heard == [True]
    second.stop()
    assert news.waiting() == 0
    assert clock.pending() == 0


def test_a_cancelled_wait_is_over() -> None:
    """
    A client that went away keeps neither timer nor place.
    """
    news, clock = bench()
    listening = news.listen(RUN, "maker")
    heard, wait = waiting(listening)
    wait.cancel()
    listening.stop()
    assert heard == [CancelledError]
    assert (news.waiting(RUN), clock.pending()) == (0, 0)
