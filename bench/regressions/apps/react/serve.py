"""
The tracker: bundles the React app of this folder, then serves it and its API. Prints its address first.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from api import Api, Refused
from data import USERS

from reticle.probe.http_server import install

HERE = Path(__file__).parent
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".map": "application/json"}
SESSION = "tracker_user"


class Server(BaseHTTPRequestHandler):
    """
    ``/api/…`` is the API, a name with a suffix is a file, and all else is the app.
    """

    api = Api()
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        """
        A file, the stream, or a reading of the API.
        """
        path = self.path.split("?")[0]
        if path == "/api/live":
            self.stream()
        elif path.startswith("/api/"):
            self.answer({})
        else:
            name = path.strip("/") if "." in path else "index.html"
            file = HERE / name
            if file.is_file():
                self.send(200, file.read_bytes(), f"{KINDS.get(file.suffix, 'text/plain')}; charset=utf-8")
            else:
                self.send(404, b"", "text/plain")

    def do_POST(self) -> None:
        """
        A change through the API.
        """
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(json.loads(body) if body else {})

    do_PUT = do_PATCH = do_DELETE = do_POST

    def user(self) -> str:
        """
        Who asks, by the cookie.
        """
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(SESSION)
        return cookie.value if cookie is not None and cookie.value in USERS else "ana"

    def answer(self, body: dict[str, object]) -> None:
        """
        Let the API answer; signing in sets the cookie.
        """
        if self.command == "PUT" and self.path == "/api/session":
            user = str(body["id"])
            self.send_json(200, USERS[user], {"Set-Cookie": f"{SESSION}={user}; Path=/; SameSite=Lax"})
            return
        try:
            status, value = self.api.answer(self.command, self.path, self.user(), body)
        except Refused as refused:
            status, value = refused.status, refused.body
        self.send_json(status, value)

    def stream(self) -> None:
        """
        What happens, as server-sent events, until the page goes.
        """
        events: queue.Queue[tuple[str, object]] = queue.Queue()
        self.api.listeners.append(events)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.write(": hello\n\n")
            while True:
                try:
                    kind, value = events.get(timeout=5)
                    self.write(f"event: {kind}\ndata: {json.dumps(value)}\n\n")
                except queue.Empty:
                    self.write(": still here\n\n")
        except OSError:
            self.api.listeners.remove(events)

    def write(self, text: str) -> None:
        """
        A piece of the stream.
        """
        self.wfile.write(text.encode())
        self.wfile.flush()

    def send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        """
        Answer with JSON; 204 goes without a body.
        """
        self.send(status, b"" if status == 204 else json.dumps(value).encode(), "application/json", headers)

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


if __name__ == "__main__":
    subprocess.run(["node", "build.mjs"], cwd=HERE, check=True, stdout=sys.stderr)
    install(Server)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
