"""
Rows that are not in the page yet, on real pages: a list that loads more at its end, and one inside another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.pages import page_names
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

PAGE = """<!doctype html><title>Lists</title><script src="{daemon}/sdk.js"></script>
<div style="height: 900px">Above</div>
<section aria-label=Outer style="height: 300px; overflow-y: auto"><p style="height: 400px">Intro</p>
<ul id=more aria-label=Feed style="height: 200px; overflow-y: auto"></ul></section>
<script>
const feed = document.getElementById("more");
let page = 0, busy = false;
async function load() {{
  if (busy || page >= 5) return;
  busy = true;
  const rows = await (await fetch("/rows?page=" + page)).json();
  page += 1;
  for (const row of rows) {{
    const item = document.createElement("li");
    item.textContent = row;
    item.style.height = "30px";
    feed.append(item);
  }}
  busy = false;
}}
feed.addEventListener("scroll", () => {{
  if (feed.scrollTop + feed.clientHeight > feed.scrollHeight - 5) load();
}});
load();
</script>"""


@pytest.fixture(scope="module")
def app(daemon: Daemon) -> Iterator[str]:
    """
    The app's address; each of its five pages of rows takes a moment.
    """

    class Lists(QuietHandler):
        def do_GET(self) -> None:
            if not self.path.startswith("/rows"):
                self.answer(200, "text/html", PAGE.format(daemon=daemon.url).encode())
                return
            first = 20 * int(self.path.rpartition("=")[2])
            rows = [f"Item {number}." for number in range(first, first + 20)]
            self.answer(200, "application/json", json.dumps(rows).encode())

    with serving(Lists) as url:
        yield url


@pytest.fixture(scope="module")
def page(daemon: Daemon, app: str, open_browser: Callable[[str], Child]) -> None:
    """
    The page, open in a browser.
    """
    del daemon
    open_browser(app)


def ok(client: Client, tool: str, **arguments: object) -> Mapping[str, Any]:
    """
    The fields of a call that was done.
    """
    result = client.call(tool, arguments)
    assert result.ok, result.text
    return result.fields


@pytest.mark.usefixtures("page")
def test_a_list_that_loads_more_is_walked_to_its_real_end(client: Client) -> None:
    """
    SN-07: a row of the last part is found inside of two lists; one that there is none of is looked for until
    nothing more came in, and only then called exhausted.
    """
    eventually(lambda: len(page_names(client)) == 1, "the page is connected", 20)
    eventually(lambda: ok(client, "reticle_query", text="Item 19.")["count"] == 1, "the first rows are there")
    assert ok(client, "reticle_query", text="Item 95.")["count"] == 0
    found = ok(client, "reticle_scroll_to", text="Item 95.", maxScrolls=100)
    assert (found["found"], found["element"]["role"]) == (True, "listitem")
    assert ok(client, "reticle_inspect", ref=found["element"]["ref"])["inViewport"] is True
    none = ok(client, "reticle_scroll_to", text="Item 100.", maxScrolls=100)
    assert (none["found"], none["exhausted"]) == (False, True)
    few = ok(client, "reticle_scroll_to", text="Item 100.", container="#more", maxScrolls=1)
    assert (few["found"], few["exhausted"], "maxScrolls" in few["note"]) == (False, False, True)
    assert client.call("reticle_scroll_to", {"text": "x", "container": "#none"}).error == "no_match"
