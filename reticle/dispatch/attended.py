"""
The pages as one call sees them: provides ``ports.Pages``, and is where a person's pause holds.

It knows which page the call is about, goes on with the page that the agent used last, and refuses an act
that the person at the page does not want (DESIGN §11) or that would hit a page the agent cannot mean.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from reticle.dispatch.agents import Agent, LastPage
from reticle.errors import Refusal
from reticle.model.codes import ControlState, RefusalCode
from reticle.model.ids import PageId
from reticle.model.limits import AGE_WARNING_SECONDS
from reticle.model.page import EarlierLives, PageIdentity, RefusedDial
from reticle.ports import Page, Pages

_WAIT_FOR_THEM: Final = (
    "Do what control.guidance says; looking is still allowed. Wait until they resume, and ask for their "
    'messages with reticle_session {"action": "messages"}.'
)
_ASK_THEM: Final = (
    'Stop here. Only when the person asked you to go on: reticle_session {"action": "resume"}, then repeat.'
)


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
        keeps_away: Why the agent may not act on a page that another one holds, if one does.
    """

    def __init__(
        self,
        pages: Pages,
        agent: Agent,
        *,
        acts: bool,
        now: float,
        keeps_away: Callable[[PageId], Refusal | None] = lambda _: None,
    ) -> None:
        self.page: Page | None = None
        self.found: PageIdentity | None = None
        self.switched_from: PageId | None = None
        self.idle_seconds = 0.0
        self._pages = pages
        self._agent = agent
        self._acts = acts
        self._now = now
        self._keeps_away = keeps_away

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> Page:
        """
        See ``ports.Pages``. Without a name the page that the agent used last is meant, while it is there.

        Raises:
            Refusal: what the directory raises. When the tool acts: ``page_held`` while another agent has the
                page to itself, ``paused`` when a person does not want it, ``session_gone`` when it names no
                page and only one of another site is left.
        """
        last = self._agent.last
        page = self._pages.resolve(page_id or self._used_last(last), among)
        chosen = page.identity.page_id
        if last is not None and last.page_id == chosen:
            self.idle_seconds = self._now - last.used_at
        elif last is not None and page_id is None:
            if self._acts and _site(last.url) != _site(page.identity.url):
                raise _another_site(last, page)
            self.switched_from = last.page_id
        self.page, self.found = page, page.identity
        if self._acts:
            self.refuse_held(page)
            _ask_leave(page)
        return page

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

    def _used_last(self, last: LastPage | None) -> PageId | None:
        if last is None or all(page.identity.page_id != last.page_id for page in self._pages.all()):
            return None
        return last.page_id


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
