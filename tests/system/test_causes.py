"""
Whose doing it is, in a real browser: a loop of the page, the action, or a matter of time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.web_app import QuietHandler, serving

PAGE = """<!doctype html><html><head>
<script src="{daemon}/sdk.js" data-project="causes"></script></head><body>
<p id="note" role="status"></p><output id="count"></output>
<button onclick="say('Nothing')">Nothing</button>
<button onclick="later(async () => {{ await poll(); say('Fresh') }})">Refresh</button>
<button onclick="later(save)">Save</button>
<script>
const say = (words) => {{ note.textContent = words }};
const later = (work) => requestAnimationFrame(() => Promise.resolve().then(work));
const poll = async () => {{ count.textContent = (await fetch('/stats')).status }};
async function save() {{ if ((await fetch('/save', {{method: 'POST', body: '{{}}'}})).ok) say('Stored') }}
setInterval(poll, location.search === '?breaks' ? 500 : 1200);
</script></body></html>"""


class AppServer(QuietHandler):
    """
    The page, its statistics, which fail from the second time on where the page asks for that, and a save.
    """

    asked = 0

    def __init__(self, daemon_url: str, *args: object) -> None:
        self.page = PAGE.format(daemon=daemon_url).encode()
        super().__init__(*args)  # type: ignore[arg-type]  # the base class takes what the server gives

    def do_GET(self) -> None:
        """
        The page or the statistics.
        """
        if self.path == "/stats":
            AppServer.asked += 1
            breaks = "?breaks" in (self.headers.get("Referer") or "")
            self.answer(503 if breaks and AppServer.asked > 1 else 200, "application/json", b"{}")
        else:
            AppServer.asked = 0
            self.answer(200, "text/html", self.page)

    def do_POST(self) -> None:
        """
        Save, and take so long that the page asks for its statistics meanwhile.
        """
        time.sleep(0.9)
        self.answer(201, "application/json", b"{}")


@pytest.fixture(scope="module")
def app_url(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """
    with serving(partial(AppServer, daemon.url)) as url:
        yield url


@pytest.fixture(scope="module")
def app(app_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A Chromium with the app open.
    """
    return open_browser(app_url)


def judged(client: Client, url: str, button: str, until: Mapping[str, object]) -> tuple[str, str, str]:
    """
    Load the app afresh, let its loop go round once, click; answers the verdict, why, and how its evidence is
    tied to the action.
    """
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": url})
    gone_round = {"kind": "net", "urlContains": "/stats"}
    client.call("reticle_wait_for", {"predicate": gone_round, "timeout_ms": 5_000})
    asked = {"action": "click", "target": {"role": "button", "name": button}, "until": dict(until)}
    verdict = client.call("reticle_act_and_wait", {**asked, "timeout_ms": 4_000})
    record = client.call("reticle_verdict", {"verdict_id": verdict.fields["verdict_id"]})
    honesty = record.fields["honesty"]
    assert isinstance(honesty, dict)
    return str(verdict.verified), str(verdict.fields["because"]), str(honesty["attributed"])


@pytest.mark.usefixtures("app")
def test_a_loop_of_the_page_proves_nothing_and_is_named(client: Client, app_url: str) -> None:
    """
    The loop went round again after a button that does nothing.
    """
    until = {"kind": "net", "urlContains": "/stats", "ok": True}
    verified, because, attributed = judged(client, f"{app_url}/?polls", "Nothing", until)
    assert (verified, attributed) == ("unknown", "other")
    assert "since it was loaded" in because


@pytest.mark.usefixtures("app")
def test_a_button_that_asks_for_the_same_has_done_it(client: Client, app_url: str) -> None:
    """
    Though a loop asks for it all the time, by way of a frame and promises.
    """
    until = {
        "allOf": [{"kind": "net", "urlContains": "/stats", "ok": True}, {"kind": "text", "contains": "Fresh"}]
    }
    verified, because, attributed = judged(client, f"{app_url}/?polls", "Refresh", until)
    assert (verified, attributed) == ("yes", "action"), because


@pytest.mark.usefixtures("app")
def test_a_loop_that_fails_beside_a_save_is_not_the_saves_fault(client: Client, app_url: str) -> None:
    """
    Nor does the save wait for it.
    """
    until = {"allOf": [{"kind": "net", "method": "POST", "ok": True}, {"kind": "settled"}]}
    verified, because, attributed = judged(client, f"{app_url}/?breaks", "Save", until)
    assert AppServer.asked > 1, "it did not fail meanwhile"
    assert (verified, attributed) == ("yes", "action"), because
