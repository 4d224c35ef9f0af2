"""
Three apps built from npm, each met in every way: with the published packages unmodified, with our script tag,
with both in one page, and opened by the daemon with nothing of ours in the app, or with the packages in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Daemon, start_browser
from reticle.client import CallResult, Client, connect
from tests.system.orders_app import APPS, OrdersServer, require_built
from tests.system.pages import page_names
from tests.system.web_app import serving
from tests.system.wire import eventually


class Way(NamedTuple):
    """
    How the apps are met: ``query`` asks server and app for it, ``script`` is what the daemon lists; the
    daemon opens ``driven`` pages itself.
    """

    name: str
    query: str
    script: str
    driven: bool = False

    def __str__(self) -> str:
        return self.name


PUBLISHED = Way("published", "kit={port}", "published")
TAG = Way("tag", "tag", "reticle")
BOTH = Way("both", "tag&kit={port}", "reticle")
NOTHING = Way("nothing", "plainly", "reticle", driven=True)
DRIVEN_KIT = Way("driven-kit", "kit={port}", "reticle", driven=True)


SAVED = [
    {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201, "count": 1},
    {"kind": "text", "contains": "Saved Ada"},
]
STORED = {"kind": "state", "store": "orders", "path": "said", "equals": "Saved Ada"}
SIGNAL = {"kind": "signal", "name": "order:saved", "dataMatches": {"name": "Ada"}}


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
        eventually(lambda: self.client.call("reticle_act", fill).ok, "the app has drawn its form")
        click = {"action": "click", "target": {"role": "button", "name": "Save"}, "until": until}
        return self.client.call("reticle_act_and_wait", {**click, **more})

    def is_proved(self) -> None:
        """
        An order was saved: the request, the words, and what the app itself tells, where it tells anything.
        """
        signals = [SIGNAL] if "kit" in self.way.query else []
        stores = [] if self.way.name == NOTHING.name else [STORED]
        verdict = self.order("Ada", {"allOf": [*SAVED, *stores, *signals]})
        assert (verdict.verified, verdict.fields["verifiedReason"]) == ("yes", "proved"), verdict.text
        assert ("attested" in verdict.fields) is self.way.driven, verdict.text

    def hears_the_box(self) -> None:
        """
        A controlled checkbox is checked by one click, and what it changes shows.
        """
        check = {"action": "check", "target": {"role": "checkbox", "name": "Gift"}}
        wrapped = {"kind": "text", "contains": "Wrapped as a gift"}
        verdict = self.client.call("reticle_act_and_wait", {**check, "until": wrapped})
        assert verdict.verified == "yes", verdict.text

    def is_caught_lying(self) -> None:
        """
        The page says saved, the server said 500.
        """
        verdict = self.order("Ben", {"kind": "text", "contains": "Saved Ben"})
        assert (verdict.verified, verdict.fields["verifiedReason"]) == ("no", "contradicted"), verdict.text

    def keeps_silent(self) -> None:
        """
        The server does not answer: nothing says that the order failed, and nothing that it was kept.
        """
        claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": True}
        verdict = self.order("Cleo", claim, timeout_ms=1_500)
        assert verdict.verified == "unknown", verdict.text


@pytest.fixture(scope="module")
def tab(
    request: pytest.FixtureRequest,
    daemon: Daemon,
    apps_url: str,
    drives: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Tab]:
    """
    One tab for one way, in a Chromium of its own or in the daemon's; it ends before the next begins.
    """
    del drives
    way = request.param._replace(query=request.param.query.format(port=daemon.port))
    with connect(daemon.mcp_url) as client:
        client.initialize("apps", "1")
        eventually(lambda: page_names(client) == [], "the tab before is gone")
        first = f"{apps_url}react/?{way.query}"
        if way.driven:
            acquired = client.call("reticle_lease", {"action": "acquire", "url": first})
            assert acquired.ok, acquired.text
            yield Tab(client, way, apps_url)
            client.call("reticle_lease", {"action": "release", "leaseId": acquired.fields["leaseId"]})
            return
        browser = start_browser(tmp_path_factory.mktemp("chromium"), first)
        try:
            yield Tab(client, way, apps_url)
        finally:
            browser.stop()


ALWAYS = {
    (PUBLISHED, "react"), (PUBLISHED, "plain"), (TAG, "vue"), (BOTH, "react"), (NOTHING, "vue"),
    (NOTHING, "plain"), (DRIVEN_KIT, "react"),
}  # fmt: skip
"""Met by every ``make test``; the others by ``make full``."""

MEETINGS = [
    pytest.param(way, app, id=f"{way}-{app}", marks=[] if (way, app) in ALWAYS else [pytest.mark.full])
    for way in (PUBLISHED, TAG, BOTH, NOTHING, DRIVEN_KIT)
    for app in APPS
]


@pytest.mark.parametrize(("tab", "app"), MEETINGS, indirect=["tab"])
def test_an_app_is_driven_end_to_end(tab: Tab, app: str) -> None:
    """
    One page, however many scripts are in it; what it does is proved, its lie is a no, its silence an unknown.
    """
    page = tab.open(app)
    sessions = tab.client.call("reticle_sessions").fields["sessions"]
    assert isinstance(sessions, list)
    assert [(each["sessionId"], each["script"]) for each in sessions] == [(page, tab.way.script)]
    tab.is_proved()
    tab.hears_the_box()
    tab.open(app, "fault")
    tab.is_caught_lying()
    tab.open(app, "stall")
    tab.keeps_silent()
