"""
Where the audit chain ends, as far as the last transaction over one connection knows it.

While no other daemon adds rows, the next ones can be chained without a look at the end: the statement that
moves it says whether that was right, and goes with the commit.
"""

from __future__ import annotations

from typing import Any


class ChainEnd:
    """
    The end as this connection left it; ``now`` is None where it must be read, under its lock.

    The values are the chain's own (``audit_chain.Head``).
    """

    def __init__(self) -> None:
        self.now: Any = None
        self._kept: Any = None
        self._alone = True

    def begin(self, *, guess: bool) -> None:
        """
        A transaction begins, which may ``guess``: it is run again where that was wrong.
        """
        self.now = self._kept if guess and self._alone else None

    def read(self, end: Any) -> None:
        """
        It was read: somebody else has added rows, or nobody.
        """
        self._alone = self._kept is None or end == self._kept

    def moved(self, end: Any) -> None:
        """
        This transaction has added rows.
        """
        self.now = end

    def committed(self) -> None:
        """
        What was moved is kept.
        """
        if self.now is not None:
            self._kept = self.now

    def missed(self) -> None:
        """
        It may be elsewhere than where it was thought to be.
        """
        self._alone = False
