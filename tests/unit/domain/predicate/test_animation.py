"""
The ``animation`` kind.
"""

from __future__ import annotations

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder, WindowStep


def held(step: WindowStep, **fields: object) -> Held:
    return outcome(step, **fields).held


def outcome(step: WindowStep, **fields: object) -> Outcome:
    return evaluate(parse({"kind": "animation", **fields}), step(WindowBuilder()).build())


def slide(builder: WindowBuilder) -> WindowBuilder:
    return builder.animation("start", "slide-in", ref="e1").animation("end", "slide-in", ref="e1")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Held.YES),
        ({"name": "slide-in"}, Held.YES),
        ({"name": "slide"}, Held.NO),
        ({"target": "e1", "completed": True}, Held.YES),
        ({"target": "e2"}, Held.NO),
        ({"completed": False}, Held.YES),
        ({"since": 11}, Held.NO),
        ({"since": 11, "completed": True}, Held.YES),
    ],
)
def test_an_animation_is_found_by_name_element_and_end(fields: dict[str, object], expected: Held) -> None:
    """
    Each field narrows; ``completed`` asks for the end; ``since`` leaves out what came before.
    """
    assert held(slide, **fields) is expected


def test_a_cancelled_animation_has_not_run_to_its_end() -> None:
    """
    A panel whose slide was cut off did not slide in, and the answer says so.
    """

    def cut(builder: WindowBuilder) -> WindowBuilder:
        return builder.animation("start", "slide").animation("end", "slide", cancelled=True)

    missed = outcome(cut, name="slide", completed=True)
    assert (missed.held, missed.assertion) == (Held.NO, "animation.present")
    assert missed.failure == (
        "no animation 'slide' that ran to its end; but slide began; slide was cancelled"
    )


def test_a_near_miss_names_what_was_seen() -> None:
    """
    Who misspelt a name reads the right one.
    """
    assert outcome(slide, name="slide").failure == (
        "no animation 'slide' that began; seen: slide-in on e1 began; slide-in on e1 ended"
    )
    assert outcome(lambda b: b, name="x").failure == "no animation 'x' that began; none was seen"
    assert list(outcome(slide).evidence) == [{"seq": 11, "animation": "slide-in on e1 began", "ref": "e1"}]


@pytest.mark.parametrize(
    "limit", [lambda b: b.hidden(), lambda b: b.loss("anim.start"), lambda b: b.silent(60_000)]
)
def test_where_none_runs_or_none_is_seen_nothing_can_be_told(limit: WindowStep) -> None:
    """
    A hidden tab runs no animations, and a lost event may have been the one.
    """
    assert held(limit, name="slide") is Held.UNKNOWN
    assert held(lambda b: limit(slide(b)), name="slide-in") is Held.YES
