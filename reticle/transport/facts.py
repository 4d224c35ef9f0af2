"""
What a request tells the trust rule: the one place where headers become ``TrustFacts``.

Used by the guard for every HTTP route and by the page socket for the WebSocket upgrade.
Forwarding headers are not read: whoever may set them may set anything.
"""

from __future__ import annotations

from twisted.internet.address import UNIXAddress
from twisted.web.iweb import IRequest

from reticle.domain.tokens import PREFIX
from reticle.model.trust import TrustFacts

TOKEN_PARAMETER = b"token"
"""The query parameter that may carry the pairing token where a client cannot set headers."""

_CAPABILITY_TOKEN = PREFIX.encode("ascii")


def trust_facts(request: IRequest, *, query_token: bool) -> TrustFacts:
    """
    The facts of one request.

    Args:
        request: A request whose head has been read.
        query_token: Whether this route takes a token from the query (DESIGN §2: streams, message
            endpoints and the page socket); elsewhere the parameter is just a parameter. A capability token
            in the query is told everywhere, by whatever name, because it is refused everywhere.
    """
    return TrustFacts(
        peer=_peer(request),
        hosts=_values(request, "host"),
        origins=_values(request, "origin"),
        referers=_values(request, "referer"),
        authorizations=_values(request, "authorization"),
        tokens_in_query=_tokens(request, query_token=query_token),
        http_1_0=getattr(request, "clientproto", None) == b"HTTP/1.0",
    )


def _peer(request: IRequest) -> str | None:
    address = request.getClientAddress()
    if isinstance(address, UNIXAddress):
        return None
    # An address of an unknown kind has no host and so is not loopback.
    return str(getattr(address, "host", ""))


def _values(request: IRequest, name: str) -> tuple[str, ...]:
    values = request.requestHeaders.getRawHeaders(name.encode("ascii"), [])
    return tuple(value.decode("latin-1") for value in values)


def _tokens(request: IRequest, *, query_token: bool) -> tuple[str, ...]:
    values = list(request.args.get(TOKEN_PARAMETER, [])) if query_token else []
    # Encoded, it is one all the same.
    if _CAPABILITY_TOKEN in request.uri or b"%" in request.uri:
        values += [
            value
            for name, named in request.args.items()
            for value in (name, *named)
            if value.startswith(_CAPABILITY_TOKEN) and value not in values
        ]
    return tuple(value.decode("utf-8", "surrogateescape") for value in values)
