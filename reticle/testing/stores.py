"""
Stores in memory: what a test puts in place of the state directory.

They pass the contract tests that the stores in ``reticle.storage`` pass.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import attrs
from msgspec.structs import replace
from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.audit import AuditCheck, AuditDraft, AuditHead
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId, VerdictId
from reticle.model.verdict import Verdict
from reticle.model.window import Window


def storage_failed() -> Refusal:
    """
    What a store raises when it cannot commit; a retry makes sense once the disk is well again.
    """
    return Refusal(
        RefusalCode.STORAGE_FAILED, "the state directory cannot be written", "Free disk space, then retry."
    )


class MemoryVerdicts:
    """
    Provides ``ports.VerdictStore``. Set ``failing`` to have every ``put`` refused.

    Args:
        audit: Where the rows go.
    """

    def __init__(self, audit: MemoryAudit | None = None) -> None:
        self.audit = MemoryAudit() if audit is None else audit
        self.kept: dict[VerdictId, Verdict] = {}
        self.windows: dict[VerdictId, Window] = {}
        self.failing = False

    def put(self, verdict: Verdict, draft: AuditDraft, *, window: Window | None = None) -> Deferred[AuditId]:
        """
        Keep it at once, or refuse while ``failing`` or while the audit log is.
        """
        if self.failing or self.audit.failing:
            return fail(storage_failed())
        self.kept.pop(verdict.verdict_id, None)
        self.kept[verdict.verdict_id] = verdict
        self.windows.pop(verdict.verdict_id, None)
        if window is not None:
            self.windows[verdict.verdict_id] = window
        return self.audit.record(replace(draft, verdict_id=verdict.verdict_id))

    def get(self, verdict_id: VerdictId) -> Deferred[Verdict | None]:
        """
        What was put under this id.
        """
        return succeed(self.kept.get(verdict_id))

    def window(self, verdict_id: VerdictId) -> Deferred[Window | None]:
        """
        What was put beside the verdict of this id.
        """
        return succeed(self.windows.get(verdict_id))

    def newest(self, count: int, principal: str | None = None) -> Deferred[Sequence[VerdictId]]:
        """
        The ids that were put last.
        """
        kept = [each for each in reversed(self.kept.values()) if principal in (None, each.principal)]
        return succeed([each.verdict_id for each in kept[:count]])


class MemoryFeedback:
    """
    Provides ``ports.FeedbackStore``. Set ``failing`` to have every ``keep`` refused.
    """

    def __init__(self) -> None:
        self.place = "memory"
        self.notes: list[Mapping[str, object]] = []
        self.failing = False

    def keep(self, note: Mapping[str, object]) -> Deferred[int]:
        """
        Keep it at once; nothing ever makes room.
        """
        if self.failing:
            return fail(storage_failed())
        self.notes.append(dict(note))
        return succeed(0)


@attrs.frozen
class AuditRow:
    """
    One recorded call. ``decision`` is with its reason, as in ``refused:<code>``.
    """

    audit_id: AuditId
    draft: AuditDraft

    @property
    def principal(self) -> str:
        """
        Who called.
        """
        return self.draft.principal

    @property
    def tool(self) -> str:
        """
        What was called.
        """
        return self.draft.tool

    @property
    def decision(self) -> str:
        """
        How it ended, and why.
        """
        return ":".join(filter(None, (self.draft.decision, self.draft.reason)))


class MemoryAudit:
    """
    Provides ``ports.AuditLog``.

    Set ``failing`` to have rows refused, ``holding`` to keep commits waiting until ``commit``.
    """

    def __init__(self) -> None:
        self.rows: list[AuditRow] = []
        self.failing = False
        self.holding = False
        self._waiting: deque[tuple[AuditRow, Deferred[AuditId]]] = deque()
        self._next = 1

    def record(self, draft: AuditDraft) -> Deferred[AuditId]:
        """
        Fires with the row's id: ``audit_1``, ``audit_2`` and so on, in the order of the calls.
        """
        if self.failing:
            return fail(storage_failed())
        row = AuditRow(AuditId(f"audit_{self._next}"), draft)
        self._next += 1
        if not self.holding:
            self.rows.append(row)
            return succeed(row.audit_id)
        committed: Deferred[AuditId] = Deferred()
        self._waiting.append((row, committed))
        return committed

    @property
    def head(self) -> AuditHead:
        """
        The last row; its hash is its id.
        """
        return AuditHead(len(self.rows), self.rows[-1].audit_id if self.rows else "")

    def check(self, expected: str | None = None) -> Deferred[AuditCheck]:
        """
        Always whole.
        """
        met = None if expected is None else any(row.audit_id == expected for row in self.rows)
        count = len(self.rows)
        return succeed(AuditCheck(count, 0, count, self.head.row_hash, None, met))

    def read(self, after: int, limit: int) -> Deferred[Sequence[Mapping[str, object]]]:
        """
        The rows behind a number.
        """
        return succeed(self._shown()[after : after + limit])

    def newest(self, limit: int, before: int | None = None) -> Deferred[Sequence[Mapping[str, object]]]:
        """
        The last rows.
        """
        rows = self._shown() if before is None else self._shown()[: before - 1]
        return succeed(rows[::-1][:limit])

    def _shown(self) -> list[Mapping[str, object]]:
        return [
            {
                "seq": seq,
                "audit_id": row.audit_id,
                "transport": row.draft.transport,
                "tool": row.draft.tool,
                "decision": row.draft.decision,
                "row_hash": row.audit_id,
            }
            for seq, row in enumerate(self.rows, start=1)
        ]

    def commit(self) -> None:
        """
        Commit the rows that wait, as one batch; those that arrive meanwhile wait for the next.
        """
        batch, self._waiting = self._waiting, deque()
        self.rows.extend(row for row, _ in batch)
        for row, committed in batch:
            committed.callback(row.audit_id)

    def decisions(self) -> list[tuple[str, str]]:
        """
        Tool and decision of each row, in order.
        """
        return [(row.tool, row.decision) for row in self.rows]


class MemoryPictures:
    """
    Provides ``ports.PictureStore``; ``kept`` has what was written, by its path.
    """

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def keep(self, name: str, png: bytes, *, root: str | None, place: str) -> Deferred[str]:
        """
        Keep it at once; every root is there.
        """
        folder = f"/state/visual/{place}" if root is None else f"{root}/.reticle/visual"
        path = f"{folder}/{name}.png"
        self.kept[path] = png
        return succeed(path)


class MemoryBaselines:
    """
    Provides ``ports.BaselineStore``; ``kept`` has what was written, by its path.
    """

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def keep(self, name: str, text: str, *, root: str | None, place: str) -> Deferred[str]:
        """
        Keep it at once; every root is there.
        """
        path = f"{_baseline_folder(root, place)}/{name}.json"
        self.kept[path] = text
        return succeed(path)

    def read(self, name: str, *, root: str | None, place: str) -> Deferred[str | None]:
        """
        What was kept.
        """
        return succeed(self.kept.get(f"{_baseline_folder(root, place)}/{name}.json"))

    def names(self, *, root: str | None, place: str) -> Deferred[Sequence[str]]:
        """
        Those of one folder.
        """
        folder = f"{_baseline_folder(root, place)}/"
        found: Sequence[str] = sorted(
            path.removeprefix(folder).removesuffix(".json") for path in self.kept if path.startswith(folder)
        )
        return succeed(found)


class MemoryContracts:
    """
    Provides ``ports.ContractStore``; ``kept`` has what was written, by its path.
    """

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def keep(self, text: str, *, root: str) -> Deferred[str]:
        """
        Keep it at once; every root is there.
        """
        path = f"{root}/.reticle/contract.json"
        self.kept[path] = text
        return succeed(path)

    def read(self, *, root: str) -> Deferred[str | None]:
        """
        What was kept.
        """
        return succeed(self.kept.get(f"{root}/.reticle/contract.json"))

    def keep_invariants(self, text: str, *, root: str) -> Deferred[str]:
        """
        As ``keep``.
        """
        path = f"{root}/.reticle/invariants.json"
        self.kept[path] = text
        return succeed(path)

    def invariants(self, *, root: str) -> Deferred[tuple[str | None, str | None]]:
        """
        What was kept, and a ``reticle.toml`` that the test put there.
        """
        return succeed(
            (self.kept.get(f"{root}/.reticle/invariants.json"), self.kept.get(f"{root}/reticle.toml"))
        )


def _baseline_folder(root: str | None, place: str) -> str:
    return f"/state/baselines/{place}" if root is None else f"{root}/.reticle/baselines"
