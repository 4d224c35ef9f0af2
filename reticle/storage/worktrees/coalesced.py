"""
Looks at a repository's files that nobody waits for at first: one at a time for each folder, and one more
behind it for all that were asked for meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.storage.worktrees.listing import UnlistedError

Waiting = list[Deferred[None]]


@attrs.define
class _UnderWay:
    """
    Who waits for the look that is under way, and for the one behind it; None where nobody asked for one.
    """

    waiting: Waiting = attrs.field(factory=list)
    behind: Waiting | None = None


class CoalescedLooks:
    """
    Args:
        look: Looks at a folder's files, in a thread.
    """

    _log = Logger()

    def __init__(self, look: Callable[[str], Deferred[object]]) -> None:
        self._look = look
        self._under_way: dict[str, _UnderWay] = {}

    def ask(self, root: str) -> None:
        """
        Look at a folder's files, now or as soon as the look that is under way is through: it may have been
        past what matters to this one.
        """
        there = self._under_way.get(root)
        if there is None:
            self._under_way[root] = _UnderWay()
            self._begin(root)
        elif there.behind is None:
            there.behind = []

    def through(self, root: str) -> Deferred[None]:
        """
        Ready when every look at the folder that was asked for until now is through, however it ended; not
        later for those that are asked for meanwhile.
        """
        there = self._under_way.get(root)
        if there is None:
            return succeed(None)
        waited = Deferred[None]()
        (there.waiting if there.behind is None else there.behind).append(waited)
        return waited

    def _begin(self, root: str) -> None:
        looked = self._look(root)
        looked.addErrback(lambda failure: self._unseen(root, failure))
        looked.addCallback(lambda _: self._ended(root))
        looked.addErrback(lambda failure: self._log.failure("after a look at {root}", failure, root=root))

    def _unseen(self, root: str, failure: Failure) -> None:
        # What cannot be listed or read is told where a verdict asks for it.
        if failure.check(UnlistedError, OSError) is None:
            self._log.failure("a look at {root} failed", failure, root=root)

    def _ended(self, root: str) -> None:
        there = self._under_way[root]
        ended, behind = there.waiting, there.behind
        if behind is None:
            del self._under_way[root]
        else:
            self._under_way[root] = _UnderWay(behind)
            self._begin(root)
        for waited in ended:
            waited.callback(None)
