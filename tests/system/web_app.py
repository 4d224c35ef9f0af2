"""
Small apps for the tests, served from a thread of the test's own process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JOIN_SECONDS = 5


class QuietHandler(BaseHTTPRequestHandler):
    """
    Answers without a word on the screen.
    """

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def answer(self, status: int, kind: str, body: bytes) -> None:
        """
        Send a whole answer.
        """
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(handler: Callable[..., Any], host: str = "127.0.0.1") -> Iterator[str]:
    """
    Serve an app on a free port of 127.0.0.1; gives its address, ending in a slash.

    Args:
        handler: Makes what answers one connection, as ``http.server`` calls it.
        host: The name by which the address has it.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(JOIN_SECONDS)
