"""
Page messages as values: bytes of one text message in, a ``PageMessage`` out, and commands the other way.

Parsing never raises: a message that is not one of the page wire's kinds becomes ``Ignored`` with a reason,
an event with a wrong shape is counted and the rest of its batch is kept. The fast road is one msgspec
decode that leaves the events' data as they are; what it refuses takes the road of
``reticle.bridge.wire_forgiving``. The contract is ``docs/protocol/page-wire.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from reticle.bridge.wire_forgiving import (
    TOO_LARGE,
    TOO_MANY,
    UNREADABLE,
    decode_any,
    decode_bounded,
    parse_forgivingly,
)
from reticle.bridge.wire_values import CommandResult, Events, Hello, Ignored, PageMessage, WireEvent
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import ActionId, CommandId
from reticle.model.limits import COMMAND_ERROR_CHARS, MESSAGE_EVENTS

__all__ = [
    "PROTOCOL_VERSION",
    "CommandResult",
    "Events",
    "Hello",
    "Ignored",
    "PageMessage",
    "WireEvent",
    "encode_arguments",
    "encode_command",
    "parse_message",
    "read_data",
]

PROTOCOL_VERSION = 1

_LEAST_BYTES = len(b'{"kind":"event"}')
_TOO_SHORT = Ignored("too short for a message")
"""What is shorter has no event; looking for one would make a flood of empty frames dear."""

_CROWDED_BYTES = 1024 * 1024
"""A larger message is looked at before it is decoded: our script's are smaller (``LIMIT.BATCH_CHARS``)."""

_NOTHING = msgspec.Raw(b"null")


class _EventMessage(msgspec.Struct, tag_field="kind", tag="event"):
    event: WireEvent


class _EventsMessage(msgspec.Struct, tag_field="kind", tag="events"):
    events: list[WireEvent]


class _ResultMessage(msgspec.Struct, tag_field="kind", tag="command_result"):
    id: str
    ok: bool
    result: msgspec.Raw = _NOTHING
    error: Annotated[str, msgspec.Meta(max_length=COMMAND_ERROR_CHARS)] = ""
    code: str | None = None
    recovery: str = ""
    details: msgspec.Raw = _NOTHING


_decode_message = msgspec.json.Decoder(_EventMessage | _EventsMessage | _ResultMessage).decode
_encode = msgspec.json.Encoder().encode


def parse_message(payload: bytes) -> PageMessage:
    """
    Read one text message of a page. Never raises.
    """
    if len(payload) < _LEAST_BYTES:
        return _TOO_SHORT
    if len(payload) > _CROWDED_BYTES and payload.count(b'"type"') > MESSAGE_EVENTS:
        return TOO_MANY
    try:
        message = _decode_message(payload)
    except UNREADABLE:
        return parse_forgivingly(payload)
    if type(message) is _EventMessage:
        return Events([message.event])
    if type(message) is _EventsMessage:
        return Events(message.events) if len(message.events) <= MESSAGE_EVENTS else TOO_MANY
    return _result(message)


def read_data(raw: bytes) -> dict[str, object]:
    """
    Decode an event's data. What is not an object stands under ``value``, so that a marker such as
    ``[UNSERIALIZABLE]`` in its place is still seen.
    """
    try:
        value = decode_any(raw)
    except UNREADABLE:
        return {}
    return value if isinstance(value, dict) else {"value": value}


def encode_arguments(name: str, args: Mapping[str, object]) -> msgspec.Raw:
    """
    A command's arguments as JSON. Raises ``Refusal`` ``bad_arguments`` for what is none.
    """
    try:
        return msgspec.Raw(_encode(args))
    except (TypeError, ValueError, RecursionError) as error:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS, f"The arguments of {name} cannot be sent to a page as JSON."
        ) from error


def encode_command(
    command_id: CommandId, name: str, args: msgspec.Raw, action: ActionId | None = None
) -> bytes:
    """
    The text message of one command; ``action`` is what the page calls what it causes.
    """
    message = {"kind": "command", "id": command_id, "name": name, "args": args}
    return _encode(message if action is None else {**message, "action": action})


def _result(message: _ResultMessage) -> CommandResult:
    command_id = CommandId(message.id)
    try:
        result, details = decode_bounded(message.result), decode_bounded(message.details)
    except OverflowError:
        return CommandResult(command_id, ok=False, error=TOO_LARGE)
    return CommandResult(
        command_id,
        message.ok,
        result,
        message.error,
        message.code,
        message.recovery,
        details if isinstance(details, dict) else None,
    )
