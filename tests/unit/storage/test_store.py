"""
The store of one daemon, from its start to its end.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.errors import ConfigurationFault, Refusal
from reticle.model.page import EarlierLives
from reticle.storage.store import DATABASE_FILE, Store
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls


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
