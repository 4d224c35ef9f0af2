"""
The probe around any ASGI application: ``app = ASGIMiddleware(app)``.

Only ``http`` is looked at; lifespan and WebSockets of the app pass untouched. The head of an answer waits for
the beginning of its body, and only where a tag may go in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from typing import Any

from reticle.probe import emission, own_paths, probing, script
from reticle.probe.asgi_behind import Behind, behind, running_loop
from reticle.probe.asgi_relay import relay_poll, relay_socket
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import note
from reticle.probe.insertion.candidates import Header, Lookup
from reticle.probe.insertion.headers import CONDITIONS
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.insertion.tag import PREFIX
from reticle.probe.known_views import known_view
from reticle.probe.views import place_of_app

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_KEY = "reticle.exchange"


class _Names(dict[str, bytes]):
    """
    Names of headers as the scope has them; grows by the few dozen that the probe asks for.
    """

    def __missing__(self, name: str) -> bytes:
        key = self[name] = name.encode("latin-1")
        return key


_NAMES = _Names()

_CONDITIONAL = frozenset({b"accept-encoding", *(name.encode("ascii") for name in CONDITIONS)})
"""Headers of the request for a document that the app does not get to see as they came."""

_BY_PATH = frozenset({"http.response.pathsend", "http.response.zerocopysend"})


class ASGIMiddleware:
    """
    Args:
        app: The application.
        on: True asks for the probe, as ``RETICLE_PROBE=1`` does: ASGI has no debug switch.
    """

    def __init__(self, app: Application, *, on: bool | None = None) -> None:
        self._app = app
        self._place = place_of_app(app)
        if emission.sink is None and probing.start("asgi", on=on).is_on:
            script.copy.watch()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """
        One connection.
        """
        if emission.sink is None or scope["type"] not in {"http", "websocket"} or _KEY in scope:
            return await self._app(scope, receive, send)  # off, or around us stands another of ours
        root = scope.get("root_path", "")
        path = scope["path"]
        below = path[len(root) :] if root and path.startswith(f"{root}/") else path
        if below.startswith(PREFIX):
            return await _serve(scope, receive, send, below[len(PREFIX) :])
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            exchange = exchange_of(scope)
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("ASGIMiddleware", fault)
            return await self._app(scope, receive, send)
        scope[_KEY] = True
        exchange.context.view = self._place  # until a framework tells better
        call = _Call(exchange, scope, receive, send)
        adapted(scope, exchange)
        # here and not in a coroutine of its own, through which every step of the app would have to go
        try:
            await self._app(scope, call.receive, call.send)
        except BaseException as error:
            await call.raised(error)
            raise
        call.returned()
        return None


def lookup_in(scope: Scope) -> Lookup:
    """
    A request's headers by their lower-case names; only those that are asked for are decoded.
    """
    listed = scope.get("headers", ())
    raw: dict[bytes, bytes] = dict(listed)
    if len(raw) != len(listed) or (names := b"\n".join(raw)) != names.lower():
        raw = _joined(listed)

    def header(name: str) -> str | None:
        value = raw.get(_NAMES[name])
        return value.decode("latin-1") if value else None

    return header


def _joined(listed: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """
    Of a name that comes several times all count: HTTP/2 splits cookies over several lines, and of any other
    header as who forwarded a request.
    """
    headers: dict[bytes, bytes] = {}
    for raw_name, value in listed:
        name = raw_name.lower()
        mark = b"; " if name == b"cookie" else b", "
        headers[name] = headers[name] + mark + value if name in headers else value
    return headers


def peer_of(scope: Scope) -> str | None:
    """
    The address of who asks.
    """
    client = scope.get("client")
    return client[0] if client else None


def exchange_of(scope: Scope) -> Exchange:
    """
    The exchange of an ASGI request.
    """
    return Exchange(
        scope["method"],
        scope["path"],
        scope.get("query_string", b"").decode("latin-1"),
        lookup_in(scope),
        peer_of(scope),
        scheme=scope.get("scheme", "http"),
        relay="ws",
        root=scope.get("root_path", ""),
    )


def adapted(scope: Scope, exchange: Exchange) -> None:
    """
    Take from the request what the app must not see.

    The scope is changed in place, because a router writes what it found into the same one.
    """
    ours = exchange.without_ours()
    if not ours and not exchange.is_unconditional:
        return
    extensions = scope.get("extensions")
    if exchange.is_unconditional and extensions and not _BY_PATH.isdisjoint(extensions):
        # a document has to come through here, so the app is not offered to let the server read the file
        scope["extensions"] = {name: told for name, told in extensions.items() if name not in _BY_PATH}
    hidden = _CONDITIONAL if exchange.is_unconditional else frozenset()
    if ours:
        hidden = hidden.union([name.encode("ascii") for name, _ in ours])
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in hidden]
    if exchange.is_unconditional:
        kept.append((b"accept-encoding", b"identity"))
    kept += [(name.encode("ascii"), left.encode("latin-1", "replace")) for name, left in ours if left]
    scope["headers"] = kept


def route_of(scope: Scope, endpoint: Any, root: str) -> str | None:
    """
    The pattern of the path that leads to an endpoint; None where nobody tells.

    Args:
        scope: As the router left it, with the folders of mounted apps in its root.
        endpoint: What answers.
        root: The root that the scope came with.
    """
    route = scope.get("route")
    path = getattr(route, "path_format", None) or getattr(route, "path", None)
    if path is None:  # older Starlettes tell only the endpoint
        listed = getattr(scope.get("router"), "routes", ())
        path = next((one.path for one in listed if getattr(one, "endpoint", None) is endpoint), None)
    if not isinstance(path, str):
        return None
    mounted = scope.get("root_path", "").removeprefix(root)
    return path if path.startswith(f"{mounted}/") and mounted else f"{mounted}{path}"


async def _serve(scope: Scope, receive: Receive, send: Send, name: str) -> None:
    header, peer = lookup_in(scope), peer_of(scope)
    if scope["type"] == "websocket":
        await relay_socket(receive, send, name, header, peer)
        return
    if name == own_paths.POLL:
        served = await relay_poll(scope, receive, header, peer)
    else:
        served = own_paths.serve(scope["method"], name, header, peer)
    await send({"type": "http.response.start", "status": served.status, "headers": _encoded(served.headers)})
    await send({"type": "http.response.body", "body": served.body})


def _encoded(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


class _Call:
    """
    One call of the application.
    """

    __slots__ = (
        "_answer", "_behind", "_endpoint", "_exchange", "_is_over", "_is_streamed", "_is_working", "_raw",
        "_receive_inner", "_root", "_route", "_scope", "_send_on", "_start", "_tell_working", "_under",
    )  # fmt: skip

    def __init__(self, exchange: Exchange, scope: Scope, receive: Receive, send: Send) -> None:
        self._exchange = exchange
        self._scope = scope
        self._receive_inner = receive
        self._send_on = send
        self._start: Message | None = None
        self._answer: Answer | None = None
        self._raw: list[Any] = []
        self._root = self._under = scope.get("root_path", "")
        self._endpoint: Any = None
        self._route: Any = None
        self._is_streamed = False
        self._is_over = False
        self._behind: Behind | None = None
        self._is_working = False
        self._tell_working = self._work  # the same object each time, by which it is known

    async def raised(self, error: BaseException) -> None:
        """
        The application raised; the caller raises it on.
        """
        self._note_route()
        if isinstance(error, Exception):
            self._exchange.failed(error)
            await self._let_go()
        self._end("exception" if isinstance(error, Exception) else "cancelled")

    def returned(self) -> None:
        """
        The application is done.
        """
        self._note_route()
        self._end("incomplete")

    def _end(self, why: str) -> None:
        if self._behind is not None and self._behind.remove(self._tell_working):
            self._exchange.finished(streamed=self._is_streamed)
        elif self._is_working:
            self._exchange.done()
        elif not self._is_over:
            self._is_over = True
            self._exchange.aborted(why)
        self._exchange.context.leave()
        del self._tell_working  # it holds us

    async def receive(self) -> Message:
        """
        What the server says next.
        """
        message = await self._receive_inner()
        if message["type"] == "http.disconnect" and not self._is_over:
            self._is_over = True
            self._note_route()
            self._exchange.aborted("client")
        return message

    async def send(self, message: Message) -> None:
        """
        What the application says next.
        """
        kind = message["type"]
        answer = self._answer
        if kind == "http.response.start":
            answer = self._started(message)
            if not answer.is_held:
                await self._send_on(self._head(answer))
        elif kind == "http.response.body" and answer is not None:
            more = message.get("more_body", False)
            self._is_streamed |= more
            out = answer.feed(bytes(message.get("body", b"")))
            if not more:
                out += answer.end()
            if answer.is_held:
                return
            if self._start is not None:
                await self._send_on(self._head(answer))
            self._exchange.sent(len(out))
            if not more:
                self._finish()
            await self._send_on({**message, "body": out})
        else:
            if kind in _BY_PATH and answer is not None:
                held = answer.give_up()
                await self._release()
                if held:
                    await self._send_on({"type": "http.response.body", "body": held, "more_body": True})
                self._finish()
            await self._send_on(message)

    def _started(self, message: Message) -> Answer:
        self._note_route()
        self._start = message
        self._raw = raw = list(message.get("headers", ()))
        headers: list[Header] = [(str(name, "latin-1"), str(value, "latin-1")) for name, value in raw]
        self._answer = answer = self._exchange.answer(message["status"], headers)
        return answer

    def _head(self, answer: Answer) -> Message:
        """
        The head to send; what the app gave goes on as it is where nothing of it changes.
        """
        start, self._start = self._start, None
        assert start is not None
        if answer.is_changed:
            return {**start, "headers": _encoded(answer.headers)}
        return {**start, "headers": [*self._raw, *_encoded(answer.headers[len(self._raw) :])]}

    async def _release(self) -> None:
        """
        Send the head, once.
        """
        if self._start is not None and self._answer is not None:
            await self._send_on(self._head(self._answer))

    async def _let_go(self) -> None:
        """
        The app raised: what it had sent goes out as it would have without us.
        """
        if self._start is None or self._answer is None:
            return
        held = self._answer.give_up()
        with suppress(Exception):  # the server is about to hear of the app's own exception
            await self._release()
            if held:
                self._exchange.sent(len(held))
                await self._send_on({"type": "http.response.body", "body": held, "more_body": True})

    def _finish(self) -> None:
        """
        The last byte is on its way; what the app does behind it (background tasks, the end of dependencies)
        still belongs to it, and may fail. So the end is told when the app returns; where that takes longer,
        the answer is told as one behind which the app still works.
        """
        if self._is_over:
            return
        self._is_over = True
        self._note_route()
        loop = running_loop()
        if loop is None:
            self._work()
        else:
            self._behind = behind(loop)
            self._behind.add(loop, self._tell_working)

    def _work(self) -> None:
        """
        The answer is out, and the app has not returned.
        """
        self._is_working = True
        is_inside = emission.running.get() is self._exchange.context
        self._exchange.finished(streamed=self._is_streamed, working=True)
        if is_inside:
            self._exchange.context.enter()

    def _note_route(self) -> None:
        """
        What the router left in the scope (Starlette, FastAPI, Litestar and others do).
        """
        scope = self._scope
        endpoint, route = scope.get("endpoint"), scope.get("route")
        if endpoint is None:
            return
        under = scope.get("root_path")
        if endpoint is self._endpoint and route is self._route and under == self._under:
            return  # as when the answer began
        self._endpoint, self._route, self._under = endpoint, route, under
        try:
            view, name = known_view(endpoint, scope["method"])
            self._exchange.routed(route=route_of(scope, endpoint, self._root), view=view, name=name)
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("asgi", fault)
