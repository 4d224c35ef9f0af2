"""
The JSON that a request sent and got, and the objects in it that stand for one and the same thing.

Shared by the detectors that compare what was written with what was answered or had been read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl

from reticle.domain.facts import url_parts
from reticle.domain.json_text import read_json
from reticle.domain.requests import Request

DEPTH = 6
KEYS = 200
"""How deep and how many keys of one body are read (reticle-tools §3.4)."""

_BODIES = 256
"""Bodies kept as read: several rules ask for each, and nobody changes them."""

_SHORT_CHARS = 1_024
_SHORT_BODIES = 2_048
"""And of short ones those of a whole window: fewer than it has would all be read anew by each rule."""

Scalar = str | int | float | bool

_PLAIN = frozenset({str, int, float, bool, type(None)})
_LISTS = (list, tuple)
_OBJECTS = (dict, Mapping)
"""Written so for their speed: each body is gone through by several rules."""

_ID_KEYS = frozenset({"id", "_id", "uuid", "uid", "pk", "slug"})


def body_of(fields: Mapping[str, object], name: str) -> object:
    """
    A recorded body as a value: JSON, or a form's fields; None where it is neither, or was cut.
    """
    body = fields.get(name)
    if isinstance(body, str):
        return _short(body) if len(body) <= _SHORT_CHARS else _long(body)
    return body


@functools.lru_cache(_BODIES)
def _long(body: str) -> object:
    return _read(body)


@functools.lru_cache(_SHORT_BODIES)
def _short(body: str) -> object:
    return _read(body)


def _read(body: str) -> object:
    try:
        return read_json(body)
    except ValueError:
        pass
    form = parse_qsl(body, keep_blank_values=False) if "=" in body and "\n" not in body else []
    return dict(form) or None


def scalars(value: object, depth: int = DEPTH) -> Iterator[tuple[str, Scalar]]:
    """
    The scalar fields of a JSON value at any depth, with their keys; at most ``KEYS`` of them.
    """
    found = 0
    for each in objects(value, depth):
        for name, part in each.items():
            if isinstance(part, str | int | float):
                found += 1
                if found > KEYS:
                    return
                yield str(name), part


def objects(value: object, depth: int = DEPTH) -> Iterator[Mapping[str, object]]:
    """
    The objects inside a JSON value, the outer ones first; at most ``KEYS`` of them.
    """
    level: list[object] = [value]
    given = 0
    for _ in range(depth):
        below: list[object] = []
        for node in level:
            if isinstance(node, _LISTS):
                below.extend(node[:KEYS])
            elif isinstance(node, _OBJECTS):
                given += 1
                if given > KEYS:
                    return
                yield node
                below.extend([part for part in node.values() if type(part) not in _PLAIN])
        level = below


def identity_of(thing: object) -> str | None:
    """
    By which id an object names itself, or None.
    """
    if not isinstance(thing, _OBJECTS):
        return None
    for name, value in thing.items():
        if name in _ID_KEYS and isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return None


@functools.lru_cache(2_048)
def ids_in(url: str) -> frozenset[str]:
    """
    The parts of a URL's path that are ids rather than names: numbers, uuids, and prefixed ids.
    """
    return frozenset(part for part in url_parts(url).path.split("/") if _is_id(part))


def ids_of(one: Request) -> frozenset[str]:
    """
    Every id that a request speaks of: in its path, and in its body under ``id`` or ``…_id``.
    """
    named = set(ids_in(one.url))
    for name, value in scalars(body_of(one.answer, "requestBody"), depth=2):
        if (name in _ID_KEYS or name.lower().endswith(("id", "_id"))) and not isinstance(value, bool | float):
            named.add(str(value))
    return frozenset(named)


def _is_id(part: str) -> bool:
    if part.isdigit():
        return True
    return len(part) >= 6 and any(sign.isdigit() for sign in part) and ("_" in part or "-" in part)
