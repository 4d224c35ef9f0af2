"""
From the arguments as sent to the tool's own type, or a refusal that a model can correct itself by.

Everything that is wrong with arguments is a tool result, never a protocol error (DESIGN §4), and nothing
has run by then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from reticle.dispatch.registry import Entry, nearest
from reticle.errors import Refusal
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import RefusalCode, RepositoryScope
from reticle.model.ids import RepositoryId
from reticle.model.limits import ARGUMENT_TEXT_CHARS, ARGUMENT_VALUES, PEER_NAME_CHARS

_NAMED: Final = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "an array",
    "null": "null",
}
_PATH: Final = re.compile(r" - at `(?:key in )?\$\.?(?P<path>[^`]*)`$")
_EXPECTED: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`(?P<bound>[^,]*)(?:, got `(?P<got>[^`]*)`)?")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>[^`]*)`")
_STRANGE: Final = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)
_NUL: Final = rb"\u0000"
"""How JSON spells the character; a backslash before it makes it other text, so that is looked at again."""

_WIDE: Final = re.compile(rb"\d{19}")
"""Digits of a whole number that may have more than 64 bits."""

REPOSITORY: Final = "repository_id"
"""The argument that names the repository of a call."""


class _Named(msgspec.Struct):
    repository_id: str | None = None


_REPOSITORY: Final = msgspec.json.Decoder(_Named)
_KEYS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def decode(entry: Entry, raw: bytes) -> Any:
    """
    The tool's arguments: an instance of its type, or a dictionary where it brings its own schema.

    Args:
        entry: The tool.
        raw: JSON text of bounded depth.

    Raises:
        Refusal: ``bad_arguments``; the call makes sense again once it is worded as ``recovery`` says.
    """
    try:
        arguments = entry.decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise _explain(entry, raw, str(failure)) from None
    if len(raw) > ARGUMENT_TEXT_CHARS:
        _check_sizes(entry, raw)
    if entry.tool.scope is not RepositoryScope.PAGE and (_NUL in raw or _WIDE.search(raw)):
        _refuse_unstorable(entry, raw)
    return arguments


def _refuse_unstorable(entry: Entry, raw: bytes) -> None:
    """
    What is kept in a database has no NUL in its texts, which PostgreSQL does not know, and no whole number of
    more than 64 bits, which SQLite does not. What is for a page may have both.
    """
    for name, value in msgspec.json.decode(raw).items():
        fault = next(_unstorable(value), None)
        if fault is not None:
            raise _refusal(entry, f'"{name}" holds {fault}', {})


def _unstorable(value: object) -> Iterator[str]:
    match value:
        case str() if "\0" in value:
            yield "a NUL character"
        case int() if not -(2**63) <= value < 2**63:
            yield "a number that is too large"
        case dict():
            for one in (*value.keys(), *value.values()):
                yield from _unstorable(one)
        case list():
            for one in value:
                yield from _unstorable(one)


def with_repository(entry: Entry, raw: bytes, repository_id: str | None) -> bytes:
    """
    The arguments with a ``repository_id`` that stood beside them, where the tool declares one and the
    arguments have none of their own.
    """
    if repository_id is None or REPOSITORY not in entry.declared:
        return raw
    try:
        given = _KEYS.decode(raw)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return raw  # ``decode`` says what is wrong with it
    return raw if REPOSITORY in given else encode({**given, REPOSITORY: repository_id})


def repository_in(entry: Entry, raw: bytes) -> RepositoryId | None:
    """
    The repository that the arguments name, where the tool declares one. None for what is no text; ``decode``
    says so to whoever may call.
    """
    if REPOSITORY not in entry.declared:
        return None
    try:
        named = _REPOSITORY.decode(raw).repository_id
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None
    return RepositoryId(named) if named else None


def _explain(entry: Entry, raw: bytes, complaint: str) -> Refusal:
    try:
        given = _KEYS.decode(raw)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return _refusal(entry, "the arguments must be one JSON object", {})
    strange = [name for name in given if name not in entry.declared]
    if strange:
        return _refusal(entry, *_strange_names(entry, strange))
    return _refusal(entry, _sentence(entry, complaint), {})


def _strange_names(entry: Entry, strange: list[str]) -> tuple[str, dict[str, object]]:
    named = ", ".join(f'"{shorten(name, PEER_NAME_CHARS)}"' for name in strange[:5])
    meant = [f'"{near}"' for name in strange[:5] if (near := nearest(name, entry.declared)) is not None]
    guess = f"; did you mean {', '.join(meant)}?" if meant else ""
    return f"{entry.tool.name} does not take {named}{guess}", {
        "unknown": [shorten(name, PEER_NAME_CHARS) for name in strange[:5]]
    }


def _refusal(entry: Entry, message: str, details: Mapping[str, object]) -> Refusal:
    """
    One wording for every complaint: what is wrong, that nothing ran, what is taken, an example.
    """
    declared = [f"{name} (required)" if name in entry.required else name for name in entry.declared]
    takes = f"It takes {', '.join(declared)}." if declared else "It takes no arguments."
    example = f" Example: {encode(entry.tool.example).decode()}" if entry.tool.example else ""
    end = "" if message.endswith(("?", ".")) else "."
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{message}{end} Nothing ran.",
        f"{takes}{example}",
        dict(details),
    )


def _sentence(entry: Entry, complaint: str) -> str:
    """
    What msgspec says, as a sentence about the argument that it means.
    """
    located = _PATH.search(complaint)
    path = located["path"] if located else ""
    where = path or "the arguments object"
    said = complaint[: located.start()] if located else complaint
    if missing := _MISSING.fullmatch(said):
        return f'"{missing["name"]}" is missing' + (f" in {path}" if path else "")
    if strange := _STRANGE.fullmatch(said):
        return f'{where} does not take "{shorten(strange["name"], PEER_NAME_CHARS)}"'
    if expected := _EXPECTED.fullmatch(said):
        wanted = f"{_kinds(expected['wanted'])}{expected['bound']}"
        return f"{where} must be {wanted}" + (f", not {_kinds(expected['got'])}" if expected["got"] else "")
    if said.startswith("Invalid enum value"):
        value = said.removeprefix("Invalid enum value ")
        return f"{where} cannot be {shorten(value, PEER_NAME_CHARS)}{_choices(entry, path)}"
    return f"{where}: {shorten(said)}"


def _kinds(types: str) -> str:
    return " or ".join(_NAMED.get(kind, kind) for kind in types.split(" | "))


def _choices(entry: Entry, name: str) -> str:
    """
    What an argument may be, when it is one of a list.
    """
    properties = entry.schema["properties"]
    assert isinstance(properties, dict)
    choices = properties.get(name, {}).get("enum")
    return f"; it is one of {', '.join(map(str, choices))}" if choices else ""


def _check_sizes(entry: Entry, raw: bytes) -> None:
    """
    Refuse a text over ``ARGUMENT_TEXT_CHARS`` at any depth, and more than ``ARGUMENT_VALUES`` values, which
    would hold the loop for as long as somebody looks through them.
    """
    waiting: list[tuple[str, object]] = [("", msgspec.json.decode(raw))]
    seen = 0
    while waiting:
        path, value = waiting.pop()
        seen += 1
        if isinstance(value, str) and len(value) > ARGUMENT_TEXT_CHARS:
            message = f"{path or 'a text'} holds {len(value)} characters, {ARGUMENT_TEXT_CHARS} are the most"
            raise _refusal(entry, message, {})
        members = len(value) if isinstance(value, dict | list) else 0
        if seen + len(waiting) + members > ARGUMENT_VALUES:
            raise _refusal(entry, f"the arguments hold more than {ARGUMENT_VALUES} values", {})
        if isinstance(value, dict):
            waiting.extend((path or shorten(key, PEER_NAME_CHARS), item) for key, item in value.items())
            waiting.extend((path, key) for key in value if len(key) > ARGUMENT_TEXT_CHARS)
        elif isinstance(value, list):
            waiting.extend((path, item) for item in value)
