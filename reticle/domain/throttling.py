"""
Did the browser slow the page: nobody can see it, or it has said nothing for longer than its heartbeat.

In a hidden tab frames and animations stop and timers come once a second (HTML §8.1.7.3); what did not
happen there may only not have happened yet.
"""

from __future__ import annotations

from reticle.domain.capture import is_scarce
from reticle.domain.channels import of_types
from reticle.domain.facts import flag_of
from reticle.domain.memo import once_per_window
from reticle.model.codes import EventType
from reticle.model.limits import STALE_SECONDS
from reticle.model.window import Window

_REPORTS = ("page", EventType.PAGE_HEALTH)


@once_per_window
def hidden(window: Window) -> bool:
    """
    Whether the page could not be seen at any time of the window.
    """
    told = [flag_of(event.data, "hidden") for event in of_types(window, EventType.PAGE_HEALTH)]
    return window.hidden or True in told


def silent(window: Window) -> bool:
    """
    Whether the page had missed its heartbeats when the window ended.
    """
    return window.silent_ms > STALE_SECONDS * 1_000


def throttled(window: Window) -> str | None:
    """
    What slowed the page, as one clause, or None.
    """
    if silent(window):
        return f"the page has said nothing for {window.silent_ms // 1_000} s"
    if hidden(window):
        return "the page is in a hidden tab, where browsers stop frames and slow timers"
    if any(loss.channel in _REPORTS and is_scarce(loss) for loss in window.losses):
        return "what the page said of itself was lost, and with it whether its tab was hidden"
    return None
