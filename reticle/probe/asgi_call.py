"""
One call of an ASGI application: what it sends on its way out, and how it ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.asgi_behind import Behind, behind, running_loop
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import note
from reticle.probe.insertion.candidates import Header
from reticle.probe.insertion.headers import TIMING_HEADER
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.known_views import known_view

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BY_PATH: Final = frozenset({"http.response.pathsend", "http.response.zerocopysend"})
"""By which an app lets the server read a file."""

_TIMING: Final = TIMING_HEADER.lower().encode("ascii")


def _decoded(headers: Any) -> list[Header]:
    try:
        return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    except AttributeError:  # other views of bytes, which servers take too
        return [(str(name, "latin-1"), str(value, "latin-1")) for name, value in headers]


def encoded(headers: Any) -> list[tuple[bytes, bytes]]:
    """
    Headers as ASGI has them.
    """
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


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


class Call:
    """
    One call of the application.
    """

    __slots__ = (
        "_answer", "_behind", "_exchange", "_is_over", "_is_streamed", "_is_working", "_raw",
        "_receive_inner", "_root", "_scope", "_send_on", "_start", "_tell_working",
    )  # fmt: skip

    def __init__(self, exchange: Exchange, scope: Scope, receive: Receive, send: Send) -> None:
        self._exchange = exchange
        self._scope = scope
        self._receive_inner = receive
        self._send_on = send
        self._start: Message | None = None
        self._answer: Answer | None = None
        self._raw: list[Any] = []
        self._root = scope.get("root_path", "")
        self._is_streamed = False
        self._is_over = False
        self._behind: Behind | None = None
        self._is_working = False
        self._tell_working: Callable[[], None] | None = None

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
        tell, self._tell_working = self._tell_working, None  # it holds us
        if tell is not None and self._behind is not None and self._behind.remove(tell):
            self._exchange.whole(0, streamed=self._is_streamed)
            return
        if self._is_working:
            self._exchange.done()
        elif not self._is_over:
            self._is_over = True
            self._exchange.aborted(why)
        self._exchange.context.leave()

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
            if kind in BY_PATH and answer is not None:
                held = answer.give_up()
                await self._release()
                if held:
                    await self._send_on({"type": "http.response.body", "body": held, "more_body": True})
                self._finish()
            await self._send_on(message)

    async def pass_on(self, message: Message) -> None:
        """
        The same of an answer that gets no tag whatever its head says: nothing of it is held or changed.
        """
        kind = message["type"]
        if kind == "http.response.body":
            self._exchange.sent(len(message.get("body", b"")))
            if message.get("more_body", False):
                self._is_streamed = True
            else:
                self._finish()
        elif kind == "http.response.start":
            message = self._passed(message)
        elif kind in BY_PATH:
            self._finish()
        await self._send_on(message)

    def _passed(self, start: Message) -> Message:
        """
        The head of an answer that gets no tag whatever it says: all but its request's name is the app's.
        """
        timing = self._exchange.untouched(start["status"]).encode()
        headers = [*start.get("headers", ())]  # any iterable, and some can be read but once
        if self._exchange.context.action:
            self._exchange.setting(_decoded(headers))
        headers.append((_TIMING, timing))
        return {**start, "headers": headers}

    def _started(self, message: Message) -> Answer:
        self._start = message
        self._raw = raw = list(message.get("headers", ()))
        self._answer = answer = self._exchange.answer(message["status"], _decoded(raw))
        return answer

    def _head(self, answer: Answer) -> Message:
        """
        The head to send; what the app gave goes on as it is where nothing of it changes.
        """
        start, self._start = self._start, None
        assert start is not None
        if answer.is_changed:
            return {**start, "headers": encoded(answer.headers)}
        return {**start, "headers": [*self._raw, *encoded(answer.headers[len(self._raw) :])]}

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
        self._tell_working = self._work
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
        self._note_route()
        is_inside = emission.running.get() is self._exchange.context
        self._exchange.finished(streamed=self._is_streamed, working=True)
        if is_inside:
            self._exchange.context.enter()

    def _note_route(self) -> None:
        """
        What the router left in the scope (Starlette, FastAPI, Litestar and others do).
        """
        endpoint = self._scope.get("endpoint")
        if endpoint is None:
            return
        context = self._exchange.context
        try:
            view, name = known_view(endpoint, self._scope["method"])
            context.route = route_of(self._scope, endpoint, self._root) or context.route
            context.view, context.view_name = view or context.view, name or context.view_name
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("asgi", fault)
