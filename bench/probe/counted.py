"""
Runs an example's ``serve.py`` where callgrind counts it, which takes fifty times as long as it would alone.

``instructions.py`` starts it. Whatever the probe does by the clock is slowed down as well, so that as many
requests lie between two times as in a server. On ``SIGUSR1`` the process asks for its parent's number: that
is the function of the C library before which callgrind writes down what it counted.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from pathlib import Path

MARK = "getppid"
"""The function."""

SLOWER = 50


def slow_down() -> None:
    """
    Batches wait longer for their facts, and the page script is asked for more seldom, as requests of actions
    are looked at that take long.
    """
    from reticle.probe import at_work, script, sender  # noqa: PLC0415 - only where it will be in use

    sender.BATCH_SECONDS *= SLOWER  # type: ignore[misc]  # of this process alone
    at_work.AT_WORK_PAUSE_SECONDS *= SLOWER  # type: ignore[misc]  # as above
    at_work.AT_WORK_SECONDS *= SLOWER  # type: ignore[misc]  # as above
    script.SCRIPT_REFRESH_SECONDS = script.SCRIPT_FRESH_SECONDS * 0.6  # type: ignore[misc]  # as above


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, lambda *_: os.getppid())
    if os.environ["RETICLE_PROBE"] == "1":
        slow_down()
    here = Path("serve.py").resolve()
    sys.path[0] = str(here.parent)
    runpy.run_path(str(here), run_name="__main__")
