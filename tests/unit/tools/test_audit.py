"""
The audit log for administrators.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from twisted.internet.defer import Deferred, succeed

from reticle.model.audit import AuditCheck, AuditFault
from reticle.model.codes import AuditTransport, Capability
from reticle.model.limits import AUDIT_LISTED_ROWS
from reticle.testing.drafts import a_draft
from reticle.testing.stores import MemoryAudit
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools.audit import TOOLS

LIST, VERIFY, EXPORT = TOOLS


def call(scene: Scene, tool: Any, **arguments: object) -> Any:
    """
    The fields of an answer.
    """
    return answer_of(tool, scene.context, arguments).fields


def fill(scene: Scene, rows: int) -> None:
    """
    So many rows, named t1 and so on.
    """
    for number in range(1, rows + 1):
        scene.context.audit.record(a_draft(f"t{number}"))


def test_only_administrators_read_the_log() -> None:
    """
    What others did is not for every agent; reading it changes nothing.
    """
    assert [tool.name for tool in TOOLS] == ["audit.list", "audit.verify", "audit.export"]
    assert {tool.capability for tool in TOOLS} == {Capability.ADMIN}
    assert all(tool.annotations.read_only and not tool.mutates for tool in TOOLS)


def test_the_newest_rows_come_first_and_next_leads_to_the_oldest(scene: Scene) -> None:
    """
    Whoever follows ``next`` sees every row once.
    """
    fill(scene, 7)
    seen, following = [], {"limit": 3}
    while following is not None:
        page = call(scene, LIST, **following)
        seen += [row["tool"] for row in page["rows"]]
        following = page["next"] and {"limit": 3, **page["next"]}
    assert seen == ["t7", "t6", "t5", "t4", "t3", "t2", "t1"]


def test_an_empty_log_is_an_answer(scene: Scene) -> None:
    """
    Before the first call there is nothing to list and nothing to export.
    """
    assert call(scene, LIST) == {"rows": [], "next": None}
    assert call(scene, EXPORT) == {"ndjson": "", "count": 0, "until": 0, "next": None}


def test_an_export_ends_although_each_page_is_a_row(scene: Scene) -> None:
    """
    The export has the rows that were there at its first page, once each, a line of JSON for each.
    """
    fill(scene, 5)
    lines, following = [], {"limit": 2}
    while following is not None:
        page = call(scene, EXPORT, **following)
        lines += page["ndjson"].splitlines()
        scene.context.audit.record(a_draft("audit.export"))
        assert page["until"] == 5
        following = page["next"] and {"limit": 2, **page["next"]}
    assert [json.loads(line)["tool"] for line in lines] == ["t1", "t2", "t3", "t4", "t5"]


def test_a_whole_log_is_said_to_be(scene: Scene) -> None:
    """
    The answer has the head to note, and says whether a noted one is still there.
    """
    fill(scene, 2)
    found = call(scene, VERIFY)
    assert (found["whole"], found["rows"], found["head"], found["expectedMet"]) == (True, 2, "audit_2", None)
    assert found["why"] == "all 2 rows are as they were written"


ANEW = "no row has the expected hash: they were written anew since it was noted"


class Tampered(MemoryAudit):
    """
    A log whose check finds something.
    """

    def __init__(self, found: AuditCheck) -> None:
        super().__init__()
        self.found = found
        self.expected: list[str | None] = []

    def check(self, expected: str | None = None) -> Deferred[AuditCheck]:
        """
        What was given.
        """
        self.expected.append(expected)
        return succeed(self.found)


@pytest.mark.parametrize(
    ("fault", "pruned", "why"),
    [
        (
            AuditFault("altered", 4, "audit_4"),
            0,
            "row 4 does not follow on row 3: one of the two was changed",
        ),
        (AuditFault("missing", 4, None), 0, "row 4 is missing"),
        (AuditFault("inserted", 4, "audit_x"), 0, "row 4 was put in or moved"),
        (None, 0, ANEW),
        (
            None,
            9,
            f"{ANEW}, or it was one of the 9 that have made room",
        ),
    ],
)
def test_what_is_wrong_is_said_in_words(
    scene: Scene, fault: AuditFault | None, pruned: int, why: str
) -> None:
    """
    An administrator reads which row to look at, and a program finds it in a field.
    """
    audit = Tampered(AuditCheck(3, pruned, 3, "00", fault, met_expected=False))
    scene.context.audit = audit
    found = call(scene, VERIFY, expect="AB" * 32)
    assert (found["whole"], found["why"]) == (False, why)
    told = None if fault is None else {"kind": fault.kind, "seq": fault.seq, "row": fault.audit_id}
    assert found["fault"] == told
    assert audit.expected == ["ab" * 32]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [(VERIFY, {"expect": "abc"}), (LIST, {"limit": 0}), (LIST, {"before": 0}), (EXPORT, {"after": -1})],
)
def test_arguments_have_their_bounds(scene: Scene, tool: Any, arguments: dict[str, object]) -> None:
    """
    Half a hash, or a row before the first, is refused and not taken for something else.
    """
    with pytest.raises(msgspec.ValidationError):
        call(scene, tool, **arguments)


def test_batches_of_facts_do_not_push_calls_out(scene: Scene) -> None:
    """
    An app that tells several times a second is counted, not listed, unless asked for; ``next`` leads on.
    """
    scene.context.audit.record(a_draft("first"))
    for number in range(AUDIT_LISTED_ROWS + 3):
        told = msgspec.structs.replace(a_draft(f"f{number}"), transport=AuditTransport.INGEST)
        scene.context.audit.record(told)
    scene.context.audit.record(a_draft("last"))
    page = call(scene, LIST, limit=1)
    assert [row["tool"] for row in page["rows"]] == ["last"]
    assert "factBatches" not in page
    page = call(scene, LIST, limit=1, **page["next"])
    assert ([row["tool"] for row in page["rows"]], page["factBatches"]) == (["first"], AUDIT_LISTED_ROWS + 3)
    assert page["next"] is None
    page = call(scene, LIST, limit=2, facts=True)
    assert page["next"] == {"before": AUDIT_LISTED_ROWS + 4, "facts": True}
    assert [row["tool"] for row in page["rows"]] == ["last", f"f{AUDIT_LISTED_ROWS + 2}"]
    assert "factBatches" not in page
