"""
A reverse proxy of the worst kind that is met: it reads a whole response before it hands on a byte of it.

It takes away a path prefix, as a front server does that serves several applications.
"""

from __future__ import annotations

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PREFIX = "/tools/x"


class BufferingProxy:
    """
    Listens on a port of its own until ``close``.

    Args:
        upstream: The daemon's port.
    """

    def __init__(self, upstream: int) -> None:
        class Hop(BaseHTTPRequestHandler):
            """
            One connection.
            """

            protocol_version = "HTTP/1.1"

            def forward(self) -> None:
                """
                Ask the daemon, wait for all of its answer, pass it on.
                """
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {
                    name: value for name, value in self.headers.items() if name.lower() != "connection"
                }
                hop = http.client.HTTPConnection("127.0.0.1", upstream, timeout=10)
                try:
                    hop.request(self.command, self.path.removeprefix(PREFIX), body or None, headers)
                    answer = hop.getresponse()
                    whole = answer.read()
                except OSError:
                    self.send_error(504)
                    return
                finally:
                    hop.close()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in {"transfer-encoding", "content-length", "connection"}:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(whole)))
                self.end_headers()
                self.wfile.write(whole)

            do_GET = do_POST = do_DELETE = forward

            def log_message(self, *_: Any) -> None:
                """
                Say nothing.
                """

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Hop)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """
        Stop listening.
        """
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
