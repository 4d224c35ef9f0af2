"""
An app's build being served: ``apps/<app>/serve.py`` as a child that prints its address first.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from examples.journeys import orphans

START_SECONDS = 20.0


class AppError(Exception):
    """
    An app did not start; says what it printed.
    """


@contextlib.contextmanager
def serving(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """
    Serve a build with more variables in its environment; gives its address, without a slash at the end.

    Raises ``AppError`` when it does not say where it is in time.
    """
    with (folder / "serve.log").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, str(folder / "serve.py")],
            cwd=folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    orphans.guard(child.pid)
    try:
        yield _address(child, folder)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        orphans.release(child.pid)
        if child.stdout is not None:
            child.stdout.close()


def _address(child: subprocess.Popen[bytes], folder: Path) -> str:
    assert child.stdout is not None
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ)
        line = child.stdout.readline().decode().strip() if ready.select(START_SECONDS) else ""
    if not line.startswith("http://"):
        said = (folder / "serve.log").read_text("utf-8", "replace")[-2_000:]
        raise AppError(f"{folder.name} did not start: {line} {said}")
    return line.rstrip("/")
