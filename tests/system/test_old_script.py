"""
A service worker that answers from its cache first still serves the old page script after an upgrade (SN-11).
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from examples.journeys import connected_page
from examples.journeys.children import ROOT, Child
from reticle.client import Client, connect
from tests.system.starting import StartDaemon
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

PAGE = """<!doctype html><html><head><script src="{script}"></script></head><body>
<button>Buy</button><button onclick="forget()">Forget</button><p id="note" role="status"></p>
<script>
const say = (words) => {{ note.textContent = words }};
const worker = navigator.serviceWorker;
if (worker.controller) caches.match('{script}').then((kept) => kept && say('From the cache'));
else if (location.search !== '?plain') worker.register('/worker.js');
worker.addEventListener('controllerchange', () => location.reload());
async function forget() {{
  for (const one of await worker.getRegistrations()) await one.unregister();
  await caches.delete('v1');
  say('Forgotten');
}}
</script></body></html>"""
WORKER = """
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.destination !== 'script') return;
  event.respondWith((async () => {
    const cache = await caches.open('v1');
    const kept = await cache.match(event.request.url);
    if (kept) return kept;
    const fresh = await fetch(event.request);
    await cache.put(event.request.url, fresh.clone());
    return fresh;
  })());
});
"""


class AppServer(QuietHandler):
    """
    An app that works offline, as a template of its framework had it.
    """

    def __init__(self, script: str, *args: Any) -> None:
        self.page = PAGE.format(script=script).encode()
        super().__init__(*args)

    def do_GET(self) -> None:
        """
        The page, or its worker.
        """
        if self.path == "/worker.js":
            self.answer(200, "text/javascript", WORKER.encode())
        else:
            self.answer(200, "text/html", self.page)


def test_an_old_script_out_of_a_workers_cache_is_named_until_it_is_gone(
    start: StartDaemon, open_browser: Callable[[str], Child], tmp_path: Path
) -> None:
    """
    After an upgrade the agent is told that the page runs the old script, and what to do; doing so helps.
    """
    daemon = start(command=older_daemon(tmp_path, 0), extra={"PYTHONPATH": str(tmp_path)})
    with serving(partial(AppServer, f"{daemon.url}/sdk.js")) as app:
        open_browser(app)
        with connect(daemon.mcp_url) as before:
            before.initialize("old-script", "1")
            connected_page(before)
            eventually(lambda: holds(before, "From the cache"), "the worker has taken the page over")
            assert "versionSkew" not in page_of(before)
        daemon.child.stop()

        newer = start(command=[sys.executable, "-m", "reticle", "serve", "--port", str(daemon.port)])
        with connect(newer.mcp_url) as client:
            client.initialize("old-script", "1")
            connected_page(client)
            client.call("reticle_navigate", {"reload": True})
            eventually(lambda: holds(client, "From the cache"), "the worker has answered")
            assert "service worker" in str(page_of(client)["recommendation"])
            asked = client.call("reticle_query", {"role": "button", "name": "Buy"})
            assert asked.ok
            told = client.call("reticle_navigate", {"reload": True}).fields["session"]
            assert isinstance(told, dict)
            assert "another page script" in told["versionSkew"]

            client.call("reticle_act", {"action": "click", "target": {"role": "button", "name": "Forget"}})
            eventually(lambda: holds(client, "Forgotten"), "the worker is gone")
            client.call("reticle_navigate", {"url": f"{app}?plain"})
            assert "versionSkew" not in page_of(client)


def older_daemon(folder: Path, port: int) -> list[str | Path]:
    """
    The command of a daemon whose page script is another than ours; needs ``folder`` on PYTHONPATH.
    """
    shutil.copytree(ROOT / "reticle", folder / "reticle", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "reticle/page/start.js").open("a") as script:
        script.write("// as it was before the upgrade\n")
    return [sys.executable, "-P", "-m", "reticle", "serve", "--port", str(port)]


def page_of(client: Client) -> Mapping[str, object]:
    """
    What is listed of the one page.
    """
    listed = client.call("reticle_sessions").fields["sessions"]
    assert isinstance(listed, list)
    (one,) = listed
    assert isinstance(one, dict)
    return one


def holds(client: Client, words: str) -> bool:
    """
    Whether the page says so now.
    """
    until = {"kind": "text", "contains": words}
    return client.call("reticle_assert", {"until": until}).fields.get("pass") is True
