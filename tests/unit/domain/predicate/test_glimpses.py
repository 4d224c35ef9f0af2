"""
A text that may have come up for a moment without an event that has it.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder, text_answer

LONG = "x " * 90 + "…"


def held(builder: WindowBuilder, **text: Any) -> Held:
    """
    What a ``never`` about the text "Error 5" says that is not there at the end.
    """
    claim = parse({"kind": "never", "predicate": {"kind": "text", "contains": "Error 5", **text}})
    return evaluate(claim, builder.text("Error 5", there=False, **text).quiet(1_000).build()).held


def together(*texts: str) -> WindowBuilder:
    """
    Elements that were told of at one moment.
    """
    builder = WindowBuilder(step_ms=0).click()
    for text in texts:
        builder.dom_added("generic", "", text)
    return builder


def test_a_text_that_was_hidden_all_along_may_have_shown() -> None:
    """
    An error that stands hidden in the document and flashed by a style leaves "it never showed" open.
    """
    claim = parse({"kind": "never", "predicate": {"kind": "text", "contains": "Error 5", "visible": True}})
    asked = {"contains": "Error 5", "visible": True}
    hidden = {**text_answer("Error 5", visible=False), "matched": False}
    window = WindowBuilder().click().reading("text", asked, hidden).quiet(1_000).build()
    told = evaluate(claim, window)
    assert (told.held, told.final) == (Held.UNKNOWN, False)
    assert "whether it showed for a moment is not seen" in str(told.failure)
    assert held(WindowBuilder().click(), visible=True) is Held.YES


@pytest.mark.parametrize(
    ("builder", "expected"),
    [
        (WindowBuilder().click().dom_added("list", "", LONG), Held.YES),
        (WindowBuilder().click().dom_added("list", "", LONG).dom_removed("list", "xx"), Held.UNKNOWN),
        (WindowBuilder().click().dom_removed("list", "xx").dom_added("list", "", LONG), Held.YES),
        (WindowBuilder().click().dom_added("list", "", "short").dom_removed("list", "short"), Held.YES),
        (
            WindowBuilder()
            .click()
            .event("dom.text", {"text": LONG, "old": ""}, ref="e4")
            .event("dom.text", {"text": "", "old": LONG}, ref="e4"),
            Held.UNKNOWN,
        ),
    ],
)
def test_a_text_that_was_cut_and_went_may_have_had_it(builder: WindowBuilder, expected: Held) -> None:
    """
    What stands behind the first 200 characters of a list that came and went is not known; of one that
    stays it is read.
    """
    assert held(builder) is expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("Err", "or 5"), Held.UNKNOWN),
        (("or 5", "saved", "An Err"), Held.UNKNOWN),
        (("Error", "5 apples"), Held.UNKNOWN),
        (("Error", "6 apples"), Held.YES),
        (("Err", "Saved"), Held.YES),
        (("Error 5",), Held.NO),
    ],
)
def test_several_elements_may_have_said_it_together(texts: tuple[str, ...], expected: Held) -> None:
    """
    A message whose words lie in two elements is a message too.
    """
    assert held(together(*texts)) is expected


def test_what_came_at_another_time_is_no_piece_of_it() -> None:
    """
    "Error" now and "5" a second later were never one text.
    """
    builder = WindowBuilder().click().dom_added("generic", "", "Error").wait(500)
    assert held(builder.dom_added("generic", "", "5")) is Held.YES
