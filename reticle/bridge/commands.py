"""
Commands that a page has not answered yet, and the ids of commands and actions.

Ids are never used twice in the life of a daemon, so that an answer that arrives late, or on another
socket, can never be taken for the answer to something else (page-wire §7.4).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.bridge.wire import CommandResult
from reticle.model.ids import ActionId, CommandId, PageId


class BridgeIds:
    """
    Mints the ids that the bridge hands out; one object for all pages of a daemon.

    Args:
        boot: A word that no earlier life of this daemon used, such as its boot number.
    """

    def __init__(self, boot: str) -> None:
        self._boot = boot
        self._numbers = count(1)

    def new_command(self) -> CommandId:
        """
        A fresh command id, ``c<boot>-<n>``.
        """
        return CommandId(f"c{self._boot}-{next(self._numbers)}")

    def new_action(self) -> ActionId:
        """
        A fresh action id, ``a<boot>-<n>``.
        """
        return ActionId(f"a{self._boot}-{next(self._numbers)}")

    def new_page(self) -> PageId:
        """
        A name for a page that gave none, ``s<boot>-<n>``.
        """
        return PageId(f"s{self._boot}-{next(self._numbers)}")

    def is_ours(self, command_id: CommandId) -> bool:
        """
        Whether this daemon, in this life, can have minted it.
        """
        return command_id.startswith(f"c{self._boot}-")


@attrs.frozen
class _Pending:
    answer: Deferred[CommandResult]
    timer: IDelayedCall


class PendingCommands:
    """
    The unanswered commands of one page.

    ``late`` counts answers that came after their command was given up, ``unknown`` those to ids that were
    never ours.
    """

    def __init__(self, ids: BridgeIds, clock: IReactorTime) -> None:
        self._ids = ids
        self._clock = clock
        self._pending: dict[CommandId, _Pending] = {}
        self.late = 0
        self.unknown = 0

    def __len__(self) -> int:
        return len(self._pending)

    def open(
        self, seconds: float, overdue: Callable[[], Exception]
    ) -> tuple[CommandId, Deferred[CommandResult]]:
        """
        A new command and its answer; after ``seconds`` it fails with what ``overdue`` makes.

        Cancelling the answer gives the command up.
        """
        command_id = self._ids.new_command()

        def abandon(_: Deferred[CommandResult]) -> None:
            self._forget(command_id)

        answer: Deferred[CommandResult] = Deferred(abandon)

        def give_up() -> None:
            del self._pending[command_id]
            answer.errback(overdue())

        self._pending[command_id] = _Pending(answer, self._clock.callLater(seconds, give_up))
        return command_id, answer

    def settle(self, result: CommandResult) -> None:
        """
        Deliver an answer; one that nobody waits for is counted and dropped.
        """
        pending = self._forget(result.command_id)
        if pending is not None:
            pending.answer.callback(result)
        elif self._ids.is_ours(result.command_id):
            self.late += 1
        else:
            self.unknown += 1

    def fail_all(self, failure: Callable[[], Exception]) -> None:
        """
        The socket is gone: every command fails with an exception of its own.
        """
        for command_id in list(self._pending):
            pending = self._forget(command_id)
            if pending is not None:
                pending.answer.errback(failure())

    def _forget(self, command_id: CommandId) -> _Pending | None:
        pending = self._pending.pop(command_id, None)
        if pending is not None:
            pending.timer.cancel()
        return pending
