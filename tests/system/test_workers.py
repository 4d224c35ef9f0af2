"""
A page whose worker asks the server behind our back, in a real browser and through the daemon.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import CallResult, Client
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

PAGE = """<!doctype html><html><head><script src="DAEMON/sdk.js"></script></head><body>
<button onclick="fetch('/api/shown', {method: 'POST'}).then(() => this.after('Saved '))">Save</button>
<script>WORKER</script></body></html>"""
WORKER = """const worker = new Worker("/worker.js");
document.querySelector("button").addEventListener("click", () => worker.postMessage(1));"""
SCRIPT = "onmessage = () => fetch('/api/hidden', {method: 'POST'})"
NEVER = {"kind": "net", "method": "POST", "urlContains": "/api/hidden", "count": 0}
SHOWN = {"kind": "net", "method": "POST", "urlContains": "/api/shown", "status": 204}


class App(QuietHandler):
    """
    A page with a worker under ``/worker``, else without one; ``hidden`` counts what the worker asked for.
    """

    hidden = 0

    def __init__(self, daemon_url: str, *args: Any) -> None:
        self.daemon_url = daemon_url
        super().__init__(*args)

    def do_GET(self) -> None:
        """
        The page or the worker's script.
        """
        if self.path == "/worker.js":
            self.answer(200, "text/javascript", SCRIPT.encode())
        else:
            worker = WORKER if self.path == "/worker" else ""
            page = PAGE.replace("DAEMON", self.daemon_url).replace("WORKER", worker)
            self.answer(200, "text/html", page.encode())

    def do_POST(self) -> None:
        """
        Saved.
        """
        App.hidden += self.path == "/api/hidden"
        self.answer(204, "text/plain", b"")


def save(client: Client, page: str, until: object) -> CallResult:
    """
    Click, and judge.
    """
    asked = {"sessionId": page, "action": "click", "target": {"role": "button", "name": "Save"}}
    return client.call("reticle_act_and_wait", {**asked, "until": until, "timeout_ms": 2_000})


def test_no_request_is_not_vouched_for_beside_a_worker(
    daemon: Daemon, client: Client, open_browser: Callable[[str], Child]
) -> None:
    """
    That something was not requested is proved on a page without workers, and unknown on one whose worker did
    just that; what was seen counts on both.
    """
    with serving(partial(App, daemon.url)) as url:
        open_browser(url)
        page = connected_page(client)
        proved = save(client, page, {"allOf": [SHOWN, NEVER]})
        assert proved.verified == "yes", proved.text
        client.call("reticle_navigate", {"sessionId": page, "url": f"{url}worker"})
        seen = save(client, page, SHOWN)
        assert seen.verified == "yes", seen.text
        unseen = save(client, page, {"allOf": [SHOWN, NEVER]})
        assert unseen.verified == "unknown", unseen.text
        eventually(lambda: App.hidden == 2, "the worker has asked after each click")
        assert "could not watch 1 worker" in unseen.text


@pytest.mark.usefixtures("drives")
def test_a_worker_of_a_driven_page_runs(daemon: Daemon, client: Client) -> None:
    """
    A page that the daemon opened has its workers at work, as in any browser.
    """
    with serving(partial(App, daemon.url)) as url:
        before = App.hidden
        got = client.call("reticle_lease", {"action": "acquire", "url": f"{url}worker"})
        assert got.ok, got.text
        seen = save(client, str(got.fields["sessionId"]), SHOWN)
        assert seen.verified == "yes", seen.text
        eventually(lambda: App.hidden == before + 1, "the worker has asked after the click")
        client.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})
