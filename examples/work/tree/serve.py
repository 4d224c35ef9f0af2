"""
A corner shop by the standard library's server, on the port given; prints its address first.

``shop.py`` is read anew whenever it has changed, so that a mended rule needs no restart.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

import shop


class Server(ThreadingMixIn, WSGIServer):
    """A thread for each request."""

    daemon_threads = True


class Quiet(WSGIRequestHandler):
    """Prints no line for each request."""

    def log_message(self, *_args: object) -> None:
        """Nothing."""


class Fresh:
    """The shop as its file stands now."""

    def __init__(self) -> None:
        self._seen = self._stamp()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request by the newest rules."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            importlib.reload(shop)
        return shop.app(environ, start_response)

    def _stamp(self) -> int:
        return Path(shop.__file__).stat().st_mtime_ns


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    server = make_server("127.0.0.1", int(sys.argv[1]), Fresh(), server_class=Server, handler_class=Quiet)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
