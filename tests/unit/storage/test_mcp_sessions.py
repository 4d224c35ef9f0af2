"""
What of sessions outlives the daemon, over a real database in a real directory.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import LogLevel
from reticle.model.ids import McpSessionId
from reticle.model.limits import MCP_SESSION_AGE_SECONDS, PREFERENCES_BYTES
from reticle.model.mcp import Preferences
from reticle.storage import mcp_sessions
from reticle.storage.database import Database
from reticle.storage.history import DaemonStart, History
from reticle.storage.mcp_sessions import StoredMcpSessions
from reticle.storage.store import DATABASE_FILE
from reticle.testing.threads import ThreadCalls

NOW = 1_750_000_000
NAME = McpSessionId("s" * 70)
WISHES = Preferences(LogLevel.DEBUG, ("reticle://sessions", "reticle://verdict/v1"))

Live = Callable[[], StoredMcpSessions]


@pytest.fixture
def live(state_dir: Path, calls: ThreadCalls) -> Live:
    """
    Begin one life after the other on one directory.
    """
    databases: list[Database] = []

    def begin() -> StoredMcpSessions:
        if databases:
            calls.result_of(databases.pop().stopService())
        database = Database(state_dir / DATABASE_FILE, calls.callFromThread)
        database.startService()
        databases.append(database)
        calls.result_of(History(database).begin_life(DaemonStart(1.0, "1", 1)))
        store = StoredMcpSessions(state_dir, database, lambda: float(NOW))
        calls.result_of(Deferred.fromCoroutine(store.open()))
        return store

    return begin


def written(store: StoredMcpSessions, calls: ThreadCalls) -> None:
    """
    Wait until everything asked so far is on the disk.
    """
    calls.result_of(store._database.open())


def test_the_key_is_the_same_in_every_life(live: Live) -> None:
    """
    A session id of before the restart is still ours.
    """
    first = live()
    key, derived = first.key, first.signing_key.derive("x")
    again = live()
    assert (again.key, again.signing_key.derive("x")) == (key, derived)


def test_what_was_ended_stays_ended(live: Live, calls: ThreadCalls) -> None:
    """
    A session that was deleted does not come back after a restart, nor what its client wished for.
    """
    store = live()
    assert not store.is_ended(NAME, NOW)
    store.keep(NAME, NOW, WISHES)
    calls.result_of(store.end(NAME, NOW))
    store.keep(NAME, NOW, WISHES)
    for each in (store, live()):
        assert each.is_ended(NAME, NOW)
        assert each.preferences(NAME) == Preferences()
        assert not each.is_ended(McpSessionId("other"), NOW)


def test_wishes_outlive_the_daemon(live: Live, calls: ThreadCalls) -> None:
    """
    Log level and subscriptions need not be set again after a restart; the newest ones count.
    """
    store = live()
    store.keep(NAME, NOW, Preferences(None, ("a",)))
    store.keep(NAME, NOW, WISHES)
    written(store, calls)
    again = live()
    assert again.preferences(NAME) == WISHES
    again.keep(NAME, NOW, Preferences())
    written(again, calls)
    assert live().preferences(NAME) == Preferences()


def test_wishes_that_are_too_long_are_not_kept(live: Live) -> None:
    """
    A client that subscribes to everything costs the next life nothing.
    """
    store = live()
    store.keep(NAME, NOW, Preferences(None, ("x" * PREFERENCES_BYTES,)))
    assert store.preferences(NAME) == Preferences()


def test_ids_that_are_too_old_anyway_are_forgotten(live: Live, calls: ThreadCalls) -> None:
    """
    The table does not grow for ever: after the age limit the id itself says that it is over.
    """
    store = live()
    calls.result_of(store.end(NAME, NOW - MCP_SESSION_AGE_SECONDS - 1))
    assert not live().is_ended(NAME, NOW)


def test_more_ended_ids_than_can_be_kept(
    live: Live, calls: ThreadCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    When old rows have to go, no id as old comes back in a later life: forgetting an end must not undo it.
    """
    monkeypatch.setattr(mcp_sessions, "ENDED_SESSIONS_KEPT", 10)
    store = live()
    for number in range(12):
        calls.result_of(store.end(McpSessionId(f"n{number}"), NOW - 100 + number))
    again = live()
    assert all(again.is_ended(McpSessionId(f"n{number}"), NOW - 100 + number) for number in range(12))
    assert again.is_ended(McpSessionId("never ended"), NOW - 100)
    assert not again.is_ended(McpSessionId("never ended"), NOW)
    assert len(again._rows.ended) <= 10


def test_a_store_that_never_opened_serves_this_life(
    state_dir: Path, calls: ThreadCalls, tmp_path: Path
) -> None:
    """
    With a broken disk sessions work until the daemon stops, and DELETE says that it could not be written.
    """
    database = Database(tmp_path / "missing" / DATABASE_FILE, calls.callFromThread)
    database.startService()
    store = StoredMcpSessions(state_dir, database, lambda: float(NOW))
    with pytest.raises(Refusal):
        calls.result_of(Deferred.fromCoroutine(store.open()))
    assert len(store.key) == 32
    with pytest.raises(Refusal):
        calls.result_of(store.end(NAME, NOW))
    assert store.is_ended(NAME, NOW)
    calls.result_of(database.stopService())
