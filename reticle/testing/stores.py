"""
Stores in memory: what a test puts in place of the state directory.

They pass the contract tests that the stores in ``reticle.storage`` pass.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import attrs
from twisted.internet.defer import Deferred, fail, succeed

from reticle.errors import Refusal
from reticle.model.codes import Carrier, RefusalCode
from reticle.model.ids import AuditId, VerdictId
from reticle.model.verdict import Verdict


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
    """

    def __init__(self) -> None:
        self.kept: dict[VerdictId, Verdict] = {}
        self.failing = False

    def put(self, verdict: Verdict) -> Deferred[None]:
        """
        Keep it at once, or refuse while ``failing``.
        """
        if self.failing:
            return fail(storage_failed())
        self.kept.pop(verdict.verdict_id, None)
        self.kept[verdict.verdict_id] = verdict
        return succeed(None)

    def get(self, verdict_id: VerdictId) -> Deferred[Verdict | None]:
        """
        What was put under this id.
        """
        return succeed(self.kept.get(verdict_id))

    def newest(self, count: int) -> Deferred[Sequence[VerdictId]]:
        """
        The ids that were put last.
        """
        return succeed(list(reversed(self.kept))[:count])


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
    One recorded call, as it was given to ``MemoryAudit.record``.
    """

    audit_id: AuditId
    principal: str
    carrier: Carrier
    tool: str
    decision: str
    arguments_sha256: str
    duration_ms: float
    verdict_id: VerdictId | None = None


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

    def record(
        self,
        *,
        principal: str,
        carrier: Carrier,
        tool: str,
        decision: str,
        arguments_sha256: str,
        duration_ms: float,
        verdict_id: VerdictId | None = None,
    ) -> Deferred[AuditId]:
        """
        Fires with the row's id: ``audit_1``, ``audit_2`` and so on, in the order of the calls.
        """
        if self.failing:
            return fail(storage_failed())
        audit_id = AuditId(f"audit_{self._next}")
        self._next += 1
        row = AuditRow(
            audit_id, principal, carrier, tool, decision, arguments_sha256, duration_ms, verdict_id
        )
        if not self.holding:
            self.rows.append(row)
            return succeed(audit_id)
        committed: Deferred[AuditId] = Deferred()
        self._waiting.append((row, committed))
        return committed

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
