"""
Which page a call means, as a pure rule (reticle-tools §7.6): the named one, or the only sensible one.

It refuses rather than guesses: acting on the wrong tab is worse than asking.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.framing import hosts
from reticle.model.ids import PageId
from reticle.model.limits import STALE_SECONDS
from reticle.model.page import EarlierLives, PageHealth, PageIdentity, RefusedDial, script_tag

CLEAR_LEAD_SECONDS = 1.0
"""How much more recently active a page must be than the next to be the one that is meant."""

OPEN_ONE = 'Or open it in reticle\'s own browser: reticle_lease {"action": "acquire", "url": "..."}.'
"""The way to a page that needs nothing in the app."""

SHOWN_CANDIDATES = 10
SHOWN_URL_CHARS = 200


@attrs.frozen
class Candidate:
    """
    A connected page as the rule sees it. ``active_at`` is monotonic seconds.
    """

    identity: PageIdentity
    health: PageHealth
    active_at: float

    @property
    def throttled(self) -> bool:
        """
        Whether the browser slows or stops it.
        """
        return self.health.throttled(STALE_SECONDS)


def choose(candidates: Sequence[Candidate], project_id: str | None = None) -> PageId:
    """
    The page that a call without a name means; ``candidates`` must not be empty.

    A frame is not meant while the page around it is connected too.

    Args:
        candidates: The connected pages.
        project_id: The only project that may be meant, if there is such.

    Raises:
        Refusal: ``scope_mismatch`` or ``multiple_sessions``; a retry makes sense with a ``sessionId``.
    """
    within = [each for each in candidates if project_id in {None, each.identity.project_id}]
    if not within:
        raise Refusal(
            RefusalCode.SCOPE_MISMATCH,
            f"No connected page belongs to project {project_id}; pages of other projects are connected.",
            f"Open the app of {project_id}, or pass sessionId to use another page.",
            _shown(candidates),
        )
    within = _without_inner_frames(within)
    projects = {each.identity.project_id for each in within}
    if len(projects) > 1:
        raise _ambiguous("Pages of several projects are connected", within)
    awake = [each for each in within if not each.throttled] or within
    first, *others = sorted(awake, key=lambda each: each.active_at, reverse=True)
    if others and not first.throttled and first.active_at - others[0].active_at < CLEAR_LEAD_SECONDS:
        raise _ambiguous("Several tabs are equally active", within)
    return first.identity.page_id


def unknown(page_id: PageId, candidates: Sequence[Candidate]) -> Refusal:
    """
    The refusal for a name that no page has.
    """
    if not candidates:
        return Refusal(
            RefusalCode.UNKNOWN_SESSION,
            f"No page is called {page_id!r}, and no page is connected.",
            "Open the app in a browser, then call reticle_sessions.",
        )
    return Refusal(
        RefusalCode.UNKNOWN_SESSION,
        f"No page is called {page_id!r}. Connected: {_names(candidates)}.",
        "Pass one of these as sessionId, or call reticle_sessions.",
        _shown(candidates),
    )


def nobody(
    *,
    seen_before: int,
    earlier: EarlierLives | None,
    refused: Sequence[RefusedDial],
    now: float,
    daemon_url: str,
) -> Refusal:
    """
    The refusal when no page is connected, with the likeliest reason.

    Args:
        seen_before: How many pages have connected in this life of the daemon.
        earlier: What is known of the lives before.
        refused: Who was turned away, newest first.
        now: Seconds since the epoch.
        daemon_url: Where a page reaches the daemon.
    """
    if refused:
        dial = refused[0]
        who = dial.origin or "a page without an origin"
        times = f"{dial.count} times, last " if dial.count > 1 else ""
        return Refusal(
            RefusalCode.NO_SESSION,
            f"No page is connected. {who} dialled and was refused ({times}{max(now - dial.at, 0.0):.0f} s "
            f"ago): {dial.reason}",
            dial.next_step,
            {"refused": [{"origin": each.origin, "reason": each.reason} for each in refused[:5]]},
        )
    if seen_before:
        return Refusal(
            RefusalCode.NO_SESSION,
            "No page is connected now; pages were connected before.",
            f"Open or reload the app in a browser, then ask again. {OPEN_ONE}",
        )
    if earlier is not None and earlier.pages:
        return Refusal(
            RefusalCode.NO_SESSION,
            f"No page is connected. {earlier.told}",
            "An open page comes back by itself within half a minute; else load it again.",
        )
    return Refusal(
        RefusalCode.NO_SESSION,
        "No page has connected since the daemon started.",
        f"Put {script_tag(daemon_url)} first in the head of the app's pages and load them; "
        f"a page that was opened before the daemon has to be loaded again. {OPEN_ONE}",
    )


def _without_inner_frames(candidates: Sequence[Candidate]) -> list[Candidate]:
    identities = [each.identity for each in candidates]
    return [each for each in candidates if not hosts(each.identity, identities)]


def _ambiguous(why: str, candidates: Sequence[Candidate]) -> Refusal:
    return Refusal(
        RefusalCode.MULTIPLE_SESSIONS,
        f"{why}: {_names(candidates)}.",
        "Pass the sessionId of the one you mean.",
        _shown(candidates),
    )


def _names(candidates: Sequence[Candidate]) -> str:
    names = [f"{each.identity.page_id} ({each.identity.url[:80]})" for each in candidates[:SHOWN_CANDIDATES]]
    more = len(candidates) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _shown(candidates: Sequence[Candidate]) -> dict[str, object]:
    return {
        "candidates": [
            {
                "sessionId": each.identity.page_id,
                "url": each.identity.url[:SHOWN_URL_CHARS],
                "title": each.identity.title,
                "projectId": each.identity.project_id,
                "throttled": each.throttled,
            }
            for each in candidates[:SHOWN_CANDIDATES]
        ]
    }
