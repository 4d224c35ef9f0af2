"""
The same click, seen in the page and in the Flask process that served it.
"""

from __future__ import annotations

import socket
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import ROOT, Child, Daemon
from reticle.client import Client
from reticle.client.results import CallResult
from tests.system.wire import eventually

pytestmark = pytest.mark.usefixtures("drives")

APP = "probed_flask.py"


def line_of(mark: str) -> str:
    """
    The place of a mark in the app, as verdicts name it: from the app's own root.
    """
    lines = (Path(__file__).parent / APP).read_text().splitlines()
    return f"{APP}:{next(number for number, line in enumerate(lines, 1) if mark in line)}"


@pytest.fixture(scope="module")
def app_url(daemon: Daemon, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The app, its probe on and knowing the daemon's runtime directory.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("flask")
    child = Child(
        "flask",
        [sys.executable, "-m", "tests.system.probed_flask", str(port), str(folder / "orders.db")],
        folder / "log",
        {"RETICLE_PROBE": "1", "RETICLE_RUNTIME_DIR": str(daemon.runtime_dir), "PYTHONPATH": str(ROOT)},
    )
    url = f"http://127.0.0.1:{port}/"

    def answers() -> bool:
        try:
            with urllib.request.urlopen(url, timeout=1) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    try:
        eventually(answers, "the app answers")
        yield url
    finally:
        child.stop()


@pytest.fixture
def page(client: Client, app_url: str) -> Iterator[str]:
    """
    A page of the app in a browser that the daemon drives.
    """
    got = client.call("reticle_lease", {"action": "acquire", "url": app_url})
    assert got.ok, got.text
    yield str(got.fields["sessionId"])
    client.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})


def press(client: Client, page: str, name: str, until: Mapping[str, Any]) -> CallResult:
    """
    A click with a claim.
    """
    target = {"role": "button", "name": name}
    return client.call(
        "reticle_act_and_wait", {"sessionId": page, "action": "click", "target": target, "until": until}
    )


THANKS = {"kind": "text", "contains": "Thank you", "visible": True}


def test_a_row_that_was_written_is_proved(client: Client, page: str) -> None:
    """
    The claim names the table; the statement's own request proves it.
    """
    row = {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1}
    told = press(client, page, "Order", {"allOf": [THANKS, row]})
    assert told.verified == "yes", told.text


def test_a_row_was_written_before_the_page_had_its_answer(client: Client, page: str) -> None:
    """
    The order of page and server is told where it is certain, and the other way round does not hold.
    """
    row, answer = {"kind": "sql", "verb": "INSERT", "table": "orders"}, {"kind": "net", "method": "POST"}
    told = press(client, page, "Order", {"kind": "sequence", "predicates": [row, answer]})
    assert told.verified == "yes", told.text
    told = press(client, page, "Order", {"kind": "sequence", "predicates": [answer, row]})
    assert told.verified == "no", told.text


def test_a_view_that_throws_behind_a_healthy_screen(client: Client, page: str) -> None:
    """
    The page says thank you: no, with the line of the view.
    """
    told = press(client, page, "Break", THANKS)
    assert told.verified == "no", told.text
    assert told.fields["source"] == line_of("# the fault")


def test_an_exception_that_was_swallowed(client: Client, page: str) -> None:
    """
    The answer was 200 and the log knows better.
    """
    told = press(client, page, "Swallow", THANKS)
    assert told.verified == "no", told.text
    assert told.fields["source"] == line_of("# the swallowed fault")


def test_a_row_that_was_rolled_back(client: Client, page: str) -> None:
    """
    The answer was 200 and nothing is in the database.
    """
    told = press(client, page, "Undo", THANKS)
    assert told.verified == "no", told.text
    assert told.fields["source"] == line_of("# the lost row")


def test_a_click_that_asks_the_server_for_nothing(client: Client, page: str) -> None:
    """
    That nothing was written is known, since the probe serves this page and told of nothing.
    """
    told = press(client, page, "Nothing", {"kind": "sql", "verb": "INSERT"})
    assert told.verified == "no", told.text


def test_what_the_server_did_after_the_page_gave_up(client: Client, page: str) -> None:
    """
    The page saw no answer: the action's name in the header ties the request, and its end is waited for.
    """
    told = press(client, page, "Give up", {"kind": "text", "contains": "Gave up"})
    assert told.verified == "unknown", told.text
    contradictions: Any = told.fields["contradictions"]
    [finding] = contradictions
    assert (finding["kind"], finding["source"]) == ("server-exception", line_of("# the late fault"))


def test_a_form_post_is_followed_over_its_redirect(client: Client, page: str) -> None:
    """
    The next document knows its own id; the chain leads back to the post and its row.
    """
    row = {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1}
    told = press(client, page, "Send", {"allOf": [{"kind": "text", "contains": "Done"}, row]})
    assert told.verified == "yes", told.text
