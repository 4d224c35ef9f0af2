"""
The second road of reading a page message: for what the one fast decode refuses.

Over-long fields are cut, wrong types are left out, lone surrogates (which ``JSON.stringify`` does write) are
mended, and of a batch only what is no event is lost. Values stay undecoded until their kind and their size
are known, so that whatever a page sends takes a small part of a second.
"""

from __future__ import annotations

import re
from contextlib import suppress

import msgspec

from reticle.bridge.wire_values import CommandResult, Events, Hello, Ignored, PageMessage, WireEvent
from reticle.model.ids import CommandId, DocumentId
from reticle.model.limits import (
    ADAPTERS,
    ANCESTORS,
    APP_INVARIANT_CHARS,
    APP_INVARIANTS,
    CAUSE_CHARS,
    COMMAND_ERROR_CHARS,
    DOCUMENT_ID_CHARS,
    EVENT_TYPE_CHARS,
    LONE_SURROGATES,
    MESSAGE_EVENTS,
    REF_CHARS,
    RESULT_VALUES,
    SESSION_ID_CHARS,
    TITLE_CHARS,
    URL_CHARS,
)
from reticle.model.trust import Secret

OWN_SCRIPT = "reticle"
_NOTHING = msgspec.Raw(b"null")
_NO_DATA = msgspec.Raw(b"{}")
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding can raise."""
NO_OBJECT = Ignored("not a JSON object", may_report=True)
_UNKNOWN = Ignored("unknown kind")
TOO_MANY = Ignored("too many events in one message", may_report=True)
TOO_LARGE = "the answer holds more values than the daemon reads at once"
_COMMAS = 20 * MESSAGE_EVENTS
"""So many in a list of events are no events of a page, and splitting it would hold the loop."""

_LIST_BYTES = 262_144
_SCALAR_BYTES = 64
"""A list of short texts (adapters, origins) or a number that is longer is none."""


class _Message(msgspec.Struct, rename="camel"):
    """
    Every field of every message, undecoded.
    """

    kind: msgspec.Raw = _NOTHING
    event: msgspec.Raw = _NOTHING
    events: msgspec.Raw = _NOTHING
    id: msgspec.Raw = _NOTHING
    ok: msgspec.Raw = _NOTHING
    result: msgspec.Raw = _NOTHING
    error: msgspec.Raw = _NOTHING
    code: msgspec.Raw = _NOTHING
    recovery: msgspec.Raw = _NOTHING
    details: msgspec.Raw = _NOTHING
    protocol_version: msgspec.Raw = _NOTHING
    script: msgspec.Raw = _NOTHING
    sdk_version: msgspec.Raw = _NOTHING
    contract: msgspec.Raw = _NOTHING
    session_id: msgspec.Raw = _NOTHING
    document_id: msgspec.Raw = _NOTHING
    project_id: msgspec.Raw = _NOTHING
    url: msgspec.Raw = _NOTHING
    title: msgspec.Raw = _NOTHING
    adapters: msgspec.Raw = _NOTHING
    has_capabilities: msgspec.Raw = _NOTHING
    frame_depth: msgspec.Raw = _NOTHING
    ancestors: msgspec.Raw = _NOTHING
    invariants: msgspec.Raw = _NOTHING
    token: msgspec.Raw = _NOTHING


class _Event(msgspec.Struct, rename="camel"):
    """
    Every field of an event, undecoded.
    """

    type: msgspec.Raw = _NOTHING
    data: msgspec.Raw = _NO_DATA
    ref: msgspec.Raw = _NOTHING
    seq: msgspec.Raw = _NOTHING
    t: msgspec.Raw = _NOTHING
    document_id: msgspec.Raw = _NOTHING
    edit_epoch: msgspec.Raw = _NOTHING
    cause: msgspec.Raw = _NOTHING


_split_message = msgspec.json.Decoder(_Message).decode
_split_event = msgspec.json.Decoder(_Event).decode
_split_list = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_event = msgspec.json.Decoder(WireEvent).decode
_decode_text = msgspec.json.Decoder(str).decode
decode_any = msgspec.json.Decoder(float_hook=float).decode  # 1e400 becomes infinity, not an error
"""Any JSON value; raises as ``UNREADABLE``."""

# Either all there is up to the next lone surrogate (group 1): plain text, good surrogate pairs, other
# escapes; one match, however many escapes it holds. Or that lone surrogate.
_UP_TO_LONE = re.compile(
    rb"((?:[^\\]++"
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\(?!u[dD][89a-fA-F][0-9a-fA-F]{2}).)++)"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}",
    re.DOTALL,
)


def parse_forgivingly(payload: bytes) -> PageMessage:
    """
    Read one text message of a page. Never raises.
    """
    message = _split(payload)
    if message is None:
        return NO_OBJECT
    match _text(message.kind, EVENT_TYPE_CHARS):
        case "hello":
            return _read_hello(message)
        case "event":
            return _read_events([message.event])
        case "events":
            return _read_batch(message.events)
        case "command_result" if (command_id := _text(message.id)) is not None:
            return _read_result(CommandId(command_id), message)
        case _:
            return _UNKNOWN


def decode_bounded(raw: msgspec.Raw) -> object:
    """
    Any value of a page. Raises ``OverflowError`` for so many values that decoding them would hold the loop.
    """
    text = bytes(raw)
    # Every value but the first stands behind one of these. Those inside of texts only make it more cautious.
    if len(text) > RESULT_VALUES and text.count(b",") + text.count(b":") > RESULT_VALUES:
        raise OverflowError("too many values")
    return decode_any(text)


def mend_surrogates(payload: bytes) -> bytes:
    """
    Put U+FFFD in place of lone surrogate escapes, which RFC 8259 §8.2 allows and no UTF-8 text can hold.
    More than ``LONE_SURROGATES`` are no text: what is behind them stays as it is and cannot be decoded.
    """
    return _UP_TO_LONE.sub(lambda match: match[1] or rb"\ufffd", payload, count=2 * LONE_SURROGATES)


def _split(payload: bytes) -> _Message | None:
    with suppress(*UNREADABLE):
        return _split_message(payload)
    if rb"\u" in payload:
        with suppress(*UNREADABLE):
            return _split_message(mend_surrogates(payload))
    return None


def _read_hello(message: _Message) -> Hello:
    token, depth = _text(message.token), _integer(message.frame_depth) or 0
    return Hello(
        protocol_version=_integer(message.protocol_version) or 0,
        session_id=_text(message.session_id, SESSION_ID_CHARS) or "",
        url=_text(message.url, URL_CHARS) or "",
        title=_text(message.title, TITLE_CHARS) or "",
        own_script=_text(message.script, SESSION_ID_CHARS) == OWN_SCRIPT,
        document_id=_document(message.document_id),
        project_id=_text(message.project_id, SESSION_ID_CHARS) or None,
        adapters=_texts(message.adapters, ADAPTERS, SESSION_ID_CHARS),
        has_capabilities=bytes(message.has_capabilities) == b"true",
        script_version=_text(message.sdk_version, SESSION_ID_CHARS),
        script_hash=_text(message.contract, SESSION_ID_CHARS),
        frame_depth=max(depth, 0),
        ancestors=_texts(message.ancestors, ANCESTORS, URL_CHARS),
        invariants=_texts(message.invariants, APP_INVARIANTS, APP_INVARIANT_CHARS),
        token=None if token is None else Secret(token),
    )


def _read_batch(batch: msgspec.Raw) -> Events | Ignored:
    if bytes(batch).count(b",") > _COMMAS:
        return TOO_MANY
    members = _members(batch)
    return _UNKNOWN if members is None else _read_events(members)


def _read_events(members: list[msgspec.Raw]) -> Events | Ignored:
    if len(members) > MESSAGE_EVENTS:
        return TOO_MANY
    events = [event for event in map(_read_event, members) if event is not None]
    return Events(events, malformed=len(members) - len(events))


def _read_event(member: msgspec.Raw) -> WireEvent | None:
    with suppress(*UNREADABLE):
        return _decode_event(member)
    try:
        event = _split_event(member)
    except UNREADABLE:
        return None
    event_type = _text(event.type, EVENT_TYPE_CHARS)
    if not event_type:
        return None
    time = _scalar(event.t)
    return WireEvent(
        type=event_type,
        data=event.data,
        ref=_text(event.ref, REF_CHARS),
        page_seq=_integer(event.seq),
        page_time=float(time) if isinstance(time, int | float) else None,
        document_id=_document(event.document_id),
        edit_epoch=_integer(event.edit_epoch),
        cause=_cause(event.cause),
    )


def _read_result(command_id: CommandId, message: _Message) -> CommandResult:
    try:
        result, details = decode_bounded(message.result), decode_bounded(message.details)
    except OverflowError:
        return CommandResult(command_id, ok=False, error=TOO_LARGE)
    return CommandResult(
        command_id,
        bytes(message.ok) == b"true",
        result,
        _text(message.error, COMMAND_ERROR_CHARS) or "",
        _text(message.code, EVENT_TYPE_CHARS),
        _text(message.recovery, COMMAND_ERROR_CHARS) or "",
        details if isinstance(details, dict) else None,
    )


def _text(raw: msgspec.Raw, limit: int | None = None) -> str | None:
    try:
        return _decode_text(raw)[:limit]
    except UNREADABLE:
        return None


def _scalar(raw: msgspec.Raw) -> object:
    try:
        return decode_any(raw) if len(bytes(raw)) <= _SCALAR_BYTES else None
    except UNREADABLE:
        return None


def _integer(raw: msgspec.Raw) -> int | None:
    value = _scalar(raw)
    return value if type(value) is int else None


def _members(raw: msgspec.Raw) -> list[msgspec.Raw] | None:
    try:
        return _split_list(raw)
    except UNREADABLE:
        return None


def _texts(raw: msgspec.Raw, count: int, limit: int) -> tuple[str, ...]:
    members = (_members(raw) or []) if len(bytes(raw)) <= _LIST_BYTES else []
    return tuple(text for text in (_text(each, limit) for each in members[:count]) if text is not None)


def _cause(raw: msgspec.Raw) -> str | None:
    """
    None for one that is too long: cut, it would name something else.
    """
    text = _text(raw)
    return text if text and len(text) <= CAUSE_CHARS else None


def _document(raw: msgspec.Raw) -> DocumentId | None:
    text = _text(raw, DOCUMENT_ID_CHARS)
    return DocumentId(text) if text else None
