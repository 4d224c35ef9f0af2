"""
The plain app: files of this folder and a small API over memory, for one build. Prints its address first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from api import Api

from reticle.probe.http_server import install

HERE = Path(__file__).parent
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Server(BaseHTTPRequestHandler):
    """
    ``/api/…`` is the API, everything else a file; an address without a suffix is its first part's ``.html``.
    """

    api = Api()
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        """
        A file, or a reading of the API.
        """
        path = self.path.split("?")[0]
        if path.startswith("/api/"):
            self.api.answer(self, {})
            return
        name = path.strip("/") or "shop"
        file = HERE / "static" / (name if "." in name else f"{name.split('/')[0]}.html")
        if file.is_file():
            self.send(200, file.read_bytes(), f"{KINDS.get(file.suffix, 'text/plain')}; charset=utf-8")
        else:
            self.send(404, b"<h1>Not found</h1>", "text/html")

    def do_POST(self) -> None:
        """
        A change through the API.
        """
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.api.answer(self, json.loads(body) if body else {})

    do_PUT = do_PATCH = do_DELETE = do_POST

    def send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        """
        Answer whole.
        """
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in {"Cache-Control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        """
        Answer with JSON; 204 goes without a body.
        """
        body = b"" if status == 204 else json.dumps(value).encode()
        self.send(status, body, "application/json", headers)

    def send_parts(self, kind: str, parts: Iterator[str]) -> None:
        """
        Answer bit by bit, until the parts or the connection end.
        """
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for part in parts:
                self.wfile.write(part.encode())
                self.wfile.flush()
        except OSError:
            return


if __name__ == "__main__":
    install(Server)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
