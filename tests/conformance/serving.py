"""
The server of ``tests/conformance/service.py`` in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 20.0


@contextmanager
def serving() -> Iterator[int]:
    """
    Start it; gives its port, and ends it.
    """
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.conformance.service", "--port", "0"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert running.stdout is not None
    try:
        url = running.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", url)
        assert found is not None, url
        yield int(found[1])
    finally:
        running.terminate()
        running.communicate(timeout=STOP_SECONDS)
