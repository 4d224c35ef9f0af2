"""
Where to look in the app's code, on a page in a real browser that the daemon drives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from reticle.client import Client
from tests.system.web_app import QuietHandler, serving

pytestmark = pytest.mark.usefixtures("drives")

PAGE = """<!doctype html><title>Till</title><link rel=stylesheet href=/style.css>
<p id=sum data-testid=cart-total>0</p><p class=hint>Free shipping</p>
<button id=add>Add</button> <button id=clear>Clear</button> <button id=leave>Leave</button>
<script src=/vendor/htmx.js></script><script src=/app.js></script>"""

APP = """\
const byId = (id) => document.getElementById(id);

function show(sum) {
  byId("sum").textContent = String(sum);
}

async function addToCart() {
  const sum = await send("/api/cart");
  show(sum + 1);
}

async function send(path) {
  return (await fetch(path, { method: "POST" })).json();
}

function forgotten() {
  send("/api/clear");
}

function leave() {
  location.assign("/left");
}

byId("add").addEventListener("click", addToCart);
byId("leave").addEventListener("click", () => leave());
show(0);
"""
"""The sum is one too high, and nobody listens to Clear."""

STYLE = "p { margin: 0 }\n.hint { display: none }\n"
LINES = {
    name: APP[: APP.index(f"function {name}")].count("\n") + 1 for name in ("addToCart", "forgotten", "leave")
}


class Till(QuietHandler):
    """
    The app's server.
    """

    def do_GET(self) -> None:
        """
        Its files.
        """
        kind, text = {
            "/app.js": ("text/javascript", APP),
            "/style.css": ("text/css", STYLE),
            "/vendor/htmx.js": ("text/javascript", "const htmx = { cart: '/api/cart' };"),
            "/left": ("text/html", "<!doctype html><title>Left</title><p>Left</p>"),
        }.get(self.path, ("text/html", PAGE))
        self.answer(200, kind, text.encode())

    def do_POST(self) -> None:
        """
        What the cart holds.
        """
        self.answer(200, "application/json", b"1")


@pytest.fixture(scope="module")
def app_url() -> Iterator[str]:
    """
    The app's address.
    """
    with serving(Till) as url:
        yield url


def judged(client: Client, url: str, name: str, until: Mapping[str, Any]) -> list[dict[str, str]]:
    """
    The places of a claim about a click that does not hold.
    """
    got = client.call("reticle_lease", {"action": "acquire", "url": url})
    assert got.ok, got.text
    page = got.fields["sessionId"]
    try:
        client.call(
            "reticle_wait_for", {"sessionId": page, "predicate": {"kind": "settled"}, "timeout_ms": 5_000}
        )
        act = {"action": "click", "target": {"role": "button", "name": name}, "timeout_ms": 2_000}
        told = client.call("reticle_act_and_wait", {**act, "sessionId": page, "until": until})
        assert told.verified in {"no", "unknown"}, told.text
        fields: Mapping[str, Any] = told.fields
        places: list[dict[str, str]] = fields["sources"]
        assert 0 < len(places) <= 3
        assert "htmx" not in str(places)
        return places
    finally:
        client.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})


def test_the_listener_that_ran_and_sent_the_request(client: Client, app_url: str) -> None:
    """
    The sum is wrong after the request of Add: the function behind the button is the first place.
    """
    places = judged(client, app_url, "Add", {"kind": "element", "testid": "cart-total", "text": "1"})
    assert places[0]["at"].startswith(f"/app.js:{LINES['addToCart']}")


def test_a_function_that_nobody_called(client: Client, app_url: str) -> None:
    """
    Nothing runs on Clear; the function with the claimed address is told by its words.
    """
    places = judged(client, app_url, "Clear", {"kind": "net", "method": "POST", "urlContains": "/api/clear"})
    assert places[0]["at"].startswith(f"/app.js:{LINES['forgotten']}")
    assert places[0]["why"] == "speaks of what was claimed"


def test_the_document_that_the_action_left(client: Client, app_url: str) -> None:
    """
    The new document has no script; what led there is in the old one.
    """
    places = judged(client, app_url, "Leave", {"kind": "route", "pathname": "/goodbye"})
    assert places[0]["at"].startswith(f"/app.js:{LINES['leave']}")


def test_the_rule_that_hides_an_element(client: Client, app_url: str) -> None:
    """
    By its line in the style sheet.
    """
    places = judged(client, app_url, "Add", {"kind": "text", "contains": "Free shipping", "visible": True})
    assert places[0] == {"at": "/style.css:2", "why": "hides the element"}
