"""
Places in the code of an app that was built: what is told is the line that a person wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

MAPPED = Path(__file__).parent / "mapped"
PAGE = """<!doctype html><html><head><script src="{daemon}/sdk.js" data-project="{name}"></script></head>
<body><script src="/{name}.js"></script></body></html>"""


class AppServer(QuietHandler):
    """
    A page for each of the built scripts, the scripts, and the map of one of them.
    """

    def __init__(self, daemon_url: str, *args: object) -> None:
        self.daemon_url = daemon_url
        super().__init__(*args)  # type: ignore[arg-type]  # the base class takes what the server gives

    def do_GET(self) -> None:
        """
        A page or a built file.
        """
        file = MAPPED / "built" / self.path.lstrip("/")
        if file.is_file():
            self.answer(200, "text/javascript", file.read_bytes())
        elif self.path in {"/app", "/inline"}:
            page = PAGE.format(daemon=self.daemon_url, name=self.path.strip("/"))
            self.answer(200, "text/html", page.encode())
        else:
            self.answer(404, "text/plain", b"not here")

    def do_POST(self) -> None:
        """
        Take an order.
        """
        self.answer(201, "application/json", b"{}")


@pytest.fixture(scope="module")
def app_url(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """
    with serving(partial(AppServer, daemon.url)) as url:
        yield url


def line_of(file: str, text: str) -> int:
    """
    The line, from 1, on which a text stands in a source file.
    """
    lines = (MAPPED / "src" / file).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found


def opened(client: Client, url: str) -> str:
    """
    The id of the page that shows an address, once it is connected.
    """

    def listed() -> list[str]:
        sessions = client.call("reticle_sessions").fields.get("sessions")
        assert isinstance(sessions, list)
        return [str(each["sessionId"]) for each in sessions if each["url"] == url]

    eventually(listed, f"{url} is connected")
    return listed()[0]


def click(client: Client, page: str, name: str, until: dict[str, object]) -> Mapping[str, object]:
    """
    Click a button and wait for a consequence.
    """
    return client.call(
        "reticle_act_and_wait",
        {
            "sessionId": page,
            "action": "click",
            "target": {"role": "button", "name": name},
            "until": until,
            "timeout_ms": 2000,
        },
    ).fields


@pytest.mark.parametrize("name", ["app", "inline"])
def test_a_verdict_and_the_lists_name_the_line_that_a_person_wrote(
    client: Client, app_url: str, open_browser: Callable[[str], Child], name: str
) -> None:
    """
    A minified bundle throws, writes and asks; each is told by its line in the TypeScript file.
    """
    open_browser(f"{app_url}{name}")
    page = opened(client, f"{app_url}{name}")
    thrown = f"src/till.ts:{line_of('till.ts', 'throw new TypeError')}:"

    verdict = click(client, page, "Settle", {"kind": "element", "query": {"text": "Settled"}})

    assert verdict["verified"] == "no"
    assert str(verdict["source"]).startswith(thrown)

    click(client, page, "Note", {"kind": "console", "level": "error", "textContains": "noted"})
    logs = client.call("reticle_console", {"sessionId": page, "level": "error"}).fields["logs"]
    assert isinstance(logs, list)
    noted = next(log for log in logs if "noted" in log["text"])
    assert noted["source"].startswith(f"src/main.ts:{line_of('main.ts', 'console.error')}:")
    assert f"src/main.ts:{line_of('main.ts', 'console.error')}:" in noted["stack"][1]

    click(client, page, "Forward", {"kind": "net", "method": "POST", "urlContains": "/orders"})
    calls = client.call("reticle_network", {"sessionId": page, "method": "POST"}).fields["calls"]
    assert isinstance(calls, list)
    assert calls[0]["source"].startswith(f"src/till.ts:{line_of('till.ts', 'await fetch')}:")


def test_an_element_is_found_by_the_line_that_a_person_wrote(
    client: Client, app_url: str, open_browser: Callable[[str], Child]
) -> None:
    """
    Also where the page itself knows only the place in its script, as with React 19; the verdict on a click
    there names that line.
    """
    open_browser(f"{app_url}inline")
    page = opened(client, f"{app_url}inline")
    line = line_of("main.ts", "madeHere() }")
    query = {"sessionId": page, "source": {"file": "src/main.ts", "line": line}}

    elements = client.call("reticle_query", query).fields["elements"]

    assert isinstance(elements, list)
    assert [each["name"] for each in elements] == ["Settle", "Note", "Forward"]
    assert all(each["source"].startswith(f"src/main.ts:{line}:") for each in elements)
    assert (
        client.call("reticle_query", {**query, "source": {"file": "src/main.ts", "line": 1}}).fields["count"]
        == 0
    )
    verdict = click(client, page, "Forward", {"kind": "element", "query": {"text": "Sent"}})
    assert str(verdict["source"]).startswith(f"src/main.ts:{line}:")
