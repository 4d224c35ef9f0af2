"""
Whether a window lets us say "it did not happen": nothing lost, nothing hidden, watched for long enough.

Presence needs one sighting; absence needs a whole watch (field report VD-03).
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from reticle.domain.calm import calm_in_ms
from reticle.domain.capture import NET_BLIND_SPOTS, blind, describe, lost
from reticle.domain.channels import of_channels, of_types
from reticle.model.ids import Cursor
from reticle.model.limits import COUNT_HOLD_MS
from reticle.model.page import PageEvent
from reticle.model.window import Window


@attrs.frozen
class Gap:
    """
    Why an absence cannot be vouched for. ``retry_after_ms`` is set when mere time will mend it.
    """

    why: str
    retry_after_ms: int | None = None


def unseen(window: Window, channel: str) -> Gap | None:
    """
    What may have hidden events of ``channel``, or None when it was watched without loss.
    """
    channels = {channel, "error"} if channel == "console" else {channel}
    dropped = lost(window, channels)
    if dropped:
        return Gap(f"not all of it was seen: {describe(dropped)}")
    spots = blind(window, NET_BLIND_SPOTS) if channel == "net" else {}
    if spots:
        return Gap("requests can leave unseen here: " + ", ".join(spots))
    return None


def held_too_briefly(window: Window, last_t_ms: int | None) -> Gap | None:
    """
    Whether a count, or an absence, is too fresh: a late duplicate may follow. It may not where nothing is
    left to come.

    Args:
        window: The recorded window.
        last_t_ms: When the last counted event came; None for an absence, held since the start.
    """
    since = window.opened_t_ms if last_t_ms is None else last_t_ms
    held = window.closed_t_ms - since
    if held >= COUNT_HOLD_MS or calm_in_ms(window, strictly=True) == 0:
        return None
    return Gap(f"watched for only {held} ms of {COUNT_HOLD_MS}", COUNT_HOLD_MS - held)


def watch_fact(window: Window, last_t_ms: int | None, what: str) -> Mapping[str, object]:
    """
    How long a count, or an absence, was seen to hold, as a piece of evidence.

    Args:
        window: The recorded window.
        last_t_ms: When the last counted event came; None for an absence, held since the start.
        what: What held so long.
    """
    since = window.opened_t_ms if last_t_ms is None else last_t_ms
    return {"held": what, "watchedMs": max(window.closed_t_ms - since, 0)}


def events_after(window: Window, since: int | None, prefix: str) -> tuple[PageEvent, ...]:
    """
    The window's events of a type or family, after a leaf's own cursor where it has one.

    Events of ended documents are included: they happened (``domain.requests``).
    """
    start = Cursor(max(window.since, since or 0))
    events = of_types(window, prefix) if "." in prefix else of_channels(window, {prefix})
    return events if start <= window.since else tuple(event for event in events if event.seq > start)
