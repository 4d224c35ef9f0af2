"""
Repositories' files and servers for tests: whatever is put there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.provenance import TREE_PREFIX, Serving, ServingProcess, Snapshot
from reticle.model.work_files import PublishedFile


class MemoryWorktrees:
    """
    Provides ``ports.Worktrees``.

    ``files`` are the contents by root and path, ``times`` when a path changed last, ``links`` paths over
    which a link leads out. ``servers`` are who listens, by the beginning of an address; ``trouble`` is why
    nothing can be read. ``sights`` are the folders that were to be seen, ``under_way`` is what such a look
    waits for.
    """

    def __init__(self) -> None:
        self.files: dict[str, dict[str, bytes]] = {}
        self.times: dict[str, float] = {}
        self.ignored: set[str] = set()
        self.links: set[str] = set()
        self.servers: dict[str, tuple[ServingProcess, ...]] = {}
        self.trouble = ""
        self.states: dict[str, dict[str, bytes]] = {}
        self.looks = 0
        self.sights: list[str] = []
        self.under_way: Deferred[None] | None = None

    def write(self, root: str, path: str, text: str) -> None:
        """
        Put a file, over the one that is there.
        """
        self.files.setdefault(root, {})[path] = text.encode()

    def snapshot(self, root: str) -> Deferred[Snapshot]:
        """
        See ``Worktrees``.
        """
        self.looks += 1
        if self.trouble:
            return succeed(Snapshot(None, trouble=self.trouble))
        there = self.files.get(root, {})
        files = {path: content for path, content in there.items() if path not in self.ignored}
        tree = TREE_PREFIX + hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
        self.states[tree] = files
        recent = sorted(self.times.items(), key=lambda item: -item[1])
        return succeed(Snapshot(tree, "c0ffee", recent=tuple(recent)))

    def see(self, root: str) -> None:
        """
        See ``Worktrees``.
        """
        self.sights.append(root)

    def seen(self, root: str) -> Deferred[None]:
        """
        See ``Worktrees``.
        """
        del root
        return succeed(None) if self.under_way is None else self.under_way

    def changed(self, one: str, other: str) -> Deferred[Sequence[str] | None]:
        """
        See ``Worktrees``.
        """
        first, second = self.states.get(one), self.states.get(other)
        if first is None or second is None:
            return succeed(() if one == other else None)
        names = first.keys() | second.keys()
        return succeed(sorted(name for name in names if first.get(name) != second.get(name)))

    def had(self, tree: str, paths: Sequence[str]) -> Deferred[Sequence[str] | None]:
        """
        See ``Worktrees``.
        """
        files = self.states.get(tree)
        return succeed(None if files is None else [path for path in paths if path in files])

    def hidden(self, root: str, paths: Sequence[str]) -> Deferred[Sequence[str]]:
        """
        See ``Worktrees``: what ``ignored`` says.
        """
        del root
        return succeed([path for path in paths if path in self.ignored])

    def read(self, root: str, path: str, most_bytes: int) -> Deferred[PublishedFile]:
        """
        See ``Worktrees``.
        """
        if path in self.links:
            return fail(Refusal(RefusalCode.PATH_OUTSIDE_SCOPE, f"{path!r} leads over a link"))
        content = self.files.get(root, {}).get(path)
        if content is None or len(content) > most_bytes:
            return fail(Refusal(RefusalCode.ARTIFACT_ERROR, f"{path!r} cannot be read"))
        return succeed(PublishedFile(content, hashlib.sha256(content).hexdigest()))

    def read_in_state(
        self, root: str, path: str, most_bytes: int
    ) -> Deferred[tuple[PublishedFile, Snapshot]]:
        """
        See ``Worktrees``.
        """
        return self.read(root, path, most_bytes).addCallback(
            lambda file: self.snapshot(root).addCallback(lambda seen: (file, seen))
        )

    def serving(self, url: str) -> Deferred[Serving]:
        """
        See ``Worktrees``.
        """
        for start, processes in self.servers.items():
            if url.startswith(start):
                return succeed(Serving(processes))
        return succeed(Serving(trouble="nobody listens"))
