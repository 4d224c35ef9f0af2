"""
Waiting for a document that has only just come, or still fetches what it shows, as a person would.
"""

from __future__ import annotations

from reticle.domain.settle import settle
from reticle.model.ids import Cursor
from reticle.model.limits import ARRIVAL_QUIET_MS, ARRIVAL_SECONDS, READ_GAP_MS
from reticle.ports import Clock, Page


async def waited_for_rest(page: Page, clock: Clock) -> bool:
    """
    Wait, ``ARRIVAL_SECONDS`` at most, until nothing stirs in the page any more; False where nothing did.
    """
    begun = clock.monotonic()
    while page.health().connected and clock.monotonic() - begun < ARRIVAL_SECONDS:
        if settle(page.window(Cursor(0)), ARRIVAL_QUIET_MS).settled:
            return clock.monotonic() > begun
        await clock.sleep(READ_GAP_MS / 1000)
    return True


async def came_to_rest(page: Page, clock: Clock) -> bool:
    """
    Whether nothing stirred for ``ARRIVAL_QUIET_MS`` within ``ARRIVAL_SECONDS`` from now.
    """
    arrived, since = clock.monotonic(), page.cursor()
    while page.health().connected:
        passed = clock.monotonic() - arrived
        if passed * 1000 >= ARRIVAL_QUIET_MS and settle(page.window(since), ARRIVAL_QUIET_MS).settled:
            return True
        if passed >= ARRIVAL_SECONDS:
            return False
        await clock.sleep(READ_GAP_MS / 1000)
    return False
