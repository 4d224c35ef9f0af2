"""
The journeys cover the shop: no variant is left out, and enough of them are told apart.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from examples.journeys import CLEAN, FAULTS, JOURNEYS, TRAPS, Journey
from examples.shop import variants
from reticle.client import CallResult


def variant_of(journey: Journey, kind: str) -> str | None:
    """
    Which fault or trap a journey's address asks for.
    """
    return parse_qs(urlsplit(journey.start).query).get(kind, [None])[0]


def test_every_fault_and_trap_has_a_journey() -> None:
    """
    No variant of the shop is left out of the demo, and only faults must not pass.
    """
    assert {variant_of(journey, "fault") for journey in FAULTS} == set(variants.FAULTS)
    assert {variant_of(journey, "trap") for journey in TRAPS} - {None} == set(variants.TRAPS)
    assert [journey.name for journey in JOURNEYS if journey.passes] == [
        journey.name for journey in CLEAN + TRAPS
    ]
    assert (len(variants.FAULTS), len(TRAPS)) == (21, 13)


def test_every_journey_begins_where_it_says() -> None:
    """
    Names are unique, and each journey is a visit of its own.
    """
    assert len({journey.name for journey in JOURNEYS}) == len(JOURNEYS)
    assert {parse_qs(urlsplit(journey.start).query)["visit"][0] for journey in JOURNEYS} == {"new", "ready"}


@pytest.mark.parametrize(
    ("journey", "verified", "right"),
    [
        (CLEAN[0], "yes", True),
        (CLEAN[0], "unknown", False),
        (FAULTS[0], "no", True),
        (FAULTS[0], "unknown", True),
        (FAULTS[0], "yes", False),
        (TRAPS[0], "no", False),
    ],
)
def test_only_a_pass_of_the_sound_is_right(journey: Journey, verified: str, *, right: bool) -> None:
    """
    The demo fails when something sound is not proved, or something faulty is.
    """
    assert journey.is_judged_right(CallResult({"verified": verified}, "", is_error=False)) is right
