"""
Which era a message belongs to: the handshake revisions, or 2026-07-28 where each request names its own.

Only ``_meta`` with the version's key marks the latter; a bare ``_meta.progressToken`` is older traffic
(MCP 2026-07-28 "Versioning").
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.mcp.modern.words import VERSION_KEY
from reticle.mcp.versions import BY_HANDSHAKE

_MARK: Final = b"protocolVersion"
"""A body without it is not marked; with it a look inside must tell. The rest of the key may be escaped."""


class Era(enum.Enum):
    """Who keeps what a client and we agreed on."""

    HANDSHAKE = "handshake"
    PER_REQUEST = "per request"


class _Meta(msgspec.Struct):
    version: Raw | UnsetType = msgspec.field(default=UNSET, name=VERSION_KEY)


class _Params(msgspec.Struct):
    meta: _Meta | UnsetType = msgspec.field(default=UNSET, name="_meta")


class _Body(msgspec.Struct):
    params: _Params | UnsetType = UNSET


_BODY: Final = msgspec.json.Decoder(_Body)


def names_revision(body: bytes) -> bool:
    """
    Whether a body is one message that names its revision in ``params._meta``; never raises.
    """
    if _MARK not in body:
        return False
    try:
        params = _BODY.decode(body).params
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return False
    return params is not UNSET and params.meta is not UNSET and params.meta.version is not UNSET


def era_of_post(versions: Sequence[str], body: bytes, *, has_session: bool) -> Era:
    """
    Who has to judge a POST: a conversation with a handshake, or an exchange.

    Where header and body contradict each other it is the exchange, whose ladder says so.

    Args:
        versions: Every value of ``MCP-Protocol-Version``.
        body: The body, which may be anything.
        has_session: Whether an ``Mcp-Session-Id`` came with it. Then the version header is not insisted on:
            clients in the field never send it.
    """
    for version in versions:
        if version not in BY_HANDSHAKE:
            return Era.PER_REQUEST
    if (not versions and has_session) or _MARK not in body:
        return Era.HANDSHAKE
    return Era.PER_REQUEST if names_revision(body) else Era.HANDSHAKE
