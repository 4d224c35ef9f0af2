"""
The three built apps of ``tests/system/apps``, served with a small API: sound, and with faults on request.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.system.web_app import QuietHandler

BUILT = Path(__file__).parent / "apps/dist"
APPS = ("react", "vue", "plain")
KINDS = {".html": "text/html", ".js": "text/javascript"}
STALL_SECONDS = 60


class OrdersServer(QuietHandler):
    """
    Serves what was built. ``tag`` in a page's address puts the daemon's script first in its head; ``fault``
    makes that page's orders fail, ``stall`` keeps them without an answer until ``enough`` is set.
    """

    enough = threading.Event()

    def __init__(self, daemon_url: str, *args: Any) -> None:
        self.daemon_url = daemon_url
        super().__init__(*args)

    def do_GET(self) -> None:
        """
        One of the files.
        """
        path, _, query = self.path.partition("?")
        file = BUILT / path.strip("/")
        file = file / "index.html" if file.is_dir() else file
        if BUILT not in file.resolve().parents or not file.is_file():
            self.answer(404, "text/plain", b"")
            return
        body = file.read_bytes()
        if "tag" in query.split("&"):
            script = f'<head><script src="{self.daemon_url}/sdk.js"></script>'
            body = body.replace(b"<head>", script.encode(), 1)
        self.answer(200, KINDS[file.suffix], body)

    def do_POST(self) -> None:
        """
        Keep an order, or what the page's address asks for.
        """
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        faults = (self.headers["Referer"] or "").partition("?")[2].split("&")
        if "stall" in faults:
            OrdersServer.enough.wait(STALL_SECONDS)
        if "fault" in faults:
            self.answer(500, "application/json", b'{"error": "the store is closed"}')
        else:
            self.answer(201, "application/json", json.dumps(json.loads(sent)).encode())


def require_built() -> None:
    """
    Skip where the apps are not built.
    """
    if not (BUILT / ".built").exists():
        pytest.skip("the apps are not built: make apps")
