"""
What was seen, with the places in the files that people wrote instead of those in the scripts that run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.claim_words import words_of
from reticle.domain.libraries import is_library_name
from reticle.domain.predicate import Predicate, evaluate
from reticle.domain.senders import senders, stacks
from reticle.domain.suspects import weigh
from reticle.model.ids import PageId
from reticle.model.run_limits import PLACES_NAMED, SUSPECTS_MAPPED
from reticle.model.runs import Place
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.verdict import Decision
from reticle.model.window import Window
from reticle.ports import CallContext, Page
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


async def places_at_fault(
    context: CallContext, page: Page, claim: Mapping[str, object], decision: Decision, window: Window
) -> Sequence[Place]:
    """
    Where the app is likely to be at fault, the likeliest first; of a driven page by what ran in it, of
    another by the stacks of its requests.

    Args:
        context: The call's.
        page: The page.
        claim: What was claimed, as canonical JSON.
        decision: What was decided, without these places.
        window: What was seen, with places as the page told them.
    """
    sent_at = stacks(window)
    scripts = [
        script
        for script in await context.browser.runs(PageId(page.identity.page_id))
        if not is_library_name(script.address)
    ]
    if scripts:
        words = words_of(claim, decision.outcome, decision.findings, window)
        suspects = weigh(scripts, words, sent_at)[:SUSPECTS_MAPPED]
    else:
        suspects = senders(sent_at)[:SUSPECTS_MAPPED]
    located = await page.located([one.position for one in suspects], SOURCE_WAIT_SECONDS)
    named = {
        where: Place(where, suspect.why)
        for suspect, where in zip(reversed(suspects), reversed(located), strict=True)
        if where is not None
    }
    return tuple(reversed(named.values()))[:PLACES_NAMED]
