"""
``reticle_navigate``: bring a page to another address, or load it again.

Arrival is only what the same page reports: a new document, or a route change to the address. Another
tab that is already there confirms nothing (original's defect 26), and neither does a route change that the
old document was about to make anyway.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urljoin, urlsplit

import attrs
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, EventType, RefusalCode
from reticle.model.ids import Cursor
from reticle.model.limits import (
    NAVIGATE_SECONDS,
    POLL_MS,
    URL_CHARS,
)
from reticle.model.page import PageIdentity
from reticle.ports import CallContext, Clock, Page
from reticle.tools.arguments import PageArguments
from reticle.tools.arrival import came_to_rest
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import object_of, text_of, told
from reticle.tools.provenance import see_files
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

BEFORE_UNLOAD = "beforeunload"
"""The kind of dialog by which a page asks whether it may be left (page-wire)."""


class NavigateArguments(PageArguments, frozen=True, kw_only=True):
    """
    Either an address or a reload.
    """

    url: Annotated[str | None, Meta(description="Where to go; http(s), may be relative to the page.")] = None
    reload: Annotated[bool, Meta(description="Load the page again instead.")] = False
    hard: Annotated[bool, Meta(description="With reload: bypass the cache.")] = False


@attrs.frozen
class Departure:
    """
    The page as it was before it was sent away, and where to; ``target`` is None for a reload.
    """

    identity: PageIdentity
    since: Cursor
    target: str | None


async def navigate(context: CallContext, arguments: NavigateArguments) -> ToolAnswer:
    """
    Send the page away, wait ``NAVIGATE_SECONDS`` at most for what it becomes, and for that to come to rest:
    an app draws itself only after its document has arrived.

    Raises:
        Refusal: ``bad_arguments`` for anything but one http(s) address or a reload;
            ``capability_scope_mismatch`` for an address that this agent may not have opened; ``page_error``
            when the page would not go; what the page port raises.
    """
    _check(arguments)
    page = await present_page(context, arguments.sessionId)
    target = None if arguments.url is None else _absolute(arguments.url, page.identity.url)
    if target is not None and context.browser.of_page(page.identity.page_id) is not None:
        context.place_to_open(target)  # the daemon's own browser goes where it would have been opened
    departure = Departure(page.identity, page.cursor(), target)
    action_id = page.begin_action()
    try:
        await _send_away(page, target, hard=arguments.hard)
        confirmed = await _arrived(page, departure, context.clock)
        settled = confirmed and await came_to_rest(page, context.clock)
        if confirmed:
            await see_files(context, page)
    finally:
        page.end_action(action_id)
    fields: dict[str, object] = {
        "confirmed": confirmed,
        **({"settled": settled} if confirmed else {}),
        "url": page.identity.url,
        "sessionId": page.identity.page_id,
        "since": departure.since,
        **told(note=_note(page, departure, confirmed=confirmed)),
        **session_note(page),
    }
    return ToolAnswer(fields)


def _check(arguments: NavigateArguments) -> None:
    problem = None
    if (arguments.url is None) is not arguments.reload:
        problem = "Give either url or reload: true."
    elif arguments.hard and not arguments.reload:
        problem = "hard only goes with reload: true."
    elif arguments.url is not None and not 0 < len(arguments.url) <= URL_CHARS:
        problem = f"A url has 1 to {URL_CHARS} characters."
    if problem is not None:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, problem, 'For example {"url": "/cart"} or {"reload": true}.')


def _absolute(url: str, base: str) -> str:
    """
    The address made absolute against the page's own.

    Raises:
        Refusal: ``bad_arguments`` for a scheme that runs code or leaves the web.
    """
    try:
        absolute = urljoin(base, url)
        parts = urlsplit(absolute)
    except ValueError as error:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, f"{url!r} is not an address: {error}.") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"Only http and https addresses can be navigated to, not {url!r}.",
            'Give an address such as "http://localhost:8000/cart", or a path of the same site.',
        )
    return absolute


async def _send_away(page: Page, target: str | None, *, hard: bool) -> None:
    try:
        if target is None:
            await page.ask(CommandName.REFRESH, {"hard": True} if hard else {})
            return
        answer = object_of(await page.ask(CommandName.NAVIGATE, {"url": target}))
    except Refusal as refusal:
        if refusal.code != RefusalCode.SESSION_GONE:
            raise
        return  # the page left before it could answer: that is what was asked of it
    if answer.get("ok") is False:
        raise Refusal(RefusalCode.PAGE_ERROR, f"The page would not go: {text_of(answer.get('reason'))}.")


async def _arrived(page: Page, departure: Departure, clock: Clock) -> bool:
    deadline = clock.monotonic() + NAVIGATE_SECONDS
    while not _is_there(page, departure):
        left = deadline - clock.monotonic()
        if left <= 0 or _was_kept(page, departure):
            return False
        seconds = min(POLL_MS / 1000, left)
        if page.health().connected:
            await page.changed(page.cursor(), seconds)
        else:
            await clock.sleep(seconds)
    return True


def _is_there(page: Page, departure: Departure) -> bool:
    if not page.health().connected:
        return False
    if page.identity.document_id != departure.identity.document_id or _leads_nowhere(departure):
        return True
    arrivals = page.events(departure.since)
    if departure.identity.document_id is None and any(
        event.type == EventType.PAGE_HEALTH and event.data.get("reason") == "initial" for event in arrivals
    ):
        return True  # published packages name no document, but say this once for each connection
    return departure.target is not None and any(
        event.type == EventType.ROUTE_CHANGE
        and _same_address(urljoin(departure.target, text_of(event.data.get("to"))), departure.target)
        for event in arrivals
    )


def _was_kept(page: Page, departure: Departure) -> bool:
    """
    Whether the page asked before it was left, in a browser whose lease dismisses such questions.
    """
    return any(
        event.type == EventType.DIALOG
        and event.data.get("kind") == BEFORE_UNLOAD
        and event.data.get("answer") is False
        for event in page.events(departure.since)
    )


def _leads_nowhere(departure: Departure) -> bool:
    """
    Whether the page is at the target already and its fragment keeps a browser from loading it again.
    """
    return departure.target == departure.identity.url and "#" in departure.target


def _same_address(one: str, other: str) -> bool:
    return one.rstrip("/") == other.rstrip("/")


def _note(page: Page, departure: Departure, *, confirmed: bool) -> str | None:
    target = departure.target
    if confirmed and _leads_nowhere(departure):
        return "The page was at that address already; nothing was loaded. Use reload to load it again."
    if confirmed:
        moved = target is not None and not _same_address(page.identity.url, target)
        return f"The page came to another address than {target}." if moved else None
    if _was_kept(page, departure):
        return (
            "The page asked whether it may be left (beforeunload), and its browser lease dismisses dialogs: "
            "it stayed. Save or undo what it holds back for, or acquire the lease with dialogs: accept."
        )
    if not page.health().connected:
        return (
            f"The page left and did not come back within {NAVIGATE_SECONDS:g} s: the address may not answer, "
            "its page does not carry the page script, or belongs to a repository that you have no right to."
        )
    return (
        f"No new document and no route change within {NAVIGATE_SECONDS:g} s: the page may still be loading, "
        "may have been at that address already, or may have stopped the navigation."
    )


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_navigate",
        title="Navigate or reload",
        summary="Brings the page to a url or reloads it, and says whether the new document really arrived.",
        arguments=NavigateArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, open_world=True),
        run=navigate,
        acts=True,
        example={"url": "/cart"},
    ),
)
