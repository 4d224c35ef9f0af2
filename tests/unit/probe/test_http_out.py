"""
Requests that the app itself sends, as facts.
"""

from __future__ import annotations

import asyncio
import http.client
import io
from collections.abc import Iterator
from typing import Any

import pytest
from twisted.internet.defer import Deferred, fail, succeed
from twisted.python.failure import Failure
from twisted.web.client import Agent

from reticle.probe import http_out, quiet
from reticle.probe.context import begin
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The collector is in.
    """

    def ask(_: Agent, method: bytes, uri: bytes) -> Deferred[Any]:
        del method
        if b"down" in uri:
            return fail(Failure(ConnectionRefusedError("down")))
        answer = type("Answer", (), {"code": 204})()
        return succeed(answer)

    monkeypatch.setattr(Agent, "request", ask)
    with collecting("http_out") as sink:
        yield sink


class Line:
    """
    A socket whose other end has answered already.
    """

    def sendall(self, _: bytes) -> None:
        """
        Send into nothing.
        """

    def makefile(self, *_: object) -> io.BytesIO:
        """
        The answer.
        """
        return io.BytesIO(b"HTTP/1.1 402 Payment Required\r\nContent-Length: 0\r\n\r\n")

    def close(self) -> None:
        """
        Nothing to close.
        """


def short(kept: KeptFacts) -> list[tuple[object, ...]]:
    """
    Facts without what a test does not compare.
    """
    return [
        (fields["method"], fields["url"], fields["status"], fields["file"]) for fields in kept.of("http.out")
    ]


def test_a_request_of_the_standard_library_is_told(kept: KeptFacts) -> None:
    """
    The agent reads whom the app asked and what came back; values of the query stay inside.
    """
    connection: Any = http.client.HTTPConnection("api.example", 8080)
    connection.sock = Line()
    connection.request("POST", "/v1/pay?key=abc", b"{}")
    assert connection.getresponse().status == 402
    assert short(kept) == [("POST", "http://api.example:8080/v1/pay?key=", 402, __file__)]


def test_a_service_that_is_down_has_no_status(kept: KeptFacts) -> None:
    """
    The app gets its exception, the agent a request without an answer.
    """
    connection: Any = http.client.HTTPSConnection("api.example")

    def refuse() -> None:
        raise ConnectionRefusedError

    connection.connect = refuse
    with pytest.raises(ConnectionRefusedError):
        connection.request("GET", "/x")
    assert short(kept) == [("GET", "https://api.example/x", None, __file__)]


def test_httpx_is_told_sync_and_async(kept: KeptFacts) -> None:
    """
    The same for httpx.
    """
    httpx = pytest.importorskip("httpx")

    def answer(request: Any) -> Any:
        if request.url.path == "/down":
            raise httpx.ConnectError("down")
        return httpx.Response(201)

    transport = httpx.MockTransport(answer)
    with httpx.Client(transport=transport) as client:
        client.get("https://api.example/a?b=c")
        with pytest.raises(httpx.ConnectError):
            client.get("https://api.example/down")

    async def ask() -> None:
        async with httpx.AsyncClient(transport=transport) as later:
            await later.post("https://api.example/b")

    asyncio.run(ask())
    assert short(kept) == [
        ("GET", "https://api.example/a?b=", 201, __file__),
        ("GET", "https://api.example/down", None, __file__),
        ("POST", "https://api.example/b", 201, __file__),
    ]


def test_a_request_that_we_do_not_understand_is_sent_all_the_same(kept: KeptFacts) -> None:
    """
    A client of a version or a make that we do not know works as without us.
    """
    assert http_out._sending(_sent)(None, "x") == "sent x"
    assert asyncio.run(http_out._sending_later(_sent_later)(None, "y")) == "sent y"
    assert kept.of("http.out") == []


def _sent(_client: object, request: object) -> str:
    return f"sent {request}"


async def _sent_later(_client: object, request: object) -> str:
    return f"sent {request}"


def test_twisteds_agent_is_told_when_it_answers(kept: KeptFacts) -> None:
    """
    The same for Twisted, tied to the request that asked although the answer comes in a plain callback.
    """
    request = begin("GET", "/")
    agent: Any = object.__new__(Agent)
    codes: list[int] = []
    agent.request(b"GET", b"https://api.example/c").addCallback(lambda answer: codes.append(answer.code))
    agent.request(b"GET", b"https://api.example/down").addErrback(lambda failure: failure.trap(OSError))
    request.end(200)
    assert codes == [204]
    assert [(row[2], row[3]) for row in short(kept)] == [(204, __file__), (None, __file__)]
    assert {fields["rid"] for fields in kept.of("http.out")} == {request.rid}


def test_the_probes_own_requests_are_no_facts(kept: KeptFacts) -> None:
    """
    What the probe asks the daemon is never laid at the app's door.
    """
    connection: Any = http.client.HTTPConnection("127.0.0.1", 4400)
    connection.sock = Line()
    with quiet.own_work():
        connection.request("GET", "/sdk.js")
        connection.getresponse()
    assert kept.facts == []
