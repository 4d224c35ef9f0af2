"""
The ASGI adapter keeps what the specification promises to server and app.
"""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from reticle.probe import context, probing
from reticle.probe.asgi import ASGIMiddleware, asked_in, lookup_in
from reticle.probe.exchange import SELDOM, USUAL
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT, run

Message = MutableMapping[str, Any]
HTML = [(b"content-type", b"text/html; charset=utf-8")]


def scope_of(kind: str = "http", **more: Any) -> Message:
    """
    A connection to the app.
    """
    headers = [(name.lower().encode(), value.encode()) for name, value in DOCUMENT.items()]
    return {
        "type": kind, "method": "GET", "path": "/", "headers": headers, "client": ("127.0.0.1", 1), **more,
    }  # fmt: skip


async def nothing(*_: Any) -> None:
    """
    An app that says nothing.
    """


class Server:
    """
    An ASGI server for one connection: what the app sent, and what it gets to hear.
    """

    def __init__(self, *heard: Message) -> None:
        self.sent: list[Message] = []
        self._heard = list(heard)

    async def receive(self) -> Message:
        """
        The next thing that happened.
        """
        return self._heard.pop(0)

    async def send(self, message: Message) -> None:
        """
        Take it.
        """
        self.sent.append(message)

    def run(self, app: Any, scope: Message) -> None:
        """
        One connection.
        """
        run(ASGIMiddleware(app)(scope, self.receive, self.send))


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("kind", ["lifespan", "websocket"])
def test_other_connections_pass_untouched(kind: str) -> None:
    """
    An app's start and its own WebSockets are none of the probe's business.
    """
    got: list[Any] = []

    async def app(*told: Any) -> None:
        got.extend(told)

    server, scope = Server(), scope_of(kind)
    server.run(app, scope)
    assert got == [scope, server.receive, server.send]


def test_all_lines_of_a_header_count() -> None:
    """
    Whoever forwards a request may write a second line, and the visitor in the first is a visitor too.
    """
    given = [(b"X-Forwarded-For", b"203.0.113.5"), (b"x-forwarded-for", b"127.0.0.1"), (b"cookie", b"a=1")]
    header = lookup_in({"headers": [*given, (b"cookie", b"b=2")]})
    assert (header("x-forwarded-for"), header("cookie")) == ("203.0.113.5, 127.0.0.1", "a=1; b=2")


@pytest.mark.usefixtures("facts")
def test_the_head_waits_only_for_the_beginning_of_a_body() -> None:
    """
    A page that comes in parts is seen as early as before.
    """
    seen: list[int] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HTML})
        seen.append(len(server.sent))
        await send({"type": "http.response.body", "body": b"<!doctype html><head>", "more_body": True})
        seen.append(len(server.sent))
        await send({"type": "http.response.body", "body": b"<title>"})

    server = Server()
    server.run(app, scope_of())
    assert seen == [0, 2]
    assert [message["type"] for message in server.sent] == [
        "http.response.start",
        *["http.response.body"] * 2,
    ]


@pytest.mark.usefixtures("facts")
def test_a_file_by_its_path_and_trailers_pass() -> None:
    """
    The server sends the file itself.
    """

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HTML, "trailers": True})
        await send({"type": "http.response.pathsend", "path": "/srv/a.html"})
        await send({"type": "http.response.trailers", "headers": []})

    server = Server()
    server.run(app, scope_of())
    assert [message["type"].rpartition(".")[2] for message in server.sent] == [
        "start",
        "pathsend",
        "trailers",
    ]
    assert server.sent[0]["trailers"] is True


def test_a_client_that_leaves_is_told(facts: KeptFacts) -> None:
    """
    The app hears of it as before.
    """

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        assert (await receive())["type"] == "http.disconnect"

    Server({"type": "http.disconnect"}).run(app, scope_of())
    assert [fact["why"] for fact in facts.of("request.aborted")] == ["client"]


def test_an_app_that_never_ends_its_answer_is_told(facts: KeptFacts) -> None:
    """
    Half an answer is no answered request.
    """

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    Server().run(app, scope_of())
    assert [fact["why"] for fact in facts.of("request.aborted")] == ["incomplete"]


def test_what_the_router_found_is_told(facts: KeptFacts) -> None:
    """
    A fact of a request names the function that answered.
    """

    def view() -> None:
        """
        Answers.
        """

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        scope["endpoint"] = view
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    Server().run(app, scope_of())
    (handled,) = facts.of("request.handled")
    assert handled["view"] == f"{__file__}:{view.__code__.co_firstlineno}"
    assert handled["view_name"].endswith("view")


def test_what_fails_behind_the_answer_is_told_before_its_end(facts: KeptFacts) -> None:
    """
    A background task that fails at once is known when the request is told as handled.
    """

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        raise LookupError

    with pytest.raises(LookupError):
        asyncio.run(ASGIMiddleware(app)(scope_of(), Server().receive, nothing))
    assert facts.kinds == ["request.started", "exception", "request.handled"]


def test_work_behind_the_answer_is_told_as_such(facts: KeptFacts) -> None:
    """
    A task that takes its time keeps nobody from the answer's facts, and its end is told too.
    """

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        while "request.handled" not in facts.kinds:  # noqa: ASYNC110 - the probe knows of no event of ours
            await asyncio.sleep(0)
        raise LookupError

    with pytest.raises(LookupError):
        asyncio.run(ASGIMiddleware(app)(scope_of(), Server().receive, nothing))
    assert facts.kinds == ["request.started", "request.handled", "exception", "request.done"]
    assert facts.of("request.handled")[0]["working"] is True
    assert len({fact["rid"] for _, fact in facts.facts}) == 1


@pytest.mark.usefixtures("facts")
def test_a_background_task_still_belongs_to_its_request() -> None:
    """
    What an app does behind its answer was caused by the request; what comes behind the app was not.
    """
    inside: list[object] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        running = context.current()
        inside.append(running and running.path)

    Server().run(app, scope_of(path="/job"))
    assert inside == ["/job"]
    assert context.current() is None


@pytest.mark.usefixtures("facts")
def test_a_page_of_another_origin_gets_no_relay() -> None:
    """
    Another site's page cannot speak to the daemon through the app.
    """

    async def app(*_: Any) -> None:
        raise AssertionError("not the app's")

    scope = scope_of("websocket", path="/__reticle__/ws")
    scope["headers"] = [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:9000")]
    server = Server({"type": "websocket.connect"})
    server.run(app, scope)
    assert server.sent == [{"type": "websocket.close", "code": 1013}]


@pytest.mark.parametrize("on", [None, True])
def test_the_line_that_puts_it_around_asks_for_it(
    on: bool | None,  # noqa: FBT001 - a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Nothing else has to be called; whether it may be on is decided in one place.
    """
    asked: list[object] = []

    def start(framework: str, *, on: bool | None) -> Any:
        asked.append((framework, on))
        return probing.Probe(None, "not asked for")

    monkeypatch.setattr(probing, "start", start)
    ASGIMiddleware(nothing, on=on)
    assert asked == [("asgi", on)]


CALL = [(b"host", b"localhost"), (b"sec-fetch-dest", b"empty"), (b"x-reticle-action", b"p1.a1")]


def test_what_a_script_asked_for_goes_on_as_it_is(facts: KeptFacts) -> None:
    """
    Each part is sent as the app made it, with its request's name, and told with its size and its cookies.
    """
    body = bytearray(b"part")
    kept: list[Any] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        kept.append(context.current())
        await send({"type": "http.response.start", "status": 200, "headers": [(b"set-cookie", b"a=1")]})
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body"})

    server = Server()
    server.run(app, scope_of(method="POST", headers=CALL))
    start, part, end = server.sent
    assert [name for name, _ in start["headers"]] == [b"set-cookie", b"server-timing"]
    assert part["body"] is body
    assert end == {"type": "http.response.body"}
    (handled,) = facts.of("request.handled")
    assert (handled["response_bytes"], handled["streamed"]) == (4, True)
    assert kept[0].cookies == ["a=1"]


def test_a_file_that_the_server_reads_for_a_script(facts: KeptFacts) -> None:
    """
    It ends the answer as its last byte would.
    """

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.pathsend", "path": "/a"})

    server = Server()
    server.run(app, scope_of(headers=CALL))
    assert server.sent[1] == {"type": "http.response.pathsend", "path": "/a"}
    assert facts.of("request.handled")[0]["status"] == 200
    assert not facts.of("request.aborted")


@pytest.mark.parametrize("name", [b"Cookie", b"cookie"])
def test_every_header_that_is_asked_for(name: bytes) -> None:
    """
    They are what one look after the other would find.
    """
    headers = [
        (name, b"a=1"), (b"cookie", b"b=2"), (b"accept", b""), (b"host", b"\xe9"),
        (b"x-real-ip", b"10.0.0.1"),
    ]  # fmt: skip
    header, slow = asked_in({"headers": headers}), lookup_in({"headers": headers})
    assert {each: header(each) for each in (*USUAL, *SELDOM)} == {
        each: slow(each) for each in (*USUAL, *SELDOM)
    }
    assert header("cookie") == "a=1; b=2"


def test_headers_that_can_be_read_once(facts: KeptFacts) -> None:
    """
    ASGI lets an app give any iterable: all of it reaches the browser, also of a write whose cookies are told.
    """

    async def app(scope: Message, receive: Any, send: Any) -> None:
        del scope, receive
        headers = iter([(b"content-type", b"text/plain"), (b"set-cookie", b"seen=1")])
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x"})

    server = Server()
    asked = [(b"host", b"localhost"), (b"sec-fetch-dest", b"empty"), (b"x-reticle-action", b"p1.a1")]
    server.run(app, scope_of(method="POST", headers=asked))
    names = [name for name, _ in server.sent[0]["headers"]]
    assert names == [b"content-type", b"set-cookie", b"server-timing"]
    assert facts.of("request.handled")[0]["action"] == "p1.a1"
