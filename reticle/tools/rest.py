"""
When a claim that holds has been watched for long enough: what would contradict it often comes a moment later.

Two clocks run. The first is that of silence alone: requests ended, then ``QUIET_MS`` without anything, on a
page that never is quiet ``RESTLESS_MS``. The second begins again as long as the page says that work which
the action scheduled is due soon, for a debounced save comes out of silence; a page that keeps scheduling
is given ``RESTLESS_MS`` beyond what it had named first. How soon is counted from when the last of it was
due: a message that goes after three seconds is not waited for because half a second of them has passed.
"""

from __future__ import annotations

import enum

import attrs

from reticle.domain.own_traffic import open_reads
from reticle.domain.requests import Request
from reticle.domain.scheduled import due_within
from reticle.domain.settle import settle
from reticle.model.codes import EventType
from reticle.model.limits import KNOWN_WORK_MS, QUIET_MS, RESTLESS_MS
from reticle.model.window import Window
from reticle.ports import Clock


class Patience(enum.Enum):
    """How much longer to watch: on for certain, only for known work, or no longer."""

    ON = "on"
    FOR_KNOWN_WORK = "for known work"
    ENOUGH = "enough"


@attrs.define
class Rest:
    """
    The clocks of one wait.

    Args:
        clock: Time.
        acted: Whether an action is watched: what it brings about may come out of silence, so that quiet
            from before counts for nothing.
    """

    clock: Clock
    acted: bool
    _held_since: float | None = attrs.field(init=False, default=None)
    _free_since: float = attrs.field(init=False, default=0.0)
    _known_until: float = attrs.field(init=False, default=0.0)
    _give_up_at: float | None = attrs.field(init=False, default=None)

    def broken(self) -> None:
        """
        The claim does not hold, or a request is open: everything begins again.
        """
        self._held_since = self._give_up_at = None

    def judge(self, window: Window, left_seconds: float) -> Patience:
        """
        How much longer to watch a claim that holds over ``window``, with so much left of the budget.

        What may be a poll does not begin the watch again, but its answer is waited for: it may be none.
        """
        if _keeps_busy(window):
            self.broken()
            return Patience.ON
        patience = self._by_the_clocks(window, left_seconds)
        return Patience.ON if patience is Patience.ENOUGH and open_requests(window) else patience

    def _by_the_clocks(self, window: Window, left_seconds: float) -> Patience:
        now = self.clock.monotonic()
        if self._held_since is None:
            self._held_since = self._free_since = self._known_until = now
        quiet_ms = max(round((now - self._known_until) * 1000), 0)
        wait_ms = due_within(window, min(round(left_seconds * 1000), KNOWN_WORK_MS - quiet_ms))
        if wait_ms is None:
            return Patience.ENOUGH if self._is_calm(window, self._free_since, now) else Patience.ON
        if self._give_up_at is None:
            self._give_up_at = now + (wait_ms + RESTLESS_MS) / 1000
        if now >= self._give_up_at:
            return Patience.ENOUGH
        self._free_since, self._known_until = now, now + wait_ms / 1000
        calm = self._is_calm(window, self._held_since, now)
        return Patience.FOR_KNOWN_WORK if calm else Patience.ON

    def _is_calm(self, window: Window, since: float, now: float) -> bool:
        held_ms = round((now - since) * 1000)
        watched_enough = not self.acted or held_ms >= QUIET_MS
        return held_ms >= RESTLESS_MS or (watched_enough and settle(window).quiet_for_ms >= QUIET_MS)


def open_requests(window: Window) -> tuple[Request, ...]:
    """
    Requests whose answers are waited for: those that keep the page busy, and whatever read may matter.
    """
    return _keeps_busy(window) + tuple(one for one in open_reads(window) if one.open)


def _keeps_busy(window: Window) -> tuple[Request, ...]:
    return tuple(one for one in settle(window).open_requests if not one.before)


_EXPIRING = frozenset(
    {
        EventType.DOM_REMOVED,
        EventType.DOM_ATTR,
        EventType.ANIM_START,
        EventType.ANIM_END,
        EventType.FOCUS_CHANGE,
        EventType.SCROLL_POSITION,
        EventType.REVEAL_SHOWN,
        EventType.RENDER_COMMIT,
        EventType.PAGE_HEALTH,
        EventType.PERF,
    }
)
"""What a message leaves behind when it goes by itself."""


def went_by_itself(rested: Window, now: Window) -> bool:
    """
    Whether, since the page had come to rest with the claim holding, things only went away.

    A toast that its own timer takes out leaves so. Anything else that was told may be why the claim ended
    (an answer, an error, other words, another route), and then it was taken back.
    """
    if now.connection_lost or now.losses or now.document_id != rested.document_id:
        return False
    ticking = {event.ref for event in rested.events if event.type == EventType.DOM_TEXT}
    return all(
        event.type in _EXPIRING or (event.type == EventType.DOM_TEXT and event.ref in ticking)
        for event in now.events
        if event.seq > rested.until
    )
