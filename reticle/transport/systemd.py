"""
The little that systemd asks of a service: say when ready, take the sockets it holds (no library).

Protocols: sd_notify(3), sd_listen_fds(3).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

_FIRST_DESCRIPTOR: Final = 3


def notify(state: str, environ: Mapping[str, str]) -> bool:
    """
    Tell the service manager, such as ``READY=1``, ``STOPPING=1`` or ``STATUS=…``; never blocks or raises.

    Returns:
        Whether there is a manager and it took the message.
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):
        # An abstract socket: its name begins with a NUL instead of standing in the file system.
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        try:
            sender.sendto(state.encode(), address)
        except OSError:
            return False
    return True


@attrs.frozen
class InheritedSocket:
    """
    A listening socket that systemd opened for us; ``name`` is its ``FileDescriptorName=``.
    """

    descriptor: int
    name: str


def inherited_sockets(environ: Mapping[str, str], pid: int) -> Sequence[InheritedSocket]:
    """
    The sockets that were passed to process ``pid``, in order; none when they were meant for another.

    The caller adopts each descriptor and closes what it does not use.
    """
    if environ.get("LISTEN_PID") != str(pid):
        return ()
    count = environ.get("LISTEN_FDS", "")
    if not (count.isascii() and count.isdigit()):
        return ()
    names = environ.get("LISTEN_FDNAMES", "").split(":")
    return tuple(
        InheritedSocket(_FIRST_DESCRIPTOR + number, names[number] if number < len(names) else "unknown")
        for number in range(int(count))
    )


def keep_from_children(sockets: Sequence[InheritedSocket]) -> None:
    """
    Close them on exec: a browser or shell started later must not keep the port open.
    """
    for one in sockets:
        os.set_inheritable(one.descriptor, False)
