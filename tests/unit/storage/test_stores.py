"""
The contract of the stores: in the database and in memory alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.model.audit import AuditCheck
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.ids import VerdictId
from reticle.model.verdict import Decision, Held, Honesty, Outcome, Verdict
from reticle.model.window import Window
from reticle.ports import AuditLog, VerdictStore
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.verdicts import StoredVerdicts
from reticle.storage.window_json import window_to_bytes
from reticle.testing.drafts import a_draft
from reticle.testing.stores import MemoryAudit, MemoryVerdicts
from reticle.testing.threads import ThreadCalls
from reticle.testing.windows import WindowBuilder

Wait = Callable[[Any], Any]


def a_verdict(verdict_id: str, because: str = "it held") -> Verdict:
    """
    A verdict with an id.
    """
    honesty = Honesty(Grade.NET, settled=True, partial=False, blind_spots={}, clean=True)
    outcome = Outcome(Held.YES, "net", evidence=({"url": "/api"},), children=(Outcome(Held.YES, "text"),))
    decision = Decision(Verified.YES, VerifiedReason.PROVED, because, outcome, (), honesty)
    return Verdict(
        VerdictId(verdict_id), 1.5, "reticle_assert", "local", "s1", "http://x/", {"text": "ok"}, decision
    )


def record(audit: AuditLog, tool: str = "reticle_act", verdict_id: VerdictId | None = None) -> Any:
    """
    One row.
    """
    return audit.record(a_draft(tool, verdict_id=verdict_id))


@pytest.fixture
def wait(calls: ThreadCalls) -> Wait:
    """
    Waits for a Deferred.
    """
    return calls.result_of


@pytest.fixture(params=["database", "memory"])
def verdicts(request: pytest.FixtureRequest, database: Database) -> VerdictStore:
    """
    Each provider of the port.
    """
    if request.param == "memory":
        return MemoryVerdicts()
    return StoredVerdicts(database, StoredAudit(database, now=lambda: 7.0))


@pytest.fixture(params=["database", "memory"])
def audit(request: pytest.FixtureRequest, database: Database) -> AuditLog:
    """
    Each provider of the port.
    """
    return StoredAudit(database, now=lambda: 7.0) if request.param == "database" else MemoryAudit()


def test_the_newest_verdicts_come_first(verdicts: VerdictStore, wait: Wait) -> None:
    """
    Who completes the id of a verdict is offered the last ones; one put again is the last.
    """
    assert wait(verdicts.newest(2)) == []
    for name in ("v1", "v2", "v3", "v1"):
        wait(verdicts.put(a_verdict(name), a_draft()))
    assert wait(verdicts.newest(2)) == ["v1", "v3"]
    assert wait(verdicts.newest(9, "token:lane")) == []
    wait(verdicts.put(attrs.evolve(a_verdict("v4"), principal="token:lane"), a_draft()))
    assert wait(verdicts.newest(9, "token:lane")) == ["v4"]


def test_a_verdict_can_be_read_again(verdicts: VerdictStore, wait: Wait) -> None:
    """
    What was put is what is got; another id gives nothing.
    """
    verdict = a_verdict("verdict_1")
    assert wait(verdicts.put(verdict, a_draft("reticle_assert"))).startswith("audit_")
    assert wait(verdicts.get(VerdictId("verdict_1"))) == verdict
    assert wait(verdicts.get(VerdictId("verdict_2"))) is None


def test_a_verdict_comes_with_its_row(database: Database, wait: Wait) -> None:
    """
    The log names each verdict that is kept, and a verdict whose row cannot be written is not kept.
    """
    ids: Iterator[Any] = iter(["audit_1", None])
    audit = StoredAudit(database, now=lambda: 7.0, mint=lambda: next(ids))
    verdicts = StoredVerdicts(database, audit)
    assert wait(verdicts.put(a_verdict("verdict_1"), a_draft("reticle_assert"))) == "audit_1"
    with pytest.raises(Exception, match="audit_id"):
        wait(verdicts.put(a_verdict("verdict_2"), a_draft()))
    rows = wait(audit.read(0, 9))
    assert [(row["tool"], row["verdict_id"]) for row in rows] == [("reticle_assert", "verdict_1")]
    assert audit.head is not None
    assert audit.head.seq == 1
    assert wait(verdicts.get(VerdictId("verdict_2"))) is None


def test_putting_a_verdict_twice_keeps_the_last(verdicts: VerdictStore, wait: Wait) -> None:
    """
    A retried write does not fail and does not double.
    """
    wait(verdicts.put(a_verdict("verdict_1"), a_draft()))
    wait(verdicts.put(a_verdict("verdict_1", because="again"), a_draft()))
    assert wait(verdicts.get(VerdictId("verdict_1"))) == a_verdict("verdict_1", because="again")


def test_every_row_gets_an_id_of_its_own(audit: AuditLog, wait: Wait) -> None:
    """
    Each call can be named by its audit id.
    """
    pending = [record(audit) for _ in range(50)]
    ids = [wait(one) for one in pending]
    assert len(set(ids)) == 50
    assert all(one.startswith("audit_") for one in ids)


def test_the_oldest_verdicts_make_room(database: Database, wait: Wait) -> None:
    """
    The state directory does not grow without end.
    """
    store = StoredVerdicts(database, StoredAudit(database, now=lambda: 7.0), kept=2)
    for number in range(4):
        wait(store.put(a_verdict(f"verdict_{number}"), a_draft()))
    found = [wait(store.get(VerdictId(f"verdict_{number}"))) for number in range(4)]
    assert [one is not None for one in found] == [False, False, True, True]


def audit_rows(database: Database) -> Deferred[list[tuple[object, ...]]]:
    """
    What the table holds, in order.
    """
    return database.run(
        lambda connection: [
            tuple(row)[:-1] for row in connection.exec_driver_sql("SELECT * FROM audit ORDER BY seq")
        ]
    )


def test_a_row_holds_who_did_what(database: Database, wait: Wait) -> None:
    """
    The audit log says who called which tool over what, with which outcome and verdict.
    """
    audit = StoredAudit(database, now=lambda: 7.25)
    audit_id = wait(record(audit, verdict_id=VerdictId("verdict_1")))
    assert wait(audit_rows(database)) == [
        (
            1, audit_id, 7_250_000, "local", "mcp", "sse", "reticle_act", None, "allowed", "", "0" * 64,
            1500, "verdict_1",
        )
    ]  # fmt: skip


class CountingDatabase(Database):
    """
    Counts its transactions.
    """

    count = 0

    def run_on_driver(self, work: Callable[[Any], Any], ahead: Any = None) -> Deferred[Any]:
        """
        As ``Database.run_on_driver``.
        """
        self.count += 1
        return super().run_on_driver(work, ahead)


def test_rows_that_arrive_during_a_commit_share_the_next(state_dir: Path, calls: ThreadCalls) -> None:
    """
    Twenty calls at once cost two commits, and no answer leaves before its own batch is committed.
    """
    database = CountingDatabase(state_dir / "x.sqlite3", calls.callFromThread)
    database.startService()
    calls.result_of(database.open())
    audit = StoredAudit(database, now=lambda: 7.0)
    fired: list[str] = []
    for number in range(20):
        record(audit, tool=f"t{number}").addCallback(lambda _, number=number: fired.append(f"t{number}"))
    assert fired == []
    calls.run_one()
    assert fired == ["t0"]
    calls.run_one()
    assert fired == [f"t{number}" for number in range(20)]
    assert database.count == 2
    calls.result_of(database.stopService())


def test_a_batch_begins_when_the_turn_is_over(state_dir: Path, calls: ThreadCalls) -> None:
    """
    All calls that one turn of the reactor reads share one commit, and a stop in between waits for it.
    """
    database = CountingDatabase(state_dir / "x.sqlite3", calls.callFromThread)
    database.startService()
    calls.result_of(database.open())
    turn_ends: list[Callable[[], None]] = []
    audit = StoredAudit(database, now=lambda: 7.0, soon=turn_ends.append)
    fired: list[object] = []
    for _ in range(3):
        record(audit).addCallback(fired.append)
    drained = audit.drained()
    assert (database.count, len(turn_ends), drained.called) == (0, 1, False)
    turn_ends.pop()()
    calls.result_of(drained)
    assert (database.count, len(fired), turn_ends) == (1, 3, [])
    calls.result_of(database.stopService())


def test_a_failed_commit_gives_no_id(database: Database, calls: ThreadCalls) -> None:
    """
    No row, no answer: when a batch is not committed every call in it is refused, and the next one works.
    """
    ids: Iterator[Any] = iter(["audit_first", None, "audit_other"])
    audit = StoredAudit(database, now=lambda: 7.0, mint=lambda: next(ids))
    calls.result_of(record(audit))
    with pytest.raises(Exception, match="audit_id"):
        calls.result_of(record(audit))
    assert calls.result_of(record(audit)) == "audit_other"
    assert [row[1] for row in calls.result_of(audit_rows(database))] == ["audit_first", "audit_other"]


def test_rows_are_read_in_their_order(audit: AuditLog, wait: Wait) -> None:
    """
    Whoever reads the log page by page sees every row once, and the newest first when that is asked.
    """
    for number in range(5):
        wait(record(audit, tool=f"t{number}"))
    assert [row["tool"] for row in wait(audit.read(1, 2))] == ["t1", "t2"]
    assert [row["seq"] for row in wait(audit.read(3, 9))] == [4, 5]
    assert wait(audit.read(5, 9)) == []
    assert [row["tool"] for row in wait(audit.newest(2))] == ["t4", "t3"]
    assert len(wait(audit.newest(99))) == 5
    assert [row["tool"] for row in wait(audit.newest(2, before=4))] == ["t2", "t1"]
    assert wait(audit.newest(2, before=1)) == []


def test_an_untouched_log_is_whole(audit: AuditLog, wait: Wait) -> None:
    """
    A check of a log that nobody touched finds every row, also when there are none.
    """
    assert wait(Deferred.fromCoroutine(checked(audit))).rows == 0
    for number in range(3):
        wait(record(audit, tool=f"t{number}"))
    check = wait(Deferred.fromCoroutine(checked(audit)))
    assert (check.rows, check.seq, check.fault) == (3, 3, None)


def test_the_head_is_the_last_row(audit: AuditLog, wait: Wait) -> None:
    """
    An operator can note the end of the log, and a later check says whether that very row is still there.
    """
    wait(record(audit))
    wait(record(audit))
    head = audit.head
    assert head is not None
    assert (head.seq, head.row_hash) == (2, wait(audit.read(1, 1))[0]["row_hash"])
    wait(record(audit))
    assert wait(Deferred.fromCoroutine(checked(audit, head.row_hash))).met_expected is True
    assert wait(Deferred.fromCoroutine(checked(audit, "00"))).met_expected is False


def test_a_tool_name_that_is_no_text_does_no_harm(database: Database, wait: Wait) -> None:
    """
    Who calls a tool by half a surrogate pair does not take down the calls in the same batch.
    """
    audit = StoredAudit(database, now=lambda: 7.0)
    for one in (record(audit), record(audit, tool="x\ud800y"), record(audit)):
        wait(one)
    assert [row["tool"] for row in wait(audit.read(1, 1))] == ["x?y"]
    assert wait(Deferred.fromCoroutine(checked(audit))).fault is None


async def checked(audit: AuditLog, expected: str | None = None) -> AuditCheck:
    """
    The check, for whichever provider.
    """
    return await audit.check(expected)


def a_window(events: int = 1) -> Window:
    """
    A window with so many events.
    """
    builder = WindowBuilder().click()
    for number in range(events):
        builder.net("POST", f"/api/orders/{number}", 201)
    return builder.build()


def test_a_verdict_is_kept_with_its_window(verdicts: VerdictStore, wait: Wait) -> None:
    """
    What a verdict rests on can be looked at later, and one that is put again has the new window or none.
    """
    wait(verdicts.put(a_verdict("v1"), a_draft(), window=a_window()))
    assert wait(verdicts.window(VerdictId("v1"))) == a_window()
    assert wait(verdicts.window(VerdictId("v2"))) is None
    wait(verdicts.put(a_verdict("v1"), a_draft(), window=a_window(3)))
    assert wait(verdicts.window(VerdictId("v1"))) == a_window(3)
    wait(verdicts.put(a_verdict("v1"), a_draft()))
    assert wait(verdicts.window(VerdictId("v1"))) is None


def test_old_windows_make_room_and_verdicts_stay(database: Database, wait: Wait) -> None:
    """
    The state directory does not grow without end: the oldest windows go, a window that is too large is left
    out, and the verdicts are still there.
    """
    size = len(window_to_bytes(a_window()))
    audit = StoredAudit(database, now=lambda: 7.0)
    verdicts = StoredVerdicts(database, audit, window_bytes=2 * size, windows_bytes=3 * size)
    for number in range(5):
        wait(verdicts.put(a_verdict(f"v{number}"), a_draft(), window=a_window()))
    kept = [number for number in range(5) if wait(verdicts.window(VerdictId(f"v{number}"))) is not None]
    assert kept == [2, 3, 4]
    wait(verdicts.put(a_verdict("large"), a_draft(), window=a_window(200)))
    assert wait(verdicts.window(VerdictId("large"))) is None
    assert wait(verdicts.window(VerdictId("v4"))) is not None
    assert wait(verdicts.get(VerdictId("large"))) is not None
    assert wait(verdicts.get(VerdictId("v0"))) is not None
