"""
What is left standing of a page's movements.
"""

from __future__ import annotations

import pytest

from reticle.domain.changes import moved, standing
from reticle.testing.windows import WindowBuilder, WindowStep


def attr(builder: WindowBuilder, value: object, old: object, ref: str = "e1") -> WindowBuilder:
    return builder.event("dom.attr", {"attr": "class", "value": value, "old": old}, ref=ref)


@pytest.mark.parametrize(
    ("steps", "kept"),
    [
        (lambda b: b.dom_added("row", "a"), 1),
        (lambda b: b.dom_added("row", "a").dom_removed("row", "a"), 0),
        (lambda b: b.dom_removed("row", "a").dom_added("row", "a"), 0),
        (lambda b: b.dom_added("row", "a").dom_removed("row", "b"), 2),
        (lambda b: b.dom_added("row", "a").dom_added("row", "a").dom_removed("row", "a"), 1),
        (lambda b: attr(b, "busy", ""), 1),
        (lambda b: attr(attr(b, "busy", ""), "", "busy"), 0),
        (lambda b: attr(attr(b, "busy", ""), "", "busy", ref="e2"), 2),
        (
            lambda b: b.event("dom.text", {"text": "2", "old": "1"}).event(
                "dom.text", {"text": "1", "old": "2"}
            ),
            0,
        ),
        (lambda b: b.event("dom.text", {"text": "2"}), 1),
        (lambda b: b.state_change("n", 2, 1).state_change("n", 1, 2), 0),
        (lambda b: b.state_change("n", 2, 1).state_change("m", 1, 2), 2),
        (lambda b: b.route("/a"), 1),
        (lambda b: b.shown("alert", "x"), 1),
        (lambda b: b.net("GET", "/a").console("log", "x").signal("s"), 0),
    ],
)
def test_only_what_was_not_taken_back_stands(steps: WindowStep, kept: int) -> None:
    """
    Undoing a change leaves the page where it was.
    """
    assert len(standing(steps(WindowBuilder()).build())) == kept


def test_a_new_document_and_a_loss_are_movement() -> None:
    """
    What a new document shows was put there in the window; lost events may have been changes.
    """
    assert moved(WindowBuilder().dom_added().build())
    assert moved(WindowBuilder().new_document().console("log", "x").build())
    assert not moved(WindowBuilder().console("log", "x").build())
    assert moved(WindowBuilder().loss("state.change").build())
    assert not moved(WindowBuilder().loss("net").build())
