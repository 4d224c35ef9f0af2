"""
What a page said in words.
"""

from __future__ import annotations

import pytest

from reticle.domain.voices import Voice, strings, voices
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder, WindowStep


@pytest.mark.parametrize(
    ("step", "voice"),
    [
        (lambda b: b.dom_added("listitem", "Milk"), Voice(11, "Milk", Held.NO)),
        (lambda b: b.dom_added("status", "Saved"), Voice(11, "Saved", Held.NO, message=True)),
        (lambda b: b.dom_added("alert", "Jejda"), Voice(11, "Jejda", Held.UNKNOWN, message=True)),
        (lambda b: b.dom_added("alert", ""), None),
        (lambda b: b.shown("alert", ""), Voice(11, "", Held.UNKNOWN, message=True)),
        (lambda b: b.shown("alert", "Saved"), Voice(11, "Saved", Held.NO, message=True)),
        (lambda b: b.shown("textbox", ""), Voice(11, "", Held.YES, message=True)),
        (lambda b: b.event("dom.text", {"text": "It failed"}), Voice(11, "It failed", Held.YES)),
        (
            lambda b: b.event("dom.attr", {"attr": "aria-invalid", "value": "true"}),
            Voice(11, "", Held.YES),
        ),
        (lambda b: b.event("dom.attr", {"attr": "class", "value": "error"}), None),
        (lambda b: b.signal("save.failed", {"n": 1}), Voice(11, "", Held.YES, about="save.failed")),
        (lambda b: b.signal("saved", {"by": "Ann"}), Voice(11, "Ann", Held.NO, about="saved")),
        (lambda b: b.state_change("a.error", "x", None), Voice(11, "x", Held.YES, about="a.error")),
        (lambda b: b.state_change("a.error", None, "x"), None),
        (lambda b: b.console("error", "failed"), None),
    ],
)
def test_each_kind_of_event_says_what_it_says(step: WindowStep, voice: Voice | None) -> None:
    """
    Text, alerts, invalid fields, signals and state speak; attributes and the console do not.
    """
    assert voices(step(WindowBuilder()).build()) == (() if voice is None else (voice,))


def test_strings_are_found_at_any_depth_and_not_without_end() -> None:
    """
    A large answer costs no more than its first 500 parts.
    """
    assert list(strings({"a": ["x", {"b": "y"}], "c": "z", "n": 1})) == ["z", "x", "y"]
    assert len(list(strings(["s"] * 1_000))) == 499
