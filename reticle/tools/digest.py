"""
What happened in a window, as a few counts and lines: the ``summary`` of verdicts and of observe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from reticle.domain.requests import Request, requests
from reticle.domain.tooling import is_dev_tooling
from reticle.model.codes import EventType
from reticle.model.origins import origin_of
from reticle.model.page import PageEvent
from reticle.model.window import Window
from reticle.tools.fields import cut, text_of, told

SHOWN = 20
"""Entries of one list."""

SHOWN_OF_A_PASS = 2
"""Beside a verdict that passed."""

VALUE_CHARS = 140
"""One value in a list."""


def digest(window: Window, shown: int = SHOWN) -> dict[str, object]:
    """
    The window's story, without what did not happen; each list with ``shown`` entries at most.
    """
    calls = [one for one in requests(window) if not is_dev_tooling(one.url)]
    events = window.events
    errors = [event for event in events if event.type in {EventType.CONSOLE_ERROR, EventType.ERROR_UNCAUGHT}]
    return told(
        net=_network(calls, shown),
        consoleErrors=_first((text_of(event.data.get("message")) for event in errors), shown),
        route=_route(events),
        shown=_first((_spoken(event) for event in events if event.type == EventType.VISIBLE_SHOWN), shown),
        signals=_first(
            (text_of(event.data.get("name")) for event in events if event.type == EventType.SIGNAL), shown
        ),
        stateChanges=_first(
            (_state(event) for event in events if event.type == EventType.STATE_CHANGE), shown
        ),
        domChanges=sum(event.type.startswith("dom.") for event in events) or None,
    )


def brief_digest(window: Window, known: Collection[int] = (), notes: Iterable[str] = ()) -> dict[str, object]:
    """
    The same beside a verdict that passed: further requests, errors, route and signals, a few of each. What
    else the page did proved the claim, or is nobody's concern; ``reticle_observe`` has it.

    Args:
        window: The recorded window.
        known: The numbers of the events that are told as evidence.
        notes: What is said beside the verdict; a request that is named there is not told again.
    """
    whole = digest(window, SHOWN_OF_A_PASS)
    further = [
        one
        for one in requests(window)
        if not is_dev_tooling(one.url) and (one.ended is None or one.ended.seq not in known)
    ]
    said = "\n".join(notes)
    further = [one for one in further if str(one) not in said]
    net = _network(further, SHOWN_OF_A_PASS)
    lines = Counter(str(one) for one in sorted(further, key=_weight))
    if len(lines) <= SHOWN_OF_A_PASS:
        # all of them stand there to be counted
        net = told(headline=_first((_so_often(line, count) for line, count in lines.items()), len(lines)))
    return told(
        net=net,
        consoleErrors=whole.get("consoleErrors"),
        route=_route(window.events, near=True),
        signals=whole.get("signals"),
    )


def _network(calls: Sequence[Request], shown: int) -> dict[str, object]:
    if not calls:
        return {}
    return {
        "total": len(calls),
        **told(
            errors=sum(one.failed for one in calls) or None,
            open=sum(one.open for one in calls) or None,
            headline=_first((str(one) for one in sorted(calls, key=_weight)), shown),
        ),
    }


def _so_often(line: str, count: int) -> str:
    return line if count == 1 else f"{line} ({count} times)"


def _weight(one: Request) -> tuple[bool, bool, int]:
    """
    Failures first, then writes, then the rest as they came.
    """
    return (not one.failed, not one.mutating, one.seq)


def _route(events: Sequence[PageEvent], *, near: bool = False) -> str | None:
    """
    From where to where; with ``near`` without the origin, where that stayed.
    """
    moves = [event for event in events if event.type == EventType.ROUTE_CHANGE]
    if not moves:
        return None
    begin, end = text_of(moves[0].data.get("from")), text_of(moves[-1].data.get("to"))
    if near and origin_of(begin) == origin_of(end):
        begin, end = begin.removeprefix(origin_of(begin)), end.removeprefix(origin_of(end))
    return cut(f"{begin} -> {end}", VALUE_CHARS * 2)


def _spoken(event: PageEvent) -> str:
    said = [text_of(event.data.get(name)) for name in ("role", "name", "text")]
    return " ".join(dict.fromkeys(filter(None, said)))


def _state(event: PageEvent) -> str:
    names = [text_of(event.data.get(name)) for name in ("store", "name", "path")]
    place = ".".join(filter(None, names))
    return f"{place}: {_value(event.data.get('old'))} -> {_value(event.data.get('value'))}"


def _value(value: object) -> str:
    return cut(value if isinstance(value, str) else msgspec.json.encode(value).decode(), VALUE_CHARS // 2)


def _first(lines: Iterable[str], shown: int) -> list[str]:
    listed = [cut(" ".join(line.split()), VALUE_CHARS) for line in lines if line]
    more = len(listed) - shown
    return listed if more <= 0 else [*listed[:shown], f"{more} more"]
