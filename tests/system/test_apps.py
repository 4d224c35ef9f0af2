"""
Three apps built from npm, each met in every way: with the published packages unmodified, with our script tag,
and with both in one page.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Daemon, find_browser, start_browser
from reticle.client import CallResult, Client, connect
from tests.system.orders_app import APPS, OrdersServer, require_built
from tests.system.pages import page_names
from tests.system.web_app import serving
from tests.system.wire import eventually


class Way(NamedTuple):
    """
    How the apps are met: ``query`` asks server and app for it, ``script`` is what the daemon lists.
    """

    name: str
    query: str
    script: str

    def __str__(self) -> str:
        return self.name


PUBLISHED = Way("published", "kit={port}", "published")
TAG = Way("tag", "tag", "reticle")
BOTH = Way("both", "tag&kit={port}", "reticle")


@pytest.fixture(scope="module")
def apps_url(daemon: Daemon) -> Iterator[str]:
    """
    Where the apps are.
    """
    require_built()
    OrdersServer.enough.clear()
    with serving(partial(OrdersServer, daemon.url), "localhost") as url:
        yield url
        OrdersServer.enough.set()


class Tab(NamedTuple):
    """
    A tab in which the apps are met in one way, and who looks at it.
    """

    client: Client
    way: Way
    url: str

    def open(self, app: str, fault: str = "") -> str:
        """
        Lead the tab to an app; gives the page's name.
        """
        page = connected_page(self.client)
        address = f"{self.url}{app}/?{self.way.query}{fault and '&' + fault}"
        moved = self.client.call("reticle_navigate", {"sessionId": page, "url": address})
        assert moved.ok, moved.text
        return page

    def order(self, name: str, until: object, **more: object) -> CallResult:
        """
        Type a name and save; gives the verdict.
        """
        fill = {"action": "fill", "target": {"testid": "name"}, "args": {"value": name}}
        filled = self.client.call("reticle_act", fill)
        assert filled.ok, filled.text
        click = {"action": "click", "target": {"role": "button", "name": "Save"}, "until": until}
        return self.client.call("reticle_act_and_wait", {**click, **more})


@pytest.fixture(scope="module")
def tab(
    request: pytest.FixtureRequest, daemon: Daemon, apps_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tab]:
    """
    A Chromium with one tab, for one way; it ends before the next begins.
    """
    if find_browser() is None:
        pytest.skip("no Chromium was found; install one or set CHROMIUM")
    way = request.param._replace(query=request.param.query.format(port=daemon.port))
    with connect(daemon.mcp_url) as client:
        client.initialize("apps", "1")
        eventually(lambda: page_names(client) == [], "the tab before is gone")
        browser = start_browser(tmp_path_factory.mktemp("chromium"), f"{apps_url}react/?{way.query}")
        try:
            yield Tab(client, way, apps_url)
        finally:
            browser.stop()


def met(*always: tuple[Way, str]) -> pytest.MarkDecorator:
    """
    Each app in each way; those that are not named only where all tests run.
    """
    every = [(way, app) for way in (PUBLISHED, TAG, BOTH) for app in APPS]
    marks = {each: [] if each in always else [pytest.mark.full] for each in every}
    params = [pytest.param(*each, marks=marks[each], id="-".join(map(str, each))) for each in every]
    return pytest.mark.parametrize(("tab", "app"), params, indirect=["tab"])


PUBLISHED_AND_TAG = [(way, app) for way in (PUBLISHED, TAG) for app in APPS]


SAVED = [
    {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1},
    {"kind": "text", "contains": "Saved Ada"},
    {"kind": "state", "store": "orders", "path": "said", "equals": "Saved Ada"},
]
SIGNAL = {"kind": "signal", "name": "order:saved", "dataMatches": {"name": "Ada"}}


@met(*PUBLISHED_AND_TAG, (BOTH, "react"))
def test_a_saved_order_is_proved(tab: Tab, app: str) -> None:
    """
    The request, the words, the store and, where the app sends it, the signal say so; and it is one page.
    """
    page = tab.open(app)
    sessions = tab.client.call("reticle_sessions").fields["sessions"]
    assert isinstance(sessions, list)
    assert [(each["sessionId"], each["script"]) for each in sessions] == [(page, tab.way.script)]
    signals = [SIGNAL] if "kit" in tab.way.query else []
    verdict = tab.order("Ada", {"allOf": [*SAVED, *signals]})
    assert (verdict.verified, verdict.fields["verifiedReason"]) == ("yes", "proved"), verdict.text


@met((PUBLISHED, "react"), (TAG, "vue"))
def test_a_framework_hears_the_box(tab: Tab, app: str) -> None:
    """
    A controlled checkbox is checked by one click, and what it changes shows.
    """
    tab.open(app)
    check = {"action": "check", "target": {"role": "checkbox", "name": "Gift"}}
    wrapped = {"kind": "text", "contains": "Wrapped as a gift"}
    verdict = tab.client.call("reticle_act_and_wait", {**check, "until": wrapped})
    assert verdict.verified == "yes", verdict.text


@met(*PUBLISHED_AND_TAG)
def test_a_lie_about_a_failed_order_is_no(tab: Tab, app: str) -> None:
    """
    The page says saved, the server said 500.
    """
    tab.open(app, "fault")
    verdict = tab.order("Ben", {"kind": "text", "contains": "Saved Ben"})
    assert (verdict.verified, verdict.fields["verifiedReason"]) == ("no", "contradicted"), verdict.text


@met((PUBLISHED, "react"), (TAG, "vue"), (BOTH, "plain"))
def test_an_order_that_is_not_answered_is_unknown(tab: Tab, app: str) -> None:
    """
    The server keeps silent: nothing says that the order failed, and nothing that it was kept.
    """
    tab.open(app, "stall")
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}
    verdict = tab.order("Cleo", claim, timeout_ms=1_500)
    assert verdict.verified == "unknown", verdict.text
