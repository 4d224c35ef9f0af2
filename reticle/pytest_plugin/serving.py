"""
What a test may open: an address, a live server of another plugin, or the app itself, which is then served.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from socketserver import ThreadingMixIn
from typing import Any, Final, Protocol
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from reticle.pytest_plugin.outcomes import NotServed

_HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 10.0


class Served(Protocol):
    """
    An app that is served.
    """

    url: str

    def close(self) -> None:
        """
        Serve it no longer.
        """


Probed = Callable[[Any], Any]
"""Puts the probe around an app."""


def address_of(where: object) -> str | None:
    """
    The address of a string, or of an object with ``url`` as pytest-django's and pytest-flask's live servers
    have it; None where there is none.
    """
    if isinstance(where, str):
        return where
    url = getattr(where, "url", None)
    if callable(url):
        url = url()
    return url if isinstance(url, str) else None


def serve(app: object, wsgi: Probed, asgi: Probed) -> Served:
    """
    Serve a WSGI or ASGI app on a free port of this process, behind the probe.

    Raises ``NotServed`` for anything else, and for ASGI without uvicorn.
    """
    if not callable(app):
        raise NotServed(
            f"{app!r} cannot be opened: give an address, a live server with .url, or a WSGI or ASGI app"
        )
    return _Asgi(asgi(app)) if _is_asgi(app) else _Wsgi(wsgi(app))


def _is_asgi(app: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(app) or inspect.iscoroutinefunction(type(app).__call__)


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has
        """
        Nothing: requests stand in verdicts.
        """


class _Wsgi:
    """
    By the standard library, a thread for each request.
    """

    def __init__(self, app: Any) -> None:
        self._server = make_server(_HOST, 0, app, server_class=_Threads, handler_class=_Quiet)
        self.url = f"http://{_HOST}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """
        Serve it no longer.
        """
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Asgi:
    """
    By uvicorn, which the app's own project has, in a thread.
    """

    def __init__(self, app: Any) -> None:
        try:
            import uvicorn  # noqa: PLC0415 - an ASGI app's project has it, others need it not
        except ImportError:
            raise NotServed(
                "an ASGI app needs uvicorn to be served: install it, or serve the app and give its address"
            ) from None
        config = uvicorn.Config(app, host=_HOST, port=0, log_level="warning")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        self.url = f"http://{_HOST}:{self._port()}"

    def close(self) -> None:
        """
        Serve it no longer.
        """
        self._server.should_exit = True
        self._thread.join()

    def _port(self) -> int:
        waited = threading.Event()
        for _ in range(int(_START_SECONDS * 100)):
            if self._server.started:
                port: int = self._server.servers[0].sockets[0].getsockname()[1]
                return port
            if not self._thread.is_alive():
                break
            waited.wait(0.01)
        raise NotServed("uvicorn did not start to serve the app")
