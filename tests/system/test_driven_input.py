"""
Real input, dialogs, downloads and new tabs in a Chromium that the daemon drives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest

from examples.journeys.children import Daemon
from reticle.client import Client
from reticle.model.limits import BROWSER_TABS
from tests.system.driven_app import LIST, DrivenApp
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import WAIT_SECONDS, eventually

AT_ONCE_SECONDS = 4.0
"""A dialog that nobody answers costs a call 8 s; a click and a few frames cost far less, on any machine."""


Found = TypeVar("Found")

pytestmark = pytest.mark.usefixtures("drives")


@attrs.define
class Driver:
    """
    An agent with a page of its own.
    """

    client: Client
    url: str
    lease_id: str = ""
    page: str = ""

    def open(self, path: str = "", **wish: str) -> Driver:
        """
        Acquire a lease on a page of the app.
        """
        got = self.call("reticle_lease", action="acquire", url=self.url + path, **wish)
        self.lease_id, self.page = str(got["leaseId"]), str(got["sessionId"])
        return self

    def call(self, tool: str, **arguments: object) -> Mapping[str, Any]:
        """
        Call a tool and give its fields, those of a refusal too.
        """
        return self.client.call(tool, arguments).fields

    def act(self, action: str, role: str, name: str, **args: object) -> Mapping[str, Any]:
        """
        By real input, on the page that was opened.
        """
        return self.call(
            "reticle_act", action=action, target={"role": role, "name": name}, trusted=True, args=args,
            sessionId=self.page,
        )  # fmt: skip

    def says(self, words: str) -> bool:
        """
        Whether the page's note has these words.
        """
        held = self.call(
            "reticle_wait_for",
            predicate={"kind": "text", "contains": words},
            sessionId=self.page,
            timeout_ms=8000,
        )
        return held.get("pass") is True

    def events(self, kind: str) -> list[Mapping[str, Any]]:
        """
        What is recorded of one kind.
        """
        seen = self.call("reticle_observe", filters=[kind], since=0, sessionId=self.page)
        return [event["data"] for event in seen["events"]]


@pytest.fixture
def app() -> Iterator[str]:
    """
    The app's address.
    """
    with serving(DrivenApp) as url:
        yield url.removesuffix("/")


@pytest.fixture
def agent(client: Client, app: str) -> Iterator[Driver]:
    """
    One that gives back what it leased.
    """
    driver = Driver(client, app)
    yield driver
    driver.call("reticle_lease", action="release", leaseId=driver.lease_id)


def test_a_real_click_does_what_only_a_person_can(agent: Driver) -> None:
    """
    It is trusted, gives the focus, activates the page: pickers, full screen and windows open.
    """
    agent.open()
    clicked = agent.act("click", "button", "Trusted")
    assert clicked["inputMode"] == "trusted"
    assert agent.says("true,true,true")
    agent.act("click", "button", "Fullscreen")
    assert agent.says("Full")
    agent.act("click", "button", "Choose")
    assert agent.says("Picker")
    assert ("filechooser", False) in [(one["kind"], one["answer"]) for one in agent.events("dialog")]
    agent.act("click", "button", "Copy")
    assert agent.says("Copied")
    by_script = agent.call(
        "reticle_act", action="click", target={"role": "button", "name": "Choose"}, sessionId=agent.page
    )
    assert by_script["inputMode"] == "synthetic"


def test_a_trusted_act_is_judged_as_every_other(agent: Driver) -> None:
    """
    A form that is sent by a real click and a real key gives an attested yes; text is written into an editor.
    """
    agent.open()
    assert agent.act("fill", "textbox", "Query", value="pears")["effect"]["value"] == "pears"
    written = agent.act("fill", "textbox", "Editor", value="Hi ")
    assert written["effect"]["valueChanged"] is True
    agent.act("type", "textbox", "Editor", text="Ada!")
    assert agent.says("Hi Ada!")
    verdict = agent.call(
        "reticle_act_and_wait", action="press", target={"label": "Query"}, args={"key": "Enter"},
        trusted=True, until={"kind": "route", "contains": "/sent?q=pears"}, sessionId=agent.page,
    )  # fmt: skip
    assert (verdict["verified"], verdict["attested"]["lease"]) == ("yes", agent.lease_id), verdict


def test_a_list_and_a_date_are_filled_by_keys(agent: Driver) -> None:
    """
    What opens in a window of the browser's own is refused with the keys that do it; they do.
    """
    agent.open()
    refused = agent.act("select", "combobox", "Size", value="L")
    assert refused["error"] == "unsupported_surface"
    assert "ArrowDown" in refused["recovery"]
    for words in ("M,true", "L,true"):
        assert agent.act("press", "combobox", "Size", key="ArrowDown")["ok"] is True
        assert agent.says(words)
    day = {"target": {"label": "Day"}, "trusted": True, "sessionId": agent.page}
    refused = agent.call("reticle_act", action="fill", args={"value": "2026-07-05"}, **day)
    assert refused["error"] == "unsupported_surface"
    assert "digits" in refused["recovery"]
    for digit in "07052026":  # as the browser of these tests shows it: month, day, year
        assert agent.call("reticle_act", action="press", args={"key": digit}, **day)["ok"] is True
    assert agent.says("2026-07-05,true")


def test_drag_and_drop_is_real(agent: Driver) -> None:
    """
    The card is where the app put it when the browser dropped it there.
    """
    agent.open()
    dragged = agent.act("drag", "img", "Card", target={"role": "group", "name": "Right"})
    assert (dragged["effect"]["moved"], dragged["effect"]["dropped"]) == (True, True)
    assert agent.says("In right")


@pytest.mark.parametrize(
    ("rule", "said", "named"), [("accept", "Said true", "Named Ada"), ("dismiss", "Said false", "Named null")]
)
def test_dialogs_are_answered_by_the_rule_at_once(agent: Driver, rule: str, said: str, named: str) -> None:
    """
    No act waits for a person who is not there, by script or by hand, and what was answered is recorded.
    """
    agent.open(dialogs=rule)
    for name, words in (("Alert", "After"), ("Confirm", said), ("Prompt", named)):
        for trusted in (True, False):
            began = time.monotonic()
            acted = agent.call(
                "reticle_act", action="click", target={"role": "button", "name": name}, trusted=trusted,
                sessionId=agent.page,
            )  # fmt: skip
            assert time.monotonic() - began < AT_ONCE_SECONDS
            assert "error" not in acted
            assert agent.says(words)
    closed = [event for event in agent.events("dialog") if event["state"] == "closed"]
    assert [(event["kind"], event["by"]) for event in closed[::2]] == [
        ("alert", "rule"), ("confirm", "rule"), ("prompt", "rule"),
    ]  # fmt: skip
    assert closed[2]["answer"] is (rule == "accept")
    verdict = agent.call(
        "reticle_act_and_wait", action="click", target={"role": "button", "name": "Confirm"}, trusted=True,
        until={"kind": "text", "contains": said}, sessionId=agent.page,
    )  # fmt: skip
    assert verdict["verifiedReason"] in {"already_true", "proved"}


@pytest.mark.parametrize("leaves", [True, False])
def test_a_page_that_asks_before_it_is_left_follows_the_rule(agent: Driver, *, leaves: bool) -> None:
    """
    With one rule the navigation goes on, with the other it is told at once that the page stayed.
    """
    agent.open("/keeping", dialogs="accept" if leaves else "dismiss")
    agent.act("click", "button", "Trusted")
    gone = agent.call("reticle_navigate", url="/other", sessionId=agent.page)
    assert gone["confirmed"] is leaves
    [asked] = [event for event in agent.events("dialog") if event["kind"] == "beforeunload"]
    assert (asked["answer"], asked["by"]) == (leaves, "rule")
    if not leaves:
        assert "dialogs: accept" in gone["note"]


@pytest.mark.parametrize("link", ["List", "List in a tab"])
def test_a_download_is_kept_until_the_lease_ends(agent: Driver, link: str) -> None:
    """
    The agent reads the path, the bytes are those of the app, and nothing of it outlives the lease.
    """
    agent.open(downloads="keep")
    agent.act("click", "link", link)
    kept = _downloaded(agent, "kept")
    path = Path(kept["path"])
    assert (kept["filename"], kept["bytes"], path.read_bytes()) == ("list.csv", len(LIST), LIST)
    assert path.parent.stat().st_mode & 0o077 == 0
    agent.call("reticle_lease", action="release", leaseId=agent.lease_id)
    eventually(lambda: not path.exists(), "the file is gone")


def test_a_download_is_refused_unless_the_lease_says_otherwise(agent: Driver) -> None:
    """
    The agent reads that there was one, and why there is no file.
    """
    agent.open()
    agent.act("click", "link", "List")
    refused = _downloaded(agent, "refused")
    assert "downloads: refuse" in refused["why"]
    assert "path" not in refused


@pytest.mark.parametrize(("role", "name"), [("link", "New tab"), ("button", "Window")])
def test_a_new_tab_is_named_and_is_an_effect(agent: Driver, role: str, name: str) -> None:
    """
    Whoever clicked reads which page to go on with, and both tabs can be acted on.
    """
    agent.open()
    verdict = agent.call(
        "reticle_act_and_wait", action="click", target={"role": role, "name": name}, trusted=True,
        until={"kind": "settled"}, sessionId=agent.page,
    )  # fmt: skip
    [opened] = verdict["opened"]
    assert opened["url"] == f"{agent.url}/other"
    assert "contradictions" not in verdict
    seen = agent.call("reticle_snapshot", sessionId=opened["sessionId"], mode="status")
    assert seen["status"]["title"] == "Other"
    for trusted in (True, False):
        again = agent.call(
            "reticle_act", action="click", target={"role": "button", "name": "Trusted"}, trusted=trusted,
            sessionId=agent.page,
        )  # fmt: skip
        assert again["settled"] is True, again


def test_a_page_that_opens_windows_without_end_stays_usable(agent: Driver) -> None:
    """
    What is too much is closed at once, and neither that page nor its lease stands still for it.
    """
    agent.open()
    acted = agent.act("click", "button", "Flood")
    assert "error" not in acted, acted
    assert agent.says("Flooded")
    [lease] = agent.call("reticle_lease", action="list")["leases"]
    assert len(lease["sessions"]) <= BROWSER_TABS


def test_a_frame_of_another_origin_is_acted_on_as_every_page(agent: Driver) -> None:
    """
    What stands still in a frame stands still for nobody, by script or by hand, also beside another tab.
    """
    agent.open("/outer", dialogs="accept")
    agent.act("click", "link", "New tab")

    def inner() -> str | None:
        listed = agent.call("reticle_sessions")["sessions"]
        return next((one["sessionId"] for one in listed if one["url"].endswith("/framed")), None)

    framed = found(inner)
    acted = agent.call(
        "reticle_act", action="click", target={"role": "button", "name": "Inner"}, sessionId=framed
    )
    assert "error" not in acted, acted
    seen = agent.call("reticle_snapshot", sessionId=framed, mode="status")
    assert seen["status"]["title"] == "Said true"
    clicked = agent.call(
        "reticle_act", action="click", target={"role": "button", "name": "Trusted"}, sessionId=framed,
        trusted=True,
    )  # fmt: skip
    assert "error" not in clicked, clicked
    seen = agent.call("reticle_snapshot", sessionId=framed, mode="status")
    assert seen["status"]["title"] == "Trusted true"
    agent.act("click", "button", "Cover")
    covered = agent.call(
        "reticle_act", action="click", target={"role": "button", "name": "Trusted"}, sessionId=framed,
        trusted=True,
    )  # fmt: skip
    assert (covered["error"], "may_have_happened" in covered) == ("occluded", False)


def test_a_frame_in_a_frame_is_reached_by_hand(agent: Driver) -> None:
    """
    Of three origins in each other the innermost gets the click where it is drawn; what the one around it lays
    over it is not clicked through.
    """
    agent.open("/nested")

    def named(ending: str) -> str:
        def look() -> str | None:
            listed = agent.call("reticle_sessions")["sessions"]
            return next((one["sessionId"] for one in listed if one["url"].endswith(ending)), None)

        return found(look)

    framed, middle = named("/framed"), named("/middle")
    button = {"action": "click", "target": {"role": "button", "name": "Trusted"}, "trusted": True}
    clicked = agent.call("reticle_act", **button, sessionId=framed)
    assert "error" not in clicked, clicked
    seen = agent.call("reticle_snapshot", sessionId=framed, mode="status")
    assert seen["status"]["title"] == "Trusted true"
    cover = {"action": "click", "target": {"role": "button", "name": "Cover"}, "trusted": True}
    assert "error" not in agent.call("reticle_act", **cover, sessionId=middle)
    covered = agent.call("reticle_act", **button, sessionId=framed)
    assert (covered["error"], "may_have_happened" in covered) == ("occluded", False)


def test_a_page_that_dialled_in_gets_no_real_input(
    client: Client, daemon: Daemon, open_browser: Callable[[str], object]
) -> None:
    """
    A person's own browser is not moved by an agent's hand; the refusal says what to do.
    """
    page = f"""<!doctype html><script src="{daemon.url}/sdk.js"></script><button>Go</button>"""

    class Dialling(QuietHandler):
        def do_GET(self) -> None:
            self.answer(200, "text/html", page.encode())

    with serving(Dialling) as url:
        open_browser(url)

        def there() -> str | None:
            listed = client.call("reticle_sessions").fields["sessions"]
            assert isinstance(listed, list)
            return next((one["sessionId"] for one in listed if one["url"] == url), None)

        session = found(there)
        refused = client.call(
            "reticle_act",
            {
                "action": "click",
                "target": {"role": "button", "name": "Go"},
                "trusted": True,
                "sessionId": session,
            },
        ).fields
        assert refused["error"] == "not_driven"
        assert "reticle_lease" in str(refused["recovery"])


def _downloaded(agent: Driver, state: str) -> Mapping[str, Any]:
    """
    The end of the one download.
    """

    def ended() -> Mapping[str, Any] | None:
        return next((one for one in agent.events("download") if one.get("state") == state), None)

    return found(ended)


def found(look: Callable[[], Found | None]) -> Found:
    """
    What a look gives as soon as it gives something.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while (got := look()) is None:
        assert time.monotonic() < deadline, "not seen in time"
        time.sleep(0.02)
    return got
