"""
A capability token where none belongs: among the params of a request (DESIGN §2).

It is refused rather than overlooked: whoever puts it there believes that it counts. Inside ``arguments`` it
is data, such as the token that ``daemon.token.revoke`` is told to revoke.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

TOKEN_MARK: Final = b"dtok_"
"""A body without it has none."""

_DATA: Final = "arguments"
_META: Final = "_meta"


class _Body(msgspec.Struct):
    params: dict[str, Raw] | UnsetType = UNSET


_BODIES: Final = msgspec.json.Decoder(list[_Body] | _Body)
_NAMED: Final = msgspec.json.Decoder(dict[str, Raw])


def has_stray_token(body: bytes) -> bool:
    """
    Whether a body, a batch included, has a capability token among its params or in their ``_meta``; never
    raises.
    """
    if TOKEN_MARK not in body:
        return False
    try:
        read = _BODIES.decode(body)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return False
    bodies = read if isinstance(read, list) else [read]
    return any(_is_in(each.params) for each in bodies if each.params is not UNSET)


def _is_in(params: dict[str, Raw] | UnsetType) -> bool:
    if params is UNSET:
        return False
    named = {name: bytes(value).lstrip() for name, value in params.items() if name != _DATA}
    meta = named.pop(_META, b"")
    return any(_is_token(value) for value in named.values()) or (TOKEN_MARK in meta and _is_in(_read(meta)))


def _read(text: bytes) -> dict[str, Raw]:
    try:
        return _NAMED.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return {}


def _is_token(text: bytes) -> bool:
    return text.startswith(b'"' + TOKEN_MARK)
