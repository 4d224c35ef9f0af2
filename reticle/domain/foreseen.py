"""
When there is nothing left to wait for: a claim that holds need not be watched for ``QUIET_MS`` where it is
known that nothing comes.

What that time is for is an answer that fails late, a debounced save, a message that is taken back.
Each begins with something that our page script sees: a request, a timer, a frame, a socket.
So a wait may end when the last stir is ``CALM_MS`` ago (two frames: what a framework does about an answer,
it does by then) and the script says that nothing at all is due, the app's clocks, loops and sockets included,
for as long as would have been watched. Where frames are late, one has to have been drawn since.

Only for claims that something is there: that something is not there, happened so many times or never proves
more the longer it was watched. Not for an address, which most routers change before they have the page.
What the script cannot see begin is listed in decision 0005 (``docs/development/decisions``).
"""

from __future__ import annotations

from reticle.domain.own_traffic import open_reads
from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Console,
    Element,
    Net,
    Predicate,
    Signal,
    State,
    Text,
)
from reticle.domain.scheduled import due_within, quiet_ahead_ms, still_scheduled
from reticle.domain.settle import settle
from reticle.domain.throttling import throttled
from reticle.model.limits import CALM_MS, PENDING_WAIT_MS, QUIET_MS, READ_GAP_MS
from reticle.model.window import Window


def nothing_comes_in(predicate: Predicate, window: Window) -> int | None:
    """
    In how many milliseconds a claim that holds over ``window`` has been watched for long enough.

    0 is now. None: by what is known, something may come, or the claim needs its full time.
    """
    if not _claims_presence(predicate) or not _is_seen_whole(window):
        return None
    now = settle(window)
    if now.open_requests or now.unanswered or any(one.open for one in open_reads(window)):
        return None
    if due_within(window, PENDING_WAIT_MS) is not None or still_scheduled(window):
        return None
    still_ms = min(_still_ms(window), now.quiet_for_ms)
    ahead = quiet_ahead_ms(window)
    if ahead is None or ahead < QUIET_MS - still_ms:
        return None
    undrawn = window.pending is not None and window.pending.undrawn
    return max(CALM_MS - still_ms, READ_GAP_MS if undrawn else 0)


def _claims_presence(predicate: Predicate) -> bool:
    """
    Whether the whole claim is that something is there or came, by kinds of which that is known.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts):
            return all(_claims_presence(part) for part in parts)
        case State(equals={"$exists": False}):
            return False
        case Element(absent=False) | Text(absent=False) | Console(absent=False):
            return True
        case Net(count=None) | Signal(count=None) | State():
            return True
        case _:
            return False


def _is_seen_whole(window: Window) -> bool:
    """
    Whether the action and all that came of it was seen, in a page that runs at its own pace.
    """
    acted = window.action is not None and window.action.effect is not None
    lost = window.connection_lost or window.losses or any(window.blind_spots.values())
    return acted and not lost and not window.new_document and throttled(window) is None


def _still_ms(window: Window) -> int:
    """
    How long ago the last event of any kind was; text too, which does not count as stirring elsewhere.
    """
    last = window.events[-1].t_ms if window.events else window.opened_t_ms
    return window.closed_t_ms - last
