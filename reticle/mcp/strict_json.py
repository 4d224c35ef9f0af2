"""
JSON text that can be trusted: what comes in is checked before it costs anything, what goes out is one line.

``msgspec`` parses; this module adds what it leaves open for values that are kept as ``Raw``: UTF-8 and
nesting on the way in, line and paragraph separators and lone surrogates on the way out.
Sources: RFC 8259 §8.1, and the event stream format (HTML §9.2.6), whose readers in the field split at
every character that any of their string libraries calls a line end.
"""

from __future__ import annotations

import re
from array import array
from itertools import accumulate
from typing import Final

import msgspec

from reticle.errors import PeerFault
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import ERROR_TEXT_CHARS, JSON_DEPTH

_STRINGS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A text, or one that the body ends in. It matches at every quote, and that is what makes a search linear:
else each escaped quote of a text without an end would be tried as a beginning and read to the end."""
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
"""An opening bracket is one step down, a closing one a step up, as signed bytes."""
_ENCODER: Final = msgspec.json.Encoder()
_SEPARATORS: Final = (
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
    ("\u0085".encode(), b"\\u0085"),
)


def malformed(reason: str) -> PeerFault:
    """
    The fault of a body that is not JSON.
    """
    return PeerFault(FaultCode.MALFORMED_BODY, f"the body is not JSON: {reason}", JsonRpcCode.PARSE_ERROR)


def check_text(body: bytes) -> None:
    """
    Refuse text that is not UTF-8 or nests deeper than ``JSON_DEPTH``; the grammar is the parser's to check.

    Raises:
        PeerFault: ``malformed_body``.
    """
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError as failure:
            raise malformed(f"byte {failure.start} is not UTF-8") from None
    if body.count(b"[") + body.count(b"{") > JSON_DEPTH and _is_deep(body):
        raise malformed(f"it nests deeper than {JSON_DEPTH}")


def _is_deep(body: bytes) -> bool:
    """
    Whether brackets outside texts nest deeper than the limit; linear, at C speed.
    """
    steps = array("b", _STRINGS.sub(b"", body).translate(_STEPS, _NOT_BRACKETS))
    return max(accumulate(steps), default=0) > JSON_DEPTH


def encode(value: object) -> bytes:
    """
    One line of JSON without any character that a reader could take for a line end.

    A lone surrogate, which UTF-8 cannot carry, becomes U+FFFD; NaN and infinities become null.
    """
    try:
        line = _ENCODER.encode(value)
    except UnicodeEncodeError:
        line = _ENCODER.encode(_without_surrogates(value))
    if b"\n" in line or b"\r" in line:  # white space inside a Raw value that passes through
        line = line.replace(b"\r", b" ").replace(b"\n", b" ")
    if not line.isascii():
        for raw, escaped in _SEPARATORS:
            line = line.replace(raw, escaped)
    return line


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value


def shorten(text: str, limit: int = ERROR_TEXT_CHARS) -> str:
    """
    Text that fits: both ends stay, the middle is replaced by the number of characters left out.
    """
    if len(text) <= limit:
        return text
    half = max((limit - 40) // 2, 1)
    return f"{text[:half]} … {len(text) - 2 * half} characters left out … {text[-half:]}"
