"""
The parameters of each method of 2026-07-28, by type. Unknown fields are ignored.

Everything here raises ``PeerFault`` ``bad_params``: the same request will fail again.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import attrs
import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.mcp.modern.envelope import Params, bad_params
from reticle.model.limits import LISTENED_NAMES, URL_CHARS

T = TypeVar("T")


class Reference(msgspec.Struct):
    """
    What is completed: a prompt by name or a resource template by URI.
    """

    type: str
    name: str | None = None
    uri: str | None = None


class CompletedArgument(msgspec.Struct):
    """
    The argument that is being typed.
    """

    name: str
    value: str


class _Context(msgspec.Struct):
    arguments: dict[str, str] = {}


class ListenFilter(msgspec.Struct):
    """
    What a client wants to hear of; absent kinds are not wanted.
    """

    toolsListChanged: bool = False
    promptsListChanged: bool = False
    resourcesListChanged: bool = False
    resourceSubscriptions: list[str] = []
    taskIds: list[str] = []


_REFERENCE: Final = msgspec.json.Decoder(Reference)
_ARGUMENT: Final = msgspec.json.Decoder(CompletedArgument)
_CONTEXT: Final = msgspec.json.Decoder(_Context)
_FILTER: Final = msgspec.json.Decoder(ListenFilter)
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])


@attrs.frozen
class Rounds:
    """
    What a client brings from earlier rounds: its new answers, and our state of the answers before.
    """

    responses: dict[str, Any]
    state: object | None


@attrs.frozen
class Completion:
    """
    What ``completion/complete`` asks for: an argument of the prompt or resource template ``name``, told apart
    by ``kind``; ``context`` are arguments that are settled already.
    """

    kind: str
    name: str
    argument: CompletedArgument
    context: dict[str, str]


def text_of(value: object, name: str) -> str:
    """
    A parameter that has to be a text.
    """
    if type(value) is not str:
        raise bad_params(f"{name} must be there and be a string")
    return value


def arguments_of(params: Params) -> bytes:
    """
    The arguments as JSON text; absent or null ones are ``{}``. What they say is for the gate.
    """
    raw = b"{}" if params.arguments is UNSET else bytes(params.arguments)
    return b"{}" if raw == b"null" else raw


def repository_of(params: Params) -> str | None:
    """
    The repository that stands beside the arguments of a call.
    """
    if params.repository_id is UNSET or params.repository_id is None:
        return None
    return text_of(params.repository_id, "repository_id")


def cursor_of(params: Params) -> str | None:
    """
    Where a list goes on; None for its beginning.
    """
    if params.cursor is UNSET or params.cursor is None:
        return None
    return text_of(params.cursor, "cursor")


def rounds_of(params: Params) -> Rounds:
    """
    Of the methods that may ask back.
    """
    responses: dict[str, Any] = {}
    if params.input_responses is not UNSET:
        responses = _decoded(_OBJECT, params.input_responses, "inputResponses")
    state = None if params.request_state is UNSET else params.request_state
    return Rounds(responses, state)


def completion_of(params: Params) -> Completion:
    """
    Of ``completion/complete``.
    """
    ref = _decoded(_REFERENCE, params.ref, "ref")
    match ref.type:
        case "ref/prompt":
            name = text_of(ref.name, "ref.name")
        case "ref/resource":
            name = text_of(ref.uri, "ref.uri")
        case _:
            raise bad_params("ref.type is ref/prompt or ref/resource")
    argument = _decoded(_ARGUMENT, params.argument, "argument")
    given = {} if params.context is UNSET else _decoded(_CONTEXT, params.context, "context").arguments
    return Completion(ref.type, name, argument, given)


def filter_of(params: Params) -> ListenFilter:
    """
    Of ``subscriptions/listen``.
    """
    wanted = _decoded(_FILTER, params.notifications, "notifications")
    for names in (wanted.resourceSubscriptions, wanted.taskIds):
        if len(names) > LISTENED_NAMES or any(len(name) > URL_CHARS for name in names):
            raise bad_params(
                f"one listener may name {LISTENED_NAMES} of each kind, none over {URL_CHARS} characters"
            )
    return wanted


def responses_of(params: Params) -> dict[str, Any]:
    """
    Of ``tasks/update``, where they have to be there.
    """
    return _decoded(_OBJECT, params.input_responses, "inputResponses")


def _decoded(decoder: msgspec.json.Decoder[T], raw: Raw | UnsetType, name: str) -> T:
    if raw is UNSET:
        raise bad_params(f"{name} must be there")
    try:
        return decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise bad_params(f"{name}: {failure}") from None
