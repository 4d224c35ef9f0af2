"""
What differs between the page scripts that speak the page wire.

``reticle.bridge.own`` is our script, ``reticle.bridge.published`` the ``@reticlehq`` packages. A dialect
turns what the daemon wants into commands that its script knows, and the answers back into the shapes of
``docs/protocol/page-wire.md``. It keeps no socket: ``Send`` reaches the page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

import attrs

from reticle.bridge.wire import CommandResult, WireEvent
from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.model.ids import DocumentId
from reticle.model.page import PageIdentity
from reticle.model.window import Question


class Send(Protocol):
    """
    One command to the page.
    """

    def __call__(
        self, name: str, args: Mapping[str, object], *, acts: bool = False
    ) -> Awaitable[CommandResult]:
        """
        The page's answer, ok or not. ``acts`` marks what must not be sent twice.

        Raises ``Refusal``: ``session_gone``, ``command_timeout``.
        """


def overheard(send: Send, hear: Callable[[str, CommandResult], object]) -> Send:
    """
    ``send``, with an ear for the answers: ``hear`` is given each command's name and result.
    """

    async def listening(name: str, args: Mapping[str, object], *, acts: bool = False) -> CommandResult:
        result = await send(name, args, acts=acts)
        hear(name, result)
        return result

    return listening


@attrs.frozen
class Answered:
    """
    A question's answer; exactly one of the two is set.
    """

    answer: Mapping[str, object] | None = None
    error: str | None = None


class Dialect(Protocol):
    """
    How one kind of page script is spoken to.
    """

    async def ask(
        self, send: Send, identity: PageIdentity, command: CommandName, args: Mapping[str, object]
    ) -> object:
        """
        Carry out one command of the page wire. Raises ``Refusal``.
        """

    async def read(
        self, send: Send, identity: PageIdentity, questions: Sequence[Question], *, rest_ms: int = 0
    ) -> Sequence[Answered]:
        """
        As many answers as questions, in their order, when the page has come to rest or ``rest_ms`` are over,
        if it can tell. Raises ``Refusal`` when the page was not reached.
        """

    def speaker(self, events: Sequence[WireEvent], present: DocumentId, now: float) -> DocumentId:
        """
        The document that reported a batch which arrived at ``now`` (monotonic seconds): the ``present`` one,
        or one that was there before and came back without saying so.
        """

    def undeclared_losses(self, events: Sequence[WireEvent], now: float) -> Sequence[tuple[str, int]]:
        """
        What the script lost without saying so, as channel and number, seen from a batch that arrived at
        ``now`` (monotonic seconds).
        """

    def reconnected(self, now: float) -> None:
        """
        The same document has a new socket.
        """


def refusal_of(result: CommandResult, code: str, recovery: str = "") -> Refusal:
    """
    A page's failed answer as a refusal; its own recovery wins over ours.
    """
    message = result.error or "The page could not do this and did not say why."
    return Refusal(code, message, result.recovery or recovery, dict(result.details or {}))
