"""
The pages as one call sees them: provides ``ports.Pages``, and is where a person's pause holds.

It knows which page the call is about, prefers what the agent drives itself, goes on with the page that it
used last, and refuses an act that the person at the page does not want (DESIGN §11), and whatever would be
about a page the agent cannot mean. Each call on a driven page keeps it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol
from urllib.parse import urlsplit

from reticle.dispatch.agents import Agent, LastPage
from reticle.domain.driven_pages import Meant, Reach, meant
from reticle.errors import Refusal
from reticle.model.codes import ControlState, RefusalCode
from reticle.model.ids import PageId
from reticle.model.limits import AGE_WARNING_SECONDS
from reticle.model.page import EarlierLives, PageIdentity, RefusedDial
from reticle.model.server_facts import SkippedInsertion
from reticle.ports import Page, Pages

_WAIT_FOR_THEM: Final = (
    "Do what control.guidance says; looking is still allowed. Wait until they resume, and ask for their "
    'messages with reticle_session {"action": "messages"}.'
)
_ASK_THEM: Final = (
    'Stop here. Only when the person asked you to go on: reticle_session {"action": "resume"}, then repeat.'
)


class Drives(Protocol):
    """
    What is known of driven pages for one caller (``dispatch.driving``).
    """

    @property
    def remembers(self) -> bool:
        """
        Whether it is known which page the caller used last.
        """

    def reach(self) -> Reach:
        """
        Which driven pages are its own, and which another's.
        """

    def touch(self, page_id: PageId) -> None:
        """
        It uses a page.
        """


class NothingDriven:
    """
    A ``Drives`` where nobody drives a page.
    """

    remembers = True

    def reach(self) -> Reach:
        """
        No page.
        """
        return Reach()

    def touch(self, page_id: PageId) -> None:
        """
        It is no driven page.
        """


NOTHING_DRIVEN: Final = NothingDriven()


class AttendedPages:
    """
    Provides ``ports.Pages`` for one call.

    ``page`` is the one that the call turned out to be about, ``found`` what it was when the call was let to
    it, since an act may bring it to another site. ``switched_from`` is the one before when that was another,
    ``idle_seconds`` how long the agent had left it alone.

    Args:
        pages: All pages.
        agent: Whose call it is.
        acts: Whether the tool acts on a page.
        now: Monotonic seconds.
        keeps_away: Why the agent may not act on a page that another one holds or drives, if one does.
        driving: Which pages are driven, and for whom.
    """

    page: Page | None = None
    found: PageIdentity | None = None
    switched_from: PageId | None = None
    idle_seconds = 0.0

    def __init__(
        self,
        pages: Pages,
        agent: Agent,
        *,
        acts: bool,
        now: float,
        keeps_away: Callable[[PageId], Refusal | None] = lambda _: None,
        driving: Drives = NOTHING_DRIVEN,
    ) -> None:
        self._pages = pages
        self._agent = agent
        self._acts = acts
        self._now = now
        self._keeps_away = keeps_away
        self._driving = driving

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> Page:
        """
        See ``ports.Pages``. Without a name a page that the agent drives is meant, else the one that it used
        last, while it is there.

        Raises:
            Refusal: what the directory and ``domain.driven_pages`` raise. ``scope_mismatch`` when it names no
                page and only one of another project is left. When the tool acts: ``page_held`` while another
                agent has the page to itself, ``paused`` when a person does not want it, ``session_gone`` when
                it names no page and only one of another site is left, or one that a person opened where the
                last one was driven.
        """
        last = self._agent.last
        page = self._unnamed(last, among) if page_id is None else self._pages.resolve(page_id, among)
        chosen = page.identity.page_id
        if last is not None and last.page_id == chosen:
            self.idle_seconds = self._now - last.used_at
        self.page, self.found = page, page.identity
        if self._acts:
            self.refuse_held(page)
            _ask_leave(page)
        self._driving.touch(chosen)
        return page

    def _unnamed(self, last: LastPage | None, among: Callable[[Page], bool] | None) -> Page:
        """
        The page that a call without a name means.
        """
        found = self._meant(last)
        page = self._pages.resolve(found.page_id, _both(among, found))
        if last is None or page.identity.page_id == last.page_id:
            return page
        if not found.own:
            _refuse_another_project(last, page)
            if self._acts and last.driven and page.identity.attested is None:
                raise _no_page_of_ours(last, page)
            if self._acts and _site(last.url) != _site(page.identity.url):
                raise _another_site(last, page)
        self.switched_from = last.page_id
        return page

    def _meant(self, last: LastPage | None) -> Meant:
        connected = [page.identity for page in self._pages.all()]
        used_last = None if last is None else last.page_id
        return meant(connected, used_last, self._driving.reach(), remembers=self._driving.remembers)

    def refuse_held(self, page: Page) -> None:
        """
        Raises:
            Refusal: ``page_held``; a retry makes sense when the told time is over.
        """
        refusal = self._keeps_away(page.identity.page_id)
        if refusal is not None:
            raise refusal

    @property
    def is_for_another(self) -> bool:
        """
        Whether another agent holds the page of this call: what the person there writes is for that one.
        """
        return self.page is not None and self._keeps_away(self.page.identity.page_id) is not None

    def warns_of_age(self) -> bool:
        """
        Whether the agent left the page alone for so long that what it knows may be out of date.
        """
        return self.idle_seconds > AGE_WARNING_SECONDS

    def all(self) -> Sequence[Page]:
        """
        See ``ports.Pages``.
        """
        return self._pages.all()

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Awaitable[bool]:
        """
        See ``ports.Pages``.
        """
        return self._pages.await_page(page_id, timeout_seconds)

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        See ``ports.Pages``.
        """
        return self._pages.refused_dials()

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.Pages``.
        """
        return self._pages.skipped_insertions()

    def seen_before(self) -> int:
        """
        See ``ports.Pages``.
        """
        return self._pages.seen_before()

    def earlier_lives(self) -> EarlierLives | None:
        """
        See ``ports.Pages``.
        """
        return self._pages.earlier_lives()


def _both(among: Callable[[Page], bool] | None, found: Meant) -> Callable[[Page], bool] | None:
    """
    What a call asks for and what it can mean. None when nothing is connected, so that the directory says why.
    """
    if not found.among:
        return among
    if among is None:
        return lambda page: page.identity.page_id in found.among
    wanted = among
    return lambda page: wanted(page) and page.identity.page_id in found.among


def _ask_leave(page: Page) -> None:
    """
    Raises:
        Refusal: ``paused``; a retry makes sense once the person lets agents act again.
    """
    steering, page_id = page.steering, page.identity.page_id
    if steering.state is ControlState.PAUSED:
        raise Refusal(
            RefusalCode.PAUSED,
            f"A person has paused the agent on page {page_id}; nothing was done.",
            _WAIT_FOR_THEM,
            {"paused": True},
        )
    if steering.ended_by_person:
        raise Refusal(
            RefusalCode.PAUSED,
            f"A person has ended the agent's session on page {page_id}; nothing was done.",
            _ASK_THEM,
            {"paused": True},
        )
    steering.acts()


def _refuse_another_project(last: LastPage, page: Page) -> None:
    """
    Raises:
        Refusal: ``scope_mismatch``; a retry makes sense with a ``sessionId``.
    """
    there = page.identity
    if last.project_id is None or there.project_id in {None, last.project_id}:
        return
    raise Refusal(
        RefusalCode.SCOPE_MISMATCH,
        f"The page of your last call, {last.page_id}, was of project {last.project_id[:80]} and is gone; the "
        f"one left, {there.page_id} ({there.url[:200]}), is of another project. Nothing was done.",
        f'Open the app of your project again, or pass sessionId "{there.page_id}" if you mean that page.',
        {"candidates": [{"sessionId": there.page_id, "url": there.url[:200], "projectId": there.project_id}]},
    )


def _no_page_of_ours(last: LastPage, page: Page) -> Refusal:
    there = page.identity
    return Refusal(
        RefusalCode.SESSION_GONE,
        f"The driven page of your last call, {last.page_id} ({last.url[:200]}), is closed; the one left, "
        f"{there.page_id} ({there.url[:200]}), was opened by a person. Nothing was done.",
        'Open yours again with reticle_lease {"action": "acquire"}, or pass sessionId '
        f'"{there.page_id}" if you mean that page.',
        {"candidates": [{"sessionId": there.page_id, "url": there.url[:200]}]},
    )


def _another_site(last: LastPage, page: Page) -> Refusal:
    there = page.identity
    return Refusal(
        RefusalCode.SESSION_GONE,
        f"The page of your last call, {last.page_id} ({last.url[:200]}), is gone; the one left, "
        f"{there.page_id} ({there.url[:200]}), is of another site. Nothing was done.",
        f'Pass sessionId "{there.page_id}" if you mean that page.',
        {"candidates": [{"sessionId": there.page_id, "url": there.url[:200]}]},
    )


def _site(url: str) -> str:
    return urlsplit(url).netloc
