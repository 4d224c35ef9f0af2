"""
What servers told, in lines for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reticle.domain.facts import brief, text_of
from reticle.domain.served import Served, served, serving
from reticle.model.server_facts import ExceptionEnd, FactKind, Strength
from reticle.model.window import Window

TIES = {Strength.ID: "by id", Strength.INFERRED: "inferred", Strength.AMBIENT: "ambient"}
"""How each strength is said."""

_COUNTED = {
    FactKind.SQL: "sql",
    FactKind.LOG: "log",
    FactKind.WARNING: "warning",
    FactKind.MAIL: "mail",
    FactKind.TEMPLATE: "template",
    FactKind.HTTP_OUT: "http.out",
    FactKind.TASK: "task",
}


def served_lines(window: Window, *, least: Strength = Strength.INFERRED) -> Sequence[str]:
    """
    One line for each request that is tied at least so firmly.
    """
    return [_line(one) for one in served(window) if one.strength >= least]


def _line(one: Served) -> str:
    view = f" ({one.view})" if one.view else ""
    counts = Counter(_COUNTED[fact.kind] for fact in one.facts if fact.kind in _COUNTED)
    did = ", ".join(f"{count} {name}" for name, count in counts.items())
    thrown = [
        f"{text_of(fact.data, 'type')}: {brief(text_of(fact.data, 'message') or '', 80)}"
        for fact in one.of(FactKind.EXCEPTION)
        if fact.data.get("handled") == ExceptionEnd.UNHANDLED
    ]
    ended = "" if one.ended else ", not done"
    said = [f"{one}{view}, {TIES[one.strength]}{ended}", *([did] if did else []), *thrown]
    return "; ".join(said)


def server_notes(window: Window) -> Sequence[str]:
    """
    What limits a verdict that was judged beside a probe.
    """
    notes = [
        f"{probe} was restarted meanwhile: what it did before may be of other code"
        for probe in serving(window)
        if probe.restarted
    ]
    guessed = sum(one.strength is Strength.INFERRED for one in served(window))
    if guessed:
        notes.append(
            f"{guessed} requests of the server are tied only by time and address, and decide nothing"
        )
    return notes
