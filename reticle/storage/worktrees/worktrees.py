"""
Provides ``ports.Worktrees``: looks at files and processes in threads, and keeps what it saw of files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from reticle.errors import Refusal
from reticle.model.provenance import Serving, Snapshot
from reticle.model.work_files import PublishedFile
from reticle.storage.worktrees.coalesced import CoalescedLooks
from reticle.storage.worktrees.listeners import serving
from reticle.storage.worktrees.listing import UnlistedError, commit_of, listed
from reticle.storage.worktrees.manifest import Hashing, Manifest, told_name
from reticle.storage.worktrees.manifests import StoredManifests
from reticle.storage.worktrees.reading import read_file, unfit

LOOKS: Final = 3
"""How often a file is read that differs from what the look at all files found, before it is refused."""

PUT_AGAIN_NS: Final = 60 * 10**9
"""A state that was kept so lately is not kept again; far less than it takes to make room for others."""


@attrs.frozen
class _Look:
    """
    What one look at all files found, as it is told and as it is kept.
    """

    manifest: Manifest
    seen: Snapshot
    packed: bytes


class RealWorktrees:
    """
    The files of this machine.

    Args:
        reactor: Whose thread pool is used.
        manifests: Where states are kept.
        now_ns: Nanoseconds since the epoch.
    """

    def __init__(self, reactor: Any, manifests: StoredManifests, now_ns: Callable[[], int]) -> None:
        self._reactor = reactor
        self._manifests = manifests
        self._now_ns = now_ns
        self._hashing = Hashing(now_ns)
        self._sights = CoalescedLooks(lambda root: self._in_thread(self._hashing.manifest, root))
        self._put: dict[str, int] = {}

    def snapshot(self, root: str) -> Deferred[Snapshot]:
        """
        See ``ports.Worktrees``.
        """
        return Deferred.fromCoroutine(self._snapshot(root))

    async def _snapshot(self, root: str) -> Snapshot:
        try:
            return await self._kept(await self._in_thread(self._look, root))
        except (UnlistedError, OSError, Refusal) as fault:
            return _untold(fault)

    async def _kept(self, look: _Look) -> Snapshot:
        if look.seen.tree is not None:
            await self._keep(look.seen.tree, look.packed)
        return look.seen

    async def _keep(self, tree: str, packed: bytes) -> None:
        """
        Put it into the database, unless that was done just now: many verdicts are about the same files.
        """
        now = self._now_ns()
        last = self._put.get(tree)
        if last is not None and 0 <= now - last < PUT_AGAIN_NS:
            return
        await self._manifests.put(tree, packed)
        self._put = {each: at for each, at in self._put.items() if now - at < PUT_AGAIN_NS} | {tree: now}

    def see(self, root: str) -> None:
        """
        See ``ports.Worktrees``.
        """
        self._sights.ask(root)

    def seen(self, root: str) -> Deferred[None]:
        """
        See ``ports.Worktrees``.
        """
        return self._sights.through(root)

    async def changed(self, one: str, other: str) -> Sequence[str] | None:
        """
        See ``ports.Worktrees``.
        """
        if one == other:
            return ()
        packed = [await self._manifests.get(tree) for tree in (one, other)]
        first, second = packed
        if first is None or second is None:
            return None
        found: Sequence[str] = await self._in_thread(_differing, first, second)
        return found

    async def had(self, tree: str, paths: Sequence[str]) -> Sequence[str] | None:
        """
        See ``ports.Worktrees``.
        """
        packed = await self._manifests.get(tree)
        if packed is None:
            return None
        found: Sequence[str] = await self._in_thread(_had, packed, paths)
        return found

    async def hidden(self, root: str, paths: Sequence[str]) -> Sequence[str]:
        """
        See ``ports.Worktrees``.
        """
        found: Sequence[str] = await self._in_thread(_hidden, root, paths)
        return found

    async def read(self, root: str, path: str, most_bytes: int) -> PublishedFile:
        """
        See ``ports.Worktrees``.
        """
        found: PublishedFile = await self._in_thread(read_file, root, path, most_bytes)
        return found

    async def read_in_state(self, root: str, path: str, most_bytes: int) -> tuple[PublishedFile, Snapshot]:
        """
        See ``ports.Worktrees``.
        """
        for _ in range(LOOKS):
            file = await self.read(root, path, most_bytes)
            try:
                look = await self._in_thread(self._look, root)
                if look.manifest.has(path, file.content) is not False:
                    return file, await self._kept(look)
            except (UnlistedError, OSError, Refusal) as fault:
                return file, _untold(fault)
        raise unfit(path, "changes while it is published")

    async def serving(self, url: str) -> Serving:
        """
        See ``ports.Worktrees``.
        """
        found: Serving = await self._in_thread(serving, url, lambda: self._now_ns() / 1e9)
        return found

    def _look(self, root: str) -> _Look:
        manifest = self._hashing.manifest(root)
        seen = Snapshot(manifest.tree, commit_of(Path(root)), recent=manifest.recent)
        return _Look(manifest, seen, manifest.packed())

    def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return deferToThreadPool(self._reactor, self._reactor.getThreadPool(), work, *arguments)


def _untold(fault: Exception) -> Snapshot:
    """
    Why there is no state, in text that can be sent: a file's name may be none.
    """
    return Snapshot(None, trouble=told_name(str(fault)))


def _hidden(root: str, paths: Sequence[str]) -> Sequence[str]:
    try:
        seen = frozenset(listed(Path(root)))
        folder = Path(root).resolve()
        return [path for path in paths if _is_hidden(folder, path, seen)]
    except (UnlistedError, OSError, RuntimeError):  # links in a circle too
        return paths  # what cannot be told must not count as seen


def _is_hidden(root: Path, path: str, seen: frozenset[str]) -> bool:
    """
    Of a folder that a link leads to outside, no file is looked at.
    """
    place = root / path
    if path not in seen:
        return place.is_file()
    return place.is_symlink() and place.is_dir() and not place.resolve().is_relative_to(root)


def _had(packed: bytes, paths: Sequence[str]) -> Sequence[str]:
    names = {*map(told_name, Manifest.unpacked(packed).files)}
    return [path for path in paths if path in names]


def _differing(one: bytes, other: bytes) -> Sequence[str]:
    return Manifest.unpacked(one).differing(Manifest.unpacked(other))
