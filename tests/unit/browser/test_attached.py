"""
Reaching a browser that runs. ``tests/system/test_drive.py`` drives one; here is what happens at the edges.
"""

from __future__ import annotations

from typing import Any

from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IReactorPluggableNameResolver
from twisted.internet.testing import MemoryReactorClock, StringTransport
from twisted.python.failure import Failure
from zope.interface import alsoProvides

from reticle.browser.attached import Attacher
from reticle.browser.chromium import Chromium
from reticle.model.limits import BROWSER_COMMAND_SECONDS
from reticle.testing.bridge import refusal_of


class OneAddress:
    """
    Every name is this machine.
    """

    def resolveHostName(self, receiver: Any, *_: Any, **named: Any) -> None:
        """
        See ``IHostnameResolver``.
        """
        receiver.resolutionBegan(None)
        receiver.addressResolved(IPv4Address("TCP", "127.0.0.1", named["portNumber"]))
        receiver.resolutionComplete()


def a_machine() -> Any:
    """
    A reactor whose connections are made when the test says so.
    """
    machine: Any = MemoryReactorClock()
    machine.nameResolver = OneAddress()
    alsoProvides(machine, IReactorPluggableNameResolver)
    return machine


def attaching(machine: Any) -> Deferred[Chromium]:
    """
    An attempt, over a connection that is there.
    """
    attacher = Attacher(machine, maybeDeferred, "ws://127.0.0.1:9222/devtools/browser/b")
    return Deferred.fromCoroutine(attacher.start(headed=False, on_end=lambda *_: None))


def connected(machine: Any) -> tuple[Any, Any]:
    """
    The connection that was asked for is made; ``cuts`` are how often it was cut by us.
    """
    machine.advance(0)
    _, _, factory, _, _ = machine.tcpClients[-1]
    protocol, wire = factory.buildProtocol(None), a_wire()
    protocol.makeConnection(wire)
    return protocol, wire


def a_wire() -> Any:
    """
    A connection in memory.
    """
    wire: Any = StringTransport()
    wire.cuts = []
    wire.abortConnection = lambda: wire.cuts.append(1)
    return wire


def test_what_does_not_shake_hands_is_left() -> None:
    """
    Something else may listen at that port: the agent is told in time, and no connection stays open for it.
    """
    machine = a_machine()
    attempt = attaching(machine)
    _, wire = connected(machine)
    assert b"Upgrade: websocket" in wire.value()
    machine.advance(BROWSER_COMMAND_SECONDS)
    refusal = refusal_of(attempt)
    assert (refusal.code, "in time" in refusal.message) == ("no_browser", True)
    assert wire.cuts


def test_what_answers_something_else_is_left() -> None:
    """
    A web server at that port says no to the handshake: the agent is told to start the browser.
    """
    machine = a_machine()
    attempt = attaching(machine)
    protocol, wire = connected(machine)
    protocol.dataReceived(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    protocol.connectionLost(Failure(ConnectionDone()))
    refusal = refusal_of(attempt)
    assert refusal.code == "no_browser"
    assert "--remote-debugging-port" in refusal.recovery
    assert wire.cuts
