"""
What a client carries for us from one round of questions to the next, sealed so that it cannot change it.

The seal binds the state to who called, what was called with which arguments, and a time; inside are only
the client's own answers of earlier rounds, so nothing is secret (MCP 2026-07-28 "Multi round-trip requests").
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
import msgspec

from reticle.errors import PeerFault
from reticle.mcp.strict_json import encode
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import REQUEST_STATE_CHARS, REQUEST_STATE_SECONDS

_FORM: Final = 1
_CONTEXT: Final = b"reticle request state\n"


class _Payload(msgspec.Struct, forbid_unknown_fields=True):
    form: int
    principal: str
    call: str
    until: int
    answers: dict[str, Any]


_PAYLOAD: Final = msgspec.json.Decoder(_Payload)


@attrs.frozen
class BoundTo:
    """
    What a state is good for: one principal's request of one method, name and arguments.
    """

    principal: str
    method: str
    name: str
    arguments: bytes

    @property
    def digest(self) -> str:
        """
        Names the request without repeating its arguments, whose spelling a client may change between rounds.
        """
        parts = (self.method.encode(), self.name.encode("utf-8", "replace"), _one_spelling(self.arguments))
        sealed = hashlib.sha256()
        for part in parts:
            sealed.update(b"%d:%b," % (len(part), part))
        return sealed.hexdigest()


class RequestStates:
    """
    Seals and opens states.

    Args:
        key: Gives at least 32 random bytes, once a state is to be sealed; states of another key are refused.
    """

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def seal(self, bound: BoundTo, answers: Mapping[str, object], now: float) -> str:
        """
        The text that a client sends back with its next round; ``now`` is seconds since the epoch.

        Raises:
            PeerFault: ``bad_params``; the answers are too long to be carried to and fro.
        """
        until = int(now) + REQUEST_STATE_SECONDS
        payload = encode(_Payload(_FORM, bound.principal, bound.digest, until, dict(answers)))
        sealed = f"{_text(payload)}.{_text(self._mac(payload))}"
        if len(sealed) > REQUEST_STATE_CHARS:
            raise PeerFault(
                FaultCode.BAD_PARAMS,
                f"the answers make a state of {len(sealed)} characters, {REQUEST_STATE_CHARS} are the most",
                JsonRpcCode.INVALID_PARAMS,
            )
        return sealed

    def unseal(self, state: object, bound: BoundTo, now: float) -> Mapping[str, object]:
        """
        The answers of earlier rounds.

        Raises:
            PeerFault: ``state_invalid``, in the same words whatever is wrong: the caller learns nothing from
                it. Calling without a state begins anew.
        """
        payload = self._opened(state)
        if payload is None:
            raise _refused("not sealed by us")
        if payload.until <= now:
            raise _refused("too old")
        if (payload.form, payload.principal, payload.call) != (_FORM, bound.principal, bound.digest):
            raise _refused("of another request")
        return payload.answers

    def _opened(self, state: object) -> _Payload | None:
        if not isinstance(state, str) or len(state) > REQUEST_STATE_CHARS:
            return None
        sealed, _, mac = state.partition(".")
        payload = _octets(sealed)
        given = _octets(mac)
        if payload is None or given is None or not hmac.compare_digest(given, self._mac(payload)):
            return None
        try:
            return _PAYLOAD.decode(payload)
        except msgspec.MsgspecError:
            return None

    def _mac(self, payload: bytes) -> bytes:
        return hmac.digest(self._key(), _CONTEXT + payload, "sha256")


def _refused(reason: str) -> PeerFault:
    """
    The reason is a note, for our log alone.
    """
    fault = PeerFault(
        FaultCode.STATE_INVALID,
        "this requestState is not valid for this request; send the request without it to begin anew",
        JsonRpcCode.INVALID_PARAMS,
    )
    fault.add_note(reason)
    return fault


def _one_spelling(arguments: bytes) -> bytes:
    """
    JSON without the order of keys and white space; what is no JSON stays as it is, the gate refuses it.
    """
    try:
        return msgspec.json.encode(msgspec.json.decode(arguments), order="sorted")
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return arguments


def _text(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).decode()


def _octets(text: str) -> bytes | None:
    """
    Canonical base64 only, so that every change of a state is a change of what it says.
    """
    try:
        octets = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return octets if _text(octets) == text else None
