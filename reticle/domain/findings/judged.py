"""
Which requests and claims a detector has to look at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import attrs

from reticle.domain.findings.side_calls import claimed_successes, is_side_call
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.polls import begun_at, goes_on, is_beat
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import (
    AllOf,
    AnyOf,
    Console,
    Element,
    InOrder,
    Leaf,
    Log,
    Net,
    Not,
    Text,
    Within,
)
from reticle.domain.predicate.network import body_text, fits_request, names_failure
from reticle.domain.requests import Request, answered_request, requests
from reticle.model.limits import FAILURES_JUDGED, PENDING_WAIT_MS
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

_SERVER_FAULT = 500
_BEATS = 5
_BEATS_BEFORE = 3
"""How many even beats make a poll of a write, and how many of them from before the window are looked at."""

DECLARE = 'if the failure is meant, join {"kind": "net", "ok": false} to the claim'
"""What ends the doubt about a failure that the app may have owned up to."""


def undeclared_failures(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    Own requests that failed although nobody said they would.

    At most ``FAILURES_JUDGED``: one that nobody owns up to decides already. Without those that the claim does
    not hang on (``side_failures``).
    """
    let_be = {one.seq for one in side_failures(window, predicate)}
    failures = (one for one in _failures(window, predicate) if one.seq not in let_be)
    return tuple(itertools.islice(failures, FAILURES_JUDGED))


def refused_documents(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    The document that the action led to, where it answered 4xx and nobody said that it would. It is what the
    user sees, so only who claims something of what it shows knows that it is the right one.
    """
    documents = [one for one in own_requests(window) if _shown_by_itself(one)]
    last = documents[-1:]
    return tuple(one for one in last if one.ok is False and not _declared_to_fail(one, predicate))


def side_failures(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    The failed requests that are let be, for what the claim names succeeded without them.
    """
    # Seven detectors ask; a page may have failed ten thousand times.
    kept = _side_failures(window)
    if not kept or kept[0][0] is not predicate:
        failures = tuple(_failures(window, predicate))
        claimed = claimed_successes(window, asserted(predicate)) if failures else ()
        kept[:] = [(predicate, tuple(one for one in failures if is_side_call(one, claimed, window)))]
    return kept[0][1]


@once_per_window
def _side_failures(_window: Window) -> list[tuple[Predicate | None, tuple[Request, ...]]]:
    """
    Of the claim that was asked about last; none before the first.
    """
    return []


def _failures(window: Window, predicate: Predicate | None) -> Iterator[Request]:
    """
    The failures that the claim does not name.
    """
    return (one for one in _left_failed(window) if not _declared_to_fail(one, predicate))


@once_per_window
def _left_failed(window: Window) -> tuple[Request, ...]:
    """
    A document that answers 4xx is the page the user then sees, so only a 5xx counts for it.
    A call that was made again, and then succeeded, has not failed.
    """
    failed = [one for one in own_requests(window) if one.ok is False and not _shown_by_itself(one)]
    if not failed:
        return ()
    mended = _last_successes(window)
    return tuple(one for one in failed if one.seq > mended.get(call_of(one), -1))


def contradiction(
    kind: str,
    claim: str,
    counter: str,
    detail: Mapping[str, object],
    owned_up: Held,
    *,
    way_out: str = DECLARE,
) -> tuple[Finding, ...]:
    """
    The finding about a failure: none where the app owned up to it, a mere doubt where that cannot be told.

    ``way_out`` says how a claim can end the doubt.
    """
    if owned_up is Held.YES:
        return ()
    if owned_up is Held.NO:
        return (Finding(kind, FindingTier.OBSERVED, claim, counter, detail),)
    unread = f"{counter}, and whether the alert tells the user so cannot be told from its words"
    unread += f"; {way_out}" if way_out else ""
    return (Finding(kind, FindingTier.ABSENCE, claim, unread, detail),)


def asserted(predicate: Predicate | None) -> Iterator[Leaf]:
    """
    The leaves that the claim says are so: those below ``not`` are not, and those below two of them are again.

    What is denied to be absent is said to be there: a claim is judged alike however it is put.
    """
    yield from _asserted(predicate, denied=False)


def _asserted(predicate: Predicate | None, *, denied: bool) -> Iterator[Leaf]:
    match predicate:
        case None:
            return
        case Not(predicate=part):
            yield from _asserted(part, denied=not denied)
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            for part in parts:
                yield from _asserted(part, denied=denied)
        case Within(predicate=part):
            yield from _asserted(part, denied=denied)
        case Text(absent=True) | Element(absent=True) | Console(absent=True) | Log(absent=True) if denied:
            yield attrs.evolve(predicate, absent=False)
        case _:
            if not denied:
                yield predicate


def declares_console_error(predicate: Predicate | None) -> Iterator[Console]:
    """
    The leaves that claim that an error is written or thrown.
    """
    for leaf in asserted(predicate):
        if isinstance(leaf, Console) and not leaf.absent and leaf.level in (None, "error"):
            yield leaf


Call = tuple[str, str, str | None]
"""Method, URL and body: what makes two requests the same call."""


def call_of(one: Request) -> Call:
    """
    The call that a request is.
    """
    return one.method, one.url, body_text(one, "requestBody")


@once_per_window
def polled_writes(window: Window) -> frozenset[Call]:
    """
    Calls by a method of writing that the page made at an even beat before the window, and goes on making.

    A query that is asked again and again by POST (GraphQL, RPC) is no doing of the action. It takes more
    beats than those of a read, so that what earlier actions sent twice is not taken for one. No beat is even
    on a busy machine: what came often enough since the last action, and comes no faster now, is one too.
    """
    begun: dict[Call, list[int]] = {}
    for one in requests(window):
        if one.mutating and one.ended is not None:
            begun.setdefault(call_of(one), []).append(one.t_ms)
    before: dict[Call, list[int]] = {}
    for event in window.answers_before:
        call = call_of(answered_request(event))
        if call in begun and event.document_id == window.document_id:
            before.setdefault(call, []).append(begun_at(event))
    acted = max((at for at in window.acted_at if at < window.opened_t_ms), default=None)
    return frozenset(
        call
        for call, beats in before.items()
        if is_beat(beats[-_BEATS_BEFORE:] + begun[call], _BEATS)
        or goes_on([at for at in beats if acted is None or at > acted + PENDING_WAIT_MS], begun[call])
    )


@once_per_window
def _last_successes(window: Window) -> Mapping[Call, int]:
    """
    When each call that succeeded last began.
    """
    return {call_of(one): one.seq for one in own_requests(window) if one.ok}


def _shown_by_itself(one: Request) -> bool:
    return one.initiator == "document" and one.status is not None and one.status < _SERVER_FAULT


def _declared_to_fail(one: Request, predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, Net) and names_failure(leaf) and fits_request(leaf, one)
        for leaf in asserted(predicate)
    )
