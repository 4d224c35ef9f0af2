"""
Waiting for a document that has only just come, or still fetches what it shows, as a person would.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from reticle.domain.settle import settle
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import Cursor
from reticle.model.limits import ARRIVAL_QUIET_MS, ARRIVAL_SECONDS, READ_GAP_MS
from reticle.ports import Clock, Page

T = TypeVar("T")

LOADING: Final = "loading"
"""In a page's refusal: its document still loads, so scripts that show more may not have run (page-wire)."""

_NOT_YET: Final = frozenset({RefusalCode.NOT_EDITABLE, RefusalCode.NOT_VISIBLE})
"""What is there, and may come to be seen or used by what the page does by itself."""


async def when_there(page: Page, clock: Clock, attempt: Callable[[], Awaitable[T]], *, by_ref: bool) -> T:
    """
    An attempt to act, made anew when the page has come to rest where its target was not there, not to be seen
    or not to be used yet; as often as the page stirs or its document still loads, for ``ARRIVAL_SECONDS``.
    Everything is done anew then, readings of before and cursors too: what the page did by itself meanwhile is
    no doing of the act.

    Args:
        page: What is acted on.
        clock: Whose time it takes.
        attempt: The whole of it; a refusal says that nothing was done.
        by_ref: Whether the target is a ref, which does not come later.
    """
    begun = clock.monotonic()
    while True:
        try:
            return await attempt()
        except Refusal as refusal:
            late = clock.monotonic() - begun >= ARRIVAL_SECONDS
            if late or not await _may_come(page, clock, refusal, by_ref=by_ref):
                refusal.details.pop(LOADING, None)
                raise


async def _may_come(page: Page, clock: Clock, refusal: Refusal, *, by_ref: bool) -> bool:
    """
    Whether what was refused is worth another look, when its time has come; False at once where it is not.
    """
    missing = refusal.code == RefusalCode.NO_MATCH and not by_ref
    if not missing and refusal.code not in _NOT_YET:
        return False
    if await waited_for_rest(page, clock):
        return True
    if refusal.details.get(LOADING) is not True:
        return False
    await clock.sleep(READ_GAP_MS / 1000)
    return True


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
