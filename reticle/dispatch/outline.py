"""
The text of an answer: its fields as indented lines, which cost a model fewer tokens than JSON.

Nothing is lost: a text that could be read as something else stands in JSON quotes, so each set of fields
has an outline of its own. The form is a part of YAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reticle.mcp.strict_json import encode
from reticle.model.limits import ANSWER_CHARS

_INLINE_CHARS: Final = 300
_DEPTH: Final = 24
_LOOKED_AT: Final = 2 * ANSWER_CHARS
"""What is put into words at all; a state of megabytes would hold the loop for seconds and then be cut."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][\w.$/-]*", re.ASCII)
_FIRST: Final = frozenset("-?:,[]{}#&*!|>'\"%@`")
_NUMBER: Final = re.compile(r"[-+.]?[0-9][0-9_.eE+-]*")
_WORDS: Final = frozenset({"null", "true", "false", "~"})


def outline(fields: Mapping[str, object]) -> str:
    """
    The fields as text, at most ``ANSWER_CHARS`` long; see ``bounded``.
    """
    lines: list[str] = []
    size = 0
    for line in _mapping(fields, 0):
        if size > _LOOKED_AT:
            return bounded("\n".join(lines), at_least=True)
        lines.append(line)
        size += len(line) + 1
    return bounded("\n".join(lines))


def bounded(text: str, *, at_least: bool = False) -> str:
    """
    Text of at most ``ANSWER_CHARS`` characters; a last line says how much was left out, ``at_least`` when the
    text itself is only the beginning.
    """
    if len(text) <= ANSWER_CHARS:
        return text
    room = ANSWER_CHARS - 120
    end = text.rfind("\n", 0, room)
    kept = text[: end if end > 0 else room]
    left = text[len(kept) :]
    return (
        f"{kept}\n… cut here: {'at least ' if at_least else ''}{left.count(chr(10))} more lines, "
        f"{len(left)} characters; "
        "ask for less, or read structuredContent"
    )


def _mapping(fields: Mapping[str, object], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for key, value in fields.items():
        name = key if _PLAIN_KEY.fullmatch(key) and key not in _WORDS else _quoted(key)
        inline = _inline(value, depth)
        if inline is not None:
            yield f"{indent}{name}: {inline}"
        else:
            yield f"{indent}{name}:"
            yield from _block(value, depth + 1)


def _sequence(items: Sequence[object], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for item in items:
        inline = _inline(item, depth)
        if inline is not None:
            yield f"{indent}- {inline}"
        else:
            first, *rest = _block(item, depth + 1)
            yield f"{indent}- {first.lstrip(' ')}"
            yield from rest


def _block(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        return _mapping(value, depth)
    assert isinstance(value, Sequence)
    return _sequence(value, depth)


def _inline(value: object, depth: int) -> str | None:
    """
    A value on its key's line, or None when it needs lines of its own.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        return encode(value).decode() if depth >= _DEPTH else None
    if isinstance(value, list | tuple):
        return _inline_sequence(value, depth)
    return encode(value).decode()


def _inline_sequence(items: Sequence[object], depth: int) -> str | None:
    if depth >= _DEPTH:
        return encode(items).decode()
    if any(isinstance(item, Mapping | list | tuple) for item in items):
        return None
    listed = ", ".join(
        _text(item, inside_list=True) if isinstance(item, str) else encode(item).decode() for item in items
    )
    return f"[{listed}]" if len(listed) <= _INLINE_CHARS else None


def _text(text: str, *, inside_list: bool = False) -> str:
    """
    A text as it is, in quotes where it could be taken for something else.
    """
    plain = (
        text
        and text.isprintable()
        and text[0] not in _FIRST
        and text[0] != " "
        and text[-1] not in " :"
        and ": " not in text
        and " #" not in text
        and text not in _WORDS
        and not _NUMBER.fullmatch(text)
        and not (inside_list and any(mark in text for mark in ",[]{}"))
    )
    return str(text) if plain else _quoted(text)


def _quoted(text: str) -> str:
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return json.dumps(text)
