"""
What only a browser can show of the insertion: real WSGI, ASGI and Twisted servers, and one Chromium whose tab
goes from page to page.

Which pitfall is tested where stands in ``tests/unit/probe/pitfalls.py``.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.test_run import free_port
from tests.system.wire import eventually

ROOT = Path(__file__).resolve().parents[2]

SITE = r"""
import json, sys, threading
PORT, KIND = int(sys.argv[1]), sys.argv[2]
asked, lock = {}, threading.Lock()
HTML = {"Content-Type": "text/html; charset=utf-8"}

def page(title, body, script=""):
    return (
        f"<!doctype html><html><head><title>{title}</title><script src=/app.js></script></head>"
        f"<body>{body}<button id=go>Go</button><p role=status></p><script>{script}</script></body></html>"
    )

APP = '''
document.addEventListener("securitypolicyviolation", (event) => {
  document.title += ` violated ${event.violatedDirective}`;
});
addEventListener("DOMContentLoaded", () => {
  document.getElementById("go").addEventListener("click", () =>
    fetch("/tick", { method: "POST" }).then((answer) => answer.text()).then((text) => {
      document.querySelector("[role=status]").textContent = text;
    }));
});
'''
WORKER = '''
addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || !event.request.url.endsWith("/offline")) return;
  event.respondWith(caches.open("v1").then(async (cache) => {
    const kept = await cache.match(event.request);
    if (kept) return kept;
    const answer = await fetch(event.request);
    await cache.put(event.request, answer.clone());
    return answer;
  }));
});
'''
FRAMES = '''<iframe id=doc srcdoc="<p>inside</p>"></iframe><iframe id=empty></iframe>
<iframe id=inner src=/inner></iframe>'''
COUNT = '''
addEventListener("load", () => {
  const count = (id) => document.getElementById(id).contentDocument.querySelectorAll("script").length;
  document.title = `framing ${count("doc")} ${count("empty")} ${count("inner")}`;
});
'''
RULES = '<script type=speculationrules>{"prerender":[{"urls":["/later"],"eagerness":"immediate"}]}</script>'

def answer(method, path, headers):
    with lock:
        number = asked[path] = asked.get(path, 0) + 1
        if "prerender" in headers("Sec-Purpose"):
            asked["prerender " + path] = 1
    if path == "/app.js":
        return {"Content-Type": "text/javascript"}, APP
    if path == "/sw.js":
        return {"Content-Type": "text/javascript"}, WORKER
    if path == "/tick":
        return {"Content-Type": "text/plain"}, f"ticked {number}"
    if path == "/asked":
        return {"Content-Type": "application/json"}, json.dumps(asked)
    if path == "/isolated":
        opener, embedder = "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy"
        isolating = {**HTML, opener: "same-origin", embedder: "require-corp"}
        return isolating, page("isolated", "", "document.title += ` ${crossOriginIsolated}`")
    if path == "/trusted":
        policy = "require-trusted-types-for 'script'; trusted-types 'none'"
        return {**HTML, "Content-Security-Policy": policy}, page("trusted", "")
    if path == "/framing":
        return HTML, page("framing", FRAMES, COUNT)
    if path == "/inner":
        return HTML, "<!doctype html><title>inner</title><p>inner"
    if path == "/offline":
        register = "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)"
        told = "`offline NUMBER ${!!navigator.serviceWorker.controller}`".replace("NUMBER", str(number))
        register += f".then(() => {{ document.title = {told}; }})"
        return HTML, page("offline", "", register)
    if path == "/first":
        shown = "addEventListener('pageshow', (event) => { document.title = `first ${event.persisted}`; });"
        return HTML, page("first", "<a href=/second>On</a>", shown)
    if path == "/second":
        return HTML, page("second", "<a href='javascript:history.back()'>Back</a>")
    if path == "/speculating":
        return HTML, page("speculating", RULES + "<a href=/later>Later</a>")
    return HTML, page(path[1:], "")

def over_wsgi():
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
    from reticle.probe.wsgi import WSGIMiddleware
    class Threads(ThreadingMixIn, WSGIServer):
        daemon_threads = True
    class Silent(WSGIRequestHandler):
        def log_message(self, *_):
            pass
    def app(environ, start_response):
        def header(name):
            return environ.get("HTTP_" + name.upper().replace("-", "_"), "")
        headers, body = answer(environ["REQUEST_METHOD"], environ["PATH_INFO"], header)
        start_response("200 OK", list(headers.items()))
        return [body.encode()]
    make_server("127.0.0.1", PORT, WSGIMiddleware(app), Threads, Silent).serve_forever()

def over_asgi():
    import uvicorn
    from reticle.probe.asgi import ASGIMiddleware
    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        given = {name.decode(): value.decode() for name, value in scope["headers"]}
        headers, body = answer(scope["method"], scope["path"], lambda name: given.get(name.lower(), ""))
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        await send({"type": "http.response.body", "body": body.encode()})
    uvicorn.run(ASGIMiddleware(app), port=PORT, lifespan="off")

def over_twisted():
    from twisted.internet import reactor
    from twisted.web.resource import Resource
    from twisted.web.server import Site
    from reticle.probe.twisted import wrap_resource
    class Leaf(Resource):
        isLeaf = True
        def render(self, request):
            headers, body = answer(
                request.method.decode(), request.path.decode(), lambda name: request.getHeader(name) or ""
            )
            for name, value in headers.items():
                request.setHeader(name, value)
            return body.encode()
    reactor.listenTCP(PORT, Site(wrap_resource(Leaf())), interface="127.0.0.1")
    reactor.run()

{"wsgi": over_wsgi, "asgi": over_asgi, "twisted": over_twisted}[KIND]()
"""


class Served(NamedTuple):
    """
    The site behind one kind of server.
    """

    kind: str
    port: int

    @property
    def origin(self) -> str:
        """
        Where its pages live.
        """
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str) -> str:
        """
        A page, as a browser gets it.
        """
        asked = urllib.request.Request(f"{self.origin}{path}", headers={"Accept": "text/html"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            text: str = answer.read().decode()
            return text


@pytest.fixture(scope="module", params=["wsgi", "asgi", "twisted"])
def site(
    request: pytest.FixtureRequest, daemon: Daemon, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """
    Each server, once it inserts the script.
    """
    folder, port = tmp_path_factory.mktemp(request.param), free_port()
    (folder / "site_app.py").write_text(SITE)
    environment = {
        "RETICLE_PROBE": "1", "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir), "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = [sys.executable, folder / "site_app.py", str(port), request.param]
    child = Child(request.param, command, folder / "log", environment)
    served = Served(request.param, port)

    def inserts() -> bool | None:
        try:
            return "/__reticle__/sdk.js" in served.get("/") or None
        except OSError:
            return None

    child.wait_for(inserts, "the script is inserted")
    yield served
    child.stop()


class Tab:
    """
    The browser's one tab, over the daemon.
    """

    def __init__(self, client: Client, site: Served) -> None:
        self._client = client
        self._site = site

    def pages(self) -> list[dict[str, Any]]:
        """
        The connected pages.
        """
        listed: Any = self._client.call("reticle_sessions").fields["sessions"]
        return list(listed)

    def shows(self, title: str) -> dict[str, Any]:
        """
        The page with a title that begins so, once it is connected.
        """
        found: list[dict[str, Any]] = []

        def is_there() -> bool:
            found[:] = [page for page in self.pages() if str(page.get("title")).startswith(title)]
            return bool(found)

        eventually(is_there, f"the page {title!r} is connected")
        assert len(found) == 1, found
        return found[0]

    def goes(self, path: str, title: str) -> dict[str, Any]:
        """
        Bring it to a path of the site.
        """
        there = {"sessionId": self.pages()[0]["sessionId"], "url": f"{self._site.origin}{path}"}
        self._client.call("reticle_navigate", there)
        return self.shows(title)

    def clicks(self, page: dict[str, Any], role: str, name: str) -> None:
        """
        Click on something.
        """
        asked = {"target": {"role": role, "name": name}, "action": "click"}
        self._client.call("reticle_act", {"sessionId": page["sessionId"], **asked})

    def asked(self, path: str) -> int:
        """
        How often the app was asked for something.
        """
        counts: dict[str, int] = json.loads(self._site.get("/asked"))
        return counts.get(path, 0)

    def works(self, page: dict[str, Any]) -> None:
        """
        It is driven like any other page, and its server's side joins in: a click whose request the server
        answers, with what the page made of it.
        """
        claim = {
            "kind": "allOf",
            "predicates": [
                {"kind": "server", "method": "POST", "urlContains": "/tick", "status": 200, "count": 1},
                {"kind": "text", "contains": "ticked"},
            ],
        }
        asked = {"target": {"role": "button", "name": "Go"}, "action": "click", "until": claim}
        answer = self._client.call("reticle_act_and_wait", {"sessionId": page["sessionId"], **asked})
        assert answer.fields.get("verified") == "yes", answer.fields


@pytest.fixture(scope="module")
def browser(open_browser: Callable[[str], Child]) -> Callable[[str], None]:
    """
    Open the one browser, once.
    """
    opened: list[Child] = []

    def begin(url: str) -> None:
        if not opened:
            opened.append(open_browser(url))

    return begin


@pytest.fixture
def tab(site: Served, client: Client, browser: Callable[[str], None]) -> Tab:
    """
    The tab, at the site's first page.
    """
    browser(f"{site.origin}/home")
    found = Tab(client, site)
    eventually(found.pages, "a page is connected", 60)
    found.goes("/home", "home")
    return found


def test_a_document_that_is_isolated_from_all_others(tab: Tab) -> None:
    """
    COOP and COEP let nothing in that does not say it may; the script comes from the app's own origin and may.
    """
    page = tab.goes("/isolated", "isolated")
    assert page["title"] == "isolated true"
    tab.works(page)


def test_a_document_that_trusts_no_text(tab: Tab) -> None:
    """
    Under trusted types no script makes elements of texts; ours does not try, or the app would hear of it.
    """
    page = tab.goes("/trusted", "trusted")
    tab.works(page)
    assert tab.shows("trusted")["title"] == "trusted"


def test_frames_without_an_address_get_no_tag_and_make_no_page(tab: Tab) -> None:
    """
    ``srcdoc`` and ``about:blank`` come from no server: they stay as the app wrote them, and the one that does
    come from it is part of the page it stands in.
    """
    page = tab.goes("/framing", "framing 0 0")
    assert page["title"] == "framing 0 0 1"
    assert [one["title"] for one in tab.pages()] == ["framing 0 0 1"]
    tab.works(page)


def test_a_document_that_a_service_worker_kept(tab: Tab) -> None:
    """
    It has the tag of an earlier request; the page is connected, and what it does now is its own.
    """
    first = tab.goes("/offline", "offline 1")
    tab.works(first)
    tab.goes("/home", "home")
    tab.goes("/offline", "offline ")  # the worker asks the server, and keeps its answer
    tab.goes("/home", "home")
    number = tab.asked("/offline")
    page = tab.goes("/offline", f"offline {number} true")
    assert tab.asked("/offline") == number
    tab.works(page)


def test_a_page_that_is_gone_back_to(tab: Tab) -> None:
    """
    Whether the browser kept it or loads it again, it is one page, and a live one.
    """
    page = tab.goes("/first", "first")
    tab.clicks(page, "link", "On")
    tab.clicks(tab.shows("second"), "link", "Back")
    again = tab.shows("first")
    assert len(tab.pages()) == 1
    tab.works(again)


def test_a_page_that_is_rendered_in_case_is_none_until_somebody_goes_there(tab: Tab) -> None:
    """
    A prerendered document has the script and says nothing; once a person follows the link it is the page.
    """
    page = tab.goes("/speculating", "speculating")
    eventually(lambda: tab.asked("prerender /later"), "the browser renders it in case")
    tab.works(page)
    assert [one["title"] for one in tab.pages()] == ["speculating"]
    tab.clicks(page, "link", "Later")
    later = tab.shows("later")
    tab.works(later)
    assert tab.asked("/later") == 1
