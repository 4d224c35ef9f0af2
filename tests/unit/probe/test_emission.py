"""
The call by which everything in the user's process tells a fact.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reticle.probe import context, emission
from reticle.testing.kept_facts import KeptFacts, keeping_facts


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The probe is on, and facts stay here.
    """
    with keeping_facts() as sink:
        yield sink


def test_a_fact_outside_of_a_request_is_ambient(kept: KeptFacts) -> None:
    """
    What a background thread does is never laid at a request's door.
    """
    emission.emit("log", level="WARNING")
    assert kept.facts == [("log", {"rid": None, "action": None, "level": "WARNING"})]


def test_a_fact_takes_the_request_that_is_given(kept: KeptFacts) -> None:
    """
    A callback that knows its request says so.
    """
    request = context.RequestContext("GET", "/", "page.7", "header")
    request.leave()
    emission.emit("sql", within=request, ms=1.0)
    assert kept.of("sql") == [{"rid": request.rid, "action": "page.7", "ms": 1.0}]


def test_nothing_happens_while_it_is_off() -> None:
    """
    An app with the probe installed and off runs as without it.
    """
    assert emission.sink is None
    emission.emit("log", level="WARNING")
