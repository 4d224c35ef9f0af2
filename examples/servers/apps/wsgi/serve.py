"""
Serve the order desk by the standard library's server; prints its address first.
"""

from __future__ import annotations

from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from preparing import prepare

import reticle.probe


class Server(ThreadingMixIn, WSGIServer):
    """A thread for each request."""

    daemon_threads = True


class Quiet(WSGIRequestHandler):
    """Prints no line for each request."""

    def log_message(self, *_args: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    prepare()
    reticle.probe.start(framework="wsgi")
    from desk import app

    server = make_server("127.0.0.1", 0, app, server_class=Server, handler_class=Quiet)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
