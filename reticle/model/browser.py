"""
Pages that the daemon opened itself, in a browser that it drives: browser leases, pictures, trusted input.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.model.codes import DialogRule, DownloadRule
from reticle.model.ids import BrowserLeaseId, PageId, RepositoryId
from reticle.model.leases import Lease
from reticle.model.limits import BROWSER_LEASE_SECONDS
from reticle.model.page import Attestation as Attestation  # noqa: PLC0414 - found here too


@attrs.frozen
class BrowserWish:
    """
    What an agent wants opened.

    ``url`` is absolute, http or https. ``login`` names cookies and storage that are kept between leases of
    that name, None begins with none and keeps none. ``width`` and ``height`` are CSS pixels of the viewport.
    ``seconds`` is how long the lease lasts without a call. ``shared`` lets every agent act on its pages, not
    the holder alone. ``within`` is the repository whose app it was opened for under a token that is for some
    repositories only.
    """

    url: str
    project_id: str | None = None
    login: str | None = None
    headed: bool = False
    dialogs: DialogRule = DialogRule.DISMISS
    downloads: DownloadRule = DownloadRule.REFUSE
    width: int = 1280
    height: int = 800
    seconds: float = BROWSER_LEASE_SECONDS
    shared: bool = False
    within: RepositoryId | None = None


@attrs.frozen
class Standing:
    """
    What the browser itself tells of a document in a tab that the daemon opened: the name of the page that it
    is, whether it is a frame in the tab, and its origin, which is empty where the browser tells none that
    can be compared (an opaque one).
    """

    page_id: PageId
    is_frame: bool
    origin: str


@attrs.frozen
class BrowserLease:
    """
    One isolated browser context with the pages in it.

    ``lease`` says whose it is and until when. ``page_id`` is the page that was opened, ``pages`` are it and
    every window that it opened since and that is still there, oldest first. ``trouble`` is set where there is
    no page to be seen: why its first load failed, in the browser's words.
    """

    lease_id: BrowserLeaseId
    wish: BrowserWish
    lease: Lease
    page_id: PageId
    pages: Sequence[PageId]
    trouble: str = ""


@attrs.frozen
class Shot:
    """
    Which part of a page a picture shows: the viewport, with ``full_page`` the whole document, or the region
    ``clip`` = (x, y, width, height) in CSS pixels of the document, with ``in_window`` of the window as it is
    scrolled when the picture is taken.
    """

    full_page: bool = False
    clip: tuple[float, float, float, float] | None = None
    in_window: bool = False


@attrs.frozen
class Stroke:
    """
    One thing a person does with mouse or keyboard, dispatched by the browser as a trusted event.

    ``kind`` is ``move``, ``down``, ``up`` (mouse; ``x`` and ``y`` in CSS pixels of the page's own window, as
    it is scrolled, which may be a frame; ``clicks`` as in ``UIEvent.detail``), ``key`` (one key pressed and
    let go, by its ``KeyboardEvent.key`` name) or ``text`` (inserted as typed).
    """

    kind: str
    x: float = 0.0
    y: float = 0.0
    clicks: int = 1
    key: str = ""
    text: str = ""
    modifiers: Sequence[str] = ()
