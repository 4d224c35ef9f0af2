"""
Answers behind which the app still works, with one timer for all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import Any

import pytest

from reticle.probe.asgi_behind import Behind, behind, running_loop
from reticle.probe.limits import BEHIND_SECONDS


class Loop:
    """
    A loop whose clock the test moves.
    """

    def __init__(self) -> None:
        self.now = 10.0
        self.timers: list[tuple[float, Callable[..., object], tuple[Any, ...]]] = []

    def time(self) -> float:
        """
        Monotonic seconds.
        """
        return self.now

    def call_later(
        self, seconds: float, call: Callable[..., object], *given: Any, context: Context | None = None
    ) -> None:
        """
        Keep a timer.
        """
        assert context is not None
        assert len(list(context)) == 0
        self.timers.append((self.now + seconds, call, given))

    def advance(self, seconds: float) -> None:
        """
        Let time pass.
        """
        self.now += seconds
        due = [timer for timer in self.timers if timer[0] <= self.now]
        self.timers = [timer for timer in self.timers if timer[0] > self.now]
        for _, call, given in due:
            call(*given)


@pytest.fixture
def loop() -> Loop:
    """
    One that nobody else uses.
    """
    return Loop()


def test_an_answer_whose_app_goes_on_is_told_in_time(loop: Loop) -> None:
    """
    A verdict need not wait for a background task to know that the answer is out.
    """
    told: list[int] = []
    waiting = Behind()
    waiting.add(loop, lambda: told.append(1))
    loop.advance(BEHIND_SECONDS / 2)
    waiting.add(loop, lambda: told.append(2))
    loop.advance(BEHIND_SECONDS / 2)
    assert told == [1]
    loop.advance(BEHIND_SECONDS / 2)
    assert told == [1, 2]
    assert not loop.timers


def test_many_requests_share_one_timer_and_those_that_return_are_not_told(loop: Loop) -> None:
    """
    An app that answers a thousand times a second has not a thousand timers of ours in its loop.
    """
    told: list[int] = []
    waiting = Behind()
    for number in range(1_000):

        def tell(number: int = number) -> None:
            told.append(number)

        waiting.add(loop, tell)
        assert waiting.remove(tell)
        assert not waiting.remove(tell)
    assert len(loop.timers) == 1
    loop.advance(BEHIND_SECONDS)
    assert (told, loop.timers) == ([], [])


def test_each_loop_has_its_own(loop: Loop) -> None:
    """
    Two servers in two threads do not tell each other's requests.
    """
    assert behind(loop) is behind(loop)
    assert behind(loop) is not behind(Loop())
    assert running_loop() is None
