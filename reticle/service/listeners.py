"""
Taking the port: plain sockets, bound before there is a reactor, so that a taken port is one clear error
and a forking front such as ``twistd`` keeps what it bound.

The daemon listens on 127.0.0.1 and, where present, ::1, because pages and Node dial ``localhost``
(DESIGN §3).
"""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Sequence
from pathlib import Path

import attrs

from reticle.errors import ConfigurationFault
from reticle.settings import HttpAddress, is_loopback
from reticle.transport.port_holder import port_in_use

BACKLOG = 1024
"""Connections the kernel holds while the loop is busy; 1,000 clients may reconnect at once."""

FREE_PORT_TRIES = 20
"""How often another free port is tried when a port is free on one loopback family only."""

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})

EVERYWHERE = frozenset({"0.0.0.0", "::", "localhost"})  # noqa: S104 - names to show, not binds
"""Hosts that 127.0.0.1 reaches, which clients of every kind understand."""


class PortInUse(ConfigurationFault):
    """
    Somebody else listens there; a retry makes sense once that program has ended. Names the holder if known.
    """


@attrs.frozen
class Listeners:
    """
    Bound and listening sockets of one port. ``host`` is the address or name to reach the first of them by,
    ``notes`` say which address family could not be had. ``second`` is the listener for capability tokens.
    """

    sockets: Sequence[socket.socket]
    host: str
    port: int
    notes: Sequence[str] = ()
    second: Listeners | None = None

    @property
    def url(self) -> str:
        """
        How a program on this machine reaches them.
        """
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def close(self) -> None:
        """
        Give the port back; only before the sockets were handed to a reactor.
        """
        for listening in self.sockets:
            listening.close()
        if self.second is not None:
            self.second.close()


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
        return Listeners((only,), host, only.getsockname()[1])
    for _ in range(FREE_PORT_TRIES if port == 0 else 1):
        first = _bind("127.0.0.1", port, runtime_dir)
        taken = int(first.getsockname()[1])
        try:
            return Listeners((first, _bind("::1", taken, runtime_dir)), host, taken)
        except PortInUse:
            if port != 0:
                first.close()
                raise
            first.close()
        except ConfigurationFault as fault:
            return Listeners((first,), "127.0.0.1", taken, (f"not listening on ::1: {fault.message}",))
    raise ConfigurationFault("no port is free on both 127.0.0.1 and ::1", "name one with --port")


def with_second(first: Listeners, address: HttpAddress | None, runtime_dir: Path | None = None) -> Listeners:
    """
    ``first`` and the second listener at exactly that loopback address, if there is to be one.

    Raises:
        PortInUse: Somebody listens there. ``first`` is closed then, as by every fault.
        ConfigurationFault: The address cannot be bound at all.
    """
    if address is None:
        return first
    host = "127.0.0.1" if address.host == "localhost" else address.host
    try:
        only = _bind(host, address.port, runtime_dir)
    except PortInUse as fault:
        first.close()
        raise PortInUse(
            fault.message, "choose another --mcp-http-addr, such as 127.0.0.1:0, or off"
        ) from None
    except ConfigurationFault as fault:
        first.close()
        raise ConfigurationFault(fault.message, "choose another --mcp-http-addr, or off") from None
    return attrs.evolve(first, second=Listeners((only,), host, only.getsockname()[1]))


def inherited_listeners(descriptors: Sequence[int], *, with_token: bool) -> Listeners:
    """
    Sockets that a service supervisor has bound and handed to us (sd_listen_fds(3)).

    Args:
        descriptors: At least one.
        with_token: Whether a pairing token is set, without which only this machine is served (DESIGN §2).

    Raises:
        ConfigurationFault: A descriptor is no listening TCP socket, or others could reach us without a token.
    """
    sockets: list[socket.socket] = []
    try:
        sockets.extend(_inherited(descriptor) for descriptor in descriptors)
        if not with_token:
            _refuse_exposed(sockets)
    except ConfigurationFault:
        for listening in sockets:
            listening.close()
        raise
    host, port, *_ = sockets[0].getsockname()
    return Listeners(tuple(sockets), str(host), int(port))


def _refuse_exposed(sockets: Sequence[socket.socket]) -> None:
    hosts = [str(listening.getsockname()[0]) for listening in sockets]
    exposed = next((host for host in hosts if not is_loopback(host)), None)
    if exposed is not None:
        raise ConfigurationFault(
            f"the inherited socket on {exposed} is reachable from other machines and no pairing token is set",
            "set RETICLE_TOKEN_FILE to a file that only you can read, or use ListenStream=127.0.0.1:4400",
        )


def _inherited(descriptor: int) -> socket.socket:
    with contextlib.suppress(OSError):
        listening = socket.socket(fileno=descriptor)
        if (
            listening.family in {socket.AF_INET, socket.AF_INET6}
            and listening.type == socket.SOCK_STREAM
            and listening.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
        ):
            listening.setblocking(False)
            return listening
        listening.close()
    raise ConfigurationFault(
        f"inherited descriptor {descriptor} is not a listening TCP socket",
        "use ListenStream= with an address and a port in the unit",
    )


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
    # A name that is not found has a code of the resolver, which is no errno; its text is the error's.
    reason = error.strerror or str(error)
    return ConfigurationFault(
        f"cannot listen on {host} port {port}: {reason}", "choose another --host or --port"
    )
