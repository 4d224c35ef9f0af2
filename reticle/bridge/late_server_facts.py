"""
What servers told, before the first of them did: the real one is made with the first batch, so that a daemon
starts before it has loaded what facts need. Provides ``ports.ServerFacts``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticle.bridge.server_facts import ServerFacts
    from reticle.model.ids import PageId
    from reticle.model.server_facts import FactBatch, ProbedProcess, ServerSight, SkippedInsertion
    from reticle.model.window import Window


class LateServerFacts:
    """
    Provides ``ports.ServerFacts``.

    Args:
        monotonic: The daemon's clock in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._made: ServerFacts | None = None

    def take(self, batch: FactBatch) -> None:
        """
        See ``ports.ServerFacts``.
        """
        if self._made is None:
            from reticle.bridge.server_facts import ServerFacts  # noqa: PLC0415 - with the first batch

            self._made = ServerFacts(self._monotonic)
        self._made.take(batch)

    def probes(self) -> Sequence[ProbedProcess]:
        """
        See ``ports.ServerFacts``.
        """
        return () if self._made is None else self._made.probes()

    def skipped(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.ServerFacts``.
        """
        return () if self._made is None else self._made.skipped()

    def sight(self, page_id: PageId, window: Window, elapsed_ms: int) -> tuple[ServerSight, int]:
        """
        See ``ports.ServerFacts``.
        """
        return (window.server, 0) if self._made is None else self._made.sight(page_id, window, elapsed_ms)
