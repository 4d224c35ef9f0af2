"""
The middleware, for both kinds of Django: it stands first, so that it sees what leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpResponse

from reticle.probe import emission, own_paths
from reticle.probe.django.closing import mark
from reticle.probe.django.responses import see_out
from reticle.probe.exchange import Exchange
from reticle.probe.harmless import harmless, note
from reticle.probe.known_views import known_view
from reticle.probe.own_paths import Served
from reticle.probe.relay_poll import BODY_BYTES, relay
from reticle.probe.wsgi import adapt, lookup_in

_KEY = "_reticle_exchange"


class ReticleMiddleware:
    """
    Args:
        get_response: What stands inside, a function or a coroutine function.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        self._get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: Any) -> Any:
        """
        One request.
        """
        if self._is_async:
            return self._answer_async(request)
        if emission.sink is None:
            return self._get_response(request)
        if (name := own_paths.own_name(request.path_info)) is not None:
            return _response(_served(request, name))
        exchange = _opened(request)
        if exchange is None:
            return self._get_response(request)
        try:
            response = self._get_response(request)
        except BaseException as error:
            _raised(exchange, error)
            raise
        return _seen(exchange, response)

    async def _answer_async(self, request: Any) -> Any:
        if emission.sink is None:
            return await self._get_response(request)
        if (name := own_paths.own_name(request.path_info)) is not None:
            return _response(await sync_to_async(_served)(request, name))
        exchange = _opened(request)
        if exchange is None:
            return await self._get_response(request)
        try:
            response = await self._get_response(request)
        except BaseException as error:
            _raised(exchange, error)
            raise
        return _seen(exchange, response)

    def process_view(self, request: Any, view: Any, args: Any, kwargs: Any) -> None:
        """
        Django found the view; it is named before it runs, so that its facts may come first.
        """
        del args, kwargs
        exchange = getattr(request, _KEY, None)
        if exchange is not None:
            _route(exchange, request, view)


reticle = ReticleMiddleware
"""The name that settings list."""


def on_exception(sender: Any, request: Any = None, **_: Any) -> None:
    """
    Django makes a 500 of an exception before a middleware hears of it; this is its signal.
    """
    del sender
    exchange, error = getattr(request, _KEY, None), sys.exc_info()[1]
    if exchange is not None and error is not None:
        exchange.failed(error)


def _opened(request: Any) -> Exchange | None:
    meta = request.META
    try:
        exchange = Exchange(
            request.method,
            request.path,
            meta.get("QUERY_STRING", ""),
            lookup_in(dict(meta)),
            meta.get("REMOTE_ADDR"),
            scheme=request.scheme,
            relay="poll",
            root=meta.get("SCRIPT_NAME", ""),
        )
    except Exception as fault:  # noqa: BLE001 - the app goes on without us
        note("django", fault)
        return None
    setattr(request, _KEY, exchange)
    adapt(meta, exchange)
    return exchange


def _served(request: Any, name: str) -> Served:
    header, peer = lookup_in(request.META), request.META.get("REMOTE_ADDR")
    if name != own_paths.POLL:
        return own_paths.serve(request.method, name, header, peer)
    # under ASGI a wait would hold the loop
    can_wait = bool(request.META.get("wsgi.multithread"))
    return relay.answer(request.method, header, peer, request.read(BODY_BYTES + 1), can_wait=can_wait)


def _response(served: Served) -> Any:
    response = HttpResponse(served.body, status=served.status)
    del response["Content-Type"]
    for name, value in served.headers:
        response[name] = value
    return response


@harmless(None)
def _route(exchange: Exchange, request: Any, view: Any) -> None:
    match = request.resolver_match
    place, name = known_view(view, request.method)
    exchange.routed(
        route=getattr(match, "route", None), view=place, name=getattr(match, "view_name", None) or name
    )


def _raised(exchange: Exchange, error: BaseException) -> None:
    if isinstance(error, Exception):
        exchange.failed(error)
    exchange.aborted("exception")


def _seen(exchange: Exchange, response: Any) -> Any:
    """
    The response on its way out.
    """
    try:
        mark(response, exchange)
        return see_out(exchange, response)
    except Exception as fault:  # noqa: BLE001 - the app's response goes out without us
        note("django", fault)
        exchange.finished()
        return response
