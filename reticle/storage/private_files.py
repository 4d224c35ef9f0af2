"""
Small files and folders that only their owner may read: made, replaced in one step, checked on reading.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from reticle.errors import ConfigurationFault
from reticle.model.limits import PRIVATE_FILE_BYTES


def prepare_directory(path: Path, purpose: str, variable: str) -> Path:
    """
    Make ``path`` (0700) where it is missing, and check that it is ours, closed to others and writable.

    Args:
        path: An absolute path.
        purpose: What it is called in messages, such as ``state directory``.
        variable: The environment variable that would choose another one.

    Raises:
        ConfigurationFault: It is not usable; the next step is the one command that mends it.
    """
    elsewhere = f"set {variable} to a directory that you own and can write"
    if not path.is_absolute():
        raise ConfigurationFault(f"the {purpose} {path} has no absolute path (is HOME set?)", elsewhere)
    try:
        _make(path)
        status = path.stat()
        above = path.parent.stat()
    except OSError as fault:
        raise ConfigurationFault(
            f"the {purpose} {path} cannot be made: {fault.strerror or fault}", elsewhere
        ) from None
    if not stat.S_ISDIR(status.st_mode):
        raise ConfigurationFault(f"the {purpose} {path} is not a directory", elsewhere)
    me = os.geteuid()
    if status.st_uid != me:
        raise ConfigurationFault(f"the {purpose} {path} belongs to user {status.st_uid}, not {me}", elsewhere)
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ConfigurationFault(f"the {purpose} {path} is open to other users", f"chmod 700 {path}")
    if above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX:
        raise ConfigurationFault(
            f"anybody may replace the {purpose} {path}: {path.parent} is writable by all",
            f"chmod o-w {path.parent}",
        )
    if not os.access(path, os.W_OK | os.X_OK):
        raise ConfigurationFault(f"the {purpose} {path} cannot be written", elsewhere)
    return path


def _make(path: Path) -> None:
    """
    As ``mkdir -p`` with every new folder closed to others; Path.mkdir opens the parents by the umask.
    """
    if path.is_dir():
        return
    if not path.parent.is_dir():
        _make(path.parent)
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)


def write_private(path: Path, text: str) -> None:
    """
    Put ``text`` into ``path`` (0600) in one step: a reader sees the old or the new, never a part.

    Raises:
        OSError: The directory cannot be written; ``path`` is as it was.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def write_private_if_none(path: Path, text: str) -> bool:
    """
    As ``write_private``, unless ``path`` is there already; whether it was written.

    Raises:
        OSError: The directory cannot be written.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    write_private(fresh, text)
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        return False
    finally:
        fresh.unlink(missing_ok=True)
    return True


def read_private(path: Path) -> str | None:
    """
    The text of a file that is ours and closed to others' writing, or None.

    A file of another user, a link, a directory or one over ``PRIVATE_FILE_BYTES`` is not believed.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        trusted = stat.S_ISREG(status.st_mode) and status.st_uid in (os.geteuid(), 0)
        if not trusted or status.st_mode & 0o022 or status.st_size > PRIVATE_FILE_BYTES:
            return None
        return os.read(descriptor, PRIVATE_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(descriptor)


def remove_if_holds(path: Path, text: str) -> bool:
    """
    Remove ``path`` only while it still says ``text``: a successor may have written its own.
    """
    if read_private(path) != text:
        return False
    with contextlib.suppress(OSError):
        path.unlink()
    return True
