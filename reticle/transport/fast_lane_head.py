"""
The head of a plain POST, read at once and strictly: what this does not take goes the ordinary way.

Strict means: nothing that ``twisted.web`` reads in more than one way or refuses. Both roads read the headers
into the same ``Headers``, so whatever judges a request judges the same.
"""

from __future__ import annotations

import re
from typing import Any, Final

import attrs
from twisted.web.http import parse_qs
from twisted.web.http_headers import Headers

from reticle.model.limits import FAST_HEAD_BYTES, HTTP_BODY_BYTES

_TOKEN: Final = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_HEAD: Final = re.compile(
    # Absolute paths without dots, escapes and doubled slashes; then a query without a blank.
    rb"POST (?P<path>(?:/[A-Za-z0-9_-]+)+/?)(?:\?(?P<query>[!-\"$-~]*))? HTTP/1\.1\r\n"
    rb"(?P<lines>(?:" + _TOKEN + rb":[ -~]*+\r\n)+)\r\n"
)
_LINE: Final = re.compile(rb"([^:\r\n]+):[ ]*([!-~](?:[ -~]*[!-~])?)?[ ]*\r\n")

_LENGTH: Final = b"content-length"
_NOT_PLAIN: Final = frozenset({b"transfer-encoding", b"expect", b"upgrade", b"te", b"trailer"})
"""Headers by which more happens than one answer to one body."""


@attrs.frozen(eq=False)
class PlainHead:
    """
    What the head says. ``raw`` is the head with its empty line.

    One value may serve any number of requests whose heads are the same bytes: nobody changes ``headers``.
    ``size`` is its length. ``memo`` is for ``head_memo``.
    """

    raw: bytes
    size: int
    body_size: int
    uri: bytes
    path: bytes
    segments: tuple[bytes, ...]
    args: dict[bytes, list[bytes]]
    headers: Headers
    memo: dict[object, Any] = attrs.field(factory=dict)


def read_plain_head(data: bytes) -> PlainHead | None:
    """
    The head that ``data`` begins with, or None when it is not whole, not a POST or not plain.
    """
    found = _HEAD.match(data, 0, FAST_HEAD_BYTES)
    if found is None:
        return None
    headers = Headers()
    length: bytes | None = None
    for name, value in _LINE.findall(found["lines"]):
        lowered = name.lower()
        if lowered == _LENGTH:
            if length is not None or not value.isdigit():
                return None
            length = value
        elif lowered in _NOT_PLAIN or (lowered == b"connection" and value.lower() != b"keep-alive"):
            return None
        headers.addRawHeader(name, value)
    if length is None or not 0 < len(length) <= len(b"%d" % HTTP_BODY_BYTES):
        return None
    body_size = int(length)
    if not 0 < body_size <= HTTP_BODY_BYTES:
        return None
    path, query = found["path"], found["query"]
    return PlainHead(
        raw=found[0],
        size=found.end(),
        body_size=body_size,
        uri=path if query is None else path + b"?" + query,
        path=path,
        segments=tuple(path[1:].split(b"/")),
        args={} if query is None else parse_qs(query, True),
        headers=headers,
    )
