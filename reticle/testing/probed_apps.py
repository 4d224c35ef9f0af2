"""
One small app behind each of the probe's adapters, driven in this process without a socket.

A test says what the app answers and gets what a browser would have got, over WSGI, ASGI and Twisted alike.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

import attrs
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Site

from reticle.probe.asgi import ASGIMiddleware
from reticle.probe.script import Script
from reticle.probe.twisted import ProbedResource
from reticle.probe.wsgi import WSGIMiddleware

Headers = list[tuple[str, str]]
DOCUMENT = {"Host": "localhost:8000", "Accept": "text/html", "Sec-Fetch-Dest": "document"}
"""What a browser sends when a person goes somewhere."""


@attrs.frozen
class Ask:
    """
    A request; header names as written.
    """

    path: str = "/"
    method: str = "GET"
    headers: Mapping[str, str] = attrs.field(factory=lambda: dict(DOCUMENT))
    peer: str = "127.0.0.1"
    out: list[bytes] = attrs.field(factory=list)
    """Gets the chunks of the body as they come, also where the app breaks off."""


@attrs.frozen
class Say:
    """
    What the app answers. ``breaks`` is raised behind the last chunk.
    """

    chunks: tuple[bytes, ...] = (b"<!doctype html><html><head><title>T</title></head><body>B</body></html>",)
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),)
    status: int = 200
    breaks: Exception | None = None

    @classmethod
    def html(cls, *chunks: bytes, **headers: str) -> Say:
        """
        A document in chunks; ``content_type`` and other headers by name.
        """
        told = {"content_type": "text/html; charset=utf-8", **headers}
        return cls(chunks, tuple((name.replace("_", "-").title(), value) for name, value in told.items()))

    @property
    def body(self) -> bytes:
        """
        All of it.
        """
        return b"".join(self.chunks)


@attrs.frozen
class Reply:
    """
    What came out: header names in lower case, several values of one joined by a comma.
    """

    status: int
    headers: Mapping[str, str]
    chunks: tuple[bytes, ...]
    seen: Mapping[str, str]
    """The request's headers as the app saw them, in lower case; empty where it was not asked."""

    @property
    def body(self) -> bytes:
        """
        All of it.
        """
        return b"".join(self.chunks)


App = Callable[[Mapping[str, str]], Say]
"""Takes the request's headers, in lower case."""


class FixedScript:
    """
    Takes the place of ``reticle.probe.script.copy``.
    """

    def __init__(self, script: Script | None = None) -> None:
        self.script = script

    def current(self) -> Script | None:
        """
        As there.
        """
        return self.script

    def kept(self) -> Script | None:
        """
        As there.
        """
        return self.script

    def watch(self) -> None:
        """
        Nothing to watch.
        """


SCRIPT = Script(b"/* the script */", "0123456789abcdef", "ws://127.0.0.1:4400/reticle", '"tag"')


def over_wsgi(app: App, ask: Ask) -> Reply:
    """
    Drive the app as a WSGI server does: the iterable is closed whatever happens.
    """
    seen: dict[str, str] = {}

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        seen.update(
            {
                name[5:].lower().replace("_", "-"): value
                for name, value in environ.items()
                if name[:5] == "HTTP_"
            }
        )
        said = app(seen)
        start_response(f"{said.status} Said", list(said.headers))
        if len(said.chunks) == 1 and said.breaks is None:
            return list(said.chunks)
        return _generated(said)

    environ = {
        "REQUEST_METHOD": ask.method, "PATH_INFO": ask.path, "QUERY_STRING": "", "REMOTE_ADDR": ask.peer,
        "wsgi.url_scheme": "http",
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in ask.headers.items()},
    }  # fmt: skip
    started: list[tuple[str, Headers]] = []

    def start(*told: Any) -> Any:
        started.append(told[:2])

    body = WSGIMiddleware(application)(environ, start)
    chunks: list[bytes] = []
    try:
        for chunk in body:
            assert started, "a chunk before start_response"
            chunks.append(chunk)
            ask.out.append(chunk)
    finally:
        if hasattr(body, "close"):
            body.close()
    status, headers = started[-1]
    return Reply(int(status[:3]), _joined(headers), tuple(chunks), seen)


def _generated(said: Say) -> Any:
    yield from said.chunks
    if said.breaks is not None:
        raise said.breaks


def over_asgi(app: App, ask: Ask) -> Reply:
    """
    Drive the app as an ASGI server does.
    """
    seen: dict[str, str] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        del receive
        seen.update({name.decode(): value.decode("latin-1") for name, value in scope["headers"]})
        said = app(seen)
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in said.headers]
        await send({"type": "http.response.start", "status": said.status, "headers": raw})
        for number, chunk in enumerate(said.chunks):
            more = said.breaks is not None or number + 1 < len(said.chunks)
            await send({"type": "http.response.body", "body": chunk, "more_body": more})
        if said.breaks is not None:
            raise said.breaks
        if not said.chunks:
            await send({"type": "http.response.body"})

    scope = {
        "type": "http", "method": ask.method, "path": ask.path, "query_string": b"", "client": (ask.peer, 1),
        "scheme": "http", "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in ask.headers.items()],
    }  # fmt: skip
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)
        ask.out.append(message.get("body", b""))

    run(ASGIMiddleware(application)(scope, receive, send))
    start, *bodies = sent
    headers = [(name.decode(), value.decode("latin-1")) for name, value in start["headers"]]
    return Reply(start["status"], _joined(headers), tuple(part.get("body", b"") for part in bodies), seen)


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """
    Run what never waits for anything outside.
    """
    with suppress(StopIteration):
        coroutine.send(None)
        raise AssertionError("it waits")


class _SayingResource(Resource):
    isLeaf = True

    def __init__(self, app: App) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self.app = app
        self.seen: dict[str, str] = {}

    def render(self, request: Any) -> Any:
        """
        Say it.
        """
        for name, values in request.requestHeaders.getAllRawHeaders():
            self.seen[name.decode().lower()] = values[0].decode("latin-1")
        said = self.app(self.seen)
        request.setResponseCode(said.status)
        for name, value in said.headers:
            request.responseHeaders.addRawHeader(name, value)
        for chunk in said.chunks:
            request.write(chunk)
        if said.breaks is not None:
            raise said.breaks
        request.finish()
        return NOT_DONE_YET


class _Root(Resource):
    def __init__(self, leaf: Resource) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._leaf = leaf

    def getChildWithDefault(self, name: bytes, request: Any) -> Any:
        """
        One leaf for every path.
        """
        del name, request
        return self._leaf


class _SilentSite(Site):
    def log(self, request: Any) -> None:
        """
        Nowhere.
        """


def over_twisted(app: App, ask: Ask) -> Reply:
    """
    Drive the app as twisted.web does, from the bytes of a request to those of its answer.
    """
    leaf = _SayingResource(app)
    text = through_site(ProbedResource(_Root(leaf)), ask)
    return parsed(text, leaf.seen, has_body=ask.method != "HEAD")


def through_site(resource: Any, ask: Ask) -> bytes:
    """
    The bytes that a site of this resource answers.
    """
    transport = StringTransport(peerAddress=IPv4Address("TCP", ask.peer, 1))
    site_of(resource, ask, transport)
    return bytes(transport.value())


def site_of(resource: Any, ask: Ask, transport: StringTransport) -> Any:
    """
    The channel of a site of this resource, once it was asked; what comes later goes to the transport too.
    """
    site: Any = _SilentSite(resource, reactor=Clock())  # type: ignore[no-untyped-call]  # Twisted's
    channel = site.buildProtocol(IPv4Address("TCP", ask.peer, 1))
    channel.makeConnection(transport)
    rows = [f"{ask.method} {ask.path} HTTP/1.1", *(f"{name}: {value}" for name, value in ask.headers.items())]
    channel.dataReceived("\r\n".join([*rows, "Connection: close", "", ""]).encode("latin-1"))
    return channel


def parsed(text: bytes, seen: Mapping[str, str], *, has_body: bool = True) -> Reply:
    """
    An answer as it came off the wire.
    """
    head, _, rest = text.partition(b"\r\n\r\n")
    first, *rows = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (row.partition(":") for row in rows)]
    chunks: list[bytes] = []
    if ("Transfer-Encoding", "chunked") in headers and has_body:
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            chunks.append(rest[: int(size, 16)])
            rest = rest[int(size, 16) + 2 :]
    else:
        chunks.append(rest)
    return Reply(int(first.split(" ")[1]), _joined(headers), tuple(chunks), seen)


def _joined(headers: Headers) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        lowered = name.lower()
        joined[lowered] = f"{joined[lowered]}, {value}" if lowered in joined else value
    return joined


SERVERS = {"wsgi": over_wsgi, "asgi": over_asgi, "twisted": over_twisted}
"""Each way of driving an app, by its name."""
