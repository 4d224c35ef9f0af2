"""
Reading a script over HTTP: whole, or not at all.
"""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from treq.testing import RequestTraversalAgent
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from twisted.web.iweb import IAgent
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Request
from zope.interface import implementer

from reticle.bridge.sources.atlas import Fetch, Fetched, UnreadableError
from reticle.bridge.sources.fetching import fetch_over_http, fetch_with


class App(Resource):
    """
    A development server.
    """

    isLeaf = True

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self.hosts: list[bytes | None] = []

    def render_GET(self, request: Request) -> bytes | int:
        """
        One of its files.
        """
        self.hosts.append(request.getHeader(b"host"))
        match request.path:
            case b"/app.js":
                request.setHeader(b"SourceMap", b"app.js.map")
                return b"f()"
            case b"/old.js":
                request.setHeader(b"X-SourceMap", b"old.js.map")
                return b"g()"
            case b"/moved.js":
                request.redirect(b"http://elsewhere.example/app.js")
                return b""
            case b"/packed.js":
                assert "gzip" in str(request.getHeader("accept-encoding"))
                request.setHeader(b"Content-Encoding", b"gzip")
                return gzip.compress(b"f()" * 9)
            case b"/slow.js":
                request.write(b"half")
                return NOT_DONE_YET
        request.setResponseCode(404)
        return b"no"


def begun(fetch: Fetch, address: str, most_bytes: int) -> Deferred[Fetched]:
    """
    An address that is being read.
    """

    async def read() -> Fetched:
        return await fetch(address, most_bytes)

    return Deferred.fromCoroutine(read())


def got(app: App, address: str, most_bytes: int = 1000) -> Deferred[Fetched]:
    """
    What comes of reading an address.
    """
    agent: Any = RequestTraversalAgent(app)  # type: ignore[no-untyped-call]  # treq's
    reading = begun(fetch_with(agent), address, most_bytes)
    agent.flush()
    return reading


def failure_of(reading: Deferred[Fetched]) -> str:
    """
    Why an address was not read.
    """
    failures: list[Any] = []
    reading.addErrback(failures.append)
    (failure,) = failures
    failure.trap(UnreadableError)
    return str(failure.value)


def test_a_script_comes_with_what_its_header_says_of_its_map() -> None:
    """
    Under the standard's name and its old one.
    """
    assert got(App(), "http://localhost:1/app.js").result == Fetched(b"f()", "app.js.map")
    assert got(App(), "http://localhost:1/old.js").result == Fetched(b"g()", "old.js.map")


def test_a_packed_script_is_read_unpacked() -> None:
    """
    As the browser counts its bytes; also where packing made it small enough.
    """
    assert got(App(), "http://localhost:1/packed.js").result == Fetched(b"f()" * 9)
    assert failure_of(got(App(), "http://localhost:1/packed.js", 26)) == "more than 26 bytes"


@pytest.mark.parametrize(("path", "said"), [("gone.js", "HTTP 404"), ("moved.js", "HTTP 302")])
def test_only_what_is_there_is_read(path: str, said: str) -> None:
    """
    A redirect is not followed: it could lead anywhere.
    """
    assert failure_of(got(App(), f"http://localhost:1/{path}")) == said


def test_what_is_too_long_is_not_read_to_its_end() -> None:
    """
    Whatever the server says of its length.
    """
    assert failure_of(got(App(), "http://localhost:1/app.js", 2)) == "more than 2 bytes"


def test_names_below_localhost_mean_this_machine() -> None:
    """
    Browsers take them so; the server still hears its own name.
    """
    app = App()
    assert got(app, "http://shop.localhost:81/app.js").result == Fetched(b"f()", "app.js.map")
    assert app.hosts == [b"shop.localhost:81"]


def test_who_wants_it_no_more_ends_the_reading() -> None:
    """
    Also in the middle.
    """
    reading = got(App(), "http://localhost:1/slow.js")
    assert not reading.called
    reading.cancel()
    assert "CancelledError" in failure_of(reading)


def test_a_server_that_cannot_be_reached_is_unreadable() -> None:
    """
    Whatever goes wrong on the way.
    """

    @implementer(IAgent)
    class Broken:
        def request(self, method: bytes, uri: bytes, *more: object) -> Deferred[Any]:
            raise OSError(f"no way to {method!r} {uri!r} {more}")

    fetch = fetch_with(Broken())
    assert "OSError" in failure_of(begun(fetch, "http://localhost:1/app.js", 10))
    assert callable(fetch_over_http(Clock()))
