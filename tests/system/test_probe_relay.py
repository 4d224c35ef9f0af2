"""
Pages of real apps whose policy lets them speak to nobody but their own origin: a real browser, a real daemon,
and the app's server between them.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as dial_page
from websockets.typing import Origin

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.pages import HELLO, page_names
from tests.system.test_run import free_port
from tests.system.wire import eventually

OTHER = Origin("http://127.0.0.1:1")
POLICY = "default-src 'self'; connect-src 'self'"
PAGE = (
    "<!doctype html><html><head><title>NAME</title><script src='/app.js'></script></head>"
    "<body><button>Go</button></body></html>"
)
SCRIPT = (
    "document.addEventListener('securitypolicyviolation', (event) => {"
    " document.title = `NAME violated ${event.violatedDirective} ${event.blockedURI}`; });"
)
SHARED = f"import sys\nPOLICY, PAGE, SCRIPT = {POLICY!r}, {PAGE!r}, {SCRIPT!r}\nPORT = int(sys.argv[1])\n"

FLASK = """
from flask import Flask
from reticle.probe.flask import Reticle
app = Flask(__name__)
Reticle(app)
@app.get("/")
def home():
    return PAGE.replace("NAME", "flask"), 200, {"Content-Security-Policy": POLICY}
@app.get("/app.js")
def script():
    return SCRIPT.replace("NAME", "flask"), 200, {"Content-Type": "text/javascript"}
app.run(port=PORT)
"""

FASTAPI = """
import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from reticle.probe.starlette import install
app = FastAPI()
install(app)
@app.get("/")
async def home():
    return HTMLResponse(PAGE.replace("NAME", "fastapi"), headers={"Content-Security-Policy": POLICY})
@app.get("/app.js")
def script():
    return Response(SCRIPT.replace("NAME", "fastapi"), media_type="text/javascript")
uvicorn.run(app, port=PORT)
"""

KLEIN = """
from klein import Klein
from twisted.internet import reactor
from twisted.web.server import Site
from reticle.probe.klein import wrap
app = Klein()
@app.route("/")
def home(request):
    request.setHeader("content-type", "text/html; charset=utf-8")
    request.setHeader("content-security-policy", POLICY)
    return PAGE.replace("NAME", "klein")
@app.route("/app.js")
def script(request):
    request.setHeader("content-type", "text/javascript")
    return SCRIPT.replace("NAME", "klein")
reactor.listenTCP(PORT, Site(wrap(app)), interface="127.0.0.1")
reactor.run()
"""

DJANGO = """
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
def home(request):
    return HttpResponse(PAGE.replace("NAME", "django"), headers={"Content-Security-Policy": POLICY})
def script(request):
    return HttpResponse(SCRIPT.replace("NAME", "django"), content_type="text/javascript")
urlpatterns = [path("", home), path("app.js", script)]
settings.configure(
    DEBUG=True, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x", MIDDLEWARE=[],
    INSTALLED_APPS=["reticle.probe.django"],
)
execute_from_command_line(["app.py", "runserver", str(PORT), "--noreload"])
"""

APPS = {"flask": FLASK, "fastapi": FASTAPI, "klein": KLEIN, "django": DJANGO}


class Running(NamedTuple):
    """
    An app that answers, and at which port.
    """

    name: str
    port: int
    child: Child

    @property
    def origin(self) -> str:
        """
        Where its pages live.
        """
        return f"http://127.0.0.1:{self.port}"

    def get(self) -> str:
        """
        Its page, as a browser gets it.
        """
        request = urllib.request.Request(f"{self.origin}/", headers={"Accept": "text/html"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            text: str = answer.read().decode()
            return text

    def post(self, value: object, origin: str | None = None) -> Any:
        """
        One post of a page to the relay.
        """
        request = urllib.request.Request(
            f"{self.origin}/__reticle__/poll",
            data=json.dumps(value).encode(),
            headers={"Content-Type": "application/json", "Origin": origin or self.origin},
        )
        with urllib.request.urlopen(request, timeout=40) as answer:
            return json.loads(answer.read())


@pytest.fixture(scope="module", params=APPS)
def app(
    request: pytest.FixtureRequest, daemon: Daemon, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """
    Each app, once it inserts the script.
    """
    folder, port = tmp_path_factory.mktemp(request.param), free_port()
    source = folder / "app.py"
    source.write_text(SHARED + APPS[request.param])
    environment = {
        "RETICLE_PROBE": "1", "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir), "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }  # fmt: skip
    child = Child(request.param, [sys.executable, source, str(port)], folder / "log", environment)
    running = Running(request.param, port, child)

    def inserts() -> bool | None:
        try:
            return "/__reticle__/sdk.js" in running.get() or None
        except OSError:
            return None

    child.wait_for(inserts, "the script is inserted")
    yield running
    child.stop()


def titles(client: Client) -> list[str]:
    """
    The titles of the connected pages.
    """
    listed: Any = client.call("reticle_sessions").fields["sessions"]
    return [str(page.get("title")) for page in listed]


def test_a_browser_connects_and_no_policy_is_violated(
    app: Running, client: Client, open_browser: Callable[[str], Child]
) -> None:
    """
    A strict app is driven like any other, and its own listener for violations hears nothing.
    """
    open_browser(f"{app.origin}/")
    eventually(lambda: any(title.startswith(app.name) for title in titles(client)), "the page is connected")
    listed: Any = client.call("reticle_sessions").fields["sessions"]
    (page,) = (page for page in listed if page["title"].startswith(app.name))
    target = {"role": "button", "name": "Go"}
    answer = client.call("reticle_act", {"sessionId": page["sessionId"], "target": target, "action": "click"})
    assert answer.fields["ok"] is True
    assert app.name in titles(client)


def test_a_page_of_another_origin_gets_no_relay(app: Running, client: Client) -> None:
    """
    Another site in the same browser cannot speak to the daemon through the app.
    """
    with pytest.raises(urllib.error.HTTPError) as refused:
        app.post({"open": True}, origin=OTHER)
    refused.value.close()
    assert refused.value.code == 403
    if app.name in {"fastapi", "klein"}:
        with (
            pytest.raises((InvalidStatus, ConnectionClosed)),
            dial_page(f"ws://127.0.0.1:{app.port}/__reticle__/ws", origin=OTHER) as page,
        ):
            page.recv(5)
    assert "stranger" not in page_names(client)


def test_the_relay_carries_both_ways(app: Running, client: Client) -> None:
    """
    What a page says arrives, the daemon's command comes back, and its goodbye ends the page.
    """
    name = f"relayed-{app.name}"
    hello = json.dumps({**HELLO, "sessionId": name})
    opened = app.post({"open": True})["id"]
    app.post({"id": opened, "send": [hello]})
    eventually(lambda: name in page_names(client), "the page is connected")
    app.post({"id": opened, "close": True})
    eventually(lambda: name not in page_names(client), "the page is gone")


@pytest.mark.parametrize("app", ["fastapi", "klein"], indirect=True)
def test_the_relay_of_websockets_carries_both_ways(app: Running, client: Client) -> None:
    """
    The same where the server speaks WebSocket, with a message of a megabyte.
    """
    name = f"socket-{app.name}"
    with dial_page(f"ws://127.0.0.1:{app.port}/__reticle__/ws", origin=Origin(app.origin)) as page:
        page.send(json.dumps({**HELLO, "sessionId": name, "title": "x" * 1_000_000}))
        eventually(lambda: name in page_names(client), "the page is connected")
    eventually(lambda: name not in page_names(client), "the page is gone")
