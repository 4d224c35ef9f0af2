"""
What becomes of the downloads of one browser: refused, or kept in a folder of their lease until it ends.

The page hears of each, when it begins and when it is over, with what became of it and where the file is. How
many a lease may keep, and how many bytes, is bounded: a page could fill the disk.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import attrs
import msgspec
from twisted.logger import Logger

from reticle.browser.conversation import InThread, Session
from reticle.browser.sayings import Tell, event_message, shown_url
from reticle.model.codes import DownloadRule, EventType
from reticle.model.limits import BROWSER_DOWNLOAD_BYTES, BROWSER_DOWNLOADS

FRAMES_KNOWN: Final = 4_096
"""Tabs that are remembered, gone ones too: one that became a download closes before that is told."""

_NAME_CHARS: Final = 100
_STRANGE: Final = re.compile(r"[^\w .()\[\]+=@-]")

_BY_RULE: Final = "the browser lease refuses downloads (downloads: refuse)"
_TOO_MANY: Final = f"the browser lease has kept {BROWSER_DOWNLOADS} files already"
_TOO_LARGE: Final = f"the files of a browser lease may have {BROWSER_DOWNLOAD_BYTES} bytes together"


class Begins(msgspec.Struct, frozen=True):
    """
    ``Browser.downloadWillBegin``, and a page's own event of that kind.
    """

    guid: str
    frameId: str = ""
    url: str = ""
    suggestedFilename: str = ""


class Progresses(msgspec.Struct, frozen=True):
    """
    ``Browser.downloadProgress``; the state is ``inProgress``, ``completed`` or ``canceled``.
    """

    guid: str
    state: str = ""
    receivedBytes: float = 0
    totalBytes: float = 0


@attrs.define
class _Shelf:
    """
    What one context may keep; no folder means nothing.
    """

    context_id: str
    folder: Path | None
    files: int = 0
    bytes: int = 0


@attrs.define
class _Download:
    """
    One under way. ``number`` is its place among the files of its shelf, so that two of one name stay two;
    ``why`` is set when it was refused; ``received`` counts towards its shelf.
    """

    shelf: _Shelf
    tell: Tell
    told: Begins
    number: int = 0
    why: str = ""
    received: int = 0


class Downloads:
    """
    The downloads of one browser.

    Args:
        browser: The way to the browser itself.
        folder: Where contexts get a folder each; None where that is not ours to say: then nothing is kept.
        in_thread: For what waits for the disk.
    """

    _log = Logger()

    def __init__(self, browser: Session, folder: Path | None, in_thread: InThread) -> None:
        self._browser = browser
        self._folder = folder
        self._in_thread = in_thread
        self._shelves: dict[str, _Shelf] = {}
        self._frames: dict[str, tuple[str, Tell]] = {}
        self._expected: dict[str, tuple[str, Tell]] = {}
        self._running: dict[str, _Download] = {}
        browser.on("Browser.downloadWillBegin", Begins, self._begun)
        browser.on("Browser.downloadProgress", Progresses, self._progressed)

    def follow(self, context_id: str, rule: DownloadRule) -> None:
        """
        A context was made: have its downloads treated so.
        """
        keeps = rule is DownloadRule.KEEP and self._folder is not None
        folder = self._folder / context_id if keeps and self._folder is not None else None
        self._shelves[context_id] = _Shelf(context_id, folder)
        params: dict[str, object] = {
            "behavior": "deny",
            "browserContextId": context_id,
            "eventsEnabled": True,
        }
        if folder is not None:
            # named by the browser, and by us when it is whole: no name of the page's is a path of ours
            params.update(behavior="allowAndName", downloadPath=str(folder))
        self._browser.post("Browser.setDownloadBehavior", params)

    def watch_tab(self, context_id: str, session: Session, frame_id: str, tell: Tell) -> None:
        """
        A tab came: what it, or a frame in it, downloads is told to its page.
        """
        while len(self._frames) >= FRAMES_KNOWN:
            del self._frames[next(iter(self._frames))]
        self._frames[frame_id] = (context_id, tell)

        def begins(told: Begins) -> None:
            self._expected = {told.guid: (context_id, tell)}

        # this comes before the browser's own word, which names the frame alone
        session.on("Page.downloadWillBegin", Begins, begins)

    def forget(self, context_id: str) -> None:
        """
        A context is gone, and with it its files.
        """
        shelf = self._shelves.pop(context_id, None)
        self._frames = {name: kept for name, kept in self._frames.items() if kept[0] != context_id}
        self._running = {
            guid: one for guid, one in self._running.items() if one.shelf.context_id != context_id
        }
        if shelf is not None and shelf.folder is not None:
            self._remove(partial(shutil.rmtree, shelf.folder, ignore_errors=True))

    # --- inside ------------------------------------------------------------------------------

    def _begun(self, told: Begins) -> None:
        whose = self._expected.pop(told.guid, None) or self._frames.get(told.frameId)
        shelf = None if whose is None else self._shelves.get(whose[0])
        if whose is None or shelf is None:
            return
        tell = whose[1]
        download = self._running[told.guid] = _Download(shelf, tell, told)
        if shelf.folder is None:
            download.why = _BY_RULE
        elif shelf.files >= BROWSER_DOWNLOADS:
            self._refuse(download, _TOO_MANY)
        else:
            shelf.files += 1
            download.number = shelf.files
        self._say(download, "begun")

    def _progressed(self, told: Progresses) -> None:
        download = self._running.get(told.guid)
        if download is None:
            return
        received = int(min(max(told.receivedBytes, 0), 2**53))
        download.shelf.bytes += received - download.received
        download.received = received
        if told.state == "canceled":
            del self._running[told.guid]
            download.shelf.bytes -= received
            self._say(download, "refused" if download.why else "failed")
        elif told.state == "completed":
            del self._running[told.guid]
            self._keep(download)
        elif not download.why and self._is_too_large(download, told):
            self._refuse(download, _TOO_LARGE)

    def _is_too_large(self, download: _Download, told: Progresses) -> bool:
        to_come = max(int(min(told.totalBytes, 2**53)) - download.received, 0)
        return download.shelf.bytes + to_come > BROWSER_DOWNLOAD_BYTES

    def _refuse(self, download: _Download, why: str) -> None:
        download.why = why
        self._browser.post(
            "Browser.cancelDownload",
            {"guid": download.told.guid, "browserContextId": download.shelf.context_id},
        )

    def _keep(self, download: _Download) -> None:
        """
        Give the file its name, or remove what was to be refused and was faster.
        """
        folder = download.shelf.folder
        if folder is None:
            self._say(download, "refused")
            return
        source = folder / download.told.guid
        if download.why or download.shelf.bytes > BROWSER_DOWNLOAD_BYTES:
            download.why = download.why or _TOO_LARGE
            download.shelf.bytes -= download.received
            self._remove(partial(source.unlink, missing_ok=True))
            self._say(download, "refused")
            return
        path = folder / f"{download.number:02d}-{file_name(download.told.suggestedFilename)}"
        moving = self._in_thread(os.replace, source, path)
        moving.addCallbacks(
            lambda _: self._say(download, "kept", {"path": str(path)}),
            lambda failure: failure.trap(OSError) and self._say(download, "failed"),
        )

    def _remove(self, removing: Callable[[], object]) -> None:
        """
        What cannot be removed goes with the folder of the browser's run.
        """
        self._in_thread(removing).addErrback(lambda failure: self._log.failure("a download stays", failure))

    @staticmethod
    def _say(download: _Download, state: str, more: Mapping[str, object] | None = None) -> None:
        told = download.told
        fields: dict[str, object] = {
            "id": told.guid,
            "filename": file_name(told.suggestedFilename),
            "url": shown_url(told.url),
            "state": state,
        }
        if state != "begun":
            fields["bytes"] = download.received
        if download.why:
            fields["why"] = download.why
        download.tell(event_message(EventType.DOWNLOAD, {**fields, **(more or {})}))


def file_name(suggested: str) -> str:
    """
    A name for a file that is no path, nothing hidden, and not too long; its ending is kept.
    """
    name = _STRANGE.sub("_", suggested).strip(" .") or "download"
    ending = Path(name).suffix[:20]
    return name.removesuffix(ending)[: _NAME_CHARS - len(ending)] + ending
