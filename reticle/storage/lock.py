"""
One daemon per state directory.

The lock is the kernel's (``flock``), so it ends with the process however that dies; the file's text only
says who holds it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from pathlib import Path

import attrs
import msgspec

from reticle.errors import ConfigurationFault, LocalMisuse
from reticle.model.limits import PRIVATE_FILE_BYTES

LOCK_FILE = "daemon.lock"


class DirectoryInUse(ConfigurationFault):
    """
    Another daemon has the state directory; a retry makes sense once that has ended. Names it if known.
    """


class LockHolder(msgspec.Struct, frozen=True):
    """
    Who holds a state directory. ``started_at`` is in seconds since the epoch; port 0 is not known yet.
    """

    pid: int
    port: int
    started_at: float


@attrs.define
class DirectoryLock:
    """
    The right to use one state directory; take it before anything in it is opened.
    """

    directory: Path
    _descriptor: int | None = attrs.field(default=None, init=False)

    def acquire(self, holder: LockHolder) -> None:
        """
        Take the lock or say who has it; never waits.

        Raises:
            DirectoryInUse: Another daemon has it.
            ConfigurationFault: The file cannot be opened.
            LocalMisuse: We have it already.
        """
        if self._descriptor is not None:
            raise LocalMisuse("the state directory is already locked by us")
        path = self.directory / LOCK_FILE
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise ConfigurationFault(
                f"the lock file {path} cannot be opened: {fault.strerror}", f"mv {path} {path}.old"
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            other = _read_holder(descriptor)
            os.close(descriptor)
            raise _held_by(other, self.directory) from None
        self._descriptor = descriptor
        self.rewrite(holder)

    def rewrite(self, holder: LockHolder) -> None:
        """
        Say more of ourselves, such as the port that was taken for port 0.
        """
        if self._descriptor is None:
            raise LocalMisuse("the state directory is not locked by us")
        text = json.dumps(msgspec.to_builtins(holder)).encode() + b"\n"
        # The text is for people; a full disk must not cost us the lock.
        with contextlib.suppress(OSError):
            os.pwrite(self._descriptor, text, 0)
            os.ftruncate(self._descriptor, len(text))

    def release(self) -> None:
        """
        Give it up; harmless when we do not have it. The file stays: removing it would race a successor.
        """
        if self._descriptor is None:
            return
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None


def _read_holder(descriptor: int) -> LockHolder | None:
    try:
        return msgspec.json.decode(os.pread(descriptor, PRIVATE_FILE_BYTES, 0), type=LockHolder)
    except (OSError, msgspec.DecodeError):
        return None


def _held_by(other: LockHolder | None, directory: Path) -> DirectoryInUse:
    if other is None:
        return DirectoryInUse(
            f"another reticle daemon uses the state directory {directory}",
            "stop it with `reticle stop`, or give this one its own --state-dir",
        )
    where = f", port {other.port}" if other.port else ""
    stop = f"reticle stop --port {other.port}" if other.port else "reticle stop"
    return DirectoryInUse(
        f"another reticle daemon (pid {other.pid}{where}) uses the state directory {directory}",
        f"use that daemon, stop it with `{stop}`, or give this one its own --state-dir",
    )
