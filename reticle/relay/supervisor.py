"""
Keeps a link: dials, starts a daemon where none runs, waits, and dials again (SP-02, SP-04).

By itself it only looks whether a daemon is back; one is started only for a request that waits, so that a
daemon that a person stopped stays stopped until it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from reticle.client.address import Address
from reticle.model.relay_limits import FRUITLESS_STARTS, RETRY_SECONDS
from reticle.relay.link import Link, MessageReceiver, Owner
from reticle.relay.states import Event, State, after
from reticle.relay.trouble import Cause, Trouble

_FRESH_SECONDS = 0.3
"""An attempt older than this is begun again for the first request that waits: the daemon may be another."""

_LOOK_SECONDS = 0.05


class Where(NamedTuple):
    """
    A daemon to dial, or what is taken for one.
    """

    address: Address
    token: str | None


class Places(Protocol):
    """
    Finds daemons and starts them.
    """

    def find(self) -> Where | Trouble:
        """
        Where to dial now; the trouble when that is not known.
        """

    def start(self, now: float) -> Trouble | None:
        """
        Begin to start one; the trouble when that is not possible or not wanted.
        """

    def look(self, now: float) -> Where | Trouble | None:
        """
        Where the started one announced itself; the trouble once none will; None as long as it may.
        """

    def explain(self, trouble: Trouble) -> Trouble:
        """
        The same with more to say, such as who holds the port.
        """


class Client(MessageReceiver, Protocol):
    """
    What the supervisor tells the front.
    """

    @property
    def waiting(self) -> bool:
        """
        Whether a request waits for a link.
        """

    def link_opened(self) -> None:
        """
        A fresh link.
        """

    def link_lost(self, trouble: Trouble) -> None:
        """
        The link is over.
        """

    def attempt_failed(self, trouble: Trouble, now: float) -> None:
        """
        There is still no link.
        """


Dial = Callable[[Address, str | None, MessageReceiver, Owner, float], Link]


class Supervisor:
    """
    Provides ``front.Carrier`` and ``link.Owner``.

    Args:
        client: The front.
        places: Finds and starts daemons.
        log: Takes one sentence for people, on standard error.
        monotonic: The clock.
        dial: Opens a link.
    """

    def __init__(
        self,
        client: Client,
        places: Places,
        log: Callable[[str], None],
        monotonic: Callable[[], float],
        dial: Dial = Link,
    ) -> None:
        self.state = State.IDLE
        self._client = client
        self._places = places
        self._log = log
        self._dial = dial
        self._link: Link | None = None
        self._monotonic = monotonic
        self._since = 0.0
        self._due = 0.0
        self._failures = 0
        self._starts = 0
        self._first = True
        self._awaited = False

    @property
    def ready(self) -> bool:
        """
        Whether bodies can be posted now.
        """
        return self.state is State.READY

    @property
    def queued_bytes(self) -> int:
        """
        Bytes that wait to be posted.
        """
        return 0 if self._link is None else self._link.queued_bytes

    def pause(self, paused: bool) -> None:  # noqa: FBT001 - the name says it
        """
        Leave the daemon's stream unread, or go on reading.
        """
        if self._link is not None:
            self._link.paused = paused

    def want(self, now: float) -> None:
        """
        A request waits: probe at once, whatever the pause was (SP-04).
        """
        stale = now - self._since > _FRESH_SECONDS and not self._awaited
        if self.state in (State.IDLE, State.WAITING) or (self.state is State.OPENING and stale):
            self._move(Event.WANTED)
            self._open(self._places.find())

    def post(self, body: bytes, key: str) -> None:
        """
        Send one body; only while ``ready``.
        """
        assert self._link is not None
        self._link.post(body, key, self._monotonic())

    def interests(self) -> Sequence[tuple[int, bool, bool]]:
        """
        As ``Link.interests``; nothing without a link.
        """
        return [] if self._link is None else self._link.interests()

    def socket_ready(self, descriptor: int, *, readable: bool, writable: bool, now: float) -> None:
        """
        One of ``interests`` can go on.
        """
        if self._link is not None:
            self._link.ready(descriptor, readable=readable, writable=writable, now=now)

    def deadline(self) -> float | None:
        """
        When ``tick`` has to be called at the latest.
        """
        match self.state:
            case State.OPENING | State.READY if self._link is not None:
                return self._link.deadline()
            case State.STARTING | State.WAITING:
                return self._due
        return None

    def tick(self, now: float) -> None:
        """
        What is due now.
        """
        if self._link is not None:
            self._link.tick(now)
        elif self.state is State.STARTING and now >= self._due:
            self._look()
        elif self.state is State.WAITING and now >= self._due:
            self._move(Event.DUE)
            self._open(self._places.find())

    def start_over(self) -> None:
        """
        A bug of ours: give up what the link was doing, and dial again after a pause.
        """
        if self.state is not State.CLOSED:
            self._drop()
            self._move(Event.START_OVER)
            self._pause()

    def close(self) -> None:
        """
        The client has gone.
        """
        self._move(Event.CLOSE)
        self._drop()

    def opened(self) -> None:
        """
        The link stands.
        """
        self._failures = self._starts = 0
        self._first = False
        self._move(Event.OPENED)
        self._client.link_opened()

    def lost(self, trouble: Trouble) -> None:
        """
        The link is over, or never stood.
        """
        self._drop()
        if self.state is State.READY:
            self._move(Event.LOST)
            explained = self._places.explain(trouble)
            self._log(f"{explained.text}; looking for the daemon")
            self._client.link_lost(explained)
            self._pause()
        elif trouble.cause is Cause.NOBODY and (self._client.waiting or self._first):
            self._start(trouble)
        else:
            self._failed(trouble)

    def _open(self, where: Where | Trouble) -> None:
        self._since = self._monotonic()
        self._awaited = self._client.waiting
        self._drop()
        if isinstance(where, Trouble):
            self.lost(where)
            return
        link = self._dial(where.address, where.token, self._client, self, self._monotonic())
        if self.state is State.OPENING:  # it may have failed at once
            self._link = link

    def _start(self, trouble: Trouble) -> None:
        if self._starts >= FRUITLESS_STARTS:
            self._starts = 0
            self._failed(trouble)
            return
        self._starts += 1
        obstacle = self._places.start(self._monotonic())
        if obstacle is not None:
            self._failed(trouble._replace(recovery=obstacle.recovery or trouble.recovery))
            return
        self._log("no daemon runs; starting one")
        self._move(Event.START)
        self._due = self._monotonic() + _LOOK_SECONDS

    def _look(self) -> None:
        found = self._places.look(self._monotonic())
        if found is None:
            self._due = self._monotonic() + _LOOK_SECONDS
        elif isinstance(found, Trouble):
            self._starts = 0
            self._move(Event.GAVE_UP)
            self._tell(found)
        else:
            self._move(Event.ANNOUNCED)
            self._open(found)

    def _failed(self, trouble: Trouble) -> None:
        self._move(Event.FAILED)
        self._tell(self._places.explain(trouble))

    def _tell(self, trouble: Trouble) -> None:
        self._first = False
        if self._failures == 0:
            self._log(trouble.text)
        self._client.attempt_failed(trouble, self._monotonic())
        self._pause()

    def _pause(self) -> None:
        pause = RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)]
        self._failures += 1
        self._due = self._monotonic() + (min(pause, RETRY_SECONDS[1]) if self._client.waiting else pause)

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def _move(self, event: Event) -> None:
        self.state = after(self.state, event)
