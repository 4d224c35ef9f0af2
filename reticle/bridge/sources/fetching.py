"""
Getting a script or a map over HTTP, as the page's own browser got it: bounded in bytes and time, no
redirects, no cookies, nothing kept open. Loaded when the first script is read, because it brings treq and
OpenSSL.
"""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlsplit

from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from twisted.web.client import Agent, HTTPConnectionPool, ResponseDone
from twisted.web.http_headers import Headers
from twisted.web.iweb import IAgent

from reticle.bridge.sources.atlas import Fetch, Fetched, UnreadableError

_LOCAL = ".localhost"


def fetch_over_http(reactor: Any) -> Fetch:
    """
    A ``Fetch`` over the network. Which addresses may be asked is for the caller to say.
    """
    pool = HTTPConnectionPool(reactor, persistent=False)
    return fetch_with(Agent(reactor, connectTimeout=2, pool=pool))


def fetch_with(agent: IAgent) -> Fetch:
    """
    The same by an agent of the caller's.
    """
    from treq.client import HTTPClient  # noqa: PLC0415 - when the first script is read

    client = HTTPClient(agent)

    async def fetch(address: str, most_bytes: int) -> Fetched:
        asked, headers = _by_name(address)
        try:
            response = await client.get(asked, headers=headers, allow_redirects=False, unbuffered=True)
            body = await _read(response, most_bytes)
        except UnreadableError:
            raise
        except Exception as fault:
            raise UnreadableError(f"{type(fault).__name__}: {fault}") from fault
        if response.code != 200:
            raise UnreadableError(f"HTTP {response.code}")
        return Fetched(body, _first(response, "SourceMap") or _first(response, "X-SourceMap"))

    return fetch


def _by_name(address: str) -> tuple[str, Headers]:
    """
    Browsers take every name below ``localhost`` for this machine (RFC 6761), resolvers do not.
    """
    parts = urlsplit(address)
    if not (parts.hostname or "").rstrip(".").endswith(_LOCAL):
        return address, Headers()
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"localhost{port}").geturl(), Headers({"Host": [parts.netloc]})


def _first(response: Any, name: str) -> str | None:
    values = response.headers.getRawHeaders(name) or [None]
    value = values[0]
    return value if value is None or isinstance(value, str) else value.decode("latin-1")


def _read(response: Any, most_bytes: int) -> Deferred[bytes]:
    body = _Body(most_bytes)
    response.deliverBody(body)
    return body.finished


class _Body(Protocol):
    """
    A response's body, which ends the connection when it is too long or nobody wants it any more.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._parts = io.BytesIO()
        self.finished: Deferred[bytes] = Deferred(lambda _: self._abort())

    def dataReceived(self, data: bytes) -> None:
        if self._parts.tell() + len(data) > self._most_bytes:
            self._abort()
            self._end(UnreadableError(f"more than {self._most_bytes} bytes"))
        else:
            self._parts.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        whole = reason.check(ResponseDone) is not None
        self._end(self._parts.getvalue() if whole else UnreadableError(f"it broke off: {reason.value}"))

    def _end(self, result: bytes | Exception) -> None:
        if self.finished.called:
            return
        if isinstance(result, bytes):
            self.finished.callback(result)
        else:
            self.finished.errback(result)

    def _abort(self) -> None:
        transport = self.transport
        end = getattr(transport, "abortConnection", None) or getattr(transport, "loseConnection", None)
        if end is not None:
            end()
