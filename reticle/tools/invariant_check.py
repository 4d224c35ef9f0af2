"""
What must always hold of an app, judged on an action that no verdict follows.

A verdict judges its invariants itself (``reticle.domain.ladder``). An action without one is judged here:
whoever only brings the app somewhere learns all the same which step broke what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from reticle.domain.invariants import asked_of_page, judged_invariants
from reticle.domain.predicate import parse
from reticle.model.ids import Cursor
from reticle.model.verdict import Held
from reticle.model.window import ActionRecord, Invariant, Question, Reading
from reticle.ports import CallContext, Clock, Page
from reticle.tools.arrival import came_to_rest
from reticle.tools.declared_invariants import invariants_of
from reticle.tools.fields import told

_NOTHING: Final = parse({"kind": "settled"})
"""What is claimed of an action that proves nothing."""


@attrs.frozen
class InvariantCheck:
    """
    The invariants of a page and what was so of them before an action. Made by ``invariant_check``.
    """

    clock: Clock
    since: Cursor
    invariants: Sequence[Invariant]
    questions: Sequence[Question]
    before: Sequence[Reading]

    async def broken(
        self, page: Page, action: ActionRecord | None = None, *, at_rest: bool = False
    ) -> dict[str, object]:
        """
        ``{"brokenInvariants": [{name, failure}]}`` of those that held before and not after, or nothing.

        A page on its way from one state to another may break what it mends at once: what seems broken is
        looked at once more when it has come to rest.

        Args:
            page: The page as it is now; one that was left is not judged.
            action: What was done, where the page reported it.
            at_rest: Whether to wait for rest before the first look too.
        """
        if at_rest:
            await came_to_rest(page, self.clock)
        found = await self._broken(page, action)
        if found and not at_rest:
            await came_to_rest(page, self.clock)
            found = await self._broken(page, action)
        return told(brokenInvariants=found)

    async def _broken(self, page: Page, action: ActionRecord | None) -> list[dict[str, object]]:
        if not self.invariants or not page.health().connected:
            return []
        after = await page.read(self.questions) if self.questions else ()
        window = attrs.evolve(
            page.window(self.since),
            before=self.before,
            after=after,
            action=action,
            invariants=self.invariants,
        )
        return [
            {"name": one.invariant.name, **told(failure=one.now.failure)}
            for one in judged_invariants(window)
            if one.before is Held.YES and one.now.held is Held.NO
        ]


async def invariant_check(context: CallContext, page: Page) -> InvariantCheck:
    """
    What is so before an action; the page is asked only where something is declared that it has to tell.
    """
    invariants = await invariants_of(context, page)
    questions = asked_of_page(_NOTHING, invariants)
    before = tuple(await page.read(questions)) if questions else ()
    return InvariantCheck(context.clock, page.cursor(), invariants, questions, before)
