"""
The driven browser's place in the daemon: made when the first lease is asked for, and what a killed daemon
left of it taken away at the start.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from reticle.bridge.late import LateDirectory
from reticle.browser.late import LateBrowser, Stoppable
from reticle.service.clock import ReactorClock
from reticle.settings import Settings

FOLDER: Final = "browser"
"""Below the state directory: a folder for each run, and the logins that are kept."""

_log = Logger()


def driven_browser(
    settings: Settings,
    *,
    state_dir: Path,
    directory: LateDirectory,
    reactor: Any,
    clock: ReactorClock,
    daemon_url: Callable[[], str],
) -> LateBrowser:
    """
    The daemon's browser; nothing of it is imported before the first lease.

    Args:
        settings: Which browser.
        state_dir: Where its files lie.
        directory: Where its pages connect.
        reactor: For processes, timers and threads.
        clock: For the time of day.
        daemon_url: Where pages find the daemon.
    """

    def make() -> Stoppable:
        from reticle.browser.attached import Attacher  # noqa: PLC0415 - as below
        from reticle.browser.driver import DrivenBrowser  # noqa: PLC0415 - when first used
        from reticle.browser.logins import Logins  # noqa: PLC0415 - as above
        from reticle.browser.opening import Outfitter  # noqa: PLC0415 - as above
        from reticle.browser.starting import Starter  # noqa: PLC0415 - as above

        in_thread, runs = _in_thread(reactor), state_dir / FOLDER
        return DrivenBrowser(
            Attacher(reactor, in_thread, settings.cdp_url)
            if settings.cdp_url is not None
            else Starter(reactor, in_thread, settings.chromium, runs, os.environ),
            Outfitter(
                links=directory,
                new_word=lambda: secrets.token_hex(6),
                page_url=lambda: daemon_url().replace("http", "ws", 1) + "/reticle",
                watched=settings.cdp_url is not None,
            ),
            Logins(runs / "logins", in_thread),
            pages=directory,
            clock=reactor,
            now=clock.now,
            monotonic=clock.monotonic,
        )

    return LateBrowser(make)


def sweep_runs(state_dir: Path, reactor: Any) -> Deferred[None]:
    """
    Take away what an earlier daemon left: profiles, and browsers that still run in them. Asked once, before
    this daemon starts any. Ready when that is done; never fails.
    """
    from reticle.browser.run_folder import left_behind, remove_run_folder  # noqa: PLC0415 - as above

    async def sweep() -> None:
        for path in left:
            try:
                await _in_thread(reactor)(remove_run_folder, path)
            except Exception:  # noqa: BLE001 - the daemon serves all the same
                _log.failure("what an earlier daemon left in {path} stays there", path=path)

    left = left_behind(state_dir / FOLDER)
    return Deferred.fromCoroutine(sweep())


def _in_thread(reactor: Any) -> Callable[..., Deferred[Any]]:
    def run(work: Callable[..., Any], *args: Any) -> Deferred[Any]:
        return deferToThreadPool(reactor, reactor.getThreadPool(), work, *args)

    return run
