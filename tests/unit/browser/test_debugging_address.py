"""
Where a browser that runs takes debuggers, asked of whatever listens there.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.client import ResponseDone

from reticle.browser.debugging_address import Body, address_in
from reticle.model.limits import CDP_VERSION_BYTES

TOLD = b'{"Browser": "Chrome/130", "webSocketDebuggerUrl": "ws://elsewhere.example:1/devtools/browser/a"}'


@pytest.fixture(name="body")
def body_fixture() -> Body:
    """
    A body that is on its way.
    """
    body = Body()
    body.transport = StringTransport()
    return body


def failure_of(waiting: Deferred[bytes]) -> str:
    """
    Why nothing came of it.
    """
    failed: list[Failure] = []
    waiting.addErrback(failed.append)
    assert failed, "it is still waited for"
    return failed[0].getErrorMessage()


@pytest.mark.parametrize("host", ["127.0.0.1:9222", "[::1]:9222"])
def test_the_browser_is_spoken_with_where_it_was_asked(host: str) -> None:
    """
    Whatever address it says that it has.
    """
    assert address_in(f"http://{host}", 200, TOLD) == f"ws://{host}/devtools/browser/a"


@pytest.mark.parametrize(
    ("status", "told", "why"),
    [(302, TOLD, "status 302"), (200, b"<html>", "no browser's"), (200, b"{}", "no browser's")],
)
def test_what_is_no_browser_is_said_so(status: int, told: bytes, why: str) -> None:
    """
    A redirect is not followed, and another server's page is no address.
    """
    with pytest.raises(ValueError, match=why):
        address_in("http://127.0.0.1:9222", status, told)


def test_a_whole_body_is_taken(body: Body) -> None:
    """
    In as many parts as it comes.
    """
    body.dataReceived(TOLD[:5])
    body.dataReceived(TOLD[5:])
    body.connectionLost(Failure(ResponseDone()))
    got: list[bytes] = []
    body.whole.addCallback(got.append)
    assert got == [TOLD]


def test_a_body_without_end_is_cut(body: Body) -> None:
    """
    An event stream at that port fills no memory.
    """
    for _ in range(3):
        body.dataReceived(b" " * CDP_VERSION_BYTES)
    assert body.transport.disconnecting
    body.connectionLost(Failure(ConnectionDone()))
    assert "more than a browser says" in failure_of(body.whole)


def test_a_body_that_stops_is_not_waited_for(body: Body) -> None:
    """
    Nor is one that breaks off taken for whole.
    """
    clock = Clock()
    body.whole.addTimeout(5, clock)
    body.dataReceived(b"{")
    clock.advance(5)
    assert body.transport.disconnecting
    failure_of(body.whole)
    broken = Body()
    broken.transport = StringTransport()
    broken.connectionLost(Failure(ConnectionDone()))
    assert "broke off" in failure_of(broken.whole)
