"""
Keys as the browser takes them: which physical key, which legacy number, which text (the common US layout).

A character that no key of it gives (``é``) is still a key stroke, with the character as its key and its text.
Source: UI Events "KeyboardEvent code Values" and "key Values"; ``Input.dispatchKeyEvent`` of the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

ALT, CONTROL, META, SHIFT = 1, 2, 4, 8
MODIFIERS: Final[Mapping[str, int]] = {"Alt": ALT, "Control": CONTROL, "Meta": META, "Shift": SHIFT}
"""The bits of the protocol's ``modifiers``."""

_NAMED: Final[Mapping[str, tuple[str, int, str]]] = {
    "Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""), "Delete": ("Delete", 46, ""), "Insert": ("Insert", 45, ""),
    "ArrowUp": ("ArrowUp", 38, ""), "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowRight": ("ArrowRight", 39, ""),
    "Home": ("Home", 36, ""), "End": ("End", 35, ""), "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""), " ": ("Space", 32, " "), "Alt": ("AltLeft", 18, ""),
    "Control": ("ControlLeft", 17, ""), "Meta": ("MetaLeft", 91, ""), "Shift": ("ShiftLeft", 16, ""),
    **{f"F{number}": (f"F{number}", 111 + number, "") for number in range(1, 13)},
}  # fmt: skip

_PUNCTUATION: Final[Mapping[str, tuple[str, int]]] = {
    "-": ("Minus", 189), "=": ("Equal", 187), "[": ("BracketLeft", 219), "]": ("BracketRight", 221),
    "\\": ("Backslash", 220), ";": ("Semicolon", 186), "'": ("Quote", 222), "`": ("Backquote", 192),
    ",": ("Comma", 188), ".": ("Period", 190), "/": ("Slash", 191),
}  # fmt: skip

_SHIFTED: Final[Mapping[str, str]] = dict(zip('!@#$%^&*()_+{}|:"~<>?', "1234567890-=[]\\;'`,./", strict=True))
"""What Shift makes of the keys that are no letters."""

_EDITS: Final[Mapping[tuple[str, int], str]] = {
    ("a", CONTROL): "selectAll",
    ("End", CONTROL): "moveToEndOfDocument",
}
"""What two chords of ours mean on every platform; on some the keys by themselves mean something else."""


@attrs.frozen
class Key:
    """
    One key: its name, its place on the keyboard, its legacy number, what it writes, whether Shift is needed.
    """

    name: str
    code: str
    number: int
    text: str
    shifted: bool = False

    def fields(self, kind: str, modifiers: int) -> dict[str, object]:
        """
        The parameters of one key event; ``kind`` is ``down`` or ``up``.
        """
        held = modifiers | (SHIFT if self.shifted else 0)
        writes = self.text if kind == "down" and not held & (ALT | CONTROL | META) else ""
        edit = _EDITS.get((self.name, held)) if kind == "down" else None
        return {
            # "rawKeyDown" is a key that writes nothing
            "type": "keyUp" if kind == "up" else "keyDown" if writes else "rawKeyDown",
            "key": self.name,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "modifiers": held,
            **({"text": writes} if writes else {}),
            **({"commands": [edit]} if edit else {}),
        }


def key_of(name: str) -> Key:
    """
    The key of a ``KeyboardEvent.key`` name.
    """
    if name in _NAMED:
        code, number, text = _NAMED[name]
        return Key(name, code, number, text)
    plain = _SHIFTED.get(name, name)
    if plain in _PUNCTUATION:
        code, number = _PUNCTUATION[plain]
        return Key(name, code, number, name, shifted=name in _SHIFTED)
    if plain.isascii() and plain.isdigit():
        return Key(name, f"Digit{plain}", ord(plain), name, shifted=name in _SHIFTED)
    if plain.isascii() and plain.isalpha() and len(plain) == 1:
        return Key(name, f"Key{plain.upper()}", ord(plain.upper()), name, shifted=plain.isupper())
    return Key(name, "", 0, name)


def chord(name: str, modifiers: Sequence[str]) -> list[dict[str, object]]:
    """
    The events of one key pressed and let go, the modifier keys around it held and let go too.
    """
    held = 0
    events: list[dict[str, object]] = []
    keys = [key_of(modifier) for modifier in modifiers if modifier in MODIFIERS]
    for modifier in keys:
        held |= MODIFIERS[modifier.name]
        events.append(modifier.fields("down", held))
    key = key_of(name)
    events += [key.fields("down", held), key.fields("up", held)]
    for modifier in reversed(keys):
        held &= ~MODIFIERS[modifier.name]
        events.append(modifier.fields("up", held))
    return events


def bits_of(modifiers: Sequence[str]) -> int:
    """
    The modifier keys that are held, as the protocol counts them.
    """
    return sum(MODIFIERS[name] for name in set(modifiers) if name in MODIFIERS)
