"""
Keys as the browser takes them.
"""

from __future__ import annotations

import pytest

from reticle.browser.keyboard import ALT, CONTROL, SHIFT, bits_of, chord, key_of


@pytest.mark.parametrize(
    ("name", "code", "number", "text"),
    [
        ("a", "KeyA", 65, "a"),
        ("7", "Digit7", 55, "7"),
        ("Enter", "Enter", 13, "\r"),
        (" ", "Space", 32, " "),
        ("F5", "F5", 116, ""),
        ("ArrowDown", "ArrowDown", 40, ""),
        (";", "Semicolon", 186, ";"),
        ("é", "", 0, "é"),
        ("²", "", 0, "²"),
    ],
)
def test_a_key_has_its_place_and_its_text(name: str, code: str, number: int, text: str) -> None:
    """
    Games read the place, forms the text; a character of another layout still is typed.
    """
    key = key_of(name)
    assert (key.name, key.code, key.number, key.text, key.shifted) == (name, code, number, text, False)


@pytest.mark.parametrize(("name", "code"), [("A", "KeyA"), ("!", "Digit1"), ("?", "Slash"), ("+", "Equal")])
def test_what_needs_shift_is_typed_with_it(name: str, code: str) -> None:
    """
    A capital letter comes from the key of the small one, with Shift held.
    """
    down = key_of(name).fields("down", 0)
    assert (down["key"], down["code"], down["modifiers"], down["text"]) == (name, code, SHIFT, name)


def test_a_plain_key_goes_down_and_up() -> None:
    """
    Only the way down writes.
    """
    down, up = chord("x", ())
    assert (down["type"], down["text"], up["type"], "text" in up) == ("keyDown", "x", "keyUp", False)


def test_a_chord_holds_its_modifiers_around_the_key_and_writes_nothing() -> None:
    """
    An app with shortcuts sees Control go down first and up last; no letter is typed.
    """
    events = chord("k", ("Control", "Alt"))
    assert [(one["key"], one["type"], one["modifiers"]) for one in events] == [
        ("Control", "rawKeyDown", CONTROL),
        ("Alt", "rawKeyDown", CONTROL | ALT),
        ("k", "rawKeyDown", CONTROL | ALT),
        ("k", "keyUp", CONTROL | ALT),
        ("Alt", "keyUp", CONTROL),
        ("Control", "keyUp", 0),
    ]
    assert all("text" not in one for one in events)


def test_select_all_means_it_on_every_platform() -> None:
    """
    Where Control+A is another thing the field is still replaced as a whole.
    """
    assert [one.get("commands") for one in chord("a", ("Control",))] == [None, ["selectAll"], None, None]
    assert all("commands" not in one for one in chord("a", ()))


def test_modifiers_are_counted_once() -> None:
    """
    A name that is given twice, or none of the four, changes nothing.
    """
    assert bits_of(("Shift", "Shift", "Hyper")) == SHIFT
