"""
An act by real input, which the page cannot tell from a person's: the page aims, the browser strikes, the page
tells what came of it.

Only a browser that the daemon drives can do it. Until its first stroke nothing has happened; after that an
act whose answer is lost may have happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from reticle.errors import Refusal
from reticle.model.codes import ActionName, CommandName, RefusalCode
from reticle.model.ids import PageId
from reticle.ports import CallContext, Page
from reticle.tools.fields import list_of, object_of, text_of
from reticle.tools.strokes import Aim, movements

TRUSTED: Final = "trusted"
"""The ``inputMode`` of a report."""

AWAY_SECONDS: Final = 1.0
"""How long a page may take to hear that no input comes; its browser may be gone."""

_SAID_BEFORE: Final = ("ok", "ref", "action", "role", "name", "testid", "component", "source")
_NOT_BEGUN: Final = frozenset({RefusalCode.OCCLUDED, RefusalCode.UNSUPPORTED_SURFACE})
"""The browser refuses so before its first stroke."""

_CLIPBOARD_KEYS: Final = frozenset("cvx")
_COMMAND: Final = frozenset({"Control", "Ctrl", "Meta", "Cmd"})

_LEFT: Final = frozenset({RefusalCode.SESSION_GONE, RefusalCode.PAGE_ERROR})


def needs_hands(context: CallContext, page: Page, asked: Mapping[str, object]) -> bool:
    """
    Whether only real keys can do it, and the page has them: a script neither reads nor fills the clipboard.

    Args:
        context: The call's.
        page: The page; without a browser lease it has no hands, and its script says what did not happen.
        asked: The page's ``act`` command.
    """
    driven = context.browser.of_page(PageId(page.identity.page_id)) is not None
    if asked.get("action") != ActionName.PRESS or not driven:
        return False
    args = object_of(asked.get("args"))
    *held, key = text_of(args.get("text") or args.get("key")).split("+")
    modifiers = {*held, *map(text_of, list_of(args.get("modifiers")))}
    return key.lower() in _CLIPBOARD_KEYS and bool(modifiers & _COMMAND) and "Alt" not in modifiers


async def act_by_hand(
    context: CallContext, page: Page, asked: Mapping[str, object], seconds: float
) -> Mapping[str, object]:
    """
    The page's report of an act that the browser made.

    Args:
        context: The call's.
        page: The page; it must belong to a browser lease.
        asked: The page's ``act`` command, as a script would be asked.
        seconds: How long the page may take to aim and, afterwards, to tell.

    Raises:
        Refusal: ``not_driven`` for a page that the daemon did not open; the page's refusals of an act that
            cannot honestly be done; ``wrong_target`` where the input would have reached something else, or
            did; what the browser raises, then with ``may_have_happened``.
    """
    page_id = PageId(page.identity.page_id)
    if context.browser.of_page(page_id) is None:
        raise _not_driven(page)
    before = page.identity.document_id
    answer = object_of(await page.ask(CommandName.AIM, asked, timeout_seconds=seconds))
    if "done" in answer:
        return object_of(answer["done"])
    struck = False
    try:
        await _strike(context, page_id, asked, _read(answer))
        struck = True
    finally:
        if not struck:  # the page waits for what will not come, and lets nothing else act meanwhile
            with suppress(Refusal):
                await page.ask(CommandName.LANDED, {"aim": answer.get("aim")}, timeout_seconds=AWAY_SECONDS)
    try:
        told = await page.ask(CommandName.LANDED, {"aim": answer["aim"]}, timeout_seconds=seconds)
    except Refusal as refusal:
        gone = not page.health().connected or page.identity.document_id != before
        if refusal.code not in _LEFT or not gone:
            if refusal.code != RefusalCode.WRONG_TARGET:  # of which the page says itself what became of it
                refusal.details = {**refusal.details, "may_have_happened": True}
            raise
        # the document that was acted on went away under the act, as a form post makes it
        said = {name: answer[name] for name in _SAID_BEFORE if name in answer}
        return {**said, "inputMode": TRUSTED, "settled": False, "settleReason": "navigated", "effect": {}}
    return object_of(told)


async def _strike(context: CallContext, page_id: PageId, asked: Mapping[str, object], aim: Aim) -> None:
    action = ActionName(str(asked["action"]))
    try:
        for movement in movements(action, object_of(asked.get("args")), aim):
            await context.browser.input(page_id, movement.strokes)
            if movement.held_seconds > 0:
                await context.clock.sleep(movement.held_seconds)
    except Refusal as refusal:
        if refusal.code not in _NOT_BEGUN:
            refusal.details = {**refusal.details, "may_have_happened": True}
        raise


def _read(answer: Mapping[str, object]) -> Aim:
    try:
        return msgspec.convert(dict(answer), Aim, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal(
            RefusalCode.PAGE_ERROR,
            f"The page's answer to aim cannot be read: {error}. Nothing was done.",
            "Leave trusted out, or reload the page.",
        ) from error


def _not_driven(page: Page) -> Refusal:
    return Refusal(
        RefusalCode.NOT_DRIVEN,
        f"Page {page.identity.page_id} dialled in by itself, and real input needs a browser that the daemon "
        "drives. Nothing was done.",
        "Open it with reticle_lease {action: acquire, url} and act there, or leave trusted out.",
    )
