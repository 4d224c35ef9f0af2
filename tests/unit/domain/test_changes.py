"""
What is left standing of a page's movements.
"""

from __future__ import annotations

import pytest

from reticle.domain.changes import moved, standing
from reticle.model.ids import Cursor
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


def test_movement_is_looked_for_after_a_cursor_and_a_loss_is_movement() -> None:
    """
    Earlier changes do not count; lost ones may have been changes.
    """
    window = WindowBuilder().dom_added().console("log", "x").build()
    assert moved(window)
    assert not moved(window, Cursor(11))
    assert moved(WindowBuilder().loss("state.change").build())
    assert not moved(WindowBuilder().loss("net").build())
