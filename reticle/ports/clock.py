"""
Time, as an argument.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol


class Clock(Protocol):
    """
    Time, as an argument.
    """

    def now(self) -> float:
        """
        Wall clock, seconds since the epoch; for records shown to people.
        """

    def monotonic(self) -> float:
        """
        Seconds that never go backwards; for every duration and deadline.
        """

    def sleep(self, seconds: float) -> Awaitable[None]:
        """
        Ready after ``seconds``; cancelling the call that awaits it cancels the timer.
        """
