"""
A daemon for a test run: on free ports, with folders of its own, ended with the run also when that is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from reticle.pytest_plugin.outcomes import NotServed

START_SECONDS: Final = 30.0
"""A start takes a third of a second; a busy machine may need longer."""

STOP_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02
_TOLD_CHARS: Final = 4_000
"""The end of its log in a failure's text."""

# Linux ends it with the test run, however that ends; elsewhere it is ended by ``stop`` alone.
_LAUNCH: Final = """\
import ctypes, os, sys
try:
    ctypes.CDLL(None).prctl(1, 15, 0, 0, 0)
except Exception:
    pass
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.executable, [sys.executable, "-m", "reticle", "serve", *sys.argv[2:]])
"""


class TestDaemon:
    """
    One running daemon. Made by ``start``.

    Attributes:
        url: Its address.
        runtime_dir: Where the probe of the app under test finds it.
    """

    __test__ = False

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, url: str) -> None:
        self._process = process
        self._folder = folder
        self.url = url
        self.runtime_dir = _runtime(folder)

    def stop(self) -> None:
        """
        End it. May be called twice.
        """
        if self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self._process.kill()
        self._process.wait()

    def log(self) -> str:
        """
        The end of what it wrote.
        """
        return _log(self._folder)


def start(folder: Path) -> TestDaemon:
    """
    Start one whose files lie in ``folder``. Raises ``NotServed`` with what it wrote.
    """
    folder.mkdir(parents=True, exist_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    own = {"RETICLE_STATE_DIR": str(folder / "state"), "RETICLE_RUNTIME_DIR": str(_runtime(folder))}
    with (folder / "daemon.log").open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and arguments
            [sys.executable, "-c", _LAUNCH, str(os.getpid()), "--port", "0", "--mcp-http-addr", "off"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**inherited, **own},
        )
    deadline = time.monotonic() + START_SECONDS
    while (url := _announced(_runtime(folder), process.pid)) is None:
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise NotServed(f"the daemon did not start:\n{_log(folder)}")
        time.sleep(_POLL_SECONDS)
    return TestDaemon(process, folder, url)


def _runtime(folder: Path) -> Path:
    return folder / "runtime"


def _announced(runtime: Path, pid: int) -> str | None:
    for path in runtime.glob("daemon-*.json"):
        record = json.loads(path.read_text("utf-8"))
        if record["pid"] == pid:
            return str(record["url"])
    return None


def _log(folder: Path) -> str:
    return (folder / "daemon.log").read_text("utf-8", "replace")[-_TOLD_CHARS:]
