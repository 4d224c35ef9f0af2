"""
Pages that said hello and wait for what the journal knows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger

from reticle.bridge.past import Past, past_of
from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk
from reticle.model.journal_limits import RECALL_SECONDS
from reticle.ports import Journal


class Recalls:
    """
    One recall for each socket, at most ``RECALL_SECONDS`` long.

    Args:
        journal: Where the past is; None: nowhere.
        clock: For the time limit.
        now: Seconds since the epoch.
    """

    _log = Logger()

    def __init__(self, journal: Journal | None, clock: IReactorTime, now: Callable[[], float]) -> None:
        self._journal = journal
        self._clock = clock
        self._now = now
        self._found: dict[Hashable, Sequence[JournalChunk]] = {}
        self._waiting: dict[Hashable, tuple[Deferred[None], IDelayedCall]] = {}

    def journalled(self, page_id: PageId) -> bool:
        """
        Whether the journal is known to have something of that name.
        """
        return self._journal is not None and self._journal.holds(page_id)

    def begin(self, socket: Hashable, page_id: PageId) -> Deferred[None] | None:
        """
        Ask the journal for the page that this socket says it is; ready when it has answered, or has not in
        time. None where it has nothing.
        """
        if self._journal is None or not page_id or not self._journal.may_hold(page_id):
            return None
        ready: Deferred[None] = Deferred()
        self._waiting[socket] = ready, self._clock.callLater(RECALL_SECONDS, self._ready, socket)
        asking = Deferred.fromCoroutine(self._ask(self._journal, socket, page_id))
        asking.addErrback(lambda failure: self._log.failure("a page's past was misread", failure))
        return None if ready.called else ready

    def take(self, socket: Hashable) -> Past | None:
        """
        What was found for that socket, once; None where nothing was, or not in time. A page that the daemon
        opened itself has ended: what dials in is another one, whatever it calls itself.
        """
        chunks = self._found.pop(socket, None)
        return past_of(chunks, self._now()) if chunks and not chunks[-1].state.attested else None

    def forget(self, socket: Hashable) -> None:
        """
        That socket is gone.
        """
        self._found.pop(socket, None)
        waiting = self._waiting.pop(socket, None)
        if waiting is not None:
            waiting[1].cancel()

    async def _ask(self, journal: Journal, socket: Hashable, page_id: PageId) -> None:
        try:
            chunks = await journal.recall(page_id)
        except Refusal as lost:
            self._log.warn(
                "what was recorded of {page} cannot be read: {why}", page=page_id, why=lost.message
            )
            chunks = ()
        if socket in self._waiting:
            self._found[socket] = chunks
            self._ready(socket)

    def _ready(self, socket: Hashable) -> None:
        waiting = self._waiting.pop(socket, None)
        if waiting is not None:
            ready, timer = waiting
            if timer.active():
                timer.cancel()
            ready.callback(None)
