"""
The actions of ``reticle_session`` that give one agent a page to itself.

What an agent may do with a hold is for ``domain.lease`` to say; the gate keeps the other agents' acts away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.lease import Rule, alive, hand_over, held_by_another, release, seconds_left, take
from reticle.domain.secrets import without_secrets
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import PAGE_HOLD_SECONDS, PURPOSE_CHARS
from reticle.ports import CallContext, Page
from reticle.tools.fields import one_line


async def hold_page(
    context: CallContext, page: Page, note: str | None, seconds: int | None
) -> Mapping[str, object]:
    """
    Have the page to oneself from now on; ``note`` is what others read.

    Raises:
        Refusal: ``page_held`` by another agent, or driven by one; what the store raises.
    """
    context.refuse_held(page)
    purpose = without_secrets(one_line(note or ""))
    shown = context.shown_agent(context.agent) or context.agent
    length = PAGE_HOLD_SECONDS if seconds is None else seconds
    now = context.clock.now()
    rule = take(
        context.agent, shown, purpose.text[:PURPOSE_CHARS], length, now, gone=_gone(context, page, now)
    )
    await _change(context, page, rule, now)
    return {"held": True, "agent": context.agent, "secondsLeft": length}


async def release_page(context: CallContext, page: Page) -> Mapping[str, object]:
    """
    Give the page up; an operator may end another's hold.

    Raises:
        Refusal: ``page_held`` by another agent, ``conflict`` when nobody holds it; what the store raises.
    """
    now = context.clock.now()
    lease = context.browser.of_page(page.identity.page_id)
    if lease is not None and alive(context.holds.of(page.identity.page_id), now) is None:
        raise Refusal(
            RefusalCode.CONFLICT,
            "Nobody holds this page: it is driven under a browser lease; nothing was done.",
            f'reticle_lease {{"action": "release", "leaseId": "{lease.lease_id}"}} closes it.',
        )
    rule = release(context.agent, now, by_operator=context.is_operator, gone=_gone(context, page, now))
    await _change(context, page, rule, now)
    return {"released": True}


async def hand_page_over(context: CallContext, page: Page, to: str) -> Mapping[str, object]:
    """
    Let another agent have the page for the time that is left; of a driven page its browser lease.

    Raises:
        Refusal: ``not_found`` when there is no such agent, ``conflict`` when it may not act on the page; else
            as ``release_page``.
    """
    shown = context.shown_agent(to)
    if shown is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"There is no agent {to[:PURPOSE_CHARS]}; nothing was done.",
            "Its name is in the refusal that it got (yourAgentName), or token:<id> for one with a token.",
        )
    if not context.may_hold(to, page):
        raise Refusal(
            RefusalCode.CONFLICT,
            f"{shown} may not act on this page; nothing was done.",
            "Hand it to an agent that may, or release it.",
        )
    now, page_id = context.clock.now(), page.identity.page_id
    rule = hand_over(context.agent, to, shown, now, gone=_gone(context, page, now))
    driven = context.browser.of_page(page_id)
    if driven is None or alive(context.holds.of(page_id), now) is not None:
        await _change(context, page, rule, now)
    lease = context.holds.of(page_id)
    if driven is not None:
        changed = context.browser.change(driven.lease_id, rule)
        lease = None if changed is None else changed.lease
    return {"handedTo": shown, "secondsLeft": 0 if lease is None else seconds_left(lease, now)}


def hold_fields(context: CallContext, page: Page) -> dict[str, object]:
    """
    Who holds a page, for a list of pages; nothing of a page that is free.
    """
    now = context.clock.now()
    lease = alive(context.holds.of(page.identity.page_id), now)
    if lease is None or lease.holder in _gone(context, page, now):
        return {}
    mine = held_by_another(lease, context.agent, now) is None
    purpose = {"purpose": lease.purpose} if lease.purpose else {}
    return {
        "hold": {"by": "you" if mine else lease.shown, "secondsLeft": seconds_left(lease, now), **purpose}
    }


def _gone(context: CallContext, page: Page, now: float) -> Sequence[str]:
    """
    The holder that cannot act on the page any more, so that nobody waits for it.
    """
    lease = alive(context.holds.of(page.identity.page_id), now)
    return [] if lease is None or context.may_hold(lease.holder, page) else [lease.holder]


async def _change(context: CallContext, page: Page, rule: Rule, now: float) -> None:
    page_id = page.identity.page_id
    await context.mutate(lambda draft: context.holds.change(page_id, rule, now, draft))
