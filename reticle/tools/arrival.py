"""
Waiting for a document that has only just come, or still fetches what it shows, as a person would.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from reticle.domain.settle import settle
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import Cursor
from reticle.model.limits import ARRIVAL_QUIET_MS, ARRIVAL_SECONDS, READ_GAP_MS
from reticle.ports import Clock, Page

T = TypeVar("T")


async def when_there(page: Page, clock: Clock, attempt: Callable[[], Awaitable[T]], *, by_ref: bool) -> T:
    """
    An attempt to act, made once more when the page has come to rest where its target was not there or not
    to be used yet. Everything is done anew then, readings of before and cursors too: what the page did by
    itself meanwhile is no doing of the act.

    Args:
        page: What is acted on.
        clock: Whose time it takes.
        attempt: The whole of it; a refusal says that nothing was done.
        by_ref: Whether the target is a ref, which does not come later.
    """
    try:
        return await attempt()
    except Refusal as refusal:
        missing = refusal.code == RefusalCode.NO_MATCH and not by_ref
        on_its_way = missing or refusal.code == RefusalCode.NOT_EDITABLE
        if not on_its_way or not await waited_for_rest(page, clock):
            raise
    return await attempt()


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
