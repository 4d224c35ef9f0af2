"""
A stretch of recorded events, and what an empty answer about it is worth.

"Nothing happened" and "nobody could see whether something happened" are told apart in every answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import attrs

from reticle.domain.capture import blind, describe, lost
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import Cursor
from reticle.model.window import Window
from reticle.ports import Page
from reticle.tools.arguments import StretchArguments
from reticle.tools.fields import told


def stretch_of(page: Page, arguments: StretchArguments) -> Window:
    """
    The window that a call names: everything still held unless it says less.

    Raises:
        Refusal: ``bad_arguments`` when it ends before it begins, or begins after the newest event.
    """
    newest = page.cursor()
    since = checked_since(page, arguments.since or 0)
    until = Cursor(newest if arguments.until is None else min(arguments.until, newest))
    if since > until:
        raise _strange_cursor(f"since {since} is after until {until}.", newest)
    return page.window(since, None if until == newest else until)


def checked_since(page: Page, since: int) -> Cursor:
    """
    A cursor that this page can have given.

    Raises:
        Refusal: ``bad_arguments`` for one beyond the newest event: it is another page's, or of another
            life of the daemon, and everything after it would look as if nothing had happened.
    """
    newest = page.cursor()
    if since > newest:
        raise _strange_cursor(f"since {since} is after the newest event {newest}.", newest)
    return Cursor(since)


def claim_since(page: Page, since: int | None) -> Cursor:
    """
    The cursor that a claim is judged from: the last action or navigation unless the call names one.

    Raises:
        Refusal: as ``checked_since``.
    """
    return page.last_action_cursor() if since is None else checked_since(page, since)


def _strange_cursor(message: str, newest: Cursor) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        message,
        "Cursors come from since and until of earlier answers about the same page.",
        {"cursor": newest},
    )


def of_action(window: Window, action_id: str | None) -> Window:
    """
    The stretch with only the events that the page attributed to one action, where one is named.
    """
    if not action_id:
        return window
    return attrs.evolve(window, events=[event for event in window.events if event.action_id == action_id])


def span_fields(window: Window) -> dict[str, object]:
    """
    The cursors of an answer; ``until`` is the ``since`` of the next look.
    """
    return {"since": window.since, "until": window.until}


def loss_fields(window: Window, channels: Collection[str]) -> dict[str, object]:
    """
    What of these channels was lost in the stretch, in words; nothing when nothing was.
    """
    missing = lost(window, channels)
    return {"losses": describe(missing)} if missing else {}


def buffer_fields(page: Page) -> dict[str, object]:
    """
    ``{"buffer": …}`` once the page's buffer had to let events go; nothing before.
    """
    fill = page.buffer()
    if not fill.dropped:
        return {}
    note = "The oldest events are gone; look sooner, or from a later since."
    return {"buffer": {"held": fill.held, "dropped": fill.dropped, "note": note}}


def empty_fields(
    window: Window, channels: Collection[str], blind_spots: Collection[str], what: str, *, connected: bool
) -> dict[str, object]:
    """
    What an empty answer means: ``observed`` says whether it is evidence that there was nothing.
    """
    missing = lost(window, channels)
    hidden = blind(window, blind_spots)
    if missing:
        note = f"Events were lost here ({describe(missing)}): none listed does not mean there was none."
    elif hidden:
        note = f"Not all of it can be watched ({', '.join(hidden)}): there may have been some."
    elif not connected:
        note = f"No {what} up to the moment when the page was lost; what came after was not seen."
    else:
        note = f"No {what} between cursors {window.since} and {window.until}: the page was watched."
    return {"observed": not missing and not hidden and connected, "note": note}


def rest_fields(shown: Sequence[object], total: int, how: str) -> dict[str, object]:
    """
    That only the newest of ``total`` are shown, and how to see the rest.
    """
    older = total - len(shown)
    return told(
        total=total,
        truncated=older > 0,
        droppedOldest=older if older > 0 else None,
        note=f"{older} older ones are not shown: {how}." if older > 0 else None,
    )


def footer(fields: Mapping[str, object]) -> list[str]:
    """
    The closing lines of a listing's outline.
    """
    lines = [f"{name}: {fields[name]}" for name in ("losses", "note") if name in fields]
    session = fields.get("session")
    if isinstance(session, Mapping):
        lines.append(f"page: {session.get('recommendation')}")
    lines.append(f"since: {fields['since']} · until: {fields['until']}")
    return lines
