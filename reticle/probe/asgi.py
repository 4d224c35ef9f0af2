"""
The probe around any ASGI application: ``app = ASGIMiddleware(app)``.

Only ``http`` is looked at; lifespan and WebSockets of the app pass untouched. The head of an answer waits for
the beginning of its body, and only where a tag may go in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from reticle.probe import emission, own_paths, probing, script
from reticle.probe.asgi_call import BY_PATH, Call, Receive, Scope, Send, encoded
from reticle.probe.asgi_relay import relay_poll, relay_socket
from reticle.probe.exchange import SELDOM, USUAL, Exchange
from reticle.probe.harmless import note
from reticle.probe.insertion.candidates import Lookup
from reticle.probe.insertion.headers import CONDITIONS
from reticle.probe.insertion.tag import PREFIX
from reticle.probe.views import place_of_app

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
        call = Call(exchange, scope, receive, send)
        if exchange.skip is None or exchange.has_ours:
            adapted(scope, exchange)
        # here and not in a coroutine of its own, through which every step of the app would have to go
        try:
            await self._app(scope, call.receive, call.send if exchange.skip is None else call.pass_on)
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


_ASKED: Final = {name.encode("ascii"): name for name in (*USUAL, *SELDOM)}
_ASKED_NAMES: Final = frozenset(_ASKED)


def asked_in(scope: Scope) -> Lookup:
    """
    Those that an exchange asks for. Of most it asks in vain: to find in one look which are there, and to let
    these be looked up by a function of C's, costs a fifth of a call of ours for each.
    """
    listed = scope.get("headers", ())
    raw: dict[bytes, bytes] = dict(listed)
    if len(raw) != len(listed) or (names := b"\n".join(raw)) != names.lower():
        raw = _joined(listed)
    found: dict[str, str] = {}
    for name in _ASKED_NAMES.intersection(raw):
        if raw[name]:
            found[_ASKED[name]] = raw[name].decode("latin-1")
    return found.get


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
    query, client = scope.get("query_string"), scope.get("client")
    return Exchange(
        scope["method"],
        scope["path"],
        query.decode("latin-1") if query else "",
        asked_in(scope),
        client[0] if client else None,
        scope.get("scheme", "http"),
        "ws",
        scope.get("root_path", ""),
    )


def adapted(scope: Scope, exchange: Exchange) -> None:
    """
    Take from the request what the app must not see.

    The scope is changed in place, because a router writes what it found into the same one.
    """
    ours = exchange.without_ours() if exchange.has_ours else ()
    is_whole = exchange.skip is None
    if not ours and not is_whole:
        return
    hidden: frozenset[bytes] = frozenset()
    if is_whole:
        hidden = _CONDITIONAL
        extensions = scope.get("extensions")
        if extensions and not BY_PATH.isdisjoint(extensions):
            # a document has to come through here, so the app is not offered to let the server read the file
            scope["extensions"] = {name: told for name, told in extensions.items() if name not in BY_PATH}
    if ours:
        hidden = hidden.union([name.encode("ascii") for name, _ in ours])
    kept = [each for each in scope["headers"] if each[0].lower() not in hidden]
    if is_whole:
        kept.append((b"accept-encoding", b"identity"))
    for name, left in ours:
        if left:
            kept.append((name.encode("ascii"), left.encode("latin-1", "replace")))
    scope["headers"] = kept


async def _serve(scope: Scope, receive: Receive, send: Send, name: str) -> None:
    header, peer = lookup_in(scope), peer_of(scope)
    if scope["type"] == "websocket":
        await relay_socket(receive, send, name, header, peer)
        return
    if name == own_paths.POLL:
        served = await relay_poll(scope, receive, header, peer)
    else:
        served = own_paths.serve(scope["method"], name, header, peer)
    await send({"type": "http.response.start", "status": served.status, "headers": encoded(served.headers)})
    await send({"type": "http.response.body", "body": served.body})
