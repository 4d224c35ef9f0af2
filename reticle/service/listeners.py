"""
Taking the port: plain sockets, bound before there is a reactor, so that a taken port is one clear error
and a forking front such as ``twistd`` keeps what it bound.

The daemon listens on 127.0.0.1 and, where present, ::1, because pages and Node dial ``localhost``
(DESIGN §3).
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Sequence
from pathlib import Path

import attrs

from reticle.errors import ConfigurationFault
from reticle.transport.port_holder import port_in_use

BACKLOG = 1024
"""Connections the kernel holds while the loop is busy; 1,000 clients may reconnect at once."""

FREE_PORT_TRIES = 20
"""How often another free port is tried when a port is free on one loopback family only."""

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


class PortInUse(ConfigurationFault):
    """
    Somebody else listens there; a retry makes sense once that program has ended. Names the holder if known.
    """


@attrs.frozen
class Listeners:
    """
    Bound and listening sockets of one port. ``notes`` say which address family could not be had.
    """

    sockets: Sequence[socket.socket]
    port: int
    notes: Sequence[str] = ()

    def close(self) -> None:
        """
        Give the port back; only before the sockets were handed to a reactor.
        """
        for listening in self.sockets:
            listening.close()


def open_listeners(host: str, port: int, runtime_dir: Path | None = None) -> Listeners:
    """
    Take ``port`` on ``host``; on loopback both address families, a failure of one being only a note.

    ``runtime_dir`` is where other daemons announce themselves, so that a holder can be told from a stranger.

    Raises:
        PortInUse: Somebody listens there.
        ConfigurationFault: The address cannot be bound at all.
    """
    if host not in LOOPBACK_NAMES:
        only = _bind(host, port, runtime_dir)
        return Listeners((only,), only.getsockname()[1])
    for _ in range(FREE_PORT_TRIES if port == 0 else 1):
        first = _bind("127.0.0.1", port, runtime_dir)
        taken = int(first.getsockname()[1])
        try:
            return Listeners((first, _bind("::1", taken, runtime_dir)), taken)
        except PortInUse:
            if port != 0:
                first.close()
                raise
            first.close()
        except ConfigurationFault as fault:
            return Listeners((first,), taken, (f"not listening on ::1: {fault.message}",))
    raise ConfigurationFault("no port is free on both 127.0.0.1 and ::1", "name one with --port")


def inherited_listeners(descriptors: Sequence[int]) -> Listeners:
    """
    Sockets that a service supervisor has bound and handed to us (sd_listen_fds(3)).

    Raises:
        ConfigurationFault: A descriptor is no listening stream socket.
    """
    sockets = []
    for descriptor in descriptors:
        listening = socket.socket(fileno=descriptor)
        if listening.type != socket.SOCK_STREAM:
            raise ConfigurationFault(
                f"inherited descriptor {descriptor} is not a stream socket", "use ListenStream= in the unit"
            )
        listening.setblocking(False)
        sockets.append(listening)
    name = sockets[0].getsockname()
    return Listeners(tuple(sockets), int(name[1]) if isinstance(name, tuple) else 0)


def _bind(host: str, port: int, runtime_dir: Path | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise _cannot(host, port, error, runtime_dir) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise _cannot(host, port, error, runtime_dir) from error
    return listening


def _cannot(host: str, port: int, error: OSError, runtime_dir: Path | None) -> ConfigurationFault:
    if error.errno == errno.EADDRINUSE:
        return PortInUse(*port_in_use(host, port, runtime_dir))
    reason = os.strerror(error.errno) if error.errno else str(error)
    return ConfigurationFault(
        f"cannot listen on {host} port {port}: {reason}", "choose another --host or --port"
    )
