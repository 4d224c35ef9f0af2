"""
React 19, its development and its production files, in a real browser and through the daemon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import CallResult, Client
from tests.system.web_app import QuietHandler, serving

APP = Path(__file__).parent / "react/app.js"
INSTALLED = Path(__file__).parents[1] / "page/node_modules"
MODULES = {
    "react": "react-19/cjs/react.{kind}.js",
    "react-dom": "react-dom-19/cjs/react-dom.{kind}.js",
    "react-dom/client": "react-dom-19/cjs/react-dom-client.{kind}.js",
    "scheduler": "react-dom-19/node_modules/scheduler/cjs/scheduler.{kind}.js",
}
LOADER = """
const process = {{ env: {{ NODE_ENV: "{kind}" }} }};
const made = {{}}, makers = {{}};
function require(name) {{
  if (!(name in made)) {{
    const module = made[name] = {{ exports: {{}} }};
    makers[name](module, module.exports, (other) => require(other).exports);
  }}
  return made[name];
}}
const define = (name, maker) => {{ makers[name] = maker }};
"""
PAGE = """<!doctype html><html><head><script src="{daemon}/sdk.js"></script></head><body><div id="root"></div>
<script>{loader}</script>{tags}<script src="/app.js"></script><script>require("app")</script></body></html>"""
TAG = '<script src="/node_modules/{}"></script>'


class AppServer(QuietHandler):
    """
    The app under ``/development`` and ``/production``, React's files, and the rows.
    """

    rows: tuple[str, ...] = ()

    def __init__(self, daemon_url: str, *args: Any) -> None:
        self.daemon_url = daemon_url
        super().__init__(*args)

    def do_GET(self) -> None:
        """
        One of the files, or the rows.
        """
        path, _, query = self.path.partition("?")
        if path.startswith("/node_modules/"):
            file = path.removeprefix("/node_modules/")
            name = next(name for name, known in MODULES.items() if file in map(known.format_map, KINDS))
            text = (INSTALLED / file).read_text()
            wrapped = f"define({json.dumps(name)}, function (module, exports, require) {{{text}\n}});"
            self.answer(200, "text/javascript", wrapped.encode())
        elif path == "/app.js":
            self.answer(200, "text/javascript", APP.read_bytes())
        elif path == "/rows":
            self.answer(200, "application/json", json.dumps(AppServer.rows).encode())
        else:
            AppServer.rows = ("FIG",)
            self.answer(200, "text/html", self._page(path.strip("/")).encode())
        del query

    def do_POST(self) -> None:
        """
        Keep a row, or fail to where the page that asks is the faulty one.
        """
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "fault" in self.headers["Referer"]:
            self.answer(500, "application/json", b'{"error": "the store is closed"}')
        else:
            AppServer.rows += (sent["name"],)
            self.answer(201, "application/json", json.dumps(sent).encode())

    def _page(self, kind: str) -> str:
        tags = "".join(TAG.format(file.format(kind=kind)) for file in MODULES.values())
        return PAGE.format(daemon=self.daemon_url, loader=LOADER.format(kind=kind), tags=tags)


KINDS = ({"kind": "development"}, {"kind": "production"})


@pytest.fixture(scope="module")
def app_url(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """
    if not (INSTALLED / "react-19").exists():
        pytest.skip("React 19 is not installed: make page")
    with serving(partial(AppServer, daemon.url)) as url:
        yield url


@pytest.fixture(scope="module")
def app(app_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A Chromium with the app open.
    """
    return open_browser(f"{app_url}development")


class Visit(NamedTuple):
    """
    The app, opened anew in one of its kinds.
    """

    client: Client
    kind: str

    def save(self, name: str, until: object) -> CallResult:
        """
        Type a name and save; gives the verdict.
        """
        act = {"action": "type", "target": {"role": "textbox"}, "args": {"text": name}}
        typed = self.client.call("reticle_act", act)
        assert typed.ok, typed.text
        return self.click("Save", until)

    def click(self, name: str, until: object) -> CallResult:
        """
        Click a button; gives the verdict.
        """
        act = {"action": "click", "target": {"role": "button", "name": name}, "until": until}
        return self.client.call("reticle_act_and_wait", act)

    def line_of(self, words: str) -> str:
        """
        Where React says that an element of the app was made: known to its development files alone.
        """
        lines = APP.read_text().splitlines()
        number = next(number for number, line in enumerate(lines, 1) if words in line)
        return f"/app.js:{number}" if self.kind == "development" else ""


@pytest.fixture(params=["development", "production"])
def visit(app: Child, app_url: str, client: Client, request: pytest.FixtureRequest) -> Callable[..., Visit]:
    """
    Open the app, sound or faulty, in the tab.
    """
    del app

    def begin(query: str = "") -> Visit:
        page = connected_page(client)
        url = f"{app_url}{request.param}{query}"
        client.call("reticle_navigate", {"sessionId": page, "url": url})
        shown = client.call("reticle_wait_for", {"until": {"kind": "text", "contains": "FIG"}})
        assert shown.ok, shown.text
        return Visit(client, request.param)

    return begin


SAVED = {
    "allOf": [
        {"kind": "net", "method": "POST", "urlContains": "/rows", "ok": True},
        {"kind": "text", "contains": "Saved PEAR"},
        {"kind": "element", "query": {"role": "listitem", "text": "PEAR"}},
    ]
}


def test_a_save_through_a_transition_and_suspense_is_proved(visit: Callable[..., Visit]) -> None:
    """
    A controlled field hears what is typed, and what React shows after its waits is the consequence.
    """
    verdict = visit().save("pear", SAVED)
    assert (verdict.verified, verdict.fields["verifiedReason"]) == ("yes", "proved"), verdict.text


def test_a_lie_about_a_failed_save_names_the_line_of_the_button(visit: Callable[..., Visit]) -> None:
    """
    The toast says saved and the server said 500: no, and in development with the file and line.
    """
    opened = visit("?fault")
    verdict = opened.save("pear", {"kind": "text", "contains": "Saved PEAR"})
    assert (verdict.verified, verdict.fields["verifiedReason"]) == ("no", "contradicted"), verdict.text
    source = str(verdict.fields.get("source", ""))
    assert source.startswith(opened.line_of('"Save"')), verdict.text
    assert bool(source) is (opened.kind == "development"), source


def test_an_error_that_a_boundary_caught_is_seen(visit: Callable[..., Visit]) -> None:
    """
    What a boundary caught is no uncaught error, and React's word of it on the console can be claimed.
    """
    shown = {"kind": "text", "contains": "This part failed"}
    said = {"kind": "console", "level": "error", "contains": "no such part"}
    verdict = visit().click("Break", {"allOf": [shown, said]})
    assert verdict.verified == "yes", verdict.text
    quiet = visit().click("Break", {"allOf": [shown, {**said, "absent": True}]})
    assert (quiet.verified, quiet.fields["verifiedReason"]) == ("no", "assertion_failed"), quiet.text
