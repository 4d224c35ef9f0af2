"""
What a daemon remembers of its earlier lives.
"""

from __future__ import annotations

from reticle.model.page import EarlierLives
from reticle.storage.database import Database
from reticle.storage.history import DaemonStart, History
from reticle.testing.threads import ThreadCalls


def test_each_start_knows_what_was_before(database: Database, calls: ThreadCalls) -> None:
    """
    The first start knows that it is the first, the next which pages had come; starts do not pile up.
    """
    history = History(database)
    lives = [DaemonStart(at=float(number), version="0.1.0", pid=number) for number in range(103)]
    assert calls.result_of(history.begin_life(lives[0])) is None
    assert calls.result_of(history.begin_life(lives[1])) == EarlierLives(1.0, {})
    for project in ("shop", None, "shop"):
        calls.result_of(history.page_connected(project, 2.0))
    for life in lives[2:]:
        assert calls.result_of(history.begin_life(life)) == EarlierLives(life.at, {"shop": 2, None: 1})
    kept = calls.result_of(
        database.run(lambda c: c.exec_driver_sql("SELECT count(*) FROM daemon_start").scalar_one())
    )
    assert kept == 100


def test_made_up_projects_do_not_fill_the_disk(database: Database, calls: ThreadCalls) -> None:
    """
    Of the projects that pages name the 200 seen last are kept.
    """
    history = History(database)
    for number in range(205):
        calls.result_of(history.page_connected(f"p{number}", float(number)))
    known = calls.result_of(history.begin_life(DaemonStart(300.0, "0.1.0", 1)))
    assert known is None
    known = calls.result_of(history.begin_life(DaemonStart(301.0, "0.1.0", 1)))
    assert known is not None
    assert set(known.pages) == {f"p{number}" for number in range(5, 205)}
