"""
The probe for Starlette and FastAPI: ``install(app)``.

It stands around everything of the framework, its page of a 500 included. It is on with ``debug=True`` or with
``RETICLE_PROBE=1``; otherwise the app is left as it is.
"""

from __future__ import annotations

import importlib.metadata
from typing import Any

from reticle.probe import probing, script
from reticle.probe.asgi import ASGIMiddleware


def install(app: Any) -> None:
    """
    Put the probe around an application that has not answered yet; a second time changes nothing.
    """
    if getattr(app, "_reticle", False):
        return
    name = "fastapi" if type(app).__module__.startswith("fastapi") else "starlette"
    probe = probing.start(f"{name} {importlib.metadata.version(name)}", debug=bool(app.debug))
    if not probe.is_on:
        return
    script.copy.watch()
    app._reticle = True  # noqa: SLF001 - a mark of ours on their object
    build = app.build_middleware_stack
    app.build_middleware_stack = lambda: ASGIMiddleware(build())
    if app.middleware_stack is not None:
        app.middleware_stack = ASGIMiddleware(app.middleware_stack)
