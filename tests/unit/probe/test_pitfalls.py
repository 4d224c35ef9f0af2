"""
The pitfalls of the insertion for which each carrier has a way of its own: compressors inside the app, long
documents, clients that leave, files, and threads.

Which pitfall is tested where stands in ``pitfalls.py``.
"""

from __future__ import annotations

import asyncio
import contextvars
import gzip
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from twisted.internet import _producer_helpers
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock, Cooperator
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.resource import EncodingResourceWrapper, Resource
from twisted.web.server import NOT_DONE_YET, GzipEncoderFactory

from reticle.probe import context
from reticle.probe.asgi import ASGIMiddleware
from reticle.probe.twisted import ProbedResource
from reticle.probe.wsgi import WSGIMiddleware
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT, Ask, parsed, site_of, through_site

TITLE = b"<title>"
PAGE = b"<!doctype html><html><head><title>T</title></head><body>%s</body></html>" % (b"words " * 400)
HERE = IPv4Address("TCP", "127.0.0.1", 1)
SCRIPT = b'<script src="/__reticle__/sdk.js?v='
TAKES_GZIP = {**DOCUMENT, "Accept-Encoding": "gzip"}


class Leaf(Resource):
    """
    Answers with a function.
    """

    isLeaf = True

    def __init__(self, render: Callable[[Any], Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._render = render

    def render_GET(self, request: Any) -> Any:
        """
        GET.
        """
        return self._render(request)


# --- an app that compresses ----------------------------------------------------------------------


def compressed_by_wsgi(environ: dict[str, Any], start_response: Any) -> Any:
    """
    An app with a layer of its own that compresses for whoever takes it.
    """
    headers = [("Content-Type", "text/html; charset=utf-8")]
    if "gzip" not in environ.get("HTTP_ACCEPT_ENCODING", ""):
        start_response("200 OK", headers)
        return [PAGE]
    start_response("200 OK", [*headers, ("Content-Encoding", "gzip")])
    return [gzip.compress(PAGE)]


def over_wsgi() -> tuple[dict[str, str], bytes]:
    """
    Head and body of the answer.
    """
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": "/", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in TAKES_GZIP.items()},
    }  # fmt: skip
    told: list[Any] = []

    def start(*head: Any) -> Any:
        told.extend(head)

    body = WSGIMiddleware(compressed_by_wsgi)(environ, start)
    return {name.lower(): value for name, value in told[1]}, b"".join(body)


async def _page(_: Any) -> HTMLResponse:
    return HTMLResponse(PAGE)


def over_asgi() -> tuple[dict[str, str], bytes]:
    """
    The same of Starlette, whose own middleware compresses.
    """
    app = Starlette(routes=[Route("/", _page)])
    app.add_middleware(GZipMiddleware)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "client": ("127.0.0.1", 1),
        "scheme": "http", "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in TAKES_GZIP.items()],
    }  # fmt: skip
    asyncio.run(ASGIMiddleware(app)(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:])


def over_twisted() -> tuple[dict[str, str], bytes]:
    """
    The same of twisted.web, whose own wrapper compresses what its child answers.
    """
    packing = EncodingResourceWrapper(Leaf(lambda _: PAGE), [GzipEncoderFactory()])
    root = Resource()
    root.putChild(b"a", packing)
    reply = parsed(through_site(ProbedResource(root), Ask("/a", headers=TAKES_GZIP)), {})
    return dict(reply.headers), reply.body


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", [over_wsgi, over_asgi, over_twisted])
def test_an_app_that_compresses_is_asked_not_to(server: Callable[[], tuple[dict[str, str], bytes]]) -> None:
    """
    With real compressors inside, the page is whole, readable and has the tag.
    """
    headers, body = server()
    assert "content-encoding" not in headers
    assert body.count(SCRIPT) == 1
    assert body.index(SCRIPT) < body.index(TITLE)
    assert body.endswith(b"words </body></html>")
    assert headers.get("content-length", str(len(body))) == str(len(body))


def test_twisted_compressing_around_the_probe_stays_as_it_is(facts: KeptFacts) -> None:
    """
    A compressor that decided before the probe saw the request gets the app's bytes, and that is told.
    """
    inner = ProbedResource(Leaf(lambda _: PAGE))

    class Around(Resource):
        def getChildWithDefault(self, name: bytes, request: Any) -> Any:
            request._encoder = GzipEncoderFactory().encoderForRequest(request)
            return inner.getChildWithDefault(name, request)

    around = Around()  # type: ignore[no-untyped-call]  # Twisted's
    reply = parsed(through_site(around, Ask("/a", headers=TAKES_GZIP)), {})
    assert reply.headers["content-encoding"] == "gzip"
    assert gzip.decompress(reply.body) == PAGE
    assert [fact["reason"] for fact in facts.of("injection")] == ["encoded"]


# --- twisted.web ---------------------------------------------------------------------------------


class Counting(StringTransport):
    """
    A transport that keeps nothing, and knows how much went through and how much at most at once.
    """

    def __init__(self) -> None:
        super().__init__(peerAddress=HERE)  # type: ignore[no-untyped-call]  # Twisted's
        self.total = self.most = 0

    def write(self, data: bytes) -> None:
        """
        Count.
        """
        self.total += len(data)
        self.most = max(self.most, len(data))

    def writeSequence(self, iovec: Iterable[bytes]) -> None:
        """
        As one.
        """
        self.write(b"".join(iovec))


@pytest.mark.usefixtures("facts")
def test_a_hundred_megabytes_go_through_twisted_as_they_come() -> None:
    """
    Of a long document only its beginning waits.
    """
    transport, after = Counting(), []
    rest = b"x" * 65_536

    def render(request: Any) -> int:
        request.write(PAGE)
        for _ in range(1_600):
            before = transport.total
            request.write(rest)
            after.append(transport.total - before)
        request.finish()
        return NOT_DONE_YET

    site_of(ProbedResource(Leaf(render)), Ask("/a"), transport)
    assert min(after) >= len(rest)
    assert max(after) < len(rest) + 100
    assert transport.most < 2 * len(rest)


def test_a_client_that_leaves_twisted_is_told(facts: KeptFacts) -> None:
    """
    The app hears of it as before, and the request is no answered one.
    """
    heard: list[Any] = []

    def render(request: Any) -> int:
        request.notifyFinish().addErrback(heard.append)
        request.write(b"<p>")
        return NOT_DONE_YET

    channel = site_of(ProbedResource(Leaf(render)), Ask("/a"), StringTransport(peerAddress=HERE))
    channel.connectionLost(Failure(ConnectionDone()))
    assert len(heard) == 1
    assert [fact["why"] for fact in facts.of("request.aborted")] == ["client"]
    assert facts.of("request.handled") == []


def test_a_coroutine_that_twisted_never_finishes_is_told_at_the_end(facts: KeptFacts) -> None:
    """
    A view that waits for something that never comes is over when its client is; nothing of it is kept.
    """
    never: Deferred[None] = Deferred()

    async def answer(request: Any) -> None:
        await never
        request.finish()

    def render(request: Any) -> int:
        request.notifyFinish().addErrback(lambda _: never.cancel())
        Deferred.fromCoroutine(answer(request)).addErrback(lambda _: None)
        return NOT_DONE_YET

    channel = site_of(ProbedResource(Leaf(render)), Ask("/a"), StringTransport(peerAddress=HERE))
    assert context.current() is None
    channel.connectionLost(Failure(ConnectionDone()))
    assert [fact["why"] for fact in facts.of("request.aborted")] == ["client"]


class Turns:
    """
    The reactor's later turns, in which twisted.web asks a file for its next bytes.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._waiting: list[Callable[[], None]] = []
        cooperator = Cooperator(scheduler=self._schedule)
        monkeypatch.setattr(_producer_helpers, "cooperate", cooperator.cooperate)

    def _schedule(self, turn: Callable[[], None]) -> Any:
        self._waiting.append(turn)
        return Clock()  # which nobody cancels

    def ask(self, resource: Any, ask: Ask) -> Any:
        """
        One request, and all turns that it takes.
        """
        transport = StringTransport(peerAddress=HERE)
        site_of(resource, ask, transport)
        while self._waiting:
            self._waiting.pop()()
        return parsed(bytes(transport.value()), {})


@pytest.mark.filterwarnings("ignore::DeprecationWarning:twisted.web.static")
@pytest.mark.usefixtures("facts")
def test_a_file_of_twisted_is_read_where_it_is_a_page_and_passes_where_it_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Twisted's own resource for files: pages get the tag and their length, the rest its ranges and validators.
    """
    from twisted.web.static import File  # which warns of itself as it is imported

    (tmp_path / "a.html").write_bytes(PAGE)
    (tmp_path / "a.bin").write_bytes(PAGE)
    root = ProbedResource(File(str(tmp_path)))
    turns = Turns(monkeypatch)
    page = turns.ask(root, Ask("/a.html"))
    assert page.body.count(SCRIPT) == 1
    assert page.headers["content-length"] == str(len(page.body))
    assert "last-modified" not in page.headers
    plain = turns.ask(root, Ask("/a.bin"))
    assert (plain.body, plain.headers["content-length"]) == (PAGE, str(len(PAGE)))
    assert "last-modified" in plain.headers
    part = turns.ask(root, Ask("/a.html", headers={**DOCUMENT, "Range": "bytes=5-9"}))
    assert (part.status, part.body) == (206, PAGE[5:10])
    assert part.headers["content-range"] == f"bytes 5-9/{len(PAGE)}"


def test_threads_of_twisted_do_not_mix(facts: KeptFacts) -> None:
    """
    What a view gives to a thread carries no request unless its context goes along; it is never another's.
    """
    inside: list[object] = []

    def running() -> None:
        found = context.current()
        inside.append(found and found.path)

    kept: list[contextvars.Context] = []

    def render(_: Any) -> bytes:
        kept.append(contextvars.copy_context())
        return b"x"

    for path in ("/a", "/b"):
        through_site(ProbedResource(Leaf(render)), Ask(path))
    contextvars.Context().run(running)
    for one in kept:
        one.run(running)
    assert inside == [None, "/a", "/b"]
    assert [fact["path"] for fact in facts.of("request.handled")] == ["/a", "/b"]


# --- ASGI ----------------------------------------------------------------------------------------


def test_threads_of_asgi_do_not_mix(facts: KeptFacts) -> None:
    """
    A view in a thread, as Starlette runs those that are no coroutines, knows its own request.
    """
    inside: dict[str, object] = {}

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        def view() -> None:
            found = context.current()
            inside[scope["path"]] = found and found.path

        await asyncio.to_thread(view)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x"})

    async def nothing(*_: Any) -> Any:
        return {"type": "http.request"}

    async def both() -> None:
        scopes: Iterable[dict[str, Any]] = (
            {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("127.0.0.1", 1)}
            for path in ("/a", "/b")
        )
        await asyncio.gather(*(ASGIMiddleware(app)(scope, nothing, nothing) for scope in scopes))

    asyncio.run(both())
    assert inside == {"/a": "/a", "/b": "/b"}
    assert sorted(str(fact["path"]) for fact in facts.of("request.handled")) == ["/a", "/b"]
