"""
The pages that a principal may use: provides ``ports.Pages`` for whoever has a capability for some
repositories only. A page that belongs to none needs a grant for all of them (DESIGN §5); of one that was led
from app to app each sees its own part (``permitted_page``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from reticle.dispatch.admission import refusal_of
from reticle.dispatch.grants import Rights
from reticle.dispatch.permitted_page import PermittedPage
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import PageId, RepositoryId
from reticle.model.page import App, EarlierLives, PageIdentity, RefusedDial
from reticle.model.server_facts import SkippedInsertion
from reticle.ports import Page, Pages, RepositoryStore
from reticle.ports.pages import Whose

_HOW_PAGES_BELONG = (
    "A page belongs to a repository by its project id, or by its origin when that was given to repo.add; "
    "a page of none needs a token that is for all repositories."
)


def repository_of(identity: PageIdentity, repositories: RepositoryStore) -> RepositoryId | None:
    """
    The registered repository that a page belongs to now.
    """
    return place_of(identity.app, repositories)


def place_of(app: App, repositories: RepositoryStore) -> RepositoryId | None:
    """
    The registered repository that an app belongs to: by its project id, else by its origin.
    """
    known = None
    if app.project_id is not None:
        known = repositories.find(RepositoryId(app.project_id))
    if known is None:
        known = repositories.by_origin(app.origin)
    return None if known is None else known.repository_id


def permitted(
    pages: Pages, rights: Rights, capability: Capability | None, repositories: RepositoryStore
) -> Pages:
    """
    The pages on which these rights allow the capability; all as they are for whoever has it for all.
    """
    if capability is None or capability in rights.everywhere:
        return pages
    allowed, judged = capability, dict[App | None, bool]()

    def may_see(app: App | None) -> bool:
        known = judged.get(app)
        if known is None:
            place = None if app is None else place_of(app, repositories)
            known = judged[app] = rights.denial(allowed, place) is None
        return known

    return PermittedPages(pages, may_see, allowed)


class PermittedPages:
    """
    Provides ``ports.Pages``.

    Args:
        pages: All pages.
        may_see: Which apps may be looked at.
        capability: With which capability; for messages.
    """

    def __init__(self, pages: Pages, may_see: Whose, capability: Capability) -> None:
        self._pages = pages
        self._may_see = may_see
        self._capability = capability

    def all(self) -> Sequence[Page]:
        """
        See ``ports.Pages``.
        """
        return [PermittedPage(page, self._may_see) for page in self._pages.all() if self._may_use(page)]

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> Page:
        """
        See ``ports.Pages``.

        Raises:
            Refusal: what the directory raises; ``capability_scope_mismatch`` for a page of another
                repository.
        """

        def wanted(page: Page) -> bool:
            return self._may_use(page) and (among is None or among(page))

        if page_id is not None and self.is_of_others(page_id):
            refusal = refusal_of(
                RefusalCode.CAPABILITY_SCOPE_MISMATCH, f"page {page_id}", self._capability, None
            )
            refusal.message = f"page {page_id} is of no repository that this token has {self._capability} for"
            refusal.recovery = _HOW_PAGES_BELONG
            raise refusal
        if page_id is None and not self.all():
            raise Refusal(
                RefusalCode.NO_SESSION, "No page is connected that this token may use.", _HOW_PAGES_BELONG
            )
        return PermittedPage(self._pages.resolve(page_id, wanted), self._may_see)

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Awaitable[bool]:
        """
        See ``ports.Pages``; ready with whichever page comes, also with one that may not be used.
        """
        return self._pages.await_page(page_id, timeout_seconds)

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        Nothing: they are of whoever dialled.
        """
        return ()

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        Nothing: they are of whatever app has a probe.
        """
        return ()

    def seen_before(self) -> int:
        """
        See ``ports.Pages``.
        """
        return self._pages.seen_before()

    def earlier_lives(self) -> EarlierLives | None:
        """
        Nothing: it names other projects.
        """
        return None

    def is_of_others(self, page_id: PageId) -> bool:
        """
        Whether a page of that name is connected that these rights are not for.
        """
        return any(page.identity.page_id == page_id and not self._may_use(page) for page in self._pages.all())

    def _may_use(self, page: Page) -> bool:
        return self._may_see(page.identity.app)
