"""
A reactor that reads at once does for each event what it did before.
"""

from __future__ import annotations

from select import EPOLLIN, EPOLLOUT
from typing import Any

import pytest
from twisted.internet import epollreactor
from twisted.internet.main import CONNECTION_DONE
from twisted.internet.task import Clock
from twisted.internet.tcp import Server
from twisted.python import log as legacy_log  # noqa: TID251 - what the reactor tells its faults to

from reticle.transport.fast_lane_twisted import read_at_once

REAL: Any = epollreactor.EPollReactor


class Poller:
    """
    In the place of an epoll: gives what is to happen, once.
    """

    def __init__(self) -> None:
        self.events: list[tuple[int, int]] = []
        self.asked: list[tuple[float, int]] = []

    def poll(self, timeout: float, most: int) -> list[tuple[int, int]]:
        """
        The events.
        """
        self.asked.append((timeout, most))
        events, self.events = self.events, []
        return events


class EPollReactor:
    """
    As much of the real one as its turn uses.
    """

    doIteration = REAL.doPoll
    _doReadOrWrite = REAL._doReadOrWrite
    _POLL_DISCONNECTED, _POLL_IN, _POLL_OUT = REAL._POLL_DISCONNECTED, EPOLLIN, EPOLLOUT

    def __init__(self) -> None:
        self._poller = Poller()
        self._selectables: dict[int, Any] = {}
        self._reads: set[int] = set()
        self.gone: list[tuple[Any, Any, bool]] = []

    def _disconnectSelectable(self, selectable: Any, why: Any, is_read: bool) -> None:  # noqa: FBT001 - Twisted's
        self.gone.append((selectable, why, is_read))


class OtherTurn(EPollReactor):
    """
    A reactor of another version.
    """

    __qualname__ = "EPollReactor"

    def doIteration(self, timeout: float | None) -> None:
        """
        Another one.
        """


class Descriptor:
    """
    Anything that is no TCP connection.
    """

    def __init__(self) -> None:
        self.heard: list[str] = []

    def fileno(self) -> int:
        """
        It is open.
        """
        return 9

    def logPrefix(self) -> str:
        """
        Its name.
        """
        return "it"

    def doRead(self) -> None:
        """
        There is something to read.
        """
        self.heard.append("read")

    def doWrite(self) -> None:
        """
        There is room.
        """
        self.heard.append("write")


class Talker(Descriptor):
    """
    A socket and a protocol in one.
    """

    def __init__(self, data: bytes | Exception) -> None:
        super().__init__()
        self.data = data

    def recv(self, _most: int) -> bytes:
        """
        What came.
        """
        if isinstance(self.data, Exception):
            raise self.data
        return self.data

    def dataReceived(self, data: bytes) -> None:
        """
        Hear it.
        """
        if data == b"bug":
            raise ZeroDivisionError
        self.heard.append(data.decode())


def turned(selectable: Any, *events: int) -> EPollReactor:
    """
    A reactor after one turn with these events of one descriptor.
    """
    reactor = EPollReactor()
    assert read_at_once(reactor) is None
    reactor._selectables[7] = selectable
    reactor._poller.events = [(7, event) for event in events]
    reactor.doIteration(None)
    assert reactor._poller.asked == [(-1, 1)]
    return reactor


def connection(data: bytes | Exception) -> tuple[Any, Talker]:
    """
    A TCP connection on which that comes.
    """
    server: Any = Server.__new__(Server)
    server.socket = server.protocol = talker = Talker(data)
    server.fileno, server.logstr = talker.fileno, "it"
    return server, talker


def test_the_real_reactor_is_taken() -> None:
    """
    The daemon has its speed with the installed Twisted.
    """
    assert type(EPollReactor()).__name__ == REAL.__name__
    assert read_at_once(EPollReactor()) is None


@pytest.mark.parametrize("reactor", [Clock(), OtherTurn()])
def test_another_reactor_stays_as_it_is(reactor: Any) -> None:
    """
    A daemon in a program with a reactor of its own, or with another Twisted, works as before.
    """
    assert read_at_once(reactor) is not None
    assert "doIteration" not in vars(reactor)


def test_a_reactor_is_changed_once() -> None:
    """
    Two daemons in one process do not wrap each other's loop.
    """
    reactor = EPollReactor()
    assert (read_at_once(reactor), read_at_once(reactor) is None) == (None, False)


def test_what_comes_is_read() -> None:
    """
    A request reaches its protocol.
    """
    server, talker = connection(b"hello")
    assert turned(server, EPOLLIN).gone == []
    assert talker.heard == ["hello"]


def test_an_end_is_told() -> None:
    """
    A client that hangs up is gone.
    """
    server, _ = connection(b"")
    assert turned(server, EPOLLIN).gone == [(server, CONNECTION_DONE, True)]


def test_a_bug_costs_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A fault in a protocol is logged and ends that connection, and nothing else.
    """
    server, _ = connection(b"bug")
    told: list[str] = []
    monkeypatch.setattr(legacy_log, "err", lambda: told.append("err"))
    [(gone, why, _)] = turned(server, EPOLLIN).gone
    assert gone is server
    assert isinstance(why, ZeroDivisionError)
    assert told == ["err"]


def test_other_events_and_other_descriptors_take_the_ordinary_way() -> None:
    """
    Writing goes on, and so do timers, pipes and ports of whoever else uses the reactor.
    """
    other = Descriptor()
    turned(other, EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT)
    assert other.heard == ["read", "write", "read", "write"]


def test_what_was_closed_in_this_turn_is_passed_over() -> None:
    """
    An event of a descriptor that another event has ended meanwhile disturbs nobody.
    """
    reactor = EPollReactor()
    assert read_at_once(reactor) is None
    reactor._poller.events = [(3, EPOLLIN)]
    reactor.doIteration(0.5)
    assert reactor.gone == []
