"""
The store of one daemon, from its start to its end.
"""

from __future__ import annotations

import queue
from pathlib import Path

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import ConfigurationFault, Refusal
from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, RecordingState
from reticle.model.page import EarlierLives
from reticle.storage.database import Database
from reticle.storage.store import DATABASE_FILE, Store
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls
from reticle.testing.tokens import a_token


def test_what_an_earlier_life_saw_is_known(state_dir: Path, calls: ThreadCalls) -> None:
    """
    After a restart the daemon knows when it last started and that pages of a project were here.
    """
    first = Store(state_dir, calls, now=lambda: 100.0)
    first.startService()
    calls.result_of(first.whenOpen())
    assert first.earlier_lives is None
    for project in ("shop", "shop", None):
        first.remember_page(project)
    calls.result_of(first.stopService())
    second = Store(state_dir, calls, now=lambda: 200.0)
    second.startService()
    calls.result_of(second.whenOpen())
    assert second.earlier_lives == EarlierLives(200.0, {"shop": 2, None: 1})
    calls.result_of(second.stopService())


def test_two_daemons_do_not_share_a_directory(state_dir: Path, calls: ThreadCalls) -> None:
    """
    The second daemon refuses to start and names the port of the first; stopping frees the directory.
    """
    first, second = Store(state_dir, calls, now=lambda: 1.0), Store(state_dir, calls, now=lambda: 2.0)
    first.startService()
    first.note_port(39_001)
    with pytest.raises(ConfigurationFault, match="port 39001"):
        second.startService()
    calls.result_of(second.stopService())
    calls.result_of(first.stopService())
    third = Store(state_dir, calls, now=lambda: 3.0)
    third.startService()
    calls.result_of(third.whenOpen())
    calls.result_of(third.stopService())


def test_a_store_that_cannot_open_says_so_to_everybody_who_asks(state_dir: Path, calls: ThreadCalls) -> None:
    """
    The start is told why, early and late, and the daemon is not called ready.
    """
    (state_dir / DATABASE_FILE).write_bytes(b"no database" * 200)
    (state_dir / DATABASE_FILE).chmod(0o600)
    store = Store(state_dir, calls, now=lambda: 1.0)
    store.startService()
    early = store.whenOpen()
    for waiter in (early, store.whenOpen()):
        with pytest.raises(Refusal, match="is not a database"):
            calls.result_of(waiter)
    with pytest.raises(Refusal, match="is not a database"):
        calls.result_of(store.whenOpen())
    calls.result_of(store.stopService())


def test_a_store_that_could_not_open_is_whole_once_it_can(state_dir: Path, calls: ThreadCalls) -> None:
    """
    A daemon that started on a damaged file needs no restart after it was moved away: earlier tokens count,
    and nobody had to call it.
    """
    path = state_dir / DATABASE_FILE
    token = a_token()
    first = opened(state_dir, calls)
    calls.result_of(Deferred.fromCoroutine(first.tokens.create(token, a_draft())))
    calls.result_of(first.stopService())
    path.rename(state_dir / "aside")
    path.write_bytes(b"no database" * 200)
    path.chmod(0o600)
    store = Store(state_dir, calls, now=lambda: 1.0)
    store.startService()
    with pytest.raises(Refusal, match="is not a database"):
        calls.result_of(store.whenOpen())
    assert (store.tokens.find(token.token.token_id), store.audit.head) == (None, None)
    (state_dir / "aside").replace(path)
    store.look_again()
    while store.earlier_lives is None or store.tokens.find(token.token.token_id) is None:
        calls.run_one()
    assert store.fault is None
    assert store.audit.head is not None
    calls.result_of(store.stopService())


def test_a_look_at_a_store_that_is_well_does_nothing(state_dir: Path, calls: ThreadCalls) -> None:
    """
    The daemon's regular look costs no work of the disk.
    """
    store = opened(state_dir, calls)
    store.look_again()
    with pytest.raises(queue.Empty):
        calls.run_one(0.01)
    calls.result_of(store.stopService())


def test_a_database_that_was_exchanged_is_read_anew(state_dir: Path, calls: ThreadCalls) -> None:
    """
    Who restores another database below a running daemon gets its tokens, and those of before count no more.
    """
    store = opened(state_dir, calls)
    token = a_token()
    heard: list[int] = []
    calls.result_of(Deferred.fromCoroutine(store.tokens.create(token, a_draft())))
    store.tokens.on_change(lambda: heard.append(1))
    for path in state_dir.glob(f"{DATABASE_FILE}*"):
        path.unlink()
    calls.result_of(store.audit.record(a_draft()))
    while not heard:
        calls.run_one()
    assert store.tokens.find(token.token.token_id) is None
    assert store.audit.head is not None
    assert store.audit.head.seq == 1
    calls.result_of(store.stopService())


@pytest.mark.parametrize(("full", "level"), [(False, 1), (True, 2)])
def test_full_durability_waits_for_the_disk(
    state_dir: Path, calls: ThreadCalls, *, full: bool, level: int
) -> None:
    """
    With ``audit_durability = full`` SQLite syncs each commit (2), else only when it folds its log (1).
    """
    database = Database(state_dir / "x.sqlite3", calls.callFromThread, full_sync=full)
    database.startService()
    asked = database.run_on_driver(lambda driver: driver.execute("PRAGMA synchronous").fetchone())
    assert calls.result_of(asked) == (level,)
    calls.result_of(database.stopService())


def opened(state_dir: Path, calls: ThreadCalls) -> Store:
    """
    A store that is open.
    """
    store = Store(state_dir, calls, now=lambda: 1.0)
    store.startService()
    calls.result_of(store.whenOpen())
    return store


def test_a_stop_commits_the_audit_rows_that_wait(state_dir: Path, calls: ThreadCalls) -> None:
    """
    A call whose row was handed over before the stop gets its answer: two batches are committed first.
    """
    store = Store(state_dir, calls, now=lambda: 1.0)
    store.startService()
    calls.result_of(store.whenOpen())
    pending = [store.audit.record(a_draft(f"t{number}")) for number in range(5)]
    calls.result_of(store.stopService())
    assert all(calls.result_of(one).startswith("audit_") for one in pending)


def a_chunk() -> JournalChunk:
    """
    What a page s1 reported.
    """
    return JournalChunk(
        page_id=PageId("s1"), first=1, newest=0, at=100.0, state=RecordingState(newest=0, t_ms=0)
    )


def test_a_stop_commits_what_pages_reported_last(state_dir: Path, calls: ThreadCalls) -> None:
    """
    The next life finds what was handed over in the last moment of this one.
    """
    first = Store(state_dir, calls, now=lambda: 100.0, journal=(1, 1))
    first.startService()
    assert first.journal is not None
    assert first.journal.admits(0, 100)
    first.journal.keep(PageId("s1"), 0, 100, a_chunk)
    calls.result_of(first.stopService())
    second = Store(state_dir, calls, now=lambda: 101.0, journal=(1, 1))
    second.startService()
    calls.result_of(second.whenOpen())
    assert second.journal is not None
    assert second.journal.holds(PageId("s1"))
    assert len(calls.result_of(second.journal.recall(PageId("s1")))) == 1
    calls.result_of(second.stopService())


def test_a_daemon_without_a_journal_keeps_none_of_before(state_dir: Path, calls: ThreadCalls) -> None:
    """
    Who switches it off finds nothing of what pages said, and no later life takes a page for one of before.
    """
    first = Store(state_dir, calls, now=lambda: 100.0, journal=(1, 1))
    first.startService()
    calls.result_of(first.whenOpen())
    assert first.journal is not None
    first.journal.keep(PageId("s1"), 0, 100, a_chunk)
    calls.result_of(first.stopService())
    without = Store(state_dir, calls, now=lambda: 101.0)
    without.startService()
    calls.result_of(without.whenOpen())
    calls.result_of(without.stopService())
    third = Store(state_dir, calls, now=lambda: 102.0, journal=(1, 1))
    third.startService()
    calls.result_of(third.whenOpen())
    assert third.journal is not None
    assert not third.journal.holds(PageId("s1"))
    calls.result_of(third.stopService())
