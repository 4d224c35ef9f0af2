"""
What a daemon remembers of its earlier lives.
"""

from __future__ import annotations

from reticle.storage.database import Database
from reticle.storage.history import History, PastLife
from reticle.testing.threads import ThreadCalls


def test_each_start_knows_the_one_before(database: Database, calls: ThreadCalls) -> None:
    """
    A message can say when the daemon was restarted, and starts do not pile up for ever.
    """
    history = History(database)
    lives = [PastLife(at=float(number), version="0.1.0", pid=number) for number in range(103)]
    before = [calls.result_of(history.begin_life(life)) for life in lives]
    assert before == [None, *lives[:-1]]
    kept = calls.result_of(
        database.run(lambda c: c.exec_driver_sql("SELECT count(*) FROM daemon_start").scalar_one())
    )
    assert kept == 100
