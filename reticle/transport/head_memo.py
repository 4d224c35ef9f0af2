"""
What was read off a request's head, kept for the next request whose head is the same bytes.

In the fast lane a client's requests mostly differ in their bodies alone (``fast_lane_head``). What depends on
nothing but the head and the peer is then worked out once per connection; elsewhere each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from twisted.web.iweb import IRequest

T = TypeVar("T")


def head_memo(request: IRequest) -> dict[object, Any] | None:
    """
    Where to keep it, or None where nothing is kept.
    """
    memo: dict[object, Any] | None = getattr(request, "head_memo", None)
    return memo


def of_head(request: IRequest, read: Callable[[IRequest], T]) -> T:
    """
    What ``read`` makes of the head: a function of a module that looks at nothing else of the request.
    """
    memo = head_memo(request)
    if memo is None:
        return read(request)
    found: T | None = memo.get(read)
    if found is None:
        found = memo[read] = read(request)
    return found
