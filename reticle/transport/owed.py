"""
Which requests of a batch are without an answer (MCP 2025-03-26 "Batching": one response for each request).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Request, RequestId, parse


class _Answer(msgspec.Struct):
    id: Any = None


_ANSWER = msgspec.json.Decoder(_Answer)


def is_batch(body: bytes) -> bool:
    """
    Whether a body is an array.
    """
    return body[:1] != b"{" and body.lstrip()[:1] == b"["


def owed_ids(body: bytes, answers: Iterable[bytes]) -> Sequence[RequestId]:
    """
    The ids of the requests of a batch that none of the answers has, in their order. An id that stands there
    twice needs two answers.
    """
    try:
        messages = parse(body)
    except PeerFault:
        return []  # answered as a whole
    if not isinstance(messages, tuple):
        return []
    # The types count too: 1 and "1" are two ids.
    given = Counter((type(found), found) for found in (_ANSWER.decode(answer).id for answer in answers))
    owed: list[RequestId] = []
    for message in messages:
        if isinstance(message, Request):
            known = (type(message.request_id), message.request_id)
            if given[known]:
                given[known] -= 1
            else:
                owed.append(message.request_id)
    return owed
