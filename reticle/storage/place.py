"""
Where a database can be, and what is asked of one that is open; for the writer thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from reticle.errors import Refusal
from reticle.storage.driver import Driver

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")


class ConnectionLost(Exception):
    """
    The way to the database went before anything was kept; over a new one the work may be done again.
    """


class InTheWay(Exception):
    """
    Another transaction has what this one may not wait for; alone, it may.
    """


AGAIN: Final = object()
"""In place of an outcome: that work was undone, and is to be done again by itself."""


class AsksAhead(Protocol):
    """
    Asks at once what several pieces of work begin with.
    """

    def gather(self, driver: Driver, questions: Sequence[Any], /) -> None:
        """
        Ask, and keep the answers for the work.
        """

    def forget(self) -> None:
        """
        The answers may not hold any more: each piece of work asks for itself.
        """


class Step(NamedTuple):
    """
    Work within a transaction that is open already; whether it needs SQLAlchemy, and what it begins with.
    """

    needs_core: bool
    work: Callable[[OpenPlace], Any]
    ahead: tuple[AsksAhead, Any] | None = None


class OpenPlace(Protocol):
    """
    An open database. Not safe for threads: one thread makes, uses and closes it.
    """

    @property
    def changes(self) -> int:
        """
        Grows when something was written; rows that Core wrote need not be counted.
        """

    def is_there(self) -> bool:
        """
        Whether it is still what was opened, as far as that can be seen at once.
        """

    def transact(self, work: Callable[[Connection], T]) -> T:
        """
        Run ``work`` in one transaction: committed when it returns, undone when it raises.

        Where several daemons share the database it may be run again from the start, after a deadlock or a
        lost connection; nothing of the earlier run was kept then.

        Raises:
            ConnectionLost: See there.
            Refusal: ``daemon_under_load`` when others were in the way each time; nothing was kept.
                ``storage_failed`` with ``outcome`` unknown in its details, when it was lost in the commit.
        """

    def transact_on_driver(self, work: Callable[[Driver], T]) -> T:
        """
        As ``transact``, below SQLAlchemy.
        """

    @property
    def most_together(self) -> int:
        """
        How many pieces of work may share one transaction; 1 where a commit costs next to nothing.
        """

    def core(self) -> Connection:
        """
        SQLAlchemy above the connection.
        """

    @property
    def driver(self) -> Driver:
        """
        The connection itself.
        """

    def together(self, steps: Sequence[Step]) -> Sequence[object]:
        """
        Run pieces of work in their order and commit them together: the value of each, a ``Failure`` of one
        that raised and was undone alone, or ``AGAIN`` for those from one on that could not go on here.

        Raises as ``transact``, and then for all of them.
        """

    def close(self) -> None:
        """
        Close it.
        """


class Place(Protocol):
    """
    A database that may be opened any number of times.
    """

    @property
    def shown(self) -> str:
        """
        Its name for people, without any secret.
        """

    @property
    def look(self) -> str:
        """
        What a person looks at when it does not keep up.
        """

    def open(self, *, full_sync: bool) -> OpenPlace:
        """
        Open it, made and migrated where that is needed.

        Raises:
            ConfigurationFault: It cannot be used as it is, whoever retries.
            Exception: See ``refusal_from``.
        """

    def refusal_from(self, fault: BaseException) -> Refusal | None:
        """
        The refusal for what the machine did to us, or None for a bug of ours.
        """
