"""
What clients are told when pages come, go and change: lists that differ, resources that read otherwise.

A page may change a thousand times a second; each change is told at most once in ``PAGE_NOTICE_SECONDS``, and
the last one always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import attrs
from twisted.internet.interfaces import IReactorTime

from reticle.dispatch.notices import Notices
from reticle.model.ids import PageId
from reticle.model.limits import PAGE_NOTICE_SECONDS
from reticle.model.mcp import ResourcesChanged, ResourceUpdated, ToolsChanged
from reticle.model.page import App
from reticle.ports import Pages
from reticle.resources.sessions import SESSIONS_URI
from reticle.resources.snapshot import present_snapshots, snapshot_uri
from reticle.resources.spec import Listed


@attrs.frozen
class _Told:
    """
    What the lists were when they were last told.
    """

    tools: AbstractSet[str]
    resources: Sequence[Listed]
    apps: Mapping[PageId, App]

    @property
    def addresses(self) -> Sequence[str]:
        """
        What can be read.
        """
        return [listed.uri for listed in self.resources]


class PageNotices:
    """
    Args:
        notices: Where it is told.
        timer: Where the next telling is set.
    """

    def __init__(self, notices: Notices, timer: IReactorTime) -> None:
        self._notices = notices
        self._timer = timer
        self._told: _Told | None = None
        self._look: Callable[[], _Told] | None = None
        self._changed: dict[PageId, None] = {}
        self._is_set = False

    def watch(self, pages: Pages, listed_now: Callable[[Pages], AbstractSet[str]]) -> None:
        """
        Say whose changes are told; those before are not.

        Args:
            pages: The connected pages.
            listed_now: Which tools are listed at present that are not always.
        """

        def look() -> _Told:
            apps = {page.identity.page_id: page.identity.app for page in pages.all()}
            return _Told(frozenset(listed_now(pages)), tuple(present_snapshots(pages)), apps)

        self._look = look
        self._told = look()

    def page_changed(self, page_id: PageId) -> None:
        """
        That page came, went, said something of itself, or shows something else. Cheap.
        """
        self._changed[page_id] = None
        if not self._is_set:
            self._is_set = True
            self._timer.callLater(PAGE_NOTICE_SECONDS, self._tell)

    def _tell(self) -> None:
        self._is_set = False
        changed, self._changed = self._changed, {}
        if self._look is None or self._told is None:
            return
        before, self._told = self._told, self._look()
        if self._told.tools != before.tools:
            self._notices.publish(ToolsChanged())
        # A page's title or address in the list is no other list: clients would read it at each route.
        # One that shows another app may be in other clients' lists than before.
        if self._told.addresses != before.addresses or self._told.apps != before.apps:
            self._notices.publish(ResourcesChanged())
        if self._told.resources != before.resources:
            self._notices.publish(ResourceUpdated(SESSIONS_URI))
        for page_id in changed:
            self._notices.publish(ResourceUpdated(snapshot_uri(page_id)))
