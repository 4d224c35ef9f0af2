"""
The plain app: files of this folder and a small API over memory, for one build. Prints its address first.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from api import Api

HERE = Path(__file__).parent
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Server(BaseHTTPRequestHandler):
    """
    ``/api/…`` is the API, everything else a file; an address without a suffix is its ``.html``.
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
            self.api.answer(self, None)
            return
        name = path.strip("/") or "shop"
        file = HERE / "static" / (name if "." in name else f"{name}.html")
        if file.is_file():
            self.send(200, file.read_bytes(), KINDS.get(file.suffix, "application/octet-stream"))
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
        self.send_header("Cache-Control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        """
        Answer with JSON.
        """
        self.send(status, json.dumps(value).encode(), "application/json", headers)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
