"""
What is kept: verdicts, audit rows, notes about reticle; provided by ``reticle.storage``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.audit import AuditCheck, AuditDraft, AuditHead
    from reticle.model.ids import AuditId, VerdictId
    from reticle.model.verdict import Verdict
    from reticle.model.window import Window


class VerdictStore(Protocol):
    """
    Verdicts that survive a restart, with the windows that they rest on.
    """

    def put(self, verdict: Verdict, draft: AuditDraft, *, window: Window | None = None) -> Awaitable[AuditId]:
        """
        Ready when the verdict is committed together with its window and with the row of the call that
        recorded it, which names it; the same id again replaces both. Raises ``Refusal`` ``storage_failed``.
        """

    def window(self, verdict_id: VerdictId) -> Awaitable[Window | None]:
        """
        The window that the verdict was decided over; None when it was too large to be kept or has made room
        for newer ones, which verdicts outlive. Raises ``Refusal`` ``storage_failed``.
        """

    def get(self, verdict_id: VerdictId) -> Awaitable[Verdict | None]:
        """
        The verdict, or None when it never was or is no longer kept.
        """

    def newest(self, count: int, principal: str | None = None) -> Awaitable[Sequence[VerdictId]]:
        """
        The ids of the verdicts put last, or of those that this principal asked for, the newest
        first. Raises ``Refusal`` ``storage_failed``.
        """


class AuditLog(Protocol):
    """
    One row for every tool call. No row, no answer.
    """

    def record(self, draft: AuditDraft) -> Awaitable[AuditId]:
        """
        Ready with the row's id when it is committed; rows arriving while a commit runs share the next.

        Raises ``Refusal`` ``storage_failed``; the caller then must not give the answer.
        """

    @property
    def head(self) -> AuditHead | None:
        """
        The last committed row, None before the store is open; number 0 while there is none.
        """

    def check(self, expected: str | None = None) -> Awaitable[AuditCheck]:
        """
        Whether the chain of rows is whole up to the last one there is now, and whether one of them has the
        hash (hex) that is expected. Raises ``Refusal`` ``storage_failed``.
        """

    def read(self, after: int, limit: int) -> Awaitable[Sequence[Mapping[str, object]]]:
        """
        Rows in the order of the chain behind number ``after``, as JSON values with ``seq`` and ``row_hash``.
        Raises ``Refusal`` ``storage_failed``.
        """

    def newest(self, limit: int, before: int | None = None) -> Awaitable[Sequence[Mapping[str, object]]]:
        """
        The last rows, or the last ones before that number, the newest first. Raises ``Refusal``
        ``storage_failed``.
        """


class PictureStore(Protocol):
    """
    Pictures of pages as files on this machine.
    """

    def keep(self, name: str, png: bytes, *, root: str | None, place: str) -> Awaitable[str]:
        """
        Write a picture over the one of the same name: into ``.reticle/visual`` below ``root``, where there is
        such a folder, else below ``place`` in the state directory, where old ones make room. ``name`` and
        ``place`` are file names. Gives the path. Raises ``Refusal`` ``storage_failed``, or ``conflict`` where
        the project's folder is full or leads elsewhere.
        """


class BaselineStore(Protocol):
    """
    How pages were, as text files on this machine: in ``.reticle/baselines`` below ``root``, where there is
    such a folder, else below ``place`` in the state directory. ``name`` and ``place`` are file names. All
    raise ``Refusal`` ``storage_failed``.
    """

    def keep(self, name: str, text: str, *, root: str | None, place: str) -> Awaitable[str]:
        """
        Write one over that of the same name, and give its path. Raises ``Refusal`` ``conflict`` too, where
        the folder is full or leads elsewhere.
        """

    def read(self, name: str, *, root: str | None, place: str) -> Awaitable[str | None]:
        """
        What was written, or None. Raises ``Refusal`` ``conflict`` too, for what cannot have been.
        """

    def names(self, *, root: str | None, place: str) -> Awaitable[Sequence[str]]:
        """
        All that are there, sorted.
        """


class ContractStore(Protocol):
    """
    What apps declare of themselves, as a text file of each project: ``.reticle/contract.json`` below
    ``root``. Both raise ``Refusal`` ``storage_failed``, and ``conflict`` where that leads out of the project.
    """

    def keep(self, text: str, *, root: str) -> Awaitable[str]:
        """
        Write it over the one that is there, in one step, and give its path. Raises ``Refusal`` ``not_found``
        too, where ``root`` is gone.
        """

    def read(self, *, root: str) -> Awaitable[str | None]:
        """
        What is there, which people may have edited, or None.
        """

    def keep_invariants(self, text: str, *, root: str) -> Awaitable[str]:
        """
        As ``keep``, of ``.reticle/invariants.json``: what must hold of the app on every action.
        """

    def invariants(self, *, root: str) -> Awaitable[tuple[str | None, str | None]]:
        """
        What is there of ``.reticle/invariants.json``, and of the project's ``reticle.toml``; None for what
        is not.
        """


class FeedbackStore(Protocol):
    """
    What agents say about reticle itself, kept on this machine and sent nowhere.
    """

    @property
    def place(self) -> str:
        """
        The file, for people.
        """

    def keep(self, note: Mapping[str, object]) -> Awaitable[int]:
        """
        Ready when the note (JSON values, free of secrets) is in the file; gives how many older notes made
        room. Raises ``Refusal`` ``storage_failed``.
        """
