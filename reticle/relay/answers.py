"""
What the front answers by itself, whatever the daemon does (SP-04, SP-07).
"""

from __future__ import annotations

from reticle.relay.memory import Era, Memory, modern_version
from reticle.relay.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    VERSION_UNSUPPORTED,
    Message,
    error_line,
    result_line,
)
from reticle.relay.offer import MODERN, Offer


def local_answer(message: Message, memory: Memory, offer: Offer) -> bytes | None:
    """
    The line that answers a request, or None when it is the daemon's to answer.

    Call before ``memory.decide``: what was said before decides what may be said now.
    """
    match message.method:
        case "initialize":
            return _initialize(message, memory, offer)
        case "server/discover":
            return _discover(message, offer)
        case "ping" if memory.era is not Era.MODERN and modern_version(message.params) is None:
            return result_line(message.key, {})
    return None


def _initialize(message: Message, memory: Memory, offer: Offer) -> bytes:
    if memory.era is Era.MODERN:
        return _unsupported(message, message.params.get("protocolVersion"))
    if memory.has_handshake:
        text = f"this session is initialized with revision {memory.revision}; go on with it"
        return error_line(message.key, INVALID_REQUEST, text, "already_initialized")
    requested = message.params.get("protocolVersion")
    if not isinstance(requested, str):
        text = "initialize needs protocolVersion, such as 2025-11-25"
        return error_line(message.key, INVALID_PARAMS, text, "bad_params")
    revision = offer.negotiate(requested)
    memory.shook_hands(message.params, revision)
    return result_line(message.key, offer.initialize(revision))


def _discover(message: Message, offer: Offer) -> bytes | None:
    result = offer.discover()
    version = modern_version(message.params)
    if result is None or version is None:
        return None
    if version != MODERN:
        return _unsupported(message, version)
    return result_line(message.key, result)


def _unsupported(message: Message, requested: object) -> bytes:
    return error_line(
        message.key,
        VERSION_UNSUPPORTED,
        f"Unsupported protocol version; this server speaks {MODERN} here",
        "version_unsupported",
        supported=[MODERN],
        requested=requested,
    )
