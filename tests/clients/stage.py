"""
A daemon with one page open, and how a client is run against it.
"""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from examples.journeys.children import ROOT, Child, Daemon, start_browser, start_daemon
from reticle.client import connect
from tests.system.pages import page_names
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

CLIENT_SECONDS = 90
LOG_CHARS = 4_000
PAGE = Path(__file__).with_name("page.html")


@attrs.frozen
class Stage:
    """
    What the clients of this folder meet; one for all of them.
    """

    daemon: Daemon
    browser: Child

    def url(self, transport: str) -> str:
        """
        Where a client of ``sse`` or ``http`` connects.
        """
        return self.daemon.mcp_url if transport == "sse" else f"{self.daemon.url}/mcp"

    def mcp_sessions(self) -> int:
        """
        How many MCP sessions the daemon counts now.
        """
        with urllib.request.urlopen(f"{self.daemon.url}/status", timeout=10) as answer:
            return int(json.load(answer)["mcp_sessions"])

    def run(self, command: Sequence[str | Path], *, home: Path | None = None, ends_with: int = 0) -> str:
        """
        Run a client to its end; gives what it printed on stdout.

        Args:
            command: The program and its arguments.
            home: Where a client that keeps files in the user's home finds that.
            ends_with: The exit code it must have; the assertion tells what it and the daemon printed.
        """
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("RETICLE_")}
        kept = {} if home is None else {"HOME": str(home)}
        given = {"PYTHONPATH": str(ROOT), "STATUS_URL": f"{self.daemon.url}/status"}
        words = [str(part) for part in command]
        done = subprocess.run(
            words, cwd=ROOT, env={**inherited, **given, **kept}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=CLIENT_SECONDS, check=False,
        )  # fmt: skip
        log = self.daemon.child.printed()
        assert done.returncode == ends_with, f"{words}\n{done.stdout}\n{done.stderr}\n{log[-LOG_CHARS:]}"
        assert "Traceback" not in log, log[-LOG_CHARS:]
        return done.stdout


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """
    Start all of it, the page connected. Raises ``ChildFailedError``.
    """
    daemon = start_daemon(folder / "daemon")
    html = PAGE.read_text().replace("SDK", f"{daemon.url}/sdk.js").encode()

    class Answers(QuietHandler):
        def do_GET(self) -> None:
            self.answer(200, "text/html; charset=utf-8", html)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(200, "application/json", b'{"saved": true}')

    try:
        with serving(Answers) as page_url:
            browser = start_browser(folder / "browser", page_url)
            try:
                with connect(daemon.mcp_url) as client:
                    client.initialize("stage", "1")
                    eventually(lambda: len(page_names(client)) == 1, "the page is connected", 30)
                yield Stage(daemon, browser)
            finally:
                browser.stop()
    finally:
        daemon.child.stop()
