"""
Finds where the script tag belongs: first in the head, before anything of the app can run.

Before the head only a byte order mark, white space, comments, processing instructions, a doctype and
``<html …>`` can legally stand (HTML standard, "before head" insertion mode). So this reads tokens from the
first byte and never searches: a ``<head>`` in a comment or a string is not one. Where the head is implied the
place is before the first other token.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final, NamedTuple

from reticle.probe.limits import PROLOGUE_BYTES
from reticle.probe.words import Skip

_SPACE: Final = frozenset(b"\t\n\x0c\r ")
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_GT, _LT, _SLASH, _BANG, _MARK = b"></!?"
_SHIFTS: Final = frozenset(b"\x00\x0e\x1b")
"""Bytes of UTF-16, UTF-32 and ISO-2022: what looks like a tag may then be half of a letter."""

_QUOTES: Final = frozenset(b"\"'")
_EQUALS: Final = ord("=")
_AFTER_SPACE: Final = {
    "between": "between", "name": "behind_name", "behind_name": "behind_name",
    "before_value": "before_value", "unquoted": "between",
}  # fmt: skip

_COMMON: Final = re.compile(
    rb"[\t\n\f\r ]*<!doctype html>[\t\n\f\r ]*"
    rb"(?:<html(?:[\t\n\f\r ]+[a-z-]+=(?:\"[^\"\x00\x0e\x1b]*\"|[a-z-]+))*[\t\n\f\r ]*>[\t\n\f\r ]*)?<head>",
    re.IGNORECASE,
)
"""How nearly all documents begin; a short cut that decides as the reading below would."""
_COMMON_BYTES: Final = 512

_IMPLYING_ENDS: Final = frozenset({b"head", b"body", b"html", b"br"})
"""End tags that make a head where none is; every other one is ignored there (as the standard says)."""


class Place(NamedTuple):
    """
    The tag belongs ``offset`` bytes from the beginning.
    """

    offset: int


class NoPlace(NamedTuple):
    """
    It belongs nowhere.
    """

    reason: Skip


Decision = Place | NoPlace
_Reading = Generator[None, None, Decision]
_Byte = Generator[None, None, int]
_END: Final = -1


_latest = b"<!doctype html><head>"
"""How the last document began that began so. It is read in one way only, so that another which begins with
the same bytes has the same place."""


def common_end(data: bytes) -> int | None:
    """
    The place in a document of HTML that begins as nearly all do, by its first bytes; None where it is to be
    read.
    """
    global _latest  # noqa: PLW0603 - the pages of an app begin alike
    latest = _latest  # once: another thread may put its own there between two looks
    if data.startswith(latest):
        return len(latest)
    common = _COMMON.match(data[:_COMMON_BYTES])
    if common is None:
        return None
    _latest = common[0]
    return common.end()


class Prologue:
    """
    Reads the beginning of one document.

    Args:
        is_xml: Served as ``application/xhtml+xml``: a head must be written, and quoting is XML's.
        is_navigation: The browser says that it will show this as a document; without that, text with neither
            doctype nor ``<html>``, ``<head>`` or ``<body>`` is taken for a fragment.
    """

    def __init__(self, *, is_xml: bool = False, is_navigation: bool = False) -> None:
        self._is_xml = is_xml
        self._is_document = is_navigation
        self._held = bytearray()
        self._at = 0
        self._ended = False
        self._name = b""
        self._reading: _Reading | None = None

    def feed(self, data: bytes) -> Decision | None:
        """
        The next bytes of the body; None until it is decided, which is at ``PROLOGUE_BYTES`` at the latest.
        """
        if not self._held and not self._is_xml:
            end = common_end(bytes(data[:_COMMON_BYTES]))
            if end is not None:
                return Place(end)
        # what stands behind the limit decides nothing, however it was cut into chunks
        self._held += data[: PROLOGUE_BYTES - len(self._held)]
        decision = self._go_on()
        if decision is None and len(self._held) >= PROLOGUE_BYTES:
            return NoPlace(Skip.PROLOGUE)
        return decision

    def end(self) -> Decision:
        """
        The body is over.
        """
        self._ended = True
        return self._go_on() or NoPlace(Skip.NO_DOCUMENT)

    def _go_on(self) -> Decision | None:
        try:
            if self._reading is None:
                self._reading = self._read()
            next(self._reading)
        except StopIteration as decided:
            decision: Decision = decided.value
            return decision
        return None

    def _peek(self) -> _Byte:
        while self._at >= len(self._held):
            if self._ended:
                return _END
            yield
        return self._held[self._at]

    def _take(self) -> _Byte:
        byte = yield from self._peek()
        if byte != _END:
            self._at += 1
        return byte

    def _read(self) -> _Reading:
        if not (yield from self._skip_mark()):
            return NoPlace(Skip.CHARSET)
        while True:
            byte = yield from self._peek()
            if byte in _SPACE:
                self._at += 1
                continue
            start = self._at
            if byte in _SHIFTS:
                return NoPlace(Skip.CHARSET)
            if byte != _LT:
                return self._here(start)
            self._at += 1
            decision = yield from self._read_markup(start)
            if any(shift in self._held[start : self._at] for shift in _SHIFTS):
                return NoPlace(Skip.CHARSET)
            if decision is not None:
                return decision

    def _read_markup(self, start: int) -> Generator[None, None, Decision | None]:
        """
        What begins with ``<``; None where the place comes later.
        """
        byte = yield from self._peek()
        if byte == _BANG:
            self._at += 1
            return (yield from self._read_declaration())
        if byte == _MARK:
            whole = yield from self._skip_past(b"?>" if self._is_xml else b">")
            return None if whole else NoPlace(Skip.NO_DOCUMENT)
        if byte == _SLASH:
            self._at += 1
            return (yield from self._read_end_tag(start))
        if byte not in _LETTERS:
            return self._here(start)
        return (yield from self._read_start_tag(start))

    def _read_declaration(self) -> Generator[None, None, Decision | None]:
        opening = yield from self._look_for(b"--")
        if opening:
            whole = yield from self._skip_comment()
        elif (yield from self._look_for(b"doctype")):
            before = self._at
            whole = yield from self._skip_past(b">")
            if self._is_xml and b"[" in self._held[before : self._at]:
                return NoPlace(Skip.PROLOGUE)  # an internal subset has a grammar of its own
            self._is_document = True
        elif self._is_xml:
            return NoPlace(Skip.NO_DOCUMENT)
        else:
            whole = yield from self._skip_past(b">")  # a bogus comment, CDATA among them
        return None if whole else NoPlace(Skip.NO_DOCUMENT)

    def _read_end_tag(self, start: int) -> Generator[None, None, Decision | None]:
        byte = yield from self._peek()
        if self._is_xml:
            return NoPlace(Skip.NO_DOCUMENT)
        if byte in _LETTERS:
            name = yield from self._read_name()
            if name in _IMPLYING_ENDS:
                return self._here(start)
            whole = yield from self._skip_attributes()
        elif byte == _END:
            return self._here(start)
        else:
            whole = yield from self._skip_past(b">")
        return None if whole else NoPlace(Skip.NO_DOCUMENT)

    def _read_start_tag(self, start: int) -> Generator[None, None, Decision | None]:
        name = yield from self._read_name()
        if name not in {b"html", b"head"}:
            self._is_document |= name == b"body"
            return self._here(start)
        self._is_document = True
        if not (yield from self._skip_attributes()):
            return NoPlace(Skip.NO_DOCUMENT)
        if name == b"html":
            return None
        if self._is_xml and self._held[self._at - 2] == _SLASH:
            return NoPlace(Skip.NO_DOCUMENT)  # an empty head, which has no inside
        return Place(self._at)

    def _here(self, start: int) -> Decision:
        """
        The head is implied, and would begin here.
        """
        if self._is_xml or not self._is_document:
            return NoPlace(Skip.NO_DOCUMENT)
        if start == len(self._held) == 0:
            return NoPlace(Skip.NO_DOCUMENT)
        return Place(start)

    def _skip_mark(self) -> Generator[None, None, bool]:
        """
        Whether the document begins as one in an encoding that keeps ASCII.
        """
        first = yield from self._peek()
        if first in {0xFE, 0xFF}:
            return False
        if first == 0xEF:
            for expected in b"\xef\xbb\xbf":
                if (yield from self._peek()) != expected:
                    break
                self._at += 1
            else:
                return True
            self._at = 0
        return True

    def _look_for(self, text: bytes) -> Generator[None, None, bool]:
        """
        Take ``text``, whatever its case, if it comes next.
        """
        start = self._at
        for expected in text:
            byte = yield from self._take()
            if byte == _END or bytes((byte,)).lower()[0] != expected:
                self._at = start
                return False
        return True

    def _skip_past(self, text: bytes) -> Generator[None, None, bool]:
        """
        Take everything up to and with ``text``; False where it never comes.
        """
        start = self._at
        while True:
            found = self._held.find(text, start)
            if found >= 0:
                self._at = found + len(text)
                return True
            start = max(self._at, len(self._held) - len(text) + 1)
            if self._ended:
                return False
            yield

    def _skip_comment(self) -> Generator[None, None, bool]:
        """
        The rest of a comment: ``-->`` ends it, in HTML also ``--!>``, and ``>`` or ``->`` at its beginning.
        """
        if not self._is_xml:
            for abrupt in (b">", b"->"):
                if (yield from self._look_for(abrupt)):
                    return True
        while True:
            if not (yield from self._skip_past(b"--")):
                return False
            # every further dash may still belong to the end
            while (byte := (yield from self._peek())) == ord("-") and not self._is_xml:
                self._at += 1
            if byte == _GT:
                self._at += 1
                return True
            if not self._is_xml and (yield from self._look_for(b"!>")):
                return True

    def _read_name(self) -> Generator[None, None, bytes]:
        """
        A tag's name, in lower case where case means nothing.
        """
        start = self._at
        while True:
            byte = yield from self._peek()
            if byte == _END or byte in _SPACE or byte in {_SLASH, _GT}:
                break
            self._at += 1
        name = bytes(self._held[start : self._at])
        return name if self._is_xml else name.lower()

    def _skip_attributes(self) -> Generator[None, None, bool]:
        """
        The rest of a tag with its ``>``. A quote counts only where a value begins, so this follows the
        standard's states: between attributes, in a name, behind a name, before a value, in an unquoted value.
        """
        state = "between"
        while (byte := (yield from self._take())) not in {_END, _GT}:
            if byte in _SPACE:
                state = _AFTER_SPACE[state]
            elif state == "before_value" and byte in _QUOTES:
                if not (yield from self._skip_past(bytes((byte,)))):
                    return False
                state = "between"
            elif state in {"before_value", "unquoted"}:
                state = "unquoted"
            elif byte == _SLASH:
                state = "between"
            else:
                state = "before_value" if byte == _EQUALS and state != "between" else "name"
        return byte == _GT
