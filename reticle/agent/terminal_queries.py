"""
What a program asks of its terminal, and what an answering terminal would say.

Without an answer many full-screen programs wait for ever, or start with half of their keys. Where no real
terminal stands behind, the supervisor answers: as a plain xterm of a dark theme that knows no extensions.
The queries are those of xterm's ctlseqs and of the kitty keyboard protocol. No screen is kept, so the cursor
is always said to be at the top left.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from reticle.agent.terminal_modes import TerminalModes

SEQUENCE_BYTES: Final = 256
"""Of one sequence that are kept: the longest query is far shorter, and titles and pictures have no end."""

_FOREGROUND: Final = b"rgb:d0d0/d0d0/d0d0"
_BACKGROUND: Final = b"rgb:1010/1010/1010"
_CSI_BODY: Final = re.compile(rb"[\x20-\x3f]*")
_STRING_BODY: Final = re.compile(rb"[^\x07\x18\x1a\x1b]*")
_CANCEL: Final = b"\x18\x1a"
_FIXED: Final = {
    b"c": b"\x1b[?62;22c",
    b"0c": b"\x1b[?62;22c",
    b">c": b"\x1b[>0;0;0c",
    b">0c": b"\x1b[>0;0;0c",
    b"=c": b"\x1bP!|00000000\x1b\\",
    b"=0c": b"\x1bP!|00000000\x1b\\",
    b"5n": b"\x1b[0n",
    b"6n": b"\x1b[1;1R",
    b"?6n": b"\x1b[?1;1R",
    b"?u": b"\x1b[?0u",
    b">q": b"\x1bP>|reticle\x1b\\",
    b">0q": b"\x1bP>|reticle\x1b\\",
    b"?4m": b"\x1b[>4;0m",
}
_MODE_ASKED: Final = re.compile(rb"(\??)([0-9]{1,5})\$p")
_COLOUR_ASKED: Final = re.compile(rb"(4;[0-9]{1,3}|1[012]);\?")


class _State(Enum):
    GROUND = auto()
    ESCAPE = auto()
    CONTROL = auto()
    STRING = auto()
    STRING_ESCAPE = auto()


class QueryScanner:
    """
    Reads a program's output, in pieces as it comes, for what it asks and for the modes that it switches.

    How the output is cut into pieces makes no difference.

    Args:
        rows: Of the terminal.
        columns: Of the terminal.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.size = (rows, columns)
        self.modes = TerminalModes()
        self._state = _State.GROUND
        self._introducer = b""
        self._body = bytearray()
        self._is_too_long = False

    def feed(self, output: bytes) -> bytes:
        """
        What a terminal would type in answer to this much output.
        """
        answers = bytearray()
        at = 0
        while at < len(output):
            if self._state is _State.GROUND:
                at = output.find(b"\x1b", at) + 1
                if at == 0:
                    break
                self._state = _State.ESCAPE
            elif self._state is _State.ESCAPE:
                at += self._escape(output[at : at + 1])
            elif self._state is _State.CONTROL:
                at = self._control(output, at, answers)
            elif self._state is _State.STRING:
                at = self._string(output, at, answers)
            elif output[at] == ord("\\"):
                at += 1
                self._end_string(b"\x1b\\", answers)
            else:
                self._state = _State.ESCAPE  # it was no end: another sequence begins
        return bytes(answers)

    def _escape(self, byte: bytes) -> int:
        """
        The byte after an escape; how many were used.
        """
        if byte == b"\x1b":
            return 1
        if byte == b"[":
            self._begin(_State.CONTROL, byte)
        elif byte in (b"]", b"P", b"_", b"^", b"X"):
            self._begin(_State.STRING, byte)
        else:
            self._state = _State.GROUND
        return 1

    def _begin(self, state: _State, introducer: bytes) -> None:
        self._state, self._introducer = state, introducer
        self._body.clear()
        self._is_too_long = False

    def _collect(self, piece: bytes) -> None:
        room = SEQUENCE_BYTES - len(self._body)
        self._is_too_long = self._is_too_long or len(piece) > room
        self._body += piece[:room]

    def _control(self, output: bytes, at: int, answers: bytearray) -> int:
        found = _CSI_BODY.match(output, at)
        assert found is not None
        self._collect(found[0])
        at = found.end()
        if at == len(output):
            return at
        last = output[at : at + 1]
        if b"@" <= last <= b"~":
            self._state = _State.GROUND
            if not self._is_too_long:
                answers += self._answer_control(bytes(self._body) + last)
        elif last == b"\x1b":
            self._state = _State.ESCAPE
        elif last in _CANCEL or last > b"~":
            self._state = _State.GROUND
        return at + 1

    def _string(self, output: bytes, at: int, answers: bytearray) -> int:
        found = _STRING_BODY.match(output, at)
        assert found is not None
        self._collect(found[0])
        at = found.end()
        if at == len(output):
            return at
        last = output[at : at + 1]
        if last == b"\x07":
            self._end_string(last, answers)
        else:
            self._state = _State.STRING_ESCAPE if last == b"\x1b" else _State.GROUND
        return at + 1

    def _end_string(self, terminator: bytes, answers: bytearray) -> None:
        self._state = _State.GROUND
        if not self._is_too_long:
            answers += _answer_string(self._introducer, bytes(self._body), terminator)

    def _answer_control(self, sequence: bytes) -> bytes:
        self.modes.note(sequence)
        if sequence == b"18t":
            return b"\x1b[8;%d;%dt" % self.size
        asked = _MODE_ASKED.fullmatch(sequence)
        if asked is not None:
            return b"\x1b[%b%b;0$y" % (asked[1], asked[2])
        return _FIXED.get(sequence, b"")


def _answer_string(introducer: bytes, body: bytes, terminator: bytes) -> bytes:
    if introducer == b"]":
        asked = _COLOUR_ASKED.fullmatch(body)
        if asked is None:
            return b""
        colour = _BACKGROUND if asked[1] == b"11" else _FOREGROUND
        return b"\x1b]%b;%b%b" % (asked[1], colour, terminator)
    if introducer == b"P" and body[:2] in (b"+q", b"$q"):
        return b"\x1bP0%b\x1b\\" % (b"+r" if body[:2] == b"+q" else b"$r")
    return b""
