"""
The probe for Python's own ``http.server``: ``install(Handler)`` once, for the class that answers requests.

It tells facts, and each answer names its request; no page script is put into documents, which such a class
writes to the socket itself. It is on with ``RETICLE_PROBE=1``.
"""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from reticle.probe import emission, probing
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import harmless
from reticle.probe.insertion.headers import server_timing
from reticle.probe.patching import Patches
from reticle.probe.views import name_of, place_of

_KEY: Final = "_reticle_exchange"
_INSTALLED: Final = "_reticle_installed"
patches: Final = Patches()


def install(kind: type[BaseHTTPRequestHandler], *, on: bool | None = None) -> None:
    """
    Put the probe into a class of request handlers; again is no harm.

    Args:
        kind: The class that is given to the server.
        on: True asks for the probe, as ``RETICLE_PROBE=1`` does: there is no debug switch.
    """
    if _INSTALLED in kind.__dict__ or not probing.start("http.server", on=on).is_on:
        return
    setattr(kind, _INSTALLED, True)
    patches.on_removal(lambda: delattr(kind, _INSTALLED))
    patches.replace(kind, "parse_request", _parsed)
    patches.replace(kind, "send_response", _answered)
    patches.replace(kind, "end_headers", _headed)
    patches.replace(kind, "handle_one_request", _handled)


def _exchange_of(handler: Any) -> Exchange | None:
    """
    Of the request that a handler is busy with.
    """
    found = getattr(handler, _KEY, None)
    return found if isinstance(found, Exchange) else None


def _parsed(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """
    The request's head was read: from here on it runs.
    """

    def parse_request(self: Any) -> bool:
        whole = original(self)
        if whole and emission.sink is not None:
            _begin(self)
        return whole

    return parse_request


@harmless(None)
def _begin(handler: Any) -> None:
    path, _, query = str(handler.path).partition("?")
    headers, peer = handler.headers, handler.client_address
    setattr(handler, _KEY, None)  # the last request's of this connection, should ours fail
    exchange = Exchange(
        handler.command,
        path,
        query,
        headers.get,
        peer[0] if isinstance(peer, tuple) else None,
        scheme="http",
        relay="poll",
    )
    setattr(handler, _KEY, exchange)
    view = getattr(type(handler), f"do_{handler.command}", None)
    for name, left in exchange.without_ours():
        del headers[name]
        if left:
            headers[name] = left
    if view is not None:
        exchange.routed(view=place_of(view), name=name_of(view))


def _answered(original: Callable[..., None]) -> Callable[..., None]:
    def send_response(self: Any, code: int, *args: Any, **named: Any) -> None:
        exchange = _exchange_of(self)
        if exchange and code >= 200:
            exchange.status = int(code)
        original(self, code, *args, **named)

    return send_response


def _headed(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """
    The head is whole but for the name of its request.
    """

    def end_headers(self: Any) -> None:
        exchange = _exchange_of(self)
        if exchange and exchange.status is not None and self.request_version != "HTTP/0.9":
            _cookies(self, exchange)
            self.send_header(*server_timing(exchange.context.rid))
        original(self)

    return end_headers


@harmless(None)
def _cookies(handler: Any, exchange: Exchange) -> None:
    """
    The head's lines wait in the handler until they are written.
    """
    lines = (line.decode("latin-1").partition(":") for line in getattr(handler, "_headers_buffer", ()))
    exchange.setting([(name.strip(), value.strip()) for name, _, value in lines])


def _handled(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """
    One request is over when its method has returned.
    """

    def handle_one_request(self: Any) -> None:
        setattr(self, _KEY, None)
        try:
            original(self)
        except BaseException as error:
            exchange = _exchange_of(self)
            if exchange:
                if isinstance(error, Exception):
                    exchange.failed(error)
                exchange.aborted("exception")
            raise
        finally:
            exchange = _exchange_of(self)
            setattr(self, _KEY, None)
            if exchange:
                exchange.finished()  # of one that was aborted nothing more is told

    return handle_one_request
