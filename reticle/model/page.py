"""
A connected page, as the rest of the daemon knows it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.model.ids import ActionId, BrowserLeaseId, Cursor, DocumentId, PageId
from reticle.model.limits import SHOWN_PROJECTS
from reticle.model.origins import origin_of


@attrs.frozen
class Attestation:
    """
    That the daemon opened a page itself: under which browser lease, and the URL as it opened it.

    ``since`` is when the browser context of that lease was made, in seconds since the epoch: what a page of
    it has in its caches came later. None where an older version wrote it down. ``since_monotonic`` is the
    same by the clock that nobody can set, which is known in this life of the daemon alone.
    """

    lease_id: BrowserLeaseId
    opened_url: str
    since: float | None = attrs.field(default=None, eq=False)
    since_monotonic: float | None = attrs.field(default=None, eq=False)


@attrs.frozen
class App:
    """
    By what a page, and all that it reports, belongs to a repository: the project id that it names, else the
    origin it was loaded from (DESIGN §5).
    """

    project_id: str | None
    origin: str


@attrs.frozen
class PageIdentity:
    """
    What a page said of itself in its hello, cut to our bounds.

    ``page_id`` is the name tools use: the hello's session id, made distinct by the directory where two
    live pages claim one. ``own_script`` tells our page script from the published packages.
    ``document_id`` is the hello's; for packages that send none the bridge mints one.
    ``script_hash`` is the content hash that our page script gave of itself; ``version_skew`` tells that it
    is our script and not the one that this daemon serves (field reports SN-11).
    ``frame_depth`` is how many windows are around the page's own, 0 for a tab; ``ancestors`` are the origins
    of those that may be pages themselves, nearest first, empty text where the browser does not tell one.
    ``attested`` is set when the daemon opened this page itself, never by anything that the page says.
    ``invariants`` are what the app says must always hold, each as the JSON that it wrote, unread.
    """

    page_id: PageId
    url: str
    title: str
    own_script: bool
    document_id: DocumentId | None = None
    project_id: str | None = None
    adapters: Sequence[str] = ()
    has_capabilities: bool = False
    script_version: str | None = None
    script_hash: str | None = None
    version_skew: bool = False
    frame_depth: int = 0
    ancestors: Sequence[str] = ()
    attested: Attestation | None = None
    invariants: Sequence[str] = ()

    @property
    def app(self) -> App:
        """
        Whose app it shows. The project of a page that the daemon opened is an agent's word: it counts at the
        origin alone that the page was opened at.
        """
        origin, attested = origin_of(self.url), self.attested
        strayed = attested is not None and origin_of(attested.opened_url) != origin
        return App(None if strayed else self.project_id, origin)


@attrs.frozen
class PageHealth:
    """
    Whether a page can be expected to answer. ``silent_seconds`` is the time since its last message.

    ``dialog`` is what the browser's own dialog that is open says (``alert "Saved"``), empty without one:
    the page stands still until somebody answers it. ``gone`` says of a page that is not connected that it
    will not come back: its tab, or its browser, is gone.
    """

    silent_seconds: float
    hidden: bool
    focused: bool
    connected: bool
    dialog: str = ""
    gone: bool = False

    def throttled(self, stale_after_seconds: float) -> bool:
        """
        True when timers and frames of the page are slowed or stopped by the browser.
        """
        return self.hidden or self.silent_seconds > stale_after_seconds


@attrs.frozen
class BufferFill:
    """
    A page's event buffer: how many events it holds, and how many it had to let go.
    """

    held: int
    dropped: int


@attrs.frozen
class Attachment:
    """
    How long a page has been connected, and how often it was away for longer than a reload takes.

    ``last_outage_ms`` is how long the last such outage was, ``last_outage_ago_ms`` how long ago it began.
    """

    connected_ms: int
    outages: int = 0
    last_outage_ms: int | None = None
    last_outage_ago_ms: int | None = None


@attrs.frozen
class EarlierLives:
    """
    What a daemon remembers of the time before it was restarted.

    ``restarted_at`` is seconds since the epoch. ``pages`` counts the pages that had connected by then, per
    project; None stands for those that name none.
    """

    restarted_at: float
    pages: Mapping[str | None, int]

    @property
    def told(self) -> str:
        """
        One sentence for an agent that finds no page.
        """
        moment = dt.datetime.fromtimestamp(self.restarted_at, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        most = sorted(self.pages.items(), key=lambda item: item[1], reverse=True)[:SHOWN_PROJECTS]
        counts = ", ".join(f"{project or 'without a project'}: {count}" for project, count in most)
        return (
            f"The daemon was restarted at {moment}; pages were connected before that ({counts}), "
            "none has come back yet."
        )


def script_tag(daemon_url: str) -> str:
    """
    The one line that instruments an app; it belongs first in the head, before the app's own scripts.
    """
    return f'<script src="{daemon_url}/sdk.js"></script>'


LOADED: Final = "load"
"""The cause of what a document set going when it was loaded (page-wire, "Causes")."""


@attrs.frozen
class PageEvent:
    """
    One thing a page reported.

    ``seq`` is minted by the daemon per page and is the unit of cursors; without gaps, but that a restart of
    the daemon goes on with higher numbers and declares what lies between as lost.
    ``t_ms`` is milliseconds since the page first said hello, stamped on arrival.
    ``data`` is decoded JSON as the page sent it; a value in ``codes.NOT_OBSERVED`` was not sent.
    ``edit_epoch`` counts the hot updates of its document so far; None where the page tells none.
    ``app`` is whose app reported it, which a page that is led elsewhere leaves behind; None where that is not
    known any more.
    ``cause`` is what the page followed it back to, by the calls that led there and not by time: the id of an
    action, or ``LOADED``, what the document did by itself when it was loaded. None where it could not be
    followed (``domain.attribution``).
    """

    seq: int
    t_ms: int
    type: str
    data: Mapping[str, object]
    ref: str | None = None
    document_id: DocumentId | None = None
    action_id: ActionId | None = None
    edit_epoch: int | None = None
    app: App | None = None
    cause: str | None = None


@attrs.frozen
class Loss:
    """
    Evidence that was produced and not kept, at or after cursor ``since``.

    ``channel`` is an event type, an event family such as ``dom``, or ``*`` when it is not known which.
    ``where`` names what dropped it: ``page`` (its own queue or batch cap), ``flood`` (sampling),
    ``ring`` (the daemon's buffer), ``document`` (events of a document that ended unseen), ``probe`` (facts of
    the server that a probe, or the daemon's buffer for it, let go), ``journal``
    (a restart of the daemon: not written before a kill, left out or pruned), ``repository``
    (they belong to one that the caller has no right to).
    """

    since: Cursor
    channel: str
    dropped: int
    where: str


@attrs.frozen
class RefusedDial:
    """
    A page that tried to connect and was turned away; shown by ``reticle_sessions`` and ``doctor``.

    ``at`` is seconds since the epoch.
    """

    at: float
    origin: str
    reason: str
    next_step: str
    count: int = 1
