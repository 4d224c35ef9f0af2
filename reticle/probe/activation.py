"""
Puts the adapters around an app that knows nothing of them, when it imports its framework.

``reticle run`` calls it by way of ``sitecustomize`` in every Python process of the command: reloaders,
workers and what they start. Each adapter decides itself whether it may be on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from reticle.probe import probing
from reticle.probe.guards import SWITCH, is_reticle
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import safely

_DJANGO_APP: Final = "reticle.probe.django"
_HAVE_THEIR_OWN: Final = ("flask.", "django.", "starlette.", "fastapi.", "klein.", "reticle.")
"""Where an app's class may come from whose adapter stands inside it already."""

watch: Final = ImportWatch()
patches: Final = Patches()


def activate() -> None:
    """
    Watch for frameworks and servers from now on.
    """
    if is_reticle(probing.command_line()):
        return
    if os.environ.get(SWITCH, "").strip() == "1":
        probing.start()
    for name, wrap in _FRAMEWORKS.items():
        watch.when_imported(name, wrap)


def deactivate() -> None:
    """
    Take everything out again.
    """
    watch.remove()
    patches.remove()


def _django(module: ModuleType) -> None:
    """
    Its apps are named once, by its settings; ours is one more.
    """

    def make(original: Any) -> Any:
        def populate(self: Any, installed_apps: Any = None) -> Any:
            if self is module.apps and installed_apps is not None and not self.ready:
                names = list(installed_apps)
                if not any(str(name).startswith(_DJANGO_APP) for name in names):
                    installed_apps = [*names, _DJANGO_APP]
            return original(self, installed_apps)

        return populate

    patches.replace(module.Apps, "populate", make)


def _flask(module: ModuleType) -> None:
    def install(app: Any) -> None:
        from reticle.probe.flask import Reticle  # noqa: PLC0415 - needs Flask

        Reticle(app)

    patches.replace(module.Flask, "__init__", _after_init(install))


def _starlette(module: ModuleType) -> None:
    def install(app: Any) -> None:
        from reticle.probe.starlette import install as put_in  # noqa: PLC0415 - needs Starlette

        put_in(app)

    # FastAPI does not call the initialiser of Starlette's that it inherits from.
    kind = module.FastAPI if module.__name__.startswith("fastapi") else module.Starlette
    patches.replace(kind, "__init__", _after_init(install))


def _after_init(install: Callable[[Any], None]) -> Any:
    def make(original: Any) -> Any:
        def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807 - it takes its place
            original(self, *arguments, **named)
            safely(install, self)

        return __init__

    return make


def _twisted(module: ModuleType) -> None:
    def make(original: Any) -> Any:
        def __init__(self: Any, resource: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807 - as above
            original(self, _wrapped_resource(resource), *arguments, **named)

        return __init__

    patches.replace(module.Site, "__init__", make)


def _wrapped_resource(resource: Any) -> Any:
    try:
        from reticle.probe.twisted import ProbedResource, wrap_resource  # noqa: PLC0415 - needs Twisted

        if isinstance(resource, ProbedResource) or type(resource).__module__.startswith("reticle."):
            return resource
        if "klein" in sys.modules:
            from reticle.probe.klein import route_of  # noqa: PLC0415 - needs Klein

            return wrap_resource(resource, router=route_of)
        return wrap_resource(resource)
    except Exception:  # noqa: BLE001 - the site serves what it was given
        return resource


def _server(name: str, at: int, wrapped: Callable[[Any], Any]) -> Callable[[ModuleType], None]:
    """
    A function of a server's module that is given an application, at this place or by a name.
    """

    def wrap(module: ModuleType) -> None:
        owner, _, method = name.rpartition(".")
        patches.replace(getattr(module, owner) if owner else module, method, make)

    def make(original: Any) -> Any:
        def serve(*arguments: Any, **named: Any) -> Any:
            if len(arguments) > at:
                arguments = (*arguments[:at], wrapped(arguments[at]), *arguments[at + 1 :])
            for key in ("app", "application", "wsgi_app"):
                if key in named:
                    named[key] = wrapped(named[key])
            return original(*arguments, **named)

        return serve

    return wrap


def _hypercorn(module: ModuleType) -> None:
    _server("ASGIWrapper.__init__", 1, _wrapped_asgi)(module)
    _server("WSGIWrapper.__init__", 1, _wrapped_wsgi)(module)


def _gunicorn(module: ModuleType) -> None:
    def make(original: Any) -> Any:
        def wsgi(self: Any) -> Any:
            return _wrapped_wsgi(original(self))

        return wsgi

    patches.replace(module.BaseApplication, "wsgi", make)


def _wrapped_wsgi(app: Any) -> Any:
    if not callable(app) or _has_its_own(app):
        return app
    try:
        from reticle.probe.wsgi import WSGIMiddleware  # noqa: PLC0415 - only where a server asks for it

        return WSGIMiddleware(app) if _is_on() and not isinstance(app, WSGIMiddleware) else app
    except Exception:  # noqa: BLE001 - the server serves what it was given
        return app


def _wrapped_asgi(app: Any) -> Any:
    if not callable(app) or _has_its_own(app):
        return app
    try:
        from reticle.probe.asgi import ASGIMiddleware  # noqa: PLC0415 - only where a server asks for it

        return ASGIMiddleware(app) if _is_on() and not isinstance(app, ASGIMiddleware) else app
    except Exception:  # noqa: BLE001 - the server serves what it was given
        return app


def _uvicorn(module: ModuleType) -> None:
    def make(original: Any) -> Any:
        def load(self: Any) -> Any:
            found = original(self)
            safely(_wrap_loaded, self)
            return found

        return load

    patches.replace(module.Config, "load", make)


def _wrap_loaded(config: Any) -> None:
    from reticle.probe.asgi import ASGIMiddleware  # noqa: PLC0415 - only where a server asks for it

    app = getattr(config, "loaded_app", None)
    if app is None or config.interface == "wsgi" or not _is_on():
        return
    inner = app
    while hasattr(inner, "app") and type(inner).__module__.startswith("uvicorn."):
        inner = inner.app
    if not _has_its_own(inner) and not isinstance(inner, ASGIMiddleware):
        config.loaded_app = ASGIMiddleware(app)


def _has_its_own(app: Any) -> bool:
    return any(f"{kind.__module__}.".startswith(_HAVE_THEIR_OWN) for kind in type(app).__mro__)


def _is_on() -> bool:
    started = probing.start()
    if started.is_on:
        from reticle.probe import script  # noqa: PLC0415 - with an adapter alone

        script.copy.watch()
    return started.is_on


_FRAMEWORKS: Final[dict[str, Callable[[ModuleType], None]]] = {
    "django.apps.registry": _django,
    "flask.app": _flask,
    "starlette.applications": _starlette,
    "fastapi.applications": _starlette,
    "twisted.web.server": _twisted,
    "wsgiref.simple_server": _server("WSGIServer.set_app", 1, _wrapped_wsgi),
    "werkzeug.serving": _server("make_server", 2, _wrapped_wsgi),
    "waitress.server": _server("create_server", 0, _wrapped_wsgi),
    "gevent.pywsgi": _server("WSGIServer.__init__", 2, _wrapped_wsgi),
    "cheroot.wsgi": _server("Server.__init__", 2, _wrapped_wsgi),
    "eventlet.wsgi": _server("server", 1, _wrapped_wsgi),
    "daphne.server": _server("Server.__init__", 1, _wrapped_asgi),
    "hypercorn.app_wrappers": _hypercorn,
    "gunicorn.app.base": _gunicorn,
    "uvicorn.config": _uvicorn,
}
