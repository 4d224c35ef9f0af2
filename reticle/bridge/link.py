"""
One page socket, from its first byte to its end; provides ``ports.PageLink``.

It reads messages and feeds the machine in ``reticle.bridge.link_machine``; which page the socket speaks for
is the directory's business (``Reception``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from reticle.bridge.identity import vouched
from reticle.bridge.link_machine import Facts, build_machine
from reticle.bridge.page import BridgedPage
from reticle.bridge.refused_dials import Rejection
from reticle.bridge.wire import CommandResult, Events, Hello, parse_message
from reticle.model.browser import Attestation, Standing
from reticle.model.limits import HELLO_SECONDS
from reticle.ports import SocketWriter


class Reception(Protocol):
    """
    Who decides which page a socket speaks for.
    """

    def arrived(self, link: Link, hello: Hello) -> BridgedPage | Rejection:
        """
        A first hello: the page this socket speaks for now, or why it is turned away.
        """

    def spoke_again(self, link: Link, hello: Hello) -> BridgedPage | Rejection:
        """
        A demoted socket turned out to be a tab of its own: its page, or why there is none.
        """

    def left(self, link: Link) -> None:
        """
        The socket is gone, or will not say anything any more.
        """


class Link:
    """
    Provides ``ports.PageLink``.

    Args:
        writer: The socket's outgoing half.
        origin: The upgrade's Origin, for words.
        needs_token: Whether the hello must carry the pairing token.
        reception: Decides which page this is.
        clock: For the hello's deadline.
        attested: What the daemon knows of a page that it opened itself.
        standing: What the browser knows of such a page, given the name that it claims.
    """

    _log = Logger()

    def __init__(
        self,
        writer: SocketWriter,
        origin: str,
        *,
        needs_token: bool,
        reception: Reception,
        clock: IReactorTime,
        attested: Attestation | None = None,
        standing: Callable[[str], Standing] | None = None,
    ) -> None:
        self.origin = origin
        self._standing = standing
        self.attested = attested
        self.needs_token = needs_token
        self.writer = writer
        self.ignored = 0
        self._facts = Facts(
            writer,
            clock,
            judge_first=partial(reception.arrived, self),
            judge_talker=partial(reception.spoke_again, self),
            left=partial(reception.left, self),
        )
        self._inputs = build_machine(self._facts)
        self._facts.deadline = clock.callLater(HELLO_SECONDS, self._inputs.expire)

    def text_received(self, payload: bytes) -> None:
        """
        See ``ports.PageLink``.
        """
        message = parse_message(payload)
        if isinstance(message, Events):
            page = self._facts.speaks_for
            if page is not None:
                page.record(message.events)
            else:
                self._inputs.events(message)
            if message.malformed:
                self._ignore(f"{message.malformed} events without a type", message.malformed, lost=True)
        elif isinstance(message, CommandResult):
            self._inputs.result(message)
        elif isinstance(message, Hello):
            self._inputs.hello(message if self._standing is None else vouched(message, self._standing))
        else:
            self._ignore(message.reason, 1, lost=message.may_report)

    def socket_closed(self, code: int, reason: str) -> None:
        """
        See ``ports.PageLink``.
        """
        del reason
        self._inputs.lose(code)

    def demote(self) -> None:
        """
        A newer socket speaks for this one's page now.
        """
        self._inputs.demote()

    def end(self, code: int, reason: str) -> None:
        """
        Close it with this code.
        """
        self._inputs.end(Rejection(code, reason, ""))

    def _ignore(self, what: str, number: int, *, lost: bool) -> None:
        if not self.ignored:
            self._log.info(
                "A page at {origin} sends what is no message of ours: {what}", origin=self.origin, what=what
            )
        self.ignored += number
        if lost and self._facts.speaks_for is not None:
            self._facts.speaks_for.unread(number)
