"""
A text that may have come up between two looks though no event has it, for ``never``: a moment counts there.

Events tell what comes into the document, each element its own text and at most so much of it. What was there
hidden all along, what was cut, and what only several of them make together is in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reticle.domain.channels import of_types
from reticle.domain.facts import quoted, spoken_text, text_of
from reticle.domain.predicate.kinds import Text
from reticle.domain.predicate.questions import reading_of
from reticle.domain.voices import SHOWING
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.window import Window

_CUT: Final = "…"
"""How a text ends that the page script cut."""


def unseen_glimpse(part: Text, window: Window) -> str | None:
    """
    Why the text may have been there for a moment; None when the events would tell.
    """
    if part.visible is not False and _is_hidden(part, window):
        return f"{quoted(part.contains)} is in the document, and whether it showed for a moment is not seen"
    cut = next(_cut_and_gone(window), None)
    if cut is not None:
        return f"a text that came up and went was cut, at cursor {cut.seq}: what else it said is not known"
    if _is_made_of_pieces(part, window):
        return f"several elements that came up together may have said {quoted(part.contains)}"
    return None


def _is_hidden(part: Text, window: Window) -> bool:
    for readings in (window.before, window.after):
        reading = reading_of(part, readings)
        answer = None if reading is None else reading.answer
        if answer is None or not answer.get("count"):
            continue
        met = None if part.visible else answer.get("perceivableCount")
        if answer.get("count") != (answer.get("visibleCount") if met is None else met):
            return True
    return False


def _cut_and_gone(window: Window) -> Iterator[PageEvent]:
    """
    Texts that came up, were not told whole, and can have changed or gone since: what stays is read later.
    """
    gone = of_types(window, EventType.DOM_REMOVED)
    changed = {event.ref: event.seq for event in of_types(window, EventType.DOM_TEXT)}
    last = gone[-1].seq if gone else 0
    for event in of_types(window, *SHOWING):
        fields = (text_of(event.data, key) or "" for key in ("text", "name", "message"))
        is_cut = any(field.endswith(_CUT) for field in fields)
        if is_cut and (event.seq < last or event.seq < changed.get(event.ref, 0)):
            yield event


def _is_made_of_pieces(part: Text, window: Window) -> bool:
    wanted = "".join(part.contains.split())
    pieces = [("".join(spoken_text(event).split()), event) for event in of_types(window, *SHOWING)]
    for at in range(1, len(wanted)):
        first = [event for text, event in pieces if text.endswith(wanted[:at])]
        if first and _any_beside(first, [event for text, event in pieces if text.startswith(wanted[at:])]):
            return True
    return False


def _any_beside(first: Sequence[PageEvent], then: Sequence[PageEvent]) -> bool:
    moments = {(event.t_ms, event.seq) for event in first}
    return any(event.t_ms == moment and event.seq != seq for event in then for moment, seq in moments)
