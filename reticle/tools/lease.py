"""
``reticle_lease``: pages that the daemon opens itself, in a browser context of the agent's own.

A verdict on such a page is attested. Who may do what with a lease is for ``domain.browser_lease`` to say, and
what may be opened for ``domain.openable`` and, under a token for some repositories, for the gate.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Final, Literal

import attrs
from msgspec import Meta

from reticle.domain.browser_lease import begin, no_lease, release, renew
from reticle.domain.openable import check_openable
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.codes import Capability, DialogRule, DownloadRule, RefusalCode
from reticle.model.ids import BrowserLeaseId, PageId, RepositoryId
from reticle.model.limits import (
    BROWSER_CONTEXTS,
    BROWSER_LEASE_MAX_SECONDS,
    BROWSER_LEASE_SECONDS,
    BROWSER_LOAD_SECONDS,
    BROWSER_QUEUE_SECONDS,
    BROWSER_START_SECONDS,
    VIEWPORT_MAX,
    VIEWPORT_MIN,
)
from reticle.ports import CallContext, Page
from reticle.tools.actions import check_action
from reticle.tools.arguments import Name
from reticle.tools.arrival import waited_for_rest
from reticle.tools.browser_leases import URL_SHOWN_CHARS, asker_of, lease_fields
from reticle.tools.fields import cut, one_line, told
from reticle.tools.provenance import see_files
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

LeaseAction = Literal["acquire", "renew", "release", "list"]
_Side = Annotated[int, Meta(ge=VIEWPORT_MIN, le=VIEWPORT_MAX)]
_LoginName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$(?!\n)")]

OPENING_SECONDS: Final = 2.0 * (BROWSER_QUEUE_SECONDS + BROWSER_START_SECONDS + BROWSER_LOAD_SECONDS)
"""How long a lease lasts while it is opened: longer than that can take, so that none ends before it began."""

WIDTH: Final = 1280
HEIGHT: Final = 800
"""The window unless said, in CSS pixels: that of a common laptop."""

YOURS: Final = (
    "In this MCP session, or with this token, calls without sessionId mean this page now; each reticle call "
    "without a token is a session of its own and has to name it. Each call on it keeps it; release it when "
    "you are done."
)
NOT_LOADED: Final = (
    "The address could not be loaded (trouble says why). Start the app, then reticle_navigate this page to "
    "it, or release the lease."
)
NOT_THERE: Final = (
    "Its page script has not reported: the app may be slow to answer. Look again with reticle_sessions, or "
    "release it and acquire anew once the app runs."
)


class LeaseArguments(Arguments, frozen=True, kw_only=True):
    """
    What to do, and the arguments of all actions; ``ACTIONS`` says which go with which.
    """

    action: Annotated[LeaseAction, Meta(description="What to do.")]
    url: Annotated[Name | None, Meta(description="acquire: the address, with http:// or https://.")] = None
    projectId: Annotated[Name | None, Meta(description="acquire: the project that the app belongs to.")] = (
        None
    )
    login: Annotated[
        _LoginName | None,
        Meta(description="acquire: keep cookies and storage under this name, and begin with those kept."),
    ] = None
    headed: Annotated[bool, Meta(description="acquire: with a window that a person sees.")] = False
    seconds: Annotated[
        Annotated[int, Meta(ge=1, le=BROWSER_LEASE_MAX_SECONDS)] | None,
        Meta(description="acquire, renew: how long it lasts without a call; 300 unless said."),
    ] = None
    dialogs: Annotated[
        DialogRule | None, Meta(description="acquire: what dialogs are answered with; dismiss unless said.")
    ] = None
    downloads: Annotated[
        DownloadRule | None, Meta(description="acquire: what becomes of downloads; refuse unless said.")
    ] = None
    width: Annotated[_Side | None, Meta(description="acquire: of the window, CSS pixels.")] = None
    height: Annotated[_Side | None, Meta(description="acquire: of the window, CSS pixels.")] = None
    shared: Annotated[bool, Meta(description="acquire: every agent may act on its pages.")] = False
    sessionId: Annotated[Name | None, Meta(description="renew, release: a page of the lease.")] = None
    leaseId: Annotated[Name | None, Meta(description="renew, release: the lease.")] = None


@attrs.frozen
class ActionRule:
    """
    What one action takes, what of it is needed, and what it does.
    """

    run: Callable[[CallContext, LeaseArguments], Awaitable[ToolAnswer]]
    takes: Sequence[str] = ()
    needs: Sequence[str] = ()
    example: str = ""


async def lease(context: CallContext, arguments: LeaseArguments) -> ToolAnswer:
    """
    Do one of the actions.

    Raises:
        Refusal: ``bad_arguments`` for arguments that do not go with the action, or an address that is not
            opened; ``capability_scope_mismatch``; ``not_found`` for a lease that is not there; ``page_held``
            for another agent's; what ``ports.Browser`` raises.
    """
    check_action(ACTIONS, arguments.action, arguments)
    return await ACTIONS[arguments.action].run(context, arguments)


async def _acquire(context: CallContext, arguments: LeaseArguments) -> ToolAnswer:
    url = check_openable(arguments.url or "")
    place = context.place_to_open(url)
    _refuse_foreign_project(place, arguments.projectId)
    wish = BrowserWish(
        url,
        project_id=arguments.projectId or place,
        login=_login(arguments.login, place),
        headed=arguments.headed,
        dialogs=arguments.dialogs or DialogRule.DISMISS,
        downloads=arguments.downloads or DownloadRule.REFUSE,
        width=arguments.width or WIDTH,
        height=arguments.height or HEIGHT,
        seconds=arguments.seconds or BROWSER_LEASE_SECONDS,
        shared=arguments.shared,
        within=place,
    )
    await _make_room(context)
    shown = context.shown_agent(context.agent) or context.agent
    opening = begin(asker_of(context), shown, max(wish.seconds, OPENING_SECONDS))
    got = _begun(context, await context.browser.acquire(wish, opening), shown)
    if got.trouble or all(page.identity.page_id != got.page_id for page in context.pages.all()):
        return _opened(context, got, None)
    try:
        page = context.pages.resolve(got.page_id)
        await waited_for_rest(page, context.clock)
        await see_files(context, page)
        return _opened(context, got, page)
    except Refusal:
        # It went on to where this agent may not follow: a context that nobody uses is not kept.
        await context.browser.release(got.lease_id)
        raise


def _begun(context: CallContext, got: BrowserLease, shown: str) -> BrowserLease:
    """
    The lease from when its page is there: the time that opening took is not the agent's.
    """
    rule = renew(got, asker_of(context), shown, got.wish.seconds)
    changed = context.browser.change(got.lease_id, rule)
    if changed is None:
        raise no_lease(got.lease_id)
    return attrs.evolve(got, lease=changed.lease)


async def _renew(context: CallContext, arguments: LeaseArguments) -> ToolAnswer:
    found = _named(context, arguments)
    shown = context.shown_agent(context.agent) or context.agent
    seconds = arguments.seconds or found.wish.seconds
    changed = context.browser.change(found.lease_id, renew(found, asker_of(context), shown, seconds))
    if changed is None:
        raise no_lease(found.lease_id)
    return ToolAnswer({"action": "renew", **lease_fields(context, changed)})


async def _release(context: CallContext, arguments: LeaseArguments) -> ToolAnswer:
    found = _named(context, arguments)
    release(asker_of(context), by_operator=context.is_operator)(found.lease)
    released = await context.browser.release(found.lease_id)
    return ToolAnswer({"action": "release", "released": released, "leaseId": found.lease_id})


async def _list(context: CallContext, arguments: LeaseArguments) -> ToolAnswer:
    del arguments
    leases = [lease_fields(context, each) for each in context.browser.leases() if _may_see(context, each)]
    fields = {
        "action": "list",
        "leases": leases,
        "most": BROWSER_CONTEXTS,
        "queued": context.browser.waiting(),
    }
    return ToolAnswer(fields, text="\n".join(map(_line, leases)) or "there are no browser leases")


ACTIONS: Mapping[str, ActionRule] = {
    "acquire": ActionRule(
        _acquire,
        (
            "url", "projectId", "login", "headed", "seconds", "dialogs", "downloads", "width", "height",
            "shared",
        ),
        ("url",),
        '{"action": "acquire", "url": "http://localhost:3000/"}',
    ),
    "renew": ActionRule(
        _renew,
        ("sessionId", "leaseId", "seconds"),
        example='{"action": "renew", "leaseId": "l1", "seconds": 600}',
    ),
    "release": ActionRule(
        _release, ("sessionId", "leaseId"), (), '{"action": "release", "leaseId": "l1"}'
    ),
    "list": ActionRule(_list, example='{"action": "list"}'),
}  # fmt: skip
"""Every action and the arguments that go with it."""


def _refuse_foreign_project(place: RepositoryId | None, project_id: str | None) -> None:
    """
    Under a token for some repositories a page's project is the repository whose app it is, and no other.
    """
    if place is None or project_id in {None, "", place}:
        return
    raise Refusal(
        RefusalCode.CAPABILITY_SCOPE_MISMATCH,
        f"The app at that address belongs to {place}, and not to project {cut(str(project_id), 80)}; nothing "
        "was opened.",
        f'Leave projectId out, or pass "{place}".',
    )


def _login(name: str | None, place: RepositoryId | None) -> str | None:
    """
    What is kept for one repository's agents is not another's; no name of an agent's has an ``@`` in it.
    """
    return name if name is None or place is None else f"{name}@{place}"


async def _make_room(context: CallContext) -> None:
    """
    Where all contexts are in use, end the oldest that nobody is there to use any more.
    """
    leases = context.browser.leases()
    if len(leases) < BROWSER_CONTEXTS:
        return
    gone = asker_of(context).gone
    left = next((each for each in leases if each.lease.holder in gone and not each.wish.shared), None)
    if left is not None:
        await context.browser.release(left.lease_id)


def _opened(context: CallContext, got: BrowserLease, page: Page | None) -> ToolAnswer:
    leases = context.browser.leases()
    # The gate has given it more time when the page was looked up.
    there = next((each for each in leases if each.lease_id == got.lease_id), got)
    hint = YOURS
    if page is None:
        hint = NOT_LOADED if got.trouble else NOT_THERE
    fields = {
        "action": "acquire",
        **lease_fields(context, there),
        **({} if page is None else {"url": cut(page.identity.url, URL_SHOWN_CHARS)}),
        "ready": page is not None,
        **told(trouble=got.trouble),
        "leased": len(leases),
        "queued": context.browser.waiting(),
        "hint": hint,
    }
    state = "" if page is not None else one_line(f"[not ready: {got.trouble or 'nothing was heard of it'}]")
    text = f"{_line(fields)} {state}".rstrip() + f"\n{hint}"
    return ToolAnswer(fields, text=text)


def _named(context: CallContext, arguments: LeaseArguments) -> BrowserLease:
    """
    The lease that a call names; without a name the only one that the agent has.
    """
    seen = [each for each in context.browser.leases() if _may_see(context, each)]
    name, page_id = arguments.leaseId, arguments.sessionId
    if not name and not page_id:
        mine = [each for each in seen if each.lease.holder == context.agent]
        if len(mine) == 1:
            return mine[0]
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"action {arguments.action} needs leaseId or sessionId: you have {len(mine)} browser leases.",
            'reticle_lease {"action": "list"} shows them.',
            {"leases": [lease_fields(context, each) for each in mine]},
        )
    found = [
        each
        for each in seen
        if (not name or each.lease_id == BrowserLeaseId(name))
        and (not page_id or PageId(page_id) in each.pages)
    ]
    if not found:
        raise no_lease(name or f"of page {page_id}")
    return found[0]


def _may_see(context: CallContext, lease: BrowserLease) -> bool:
    """
    Whether an agent may know of a lease: its own, and those of addresses that it could open itself.
    """
    if lease.lease.holder == context.agent or context.is_operator:
        return True
    try:
        context.place_to_open(lease.wish.url)
    except Refusal:
        return False
    return True


def _line(fields: Mapping[str, object]) -> str:
    seconds = int(str(fields["expiresInMs"])) // 1000
    notes = [name for name in ("shared", "headed", "gone") if fields.get(name)]
    noted = f" [{'; '.join(notes)}]" if notes else ""
    line = (
        f"{fields['leaseId']} page {fields['sessionId']} {fields['url']} by {fields['by']}, {seconds} s left"
    )
    return one_line(line) + noted


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_lease",
        title="Open a page in a driven browser",
        summary="Opens a page in the daemon's own browser, isolated and attested, with nothing installed in "
        "the app; renews, releases, lists.",
        arguments=LeaseArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, destructive=False, open_world=True),
        run=lease,
        advertised=False,
        advertised_with=Capability.CLAIM,
        mutates=True,
        example={"action": "acquire", "url": "http://localhost:3000/"},
    ),
)
