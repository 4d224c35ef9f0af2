"""
How a browser comes to run: found, started in a folder of its own, met; with the reason where it does not.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.browser.arguments import child_environment, command_line
from reticle.browser.chromium import Chromium
from reticle.browser.conversation import Conversation, InThread
from reticle.browser.discovery import find_browser
from reticle.browser.failures import failed, no_browser
from reticle.browser.pipe import PipedBrowser, spawn
from reticle.browser.run_folder import RunFolder, make_run_folder, remove_run_folder
from reticle.errors import Refusal

_log = Logger()

_SANDBOX: Final = (
    "Its sandbox cannot be used here: allow unprivileged user namespaces on this machine, or start a browser"
    " yourself and set RETICLE_CDP_URL."
)
_SCREEN: Final = "There is no screen to show it on: leave headed out, or start the daemon where there is one."

_NOISE: Final = ("dbus", "crashpad", "operator")
"""In lines that every start has: of the system bus, of the crash reporter, of Debian's own starter."""

OnEnd = Callable[[Chromium, Refusal], object]


@attrs.frozen
class Starter:
    """
    Starts browsers on this machine.

    ``named`` is the setting ``chromium``, ``runs`` the folder that each run gets one in, ``environ`` the
    daemon's environment.
    """

    reactor: Any
    in_thread: InThread
    named: Path | None
    runs: Path
    environ: Mapping[str, str]
    shows: bool = True

    async def start(self, *, headed: bool, on_end: OnEnd) -> Chromium:
        """
        A browser that answers.

        Raises:
            Refusal: ``no_browser`` where there is none, ``browser_failed`` where it does not start.
        """
        program, session_tool = await self.in_thread(self._find)
        try:
            folder: RunFolder = await self.in_thread(make_run_folder, self.runs)
        except OSError as fault:
            raise no_browser(
                f"The browser's folder below {self.runs} cannot be made: {fault.strerror or fault}.",
                "Make room in the state directory, or make it writable.",
            ) from None
        command = command_line(
            program,
            profile=folder.profile,
            headed=headed,
            as_root=os.geteuid() == 0,
            session_tool=session_tool,
        )
        process = PipedBrowser(self.reactor)
        conversation = Conversation(process.send, self.reactor, self.in_thread)

        def over(why: str) -> None:
            chromium.ended(failed(f"The browser is gone: {why}."))
            # whoever ended it, nothing of it may stay
            gone = process.close().addCallback(lambda _: self.in_thread(remove_run_folder, folder.path))
            gone.addErrback(lambda failure: _log.failure("the folder of a browser stays", failure))

        process.listen(conversation.received, over)

        async def close() -> None:
            await process.close()
            await self.in_thread(remove_run_folder, folder.path)

        chromium = Chromium(conversation, lambda: Deferred.fromCoroutine(close()), folder.downloads, on_end)
        environment = child_environment(self.environ, folder.temporary)
        try:
            spawn(self.reactor, process, command, environment, str(folder.path))
            await chromium.begin()
        except (Refusal, OSError) as fault:
            await chromium.stop()
            raise _did_not_start(program, fault, process.last_words) from None
        _log.info("driving {product} ({program})", product=chromium.product, program=program)
        return chromium

    def _find(self) -> tuple[Path, str | None]:
        path = self.environ.get("PATH", os.defpath)
        return find_browser(self.named, path), shutil.which("setsid", path=path)


def _did_not_start(program: Path, fault: Exception, last_words: str) -> Refusal:
    said = [line for line in last_words.splitlines() if line.strip() and not any(map(line.count, _NOISE))]
    why = fault.message if isinstance(fault, Refusal) else str(fault)
    message = f"{program} did not start. {why}"
    if said:
        message += f" It said: {said[-1].strip()[:300]}"
    if "sandbox" in last_words.lower():
        return failed(message, _SANDBOX)
    if "DISPLAY" in last_words or "ozone" in last_words.lower():
        return failed(message, _SCREEN)
    return failed(message, "Start it by hand to see what is wrong, or name another: RETICLE_CHROMIUM.")
