"""
What servers behind pages tell; provided by ``reticle.bridge``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.ids import PageId
    from reticle.model.server_facts import FactBatch, ProbedProcess, ServerSight, SkippedInsertion
    from reticle.model.window import Window


class ServerFacts(Protocol):
    """
    The facts of every probed process, as long as they are kept.
    """

    def take(self, batch: FactBatch) -> None:
        """
        Keep what a process told. Never refuses: what there is no room for makes older facts go, counted.
        """

    def probes(self) -> Sequence[ProbedProcess]:
        """
        The processes that told something of late, the newest first.
        """

    def skipped(self) -> Sequence[SkippedInsertion]:
        """
        Documents that got no page script of late, and why, the newest first.
        """

    def sight(self, page_id: PageId, window: Window, elapsed_ms: int) -> tuple[ServerSight, int]:
        """
        What was seen of the servers in the stretch of a window, and how many facts of it were lost.

        ``elapsed_ms`` is what the page's own time is now.
        """
