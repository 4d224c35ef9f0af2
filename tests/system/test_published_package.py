"""
The published ``@reticlehq/browser`` 2.0.0, unmodified, in a real browser: it connects, is driven, and its
traps do not reach the agent.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.orders_app import require_built
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

HERE = Path(__file__).parent / "published"
INSTALLED = Path(__file__).parent / "apps/node_modules"
BUNDLE_SECONDS = 60


class AppServer(QuietHandler):
    """
    Serves the app's two files, and saves.
    """

    saved = 0

    def __init__(self, files: dict[str, tuple[str, bytes]], *args: object) -> None:
        self.files = files
        super().__init__(*args)  # type: ignore[arg-type]  # the base class takes what the server gives

    def do_GET(self) -> None:
        """
        One of the files.
        """
        kind, body = self.files.get(self.path.partition("?")[0], ("", b""))
        self.answer(200 if kind else 404, kind or "text/plain", body)

    def do_POST(self) -> None:
        """
        Save and count.
        """
        self.rfile.read(int(self.headers["Content-Length"]))
        AppServer.saved += 1
        self.answer(201, "application/json", b'{"saved":%d}' % AppServer.saved)


@pytest.fixture(scope="module")
def app_url(daemon: Daemon, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The app with the package from the registry bundled in.
    """
    require_built()
    folder = tmp_path_factory.mktemp("published")
    shutil.copy(HERE / "app.js", folder / "app.js")
    (folder / "node_modules").symlink_to(INSTALLED)
    port = f"--define:DAEMON_PORT={daemon.port}"
    bundle: list[str | Path] = [
        INSTALLED / ".bin/esbuild",
        "app.js",
        "--bundle",
        "--outfile=out.js",
        port,
    ]
    subprocess.run(bundle, cwd=folder, check=True, capture_output=True, timeout=BUNDLE_SECONDS)
    page = ("text/html", (HERE / "index.html").read_bytes())
    files = {"/": page, "/other": page, "/app.js": ("text/javascript", (folder / "out.js").read_bytes())}
    with serving(partial(AppServer, files), "localhost") as url:
        yield url


@pytest.fixture(scope="module")
def app(app_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A Chromium with the app open.
    """
    return open_browser(app_url)


@pytest.fixture
def page(client: Client, app: Child) -> str:
    """
    The id of the app's page.
    """
    del app
    return connected_page(client)


def test_it_connects_and_is_known_for_what_it_is(client: Client, page: str) -> None:
    """
    The page is listed with its project, as a published package.
    """
    sessions = client.call("reticle_sessions").fields["sessions"]
    assert isinstance(sessions, list)
    [session] = sessions
    assert (session["sessionId"], session["projectId"], session["script"]) == (
        page,
        "published-app",
        "published",
    )


def test_a_claim_on_it_is_proved(client: Client, page: str) -> None:
    """
    Fill, save, and the request, the words on the screen and the store all say so.
    """
    filled = client.call(
        "reticle_act",
        {"action": "fill", "target": {"testid": "name"}, "args": {"value": "Ada"}, "sessionId": page},
    )
    assert filled.ok, filled.text
    verdict = client.call(
        "reticle_act_and_wait",
        {
            "action": "click",
            "target": {"role": "button", "name": "Save"},
            "sessionId": page,
            "until": {
                "kind": "allOf",
                "predicates": [
                    {"kind": "net", "method": "POST", "urlContains": "/api/save", "status": 201, "count": 1},
                    {"kind": "text", "contains": "Saved Ada"},
                    {"kind": "state", "store": "shop", "path": "saved", "equals": 1},
                ],
            },
        },
    )
    assert verdict.verified == "yes", verdict.text


def test_its_traps_are_refused(client: Client, page: str) -> None:
    """
    A disabled button, a missing value, an unknown option and a scope that is not there are told.
    """

    def act(action: str, target: dict[str, str], **args: str) -> str | None:
        return client.call(
            "reticle_act", {"action": action, "target": target, "args": args, "sessionId": page}
        ).error

    assert act("click", {"role": "button", "name": "Off"}) == "not_editable"
    assert act("fill", {"testid": "name"}) == "bad_arguments"
    assert act("select", {"role": "combobox", "name": "Color"}, value="green") == "no_such_option"
    assert act("select", {"role": "combobox", "name": "Color"}, value="blue") is None
    assert act("click", {"role": "button", "name": "Nowhere"}) == "no_match"
    missing = client.call("reticle_snapshot", {"scope": "#nowhere", "sessionId": page})
    assert "button" not in missing.text, missing.text


def test_a_checkbox_is_checked_once(client: Client, page: str) -> None:
    """
    The app hears the click, and a second check changes nothing.
    """
    check = {"action": "check", "target": {"role": "checkbox", "name": "Agree"}, "sessionId": page}
    for _ in range(2):
        assert client.call("reticle_act", check).ok
        agreed = client.call(
            "reticle_assert",
            {
                "sessionId": page,
                "until": {"kind": "state", "store": "shop", "path": "agreed", "equals": True},
            },
        )
        assert agreed.verified == "yes", agreed.text


def test_its_silent_loss_is_told(client: Client, page: str) -> None:
    """
    Of a hundred new rows the package reports forty without a word; the agent is told that some are missing.
    """
    acted = client.call(
        "reticle_act", {"action": "click", "target": {"role": "button", "name": "Many"}, "sessionId": page}
    )
    assert acted.ok, acted.text

    def told() -> bool:
        seen = client.call("reticle_observe", {"since": acted.fields["since"], "sessionId": page})
        return "lost" in seen.text

    eventually(told, "the loss is told")


def test_what_a_frame_may_hide_is_not_called_missing(client: Client, page: str) -> None:
    """
    "Out of stock" is on the screen, in a frame that the package does not look into.
    """
    claim = {"kind": "text", "contains": "Out of stock", "absent": True}
    before = client.call("reticle_assert", {"sessionId": page, "until": claim})
    assert before.verified == "yes", before.text
    click = {"action": "click", "target": {"role": "button", "name": "Frame"}, "sessionId": page}
    framed = {"kind": "text", "contains": "Framed"}
    clicked = client.call("reticle_act_and_wait", {**click, "until": framed})
    # on a fast machine the package drops an event of its own and says so, which leaves the claim open
    assert clicked.verified == "yes" or "dom.added events lost" in clicked.text, clicked.text
    after = client.call("reticle_assert", {"sessionId": page, "until": claim})
    assert after.verified == "unknown", after.text


def test_it_keeps_its_session_over_our_navigation(
    client: Client, page: str, app_url: str, url_of: Callable[[str], str]
) -> None:
    """
    After ``reticle_navigate`` the same page is driven on, at the new address.
    """
    moved = client.call("reticle_navigate", {"url": f"{app_url}other", "sessionId": page})
    assert moved.ok, moved.text
    assert url_of(page) == f"{app_url}other"
    snapshot = client.call("reticle_snapshot", {"sessionId": page})
    assert 'button "Save"' in snapshot.text


@pytest.fixture
def url_of(client: Client) -> Callable[[str], str]:
    """
    Where a page is, as the daemon lists it.
    """

    def find(page_id: str) -> str:
        sessions = client.call("reticle_sessions").fields["sessions"]
        assert isinstance(sessions, list)
        return next(str(session["url"]) for session in sessions if session["sessionId"] == page_id)

    return find
