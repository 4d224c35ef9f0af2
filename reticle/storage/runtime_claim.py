"""
The names that a daemon's socket and its operator's token have in the runtime directory.

The first daemon there has the plain ones. Daemons of one user share the directory, so a second one adds its
port: it must neither take the first one's socket away nor overwrite a token that counts elsewhere.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import attrs

CLAIM_FILE = "daemon.sock.lock"
SOCKET = "daemon.sock"
CLIENT_TOKEN = "client-token"  # noqa: S105 - the name of a file


@attrs.define
class RuntimeClaim:
    """
    The names of one daemon, ours until ``release`` or the end of the process.
    """

    socket: Path
    client_token: Path
    _descriptor: int | None

    def release(self) -> None:
        """
        Give the plain names up, if we had them. The lock's file stays: removing it would race a successor.
        """
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def claim_runtime(runtime_dir: Path, port: int) -> RuntimeClaim:
    """
    The plain names where no living daemon has them, else those with the port.

    Raises:
        OSError: The directory cannot be written.
    """
    path = runtime_dir / CLAIM_FILE
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        named = f"daemon-{port}.sock", f"{CLIENT_TOKEN}-{port}"
        return RuntimeClaim(runtime_dir / named[0], runtime_dir / named[1], None)
    return RuntimeClaim(runtime_dir / SOCKET, runtime_dir / CLIENT_TOKEN, descriptor)
