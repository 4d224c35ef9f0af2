"""
One page socket, from its first byte to its end; provides ``ports.PageLink``.

It reads messages and feeds the machine in ``reticle.bridge.link_machine``; which page the socket speaks for
is the directory's business (``Reception``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, Protocol

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.bridge.identity import vouched
from reticle.bridge.link_machine import Facts, build_machine
from reticle.bridge.page import BridgedPage
from reticle.bridge.refused_dials import Rejection
from reticle.bridge.wire import (
    CommandResult,
    Events,
    Hello,
    Ignored,
    PageMessage,
    WireEvent,
    parse_message,
)
from reticle.model.bridge_limits import MESSAGE_SECRETS
from reticle.model.browser import Attestation, Standing
from reticle.model.codes import CloseCode, EventType
from reticle.model.journal_limits import RECALL_HELD_BYTES
from reticle.model.limits import HELLO_SECONDS
from reticle.ports import SocketWriter

_TURNS: Final = frozenset(
    {
        EventType.PAGE_HEALTH,
        EventType.ROUTE_CHANGE,
        EventType.DIALOG,
        EventType.HUMAN_CONTROL,
        EventType.HUMAN_MARK,
    }
)
"""What stands behind one of these may be another document's, or under another rule: it is taken by itself."""

_FULL_OF_SECRETS: Final = "a message full of secrets"


class Redaction(Protocol):
    """
    Who knows credentials by their shape; provided by ``domain.raw_secrets``.
    """

    def holds(self, payload: bytes) -> bool:
        """
        Whether one stands in a message.
        """

    def replaced(self, payload: bytes, at_most: int) -> tuple[bytes, int]:
        """
        The message without them, and how many there were; more than ``at_most`` are not all replaced.
        """


class Reception(Protocol):
    """
    Who decides which page a socket speaks for.
    """

    def recalling(self, link: Link, hello: Hello) -> Deferred[None] | None:
        """
        Before a first hello is answered: ready when what is known of that page from before a restart has been
        read, whatever came of it; None where nothing has to be read.
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
        redaction: Looks once more for what must not be kept; None: nobody does.
        on_redacted: Told how many credentials were replaced.
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
        redaction: Redaction | None = None,
        on_redacted: Callable[[int], object] = lambda _number: None,
    ) -> None:
        self.origin = origin
        self._redaction = redaction
        self._on_redacted = on_redacted
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
        self._reception = reception
        self._introduced = False
        self._held: deque[bytes] | None = None
        self._held_bytes = 0
        self._facts.deadline = clock.callLater(HELLO_SECONDS, self._inputs.expire)

    def texts_received(self, payloads: Sequence[bytes]) -> None:
        """
        See ``ports.PageLink``. Events that came together are recorded together: what is done once per record
        costs more than an event.
        """
        if self._held is not None:
            self._hold(payloads)
            return
        together: list[WireEvent] = []
        following = iter(payloads)
        for payload in following:
            secret = self._redaction is not None and self._redaction.holds(payload)
            message = self._without_secrets(payload) if secret else parse_message(payload)
            if isinstance(message, Events) and not message.malformed and len(message.events) == 1:
                [event] = message.events
                if event.type not in _TURNS:
                    together.append(event)
                    continue
            if together:
                self._record(Events(together))
                together = []
            self._take(message)
            if self._held is not None:
                self._hold(following)
                return
        if together:
            self._record(Events(together))

    def _take(self, message: PageMessage) -> None:
        if isinstance(message, Events):
            self._record(message)
            if message.malformed:
                self._ignore(f"{message.malformed} events without a type", message.malformed, lost=True)
        elif isinstance(message, CommandResult):
            self._inputs.result(message)
        elif isinstance(message, Hello):
            self._hello(message if self._standing is None else vouched(message, self._standing))
        else:
            self._ignore(message.reason, 1, lost=message.may_report)

    def _hello(self, hello: Hello) -> None:
        """
        The first one may have to wait for what the journal knows of the page; what comes behind it waits too.
        """
        recalling = None if self._introduced else self._reception.recalling(self, hello)
        self._introduced = True
        if recalling is None:
            self._inputs.hello(hello)
            return
        self._held = deque()
        self._facts.stop_deadline()
        recalling.addCallback(lambda _none: self._recalled(hello)).addErrback(self._misled)

    def _hold(self, payloads: Iterable[bytes]) -> None:
        assert self._held is not None
        for payload in payloads:
            self._held.append(payload)
            self._held_bytes += len(payload)
        if self._held_bytes > RECALL_HELD_BYTES:
            self._held, self._held_bytes = deque(), 0
            self.end(CloseCode.TRY_LATER, "too much was said before the page's past was read")

    def _recalled(self, hello: Hello) -> None:
        held, self._held = self._held or (), None
        self._inputs.hello(hello)
        if held:
            self.texts_received([*held])

    def _misled(self, failure: Failure) -> None:
        self._log.failure("a page's past was not handed back", failure)

    def _record(self, batch: Events) -> None:
        page = self._facts.speaks_for
        if page is not None:
            page.record(batch.events)
        else:
            self._inputs.events(batch)

    def _without_secrets(self, payload: bytes) -> PageMessage:
        """
        The message with ``[REDACTED]`` in place of each; only a hello keeps its token, which is compared and
        forgotten.
        """
        assert self._redaction is not None
        clean, number = self._redaction.replaced(payload, MESSAGE_SECRETS)
        if number:
            self._on_redacted(number)
        if number > MESSAGE_SECRETS:
            return Ignored(_FULL_OF_SECRETS, may_report=True)
        message = parse_message(clean)
        if isinstance(message, Hello) and message.token is not None:
            said = parse_message(payload)
            return attrs.evolve(message, token=said.token) if isinstance(said, Hello) else message
        return message

    def fetching(self, scripts: int, elements: int) -> None:
        """
        See ``ports.PageLink``. Before the hello nobody asks.
        """
        if self._facts.speaks_for is not None:
            self._facts.speaks_for.fetching(scripts, elements)

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
