"""
Secrets planted wherever an app or an agent has them are found in no file, log, answer or page of the daemon.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client, connect
from tests.system.pages import page_names
from tests.system.starting import StartDaemon
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually, exchange, post, request

PLACES = (
    "cookie",
    "script_cookie",
    "local_storage",
    "session_storage",
    "query",
    "fragment",
    "console_text",
    "console_object",
    "error",
    "rejection",
    "request_header",
    "request_query",
    "request_body",
    "request_form",
    "response_header",
    "response_body",
    "password_field",
    "typed",
    "bearer",
    "query_token",
    "capability_token",
    "call_argument",
)

_PAGE = """<!doctype html><html><head><title>Shop</title>%(script)s<script>
document.cookie = "auth_token=%(script_cookie)s";
localStorage.setItem("auth_token", "%(local_storage)s");
sessionStorage.setItem("password", "%(session_storage)s");
console.log("logging in with token=%(console_text)s");
console.warn({user: "anne", password: "%(console_object)s"});
window.addEventListener("load", async () => {
  await fetch("/api/login?access_token=%(request_query)s", {method: "POST",
    headers: {"Content-Type": "application/json", "Authorization": "Bearer %(request_header)s"},
    body: JSON.stringify({user: "anne", password: "%(request_body)s"})});
  await fetch("/api/form", {method: "POST", body: new URLSearchParams({client_secret: "%(request_form)s"})});
  setTimeout(() => { throw new Error("refused: token=%(error)s"); }, 0);
  Promise.reject(new Error("refused: password=%(rejection)s"));
  document.querySelector("h1").textContent = "Ready";
});
</script></head><body><h1>Wait</h1><form><label>Password
<input type="password" name="password" value="%(password_field)s"></label>
<label>New password <input type="password" name="again" data-testid="again"></label></form></body></html>"""


@pytest.fixture
def planted() -> dict[str, str]:
    """
    A secret of its own for each place, which looks like nothing in particular.
    """
    return {place: f"Zq7{secrets.token_hex(12)}x{number}" for number, place in enumerate(PLACES)}


@pytest.fixture
def app(start: StartDaemon, planted: dict[str, str]) -> Iterator[tuple[Daemon, str]]:
    """
    A daemon, and the address of an app that is full of secrets.
    """
    daemon = start(extra={"RETICLE_LOG_LEVEL": "debug"})
    script = f'<script src="{daemon.url}/sdk.js"></script>'

    class App(QuietHandler):
        """
        One page and what it asks for.
        """

        def do_GET(self) -> None:
            """
            The page, with a cookie.
            """
            page = (_PAGE % {"script": script, **planted}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Set-Cookie", f"session_id={planted['cookie']}; HttpOnly")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def do_POST(self) -> None:
            """
            A login that gives a token.
            """
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"ok": True, "access_token": planted["response_body"]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("X-Auth-Token", planted["response_header"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with serving(App, "localhost") as url:
        yield daemon, url


def test_no_secret_is_found_anywhere(
    app: tuple[Daemon, str], planted: dict[str, str], open_browser: Callable[[str], Child]
) -> None:
    """
    An app with secrets in its cookies, storage, addresses, requests, console and fields is looked at with
    many tools, and wrong credentials are sent to every door: none of it stays or comes back anywhere.
    """
    daemon, url = app
    open_browser(f"{url}?session_token={planted['query']}#access_token={planted['fragment']}")
    with connect(daemon.mcp_url) as client:
        client.initialize("secret-test", "1")
        eventually(lambda: page_names(client), "the page is connected", 30)
        said = [*_looked_at(client, planted), *_knocked(daemon, planted)]
    seen = "\n".join(said)
    assert "Ready" in seen, "the page was not looked at"
    assert "/api/login" in seen
    assert "logging in with" in seen
    daemon.child.terminate()
    daemon.child.wait_for_exit(20)
    texts = {"answers": seen.encode(), "log": daemon.child.log.read_bytes()}
    for folder in (daemon.state_dir, daemon.runtime_dir):
        texts.update({str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert any("sqlite" in name for name in texts)
    leaks = [
        (place, where)
        for place, secret in planted.items()
        for where, text in texts.items()
        if secret.encode() in text
    ]
    assert leaks == []


def _looked_at(client: Client, planted: dict[str, str]) -> Iterator[str]:
    def call(name: str, **arguments: Any) -> str:
        answer = client.call(name, arguments)
        return f"{name}: {answer.text} {json.dumps(answer.fields)}"

    refused = {"kind": "console", "level": "error", "contains": "refused"}
    yield call("reticle_wait_for", until=refused, timeout_ms=8_000)
    yield call("reticle_act", action="fill", target={"testid": "again"}, args={"value": planted["typed"]})
    yield call("reticle_assert", predicate={"kind": "net", "urlContains": "/api/login"}, since=0)
    yield call("reticle_sessions")
    for mode in ("full", "interactive"):
        yield call("reticle_snapshot", mode=mode)
    for name in ("reticle_network", "reticle_console", "reticle_observe", "reticle_state"):
        yield call(name)
    yield call("reticle_query", by="role", value="textbox")
    yield call("reticle_inspect", ref="e2")
    yield call("reticle_capabilities")
    yield call("reticle_session", action="hold", note=f"password: {planted['call_argument']}")
    yield call("reticle_feedback", kind="bug", text=f"token={planted['call_argument']}")
    for uri in client.request("resources/list", {})["resources"]:  # type: ignore[attr-defined]  # a list
        yield json.dumps(client.request("resources/read", {"uri": uri["uri"]}))


def _knocked(daemon: Daemon, planted: dict[str, str]) -> Iterator[str]:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    token = f"dtok_{'a' * 16}.{planted['capability_token'].ljust(43, 'b')}"
    for field in (f"Authorization: Bearer {planted['bearer']}", f"Authorization: Bearer {token}"):
        yield exchange(daemon.port, post("/mcp", ping, field)).decode("latin-1")
    for target in ("/mcp", "/mcp/sse", "/status", "/mcp/message", "/nothing", "/reticle"):
        asked = request("GET", f"{target}?token={planted['query_token']}", "Connection: close")
        yield exchange(daemon.port, asked).decode("latin-1")
    in_params = {**ping, "method": "tools/call", "params": {"name": "x", "token": planted["query_token"]}}
    yield exchange(daemon.port, post("/mcp", in_params)).decode("latin-1")
    for target in ("/status", "/metrics", "/sdk.js"):
        yield exchange(daemon.port, request("GET", target, "Connection: close")).decode("latin-1")
