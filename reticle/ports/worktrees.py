"""
The files of repositories, and who serves them; provided by ``reticle.storage.worktrees``.

All of it runs in threads of the reactor's pool, never in the reactor's and never in the writer's: a mount
that hangs must keep nobody waiting but who asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.provenance import Serving, Snapshot
    from reticle.model.work_files import PublishedFile


class Worktrees(Protocol):
    """
    What is so on this machine's disk now.
    """

    def snapshot(self, root: str) -> Awaitable[Snapshot]:
        """
        All files below a folder, kept so that two states can be compared. It begins at once, whether it is
        awaited or not, and never fails: what cannot be read, or kept, is told in the snapshot.
        """

    def see(self, root: str) -> None:
        """
        Look at all files below a folder without anybody waiting, so that one that goes later is told with
        when it was seen last. At most one such look at a folder is under way; what is asked meanwhile is one
        look behind it. Never fails.
        """

    def seen(self, root: str) -> Awaitable[None]:
        """
        Ready when all looks that ``see`` was asked for until now are through.
        """

    def changed(self, one: str, other: str) -> Awaitable[Sequence[str] | None]:
        """
        Which files differ between two states, sorted; None where one of them is not kept any more. Raises
        ``Refusal`` ``storage_failed``.
        """

    def had(self, tree: str, paths: Sequence[str]) -> Awaitable[Sequence[str] | None]:
        """
        Those of some files that were there in a state; None where it is not kept any more. Raises ``Refusal``
        ``storage_failed``.
        """

    def hidden(self, root: str, paths: Sequence[str]) -> Awaitable[Sequence[str]]:
        """
        Those of some files that are there and in no snapshot any more, because git was told to ignore them,
        and those that are links to a folder outside.
        """

    def read(self, root: str, path: str, most_bytes: int) -> Awaitable[PublishedFile]:
        """
        One file below a folder, no link followed. Raises ``Refusal`` ``path_outside_scope`` where a link
        leads on, and ``artifact_error`` where there is no such plain file or it is larger.
        """

    def read_in_state(
        self, root: str, path: str, most_bytes: int
    ) -> Awaitable[tuple[PublishedFile, Snapshot]]:
        """
        The same, with a state of all files in which the file held exactly that; one that is in no state,
        since git ignores it, is as it was read just before. Raises as ``read``, and ``artifact_error`` for a
        file that changes all the time.
        """

    def serving(self, url: str) -> Awaitable[Serving]:
        """
        Which processes listen at a loopback address.
        """
