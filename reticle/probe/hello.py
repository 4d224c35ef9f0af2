"""
The first line of each batch: who speaks, and what its clocks said as the batch left.

What stays the same is written once; under load there are dozens of batches in a second.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable

from reticle.probe.fact_lines import encoded
from reticle.probe.sql_unseen import drivers
from reticle.probe.words import HELLO, VERSION


class Hellos:
    """
    The hellos of one process.

    Args:
        process: Its id, 32 hex digits.
        clock: Monotonic seconds.
        wall: Seconds since the epoch.
    """

    def __init__(self, process: str, clock: Callable[[], float], wall: Callable[[], float]) -> None:
        self._process = process
        self._pid = os.getpid()
        self._clock = clock
        self._wall = wall
        self._batches = 0
        self._said: tuple[str, str, int] | None = None
        self._beginning = b""

    def next(self, framework: str, project: str) -> bytes:
        """
        That of the next batch, with its number and the time.
        """
        said = framework, project, len(drivers)  # of those there are only ever more
        if said != self._said:
            fields = {
                "kind": HELLO,
                "v": VERSION,
                "process": self._process,
                "pid": self._pid,
                "framework": framework,
                "python": platform.python_version(),
                "project": project,
                "unseen": sorted(drivers),
            }
            self._beginning, self._said = encoded(fields)[:-1], said
        self._batches += 1
        times = f',"mono":{self._clock()!r},"wall":{self._wall()!r},"batch":{self._batches}}}'
        return self._beginning + times.encode("ascii")
