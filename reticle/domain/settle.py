"""
Is the page settled at the end of a window: no request open, and quiet for a while.

Shared by the ``settled`` predicate and by the ladder, so that the two can never differ.
Not counted as busy, but named: development tooling, long-lived transports, and steady polls, because a
page that polls would never be settled and its user never notices (field report VD-08). What is known to be
the action's counts whatever its pace, and what is known to be another's never (``domain.attribution``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from reticle.domain.attribution import Initiator, initiator_of, initiator_of_request
from reticle.domain.channels import of_types
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import is_meant_to_last, is_stream
from reticle.domain.polls import call_name, steady_polls
from reticle.domain.requests import Request, requests
from reticle.domain.tooling import is_dev_tooling, is_long_lived, is_telemetry
from reticle.model.codes import EventType
from reticle.model.limits import QUIET_MS
from reticle.model.page import PageEvent
from reticle.model.window import Window

_STIRRING = frozenset(
    {
        EventType.DOM_ADDED,
        EventType.DOM_REMOVED,
        EventType.DOM_ATTR,
        EventType.ROUTE_CHANGE,
        EventType.NET_PENDING,
        EventType.NET_REQUEST,
    }
)
"""Events that end quiet. Changing text alone does not: clocks and counters tick for ever."""


@attrs.frozen
class Settle:
    """
    How settled a window's page is.

    ``open_requests`` are those that keep it busy, ``pollers`` the calls that repeat on their own,
    ``ignored`` the development tooling seen. ``unanswered`` are the app's own requests that were begun in
    the window and may still be answered, polls among them. ``ambient`` names what goes on by itself.
    ``quiet_for_ms`` is the time since the last stirring event, or since the window's start.
    ``retry_after_ms`` says when another look may find it settled; None when only an event can tell.
    """

    settled: bool
    open_requests: tuple[Request, ...]
    pollers: tuple[str, ...]
    ignored: tuple[str, ...]
    quiet_for_ms: int
    retry_after_ms: int | None = None
    unanswered: tuple[Request, ...] = ()
    ambient: tuple[str, ...] = ()

    def what_keeps_it_busy(self) -> str:
        """
        One clause for people: up to three open requests, else what repeats, else the lack of quiet.
        """
        if self.open_requests:
            return "still in flight: " + _few(f"{one.method} {one.url}" for one in self.open_requests)
        quiet = f"quiet for only {self.quiet_for_ms} ms"
        return f"{quiet}; repeating on their own: {_few(self.pollers)}" if self.pollers else quiet


def settle(window: Window, quiet_ms: int = QUIET_MS) -> Settle:
    """
    Decide from the window alone whether its page is settled at its end.

    Args:
        window: The recorded window.
        quiet_ms: How long nothing may have stirred, in milliseconds.
    """
    now = _activity(window)
    settled = not now.open_requests and now.quiet_for_ms >= quiet_ms
    wait_ms = None if settled or now.open_requests else quiet_ms - now.quiet_for_ms
    return attrs.evolve(now, settled=settled, retry_after_ms=wait_ms)


@once_per_window
def _activity(window: Window) -> Settle:
    """
    All that does not depend on how long the quiet has to be.
    """
    seen = requests(window)
    pollers = steady_polls(seen)
    waiting = [
        one
        for one in seen
        if one.open
        and not _is_meant_to_last(one, window)
        and initiator_of_request(one, window) is not Initiator.OTHER
    ]
    return Settle(
        settled=False,
        open_requests=tuple(
            one
            for one in waiting
            if call_name(one.method, one.url) not in pollers
            or initiator_of_request(one, window) is Initiator.ACTION
        ),
        pollers=pollers,
        ignored=tuple(sorted({one.url for one in seen if is_dev_tooling(one.url)})),
        quiet_for_ms=window.closed_t_ms - _last_stir(window, pollers),
        unanswered=tuple(one for one in waiting if not one.before),
        ambient=_going_on(pollers, seen, window),
    )


def _going_on(pollers: Sequence[str], seen: Iterable[Request], window: Window) -> tuple[str, ...]:
    """
    Calls, states and signals that go on by themselves, by name.
    """
    calls = [
        call_name(one.method, one.url)
        for one in seen
        if initiator_of_request(one, window) is Initiator.OTHER and not is_dev_tooling(one.url)
    ]
    changes = [
        f"{event.type.partition('.')[0]} {event.data.get('path') or event.data.get('name')}"
        for event in of_types(window, EventType.STATE_CHANGE, EventType.SIGNAL)
        if initiator_of(event, window) is Initiator.OTHER
    ]
    return tuple(dict.fromkeys([*pollers, *calls, *changes]))


def _is_meant_to_last(one: Request, window: Window) -> bool:
    """
    Whether nobody waits for the request: tooling, telemetry, a stream, a long poll.
    """
    if is_dev_tooling(one.url) or is_telemetry(one.url):
        return True
    return is_meant_to_last(one, window) or is_stream(one, window)


def _last_stir(window: Window, pollers: Sequence[str]) -> int:
    """
    When the page last stirred; events come in the order of their time.
    """
    for event in reversed(of_types(window, *_STIRRING)):
        doer = initiator_of(event, window)
        if doer is Initiator.ACTION or not (doer is Initiator.OTHER or _by_itself(event, pollers)):
            return max(event.t_ms, window.opened_t_ms)
    return window.opened_t_ms


def _by_itself(event: PageEvent, pollers: Sequence[str]) -> bool:
    """
    Whether a network event comes of tooling or of a steady poll.
    """
    if event.type not in (EventType.NET_PENDING, EventType.NET_REQUEST):
        return False
    url = event.data.get("url")
    if not isinstance(url, str):
        return False
    method = str(event.data.get("method") or "GET").upper()
    own = is_dev_tooling(url) or is_telemetry(url) or is_long_lived(url)
    return own or call_name(method, url) in pollers


def _few(names: Iterable[str], limit: int = 3) -> str:
    listed = list(names)
    more = f" and {len(listed) - limit} more" if len(listed) > limit else ""
    return ", ".join(listed[:limit]) + more
