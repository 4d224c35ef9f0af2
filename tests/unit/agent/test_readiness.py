"""
When a program can be typed to.
"""

from __future__ import annotations

import pytest

from reticle.agent.readiness import LONGEST_SECONDS, QUIET_SECONDS, SILENT_SECONDS, Signs, is_ready


@pytest.mark.parametrize(
    ("last_output_at", "reads_keys", "now", "ready"),
    [
        (None, False, 100.0 + SILENT_SECONDS - 0.1, False),
        (None, False, 100.0 + SILENT_SECONDS, True),
        (102.0, False, 102.0 + SILENT_SECONDS - 0.1, False),
        (102.0, True, 102.0 + QUIET_SECONDS - 0.1, False),
        (102.0, True, 102.0 + QUIET_SECONDS, True),
        (None, True, 100.1, False),
        (100.0 + LONGEST_SECONDS, True, 100.0 + LONGEST_SECONDS, True),
    ],
)
def test_a_program_is_ready_once_it_is_quiet(
    last_output_at: float | None,
    reads_keys: bool,  # noqa: FBT001 - a table
    now: float,
    ready: bool,  # noqa: FBT001 - as above
) -> None:
    """
    A text box that is drawn is typed to at once, one that still loads is not; a spinner holds nothing up.
    """
    assert is_ready(Signs(100.0, last_output_at, reads_keys), now) is ready


def test_the_operator_knows_better() -> None:
    """
    Before the least time nothing is typed, however ready the program looks.
    """
    signs = Signs(100.0, 100.1, reads_keys=True)
    assert not is_ready(signs, 140.0, least_seconds=60.0)
    assert is_ready(signs, 160.0, least_seconds=60.0)
