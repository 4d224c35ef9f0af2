"""
Where to look in the app's code: at most ``PLACES_NAMED`` places beside a verdict that is no ``yes``, each
with why it is named.

Where the app threw comes first, then what was found when the verdict was made (``Window.places``), then, of
what is known to be wrong, the element that was used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from reticle.domain.channels import of_types
from reticle.domain.findings import exception_swallowed, server_exception, uncaught_error
from reticle.domain.findings.uncaught_error import entered_at, source_of
from reticle.domain.server_places import (
    is_asked_too_often,
    is_made_by_server,
    likely_views,
    made_places,
    server_places,
    thrown_places,
    unanswered_views,
)
from reticle.domain.weighing import observed
from reticle.model.codes import EventType, Verified, VerifiedReason
from reticle.model.run_limits import PLACES_NAMED
from reticle.model.runs import AS_SERVED, Place, Why
from reticle.model.verdict import Finding, Outcome
from reticle.model.window import Window

NOBODYS_FAULT: Final = frozenset(
    {
        VerifiedReason.PROVED,
        VerifiedReason.OBSERVATION_LOST,
        VerifiedReason.NOTHING_DECLARED,
        VerifiedReason.VACUOUS_GRADE,
    }
)
"""Beside these no place is named: nothing is wrong, the page is gone, or the claim was too weak."""

_THROWN: Final = frozenset({exception_swallowed.KIND, server_exception.KIND, uncaught_error.KIND})
"""Findings whose line threw; that of another is where it was seen, such as a write that nobody committed."""

_BY_RUNS: Final = frozenset({Why.RAN, Why.NAMES})
"""Why a place is named where it is known what ran: that says more than the control."""

_KNOWN: Final = frozenset({Why.THREW, Why.LED, Why.FOUND})
"""Where something is known to have gone wrong on the very line."""

_BESIDE: Final = 2
"""Lines by which places may differ that are read together, such as an element and the handler in it."""

_PLACE: Final = re.compile(r"(.+?):(\d+)(?::\d+)?(?: |$)")


def places_of(
    verified: Verified,
    reason: VerifiedReason,
    findings: Sequence[Finding],
    window: Window,
    outcome: Outcome | None = None,
) -> Sequence[Place]:
    """
    The places to name; none beside what is ``NOBODYS_FAULT``. ``outcome`` is the claim's.
    """
    if reason in NOBODYS_FAULT:
        return ()
    named: list[Place] = []
    for place in _all(verified, findings, window, outcome):
        if not any(_is_beside(place, one) for one in named):
            named.append(place)
    named.sort(key=_is_unread)
    return tuple(named[:PLACES_NAMED])


def _all(
    verified: Verified, findings: Sequence[Finding], window: Window, outcome: Outcome | None
) -> Iterator[Place]:
    for finding in observed(findings):
        if finding.source:
            yield Place(finding.source, Why.THREW if finding.kind in _THROWN else Why.FOUND)
    if any(place.why is Why.RAN_FOR for place in window.places):  # in their order already
        yield from (*thrown_places(findings, window), *unanswered_views(window), *window.places[:1])
        yield from (*_led(findings, window), *window.places[1:], *_control(verified, window))
    else:
        yield from _without_runs(verified, findings, window, outcome)


def _led(findings: Sequence[Finding], window: Window) -> Iterator[Place]:
    """
    What the app did first of what led to an uncaught error: it may have handed on what another falls over.
    """
    threw = {one.source for one in findings if one.kind == uncaught_error.KIND and one.source}
    for event in of_types(window, EventType.ERROR_UNCAUGHT):
        entered = entered_at(event)
        if entered is not None and source_of(event) in threw:
            yield Place(entered, Why.LED)


def _without_runs(
    verified: Verified, findings: Sequence[Finding], window: Window, outcome: Outcome | None
) -> Iterator[Place]:
    """
    Where no probe told what ran in a server.
    """
    yield from server_places(findings, window, outcome)
    yield from unanswered_views(window)
    if is_made_by_server(window, outcome):
        yield from _made(verified, window, outcome)
    if not any(place.why in _BY_RUNS for place in window.places):
        yield from _control(verified, window)
    yield from (*window.places[:1], *_led(findings, window))
    if window.places:
        yield from likely_views(window)
    yield from window.places[1:]
    yield from _control(verified, window)
    if verified is not Verified.NO:
        return
    if not window.places:
        yield from likely_views(window)
    for event in of_types(window, EventType.CONSOLE_ERROR):
        source = source_of(event)
        if source:
            yield Place(source, Why.THREW)


def _made(verified: Verified, window: Window, outcome: Outcome | None) -> Iterator[Place]:
    """
    The places of a page that the server made; who sent what was asked too often comes before them.
    """
    yield from (place for place in window.places if place.why is Why.HIDES)
    if is_asked_too_often(outcome):
        yield from (place for place in window.places if place.why is Why.SENT)
        yield from _control(verified, window)
    yield from made_places(window, [place for place in window.places if place.why is Why.WRITTEN])
    yield from _control(verified, window)


def _control(verified: Verified, window: Window) -> Iterator[Place]:
    """
    Where the element is written that was used, of what is known to be wrong.
    """
    if verified is Verified.NO and window.action is not None and window.action.source:
        yield Place(window.action.source, Why.WRITTEN)


def _is_unread(place: Place) -> bool:
    """
    Whether it is an element whose file nobody knows: a place in a file that people wrote says more.
    """
    return place.why is Why.WRITTEN and place.where.endswith(AS_SERVED)


def _is_beside(place: Place, named: Place) -> bool:
    """
    Whether who reads a place that is named already reads this one too: it is on its line, or within
    ``_BESIDE`` of it where one is an element and the other nothing that is known to have gone wrong.
    """
    file, line = _line(place.where)
    other, at = _line(named.where)
    reasons = {place.why, named.why}
    near = _BESIDE if Why.WRITTEN in reasons and not _KNOWN & reasons else 0
    return file == other and abs(line - at) <= near


def _line(where: str) -> tuple[str, int]:
    """
    The file and line of a place, without its column.
    """
    found = _PLACE.match(where)
    return (where, 0) if found is None else (found[1], int(found[2]))
