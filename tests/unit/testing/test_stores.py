"""
The stores in memory.
"""

from __future__ import annotations

from typing import Any

from reticle.testing.drafts import a_draft
from reticle.testing.stores import MemoryAudit


def record(audit: MemoryAudit, tool: str) -> list[Any]:
    """
    Ids and refusal codes that a record ends with.
    """
    ended: list[Any] = []
    recorded = audit.record(a_draft(tool))
    recorded.addCallbacks(ended.append, lambda failure: ended.append(failure.value.code))
    return ended


def test_rows_wait_for_their_commit() -> None:
    """
    While commits are held nothing is told; one commit tells all that waited, in order.
    """
    audit = MemoryAudit()
    assert record(audit, "a") == ["audit_1"]
    audit.holding = True
    second, third = record(audit, "b"), record(audit, "c")
    assert (second, third, len(audit.rows)) == ([], [], 1)
    audit.commit()
    assert (second, third) == (["audit_2"], ["audit_3"])
    assert [row.tool for row in audit.rows] == ["a", "b", "c"]


def test_a_failing_log_refuses() -> None:
    """
    A log that cannot be written refuses with the code that the gate passes on.
    """
    audit = MemoryAudit()
    audit.failing = True
    assert record(audit, "a") == ["storage_failed"]
    assert audit.rows == []
