"""
The WebSocket handshake of a page, by the library that knows the standard.
"""

from __future__ import annotations

from twisted.web.iweb import IRequest
from websockets.datastructures import Headers
from websockets.http11 import Request as Handshake
from websockets.http11 import Response
from websockets.server import ServerProtocol

from reticle.transport.resource import answer_text


def accept(request: IRequest) -> Response:
    """
    What RFC 6455 answers to an upgrade: 101, else why not.
    """
    return ServerProtocol().accept(_handshake(request))


def answer_no_handshake(request: IRequest, response: Response) -> bytes:
    """
    Say why not.
    """
    for name, value in response.headers.raw_items():
        if name in {"Upgrade", "Allow"}:
            request.setHeader(name.encode("ascii"), value.encode("latin-1"))
    body = answer_text(request, response.status_code, response.body.decode().strip())
    # ``twisted.web`` has no name for 426.
    request.setResponseCode(response.status_code, response.reason_phrase.encode("ascii"))
    return body


def _handshake(request: IRequest) -> Handshake:
    headers = Headers()
    for name, values in request.requestHeaders.getAllRawHeaders():
        for value in values:
            headers[name.decode("latin-1")] = value.decode("latin-1")
    protocol = getattr(request, "clientproto", b"HTTP/1.1").decode("latin-1")
    return Handshake("/reticle", headers, protocol=protocol)
