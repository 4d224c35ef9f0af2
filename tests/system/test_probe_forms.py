"""
A form without a script, over two redirects: what the server did in each request belongs to the click.
"""

from __future__ import annotations

import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.test_run import free_port
from tests.system.wire import eventually

SOURCE = """
import logging
import sys
from flask import Flask, redirect
from reticle.probe.flask import Reticle
app = Flask(__name__)
Reticle(app)
PAGE = "<!doctype html><html><head><title>%s</title></head><body>%s</body></html>"
FORM = "<form method=post action=/keep><button>Keep</button></form>"
@app.get("/")
def home():
    return PAGE % ("shop", FORM)
@app.post("/keep")
def keep():
    logging.getLogger("shop").warning("kept one")
    return redirect("/step", 303)
@app.get("/step")
def step():
    return redirect("/thanks")
@app.get("/thanks")
def thanks():
    logging.getLogger("shop").warning("said thanks")
    return PAGE % ("thanks", "<h1>Thank you</h1>")
app.run(port=int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def origin(daemon: Daemon, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The app, once it inserts the script.
    """
    folder, port = tmp_path_factory.mktemp("forms"), free_port()
    (folder / "shop.py").write_text(SOURCE)
    environment = {
        "RETICLE_PROBE": "1",
        "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir),
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    child = Child("shop", [sys.executable, folder / "shop.py", str(port)], folder / "log", environment)
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Accept": "text/html"})

    def inserts() -> bool | None:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return b"/__reticle__/sdk.js" in answer.read() or None
        except OSError:
            return None

    child.wait_for(inserts, "the script is inserted")
    yield f"http://127.0.0.1:{port}"
    child.stop()


def pages(client: Client) -> list[Any]:
    """
    The connected pages.
    """
    listed: Any = client.call("reticle_sessions").fields["sessions"]
    return list(listed)


def test_each_request_of_the_way_belongs_to_the_click(
    origin: str, client: Client, open_browser: Callable[[str], Child]
) -> None:
    """
    The verdict sees the post, the page at the end, and what both logged, each with its line.
    """
    open_browser(f"{origin}/")
    eventually(lambda: pages(client), "the page is connected")
    claim = {
        "kind": "allOf",
        "predicates": [
            {"kind": "text", "contains": "Thank you"},
            {"kind": "server", "method": "POST", "route": "/keep", "status": 303, "count": 1},
            {"kind": "server", "route": "/step", "status": 302},
            {"kind": "server", "route": "/thanks", "status": 200},
            {"kind": "log", "contains": "kept one"},
            {"kind": "log", "contains": "said thanks"},
        ],
    }
    asked = {"target": {"role": "button", "name": "Keep"}, "action": "click", "until": claim}
    answer = client.call("reticle_act_and_wait", {"sessionId": pages(client)[0]["sessionId"], **asked})
    assert answer.fields["verified"] == "yes", answer.fields
    line = SOURCE.splitlines().index("def keep():") + 1
    assert f"shop.py:{line}" in str(answer.fields)
