"""
The main job from nothing: a daemon, a small shop with planted faults, a browser, and verdicts.

``python examples/demo.py`` ends with 0 only when the clean checkout is ``yes`` and no faulty one is.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from examples.journeys.checkout import JOURNEYS, Journey, JourneyBrokenError, connected_page, travel
from examples.journeys.children import (
    ChildFailedError,
    find_browser,
    start_browser,
    start_daemon,
    start_shop,
)
from examples.journeys.report import WIDTH, Row, render
from reticle.client import Client, ClientError, connect


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
        rows = _run()
    except (ChildFailedError, JourneyBrokenError, ClientError) as broken:
        print(f"The demo could not run: {broken}", file=sys.stderr)
        return 1
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(render(rows, colours=colours))
    print("─" * WIDTH)
    wrong = [row.journey for row in rows if not row.expected]
    seconds = time.monotonic() - started
    if wrong:
        print(f"NOT AS IT SHOULD BE: {', '.join(wrong)} ({seconds:.0f} s)")
        return 1
    print(f"The clean checkout is proved, and none of {len(rows) - 1} faulty ones passes ({seconds:.0f} s).")
    return 0


def _run() -> list[Row]:
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
        return [_row(client, page, shop_url, journey) for journey in JOURNEYS]


def _row(client: Client, page: str, shop_url: str, journey: Journey) -> Row:
    verdict = travel(client, page, shop_url, journey)
    return Row(journey.name, verdict, (verdict.verified == "yes") is journey.passes)


if __name__ == "__main__":
    raise SystemExit(main())
