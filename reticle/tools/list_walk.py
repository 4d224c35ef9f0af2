"""
Looking for an element through lists that have only those rows in the page that can be seen.

A list is walked from its beginning to its end in steps of less than its own height, and the page is asked
after each. The end is the end only when nothing more came in while the page rested there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.settle import settle
from reticle.model.codes import CommandName
from reticle.model.ids import Cursor
from reticle.model.limits import READ_GAP_MS
from reticle.ports import CallContext, Page
from reticle.tools.attendance import refuse_if_paused
from reticle.tools.fields import list_of, object_of, text_of

REST_QUIET_MS: Final = 60
"""A list that draws with the next frames has drawn by then."""

REST_SECONDS: Final = 1.5
"""How long rows that are being fetched are waited for at each place."""

STEP_SHARE: Final = 0.8
"""Of a list's height in one step, as the page takes it by itself: what overlaps is seen twice, not never."""

MATCHES: Final = 10
"""Elements asked for at each place: more than one is ambiguous in any case."""


@attrs.frozen
class Position:
    """
    Where a list stands, in CSS pixels.
    """

    top: float
    content: float
    height: float
    at_end: bool
    moved: bool

    @classmethod
    def read(cls, answer: Mapping[str, object]) -> Position:
        """
        The page's answer to ``scroll``.
        """
        return cls(
            _pixels(answer.get("scrollTop")),
            _pixels(answer.get("scrollHeight")),
            _pixels(answer.get("clientHeight")),
            answer.get("atEnd") is True,
            answer.get("scrolled") is True,
        )


@attrs.define
class Walk:
    """
    One search, with what it may cost.

    Args:
        context: The call's.
        page: Where it looks.
        query: The element query, as the page takes it.
        most: How often it may scroll.
        deadline: Until when, on the clock's monotonic time.

    ``scrolls`` is how often it did, ``hidden`` how many elements matched that do not show, ``restless``
    whether the page was still at work when the last look was over.
    """

    context: CallContext
    page: Page
    query: Mapping[str, object]
    most: int
    deadline: float
    scrolls: int = 0
    hidden: int = 0
    restless: bool = False

    @property
    def spent(self) -> bool:
        """
        Whether it may not go on.
        """
        return self.scrolls >= self.most or self.context.clock.monotonic() >= self.deadline

    async def look(self) -> Sequence[Mapping[str, object]]:
        """
        The elements that match here and show.
        """
        result = object_of(await self.page.ask(CommandName.QUERY, {**self.query, "limit": MATCHES}))
        found = [object_of(each) for each in list_of(result.get("elements"))]
        seen = [each for each in found if each.get("visible") is True]
        self.hidden = len(found) - len(seen)
        return seen

    async def through(
        self, ref: str | None, place: float | None = None
    ) -> Sequence[Mapping[str, object]] | None:
        """
        What matches in the list around ``ref`` (None: the page), nearest to its beginning.

        Args:
            ref: An element in it.
            place: The share of the list at which to look first.

        An empty answer means that the whole list was walked; None that it was not: the walk is spent, or the
        page was still at work at the end of the list.
        """
        found, position = await self._step(ref, {"fraction": 0})
        if not found and place is not None and not self.spent:
            found = await self._around(ref, position, place)
            if not found and not self.spent:
                _, position = await self._step(ref, {"fraction": 0})
        while not found:
            if self.spent:
                return None
            found, position = await self._step(ref, {})
            if not found and not position.moved:
                return None if self.restless else []
        return found

    async def _around(
        self, ref: str | None, position: Position, place: float
    ) -> Sequence[Mapping[str, object]]:
        """
        What matches where the wanted row should be, and a step before and behind that place.
        """
        way = max(position.content - position.height, 1.0)
        share = (place * position.content - position.height / 2) / way
        step = round(STEP_SHARE * position.height) or 1
        for move in ({"fraction": min(max(share, 0.0), 1.0)}, {"dy": -step}, {"dy": 2 * step}):
            if self.spent:
                return []
            found, _ = await self._step(ref, move)
            if found:
                return found
        return []

    async def _step(
        self, ref: str | None, move: Mapping[str, object]
    ) -> tuple[Sequence[Mapping[str, object]], Position]:
        """
        Scroll once and look: at once, and again when the page has drawn what came in meanwhile.
        """
        refuse_if_paused(self.context, self.page)
        asked = {**move, **({} if ref is None else {"ref": ref})}
        since = self.page.cursor()
        position = Position.read(object_of(await self.page.ask(CommandName.SCROLL, asked)))
        self.scrolls += position.moved
        self.context.progress(self.scrolls, self.most, "looking through the list")
        found = await self.look()
        seen = self.page.cursor()
        if not found:
            self.restless = not await self._rested(since)
            if self.page.cursor() > seen:
                found = await self.look()
        return found, position

    async def _rested(self, since: Cursor) -> bool:
        """
        Whether the page came to rest in time.
        """
        clock = self.context.clock
        began = clock.monotonic()
        while self.page.health().connected:
            passed = clock.monotonic() - began
            if passed * 1000 >= REST_QUIET_MS and settle(self.page.window(since), REST_QUIET_MS).settled:
                return True
            if passed >= REST_SECONDS:
                return False
            await clock.sleep(READ_GAP_MS / 1000)
        return False


@attrs.frozen
class Scroller:
    """
    A list that can be walked; ``ref`` is None for the page itself. ``unmounted`` is about how many of its
    rows are not in the page, ``top`` where it stands.
    """

    ref: str | None
    unmounted: float
    top: float | None


@attrs.frozen
class Scrollers:
    """
    The lists of a page, those with rows that are not in the page first, and whether these are all.
    """

    each: Sequence[Scroller]
    complete: bool


async def scrollers_of(page: Page) -> Scrollers:
    """
    What scrolls on a page. The published packages do not tell: there it is the page alone.
    """
    if not page.identity.own_script:
        return Scrollers([Scroller(None, 0, None)], complete=False)
    answer = object_of(await page.ask(CommandName.SCROLL, {"dy": 0}))
    whole = Position.read(answer)
    each = (
        [Scroller(None, _pixels(answer.get("unmounted")), whole.top)]
        if whole.content > whole.height + 1
        else []
    )
    each.extend(
        Scroller(text_of(container.get("ref")), _pixels(container.get("unmounted")), None)
        for container in map(object_of, list_of(answer.get("containers")))
    )
    return Scrollers(sorted(each, key=lambda one: -one.unmounted), answer.get("moreContainers") is not True)


async def top_of(page: Page, ref: str | None) -> float | None:
    """
    Where a list stands; None where asking would move it (published packages).
    """
    if not page.identity.own_script:
        return None
    asked = {"dy": 0, **({} if ref is None else {"ref": ref})}
    return Position.read(object_of(await page.ask(CommandName.SCROLL, asked))).top


async def put_back(page: Page, ref: str | None, top: float | None) -> None:
    """
    Scroll a list to where it stood.
    """
    now = await top_of(page, ref)
    if top is None or now is None or round(top) == round(now):
        return
    await page.ask(CommandName.SCROLL, {"dy": top - now, **({} if ref is None else {"ref": ref})})


def _pixels(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
