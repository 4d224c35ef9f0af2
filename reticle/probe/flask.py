"""
The probe for Flask: ``Reticle(app)``, or ``reticle = Reticle()`` and ``reticle.init_app(app)``.

It is on in debug mode, or with ``RETICLE_PROBE=1``; otherwise the app is left as it is.
"""

from __future__ import annotations

import importlib.metadata
import os
from typing import Any

import flask

from reticle.probe import context, probing, script
from reticle.probe.harmless import harmless
from reticle.probe.views import place_of
from reticle.probe.wsgi import WSGIMiddleware, exchange_in


class Reticle:
    """
    The extension.

    Args:
        app: The application; without one call ``init_app`` later.
    """

    def __init__(self, app: Any = None) -> None:
        self.places: dict[tuple[str, str], tuple[Any, str | None]] = {}
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
        # signals hold their receivers weakly unless told otherwise
        flask.request_started.connect(_started, app, weak=False)
        flask.got_request_exception.connect(_failed, app, weak=False)


def _is_debugging(app: Any) -> bool:
    """
    ``app.run(debug=True)`` says it only after the app was made; the process that its reloader starts then
    knows by Werkzeug's mark before.
    """
    reloaded = os.environ.get("WERKZEUG_RUN_MAIN") == "true"
    return bool(app.debug) or flask.helpers.get_debug_flag() or reloaded


@harmless(None)
def _started(app: Any, **_: object) -> None:
    running = context.current()
    if running is None:
        return
    request: Any = flask.request
    request = request._get_current_object()  # noqa: SLF001 - documented by Werkzeug; each look through it costs
    rule, endpoint = request.url_rule, request.endpoint
    if rule is None:
        return
    view = app.view_functions.get(endpoint)
    known = app.extensions["reticle"].places
    place = known.get((endpoint, request.method))
    if place is None or place[0] is not view:
        place = known[endpoint, request.method] = (view, place_of(view, request.method))
    running.route = rule.rule
    running.view = place[1]
    running.view_name = endpoint


@harmless(None)
def _failed(app: Any, exception: BaseException, **_: object) -> None:
    """
    Flask makes a 500 of it before any middleware hears of it.
    """
    del app
    exchange = exchange_in(flask.request.environ)
    if exchange is not None:
        exchange.failed(exception)
