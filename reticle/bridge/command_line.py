"""
The way of commands to one page, over whichever socket speaks for it.

Here stands what may be asked again: a read that loses its socket is asked once more on the next one;
what acts is sent at most once, because it may have happened (field report WS-03).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import suppress
from typing import Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

from reticle.bridge.commands import BridgeIds, PendingCommands
from reticle.bridge.dialect import Send
from reticle.bridge.waiters import Waiters
from reticle.bridge.wire import CommandResult, encode_arguments, encode_command
from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.ids import ActionId
from reticle.model.limits import COMMAND_SECONDS, SUCCESSOR_SECONDS
from reticle.model.page import PageHealth, PageIdentity
from reticle.ports import SocketWriter

ASKED_AT_MOST = 2
"""How often a read is put to a page that keeps losing its socket."""

_ANSWER_DIALOG = (
    "Have a person answer the dialog, or close the tab. In a page that reticle_lease opens, dialogs are"
    " answered at once, as its dialogs (dismiss or accept) says."
)

_CAUSING = frozenset({CommandName.ACT, CommandName.AIM})
"""The commands that the page is told the action of (page-wire, "Causes")."""

_MAY_HAVE_HAPPENED: Mapping[str, object] = {"may_have_happened": True}


class SocketLost(Exception):
    """
    The socket went while a command was under way; whether to ask again is decided where it is caught.
    """


class Described(Protocol):
    """
    What refusals say of the page, and what its commands belong to.
    """

    @property
    def acting(self) -> ActionId | None:
        """
        The action that is under way.
        """

    @property
    def identity(self) -> PageIdentity:
        """
        Its name.
        """

    def health(self) -> PageHealth:
        """
        How it is right now.
        """


class CommandLine:
    """
    Sends commands and matches answers.

    Args:
        ids: Where command ids come from.
        clock: For deadlines.
        waiters: Woken when a socket comes or goes.
        page: For the words of refusals.
    """

    def __init__(self, ids: BridgeIds, clock: IReactorTime, waiters: Waiters, page: Described) -> None:
        self._clock = clock
        self._waiters = waiters
        self._page = page
        self._pending = PendingCommands(ids, clock)
        self._writer: SocketWriter | None = None
        self._for_good = False
        self.lost_at = clock.seconds()

    @property
    def attached(self) -> bool:
        """
        Whether there is a socket.
        """
        return self._writer is not None

    @property
    def gone_for_good(self) -> bool:
        """
        Whether there is no socket and none will come.
        """
        return self._for_good and self._writer is None

    def attach(self, writer: SocketWriter) -> None:
        """
        Commands go to this socket from now on.
        """
        self._writer = writer
        self._for_good = False

    def detach(self, *, for_good: bool = False) -> None:
        """
        The socket is gone; what was asked on it fails or is asked again. ``for_good``: no other will come.
        """
        self._writer = None
        self._for_good = for_good
        self.lost_at = self._clock.seconds()
        self._pending.fail_all(SocketLost)

    def answered(self, result: CommandResult) -> None:
        """
        An answer came, on whatever socket.
        """
        self._pending.settle(result)

    def figures(self) -> Mapping[str, int]:
        """
        Counts for status pages.
        """
        return {
            "commandsInFlight": len(self._pending),
            "lateAnswers": self._pending.late,
            "unknownAnswers": self._pending.unknown,
        }

    def sender(self, seconds: float) -> Send:
        """
        How one call reaches the page: all its commands share one deadline, ``seconds`` from now.
        """
        deadline = self._clock.seconds() + seconds

        def send(name: str, args: Mapping[str, object], *, acts: bool = False) -> Awaitable[CommandResult]:
            return self._send(name, args, deadline, acts=acts)

        return send

    def gone(self, *, may_have_happened: bool = False) -> Refusal:
        """
        The refusal for a page without a socket.
        """
        name = self._page.identity.page_id
        if may_have_happened:
            return Refusal(
                RefusalCode.SESSION_GONE,
                f"Page {name} was replaced or closed while it acted: the action may have happened.",
                "Look at the page before you repeat it.",
                dict(_MAY_HAVE_HAPPENED),
            )
        return Refusal(
            RefusalCode.SESSION_GONE,
            f"Page {name} is no longer connected.",
            "Call reticle_sessions to see which pages are connected, or reload the tab.",
        )

    async def _send(
        self, name: str, args: Mapping[str, object], deadline: float, *, acts: bool
    ) -> CommandResult:
        if self._page.health().dialog:
            raise self._stands_still(name)
        if acts:
            if self._writer is None:
                raise self.gone()
            try:
                return await self._transmit(self._writer, name, args, deadline, acts=True)
            except SocketLost:
                raise self.gone(may_have_happened=True) from None
        for _ in range(ASKED_AT_MOST):
            if self._writer is None:
                await self._successor(deadline)
            if self._writer is None:
                break
            with suppress(SocketLost):
                return await self._transmit(self._writer, name, args, deadline, acts=False)
        raise self.gone()

    async def _transmit(
        self, writer: SocketWriter, name: str, args: Mapping[str, object], deadline: float, *, acts: bool
    ) -> CommandResult:
        arguments = encode_arguments(name, args)
        seconds = max(deadline - self._clock.seconds(), 0.0)
        command_id, answer = self._pending.open(seconds, lambda: self._overdue(name, acts=acts))
        action = self._page.acting if name in _CAUSING and self._page.identity.own_script else None
        writer.send_text(encode_command(command_id, name, arguments, action))
        return await answer

    def _successor(self, deadline: float) -> Deferred[bool]:
        by = self.lost_at if self._for_good else min(deadline, self.lost_at + SUCCESSOR_SECONDS)
        return self._waiters.wait(lambda: self.attached, by - self._clock.seconds())

    def _stands_still(self, name: str) -> Refusal:
        """
        The refusal while a dialog is open: what is sent then waits in the page and is done after the answer.
        """
        message = f"{name} was not sent to the page: its {self._page.health().dialog} is open, and the page"
        message += " stands still until somebody answers it."
        return Refusal(RefusalCode.COMMAND_TIMEOUT, message, _ANSWER_DIALOG)

    def _overdue(self, name: str, *, acts: bool) -> Refusal:
        health = self._page.health()
        message = f"The page did not answer {name} in time."
        if health.dialog:
            message += f" Its {health.dialog} is open, and the page stands still until somebody answers it."
        elif health.hidden:
            message += " Its tab is in the background, where browsers slow pages down."
        elif health.silent_seconds > COMMAND_SECONDS / 2:
            message += f" Nothing was heard from it for {health.silent_seconds:.0f} s: it may be frozen."
        if acts:
            recovery = "It may have happened: look at the page before you repeat it."
        else:
            recovery = "Bring the tab to the front or reload it, then ask again."
        if health.dialog:
            recovery = _ANSWER_DIALOG
        details = dict(_MAY_HAVE_HAPPENED) if acts else None
        return Refusal(RefusalCode.COMMAND_TIMEOUT, message, recovery, details)
