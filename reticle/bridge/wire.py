"""
Page messages as values: bytes of one text message in, a ``PageMessage`` out, and commands the other way.

Parsing never raises: a message that is not one of the page wire's kinds becomes ``Ignored`` with a reason,
an event with a wrong shape is counted and the rest of its batch is kept. The fast road is one msgspec
decode; what that refuses (over-long fields, wrong types, lone surrogates, which ``JSON.stringify`` does
write) takes a second, forgiving road. The contract is ``docs/protocol/page-wire.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

import attrs
import msgspec

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import CommandId, DocumentId
from reticle.model.limits import (
    ADAPTERS,
    ANCESTORS,
    COMMAND_ERROR_CHARS,
    DOCUMENT_ID_CHARS,
    EVENT_TYPE_CHARS,
    REF_CHARS,
    SESSION_ID_CHARS,
    TITLE_CHARS,
    URL_CHARS,
)
from reticle.model.trust import Secret

PROTOCOL_VERSION = 1
OWN_SCRIPT = "reticle"


class WireEvent(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={
        "page_seq": "seq",
        "page_time": "t",
        "document_id": "documentId",
        "edit_epoch": "editEpoch",
    },
):
    """
    One event as the page sent it, its data still undecoded: most events are never read.
    """

    type: Annotated[str, msgspec.Meta(min_length=1, max_length=EVENT_TYPE_CHARS)]
    data: msgspec.Raw = msgspec.Raw(b"{}")
    ref: Annotated[str, msgspec.Meta(max_length=REF_CHARS)] | None = None
    page_seq: int | None = None
    page_time: float | None = None
    document_id: Annotated[str, msgspec.Meta(max_length=DOCUMENT_ID_CHARS)] | None = None
    edit_epoch: int | None = None


@attrs.frozen
class Hello:
    """
    How a page introduces itself, cut to our bounds.

    ``protocol_version`` is whatever the page said, 0 when it said no integer. ``session_id`` may be empty.
    ``frame_depth`` and ``ancestors`` are as in ``PageIdentity``.
    """

    protocol_version: int
    session_id: str
    url: str
    title: str
    own_script: bool
    document_id: DocumentId | None = None
    project_id: str | None = None
    adapters: tuple[str, ...] = ()
    has_capabilities: bool = False
    script_version: str | None = None
    script_hash: str | None = None
    frame_depth: int = 0
    ancestors: tuple[str, ...] = ()
    token: Secret | None = None


@attrs.frozen
class Events:
    """
    A batch, oldest first. ``malformed`` counts list members that were no events.
    """

    events: tuple[WireEvent, ...] | list[WireEvent]
    malformed: int = 0


@attrs.frozen
class CommandResult:
    """
    A page's answer to a command. ``code``, ``recovery`` and ``details`` come from our own script only.
    """

    command_id: CommandId
    ok: bool
    result: object = None
    error: str = ""
    code: str | None = None
    recovery: str = ""
    details: Mapping[str, object] | None = None


@attrs.frozen
class Ignored:
    """
    A message that means nothing to us. ``reason`` is a short phrase for the log.
    """

    reason: str


PageMessage = Hello | Events | CommandResult | Ignored


class _EventMessage(msgspec.Struct, tag_field="kind", tag="event"):
    event: WireEvent


class _EventsMessage(msgspec.Struct, tag_field="kind", tag="events"):
    events: list[WireEvent]


class _ResultMessage(msgspec.Struct, tag_field="kind", tag="command_result"):
    id: str
    ok: bool
    result: Any = None
    error: Annotated[str, msgspec.Meta(max_length=COMMAND_ERROR_CHARS)] = ""
    code: str | None = None
    recovery: str = ""
    details: dict[str, Any] | None = None


_decode_message = msgspec.json.Decoder(_EventMessage | _EventsMessage | _ResultMessage).decode
_decode_any = msgspec.json.Decoder(float_hook=float).decode  # 1e400 becomes infinity, not an error
_encode = msgspec.json.Encoder().encode

# Either all there is up to the next lone surrogate (group 1): plain text, good surrogate pairs, other
# escapes; one match, however many escapes it holds. Or that lone surrogate.
_UP_TO_LONE = re.compile(
    rb"((?:[^\\]++"
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\(?!u[dD][89a-fA-F][0-9a-fA-F]{2}).)++)"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}",
    re.DOTALL,
)


def parse_message(payload: bytes) -> PageMessage:
    """
    Read one text message of a page. Never raises.
    """
    try:
        message = _decode_message(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _parse_forgivingly(payload)
    if isinstance(message, _EventMessage):
        return Events((message.event,))
    if isinstance(message, _EventsMessage):
        return Events(message.events)
    return CommandResult(
        CommandId(message.id),
        message.ok,
        message.result,
        message.error,
        message.code,
        message.recovery,
        message.details,
    )


def read_data(raw: bytes) -> dict[str, object]:
    """
    Decode an event's data. What is not an object stands under ``value``, so that a marker such as
    ``[UNSERIALIZABLE]`` in its place is still seen.
    """
    try:
        value = _decode_any(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
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


def encode_command(command_id: CommandId, name: str, args: msgspec.Raw) -> bytes:
    """
    The text message of one command.
    """
    return _encode({"kind": "command", "id": command_id, "name": name, "args": args})


def mend_surrogates(payload: bytes) -> bytes:
    """
    Put U+FFFD in place of lone surrogate escapes, which RFC 8259 §8.2 allows and no UTF-8 text can hold.
    """
    return _UP_TO_LONE.sub(lambda match: match[1] or rb"\ufffd", payload)


def _parse_forgivingly(payload: bytes) -> PageMessage:
    message = _decode_forgivingly(payload)
    if not isinstance(message, dict):
        return Ignored("not a JSON object")
    match message.get("kind"):
        case "hello":
            return _read_hello(message)
        case "event":
            return _read_events([message.get("event")])
        case "events" if isinstance(message.get("events"), list):
            return _read_events(message["events"])
        case "command_result" if isinstance(message.get("id"), str):
            return _read_result(message)
        case _:
            return Ignored("unknown kind")


def _decode_forgivingly(payload: bytes) -> object:
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_any(payload)
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_any(mend_surrogates(payload))
    return None


def _read_hello(message: Mapping[str, object]) -> Hello:
    version = message.get("protocolVersion")
    token, depth = message.get("token"), message.get("frameDepth")
    return Hello(
        protocol_version=version if type(version) is int else 0,
        session_id=_text(message.get("sessionId"), SESSION_ID_CHARS) or "",
        url=_text(message.get("url"), URL_CHARS) or "",
        title=_text(message.get("title"), TITLE_CHARS) or "",
        own_script=message.get("script") == OWN_SCRIPT,
        document_id=_document(message.get("documentId")),
        project_id=_text(message.get("projectId"), SESSION_ID_CHARS) or None,
        adapters=_texts(message.get("adapters"), ADAPTERS, SESSION_ID_CHARS),
        has_capabilities=message.get("hasCapabilities") is True,
        script_version=_text(message.get("sdkVersion"), SESSION_ID_CHARS),
        script_hash=_text(message.get("contract"), SESSION_ID_CHARS),
        frame_depth=depth if type(depth) is int and depth > 0 else 0,
        ancestors=_texts(message.get("ancestors"), ANCESTORS, URL_CHARS),
        token=Secret(token) if isinstance(token, str) else None,
    )


def _read_events(members: list[Any]) -> Events:
    events = [event for event in map(_read_event, members) if event is not None]
    return Events(events, malformed=len(members) - len(events))


def _read_event(member: object) -> WireEvent | None:
    if not isinstance(member, dict):
        return None
    event_type = _text(member.get("type"), EVENT_TYPE_CHARS)
    if not event_type:
        return None
    seq, time, edits = member.get("seq"), member.get("t"), member.get("editEpoch")
    return WireEvent(
        type=event_type,
        data=msgspec.Raw(_encode(member.get("data", {}))),
        ref=_text(member.get("ref"), REF_CHARS),
        page_seq=seq if type(seq) is int else None,
        page_time=float(time) if isinstance(time, int | float) else None,
        document_id=_document(member.get("documentId")),
        edit_epoch=edits if type(edits) is int else None,
    )


def _read_result(message: Mapping[str, Any]) -> CommandResult:
    details = message.get("details")
    return CommandResult(
        CommandId(message["id"]),
        message.get("ok") is True,
        message.get("result"),
        _text(message.get("error"), COMMAND_ERROR_CHARS) or "",
        _text(message.get("code"), EVENT_TYPE_CHARS),
        _text(message.get("recovery"), COMMAND_ERROR_CHARS) or "",
        details if isinstance(details, dict) else None,
    )


def _text(value: object, limit: int) -> str | None:
    return value[:limit] if isinstance(value, str) else None


def _texts(value: object, count: int, limit: int) -> tuple[str, ...]:
    members = value[:count] if isinstance(value, list) else []
    return tuple(text for text in (_text(each, limit) for each in members) if text is not None)


def _document(value: object) -> DocumentId | None:
    text = _text(value, DOCUMENT_ID_CHARS)
    return DocumentId(text) if text else None
