"""
The probe for Flask: ``Reticle(app)``, or ``reticle = Reticle()`` and ``reticle.init_app(app)``.

It is on in debug mode, or with ``RETICLE_PROBE=1``; otherwise the app is left as it is.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable
from typing import Any

import flask

from reticle.probe import probing, script
from reticle.probe.context import RequestContext
from reticle.probe.emission import running
from reticle.probe.harmless import harmless, note
from reticle.probe.views import place_of
from reticle.probe.wsgi import WSGIMiddleware, exchange_in

Places = dict[tuple[str, str], tuple[Any, "str | None"]]


class Reticle:
    """
    The extension.

    Args:
        app: The application; without one call ``init_app`` later.
    """

    def __init__(self, app: Any = None) -> None:
        self.places: Places = {}
        """Where each view is written, by endpoint and method: the rules of an app are few."""
        if app is not None:
            self.init_app(app)

    def init_app(self, app: Any) -> None:
        """
        Put the probe around an application; a second time for the same one changes nothing.
        """
        if "reticle" in app.extensions:
            return
        probe = probing.start(
            f"flask {importlib.metadata.version('flask')}", app.root_path, debug=_is_debugging(app)
        )
        if not probe.is_on:
            return
        script.copy.watch()
        app.extensions["reticle"] = self
        app.wsgi_app = WSGIMiddleware(app.wsgi_app)
        app.preprocess_request = _telling(app, app.preprocess_request, self.places)
        # signals hold their receivers weakly unless told otherwise
        flask.got_request_exception.connect(_failed, app, weak=False)


def _is_debugging(app: Any) -> bool:
    """
    ``app.run(debug=True)`` says it only after the app was made; the process that its reloader starts then
    knows by Werkzeug's mark before.
    """
    reloaded = os.environ.get("WERKZEUG_RUN_MAIN") == "true"
    return bool(app.debug) or flask.helpers.get_debug_flag() or reloaded


def _telling(app: Any, original: Callable[..., Any], places: Places) -> Callable[..., Any]:
    """
    What Flask calls first of all once it knows the rule, with the rule and the view told. Its signal
    ``request_started`` comes at the same time, and takes three times as long.
    """

    def preprocess_request(*given: Any, **named: Any) -> Any:
        try:
            request = running.get()
            if isinstance(request, RequestContext):
                asked: Any = flask.request
                asked = asked._get_current_object()  # noqa: SLF001 - documented by Werkzeug; each look through it costs
                _tell(request, app, asked, places)
        except Exception as fault:  # noqa: BLE001 - the app goes on without us
            note("flask", fault)
        return original(*given, **named)

    return preprocess_request


def _tell(told: RequestContext, app: Any, request: Any, places: Places) -> None:
    rule, endpoint = request.url_rule, request.endpoint
    if rule is None:
        return
    view = app.view_functions.get(endpoint)
    place = places.get((endpoint, request.method))
    if place is None or place[0] is not view:
        place = places[endpoint, request.method] = (view, place_of(view, request.method))
    told.route, told.view, told.view_name = rule.rule, place[1], endpoint


@harmless(None)
def _failed(app: Any, exception: BaseException, **_: object) -> None:
    """
    Flask makes a 500 of it before any middleware hears of it.
    """
    del app
    exchange = exchange_in(flask.request.environ)
    if exchange is not None:
        exchange.failed(exception)
