"""
Which processes listen at a loopback address, and where they run: by ``/proc``, where there is one (proc(5)).
"""

from __future__ import annotations

import ipaddress
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from reticle.model.provenance import Serving, ServingProcess
from reticle.model.tree_limits import PROCESSES_LOOKED_AT

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS: Final = {"http": 80, "https": 443}
_LISTENING: Final = "0A"
_SOCKET: Final = re.compile(r"socket:\[(\d+)\]")
_CODE: Final = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".php", ".html", ".json"})
_INSTALLED: Final = frozenset({"site-packages", "dist-packages", "node_modules", "gems"})
"""Folders of installed packages: what lies there is the server, and not the app."""

_TRIES: Final = 20
_AT_ONCE_SECONDS: Final = 0.01
"""Between two looks at the clock; a tick of the system is as long."""

_WORDS: Final = 64
"""Words of a command line that are looked at."""


def serving(url: str, now: Callable[[], float], proc: Path = Path("/proc")) -> Serving:
    """
    Who listens where a page was loaded from; several processes may share one socket.

    Args:
        url: The page's address.
        now: Seconds since the epoch; read beside what the system tells, since whoever asks may have waited.
        proc: Where the system tells of its processes.
    """
    port, hosts = _loopback(url)
    if port is None:
        return Serving(trouble="the page is not from a loopback address of this machine")
    if not (proc / "net" / "tcp").exists():
        return Serving(trouble="this system has no /proc that tells who listens")
    inodes = {*_inodes(proc, port, hosts)}
    if not inodes:
        return Serving(
            trouble=f"nobody was seen to listen there on port {port}; it may be in another namespace"
        )
    found = tuple(sorted(_holders(proc, inodes, _up_since(proc, now)), key=lambda process: process.pid))
    if not found:
        return Serving(trouble=f"the process on port {port} is another user's")
    return Serving(found)


def _loopback(url: str) -> tuple[int | None, frozenset[_Address]]:
    """
    The port of an address, None where it is none of this machine alone, and where it leads by its name.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
        if host == "localhost" or host.endswith(".localhost"):
            return port, frozenset(map(ipaddress.ip_address, ("127.0.0.1", "::1")))
        address = ipaddress.ip_address(host)
    except ValueError:
        return None, frozenset()
    return (port if address.is_loopback else None), frozenset({address})


def _inodes(proc: Path, port: int, hosts: frozenset[_Address]) -> Iterator[str]:
    """
    The sockets that listen on a port, of either family, where one of the hosts leads to: another program may
    have the same port of another address.
    """
    for name in ("tcp", "tcp6"):
        try:
            lines = (proc / "net" / name).read_text(encoding="ascii", errors="replace").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if len(fields) <= 9 or fields[3] != _LISTENING:
                continue
            address, _, number = fields[1].rpartition(":")
            if int(number, 16) == port and _answers(_address(address), hosts):
                yield fields[9]


def _address(words: str) -> _Address:
    """
    An address as proc(5) writes it: words of 32 bits, each in the order of this machine.
    """
    raw = b"".join(int(words[at : at + 8], 16).to_bytes(4, sys.byteorder) for at in range(0, len(words), 8))
    found = ipaddress.ip_address(raw)
    return getattr(found, "ipv4_mapped", None) or found


def _answers(listening: _Address, hosts: frozenset[_Address]) -> bool:
    """
    Whether a socket at one address is reached at one of the others; one for all of IPv6 may be for IPv4 too.
    """
    if listening.is_unspecified:
        return listening.version == 6 or any(host.version == 4 for host in hosts)
    return listening in hosts


def _up_since(proc: Path, now: Callable[[], float]) -> float | None:
    """
    When the system was started. Of two looks at the clock the first one counts, and where others kept us from
    the second one it is done again: a server must seem neither younger than it is, nor much older.
    """
    since = None
    for _ in range(_TRIES):
        before = now()
        try:
            up = float((proc / "uptime").read_text(encoding="ascii").split()[0])
        except (OSError, ValueError, IndexError):
            return None
        since = before - up
        if now() - before < _AT_ONCE_SECONDS:
            break
    return since


def _holders(proc: Path, inodes: set[str], up_since: float | None) -> Iterator[ServingProcess]:
    processes = [process for process in proc.iterdir() if process.name.isdigit()][:PROCESSES_LOOKED_AT]
    for process in processes:
        if _holds(process / "fd", inodes):
            folder = _folder(process)
            started = _started_at(process, up_since)
            named = _named(process, folder)
            yield ServingProcess(int(process.name), folder, named, started, is_apart(process, folder))


def _holds(descriptors: Path, inodes: set[str]) -> bool:
    try:
        for descriptor in descriptors.iterdir():
            try:
                found = _SOCKET.fullmatch(str(descriptor.readlink()))
            except OSError:
                continue
            if found is not None and found[1] in inodes:
                return True
    except OSError:
        pass  # ended meanwhile, or another user's
    return False


def _started_at(process: Path, up_since: float | None) -> float | None:
    """
    By when the system was started, and the tick at which the process was.
    """
    if up_since is None:
        return None
    try:
        stat = (process / "stat").read_text(encoding="utf-8", errors="replace")
        # the program's name stands in parentheses and may hold anything
        ticks = int(stat.rpartition(")")[2].split()[19])
        return up_since + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _folder(process: Path) -> str | None:
    try:
        return str((process / "cwd").readlink())
    except OSError:
        return None


def is_apart(process: Path, folder: str | None) -> bool:
    """
    Whether the folder that a process works in is another one than we see under its name: another mount may
    be there for the process, or the folder is gone.
    """
    if folder is None:
        return False
    try:
        real = (process / "cwd").stat()
    except OSError:
        return False  # another user's, or ended meanwhile
    try:
        seen = Path(folder).stat()
    except OSError:
        return True
    return (real.st_dev, real.st_ino) != (seen.st_dev, seen.st_ino)


def _named(process: Path, folder: str | None) -> tuple[str, ...]:
    """
    The scripts and folders that a command line names, with links followed; not the program itself, nor what
    lies beside it, such as ``gunicorn`` in the folder of ``python``.
    """
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")[1:_WORDS]
        program = (process / "exe").readlink().parent
    except OSError:
        return ()
    found: list[str] = []
    for word in map(os.fsdecode, words):
        path = Path(folder or "/", word.rpartition("=")[2] if word.startswith("-") else word)
        if not word or not _is_place(path):
            continue
        real = path.resolve()
        if not real.is_relative_to(program) and _INSTALLED.isdisjoint(real.parts):
            found.append(str(real))
    return tuple(dict.fromkeys(found))


def _is_place(path: Path) -> bool:
    """
    Whether it is a file of code, or a folder with code or pages in it: a folder for logs says nothing.
    """
    try:
        if path.is_dir():
            return any(each.suffix in _CODE for each in path.iterdir())
        return path.is_file() and path.suffix in _CODE
    except (OSError, ValueError):
        return False
