"""
Who listens on a port: our own daemon, another program, or somebody we may not see.

Linux: ``/proc`` (proc(5)); elsewhere only our own daemons are recognised.
Reads a few hundred small files: for a failed start and for ``reticle doctor``, not for a running daemon.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from reticle.storage.daemon_file import DaemonRecord, living_daemons

_PROC: Final = Path("/proc")
_LISTEN: Final = "0A"
_PROGRAM_CHARS: Final = 80


@attrs.frozen
class Listener:
    """
    One listening TCP socket.
    """

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    port: int
    inode: str


@attrs.frozen
class PortHolder:
    """
    Who holds a port. ``pid`` is None where we may not look; ``daemon`` is set for one of ours.
    """

    program: str
    pid: int | None = None
    daemon: DaemonRecord | None = None


def parse_listeners(table: str) -> Sequence[Listener]:
    """
    The listening sockets of ``/proc/net/tcp`` or ``tcp6``; lines that are none are passed over.
    """
    found = []
    for line in table.splitlines()[1:]:
        fields = line.split()
        if len(fields) < 10 or fields[3] != _LISTEN:
            continue
        with contextlib.suppress(ValueError):
            address, _, port = fields[1].partition(":")
            found.append(Listener(_parse_address(address), int(port, 16), fields[9]))
    return found


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """
    Addresses stand there as 32-bit words in the machine's order, which is little-endian where we run.
    """
    words = bytes.fromhex(text)
    address = ipaddress.ip_address(b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4)))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def find_port_holder(
    host: str, port: int, runtime_dir: Path | None = None, proc: Path = _PROC
) -> PortHolder | None:
    """
    Who listens where ``host:port`` would, or None when nobody seems to.
    """
    daemons = living_daemons(runtime_dir) if runtime_dir is not None else []
    ours = next((daemon for daemon in daemons if daemon.port == port), None)
    if ours is not None:
        return PortHolder("a reticle daemon", ours.pid, ours)
    inodes = {one.inode for one in _listeners(proc) if one.port == port and _overlaps(one, host)}
    if not inodes:
        return None
    for pid in _pids(proc):
        if inodes & set(_socket_inodes(proc / str(pid))):
            return PortHolder(_program(proc / str(pid)), pid)
    return PortHolder("a program of another user")


def port_in_use(host: str, port: int, runtime_dir: Path | None = None, proc: Path = _PROC) -> tuple[str, str]:
    """
    For a bind that failed: one sentence that says who has the port, and the next step.
    """
    holder = find_port_holder(host, port, runtime_dir, proc)
    other = "or use --port 0 for a free one"
    if holder is not None and holder.daemon is not None:
        second = "start another with --port 0 and its own --state-dir"
        return (
            f"port {port} is in use by a reticle daemon (pid {holder.pid})",
            f"use that daemon, stop it with `reticle stop --port {port}`, or {second}",
        )
    if holder is not None and holder.pid is not None:
        return (
            f"port {port} is in use by {holder.program} (pid {holder.pid})",
            f"stop that program, {other}",
        )
    who = "a program that cannot be seen" if holder is None else holder.program
    return f"port {port} is in use by {who}", f"find it with {find_command(port)}, {other}"


def explain_port_in_use(host: str, port: int, runtime_dir: Path | None = None, proc: Path = _PROC) -> str:
    """
    As ``port_in_use``, on one line.
    """
    return "; ".join(port_in_use(host, port, runtime_dir, proc))


def find_command(port: int) -> str:
    """
    The command that shows the holder to somebody with the right to see it.
    """
    return f"`sudo lsof -nP -iTCP:{port} -sTCP:LISTEN`"


def _listeners(proc: Path) -> Iterator[Listener]:
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            yield from parse_listeners((proc / "net" / name).read_text(encoding="ascii", errors="replace"))


def _overlaps(listener: Listener, host: str) -> bool:
    """
    Whether binding ``host`` would meet this listener: same address, or either of them is "all".
    """
    if listener.address.is_unspecified:
        return True
    wanted = ["127.0.0.1", "::1"] if host == "localhost" else [host]
    for one in wanted:
        try:
            address = ipaddress.ip_address(one)
        except ValueError:
            return True
        if address.is_unspecified or address == listener.address:
            return True
    return False


def _pids(proc: Path) -> Sequence[int]:
    with contextlib.suppress(OSError):
        return sorted(int(entry.name) for entry in proc.iterdir() if entry.name.isdigit())
    return []


def _socket_inodes(process: Path) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                target = str(entry.readlink())
                if target.startswith("socket:["):
                    yield target[8:-1]


def _program(process: Path) -> str:
    """
    The program's name and, for an interpreter, what it runs; never whole arguments: they hold secrets.
    """
    try:
        argv = (process / "cmdline").read_bytes().split(b"\0")
        name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "a program that has just ended"
    words = [part.decode("utf-8", "replace") for part in argv if part]
    if words[1:2] == ["-m"] and len(words) > 2:
        name = f"{name} -m {words[2]}"
    elif len(words) > 1 and Path(words[1]).suffix in (".py", ".js", ".mjs", ".rb"):
        name = f"{name} {Path(words[1]).name}"
    return "".join(mark if mark.isprintable() else "?" for mark in name[:_PROGRAM_CHARS])
