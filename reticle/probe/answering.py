"""
Which function answers a request, for an app that routes by itself: no framework tells it then.
"""

from __future__ import annotations

from typing import Any

from reticle.probe import context
from reticle.probe.harmless import harmless
from reticle.probe.known_views import known_view


@harmless(None)
def answered_by(view: Any, route: str | None = None) -> None:
    """
    The running request is answered by this function, which verdicts then name by its ``file:line``.

    Args:
        view: The function, before it is called.
        route: The pattern that led to it.

    Without a probe, and outside of a request, nothing happens; it never raises (issue 9).
    """
    running = context.current()
    if running is not None:
        place, name = known_view(view, "")
        running.view, running.view_name = place or running.view, name
        running.route = route or running.route
