"""
The programs a journey needs, as child processes: the daemon, the shop, a browser.

Each runs in a process group of its own, writes to a log file of its own, and is ended by that group, also
when the program that started it is killed.
Waiting is always for a condition, with a limit, and ends at once when the child has died.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from examples.journeys import orphans

ROOT = Path(__file__).resolve().parents[2]
POLL_SECONDS = 0.05
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name is looked up: the pages are on this machine, and the browser's own errands are nobody's wish.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
    "--disable-dev-shm-usage",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--window-size=1280,900",
)

Found = TypeVar("Found")


class ChildFailedError(Exception):
    """
    A child did not do what was waited for; the text ends with what it printed.
    """


class Child:
    """
    One running program and what it prints.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.log = log
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("RETICLE_")}
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**inherited, **(environment or {})},
                start_new_session=True,
            )
        orphans.guard(self.pid)

    @property
    def pid(self) -> int:
        """
        The process id of the program itself.
        """
        return self.process.pid

    def printed(self) -> str:
        """
        Everything it has printed so far.
        """
        return self.log.read_text("utf-8", "replace")

    def wait_for(self, find: Callable[[], Found | None], what: str, seconds: float = 20.0) -> Found:
        """
        What ``find`` gives once it gives something.

        Raises ``ChildFailedError`` when the child ends first or the time is over.
        """
        deadline = time.monotonic() + seconds
        while True:
            ended = self.process.poll()
            found = find()
            if found is not None:
                return found
            if ended is not None:
                raise ChildFailedError(f"{self.name} ended with {ended} before {what}{self._tail()}")
            if time.monotonic() > deadline:
                raise ChildFailedError(f"{self.name}: no {what} within {seconds:g} s{self._tail()}")
            time.sleep(POLL_SECONDS)

    def terminate(self) -> None:
        """
        Ask it to end (SIGTERM to the program alone).
        """
        self.process.send_signal(signal.SIGTERM)

    def wait_for_exit(self, seconds: float) -> int:
        """
        Its exit code. Raises ``ChildFailedError`` when it still runs after the time.
        """
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise ChildFailedError(f"{self.name} still runs after {seconds:g} s{self._tail()}") from None

    def stop(self, seconds: float = 5.0) -> None:
        """
        End it and everything it started: first asked, then killed. May be called twice.
        """
        if self.process.poll() is None:
            self.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
        orphans.release(self.pid)

    def _tail(self) -> str:
        lines = self.printed().splitlines()[-30:]
        return "".join(f"\n    {line}" for line in lines)


class Daemon(NamedTuple):
    """
    A daemon that answers.
    """

    child: Child
    url: str
    port: int
    state_dir: Path
    runtime_dir: Path

    @property
    def mcp_url(self) -> str:
        """
        Where MCP clients of the old transport connect.
        """
        return f"{self.url}/mcp/sse"


def daemon_environment(folder: Path) -> dict[str, str]:
    """
    Settings that keep a daemon apart from the user's own: its directories lie in ``folder``, and no
    command looks at the usual port, where the user's may be running.
    """
    return {
        "RETICLE_PORT": "0",
        "RETICLE_STATE_DIR": str(folder / "state"),
        "RETICLE_RUNTIME_DIR": str(folder / "runtime"),
        "PYTHONUNBUFFERED": "1",
    }


def start_daemon(
    folder: Path,
    command: Sequence[str | Path] = (sys.executable, "-m", "reticle", "serve", "--port", "0"),
    extra: Mapping[str, str] | None = None,
) -> Daemon:
    """
    Start a daemon and wait until it has announced itself and is ready.

    Raises ``ChildFailedError`` with what it printed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**daemon_environment(folder), **(extra or {})}
    child = Child("daemon", command, folder / "daemon.log", environment)
    runtime = folder / "runtime"

    def announced() -> Daemon | None:
        for path in runtime.glob("daemon-*.json"):
            record = json.loads(path.read_text())
            if record["pid"] == child.pid:
                return Daemon(child, record["url"], record["port"], folder / "state", runtime)
        return None

    try:
        return child.wait_for(announced, "announcement")
    except BaseException:
        child.stop()
        raise


def start_shop(folder: Path, reticle_port: int) -> tuple[Child, str]:
    """
    Start the example shop on a free port; gives its URL, ending in a slash.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = (sys.executable, ROOT / "examples/shop", "--port", "0", "--reticle-port", str(reticle_port))
    child = Child("shop", command, folder / "shop.log")

    def listening() -> str | None:
        found = re.search(r"shop: (http://\S+)", child.printed())
        return None if found is None else found[1]

    try:
        return child, child.wait_for(listening, "address")
    except BaseException:
        child.stop()
        raise


def find_browser() -> str | None:
    """
    The path of a Chromium: ``$CHROMIUM``, else the first known name on the path.
    """
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)


def start_browser(folder: Path, url: str, flags: Sequence[str] = ()) -> Child:
    """
    Open a URL in a headless Chromium with a fresh profile. Needs ``find_browser`` to find one.
    """
    browser = find_browser()
    if browser is None:
        raise ChildFailedError(
            "no Chromium was found: install one (Debian: apt-get install chromium), or set CHROMIUM"
        )
    folder.mkdir(parents=True, exist_ok=True)
    # The sandbox needs an unprivileged user; as root Chromium refuses to start with it.
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    command = (browser, *BROWSER_FLAGS, *sandbox, *flags, f"--user-data-dir={folder / 'profile'}", url)
    return Child("chromium", command, folder / "chromium.log")
