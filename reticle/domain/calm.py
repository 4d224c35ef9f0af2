"""
Whether a page has nothing left to do about an action: what is known, beside what time alone would tell.

What time is waited for is an answer that fails late, a debounced save, a second click's request, a message
that is taken back. Each begins with something that our page script sees: a request, a timer, a frame, a
socket. So nothing is left to come when the script says that nothing at all is due, the app's clocks, loops
and sockets included, for as long as would have been watched, and that the page rests: after all that the app
did a frame was drawn, and then its event loop had nothing left to run. What a framework does about an answer
it has done by then. Of a page that does not say so, the last stir is to be ``CALM_MS`` ago (two frames), and
where frames are late one has to have been drawn since.

That holds as far as the script can see. What it cannot see begin it names (``Pending.unseen``): a claim that
something did not happen, or happened so many times, rests on nothing else and is held to it ``strictly``.
"""

from __future__ import annotations

from reticle.domain.attribution import Initiator, initiator_of
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import open_reads
from reticle.domain.scheduled import dialog_open, due_within, quiet_ahead_ms
from reticle.domain.served import awaited
from reticle.domain.settle import settle
from reticle.domain.throttling import throttled
from reticle.model.limits import CALM_MS, KNOWN_WORK_MS, QUIET_MS, READ_GAP_MS
from reticle.model.window import Window


def calm_in_ms(window: Window, *, strictly: bool) -> int | None:
    """
    In how many milliseconds from its end nothing is left to come of the window's action, if nothing stirs.

    0 is now. None: by what is known something may come, or it is not known.

    Args:
        window: The recorded window.
        strictly: Whether what the page script cannot see begin counts as something that may come.
    """
    if strictly and (window.pending is None or window.pending.unseen):
        return None
    return _calm_in_ms(window)


@once_per_window
def _calm_in_ms(window: Window) -> int | None:
    if not _is_seen_whole(window) or _goes_on(window):
        return None
    still_ms = min(_still_ms(window), settle(window).quiet_for_ms)
    ahead = quiet_ahead_ms(window)
    if ahead is None or ahead < QUIET_MS - still_ms:
        return None
    if window.pending is not None and window.pending.rested:
        return 0
    undrawn = window.pending is not None and window.pending.undrawn
    return max(CALM_MS - still_ms, READ_GAP_MS if undrawn else 0)


def _is_seen_whole(window: Window) -> bool:
    """
    Whether the action and all that came of it was seen, in a page that runs at its own pace.
    """
    acted = window.action is not None and window.action.effect is not None
    lost = window.connection_lost or window.losses or any(window.blind_spots.values())
    return acted and not lost and not window.new_document and throttled(window) is None


def _goes_on(window: Window) -> bool:
    """
    Whether anything is under way, in the page or on the server, or is due for as long as a full watch would
    wait for it.
    """
    now = settle(window)
    if now.open_requests or now.unanswered or any(one.open for one in open_reads(window)):
        return True
    return due_within(window, KNOWN_WORK_MS) is not None or dialog_open(window) or bool(awaited(window))


def _still_ms(window: Window) -> int:
    """
    How long ago the last event of any kind was, but for what is known to be another's doing; text too, which
    does not count as stirring elsewhere.
    """
    for event in reversed(window.events):
        if initiator_of(event, window) is not Initiator.OTHER:
            return window.closed_t_ms - event.t_ms
    return window.closed_t_ms - window.opened_t_ms
