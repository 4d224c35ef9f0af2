"""
One file of a repository, opened name by name so that no link is followed on the way.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.tree_limits import CHUNK_BYTES
from reticle.model.work_files import PublishedFile

_LINKS: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


def read_file(root: str, path: str, most_bytes: int) -> PublishedFile:
    """
    A plain file below a folder.

    Args:
        root: The folder, links followed.
        path: Relative to it, normalised.
        most_bytes: What it may hold.

    Raises:
        Refusal: ``path_outside_scope`` where a part of the path is a link; ``artifact_error`` where there is
        no
            such plain file, it is larger, or it changes while it is read. A retry makes sense then.
    """
    with contextlib.ExitStack() as opened:
        folder = _open(root, None, os.O_DIRECTORY, path)
        opened.callback(os.close, folder)
        *above, name = path.split("/")
        for part in above:
            folder = _open(part, folder, os.O_DIRECTORY | os.O_NOFOLLOW, path)
            opened.callback(os.close, folder)
        file = _open(name, folder, os.O_NOFOLLOW | os.O_NONBLOCK, path)
        opened.callback(os.close, file)
        return _content(file, path, most_bytes)


def _open(name: str, folder: int | None, flags: int, path: str) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_CLOEXEC | flags, dir_fd=folder)
    except OSError as fault:
        if fault.errno in _LINKS:
            if _is_link(name, folder):
                raise _linked(path) from None
            raise unfit(path, "is no plain file") from None
        raise unfit(path, f"cannot be read: {fault.strerror or fault}") from None


def _is_link(name: str, folder: int | None) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _content(file: int, path: str, most_bytes: int) -> PublishedFile:
    told = os.fstat(file)
    if not stat.S_ISREG(told.st_mode):
        raise unfit(path, "is no plain file")
    whole = hashlib.sha256()
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(file, CHUNK_BYTES):
        size += len(chunk)
        if size > most_bytes:
            raise unfit(path, f"is larger than {most_bytes} bytes")
        whole.update(chunk)
        chunks.append(chunk)
    if os.fstat(file).st_mtime_ns != told.st_mtime_ns or size != told.st_size:
        raise unfit(path, "changed while it was read")
    return PublishedFile(b"".join(chunks), whole.hexdigest())


def _linked(path: str) -> Refusal:
    return Refusal(
        RefusalCode.PATH_OUTSIDE_SCOPE,
        f"{path!r} leads over a link, which may lead anywhere. Nothing was published.",
        "Publish the file itself, at its own place in the repository.",
    )


def unfit(path: str, wrong: str) -> Refusal:
    """
    Why a file cannot be published.
    """
    return Refusal(
        RefusalCode.ARTIFACT_ERROR,
        f"{path!r} {wrong}. Nothing was published.",
        "Write the file first, then publish it by its path from the repository's root.",
    )
