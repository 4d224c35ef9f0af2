"""
The ids of Streamable HTTP sessions: signed, so that they outlive the daemon that issued them (DESIGN §4).

An id carries what a later life needs to go on: when it was issued, the revision, what the client can do,
and a digest of who opened it. It is no credential: each request is judged by itself, and an id presented by
somebody else is as unknown as one that was made up.
"""

from __future__ import annotations

import base64
import binascii
import enum
import hashlib
import hmac
import re
import struct
from typing import Final

import attrs

from reticle.model.ids import McpSessionId
from reticle.model.limits import MCP_SESSION_AGE_SECONDS
from reticle.model.mcp import Agreed, ClientCapabilities
from reticle.model.trust import Principal, PrincipalKind

RANDOM_BYTES: Final = 12
"""What makes an id unguessable beside its signature, and two of the same second differ."""

_FORMAT: Final = 1
_HEAD: Final = struct.Struct(f">BBI{RANDOM_BYTES}s8s")  # format, capabilities, issued, random, principal
_SIGNATURE_BYTES: Final = 16
_TEXT: Final = re.compile(r"[A-Za-z0-9_-]{60,90}")
_REVISION: Final = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CAPABILITIES: Final = tuple(field.name for field in attrs.fields(ClientCapabilities))
"""Their order is part of the format: append only, else count ``_FORMAT`` up."""


class Rejection(enum.Enum):
    """
    Why an id brings no session back; a client is told the same in all cases.
    """

    NOT_OURS = "not ours"
    TOO_OLD = "too old"
    OTHER_PRINCIPAL = "other principal"


@attrs.frozen
class SessionClaims:
    """
    What an id says; ``issued_at`` in whole seconds since the epoch.
    """

    issued_at: int
    agreed: Agreed


def mint_session_id(
    key: bytes, *, issued_at: float, random: bytes, agreed: Agreed, principal: Principal
) -> McpSessionId:
    """
    A fresh id.

    Args:
        key: The daemon's signing key.
        issued_at: Seconds since the epoch.
        random: ``RANDOM_BYTES`` fresh ones.
        agreed: What the handshake settled.
        principal: Who opened the session.
    """
    bits = sum(getattr(agreed.client, name) << place for place, name in enumerate(_CAPABILITIES))
    head = _HEAD.pack(_FORMAT, bits, int(issued_at), random, _principal_digest(key, principal))
    payload = head + agreed.revision.encode("ascii")
    return McpSessionId(_text(payload + _signature(key, payload)))


def read_session_id(key: bytes, text: str, *, now: float, principal: Principal) -> SessionClaims | Rejection:
    """
    What an id says, if it is ours, not too old and was issued to that principal.

    Whether it was ended is for the caller to know.
    """
    payload = _payload(key, text)
    if payload is None:
        return Rejection.NOT_OURS
    _, bits, issued_at, _, digest = _HEAD.unpack_from(payload)
    if now - issued_at > MCP_SESSION_AGE_SECONDS:
        return Rejection.TOO_OLD
    if not hmac.compare_digest(digest, _principal_digest(key, principal)):
        return Rejection.OTHER_PRINCIPAL
    client = ClientCapabilities(**{name: bool(bits >> place & 1) for place, name in enumerate(_CAPABILITIES)})
    return SessionClaims(issued_at, Agreed(payload[_HEAD.size :].decode("ascii"), client))


def _payload(key: bytes, text: str) -> bytes | None:
    if not _TEXT.fullmatch(text):
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return None
    payload, signature = raw[:-_SIGNATURE_BYTES], raw[-_SIGNATURE_BYTES:]
    genuine = hmac.compare_digest(signature, _signature(key, payload)) and _text(raw) == text
    ours = genuine and len(payload) > _HEAD.size and payload[0] == _FORMAT
    return payload if ours and _REVISION.fullmatch(payload[_HEAD.size :]) else None


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _signature(key: bytes, payload: bytes) -> bytes:
    return hmac.digest(key, b"mcp session\0" + payload, hashlib.sha256)[:_SIGNATURE_BYTES]


def _principal_digest(key: bytes, principal: Principal) -> bytes:
    # Local and pairing are the same person (``trust.may_use_stream``); a token is only itself.
    name = principal.name if principal.kind is PrincipalKind.TOKEN else "person"
    return hmac.digest(key, b"mcp principal\0" + name.encode("utf-8"), hashlib.sha256)[:8]
