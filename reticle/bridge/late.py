"""
The bridge before the first page: it is made when one dials in or is asked for, so that a daemon answers its
first agent before it has loaded what pages need. Provides ``ports.Pages`` and ``ports.PageLinks``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from reticle.model.ids import PageId
from reticle.model.page import EarlierLives, RefusedDial
from reticle.ports import Page, PageLink, SocketWriter

if TYPE_CHECKING:
    from reticle.bridge.directory import Directory
    from reticle.model.browser import Attestation, Standing
    from reticle.model.server_facts import SkippedInsertion


class LateDirectory:
    """
    Provides ``ports.Pages`` and ``ports.PageLinks``.

    Args:
        make: Makes the real one, once.
        skipped: Why documents got no page script of late.
    """

    def __init__(
        self, make: Callable[[], Directory], skipped: Callable[[], Sequence[SkippedInsertion]] = tuple
    ) -> None:
        self._make = make
        self._skipped = skipped
        self._closed = False

    @cached_property
    def made(self) -> Directory:
        """
        The real one; made now, unless it was.
        """
        directory = self._make()
        if self._closed:
            directory.close_all()
        return directory

    @property
    def _is_made(self) -> bool:
        return "made" in self.__dict__

    def all(self) -> Sequence[Page]:
        """
        See ``ports.Pages``.
        """
        return self.made.all() if self._is_made else []

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> Page:
        """
        See ``ports.Pages``.
        """
        return self.made.resolve(page_id, among)

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Awaitable[bool]:
        """
        See ``ports.Pages``.
        """
        return self.made.await_page(page_id, timeout_seconds)

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        See ``ports.Pages``.
        """
        return self.made.refused_dials() if self._is_made else []

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.Pages``. Probes tell of pages that never dial in.
        """
        return self._skipped()

    def seen_before(self) -> int:
        """
        See ``ports.Pages``.
        """
        return self.made.seen_before() if self._is_made else 0

    def earlier_lives(self) -> EarlierLives | None:
        """
        See ``ports.Pages``.
        """
        return self.made.earlier_lives()

    def admit(
        self,
        writer: SocketWriter,
        origin: str,
        *,
        needs_token: bool,
        attested: Attestation | None = None,
        standing: Callable[[str], Standing] | None = None,
    ) -> PageLink | None:
        """
        See ``ports.PageLinks``.
        """
        return self.made.admit(writer, origin, needs_token=needs_token, attested=attested, standing=standing)

    def refused(self, origin: str, reason: str, next_step: str) -> None:
        """
        See ``ports.PageLinks``.
        """
        self.made.refused(origin, reason, next_step)

    def close_all(self) -> None:
        """
        Take no more pages and say goodbye to all sockets. May be called twice.
        """
        self._closed = True
        if self._is_made:
            self.made.close_all()
