"""
Writes into each opening tag of an HTML template which template and line it came from.

A reader of HTML that knows enough to stay out of comments, scripts and attribute values; what stands between
``{{`` and ``}}`` is opaque to it. Where it cannot be sure, a tag gets no stamp: that harms nobody. Taking the
stamps out again gives the text that was there.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from html import escape
from typing import Final

from reticle.probe.words import SOURCE_ATTRIBUTE

_RAW: Final = frozenset({
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript",
})  # fmt: skip
"""Elements whose content is no markup."""

_UNMARKED: Final = frozenset({
    "head", "meta", "link", "base", "title", "script", "style", "br", "wbr", "param", "source",
    "track",
})  # fmt: skip
"""Elements that nobody asks about; the head's also keep ``<meta charset>`` within the first 1,024 bytes."""

_NAME: Final = re.compile(r"[A-Za-z][^\s/>\"'=<]*")
_HTML_NAMES: Final = re.compile(r"\.(?:html?|xhtml|djhtml)(?:\.(?:j2|jinja2?|dj|django))?$", re.IGNORECASE)
_MAIL_NAMES: Final = re.compile(r"(?:^|[^a-z])e?-?mails?(?:[^a-z]|$)|newsletter", re.IGNORECASE)


class State(Enum):
    """
    Where in HTML the reader stands; ``BOGUS`` is an end tag, a doctype or the like, ``RAWTEXT`` a script's.
    """

    DATA = auto()
    TAG = auto()
    VALUE = auto()
    COMMENT = auto()
    BOGUS = auto()
    RAWTEXT = auto()


def is_stampable(name: str) -> bool:
    """
    Whether a template, by its name, makes HTML for a browser: no text, no XML, no mail.
    """
    return _HTML_NAMES.search(name) is not None and _MAIL_NAMES.search(name) is None


class Stamper:
    """
    Reads one template from its beginning to its end.

    Args:
        path: As the stamps name the template.
    """

    def __init__(self, path: str) -> None:
        self._path = escape(path)
        self._state = State.DATA
        self._quote = ""
        self._raw = ""
        self._after_equals = False

    def opaque(self) -> None:
        """
        Something stands here that only the template engine knows.
        """
        self._after_equals = False

    def text(self, written: str, line: int, *, is_followed: bool) -> str:
        """
        A piece of the template's text, with its stamps.

        Args:
            written: It, as it stands.
            line: The number of its first line, from 1.
            is_followed: Something opaque follows directly.
        """
        out: list[str] = []
        done = at = 0
        while at < len(written):
            if self._state == State.DATA:
                at = written.find("<", at)
                if at < 0:
                    break
                end = self._open(written, at)
                name = _NAME.match(written, at + 1)
                if name is not None and self._is_marked(name, written, is_followed=is_followed):
                    number = line + written.count("\n", 0, at)
                    out += [written[done : name.end()], f' {SOURCE_ATTRIBUTE}="{self._path}:{number}"']
                    done = name.end()
                at = end
            else:
                at = self._inside(written, at)
        out.append(written[done:])
        return "".join(out)

    def _is_marked(self, name: re.Match[str], written: str, *, is_followed: bool) -> bool:
        """
        Whether the tag gets a stamp: not where the engine may write more of its name.
        """
        is_whole = name.end() < len(written) or not is_followed
        return is_whole and name[0].lower() not in _UNMARKED

    def _open(self, written: str, at: int) -> int:
        """
        What a ``<`` begins; where to go on.
        """
        if written.startswith("<!--", at):
            self._state = State.COMMENT
            return at + 4
        following = written[at + 1 : at + 2]
        if following in {"!", "?", "/"}:
            self._state = State.BOGUS
            return at + 2
        name = _NAME.match(written, at + 1)
        if name is None:
            if following == "":
                self._state = State.TAG  # a tag whose name the engine writes
                self._raw = ""
            return at + 1
        self._raw = name[0].lower() if name[0].lower() in _RAW else ""
        self._state = State.TAG
        self._after_equals = False
        return name.end()

    def _inside(self, written: str, at: int) -> int:
        match self._state:
            case State.COMMENT:
                return self._until("-->", written, at, State.DATA)
            case State.BOGUS:
                return self._until(">", written, at, State.DATA)
            case State.VALUE:
                return self._until(self._quote, written, at, State.TAG)
            case State.RAWTEXT:
                end = re.compile(rf"</{self._raw}(?=[\s/>])", re.IGNORECASE).search(written, at)
                self._state = State.RAWTEXT if end is None else State.BOGUS
                return len(written) if end is None else end.end()
        return self._in_tag(written, at)

    def _until(self, mark: str, written: str, at: int, state: State) -> int:
        end = written.find(mark, at)
        if end < 0:
            return len(written)
        self._state = state
        return end + len(mark)

    def _in_tag(self, written: str, at: int) -> int:
        character = written[at]
        if character == ">":
            self._state = State.RAWTEXT if self._raw else State.DATA
        elif character in {'"', "'"} and self._after_equals:
            self._state, self._quote, self._after_equals = State.VALUE, character, False
        elif character == "=":
            self._after_equals = True
        elif not character.isspace():
            self._after_equals = False
        return at + 1
