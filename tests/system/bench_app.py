"""
A small page with one control of each kind, served from a thread of the test.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGE = Path(__file__).with_name("bench_page.html")


@contextmanager
def bench_app(daemon_url: str) -> Iterator[str]:
    """
    Serve the page, its script tag pointing at the daemon; gives its address, ending in a slash.
    """
    html = PAGE.read_text().replace("SDK", f"{daemon_url}/sdk.js").encode()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send("text/html; charset=utf-8", html)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send("application/json", json.dumps({"name": body["name"]}).encode())

        def log_message(self, *args: object) -> None:
            """Say nothing."""

        def _send(self, content_type: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
