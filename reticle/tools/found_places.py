"""
Where what the page itself found is written: it says so, and what ran besides is not at fault then.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from reticle.domain.findings import rows_mixed_up, theme_unheeded
from reticle.domain.hiding_rules import HidingRule, line_of
from reticle.model.codes import VerifiedReason
from reticle.model.origins import origin_of
from reticle.model.runs import Place, Position, Why
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.verdict import Decision
from reticle.model.window import Window
from reticle.ports import Page


async def found_places(page: Page, decision: Decision, window: Window) -> Sequence[Place]:
    """
    The places of the finding that alone holds a pass back, where the page told them; else none.

    Args:
        page: The page.
        decision: What was decided.
        window: What was seen.
    """
    if decision.reason is not VerifiedReason.EVIDENCE_INCOMPLETE:
        return ()
    kinds = {finding.kind for finding in decision.findings}
    if kinds == {rows_mixed_up.KIND}:
        found = await _rows(page, window)
    elif kinds == {theme_unheeded.KIND}:
        found = await _rule(page, window)
    else:
        found = ()
    return tuple(Place(where, Why.FOUND) for where in dict.fromkeys(found) if where)


async def _rows(page: Page, window: Window) -> Sequence[str | None]:
    mixed = () if window.pending is None else window.pending.mixed
    positions = [Position(*one.at) for one in mixed if one.at is not None]
    located = await page.located(positions, SOURCE_WAIT_SECONDS) if positions else ()
    return (*located, *(one.source for one in mixed if one.at is None))


async def _rule(page: Page, window: Window) -> Sequence[str | None]:
    unheeded = None if window.pending is None else window.pending.unheeded
    if unheeded is None or not unheeded.sheet or not unheeded.selector:
        return ()
    (text,) = await page.texts([unheeded.sheet])
    line = line_of(text, HidingRule(unheeded.sheet, unheeded.selector, ""))
    own = origin_of(unheeded.sheet) == origin_of(page.identity.url)
    sheet = urlsplit(unheeded.sheet).path if own else unheeded.sheet
    return () if line is None else (f"{sheet}:{line}",)
