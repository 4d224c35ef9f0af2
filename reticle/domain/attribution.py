"""
Who set going what happened: the window's action, something else, or nobody who is known.

A page that can follow its own calls says of an event what it goes back to (``PageEvent.cause``): an action,
or the loading of the document. That it goes back to *this* action is known then. That it belongs to something
else is not, by that alone: a loop that was begun at load may save what the action has just changed. So an
event is another's only where the same initiator did the very same before the action already: the same read,
the same write with the same body, the same change. Everything else is judged by time, as what no page
follows is: messages of a stream, other tabs, workers.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from reticle.domain.facts import text_of
from reticle.domain.memo import once_per_window
from reticle.domain.polls import call_name
from reticle.domain.requests import MUTATING, Request
from reticle.model.codes import EventType
from reticle.model.ids import DocumentId
from reticle.model.page import LOADED, PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

NAMED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    EventType.DOM_ADDED: ("role", "name"),
    EventType.DOM_REMOVED: ("role", "name"),
    EventType.VISIBLE_SHOWN: ("role", "name"),
    EventType.STATE_CHANGE: ("store", "path"),
    EventType.SIGNAL: ("name",),
}
IN_PLACE: Final = frozenset({EventType.DOM_ATTR, EventType.DOM_TEXT})
"""By which fields, or by their element, two events are known to be about the same thing."""

_SAYING: Final[Mapping[str, tuple[str, ...]]] = {
    EventType.DOM_ADDED: ("role", "name", "text"),
    EventType.DOM_REMOVED: ("role", "name"),
    EventType.VISIBLE_SHOWN: ("role", "name", "text"),
    EventType.STATE_CHANGE: ("store", "path", "value"),
    EventType.SIGNAL: ("name", "data"),
    EventType.STORAGE_CHANGE: ("area", "key", "database", "store", "op", "new"),
    EventType.ERROR_UNCAUGHT: ("message",),
}
"""What has to be the same for two events to say the same."""

_MORE: Final = -1
"""Stands for evidence beyond what an outcome lists."""

Thing = tuple[object, ...]
_Doer = tuple[DocumentId | None, str]


class Initiator(enum.Enum):
    """
    Whose doing an event is; the values are the words of the record.
    """

    ACTION = "action"
    OTHER = "other"
    UNKNOWN = "time"


def thing_of(event: PageEvent) -> Thing | None:
    """
    What an event is about, so that two that are about the same are known; None for those of other kinds.
    """
    if event.type in IN_PLACE and event.ref is not None:
        return event.type, event.document_id, event.ref, event.data.get("attr")
    fields = NAMED_BY.get(event.type)
    return None if fields is None else (event.type, *(str(event.data.get(field)) for field in fields))


def initiator_of(event: PageEvent, window: Window) -> Initiator:
    """
    Whose doing an event of the window is.

    ``UNKNOWN`` is to be judged by time, and so is every event of a window without an action.
    """
    if event.cause is None:
        return Initiator.UNKNOWN
    if event.seq > window.since:
        return initiators(window).get(event.seq, Initiator.UNKNOWN)
    if window.action is None or event.cause in _actions(window):
        return Initiator.UNKNOWN  # what came before an action is none of its doing, whatever a page says
    return Initiator.OTHER if _said_by(event) in _done_before(window) else Initiator.UNKNOWN


@once_per_window
def initiators(window: Window) -> Mapping[int, Initiator]:
    """
    The numbers of the window's events of which it is known whose doing they are.
    """
    if window.action is None:
        return {}
    actions, done, found = _actions(window), _done_before(window), {}
    for event in window.events:
        cause = event.cause
        if cause is None:
            continue
        if cause in actions:
            found[event.seq] = Initiator.ACTION
        elif done and _said_by(event) in done:
            found[event.seq] = Initiator.OTHER
    return found


def initiator_of_request(one: Request, window: Window) -> Initiator:
    """
    Whose doing a request is: that of its answer, which alone tells what was written, else of its beginning.
    """
    event = one.ended or one.begun
    return Initiator.UNKNOWN if event is None else initiator_of(event, window)


@once_per_window
def tells_causes(window: Window) -> bool:
    """
    Whether anything in a window was followed to its cause: those of published packages, of older scripts and
    older recordings tell none.
    """
    known = (window.events, window.answers_before, window.changes_before, window.control)
    return any(
        event.cause is not None for events in (*known, window.open_requests_before) for event in events
    )


def attributed(outcome: Outcome, window: Window) -> Initiator | None:
    """
    How what proves a claim is tied to the action: ``ACTION`` where all events of its evidence were followed
    to it, ``OTHER`` where all are another's, else ``UNKNOWN``, by time. None where there is nothing to tie:
    no action, no events in the evidence, or a page that tells no causes.
    """
    if window.action is None or not tells_causes(window):
        return None
    numbers = set(_numbers(outcome))
    if not numbers:
        return None
    found = {initiator_of(event, window) for event in window.events if event.seq in numbers}
    if _MORE in numbers or not found:
        return Initiator.UNKNOWN
    return found.pop() if len(found) == 1 else Initiator.UNKNOWN


def initiators_named(outcome: Outcome, window: Window) -> tuple[str, ...]:
    """
    What set going the events of the evidence that are another's, in words.
    """
    numbers = set(_numbers(outcome))
    events = (event for event in window.events if event.seq in numbers)
    causes = [event.cause for event in events if initiator_of(event, window) is Initiator.OTHER]
    return tuple(dict.fromkeys(in_words(cause) for cause in causes if cause is not None))


def in_words(cause: str) -> str:
    """
    A cause as it is called in sentences.
    """
    return "what the page does by itself since it was loaded" if cause == LOADED else f"action {cause}"


@once_per_window
def _actions(window: Window) -> frozenset[str]:
    """
    The window's action, and those that began in it: the steps before it of a sequence.
    """
    own = {event.action_id for event in window.events if event.action_id is not None}
    return frozenset([*own, *([window.action.action_id] if window.action is not None else [])])


def _earlier(window: Window) -> Iterator[PageEvent]:
    yield from window.answers_before
    yield from window.changes_before
    yield from window.control


@once_per_window
def _done_before(window: Window) -> frozenset[tuple[_Doer, Thing]]:
    """
    Which initiator did what before the action.
    """
    return frozenset(said for event in _earlier(window) if event.cause and (said := _said_by(event)))


def _said_by(event: PageEvent) -> tuple[_Doer, Thing] | None:
    """
    What an event says and whose it is; None where either is not known. A read is the same by its call, as
    its answer is the server's; a write by what was written too, which only its answer tells.
    """
    if event.cause is None:
        return None
    said = _saying(event)
    return None if said is None else ((event.document_id, event.cause), said)


def _saying(event: PageEvent) -> Thing | None:
    if event.type in (EventType.NET_PENDING, EventType.NET_REQUEST):
        method = (text_of(event.data, "method") or "GET").upper()
        name = call_name(method, text_of(event.data, "url") or "")
        if method not in MUTATING:
            return "net", name, None
        return ("net", name, _plain(event, ["requestBody"])) if event.type == EventType.NET_REQUEST else None
    if event.type in IN_PLACE:
        return (
            None if event.ref is None else (event.type, event.ref, _plain(event, ["attr", "text", "value"]))
        )
    if event.type.startswith("console."):
        return event.type, _plain(event, ["message"])
    fields = _SAYING.get(event.type)
    return None if fields is None else (event.type, _plain(event, fields))


def _plain(event: PageEvent, fields: Sequence[str]) -> object:
    """
    Values as something to compare by; nearly all are texts and numbers.
    """
    values = tuple(event.data.get(field) for field in fields)
    try:
        hash(values)
    except TypeError:
        return json.dumps(values, sort_keys=True, default=repr)
    return values


def _numbers(outcome: Outcome) -> Iterable[int]:
    """
    The numbers of the events by which the parts hold that hold.
    """
    if outcome.held is not Held.YES:
        return
    for fact in outcome.evidence:
        seq = fact.get("seq")
        if isinstance(seq, int):
            yield seq
    if isinstance(outcome.observed, int) and outcome.evidence and outcome.observed > len(outcome.evidence):
        yield _MORE
    for child in outcome.children:
        yield from _numbers(child)
