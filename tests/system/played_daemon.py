"""
Plays the daemon towards a probe: takes batches, serves the page script, and keeps the facts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SECONDS = 60.0


class PlayedDaemon:
    """
    Listens at once; its runtime file stands in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._changed = threading.Condition()
        self.lines: list[dict[str, Any]] = []
        outer = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.take([json.loads(line) for line in body.splitlines()])
                self.answer(b'{"accepted": 1, "refused": 0}')

            def do_GET(self) -> None:
                self.answer(b"/* the page script */")

            def answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        self.port = self._server.server_address[1]
        file = folder / "probe.json"
        root = f"http://127.0.0.1:{self.port}"
        told = {
            "v": 1,
            "url": f"{root}/ingest",
            "token": "tok",
            "pid": 1,
            "sdk": "/sdk.js",
            "bridge": "ws://127.0.0.1:1/",
        }
        file.write_text(json.dumps(told))
        file.chmod(0o600)

    def take(self, lines: list[dict[str, Any]]) -> None:
        """
        Keep a batch, each fact with the process that sent it.
        """
        hello = lines[0]
        with self._changed:
            self.lines.extend({**line, "hello": hello} for line in lines[1:])
            self._changed.notify_all()

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """
        The first fact like this, once it is there.
        """

        def found() -> list[dict[str, Any]]:
            return [line for line in self.lines if wanted(line)]

        with self._changed:
            assert self._changed.wait_for(lambda: bool(found()), SECONDS), self.lines
            return found()[0]

    def close(self) -> None:
        """
        Listen no more.
        """
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
