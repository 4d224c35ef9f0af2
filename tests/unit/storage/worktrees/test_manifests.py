"""
A state of files that was seen can be compared later, by any daemon on the database, until it made room.
"""

from __future__ import annotations

from reticle.storage.database import Database
from reticle.storage.worktrees.manifests import StoredManifests
from reticle.testing.threads import ThreadCalls


def test_what_was_kept_comes_back(database: Database, calls: ThreadCalls) -> None:
    """A state is there for whoever asks, and one that nobody kept is not."""
    manifests = StoredManifests(database, lambda: 1.0)
    calls.result_of(manifests.put("tree:a", b"\0one"))
    assert calls.result_of(manifests.get("tree:a")) == b"\0one"
    assert calls.result_of(manifests.get("tree:b")) is None


def test_those_that_were_seen_last_stay(database: Database, calls: ThreadCalls) -> None:
    """The same state again is kept for longer; the one that nobody saw for the longest makes room."""
    now = [1.0]
    manifests = StoredManifests(database, lambda: now[0], kept=2)
    for name in ("tree:a", "tree:b", "tree:a", "tree:c"):
        now[0] += 1
        calls.result_of(manifests.put(name, name.encode()))
    assert calls.result_of(manifests.get("tree:a")) == b"tree:a"
    assert calls.result_of(manifests.get("tree:b")) is None
    assert calls.result_of(manifests.get("tree:c")) == b"tree:c"


def test_all_of_them_take_a_bounded_space(database: Database, calls: ThreadCalls) -> None:
    """Large states make room sooner; the one that was just seen is there in any case."""
    now = [1.0]
    manifests = StoredManifests(database, lambda: now[0], kept_bytes=10)
    for name in ("tree:a", "tree:b", "tree:c"):
        now[0] += 1
        calls.result_of(manifests.put(name, b"x" * 6))
    assert [calls.result_of(manifests.get(name)) for name in ("tree:a", "tree:b")] == [None, None]
    assert calls.result_of(manifests.get("tree:c")) == b"x" * 6
    now[0] += 1
    calls.result_of(manifests.put("tree:d", b"x" * 60))
    assert calls.result_of(manifests.get("tree:d")) == b"x" * 60
