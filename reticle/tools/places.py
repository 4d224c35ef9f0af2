"""
What was seen, with the places in the files that people wrote instead of those in the scripts that run.
"""

from __future__ import annotations

from reticle.domain.predicate import Predicate, evaluate
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.ports import Page
from reticle.tools.waiting import Sight


async def with_places(page: Page, predicate: Predicate, sight: Sight, *, waits: bool) -> Sight:
    """
    The same sight through the source maps of the page's scripts; they change no value.

    Args:
        page: The page that was seen.
        predicate: What was asked of it.
        sight: What was seen.
        waits: Whether maps that are not there yet are worth ``SOURCE_WAIT_SECONDS``, as where something is to
            be mended.
    """
    window = await page.placed(sight.window, SOURCE_WAIT_SECONDS if waits else 0.0)
    return sight if window is sight.window else Sight(window, evaluate(predicate, window))
