"""
The words of the Chrome DevTools Protocol: one command out, one answer or event in.

Only what we read of a message is declared; unknown fields are skipped.
Source: the protocol's own JSON tables (``browser_protocol.json`` and ``js_protocol.json``).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from reticle.browser.framing import Oversized

T = TypeVar("T")

_ANSWER: Final = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d+)')
_EVENT: Final = re.compile(rb'\s*\{\s*"method"\s*:\s*"([A-Za-z.]+)"')


class Nothing(msgspec.Struct, frozen=True):
    """
    An answer of which nothing is read.
    """


class Fault(msgspec.Struct, frozen=True):
    """
    Why a command was not done, in the browser's words.
    """

    message: str = ""
    code: int = 0


class Answer(msgspec.Struct, Generic[T], frozen=True):
    """
    What came back for a command.
    """

    id: int
    result: T | None = None
    error: Fault | None = None


class Event(msgspec.Struct, frozen=True):
    """
    What the browser tells unasked; ``sessionId`` is empty for the browser itself.
    """

    params: msgspec.Raw = msgspec.Raw(b"{}")
    sessionId: str = ""


class Head(msgspec.Struct, frozen=True):
    """
    Which kind of message one is, where its first bytes do not tell.
    """

    id: int | None = None
    method: str = ""


def encode_command(number: int, method: str, params: Mapping[str, object], session_id: str) -> bytes:
    """
    One command, without the byte that ends it on a pipe.
    """
    message: dict[str, object] = {"id": number, "method": method, "params": params}
    if session_id:
        message["sessionId"] = session_id
    return msgspec.json.encode(message)


def head_of(message: bytes | Oversized) -> Head:
    """
    What kind of message it is, mostly without decoding it; an empty head for what is no message.
    """
    start = message.head if isinstance(message, Oversized) else message
    if answer := _ANSWER.match(start):
        return Head(id=int(answer[1]))
    if event := _EVENT.match(start):
        return Head(method=event[1].decode())
    if isinstance(message, Oversized):
        return Head()
    try:
        return msgspec.json.decode(message, type=Head)
    except msgspec.MsgspecError:
        return Head()


def decode_answer(message: bytes, kind: type[T]) -> Answer[T]:
    """
    An answer whose result is of that kind.

    Raises:
        msgspec.MsgspecError: It is not.
    """
    answer: Answer[T] = _decoder(kind).decode(message)  # type: ignore[arg-type]  # a type is hashable
    return answer


def decode_event(message: bytes) -> Event:
    """
    An event with its parameters as they came.

    Raises:
        msgspec.MsgspecError: It is none.
    """
    return msgspec.json.decode(message, type=Event)


@functools.cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Answer[kind])  # type: ignore[valid-type]  # a type made at run time
