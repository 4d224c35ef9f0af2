"""
The order in which things happened, where the page tells of one of them later than it happened.

An answer is told when its body has been read, and then the app may have gone on already; ``behind`` says
how many events were told between the two (page-wire, ``net.request``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from reticle.domain.channels import of_types
from reticle.model.codes import EventType
from reticle.model.limits import PAGE_EVENTS
from reticle.model.page import PageEvent
from reticle.model.verdict import Outcome
from reticle.model.window import Window

SEQ: Final = "seq"


def as_it_happened(window: Window) -> tuple[Window, Mapping[int, int]]:
    """
    The window with each answer where it came, numbered anew, and the number that each had before.

    The same window and nothing where nothing was told late.
    """
    if not any(told_late_by(event) for event in of_types(window, EventType.NET_REQUEST)):
        return window, {}
    order = sorted(window.events, key=_moment)
    numbers = [event.seq for event in window.events]
    events = tuple(
        event if event.seq == seq else attrs.evolve(event, seq=seq)
        for event, seq in zip(order, numbers, strict=True)
    )
    before = {seq: event.seq for event, seq in zip(order, numbers, strict=True)}
    return attrs.evolve(window, events=events), before


def with_numbers(outcome: Outcome, before: Mapping[int, int]) -> Outcome:
    """
    The outcome with the numbers that its evidence has in the record.
    """
    if not before:
        return outcome
    evidence = tuple(
        {**fact, SEQ: before.get(seq, seq)} if isinstance(seq := fact.get(SEQ), int) else fact
        for fact in outcome.evidence
    )
    children = tuple(with_numbers(child, before) for child in outcome.children)
    return attrs.evolve(outcome, evidence=evidence, children=children)


def _moment(event: PageEvent) -> tuple[int, int]:
    behind = told_late_by(event)
    return (event.seq - behind, 0) if behind else (event.seq, 1)


def told_late_by(event: PageEvent) -> int:
    """
    How many events were told between an answer and what tells of it; 0 of all others.
    """
    told = event.data.get("behind") if event.type == EventType.NET_REQUEST else None
    if not isinstance(told, int) or isinstance(told, bool):
        return 0
    return min(max(told, 0), PAGE_EVENTS)
