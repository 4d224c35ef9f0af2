"""
``reticle open``.
"""

from __future__ import annotations

import json
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pytest

import reticle.cli.open_page as open_module
from reticle.cli import main
from reticle.cli.exits import ExitCode
from reticle.cli.open_page import CONNECT_SECONDS, connected, same_address
from reticle.storage.daemon_file import DaemonRecord, announce

URL = "http://localhost:3000/cart"


def page(session: str, url: str = URL, **more: object) -> Mapping[str, Any]:
    """
    One connected page.
    """
    return {"sessionId": session, "url": url, **more}


@attrs.define
class Desk:
    """
    A person's machine: which pages the daemon lists at each look, and what their browser was told to open.
    """

    looks: list[Sequence[Mapping[str, Any]]]
    opened: list[str] = attrs.field(factory=list)
    waited: list[float] = attrs.field(factory=list)
    has_browser: bool = True

    def open(self, url: str) -> bool:
        """
        The browser is told.
        """
        self.opened.append(url)
        return self.has_browser

    def now(self) -> float:
        """
        The time that went by.
        """
        return sum(self.waited)

    def look(self, *_: object, **__: object) -> Mapping[str, Any]:
        """
        What the daemon lists now.
        """
        return {"sessions": self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]}


@pytest.fixture
def desk(record: DaemonRecord, runtime_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Desk]:
    """
    Sits a person down before a running daemon.
    """

    def sit(*looks: Sequence[Mapping[str, Any]], has_browser: bool = True) -> Desk:
        made = Desk(list(looks), has_browser=has_browser)
        announce(runtime_dir, msgspec.structs.replace(record, socket="daemon.sock"))
        monkeypatch.setattr(webbrowser, "open", made.open)
        monkeypatch.setattr(open_module, "ask", made.look)
        monkeypatch.setattr(connected, "__kwdefaults__", {"wait": made.waited.append, "now": made.now})
        return made

    return sit


def test_the_page_that_connects_is_named(
    desk: Callable[..., Desk], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A person opens their app in their own browser and reads that the daemon sees it.
    """
    made = desk([page("other", "http://localhost:9/")], [page("other", "http://localhost:9/")], [page("p1")])
    assert main.run(["open", URL]) == 0
    assert made.opened == [URL]
    assert capsys.readouterr().out == f"page p1 at {URL} connected\n"


def test_a_page_that_is_there_is_used(desk: Callable[..., Desk], capsys: pytest.CaptureFixture[str]) -> None:
    """
    No second tab is opened over one that is connected; a page of the daemon's own browser is not meant.
    """
    made = desk([page("d1", driven={"leaseId": "l1"}), page("p1", f"{URL}/#top")])
    assert main.run(["open", URL, "--json"]) == 0
    assert made.opened == []
    told = json.loads(capsys.readouterr().out)
    assert told == {"sessionId": "p1", "url": f"{URL}/#top", "opened": False}


def test_what_is_missing_is_told_when_nothing_connects(
    desk: Callable[..., Desk], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The line for the app is printed, with the way that needs none.
    """
    made = desk([page("d1", driven={"leaseId": "l1"})])
    assert main.run(["open", URL]) == ExitCode.FAILED
    said = capsys.readouterr().err
    assert '<script src="http://127.0.0.1:4400/sdk.js"></script>' in said
    assert f"reticle drive {URL}" in said
    assert sum(made.waited) == CONNECT_SECONDS


def test_a_machine_without_a_browser_says_so(
    desk: Callable[..., Desk], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Nobody waits for a page that nothing opens.
    """
    made = desk([], has_browser=False)
    assert main.run(["open", URL]) == ExitCode.FAILED
    assert "no browser could be started" in capsys.readouterr().err
    assert made.waited == []


def test_without_a_daemon_nothing_is_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The way to a daemon is told, before a browser is started for nothing.
    """
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("a browser was started"))
    assert main.run(["open", URL]) == ExitCode.UNREACHABLE
    assert "reticle serve" in capsys.readouterr().err
    assert main.run(["open", "localhost:3000"]) == ExitCode.USAGE


def test_a_page_that_the_app_leads_on_to_counts() -> None:
    """
    An app that sends its visitor to its login is there too; another app that connects meanwhile is not it.
    """
    looks = iter([
        [page("x", "http://localhost:9/"), page("old", "http://localhost:3000/")],
        [page("x", "http://localhost:9/"), page("p1", "http://localhost:3000/login")],
    ])  # fmt: skip
    came = connected(lambda: next(looks), URL, {"old"}, wait=lambda _: None)
    assert came == page("p1", "http://localhost:3000/login")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://localhost:3000", "http://localhost:3000/", True),
        ("http://localhost:3000/a#x", "http://LOCALHOST:3000/a/", True),
        ("http://localhost:80/", "http://localhost/", True),
        ("http://localhost:3000/a", "http://localhost:3000/b", False),
        ("http://localhost:3000/?a=1", "http://localhost:3000/?a=2", False),
        ("http://localhost:3000/", "https://localhost:3000/", False),
        ("http://localhost:3000/", "http://127.0.0.1:3000/", False),
    ],
)
def test_two_addresses_of_one_page(one: str, other: str, *, same: bool) -> None:
    """
    What only points into a page, and how its host is written, makes no other page of it.
    """
    assert same_address(one, other) is same
