"""
The negative control of claims about what happens: would it have come without the action?

What of the claim came in a stretch right before the action, at least as long as the window, comes by itself,
as a poll or a ticker does. An action after which it comes again has proved nothing, unless one that came in
the window is another one: by its method, address or body, by what it says, or because a call that comes at an
even beat came off it.

What follows an earlier action or a new document without a pause belongs to that, and is no control: a list
that is loaded and then asked for again by a button is not vacuous.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from reticle.domain.attribution import Initiator, initiator_of, initiator_of_request
from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import polls_of
from reticle.domain.polls import begun_at, call_name
from reticle.domain.predicate.evaluate import evaluate
from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Console,
    InOrder,
    Leaf,
    Net,
    Predicate,
    Signal,
    Storage,
    Stream,
    Within,
    leaves,
)
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request, answer_of, ended_requests
from reticle.model.codes import EventType
from reticle.model.ids import DocumentId
from reticle.model.limits import AFTERMATH_MS, CONTROL_MS, PENDING_WAIT_MS
from reticle.model.page import PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_BEATS = 3
_OFF_BEAT = 4
"""A call is off its beat by more than the pause divided by this."""

_Signature: TypeAlias = tuple[str, str]
_TOLD_BEFORE = frozenset({EventType.NET_REQUEST, EventType.SIGNAL})
"""What a window tells of the time before it in any case."""

_MORE = ("console.", EventType.ERROR_UNCAUGHT, EventType.STORAGE_CHANGE, EventType.NET_STREAM)
"""How the other types begin that a claim may be about."""


def controlled(leaf: Predicate) -> bool:
    """
    Whether a leaf claims that something happens which may come by itself.
    """
    match leaf:
        case Net(count=None) | Signal(count=None) | Storage(count=None) | Stream(count=None):
            return True
        case Console(absent=False):
            return True
        case _:
            return False


def needs_past(predicate: Predicate) -> bool:
    """
    Whether the claim is about events of which a window tells nothing from before it: ``Window.control``.
    """
    return any(controlled(leaf) and not isinstance(leaf, Net | Signal) for leaf in leaves(predicate))


def further_control(events: Iterable[PageEvent]) -> tuple[PageEvent, ...]:
    """
    What such a window has to keep of the events before it, beside what it tells anyway.
    """
    return tuple(event for event in events if event.type.startswith(_MORE))


def comes_by_itself(leaf: Leaf, window: Window) -> bool:
    """
    Whether what a leaf claims, and what came, comes without the action just as well.
    """
    if window.action is None or not controlled(leaf):
        return False
    if isinstance(leaf, Net):
        return _requests_come(leaf, window)
    before = tuple(event for event in _ambient(window) if event.type != EventType.NET_REQUEST)
    if not before:
        return False
    control = attrs.evolve(
        window, events=before, before=(), after=(), losses=(), open_requests_before=(), action=None
    )
    then, now = evaluate(leaf, control), evaluate(leaf, window)
    if then.held is not Held.YES:
        return False
    said = [_said(fact) for fact in then.evidence]
    doers = {event.seq: initiator_of(event, window) for event in window.events}
    came = [(fact, doers.get(fact.get("seq"), Initiator.UNKNOWN)) for fact in now.evidence]  # type: ignore[call-overload]  # a number, where there is one
    if any(doer is Initiator.ACTION for _, doer in came):
        return False
    # of what varies by itself a further one is no other one
    return len(said) > 1 or all(_said(fact) in said for fact, doer in came if doer is not Initiator.OTHER)


def ambient_leaf(predicate: Predicate, outcome: Outcome, window: Window) -> bool:
    """
    Whether a part that holds is one that comes by itself.
    """
    if outcome.held is not Held.YES:
        return False
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            pairs = zip(parts, outcome.children, strict=True)
            return any(ambient_leaf(part, child, window) for part, child in pairs)
        case Within():
            return False
        case _:
            return controlled(predicate) and comes_by_itself(predicate, window)  # type: ignore[arg-type]  # a leaf


def control_stretch_ms(window: Window) -> int:
    """
    How long before the action is looked at, in milliseconds.
    """
    return max(window.closed_t_ms - window.opened_t_ms, CONTROL_MS)


def _requests_come(leaf: Net, window: Window) -> bool:
    came = [one for one in ended_requests(window) if fits_request(leaf, one)]
    before = [
        one for one in map(_request, _ambient(window, EventType.NET_REQUEST)) if fits_request(leaf, one)
    ]
    known = {_signature(one) for one in before}
    doers = [initiator_of_request(one, window) for one in came]
    if came and all(doer is Initiator.OTHER for doer in doers):
        return True  # more of them than evidence lists, so that only all of them tell
    if not came or not known or Initiator.ACTION in doers:
        return False
    by_time = [one for one, doer in zip(came, doers, strict=True) if doer is Initiator.UNKNOWN]
    if any(_signature(one) not in known for one in by_time):
        return False
    return not any(_is_off_beat(one, window) for one in by_time)


def _is_off_beat(one: Request, window: Window) -> bool:
    """
    Whether a call that came at an even beat until now came beside it this time.
    """
    name = call_name(one.method, one.url)
    begun = sorted(begun_at(event) for event in window.answers_before if _name_of(event) == name)[
        -_BEATS - 1 :
    ]
    pauses = [later - earlier for earlier, later in itertools.pairwise(begun)]
    if len(begun) < _BEATS or max(pauses) > 1.5 * min(pauses) or min(pauses) <= 0:
        return False
    pause = sum(pauses) / len(pauses)
    late = (one.t_ms - begun[-1]) % pause
    return min(late, pause - late) > pause / _OFF_BEAT


@attrs.define
class _Aftermath:
    """
    What belongs to the last cause: an action, a new document, or the oldest thing that is remembered.
    """

    began: int
    last: int

    def takes(self, at: int) -> bool:
        """
        Whether something that begins at a moment follows without a pause; then it belongs to it.
        """
        follows = at - self.last < AFTERMATH_MS and at - self.began < PENDING_WAIT_MS
        if follows:
            self.last = max(self.last, at)
        else:
            self.last = self.began = _LONG_AGO
        return follows


@once_per_window
def _by_itself(window: Window) -> tuple[PageEvent, ...]:
    """
    The events before the window that belong to nothing, and the regular polls among all of them.
    """
    polls = polls_of(window)
    acted = [at for at in window.acted_at if at < window.opened_t_ms]
    found: list[PageEvent] = []
    document: DocumentId | None = None
    cause = _Aftermath(_LONG_AGO, _LONG_AGO)
    for event in _remembered(window):
        at = begun_at(event)
        while acted and acted[0] <= event.t_ms:
            begun = acted.pop(0)
            cause = _Aftermath(begun, begun)
        if event.document_id != document or not (found or cause.began > _LONG_AGO):
            document, cause = event.document_id, _Aftermath(at, at)
        is_poll = event.type == EventType.NET_REQUEST and _name_of(event) in polls
        if is_poll or (event.type not in _CHURN and not cause.takes(at)):
            found.append(event)
    return tuple(found)


_LONG_AGO = -1_000_000_000
"""A moment that nothing follows without a pause."""

_CHURN = frozenset({EventType.DOM_TEXT, EventType.DOM_ATTR})
"""What clocks and counters change for ever, so that it ends no pause."""


def _remembered(window: Window) -> Sequence[PageEvent]:
    extra = [event for event in window.control if event.type not in _TOLD_BEFORE]
    known = [*window.answers_before, *window.changes_before, *extra]
    return sorted(known, key=lambda event: (event.t_ms, event.seq))


def _ambient(window: Window, kind: EventType | None = None) -> Iterator[PageEvent]:
    begin = window.opened_t_ms - control_stretch_ms(window)
    for event in _by_itself(window):
        if begin <= event.t_ms <= window.opened_t_ms and (kind is None or event.type == kind):
            yield event


def _request(event: PageEvent) -> Request:
    status, ok = answer_of(event)
    method = (text_of(event.data, "method") or "GET").upper()
    initiator = text_of(event.data, "initiator") or "fetch"
    url = text_of(event.data, "url") or ""
    return Request(
        method, url, initiator, event.seq, event.t_ms, event.document_id, ended=event, status=status, ok=ok
    )


def _signature(one: Request) -> _Signature:
    return call_name(one.method, one.url), json.dumps(
        one.answer.get("requestBody"), sort_keys=True, default=repr
    )


def _name_of(event: PageEvent) -> str:
    return call_name((text_of(event.data, "method") or "GET").upper(), text_of(event.data, "url") or "")


def _said(fact: Mapping[str, object]) -> str:
    return json.dumps(
        {name: value for name, value in fact.items() if name != "seq"}, sort_keys=True, default=repr
    )
