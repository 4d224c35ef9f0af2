"""
Which page a call means, and whether that page is well enough to be believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import PageId
from reticle.model.limits import FIRST_LOOK_SECONDS, STALE_SECONDS
from reticle.model.page import PageHealth
from reticle.ports import CallContext, Page
from reticle.tools.fields import told
from reticle.tools.page_choice import resolve_or_ask

THROTTLED_ADVICE = (
    "The tab is in the background: timers and frames are slowed. "
    "Bring it to the front, or use a driven browser."
)
SILENT_ADVICE = "The page has gone quiet: bring its tab to the front or reload it."
URL_SHOWN_CHARS = 200
"""Characters of an address in a message."""

SKEW = "The page runs another page script than this daemon serves, an old copy perhaps."
"""What ``versionSkew`` says: results of this page may lack what the daemon's own script has mended."""

SKEW_ADVICE = "Reload the page hard; a service worker may hold an old copy of the page script: unregister it."
DIALOG_ADVICE = "The page stands still until a person answers its dialog."
GONE_ADVICE = "The page is no longer connected: open it again, then call reticle_sessions."


async def present_page(context: CallContext, session_id: str | None, refs: Sequence[str] = ()) -> Page:
    """
    The page that a call means; one that is just starting or reloading gets a moment to connect, and of
    several the person may be asked for one.

    Args:
        context: The call's.
        session_id: The page's name, if the call gives one.
        refs: Refs that the call names; without a name of the page they must be of the one that is chosen.

    Raises:
        Refusal: ``no_session``, ``unknown_session``, ``multiple_sessions`` or ``scope_mismatch`` from the
            directory, each with its candidates; ``paused`` from the gate when the tool acts;
            ``ref_of_another_page``.
    """
    page_id = PageId(session_id) if session_id else None
    connected = [page.identity.page_id for page in context.pages.all()]
    if not connected or (page_id is not None and page_id not in connected):
        await context.pages.await_page(page_id, FIRST_LOOK_SECONDS)
    page = await resolve_or_ask(context, page_id)
    if page_id is None:
        for ref in refs:
            _refuse_if_foreign(context, page, ref)
    return page


def refuse_if_paused(context: CallContext, page: Page) -> None:
    """
    For an act that comes after a wait: the person at the page may have paused agents meanwhile.

    Raises:
        Refusal: ``paused`` from the gate.
    """
    context.pages.resolve(PageId(page.identity.page_id))


def _refuse_if_foreign(context: CallContext, page: Page, ref: str) -> None:
    """
    Refs are numbers of one tab; the same number names another element in another one.
    """
    chosen = page.identity.page_id
    showing = context.pages_showing(ref)
    urls = {each.identity.page_id: each.identity.url for each in context.pages.all()}
    others = [
        page_id for page_id in showing if page_id != chosen and (chosen not in showing or page_id in urls)
    ]
    if not others:
        return
    other = others[0]
    both = f"{other} ({urls.get(other, 'no longer connected')[:URL_SHOWN_CHARS]})"
    mine = f"{chosen} ({page.identity.url[:URL_SHOWN_CHARS]})"
    message = (
        f"{ref} is a ref of page {both} and of page {mine}: it is not clear which is meant. Nothing was done."
        if chosen in showing
        else f"{ref} was shown to you on page {both}, but the call would go to page {mine}. Nothing was done."
    )
    raise Refusal(
        RefusalCode.REF_OF_ANOTHER_PAGE,
        message,
        "Pass the sessionId of the page that you mean.",
        {"candidates": [{"sessionId": name, "url": urls.get(name)} for name in (other, chosen)]},
    )


def refuse_if_throttled(page: Page) -> None:
    """
    For ``refuseWhenThrottled``: an act in a background tab may do nothing.

    Raises:
        Refusal: ``throttled``; a retry makes sense once the tab is in front.
    """
    health = page.health()
    if health.throttled(STALE_SECONDS):
        raise Refusal(
            RefusalCode.THROTTLED,
            f"Page {page.identity.page_id} is throttled by the browser; nothing was done.",
            _advice(health),
            details={"session": health_fields(health)},
        )


def health_fields(health: PageHealth) -> dict[str, object]:
    """
    How a page is, in the fields that ``reticle_sessions`` and every other answer share.
    """
    throttled = health.throttled(STALE_SECONDS)
    fields: dict[str, object] = {
        "lastSeenMs": round(health.silent_seconds * 1000),
        "throttled": throttled,
        "focused": health.focused,
    }
    if throttled or not health.connected:
        fields["recommendation"] = _advice(health)
    return fields


def session_note(page: Page) -> dict[str, object]:
    """
    ``{"session": …}`` for an answer about a page that is not well, else nothing.

    A page with a page script that is not the daemon's is spoken of once per document (field reports SN-11).
    """
    health = page.health()
    skewed = page.take_skew()
    if health.connected and not health.throttled(STALE_SECONDS) and not skewed:
        return {}
    note = {**health_fields(health), **told(gone=not health.connected)}
    return {"session": {**note, **skew_fields(note)} if skewed else note}


def skew_fields(session: Mapping[str, object]) -> dict[str, object]:
    """
    ``versionSkew`` and its remedy, after what else is recommended for the page in ``session``.
    """
    advice = [str(session["recommendation"])] if "recommendation" in session else []
    return {"versionSkew": SKEW, "recommendation": " ".join([*advice, SKEW_ADVICE])}


def _advice(health: PageHealth) -> str:
    if not health.connected:
        return GONE_ADVICE
    if health.dialog:
        return DIALOG_ADVICE
    return THROTTLED_ADVICE if health.hidden else SILENT_ADVICE
