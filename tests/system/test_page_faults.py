"""
Tabs that sleep, come back, reload in a loop and flood, in a real browser (field reports WS-03, WS-04, WS-06).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import CallResult, Client
from tests.system.orders_app import OrdersServer, require_built
from tests.system.web_app import serving
from tests.system.wire import eventually

LOOPING = b"""<!doctype html><title>Looping</title><script src="{daemon}/sdk.js"></script>
<button>Stay</button><p role="status"></p>
<script>
  const left = Number(sessionStorage.getItem("left") ?? 15);
  sessionStorage.setItem("left", left - 1);
  if (left > 0) setTimeout(() => location.reload(), 200);
  else document.querySelector("p").textContent = "At rest";
</script>"""
FLOODING = b"""<!doctype html><title>Flooding</title><script src="{daemon}/sdk.js"></script>
<button onclick="flood()">Flood</button><p role="status"></p>
<script>
  function flood() {
    for (let number = 0; number < 5000; number += 1) {
      reticle.signal("tick", { number });
      if (number === 2500) console.error("one among many");
    }
    reticle.signal("big", { text: "x".repeat(5 * 1024 * 1024) });
    document.querySelector("p").textContent = "Flooded";
  }
</script>"""
PAGES = {"/looping": LOOPING, "/flooding": FLOODING}


class FaultyServer(OrdersServer):
    """
    The plain app, and pages that misbehave.
    """

    def do_GET(self) -> None:
        """
        One of the pages, or a file of the app.
        """
        page = PAGES.get(self.path)
        if page is None:
            super().do_GET()
        else:
            self.answer(200, "text/html", page.replace(b"{daemon}", self.daemon_url.encode()))


@pytest.fixture(scope="module")
def url(daemon: Daemon) -> Iterator[str]:
    """
    Where all of it is.
    """
    require_built()
    with serving(partial(FaultyServer, daemon.url), "localhost") as address:
        yield address


@pytest.fixture
def opened(
    url: str, open_browser: Callable[[str], Child], client: Client
) -> Iterator[Callable[[str], tuple[Child, str]]]:
    """
    Open a path in a browser of its own; gives the browser and the page's name.
    """
    browsers: list[Child] = []

    def begin(path: str) -> tuple[Child, str]:
        browsers.append(open_browser(f"{url}{path}"))
        return browsers[-1], connected_page(client)

    yield begin
    for browser in browsers:
        browser.stop()
    eventually(lambda: not sessions(client), "the tabs are gone")


def sessions(client: Client) -> list[dict[str, object]]:
    """
    The connected pages.
    """
    listed = client.call("reticle_sessions").fields["sessions"]
    assert isinstance(listed, list)
    return listed


def click(client: Client, role: str, name: str, **more: object) -> CallResult:
    """
    Click what is called so on the page that is meant.
    """
    target = {"role": role, "name": name}
    return client.call("reticle_act", {"action": "click", "target": target, **more})


def shows(client: Client, words: str) -> bool:
    """
    Whether the page that is meant says so.
    """
    tree = client.call("reticle_snapshot", {"mode": "full"})
    return tree.ok and words in tree.text


def test_there_and_back_is_one_tab(opened: Callable[[str], tuple[Child, str]], client: Client) -> None:
    """
    Our script: the tab keeps its name there and back, and is one page all the time (WS-04).
    """
    _, page = opened("plain/?tag")
    before = client.call("reticle_query", {"role": "button", "name": "Many"}).fields["elements"]
    assert isinstance(before, list)
    assert click(client, "link", "Second page").ok
    eventually(lambda: shows(client, 'button "Back"'), "the second page")
    assert [each["sessionId"] for each in sessions(client)] == [page]
    click(client, "button", "Back")
    eventually(lambda: shows(client, '"Many"'), "the first page again")
    assert [each["sessionId"] for each in sessions(client)] == [page]
    old = client.call("reticle_act", {"action": "click", "ref": before[0]["ref"]})
    assert old.ok or old.error == "stale_ref", old.text


def test_there_and_back_with_the_published_packages(
    opened: Callable[[str], tuple[Child, str]], client: Client, daemon: Daemon
) -> None:
    """
    They name each document anew: where the agent's own act led is the same page and proves what it claimed;
    back again, one page is in front (WS-04).
    """
    _, page = opened(f"plain/?kit={daemon.port}")
    claim = {"kind": "element", "query": {"role": "button", "name": "Back"}}
    act = {"action": "click", "target": {"role": "link", "name": "Second page"}, "until": claim}
    verdict = client.call("reticle_act_and_wait", act)
    assert verdict.verified == "yes", verdict.text
    assert [each["sessionId"] for each in sessions(client) if not each.get("throttled")] == [page]
    click(client, "button", "Back")
    eventually(lambda: shows(client, '"Many"'), "the first page again")
    # the last that its document said was that it is hidden: it was put away then
    eventually(lambda: [each.get("throttled") for each in sessions(client)] == [False], "one page in front")


def test_a_page_that_reloads_in_a_loop(opened: Callable[[str], tuple[Child, str]], client: Client) -> None:
    """
    Fifteen reloads, each after 200 ms: a look is answered or refused with a reason, and an act after them
    works as if nothing had been (WS-03).
    """
    _, page = opened("looping")
    looks = 0
    end = time.monotonic() + 60
    while time.monotonic() < end:
        looked = client.call("reticle_snapshot", {"sessionId": page})
        assert looked.ok or looked.error in {"session_gone", "command_timeout"}, looked.text
        looks += 1
        if "At rest" in looked.text:
            break
    # one that waits for its time-out takes longer than all the reloads together
    assert looks >= 5
    assert click(client, "button", "Stay", sessionId=page).ok
    assert [each["sessionId"] for each in sessions(client)] == [page]


def test_a_flood_hides_nothing(opened: Callable[[str], tuple[Child, str]], client: Client) -> None:
    """
    Five thousand events, an error among them, one of 5 MB: that there was no error is never a yes (WS-06).
    """
    _, page = opened("flooding")
    claim = {
        "allOf": [
            {"kind": "console", "level": "error", "absent": True},
            {"kind": "text", "contains": "Flooded"},
        ]
    }
    act = {"action": "click", "target": {"role": "button", "name": "Flood"}, "until": claim}
    verdict = client.call("reticle_act_and_wait", act)
    assert verdict.verified in {"no", "unknown"}, verdict.text
    every = {"kind": "signal", "name": "tick", "count": 5_000}
    counted = client.call("reticle_assert", {"until": every, "since": verdict.fields["since"]})
    assert counted.verified in {"yes", "unknown"}, counted.text
    assert click(client, "button", "Flood").ok
    assert [each["sessionId"] for each in sessions(client)] == [page]


@pytest.mark.full
def test_a_browser_that_stands_still_is_said_to(
    opened: Callable[[str], tuple[Child, str]], client: Client
) -> None:
    """
    A laptop that sleeps: after 12 s the page counts as throttled, and it works again when it wakes (WS-04).
    """
    browser, page = opened("plain/?tag")
    os.killpg(browser.pid, signal.SIGSTOP)
    try:
        eventually(lambda: bool(sessions(client)[0].get("throttled")), "the page is throttled", 20)
        assert click(client, "button", "Many").error == "command_timeout"
    finally:
        os.killpg(browser.pid, signal.SIGCONT)
    eventually(lambda: not sessions(client)[0].get("throttled"), "the page is awake", 20)
    assert click(client, "button", "Many", sessionId=page).ok
