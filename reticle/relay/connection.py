"""
One TCP connection that never blocks: it is asked what it waits for, and told when that is there.
"""

from __future__ import annotations

import errno
import os
import socket

_READ_BYTES = 256 * 1024


class Connection:
    """
    Dials at once and tries every address of the name; what is put before it stands waits.

    Raises:
        OSError: The name is not known, or no address can even be tried.
    """

    def __init__(self, host: str, port: int) -> None:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        self._addresses = [(family, address) for family, _, _, _, address in found]
        self._out = bytearray()
        self._established = False
        self._socket: socket.socket | None = None
        self._dial()

    @property
    def descriptor(self) -> int:
        """
        For ``poll``; -1 once closed.
        """
        return -1 if self._socket is None else self._socket.fileno()

    @property
    def established(self) -> bool:
        """
        Whether the peer has accepted.
        """
        return self._established

    @property
    def wants_write(self) -> bool:
        """
        Whether it waits for room, or for its connection.
        """
        return bool(self._out) or not self._established

    @property
    def unsent(self) -> int:
        """
        Bytes that the kernel has not taken.
        """
        return len(self._out)

    def put(self, data: bytes) -> None:
        """
        Write as much as goes now; the rest waits. Raises ``OSError`` when the connection is broken.
        """
        self._out += data
        if self._established:
            self.write()

    def write(self) -> None:
        """
        Go on connecting or writing. Raises ``OSError`` when nobody is there or the connection is broken.
        """
        assert self._socket is not None
        if not self._established:
            fault = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if fault:
                self._next_address(fault)
                return
            self._established = True
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while self._out:
            try:
                sent = self._socket.send(self._out)
            except BlockingIOError:
                return
            del self._out[:sent]

    def read(self) -> bytes | None:
        """
        The next bytes; empty at the end (a reset counts as one), None when there are none now.
        """
        assert self._socket is not None
        try:
            return self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """
        Give it up. May be called twice.
        """
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _dial(self) -> None:
        family, address = self._addresses.pop(0)
        self.close()
        try:
            self._socket = socket.socket(family, socket.SOCK_STREAM)
        except OSError as fault:  # a family that this machine does not have
            self._next_address(fault.errno or errno.EAFNOSUPPORT)
            return
        self._socket.setblocking(False)
        fault_number = self._socket.connect_ex(address)
        if fault_number not in (0, errno.EINPROGRESS):
            self._next_address(fault_number)

    def _next_address(self, fault: int) -> None:
        if not self._addresses:
            self.close()
            raise OSError(fault, os.strerror(fault))
        self._dial()
