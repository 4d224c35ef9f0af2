"""
Where the daemon is and what it lets us in with: ``probe.json`` in its runtime directory.

The order is the daemon's own (``reticle.storage.directories``; a test compares both). A file that others
could have written is not believed: facts of the app would go to them.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

_NAME: Final = "probe.json"
_BYTES: Final = 4_096
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class DaemonAddress(NamedTuple):
    """
    What the daemon says of itself.

    ``host`` and ``port`` to dial, ``path`` of the ingest, ``token`` for it, ``sdk`` the path of the page
    script, ``bridge`` the URL that a page dials.
    """

    host: str
    port: int
    path: str
    token: str
    sdk: str
    bridge: str


def candidates(environ: Mapping[str, str]) -> Sequence[Path]:
    """
    Files to look at, in order; only the first that is there counts.
    """
    if told := environ.get("RETICLE_PROBE_FILE"):
        return [Path(told)]
    if told := environ.get("RETICLE_RUNTIME_DIR") or environ.get("STRIATUM_DAEMON_RUNTIME_DIR"):
        return [Path(told).expanduser() / _NAME]
    folders = []
    if unit := environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        folders.append(Path(unit))  # of our own unit; the daemon's may be another, so it is not the only one
    if sys.platform == "darwin":
        folders.append(Path("~/Library/Caches/TemporaryItems/reticle").expanduser())
    if runtime := environ.get("XDG_RUNTIME_DIR"):
        folders.append(Path(runtime) / "reticle")
    folders.append(Path(f"/run/user/{os.getuid()}/reticle"))
    folders.append(Path(tempfile.gettempdir()) / f"runtime-{os.getuid()}" / "reticle")
    return [folder / _NAME for folder in folders]


def find_daemon(environ: Mapping[str, str]) -> DaemonAddress | None:
    """
    The daemon that runs, as far as a file can tell; None where there is no file to be believed.
    """
    for path in candidates(environ):
        text = _private_text(path)
        if text is not None:
            return _address(text, anywhere="RETICLE_PROBE_FILE" in environ)
    return None


def _private_text(path: Path) -> bytes | None:
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            return None
        return os.read(number, _BYTES)
    except OSError:
        return None
    finally:
        os.close(number)


def _address(text: bytes, *, anywhere: bool) -> DaemonAddress | None:
    """
    Read it; a host beyond this machine only where a person named the file (a container's gateway).
    """
    try:
        told = json.loads(text)
        url = urlsplit(told["url"])
        host, port, token = url.hostname, url.port, told["token"]
        sdk, bridge = told.get("sdk", "/sdk.js"), told.get("bridge", "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    texts = (token, sdk, bridge)
    if url.scheme != "http" or not host or not port or not all(isinstance(each, str) for each in texts):
        return None
    if not anywhere and host not in _LOOPBACK:
        return None
    if not token.isascii() or not token.isprintable():
        return None
    return DaemonAddress(host, port, url.path or "/", token, sdk, bridge)
