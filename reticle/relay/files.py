"""
Small files read and written with nothing but ``os``: the front reads its first one before anything is loaded.
"""

from __future__ import annotations

import os
import stat

_READ_BYTES = 256 * 1024


def read_whole(path: str, most: int) -> bytes | None:
    """
    The bytes of a regular file, or None when it cannot be read or is larger than ``most``.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        return None if not stat.S_ISREG(status.st_mode) or status.st_size > most else _drain(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def read_own(path: str, most: int) -> bytes | None:
    """
    As ``read_whole``, of a file that is ours (or root's) and that nobody else can write.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o022:
        return None
    return read_whole(path, most)


def write_own(path: str, content: bytes) -> bool:
    """
    Put ``content`` into ``path`` (0600, its folder 0700) in one step; False when that is not possible.
    """
    folder, _, name = path.rpartition("/")
    fresh = f"{folder}/.{name}.{os.getpid()}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib costs 4 ms of the start
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            os.write(descriptor, content)
        finally:
            os.close(descriptor)
        os.rename(fresh, path)  # noqa: PTH104 - as above
    except OSError:
        return False
    return True


def _drain(descriptor: int) -> bytes:
    pieces = []
    while piece := os.read(descriptor, _READ_BYTES):
        pieces.append(piece)
    return b"".join(pieces)
