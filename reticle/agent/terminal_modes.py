"""
Which of a terminal's modes a program has switched on, and how they are switched off again.

A program that is killed leaves its person with a hidden cursor, a mouse that types and the wrong screen; the
modes of the line (``outer_terminal``) are only half of what has to be restored.
Numbers are those of xterm's ctlseqs and of the kitty keyboard protocol.
"""

from __future__ import annotations

from typing import Final

_SWITCHED_OFF_LAST: Final = (b"47", b"1047", b"1049")
"""The other screen: what is undone before belongs to it."""

_KNOWN: Final = (
    b"1", b"9", b"1000", b"1002", b"1003", b"1004", b"1005", b"1006", b"1015", b"1016", b"2004", b"2026",
    b"2031", b"2048", *_SWITCHED_OFF_LAST,
)  # fmt: skip
"""Keys of the cursor, mouse, focus, pastes, whole updates, told colours and sizes, the other screen."""

_CURSOR: Final = b"25"
_PASTE: Final = b"2004"
_DEEPEST: Final = 16
"""Pushes of keyboard flags that are counted; terminals keep few."""


class TerminalModes:
    """
    What a program's output has done to its terminal so far.
    """

    def __init__(self) -> None:
        self._on: set[bytes] = set()
        self._forget()

    def _forget(self) -> None:
        self._on.clear()
        self._is_cursor_hidden = False
        self._pushed = 0
        self._other_keys = False

    @property
    def bracketed_paste(self) -> bool:
        """
        Whether the program has asked to be told where a paste begins and ends.
        """
        return _PASTE in self._on

    def note(self, sequence: bytes) -> None:
        """
        Take one control sequence, without its introducer.
        """
        if sequence[:1] == b"?" and sequence[-1:] in (b"h", b"l"):
            for mode in sequence[1:-1].split(b";"):
                self._switch(mode, on=sequence.endswith(b"h"))
        elif sequence[:1] == b">" and sequence[-1:] == b"u":
            self._pushed = min(self._pushed + 1, _DEEPEST)
        elif sequence[:1] == b"<" and sequence[-1:] == b"u":
            count = sequence[1:-1]
            self._pushed = max(self._pushed - (int(count) if count.isdigit() else 1), 0)
        elif sequence[:2] == b">4" and sequence[-1:] == b"m":
            self._other_keys = sequence not in (b">4m", b">4;0m")

    def _switch(self, mode: bytes, *, on: bool) -> None:
        if mode == _CURSOR:
            self._is_cursor_hidden = not on
        elif mode in _KNOWN and on:
            self._on.add(mode)
        else:
            self._on.discard(mode)

    def undo(self) -> bytes:
        """
        What brings the terminal back; empty when the program has cleaned up itself. Afterwards all is off.
        """
        parts = [b"\x1b[<%du" % self._pushed] if self._pushed else []
        if self._other_keys:
            parts.append(b"\x1b[>4;0m")
        parts += [b"\x1b[?%bl" % mode for mode in _KNOWN if mode in self._on]
        if self._is_cursor_hidden:
            parts.append(b"\x1b[?25h")
        if parts:
            parts.append(b"\x1b[0m")
        self._forget()
        return b"".join(parts)
