"""
The main job from nothing: a daemon, a small shop with planted faults, a browser, and verdicts.

``python examples/demo.py`` ends with 0 only when clean journeys and traps are ``yes`` and no fault is.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from examples.journeys import CLEAN, FAULTS, TRAPS, Journey, JourneyBrokenError, connected_page, travel
from examples.journeys.children import (
    ChildFailedError,
    find_browser,
    start_browser,
    start_daemon,
    start_shop,
)
from examples.journeys.report import WIDTH, Row, render
from reticle.client import Client, ClientError, connect

PARTS = (("clean", CLEAN), ("faults", FAULTS), ("traps: sound, looking faulty", TRAPS))


def main() -> int:
    """
    Run every journey and print what the daemon says of it.
    """
    if find_browser() is None:
        print(
            "The demo needs a Chromium and found none.\n"
            "Install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to its path.",
            file=sys.stderr,
        )
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the children end with us
    started = time.monotonic()
    try:
        wrong = _run()
    except (ChildFailedError, JourneyBrokenError, ClientError) as broken:
        print(f"The demo could not run: {broken}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - started
    if wrong:
        print(f"NOT AS IT SHOULD BE: {', '.join(wrong)} ({seconds:.0f} s)")
        return 1
    print(
        f"{len(CLEAN)} clean journeys and {len(TRAPS)} traps are proved,"
        f" and none of {len(FAULTS)} faulty ones passes ({seconds:.0f} s)."
    )
    return 0


def _run() -> list[str]:
    """
    Print each part of the table as soon as it is known; gives the journeys that were judged wrongly.
    """
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    with ExitStack() as cleanup:
        folder = Path(
            cleanup.enter_context(
                tempfile.TemporaryDirectory(prefix="reticle-demo-", ignore_cleanup_errors=True)
            )
        )
        daemon = start_daemon(folder)
        cleanup.callback(daemon.child.stop)
        shop, shop_url = start_shop(folder, daemon.port)
        cleanup.callback(shop.stop)
        browser = start_browser(folder, shop_url)
        cleanup.callback(browser.stop)
        print(f"daemon {daemon.mcp_url}   shop {shop_url}   chromium pid {browser.pid}\n", flush=True)
        client = cleanup.enter_context(connect(daemon.mcp_url))
        client.initialize("reticle-demo", "1")
        page = connected_page(client)
        wrong = []
        for title, journeys in PARTS:
            rows = _rows(client, page, shop_url, journeys)
            print(render(title, rows, colours=colours), "─" * WIDTH, sep="\n", flush=True)
            wrong += [row.journey for row in rows if not row.expected]
        return wrong


def _rows(client: Client, page: str, shop_url: str, journeys: Sequence[Journey]) -> list[Row]:
    verdicts = ((journey, travel(client, page, shop_url, journey)) for journey in journeys)
    return [Row(journey.name, verdict, journey.is_judged_right(verdict)) for journey, verdict in verdicts]


if __name__ == "__main__":
    raise SystemExit(main())
