"""
Downloads of a driven page: kept or refused, bounded, told.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pytest

from reticle.browser.downloads import FRAMES_KNOWN, Downloads, file_name
from reticle.model.codes import DownloadRule
from reticle.model.limits import BROWSER_DOWNLOAD_BYTES, BROWSER_DOWNLOADS
from reticle.testing.cdp import ScriptedBrowser


@attrs.define
class Shop:
    """
    One context with a tab, whose page is told.
    """

    browser: ScriptedBrowser
    downloads: Downloads
    told: list[Mapping[str, Any]]
    folder: Path

    def begin(
        self, guid: str = "g1", name: str = "list.csv", frame: str = "f1", url: str = "http://a.test/l"
    ) -> None:
        """
        The browser begins one, and makes its file.
        """
        (self.folder / "c1").mkdir(exist_ok=True)
        (self.folder / "c1" / guid).write_text("a,b")
        self.browser.tell(
            "Browser.downloadWillBegin",
            {"guid": guid, "frameId": frame, "url": url, "suggestedFilename": name},
        )

    def progress(self, state: str, received: int = 3, total: int = 3, guid: str = "g1") -> None:
        """
        The browser tells how far it is.
        """
        self.browser.tell(
            "Browser.downloadProgress",
            {"guid": guid, "state": state, "receivedBytes": received, "totalBytes": total},
        )

    @property
    def states(self) -> list[str]:
        """
        What the page was told became of them.
        """
        return [one["state"] for one in self.told]


def open_shop(rule: DownloadRule, folder: Path | None, tmp_path: Path) -> Shop:
    """
    A context under a rule.
    """
    browser, told = ScriptedBrowser(), []
    downloads = Downloads(browser.conversation.session(), folder, browser.conversation.in_thread)
    downloads.follow("c1", rule)
    downloads.watch_tab(
        "c1",
        browser.conversation.session("s1"),
        "f1",
        lambda payload: told.append(msgspec.json.decode(payload)["event"]["data"]),
    )
    return Shop(browser, downloads, told, tmp_path)


@pytest.fixture(name="shop")
def shop_fixture(tmp_path: Path) -> Shop:
    """
    One that keeps.
    """
    return open_shop(DownloadRule.KEEP, tmp_path, tmp_path)


def test_a_kept_file_gets_its_name_and_the_page_hears_where_it_is(shop: Shop) -> None:
    """
    An agent reads the path of what the app gave, and the bytes are there.
    """
    shop.begin(url="http://a.test/list?token=secret")
    shop.progress("inProgress", received=1)
    shop.progress("completed")
    path = shop.folder / "c1" / "01-list.csv"
    assert path.read_text() == "a,b"
    begun, kept = shop.told
    assert begun == {"id": "g1", "filename": "list.csv", "url": "http://a.test/list?…", "state": "begun"}
    assert kept == {**begun, "state": "kept", "bytes": 3, "path": str(path)}
    assert shop.browser.asked("Browser.setDownloadBehavior") == [
        {
            "behavior": "allowAndName", "browserContextId": "c1", "eventsEnabled": True,
            "downloadPath": str(shop.folder / "c1"),
        }
    ]  # fmt: skip


@pytest.mark.parametrize("keeps", [True, False])
def test_what_is_not_to_be_kept_is_refused_and_told(tmp_path: Path, *, keeps: bool) -> None:
    """
    By rule, or where the browser is somebody else's: the page hears that it is not there, and why.
    """
    rule = DownloadRule.KEEP if keeps else DownloadRule.REFUSE
    shop = open_shop(rule, None if keeps else tmp_path, tmp_path)
    assert shop.browser.asked("Browser.setDownloadBehavior")[0]["behavior"] == "deny"
    shop.begin()
    shop.progress("canceled", received=0)
    assert shop.states == ["begun", "refused"]
    assert "refuses downloads" in shop.told[1]["why"]


def test_a_lease_keeps_only_so_many_files(shop: Shop) -> None:
    """
    A page that downloads without end fills no disk with names.
    """
    for number in range(BROWSER_DOWNLOADS + 1):
        shop.begin(f"g{number}")
        if number < BROWSER_DOWNLOADS:
            shop.progress("completed", guid=f"g{number}")
    last = f"g{BROWSER_DOWNLOADS}"
    assert shop.browser.asked("Browser.cancelDownload") == [{"guid": last, "browserContextId": "c1"}]
    shop.progress("canceled", guid=last)
    assert (shop.states[-1], shop.states.count("kept")) == ("refused", BROWSER_DOWNLOADS)


@pytest.mark.parametrize(
    ("received", "total"), [(BROWSER_DOWNLOAD_BYTES + 1, 0), (0, BROWSER_DOWNLOAD_BYTES + 1)]
)
def test_a_lease_keeps_only_so_many_bytes(shop: Shop, received: int, total: int) -> None:
    """
    Neither a file that says it is too large nor one that just goes on fills the disk.
    """
    shop.begin()
    shop.progress("inProgress", received, total)
    assert [one["guid"] for one in shop.browser.asked("Browser.cancelDownload")] == ["g1"]
    shop.progress("canceled", received, total)
    assert shop.states == ["begun", "refused"]
    shop.begin("g2")
    shop.progress("completed", guid="g2")
    assert shop.states[-1] == "kept"


def test_two_of_one_name_at_once_are_two_files(shop: Shop) -> None:
    """
    A second download that begins before the first is whole does not take its place.
    """
    shop.begin("g1")
    shop.begin("g2")
    (shop.folder / "c1" / "g2").write_text("c,d")
    shop.progress("completed", guid="g1")
    shop.progress("completed", guid="g2")
    paths = [one["path"] for one in shop.told if one["state"] == "kept"]
    assert [Path(path).read_text() for path in paths] == ["a,b", "c,d"]


def test_tabs_that_are_long_gone_are_forgotten(shop: Shop) -> None:
    """
    A page that opens windows all day long takes no memory by it: late downloads are nobody's.
    """
    session = shop.browser.conversation.session("s2")
    for number in range(FRAMES_KNOWN):
        shop.downloads.watch_tab("c1", session, f"later{number}", lambda _: None)
    shop.begin(frame="f1")
    assert shop.states == []


@pytest.mark.parametrize("state", ["completed", "over"])
def test_a_disk_that_refuses_is_no_end_of_the_page(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, logged_failures: Any, state: str
) -> None:
    """
    A file that cannot be named is told as failed, one that cannot be removed is logged; the next one is kept.
    """

    def refuses(*_: object, **__: object) -> None:
        raise PermissionError(13, "not permitted")

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", refuses)
        patched.setattr(Path, "unlink", refuses)
        shop.begin()
        received = 3 if state == "completed" else BROWSER_DOWNLOAD_BYTES + 1
        shop.progress("completed", received, received)
    assert shop.states == ["begun", "failed" if state == "completed" else "refused"]
    assert len(logged_failures.flush(PermissionError)) == (state == "over")
    shop.begin("g2")
    shop.progress("completed", guid="g2")
    assert shop.states[-1] == "kept"


def test_what_was_faster_than_its_refusal_is_removed(shop: Shop) -> None:
    """
    A file over the bound that is whole before the browser hears of it is not left there.
    """
    shop.begin()
    shop.progress("completed", BROWSER_DOWNLOAD_BYTES + 1, BROWSER_DOWNLOAD_BYTES + 1)
    assert shop.states == ["begun", "refused"]
    assert list((shop.folder / "c1").iterdir()) == []


def test_what_breaks_off_is_no_refusal(shop: Shop) -> None:
    """
    A server that hangs up is told apart from the rule.
    """
    shop.begin()
    shop.progress("canceled", received=1)
    assert (shop.states, "why" in shop.told[1]) == (["begun", "failed"], False)


def test_a_frame_s_download_is_told_to_its_tab(shop: Shop) -> None:
    """
    The page hears of what a frame in it downloads; a stranger's is nobody's.
    """
    shop.browser.tell("Page.downloadWillBegin", {"guid": "g1", "frameId": "inner"}, "s1")
    shop.begin(frame="inner")
    assert shop.states == ["begun"]
    shop.begin("g9", frame="unknown")
    shop.progress("completed", guid="g9")
    assert shop.states == ["begun"]


def test_files_go_with_their_context(shop: Shop) -> None:
    """
    Nothing is left of a lease that is over, and what still comes is nobody's.
    """
    shop.begin()
    shop.downloads.forget("c1")
    assert not (shop.folder / "c1").exists()
    shop.progress("completed")
    assert shop.states == ["begun"]


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.csv", "report.csv"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\boot.ini", "_.._boot.ini"),
        (".bashrc", "bashrc"),
        ("", "download"),
        ("...", "download"),
        ("a\0b\nc.txt", "a_b_c.txt"),
        ("Übersicht (2).xlsx", "Übersicht (2).xlsx"),
        ("x" * 300 + ".pdf", "x" * 96 + ".pdf"),
    ],
)
def test_a_file_s_name_is_no_path(suggested: str, name: str) -> None:
    """
    No page names a file outside of the lease's folder, or a hidden one.
    """
    assert file_name(suggested) == name
