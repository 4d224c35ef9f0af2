"""
What is remembered of one request while it runs, and what is said about it when it ended.

The access log and the metrics read the same ``RequestRecord``; neither it nor they ever hold a query
value, a header or a body, so no token and no session id can reach a log (field reports AU-03).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from twisted.web.iweb import IRequest

from reticle.errors import LocalMisuse
from reticle.model.codes import Carrier
from reticle.model.trust import Principal

UNROUTED = "unrouted"
"""The route of a request for which there is no resource; labels of metrics stay few this way."""


class RequestTrace(msgspec.Struct):
    """
    What resources learn about a request on its way.

    ``route`` is the name of the resource, never the path that was sent.
    """

    began: float = 0.0
    route: str = UNROUTED
    principal: Principal | None = None
    carrier: Carrier | None = None
    refused: str | None = None


class RequestRecord(msgspec.Struct, frozen=True):
    """
    One ended request.

    ``path`` is cut, printable and without its query; ``aborted`` means that the peer went before the answer
    was complete, which is how most streams end.
    """

    method: str
    path: str
    route: str
    status: int
    duration_seconds: float
    principal: str
    carrier: str
    refused: str | None
    aborted: bool


RequestObserver = Callable[[RequestRecord], None]
"""Told of each request that ended; must not raise."""


def trace_of(request: IRequest) -> RequestTrace:
    """
    The trace of a request; made at once for a request of an embedding application's own ``Site``.
    """
    trace: RequestTrace | None = getattr(request, "trace", None)
    if type(trace) is not RequestTrace:
        trace = RequestTrace()
        request.trace = trace  # type: ignore[attr-defined]  # our own attribute on a foreign request
    return trace


def principal_of(request: IRequest) -> Principal:
    """
    Who the guard let in.

    Raises ``LocalMisuse`` when no guard has seen the request: there is no second road (DESIGN §3).
    """
    principal = trace_of(request).principal
    if principal is None:
        raise LocalMisuse("a resource that speaks for someone stands behind no guard")
    return principal
