"""
Adapters put around apps that know nothing of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from twisted.web.resource import Resource
from twisted.web.server import Site

from reticle import probe
from reticle.probe import activation
from reticle.probe.asgi import ASGIMiddleware
from reticle.probe.twisted import ProbedResource
from reticle.probe.wsgi import WSGIMiddleware


@pytest.fixture(autouse=True)
def activated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """
    As under ``reticle run``, without a daemon.
    """
    monkeypatch.setenv("RETICLE_PROBE", "1")
    monkeypatch.setenv("RETICLE_RUNTIME_DIR", str(tmp_path))
    activation.activate()
    yield
    activation.deactivate()
    probe.stop()


def plain(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """
    A WSGI application.
    """
    del environ, start_response
    return []


def imported(monkeypatch: pytest.MonkeyPatch, name: str, **contents: Any) -> Any:
    """
    A server's module that the app has just imported.
    """
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)
    activation.deactivate()
    activation.activate()
    return module


def test_flask_and_starlette_apps_are_wrapped_when_made() -> None:
    """
    The app's own line stays ``Flask(__name__)``.
    """
    flask = pytest.importorskip("flask")
    starlette = pytest.importorskip("starlette.applications")
    app = flask.Flask("shop")
    assert isinstance(app.wsgi_app, WSGIMiddleware)
    assert isinstance(starlette.Starlette().build_middleware_stack(), ASGIMiddleware)
    activation.deactivate()
    assert not isinstance(flask.Flask("shop").wsgi_app, WSGIMiddleware)


def test_a_site_of_twisted_gets_the_probed_tree() -> None:
    """
    ``Site(root)`` is all that the app says.
    """
    assert isinstance(Site(Resource()).resource, ProbedResource)


def test_a_server_of_wsgi_gets_a_plain_app_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app of no framework is watched too; one with an adapter of its own is not wrapped twice.
    """

    class BaseApplication:
        def wsgi(self) -> Any:
            return plain

    module = imported(monkeypatch, "gunicorn.app.base", BaseApplication=BaseApplication)
    assert isinstance(module.BaseApplication().wsgi(), WSGIMiddleware)
    flask = pytest.importorskip("flask")
    served: list[Any] = []
    waitress = imported(
        monkeypatch, "waitress.server", create_server=lambda application, **_: served.append(application)
    )
    waitress.create_server(plain)
    waitress.create_server(application=plain)
    app = flask.Flask("shop")
    waitress.create_server(app)
    assert [type(each) for each in served] == [WSGIMiddleware, WSGIMiddleware, flask.Flask]
    assert served[2] is app


def test_uvicorn_gets_a_plain_app_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The same for ASGI; a WSGI app that uvicorn adapts is left to its own.
    """

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del scope, receive, send

    class Config(SimpleNamespace):
        def load(self) -> None:
            self.loaded_app = app

    module = imported(monkeypatch, "uvicorn.config", Config=Config)
    for interface, kind in (("asgi3", ASGIMiddleware), ("wsgi", type(app))):
        config = module.Config(interface=interface)
        config.load()
        assert type(config.loaded_app) is kind


@pytest.mark.parametrize(
    ("module", "kind", "before", "wrapped"),
    [
        ("gevent.pywsgi", "WSGIServer", [("127.0.0.1", 80)], WSGIMiddleware),
        ("cheroot.wsgi", "Server", [("127.0.0.1", 80)], WSGIMiddleware),
        ("daphne.server", "Server", [], ASGIMiddleware),
        ("hypercorn.app_wrappers", "ASGIWrapper", [], ASGIMiddleware),
        ("hypercorn.app_wrappers", "WSGIWrapper", [], WSGIMiddleware),
    ],
)
def test_a_server_that_is_given_its_app_gets_it_wrapped(
    monkeypatch: pytest.MonkeyPatch, module: str, kind: str, before: list[Any], wrapped: type
) -> None:
    """
    Each server's own way to be given a plain app is known, by place and by name.
    """

    class Server:
        def __init__(self, *arguments: Any, **named: Any) -> None:
            self.app = named.get("application", arguments[-1] if arguments else None)

    kinds = {name: type(name, (Server,), {}) for name in ("ASGIWrapper", "WSGIWrapper", kind)}
    loaded = imported(monkeypatch, module, **kinds)
    server = getattr(loaded, kind)
    assert isinstance(server(*before, plain).app, wrapped)
    assert isinstance(server(*before, application=plain).app, wrapped)


def test_django_has_one_more_app() -> None:
    """
    The settings stay as they are written; the project's own entry is not doubled.
    """
    registry = pytest.importorskip("django.apps.registry")
    seen: list[list[str]] = []

    class Apps:
        ready = False

        def populate(self, installed_apps: Any = None) -> None:
            seen.append(list(installed_apps))

    apps = Apps()
    activation._django(SimpleNamespace(Apps=Apps, apps=apps))  # type: ignore[arg-type]  # looks like it
    apps.populate(["shop"])
    apps.populate(["shop", "reticle.probe.django"])
    Apps().populate(["migrations"])
    assert seen == [["shop", "reticle.probe.django"], ["shop", "reticle.probe.django"], ["migrations"]]
    assert registry.Apps is not Apps
