"""
Whether an agent that has ended is started again, and after how long.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import attrs

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
"""Each pause is twice the one before, up to this: what fails at once must not fill a machine."""

_DOUBLINGS: Final = 16
"""More than lead to the longest pause."""

STEADY_SECONDS: Final = 60.0
"""A start that lasted so long was a good one: what failed before it counts no more."""

STARTS_AGAIN: Final = 5
"""In a row, unless the operator says another number; then a person has to look."""

_INTERRUPTED: Final = frozenset({2, 3})
_CANNOT_RUN: Final = frozenset({126, 127})


class Policy(StrEnum):
    """
    After which ends there is another start.
    """

    NEVER = "never"
    ON_FAILURE = "on-failure"
    ALWAYS = "always"


@attrs.frozen
class Ending:
    """
    How a program ended: with an exit code, or by a signal.
    """

    code: int = 0
    signal: int | None = None

    @property
    def exit_code(self) -> int:
        """
        What is handed through, as a shell does: the code, or 128 and the signal's number.
        """
        return self.code if self.signal is None else 128 + self.signal

    @property
    def was_interrupted(self) -> bool:
        r"""
        Whether a person ended it, by Ctrl-C or Ctrl-\: no failure that a new start would mend.
        """
        return self.signal in _INTERRUPTED or (self.signal is None and self.code - 128 in _INTERRUPTED)

    def __str__(self) -> str:
        return f"exit code {self.code}" if self.signal is None else f"signal {self.signal}"


@attrs.frozen
class Restarting:
    """
    The operator's wish, and how many starts again in a row there were.
    """

    policy: Policy = Policy.NEVER
    most: int = STARTS_AGAIN
    in_a_row: int = 0

    def after(self, ending: Ending, lasted_seconds: float) -> Restarting | None:
        """
        As it stands with one more start, or None when there is to be none.
        """
        if self.policy is Policy.NEVER or ending.was_interrupted or ending.exit_code in _CANNOT_RUN:
            return None
        if self.policy is Policy.ON_FAILURE and ending.exit_code == 0:
            return None
        before = 0 if lasted_seconds >= STEADY_SECONDS else self.in_a_row
        return None if before >= self.most else attrs.evolve(self, in_a_row=before + 1)

    @property
    def pause_seconds(self) -> float:
        """
        Before the start that ``after`` has allowed.
        """
        return min(
            FIRST_PAUSE_SECONDS * 2.0 ** min(max(self.in_a_row - 1, 0), _DOUBLINGS), LONGEST_PAUSE_SECONDS
        )
