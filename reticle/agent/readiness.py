"""
When a program can be typed to: a prompt that comes too early is thrown away, and the agent waits for ever.

A program that draws a text box first takes the terminal out of line mode and then draws; one that reads lines
may never say anything. Both are seen from outside, by the terminal's mode and by when it last printed.
"""

from __future__ import annotations

from typing import Final

import attrs

QUIET_SECONDS: Final = 0.5
"""Without output, of a program that reads keys: its first screen is drawn."""

SILENT_SECONDS: Final = 3.0
"""Without output, of one that reads lines: it may still be loading."""

LONGEST_SECONDS: Final = 30.0
"""After that it is typed to all the same: a program that draws without a pause has a box for it by then."""


@attrs.frozen
class Signs:
    """
    What has been seen of a program; times in seconds of one clock.

    ``last_output_at`` is None before the first.
    """

    started_at: float
    last_output_at: float | None
    reads_keys: bool


def is_ready(signs: Signs, now: float, least_seconds: float = 0.0) -> bool:
    """
    Whether the prompt may be typed now.

    Args:
        signs: What has been seen.
        now: Of the same clock.
        least_seconds: After the start, before which it never is: the operator knows the program.
    """
    age = now - signs.started_at
    if age < least_seconds:
        return False
    quiet = now - (signs.started_at if signs.last_output_at is None else signs.last_output_at)
    enough = QUIET_SECONDS if signs.reads_keys else SILENT_SECONDS
    return quiet >= enough or age >= max(LONGEST_SECONDS, least_seconds)
