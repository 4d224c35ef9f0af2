"""
One TCP connection, blocking, with a deadline on every wait.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Protocol

from reticle.client.errors import CannotConnect

READ_BYTES = 256 * 1024
"""One read; large enough that a 20 MB answer costs some eighty of them."""


class Link(Protocol):
    """
    What the client needs of a connection; ``reticle.testing`` has one without a socket.
    """

    def send(self, payload: bytes, timeout_seconds: float) -> None:
        """
        Write all of it. Raises ``CannotConnect`` when the peer is gone.
        """

    def receive(self, timeout_seconds: float) -> bytes | None:
        """
        The next bytes; empty when the peer has closed, None when nothing came in time.
        """

    def close(self) -> None:
        """
        Give the connection up. May be called twice.
        """


Dial = Callable[[str, int, float], Link]
"""Opens a link to a host and port within some seconds; raises ``CannotConnect``."""


class SocketLink:
    """
    A link over a real socket.
    """

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def send(self, payload: bytes, timeout_seconds: float) -> None:
        """
        Write all of it, as ``Link`` says.
        """
        self._socket.settimeout(max(timeout_seconds, 0.001))
        try:
            self._socket.sendall(payload)
        except OSError as gone:
            raise CannotConnect(f"the connection broke while sending: {gone}") from gone

    def receive(self, timeout_seconds: float) -> bytes | None:
        """
        The next bytes, as ``Link`` says; a reset counts as closed.
        """
        self._socket.settimeout(max(timeout_seconds, 0.001))
        try:
            return self._socket.recv(READ_BYTES)
        except TimeoutError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """
        Give the connection up. May be called twice.
        """
        self._socket.close()


def dial(host: str, port: int, timeout_seconds: float) -> SocketLink:
    """
    Connect, trying every address of the name.

    Raises:
        CannotConnect: nobody answered; says where and why.
    """
    try:
        connected = socket.create_connection((host, port), timeout_seconds)
    except OSError as nobody:
        raise CannotConnect(
            f"nothing answers at {host}:{port} ({nobody}); is the daemon running? `reticle status` says"
        ) from nobody
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return SocketLink(connected)
