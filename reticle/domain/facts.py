"""
Reading untyped page facts safely: a field that is missing or of another type is None, never an error.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from reticle.model.page import PageEvent

_JOINERS = frozenset("\u00ad\u200c\u200d")
"""Marks within words and emoji that print nothing and change nothing."""


def text_of(fields: Mapping[str, object], name: str) -> str | None:
    """
    The field as a string, or None.
    """
    value = fields.get(name)
    return value if isinstance(value, str) else None


def whole_of(fields: Mapping[str, object], name: str) -> int | None:
    """
    The field as a whole number, or None; booleans are not numbers.
    """
    value = fields.get(name)
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


def flag_of(fields: Mapping[str, object], name: str) -> bool | None:
    """
    The field as a boolean, or None.
    """
    value = fields.get(name)
    return value if isinstance(value, bool) else None


def list_of(fields: Mapping[str, object], name: str) -> list[object]:
    """
    The field as a list; an empty one when it is missing or something else.
    """
    value = fields.get(name)
    return list(value) if isinstance(value, list | tuple) else []


def mapping_of(value: object) -> Mapping[str, object]:
    """
    The value as a mapping; an empty one when it is something else.
    """
    return value if isinstance(value, Mapping) else {}


def literal(value: object) -> str:
    """
    A value as it is written in a claim: lists, objects, booleans and null as JSON, the rest as Python has it.
    """
    if value is None or isinstance(value, Mapping | list | tuple | bool):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return repr(value)


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def one_line(text: str) -> str:
    r"""
    The text on one line that it cannot leave: white space folded, and what is not printed (control
    characters, marks that turn the direction of text) as ``\u202e``. One that is so already stays as it is.
    """
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() or sign in _JOINERS else _named(sign) for sign in line)


def brief(text: str, limit: int = 120) -> str:
    """
    As ``one_line``, cut to ``limit`` characters with an ellipsis.
    """
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def quoted(text: str, limit: int | None = 120) -> str:
    """
    A text of the page as it stands in our sentences: brief, and in quotes that it cannot end.
    """
    line = one_line(text) if limit is None else brief(text, limit)
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _named(sign: str) -> str:
    return f"\\u{ord(sign):04x}"


@functools.lru_cache(2_048)
def url_parts(url: str) -> SplitResult:
    """
    The URL in parts; one that cannot be parsed counts as a mere path, for pages report what apps wrote.
    """
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return SplitResult("", "", url, "", "")
    return parts


def spoken_text(event: PageEvent) -> str:
    """
    What an event says in words that a user could read: text, name and message, on one line.

    A name that only repeats the text, as that of an alert that is named by its content, is said once.
    """
    said: list[str] = []
    for key in ("text", "name", "message"):
        part = text_of(event.data, key)
        if part and part not in said:
            said.append(part)
    return " ".join(said)
