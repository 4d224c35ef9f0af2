"""
Claims about an app's state: registered, found by the page script, out of order, and in a cache of requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import Client
from reticle.client.results import CallResult
from tests.system.web_app import QuietHandler, serving

PAGE = """<!doctype html><html><head><script src="{daemon}/sdk.js" data-project="stores"></script></head>
<body><p id="note" role="status"></p><ul id="list"></ul>
<button onclick="cart = {{items: [...cart.items, 'pear']}}; tell()">Add</button>
<button onclick="total += 3">Raise</button>
<button onclick="broken = true; tell()">Break</button>
<button onclick="load()">Load</button>
<script>
const listeners = new Set();
const tell = () => {{ for (const listener of listeners) listener() }};
let cart = {{items: []}}, total = 0, broken = false;
const get = () => {{ if (broken) throw new Error('no cart'); return cart }};
const subscribe = (listener) => {{ listeners.add(listener); return () => {{}} }};
reticle.registerStore('cart', {{get, subscribe}});
window.store = {{getState: () => ({{sum: {{total}}}}), dispatch() {{}}, subscribe() {{}}}};
window.flags = {{beta: true}};

// as TanStack Query's client looks
const query = {{queryKey: ['orders'], queryHash: '["orders"]'}};
query.state = {{status: 'pending', fetchStatus: 'idle'}};
const heard = new Set();
const hear = (told) => {{ heard.add(told); return () => heard.delete(told) }};
const cache = (all) => ({{getAll: () => all, subscribe: hear}});
const [queries, mutations] = [cache([query]), cache([])];
reticle.registerStore('queries', {{getQueryCache: () => queries, getMutationCache: () => mutations}});
async function load() {{
  list.innerHTML = '<li>Your orders</li>';
  const answer = await fetch('/fails', {{method: 'POST'}});
  query.state = {{status: 'error', fetchStatus: 'idle', error: new Error('orders failed: ' + answer.status)}};
  for (const told of heard) told();
}}
</script></body></html>"""


class AppServer(QuietHandler):
    """
    The page, and a request that fails.
    """

    def __init__(self, daemon_url: str, *args: object) -> None:
        self.page = PAGE.format(daemon=daemon_url).encode()
        super().__init__(*args)  # type: ignore[arg-type]  # the base class takes what the server gives

    def do_GET(self) -> None:
        """
        The page.
        """
        self.answer(200, "text/html", self.page)

    def do_POST(self) -> None:
        """
        Fail.
        """
        self.answer(500, "application/json", b'{"detail": "no orders"}')


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


@pytest.fixture
def click(client: Client, app: Child, app_url: str) -> Callable[[str, Mapping[str, object]], CallResult]:
    """
    Load the app afresh, click, and get the verdict on the claim.
    """
    del app  # it only has to run

    def clicked(button: str, until: Mapping[str, object]) -> CallResult:
        page = connected_page(client)
        client.call("reticle_navigate", {"sessionId": page, "url": f"{app_url}?{button}"})
        target = {"role": "button", "name": button}
        return client.call(
            "reticle_act_and_wait", {"action": "click", "target": target, "until": dict(until)}
        )

    return clicked


def state(path: str, equals: object, store: str | None = None) -> dict[str, object]:
    """
    The claim that a value stands there.
    """
    named = {} if store is None else {"store": store}
    return {"kind": "state", "path": path, "equals": equals, **named}


def test_a_registered_store_proves_a_change(
    click: Callable[[str, Mapping[str, object]], CallResult],
) -> None:
    """
    What the click put into the store is proved, and what it did not is refuted.
    """
    assert click("Add", state("items.length", 1, "cart")).verified == "yes"
    assert click("Add", state("items.length", 2, "cart")).verified == "no"


def test_a_store_that_nobody_registered_and_a_global_can_be_claimed(
    click: Callable[[str, Mapping[str, object]], CallResult], client: Client
) -> None:
    """
    A Redux store within reach proves a change without a line in the app, and says so where it is read.
    """
    assert click("Raise", state("sum.total", 3)).verified == "yes"
    read = client.call("reticle_state", {"path": "sum.total"}).fields
    assert (read["value"], read["store"], read["discovered"]) == (3, "redux", True)
    flag = client.call("reticle_state", {"store": "window.flags", "path": "beta"}).fields
    assert (flag["value"], flag["discovered"]) == (True, True)


def test_a_store_that_cannot_be_read_refutes_nothing(
    click: Callable[[str, Mapping[str, object]], CallResult],
) -> None:
    """
    A getter that throws leaves the claim open, and the reason is told.
    """
    verdict = click("Break", state("items.length", 1, "cart"))
    assert verdict.verified == "unknown", verdict.text
    assert "no cart" in verdict.text


def test_an_error_that_only_the_cache_of_requests_knows_is_no_notice(
    click: Callable[[str, Mapping[str, object]], CallResult],
) -> None:
    """
    A list that shows over a failed request is refuted although the query client holds the failure.
    """
    verdict = click("Load", {"kind": "text", "contains": "Your orders"})
    assert verdict.verified == "no", verdict.text
    assert "500" in verdict.text
