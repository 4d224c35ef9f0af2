"""
The probe and the page beside what apps do by themselves: writes that are sent on, and a worker that answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import quote

import pytest

from reticle.client import Client
from tests.system.test_server_facts import app_url, press
from tests.system.web_app import QuietHandler, serving

__all__ = ["app_url"]
pytestmark = pytest.mark.usefixtures("drives")


class Elsewhere(QuietHandler):
    """
    A server of another origin that lets everybody read, and grants no header to anybody.
    """

    asked: list[tuple[str, str | None]]

    def do_OPTIONS(self) -> None:
        """
        A browser that asks for leave gets none.
        """
        self.asked.append(("OPTIONS", None))
        self.answer(403, "text/plain", b"no")

    def do_POST(self) -> None:
        """
        What was sent on arrives.
        """
        length = int(self.headers.get("Content-Length", 0))
        self.rfile.read(length)
        self.asked.append(("POST", self.headers.get("X-Reticle-Action")))
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b'"fine"')


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, list[Any]]]:
    """
    The other origin's address, and what it was asked.
    """
    asked: list[Any] = []
    handler: type[BaseHTTPRequestHandler] = type("Handler", (Elsewhere,), {"asked": asked})
    with serving(handler) as url:
        yield url, asked


def opened(client: Client, url: str) -> str:
    """
    A page in a browser context of its own.
    """
    got = client.call("reticle_lease", {"action": "acquire", "url": url})
    assert got.ok, got.text
    return str(got.fields["sessionId"])


@pytest.mark.parametrize("button", ["Send on", "Send on by XHR"])
def test_a_write_that_the_app_sends_on_arrives(
    button: str, client: Client, app_url: str, elsewhere: tuple[str, list[Any]]
) -> None:
    """
    Another origin is asked for no leave because of us, and the app sees no word of ours; the write is tied to
    the click all the same.
    """
    url, asked = elsewhere
    page = opened(client, f"{app_url}?to={quote(url, safe='')}")
    claim = {"kind": "allOf", "predicates": [
        {"kind": "text", "contains": 'Arrived: "fine"'},
        {"kind": "server", "method": "POST", "urlContains": "/moved", "status": 307},
        {"kind": "log", "contains": "in language None"},
    ]}  # fmt: skip
    verdict = press(client, page, button, claim)
    assert asked == [("POST", None)]
    assert verdict.verified == "yes", verdict.text


def test_what_a_worker_kept_is_no_doing_of_the_server_now(client: Client, app_url: str) -> None:
    """
    Behind a worker that answers from its cache, the facts of an earlier request prove nothing of this click.
    """
    page = opened(client, f"{app_url}?worker")
    claims: list[dict[str, Any]] = [
        {"kind": "server", "method": "GET", "urlContains": "/list"},
        {"kind": "sql", "verb": "SELECT", "table": "orders", "count": 1},
    ]
    for claim in claims:
        verdict = press(client, page, "List", claim)
        assert verdict.verified == "yes", verdict.text
    register = press(client, page, "Work", {"kind": "text", "contains": "Working"})
    assert register.verified == "yes", register.text
    press(client, page, "List", {"kind": "text", "contains": "Listed"})  # fills the cache
    client.call("reticle_navigate", {"sessionId": page, "reload": True})  # and this the document's
    again = client.call("reticle_navigate", {"sessionId": page, "reload": True})
    page = str(again.fields.get("sessionId", page))
    for claim in claims:
        verdict = press(client, page, "List", claim)
        assert verdict.verified != "yes", verdict.text
    written = press(client, page, "Order", {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1})
    assert written.verified == "yes", written.text


WAYS = {
    "plain": "words in None",
    "own": "words in de",
    "request": "words in None",
    "own request": "words in de",
    "request with more": "words in None",
    "kept": "words in de",
    "form": "1 22 in None",
    "opaque": "words in None",
    "used up": "words in de used TypeError",
    "cloned": "words in None",
    "stopped": "stopped: enough",
    "xhr": "1 22 in de",
    "refused": "TypeError",
}


def test_every_way_to_write_does_what_it_did(client: Client, app_url: str) -> None:
    """
    Requests that are handed over whole, languages of the app's own, files, what is given up: the app sees
    what it would see without us, and each is tied to its click.
    """
    page = opened(client, f"{app_url}ways")
    for name, said in WAYS.items():
        claim: dict[str, Any] = {"kind": "text", "contains": f"{name}: {said}", "exact": True}
        if name not in {"stopped", "refused"}:
            told = {"kind": "server", "method": "POST", "urlContains": "/echo", "status": 200}
            claim = {"kind": "allOf", "predicates": [claim, told]}
        verdict = press(client, page, f"Go {name}", claim)
        assert verdict.verified == "yes", (name, verdict.text)
