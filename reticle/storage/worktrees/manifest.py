"""
The state of a repository's files: each with a hash of what is in it, and one fingerprint of them all.

A file that is gone has no time any more: for how long it was there at least, say the looks that saw it.

What a file holds is read once and remembered for as long as its size, inode and times stay; the time of
change is among them, which nobody can set back.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import heapq
import os
import stat
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

import attrs
import msgspec

from reticle.model.provenance import TREE_PREFIX
from reticle.model.tree_limits import (
    CHUNK_BYTES,
    HASHES_REMEMBERED,
    RECENT_FILES,
    REPOSITORIES_SEEN,
    TREE_HASHED_BYTES,
)
from reticle.storage.worktrees.listing import UnlistedError, listed

Hashes: TypeAlias = Mapping[str, bytes]
"""For each file what tells its content from any other."""

_HASH_BYTES: Final = 16
_RUN: Final = b"run\0"
_PLAIN: Final = b"file\0"
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
"""
How the system says that a tracked file is not there: it is gone itself, or its folder is a file now, or a
link in a circle.
"""

_SETTLED_NS: Final = 50_000_000
"""A file that changed less than this before it was read may change again within one tick of its clock."""


@attrs.frozen
class Manifest:
    """
    All files of a repository at one moment. ``changed_ns`` is when each of them changed last, and after when
    those went that are gone, which is no part of the state.
    """

    files: Hashes
    changed_ns: Mapping[str, int] = attrs.field(factory=dict, eq=False)

    @property
    def recent(self) -> tuple[tuple[str, float], ...]:
        """
        The files that changed last, the last one first, with the seconds since the epoch.
        """
        newest = heapq.nlargest(RECENT_FILES, self.changed_ns.items(), key=lambda item: item[1])
        return tuple((told_name(name), at / 1e9) for name, at in newest)

    @property
    def tree(self) -> str:
        """
        The fingerprint of all of it.
        """
        whole = hashlib.sha256()
        for name in sorted(self.files):
            path = os.fsencode(name)
            whole.update(len(path).to_bytes(4, "big") + path + self.files[name])
        return TREE_PREFIX + whole.hexdigest()

    def has(self, path: str, content: bytes) -> bool | None:
        """
        Whether a file held exactly this; None for one that is in no state, such as one that
        git ignores.
        """
        found = self.files.get(path)
        return (
            None if found is None else found in {_hash_of_content(kind, content) for kind in (_PLAIN, _RUN)}
        )

    def differing(self, other: Manifest) -> list[str]:
        """
        The files that are in one of them alone or hold something else, sorted.
        """
        names = self.files.keys() | other.files.keys()
        return sorted(told_name(name) for name in names if self.files.get(name) != other.files.get(name))

    def packed(self) -> bytes:
        """
        As it is stored.
        """
        names = sorted(self.files)
        spelled = [os.fsencode(name) for name in names]
        return zlib.compress(
            msgspec.msgpack.encode((spelled, b"".join(self.files[name] for name in names))), 1
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> Manifest:
        """
        What was stored.
        """
        spelled, hashes = msgspec.msgpack.decode(zlib.decompress(packed), type=tuple[list[bytes], bytes])
        cut = [hashes[at : at + _HASH_BYTES] for at in range(0, len(hashes), _HASH_BYTES)]
        return cls(dict(zip(map(os.fsdecode, spelled), cut, strict=True)))


def told_name(name: str) -> str:
    """
    A file's name as it is told to agents: what is no printable text in it is escaped.
    """
    if name.isprintable():
        return name
    return os.fsencode(name).decode("utf-8", "backslashreplace").encode("unicode_escape").decode("ascii")


class Hashing:
    """
    Reads repositories, and remembers what is in their files. May be used by several threads.

    Args:
        now_ns: Nanoseconds since the epoch, by the clock that file systems go by.
        remembered: Of how many files.
    """

    def __init__(self, now_ns: Callable[[], int], remembered: int = HASHES_REMEMBERED) -> None:
        self._now_ns = now_ns
        self._known: OrderedDict[str, tuple[tuple[int, ...], bytes]] = OrderedDict()
        self._seen: OrderedDict[str, Mapping[str, int]] = OrderedDict()
        self._lock = Lock()
        self._remembered = remembered

    def manifest(self, root: str) -> Manifest:
        """
        The files of a repository now.

        Raises:
            UnlistedError: They cannot be listed or read, or are too many.
        """
        folder = Path(root)
        began_ns = self._now_ns()
        left = TREE_HASHED_BYTES
        files: dict[str, bytes] = {}
        changed: dict[str, int] = {}
        for name in listed(folder):
            told = _told(f"{root}/{name}")
            if told is None:
                continue  # tracked by git, and deleted: it is no file of this state
            try:
                found, read = self._of(f"{root}/{name}", told, left)
            except FileNotFoundError:
                continue
            except OSError as fault:
                raise UnlistedError(f"{name} cannot be read: {fault.strerror or fault}") from None
            left -= read
            files[name] = found
            changed[name] = _changed_ns(f"{root}/{name}", told)
        return Manifest(files, {**self._gone(root, files, began_ns), **changed})

    def _gone(self, root: str, files: Hashes, began_ns: int) -> Mapping[str, int]:
        """
        The files that earlier looks saw and this one does not, each with when it was seen last. A look that
        began earlier may come to its end later.
        """
        with self._lock:
            before = self._seen.pop(root, {})
            missing = {name: at for name, at in before.items() if name not in files}
            gone = dict(heapq.nlargest(RECENT_FILES, missing.items(), key=lambda item: item[1]))
            self._seen[root] = {**gone, **{name: max(began_ns, before.get(name, 0)) for name in files}}
            while len(self._seen) > REPOSITORIES_SEEN:
                self._seen.popitem(last=False)
        return gone

    def _of(self, path: str, told: os.stat_result, left: int) -> tuple[bytes, int]:
        if stat.S_ISLNK(told.st_mode):
            return self._of_link(path, left)
        marks = (told.st_mode, told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino, told.st_dev)
        with self._lock:
            known = self._known.get(path)
            if known is not None and known[0] == marks:
                self._known.move_to_end(path)
                return known[1], 0
        if told.st_size > left:
            raise UnlistedError(f"more than {TREE_HASHED_BYTES} bytes of its files changed")
        found = _hash_of(path, told, left)
        age = self._now_ns() - max(told.st_mtime_ns, told.st_ctime_ns)
        if age > _SETTLED_NS:
            with self._lock:
                self._known[path] = marks, found
                while len(self._known) > self._remembered:
                    self._known.popitem(last=False)
        return found, told.st_size

    def _of_link(self, path: str, left: int) -> tuple[bytes, int]:
        """
        Of where it leads, and of what is in the file there, which may lie outside: who reads the one reads
        the other.
        """
        found, read = hashlib.sha256(b"link\0" + os.fsencode(Path(path).readlink())), 0
        try:
            place = os.path.realpath(path, strict=True)
            told = os.lstat(place)
        except OSError:
            return found.digest()[:_HASH_BYTES], read
        if stat.S_ISREG(told.st_mode):
            content, read = self._of(place, told, left)
            found.update(content)
        return found.digest()[:_HASH_BYTES], read


def _told(path: str) -> os.stat_result | None:
    """
    What the system tells of a file, None where there is none.
    """
    try:
        return os.lstat(path)
    except OSError as fault:
        if fault.errno in _GONE:
            return None
        raise UnlistedError(f"{path} cannot be read: {fault.strerror or fault}") from None


def _changed_ns(path: str, told: os.stat_result) -> int:
    """
    When a file changed; of a link, when it or what it leads to did.
    """
    if stat.S_ISLNK(told.st_mode):
        with contextlib.suppress(OSError):
            return max(told.st_ctime_ns, os.stat(path).st_ctime_ns)  # noqa: PTH116 - as in the rest
    return told.st_ctime_ns


def _hash_of(path: str, told: os.stat_result, left: int) -> bytes:
    """
    Of what a file is and holds; whether it can be run counts, its other rights do not. One that grows while
    it is read ends the look when it has grown to more than is read of all files.
    """
    whole = hashlib.sha256()
    if stat.S_ISREG(told.st_mode):
        whole.update(_RUN if told.st_mode & stat.S_IXUSR else _PLAIN)
        with open(path, "rb", opener=_plainly) as file:
            while chunk := file.read(CHUNK_BYTES):
                left -= len(chunk)
                if left < 0:
                    raise UnlistedError(f"{path} grows while it is read")
                whole.update(chunk)
    else:
        whole.update(b"special\0")
    return whole.digest()[:_HASH_BYTES]


def _hash_of_content(kind: bytes, content: bytes) -> bytes:
    return hashlib.sha256(kind + content).digest()[:_HASH_BYTES]


def _plainly(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
