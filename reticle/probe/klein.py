"""
The probe for Klein: ``Site(wrap(app))`` in place of ``Site(app.resource())``.
"""

from __future__ import annotations

from typing import Any, Final

from klein import Klein
from klein.interfaces import IKleinRequest
from klein.resource import KleinResource
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map

from reticle.probe.context import RequestContext
from reticle.probe.harmless import note
from reticle.probe.known_views import known_view
from reticle.probe.patching import Patches
from reticle.probe.twisted import exchange_in, wrap_resource

_patches: Final = Patches()
_is_followed = False


def wrap(app: Any, *, on: bool | None = None) -> Any:
    """
    The resource of a Klein application, with the probe around it unless it stays off.

    Args:
        app: The application.
        on: As for ``wrap_resource``.
    """
    return wrap_resource(app.resource(), on=on, router=route_of)


def route_of(resource: Any, request: Any) -> tuple[str | None, Any, str | None] | None:
    """
    The rule that will answer, its function and its name; None for what is no resource of Klein's.

    Klein itself tells which of them it found (``_executing``), as far as its own way of calling it is not
    replaced; to match the path twice would cost more than all the rest.
    """
    if not isinstance(resource, KleinResource):
        return None
    app = resource._app  # noqa: SLF001 - Klein tells of its rule only the function that runs
    if type(app).execute_endpoint is Klein.execute_endpoint:
        _follow()
        return None, None, None
    path = b"/" + b"/".join(request.postpath)
    mapper = app.url_map.bind(
        "localhost", path_info=path.decode("utf-8"), default_method=request.method.decode("latin-1")
    )
    try:
        rule, _ = mapper.match(return_rule=True)
    except HTTPException:  # no route, or a redirect to one: Klein answers that itself
        return None, None, None
    return rule.rule, app.endpoints[rule.endpoint], rule.endpoint


def _follow() -> None:
    """
    Hear from Klein which endpoint it runs; while no request is ours that costs a look at an attribute.
    """
    global _is_followed  # noqa: PLW0603 - one class for the process
    if not _is_followed:
        _is_followed = True
        _patches.replace(Map, "add", _forgetting)
        _patches.replace(Klein, "execute_endpoint", _executing)


_named: Final[dict[tuple[Map, str], tuple[str | None, str | None]]] = {}
"""Of each endpoint that was run: its rule, if there is one alone, and where its function is."""

_MOST: Final = 512
"""Endpoints of one process that are kept; each keeps the rules of its app."""


def _forgetting(original: Any) -> Any:
    def add(self: Any, *arguments: Any, **named: Any) -> Any:
        _named.clear()
        return original(self, *arguments, **named)

    return add


def _executing(original: Any) -> Any:
    def execute_endpoint(self: Any, endpoint: Any, request: Any, *arguments: Any, **named: Any) -> Any:
        exchange = exchange_in(request)
        if exchange is not None:
            try:
                _name(exchange.context, self, endpoint, request)
            except Exception as fault:  # noqa: BLE001 - the app goes on without us
                note("klein", fault)
        return original(self, endpoint, request, *arguments, **named)

    return execute_endpoint


def _name(context: RequestContext, app: Any, endpoint: str, request: Any) -> None:
    known = app.url_map, endpoint
    named = _named.get(known)
    if named is None:
        rules = [*app.url_map.iter_rules(endpoint)]
        if len(_named) >= _MOST:
            _named.clear()
        named = rules[0].rule if len(rules) == 1 else None, known_view(app.endpoints[endpoint], "")[0]
        _named[known] = named
    route, place = named
    if route is None:  # several paths lead there
        rule, _ = IKleinRequest(request).mapper.match(return_rule=True)
        route = rule.rule
    context.route, context.view, context.view_name = route, place or context.view, endpoint
