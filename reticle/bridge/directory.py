"""
The connected pages, and who may become one: provides ``ports.Pages`` and ``ports.PageLinks``.

It keeps the caps, compares the pairing token, and decides which page a socket speaks for: the newest
socket of a session id is the page, an older one that still talks is another tab (page-wire, "Connecting").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from reticle.bridge.commands import BridgeIds
from reticle.bridge.dialect import Dialect
from reticle.bridge.link import Link, Redaction
from reticle.bridge.own import OwnDialect
from reticle.bridge.page import BridgedPage
from reticle.bridge.past import Past
from reticle.bridge.published.dialect import PublishedDialect
from reticle.bridge.recalls import Recalls
from reticle.bridge.refused_dials import RefusedDials, Rejection
from reticle.bridge.ring_space import RingSpace
from reticle.bridge.sources.atlas import Atlas
from reticle.bridge.succession import Leaving, led_to
from reticle.bridge.tape import Tapes
from reticle.bridge.targeting import Candidate, choose, nobody, unknown
from reticle.bridge.waiters import Waiters
from reticle.bridge.wire import PROTOCOL_VERSION, Hello
from reticle.model.browser import Attestation, Standing
from reticle.model.codes import CloseCode
from reticle.model.ids import PageId
from reticle.model.limits import DEMOTED_SOCKETS, FORMER_PAGES, PAGES, PENDING_HELLOS, PENDING_STRANGERS
from reticle.model.page import EarlierLives, PageIdentity, RefusedDial
from reticle.model.server_facts import SkippedInsertion
from reticle.ports import Journal, Page, ServerFacts, SocketWriter


class Directory:
    """
    All pages of a daemon.

    Args:
        clock: For deadlines and durations.
        now: Seconds since the epoch, for records shown to people.
        boot: A word that no earlier life of this daemon used; part of every id.
        check_token: Whether a hello's token is the pairing token, compared in constant time.
        daemon_url: Where a page reaches the daemon.
        earlier_lives: What is known of the time before this start; None where nothing is.
        on_new_page: Told the project of each page that dials in, for the next life's memory.
        on_document: Told what a page says of itself at each hello of a new connection. Must not raise.
        on_page_change: Told the name of each page that comes, goes, or may show something else.
        project_id: The only project that a call without a page may mean, if there is such.
        served_script: The content hash of the page script that this daemon serves, if it serves one.
        atlas: Where the source maps of the pages' scripts are; without one none is read.
        redaction: Looks at what pages send for credentials that they left in; None: nobody does.
        on_redacted: Told how many it replaced, each time.
        journal: Where the recordings of pages are kept over a restart; None: nowhere.
        server_facts: What the servers behind the pages tell; None: nobody listens to them.
    """

    _log = Logger()

    def __init__(
        self,
        clock: IReactorTime,
        *,
        now: Callable[[], float],
        boot: str,
        check_token: Callable[[str | None], bool],
        daemon_url: Callable[[], str],
        earlier_lives: Callable[[], EarlierLives | None] = lambda: None,
        on_new_page: Callable[[str | None], object] = lambda _project: None,
        on_document: Callable[[PageIdentity], object] = lambda _identity: None,
        on_page_change: Callable[[PageId], object] = lambda _page: None,
        project_id: str | None = None,
        served_script: str | None = None,
        atlas: Atlas | None = None,
        redaction: Redaction | None = None,
        on_redacted: Callable[[int], object] = lambda _number: None,
        journal: Journal | None = None,
        server_facts: ServerFacts | None = None,
    ) -> None:
        self._clock = clock
        self._now = now
        self._ids = BridgeIds(boot)
        self._check_token = check_token
        self._daemon_url = daemon_url
        self._earlier_lives = earlier_lives
        self._on_new_page = on_new_page
        self._on_document = on_document
        self._on_page_change = on_page_change
        self._project_id = project_id
        self._served_script = served_script
        self._atlas = atlas
        self._redaction = redaction
        self._on_redacted = on_redacted
        self._pages: dict[PageId, BridgedPage] = {}
        self._speakers: dict[PageId, Link] = {}
        self._origins: dict[PageId, str] = {}
        self._pending: set[Link] = set()
        self._demoted: dict[str, list[Link]] = {}
        self._refused = RefusedDials(now)
        self._waiters = Waiters(clock)
        self._space = RingSpace()
        self._server_facts = server_facts
        self._tapes = None if journal is None else Tapes(journal, clock, now)
        self._recalls = Recalls(journal, clock, now)
        self._seen = 0
        self._stopping = False

    # --- ports.Pages -------------------------------------------------------------------------

    def all(self) -> Sequence[BridgedPage]:
        """
        See ``ports.Pages``.
        """
        return sorted(self._connected(), key=lambda page: page.active_at, reverse=True)

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> BridgedPage:
        """
        See ``ports.Pages``. A page whose socket is gone is still found by its name, so that what it did can
        be read. Counts as use by the agent: the page it used last is the one it means next.
        """
        candidates = [
            Candidate(page.identity, page.health(), page.active_at)
            for page in self._connected()
            if among is None or among(page)
        ]
        if page_id is not None:
            page = self._pages.get(page_id)
            if page is None or (among is not None and not among(page)):
                raise unknown(page_id, candidates)
        elif not candidates:
            raise nobody(
                seen_before=self._seen,
                earlier=self._earlier_lives(),
                refused=self.refused_dials(),
                now=self._now(),
                daemon_url=self._daemon_url(),
            )
        else:
            page = self._pages[choose(candidates, self._project_id)]
        page.touch()
        return page

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Deferred[bool]:
        """
        See ``ports.Pages``.
        """
        return self._waiters.wait(
            lambda: any(page_id in {None, page.identity.page_id} for page in self._connected()),
            timeout_seconds,
        )

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        See ``ports.Pages``.
        """
        return self._refused.newest_first()

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.Pages``.
        """
        return () if self._server_facts is None else self._server_facts.skipped()

    def seen_before(self) -> int:
        """
        See ``ports.Pages``.
        """
        return self._seen

    def earlier_lives(self) -> EarlierLives | None:
        """
        See ``ports.Pages``.
        """
        return self._earlier_lives()

    # --- ports.PageLinks ---------------------------------------------------------------------

    def admit(
        self,
        writer: SocketWriter,
        origin: str,
        *,
        needs_token: bool,
        attested: Attestation | None = None,
        standing: Callable[[str], Standing] | None = None,
    ) -> Link | None:
        """
        See ``ports.PageLinks``. Strangers have a cap of their own, so that they cannot lock out this machine.
        """
        if self._stopping:
            writer.close(CloseCode.GOING_AWAY, "the daemon is stopping")
            return None
        waiting = sum(link.needs_token == needs_token for link in self._pending)
        if waiting >= (PENDING_STRANGERS if needs_token else PENDING_HELLOS):
            writer.close(CloseCode.TRY_LATER, "too many pending handshakes")
            return None
        link = Link(
            writer,
            origin,
            needs_token=needs_token,
            attested=attested,
            standing=standing,
            reception=self,
            clock=self._clock,
            redaction=self._redaction,
            on_redacted=self._on_redacted,
        )
        self._pending.add(link)
        return link

    def refused(self, origin: str, reason: str, next_step: str) -> None:
        """
        See ``ports.PageLinks``.
        """
        self._refused.add(origin, reason, next_step)

    # --- link.Reception ----------------------------------------------------------------------

    def recalling(self, link: Link, hello: Hello) -> Deferred[None] | None:
        """
        See ``link.Reception``. What dials in with our own script keeps its name; a page that the daemon
        opened ends with it.
        """
        if (
            not hello.own_script
            or link.attested is not None
            or self._unwelcome(link, hello) is not None
            or self._page_of(link, hello) is not None
        ):
            return None
        return self._recalls.begin(link, PageId(hello.session_id))

    def arrived(self, link: Link, hello: Hello) -> BridgedPage | Rejection:
        """
        See ``link.Reception``.
        """
        self._pending.discard(link)
        past = self._recalls.take(link)
        rejection = self._unwelcome(link, hello)
        page = self._page_of(link, hello) or self._led_to(link, hello)
        if rejection is None and (page is None or not page.connected):
            rejection = self._full()
        if rejection is not None:
            self._refused.add(link.origin, rejection.reason, rejection.next_step)
            return rejection
        if page is None:
            page = self._open(link, hello, past)
        self._replace_speaker(page, hello)
        page.led_on(hello.session_id)
        self._speak(link, page, hello)
        return page

    def spoke_again(self, link: Link, hello: Hello) -> BridgedPage | Rejection:
        """
        See ``link.Reception``.
        """
        self._forget_demoted(link)
        full = self._full()
        if full is not None:
            return full
        page = self._open(link, hello)
        self._speak(link, page, hello)
        return page

    def left(self, link: Link) -> None:
        """
        See ``link.Reception``.
        """
        self._pending.discard(link)
        self._recalls.forget(link)
        self._forget_demoted(link)
        for page_id in [page_id for page_id, speaker in self._speakers.items() if speaker is link]:
            del self._speakers[page_id]
        self._forget_former_pages()
        self._waiters.wake()

    # --- the daemon --------------------------------------------------------------------------

    def close_all(self, reason: str = "the daemon is stopping") -> None:
        """
        Take no more pages and say goodbye to all sockets (1001: come back later). May be called twice.
        """
        self._stopping = True
        if self._atlas is not None:
            self._atlas.close()
        demoted = [link for links in self._demoted.values() for link in links]
        for link in [*self._pending, *self._speakers.values(), *demoted]:
            link.end(CloseCode.GOING_AWAY, reason)
        for page in self._pages.values():
            page.end_journal()
        if self._tapes is not None:
            self._tapes.stop()

    # --- inside ------------------------------------------------------------------------------

    def _connected(self) -> list[BridgedPage]:
        return [page for page in self._pages.values() if page.connected]

    def _unwelcome(self, link: Link, hello: Hello) -> Rejection | None:
        if hello.protocol_version != PROTOCOL_VERSION:
            return Rejection(
                CloseCode.POLICY,
                f"protocol version {hello.protocol_version} is not spoken here, only {PROTOCOL_VERSION}",
                "Use the page script of this daemon, or @reticlehq packages 2.0.0.",
            )
        if link.needs_token:
            token = None if hello.token is None else hello.token.reveal()
            if not self._check_token(token):
                what = "no pairing token" if token is None else "wrong pairing token"
                return Rejection(
                    CloseCode.POLICY,
                    f"authentication failed: {what}",
                    "Give the page the daemon's pairing token (RETICLE_TOKEN) and reload it.",
                )
        return None

    def _full(self) -> Rejection | None:
        if len(self._connected()) < PAGES:
            return None
        return Rejection(
            CloseCode.TRY_LATER,
            f"session limit reached: {PAGES} pages are connected",
            "Close tabs that are no longer needed.",
        )

    def _page_of(self, link: Link, hello: Hello) -> BridgedPage | None:
        """
        The page that this hello continues: its very document, else the one called like its session. What
        dialled in never continues a page that the daemon opened, whatever it calls itself, nor the other way.
        """
        if not hello.session_id:
            return None
        same_session = [
            page
            for page in self._pages.values()
            if hello.session_id in page.session_ids and page.identity.attested == link.attested
        ]
        by_document = {page.identity.document_id: page for page in same_session}
        by_name = {page.identity.page_id: page for page in same_session}
        if hello.document_id in by_document:
            return by_document[hello.document_id]
        led_here = next((page for page in same_session if len(page.session_ids) > 1), None)
        return by_name.get(PageId(hello.session_id), led_here)

    def _led_to(self, link: Link, hello: Hello) -> BridgedPage | None:
        """
        The page that an agent's act leads on to this document, where the document calls itself anew.
        """
        if link.attested is not None:
            return None
        leaving = [
            Leaving(page_id, page.identity.project_id, self._origins[page_id])
            for page_id, page in self._pages.items()
            if page.leaving and not page.identity.own_script and page.identity.attested is None
        ]
        page_id = led_to(leaving, hello, link.origin)
        return None if page_id is None else self._pages[page_id]

    def _free_name(self, session_id: str, attested: Attestation | None, *, comes_back: bool) -> PageId:
        """
        A name for a page, like what it calls itself. What dials in gets none that looks like a tab that the
        daemon opened, or like a frame in one: by such a name input and pictures go to that tab.
        """
        tab = session_id.partition("~")[0].partition(".")[0]
        driven = self._pages.get(PageId(tab))
        if not session_id or (
            attested is None and driven is not None and driven.identity.attested is not None
        ):
            return self._ids.new_page()
        name, number = PageId(session_id), 1
        # A name whose past is in the journal and did not come back would be taken for the page of before.
        while name in self._pages or (self._recalls.journalled(name) and not (comes_back and number == 1)):
            number += 1
            name = PageId(f"{session_id}~{number}")
        return name

    def _open(self, link: Link, hello: Hello, past: Past | None = None) -> BridgedPage:
        page_id = self._free_name(hello.session_id, link.attested, comes_back=past is not None)
        if page_id != hello.session_id:
            past = None
        known = hello if past is None else attrs.evolve(hello, document_id=past.state.document_id)
        dialect: Dialect = OwnDialect() if hello.own_script else PublishedDialect()
        page = BridgedPage(
            page_id,
            hello.session_id,
            known,
            dialect=dialect,
            ids=self._ids,
            clock=self._clock,
            served_script=self._served_script,
            attested=link.attested,
            on_change=self._on_page_change,
            space=self._space,
            atlas=self._atlas,
            tapes=self._tapes,
            past=past,
            server_facts=self._server_facts,
        )
        self._pages[page_id] = page
        self._seen += 1
        if link.attested is None:  # a page that we opened ends with us
            self._on_new_page(page.identity.project_id)
        return page

    def _replace_speaker(self, page: BridgedPage, hello: Hello) -> None:
        older = self._speakers.pop(page.identity.page_id, None)
        if older is None:
            return
        page.detach(CloseCode.NORMAL)
        older.demote()
        if hello.document_id is not None and hello.document_id == page.identity.document_id:
            older.end(CloseCode.GOING_AWAY, "this document has a newer connection")
            return
        demoted = self._demoted.setdefault(page.session_id, [])
        demoted.append(older)
        if len(demoted) > DEMOTED_SOCKETS:
            demoted[0].end(CloseCode.GOING_AWAY, "replaced")
            del demoted[0]

    def _speak(self, link: Link, page: BridgedPage, hello: Hello) -> None:
        self._speakers[page.identity.page_id] = link
        self._origins[page.identity.page_id] = link.origin
        self._refused.forget(link.origin)
        page.attach(link.writer, hello)
        self._on_document(page.identity)
        self._log.info("Page {page_id} is connected: {url}", page_id=page.identity.page_id, url=_shown(page))
        self._waiters.wake()

    def _forget_demoted(self, link: Link) -> None:
        for session_id, links in list(self._demoted.items()):
            if link in links:
                links.remove(link)
                if not links:
                    del self._demoted[session_id]

    def _forget_former_pages(self) -> None:
        former = sorted((page for page in self._pages.values() if not page.connected), key=_lost_at)
        for page in former[: max(len(former) - FORMER_PAGES, 0)]:
            del self._pages[page.identity.page_id]
            self._origins.pop(page.identity.page_id, None)
            page.forget()


def _lost_at(page: BridgedPage) -> float:
    return page.lost_at


def _shown(page: BridgedPage) -> str:
    # query and fragment may hold credentials, and this goes to the log
    return page.identity.url.split("?", 1)[0].split("#", 1)[0][:200]
