"""
A sink of the probe that keeps facts, and the words to look at them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reticle.probe import calls, emission
from reticle.probe.small_facts import HEAD, Raw


class KeptFacts:
    """
    Takes the place of the queue: each fact with its kind, in order.
    """

    def __init__(self) -> None:
        self.facts: list[tuple[str, dict[str, Any]]] = []

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Keep one.
        """
        self.facts.append((str(kind), fields))

    def note(self, fact: Raw) -> None:
        """
        Keep a small one, as the line of it says it.
        """
        form = fact[0]
        self.put(form.kind, form.fields(fact))

    def mark(self, fact: Raw) -> None:
        """
        A head stands behind what is kept.
        """
        assert fact[0] is HEAD
        fact[2].head = len(self.facts)

    def hurry(self) -> None:
        """
        Nothing is sent.
        """

    def miss(self, kind: str) -> None:
        """
        Keep that one is missing.
        """
        self.facts.append(("gap", {"kinds": {str(kind): 1}}))

    @property
    def kinds(self) -> list[str]:
        """
        The kinds, in order.
        """
        return [kind for kind, _ in self.facts]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """
        The fields of each fact of a kind, in order.
        """
        return [fields for found, fields in self.facts if found == kind]


@contextmanager
def keeping_facts(*, following: bool = False) -> Iterator[KeptFacts]:
    """
    The probe's facts go to the given sink while this runs; with ``following`` what runs for each request is
    told too.
    """
    before, emission.sink = emission.sink, KeptFacts()
    allowances = calls.allowance, calls.acting
    calls.allowance = calls.acting = calls.Allowance(1_000 if following else 0, 0)
    try:
        yield emission.sink
    finally:
        emission.sink, (calls.allowance, calls.acting) = before, allowances
