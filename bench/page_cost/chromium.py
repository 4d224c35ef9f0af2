"""
One Chromium, spoken with over its debugging pipe: what a measurement needs of it and nothing more.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from examples.journeys import orphans  # noqa: E402 - the path is set above
from examples.journeys.children import BROWSER_FLAGS, find_browser  # noqa: E402 - as above

ANSWER_SECONDS = 120.0
FIRST_SECONDS = 30.0


class BrowserFailedError(Exception):
    """
    The browser did not do what was asked; the text says what.
    """


class Chromium:
    """
    A headless browser with a fresh profile in ``folder``.
    """

    def __init__(self, folder: Path) -> None:
        program = find_browser()
        if program is None:
            raise BrowserFailedError("no Chromium was found: install one, or set CHROMIUM")
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        flags = [*BROWSER_FLAGS, *sandbox, "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}"]
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        # the browser takes commands at its descriptor 3 and answers at 4, whatever the pipes are here
        into = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", into, program, *flags],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        orphans.guard(self._process.pid)
        os.close(to_read)
        os.close(to_write)
        self._asked = 0
        self._unread = b""
        self.ask("Browser.getVersion", seconds=FIRST_SECONDS)

    def ask(
        self,
        method: str,
        parameters: Mapping[str, Any] | None = None,
        session: str | None = None,
        seconds: float = ANSWER_SECONDS,
    ) -> dict[str, Any]:
        """
        The result of one command. Raises ``BrowserFailedError``, also when none comes in time.
        """
        self._asked += 1
        message: dict[str, Any] = {"id": self._asked, "method": method, "params": dict(parameters or {})}
        if session is not None:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self._next(deadline, method)
            if answer.get("id") == self._asked:
                break
        if "error" in answer:
            raise BrowserFailedError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self, deadline: float, method: str) -> dict[str, Any]:
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(self._from, 1 << 20) if ready else b""
            if not piece:
                raise BrowserFailedError(f"no answer to {method}")
            self._unread += piece
        text, _, self._unread = self._unread.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    @contextlib.contextmanager
    def page(self) -> Iterator[Page]:
        """
        An empty page in a browser context of its own; both are gone afterwards.
        """
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        try:
            target = self.ask("Target.createTarget", {"url": "about:blank", "browserContextId": context})
            attach = {"targetId": target["targetId"], "flatten": True}
            yield Page(self, self.ask("Target.attachToTarget", attach)["sessionId"])
        finally:
            self.ask("Target.disposeBrowserContext", {"browserContextId": context})

    def stop(self) -> None:
        """
        End it with all its processes.
        """
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        orphans.release(self._process.pid)
        os.close(self._to)
        os.close(self._from)


class Page:
    """
    One tab.
    """

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser = browser
        self._session = session
        self.ask("Page.enable")
        # by the processor's clock: what else the machine does is in no figure
        self.ask("Performance.enable", {"timeDomain": "threadTicks"})

    def ask(self, method: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """
        The result of one command to the tab.
        """
        return self._browser.ask(method, parameters, self._session)

    def go(self, url: str, ready: str) -> None:
        """
        Show a page, and wait until the expression ``ready`` holds in it.
        """
        self.ask("Page.navigate", {"url": url})
        deadline = time.monotonic() + FIRST_SECONDS
        while self.value(f"location.href === {json.dumps(url)} && Boolean({ready})") is not True:
            if time.monotonic() > deadline:
                raise BrowserFailedError(f"{url} is not ready: {ready}")
            time.sleep(0.05)

    def value(self, expression: str) -> Any:
        """
        What an expression, or the promise that it gives, comes to in the page.
        """
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        result = self.ask("Runtime.evaluate", asked)
        if "exceptionDetails" in result:
            raise BrowserFailedError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def metrics(self) -> dict[str, float]:
        """
        What the browser counted for this tab up to now: seconds for names that end in Duration.
        """
        return {each["name"]: each["value"] for each in self.ask("Performance.getMetrics")["metrics"]}

    def heap_bytes(self) -> float:
        """
        The JavaScript heap that is in use once everything unused was collected.
        """
        for _ in range(3):
            self.ask("HeapProfiler.collectGarbage")
        return self.metrics()["JSHeapUsedSize"]
