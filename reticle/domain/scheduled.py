"""
What an app had scheduled when its window ended: known work that a verdict waits for, or else names.

Only from what the page told (``Window.pending``); a page that tells nothing has nothing known to wait for.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.channels import of_types
from reticle.model.codes import EventType
from reticle.model.limits import POLL_MS
from reticle.model.window import Pending, Window


def due_within(window: Window, limit_ms: int) -> int | None:
    """
    In how many milliseconds from the window's end the last of the known work within ``limit_ms`` is due.

    0 is work that may be done at any moment, such as a script under way. None: there is no such work.
    """
    pending = window.pending
    if pending is None:
        return None
    dues = [0] if pending.loads else []
    dues += [max(due, 0) for due in _times(pending, window) if due <= limit_ms]
    return max(dues, default=None)


def quiet_ahead_ms(window: Window) -> int | None:
    """
    For how many milliseconds from the window's end nothing at all is due in the page, what goes on by itself
    included. None: the page does not say.
    """
    pending = window.pending
    if pending is None or pending.quiet_ms is None:
        return None
    return max(pending.quiet_ms - _age(pending, window), 0)


def still_scheduled(window: Window) -> tuple[str, ...]:
    """
    One clause for each kind of work that the window did not see done, such as
    ``a timer due in 7 s was not waited for``.
    """
    clauses = []
    pending = window.pending
    if pending is not None:
        if _is_undone(pending, window):
            clauses.append(_timers(pending, window))
        if pending.loads and _is_fresh(pending, window):
            clauses.append("a script, frame, document or other work of the browser was still under way")
        later = None if pending.later_ms is None else pending.later_ms - _age(pending, window)
        if later is not None and later > 0:
            clauses.append(f"a timer due in {_seconds(later)} was not waited for")
    if dialog_open(window):
        clauses.append("a dialog was open, and the page stands still until somebody answers it")
    return tuple(clauses)


def undone(window: Window) -> Mapping[str, int]:
    """
    Counts and times of the known work that was not done at the window's end; empty when there is none.
    """
    pending = window.pending
    if pending is None:
        return {}
    told: dict[str, int] = {}
    if _is_undone(pending, window):
        soonest, latest = (max(due, 0) for due in _times(pending, window))
        told = {
            "timers": pending.timers,
            "animations": pending.animations,
            "soonestMs": soonest,
            "latestMs": latest,
        }
    if pending.loads and _is_fresh(pending, window):
        told["loads"] = pending.loads
    return {name: count for name, count in told.items() if count or name.endswith("Ms")}


def _times(pending: Pending, window: Window) -> list[int]:
    """
    When the first and the last timer or animation is due, counted from the window's end.
    """
    age = _age(pending, window)
    return [due - age for due in (pending.soonest_ms, pending.latest_ms) if due is not None]


def _age(pending: Pending, window: Window) -> int:
    return max(window.closed_t_ms - pending.t_ms, 0)


def _is_fresh(pending: Pending, window: Window) -> bool:
    return _age(pending, window) <= POLL_MS


def _is_undone(pending: Pending, window: Window) -> bool:
    """
    Whether a timer or animation was still to come; one that was due meanwhile has run, as far as is known.
    """
    times = _times(pending, window)
    return len(times) > 1 and (times[-1] > 0 or _is_fresh(pending, window))


def _timers(pending: Pending, window: Window) -> str:
    due = _seconds(max(_times(pending, window)[-1], 0))
    counts = ((pending.timers, "timer"), (pending.animations, "animation"))
    kinds = [
        f"{count} {kind}s" if count > 1 else f"a{'n' * (kind[0] == 'a')} {kind}"
        for count, kind in counts
        if count
    ]
    if len(kinds) == 1 and pending.timers + pending.animations == 1:
        return f"{kinds[0]} due in {due} was not waited for"
    return f"{' and '.join(kinds)}, the last due in {due}, were not waited for"


def _seconds(ms: int) -> str:
    return f"{max(ms / 1000, 0.1):.1f}".removesuffix(".0") + " s"


def dialog_open(window: Window) -> bool:
    """
    Whether one of the browser's own dialogs holds the page at the window's end.
    """
    states: dict[object, object] = {}
    for event in of_types(window, EventType.DIALOG):
        if event.document_id == window.document_id:
            states[event.data.get("id")] = event.data.get("state")
    return "open" in states.values()
