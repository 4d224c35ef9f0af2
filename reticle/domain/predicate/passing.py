"""
Texts that came up and went by themselves: a toast is gone before anybody looks again.

Only the claim of an action, ``text`` that came up in its window, is met by one. It was *not* a message that
expired but a claim that was taken back where anything failed after it came up, or, outside of a place for
messages, where an answer came between: a row that the next list from the server no longer holds was lost.
"""

from __future__ import annotations

import unicodedata

import attrs

from reticle.domain.capture import describe, lost
from reticle.domain.channels import of_types
from reticle.domain.facts import brief, quoted, spoken_text
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate.kinds import Text
from reticle.domain.predicate.questions import reading_of
from reticle.domain.predicate.true_order import told_late_by
from reticle.domain.predicate.whole_claims import met_doubtfully
from reticle.domain.predicate.whole_numbers import met_as_part
from reticle.domain.settle import settle
from reticle.domain.voices import LIVE, SHOWING, comes_as_message, tells_of_field, voices
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_TELLING = frozenset({"dom", "visible", "net", "error", "signal", "state"})
"""Channels in which a retraction would show."""

_BESIDE_MS = 50
"""How much later than its effect an answer may be heard of: the page script reads its body first."""

_LEAVING = (EventType.DOM_REMOVED, EventType.DOM_TEXT, EventType.DOM_ATTR)


def came_and_went(leaf: Text, window: Window) -> Outcome | None:
    """
    The outcome of a text that is not there now but came up in the window; None where it did not come up.

    YES: it went by itself. UNKNOWN: what would show that it was taken back was lost or is still to come.
    NO: it was taken back.
    """
    if window.action is None or leaf.absent or leaf.scope is not None or leaf.visible is False:
        return None
    named = f"text {quoted(leaf.contains)}" + (" alone" if leaf.exact else "")
    up = None if _is_hidden_message(leaf, window) else _appearance(leaf, window)
    if up is None:
        return _may_have_stood_alone(leaf, window, named)
    evidence = ({"text": brief(spoken_text(up)), "seq": up.seq, "gone": True},)
    why = _taken_back(up, leaf, window)
    if why is not None:
        return Outcome(
            Held.NO, "text.present", evidence, f"{named} came up and was taken back: {why}", 0, named
        )
    doubt = _doubt(window)
    if doubt is not None:
        failure = f"{named} came up and went; whether it was taken back cannot be told: {doubt}"
        return Outcome(Held.UNKNOWN, "text.present", evidence, failure, 0, named)
    return Outcome(Held.YES, "text.present", evidence, None, 0, named)


def _appearance(leaf: Text, window: Window) -> PageEvent | None:
    """
    The event by which the text came up before those who are claimed to meet it.
    """
    wanted = _folded(leaf.contains)
    for event in of_types(window, *SHOWING):
        said = _folded(spoken_text(event))
        holds = wanted == said if leaf.exact else _has_in_it(said, wanted)
        if event.document_id == window.document_id and holds and is_met(leaf, event):
            return event
    return None


def _has_in_it(said: str, wanted: str) -> bool:
    return wanted in said and met_as_part(wanted, [said]) is None and met_doubtfully(wanted, [said]) is None


def _may_have_stood_alone(leaf: Text, window: Window, named: str) -> Outcome | None:
    """
    UNKNOWN where a text that has to be all that an element says was in one of several that came up together.
    """
    reading = reading_of(leaf, window.after)
    stands = reading is not None and reading.answer is not None and reading.answer.get("holding")
    part = _appearance(attrs.evolve(leaf, exact=False), window) if leaf.exact and not stands else None
    if part is None or part.type != EventType.DOM_ADDED:
        return None
    why = f"{quoted(spoken_text(part), 80)} came up and went; whether {named} was an element's is not told"
    return Outcome(Held.UNKNOWN, "text.present", ({"seq": part.seq},), why, 0, named)


def is_met(leaf: Text, event: PageEvent) -> bool:
    """
    Whether the text of an event was met as the leaf claims: seen, or with ``visible`` omitted read out.
    """
    sight = "spoken" if tells_of_field(event) else event.data.get("sight")
    return sight != "none" and (sight != "spoken" or leaf.visible is None)


def _is_hidden_message(leaf: Text, window: Window) -> bool:
    """
    Whether the text was told of as a message and nobody met that: what it was put in with may be seen.
    """
    wanted = _folded(leaf.contains)
    told = [
        event
        for event in of_types(window, EventType.VISIBLE_SHOWN)
        if not tells_of_field(event) and wanted in _folded(spoken_text(event))
    ]
    return bool(told) and all(event.data.get("sight") == "none" for event in told)


def _taken_back(up: PageEvent, leaf: Text, window: Window) -> str | None:
    gone = _departures(up, window)
    for one in own_requests(window):
        if one.failed and not (one.ended is not None and _came_before(one.ended, up, gone)):
            return str(one)
    for error in of_types(window, EventType.ERROR_UNCAUGHT):
        if error.seq > up.seq:
            return f"uncaught error: {brief(spoken_text(error))}"
    wanted = _folded(leaf.contains)
    for voice in voices(window):
        if voice.seq > up.seq and voice.owns_up is not Held.NO and wanted not in _folded(voice.text):
            return f"the page then said {quoted(voice.text)}" if voice.text else "a field was marked invalid"
    return None if _is_message(up, wanted, window) else _answered_between(up, window)


def _is_message(up: PageEvent, wanted: str, window: Window) -> bool:
    """
    Whether it came up in a place for messages.
    """
    if up.data.get("role") in LIVE:
        return True
    shown = [event for event in of_types(window, EventType.VISIBLE_SHOWN) if comes_as_message(event)]
    return any(wanted in _folded(spoken_text(event)) for event in shown)


def _answered_between(up: PageEvent, window: Window) -> str | None:
    """
    What may have made an ordinary element go, other than time: an answer is heard of beside its effect.

    An answer that is heard of right behind the text, and well before that went, is what the text tells of.
    """
    gone = _departures(up, window)
    if not gone:
        return "its element was not seen to go by itself"
    between = [
        one
        for one in own_requests(window)
        if one.ended is not None
        and up.seq < one.ended.seq
        and one.seq < gone[-1].seq
        and not (one.seq < up.seq and _is_told_of(one.ended, up, gone[-1]))
    ]
    return f"{between[-1]} came between" if between else None


def _departures(up: PageEvent, window: Window) -> list[PageEvent]:
    return [event for event in of_types(window, *_LEAVING) if _leaves(up, event)]


def _came_before(answer: PageEvent, up: PageEvent, gone: list[PageEvent]) -> bool:
    """
    Whether an answer came before the text did and so cannot have taken it back: it is what the text is about.
    """
    if answer.seq - told_late_by(answer) < up.seq:
        return True
    return bool(gone) and _is_told_of(answer, up, gone[-1])


def _is_told_of(answer: PageEvent, up: PageEvent, gone: PageEvent) -> bool:
    return answer.t_ms - up.t_ms <= _BESIDE_MS < gone.t_ms - answer.t_ms


def _leaves(up: PageEvent, event: PageEvent) -> bool:
    """
    Whether the element of ``up`` was taken out, emptied or hidden by this event.
    """
    if event.seq <= up.seq or event.document_id != up.document_id:
        return False
    if event.type != EventType.DOM_REMOVED:
        return up.ref is not None and event.ref == up.ref
    return all(up.data.get(field) == event.data.get(field) for field in ("role", "name"))


def _doubt(window: Window) -> str | None:
    gone = lost(window, _TELLING)
    if gone:
        return describe(gone)
    waiting = settle(window).unanswered
    return f"{waiting[0].method} {waiting[0].url} is still in flight" if waiting else None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
