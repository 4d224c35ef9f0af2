"""
What a daemon remembers of its earlier lives: pages per project and when it last started.

So "no page is connected" can say "pages of this project have been here before the restart at T" instead
of "never seen one".
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from twisted.internet.defer import Deferred

from reticle.model.page import EarlierLives
from reticle.storage.database import Database
from reticle.storage.driver import Driver

_STARTS_KEPT = 100
_PROJECTS_KEPT = 200
"""Project ids come from pages, which may make up as many as they like."""


@attrs.frozen
class DaemonStart:
    """
    A start of a daemon on this state directory; ``at`` in seconds since the epoch.
    """

    at: float
    version: str
    pid: int


class History:
    """
    The part of the database that outlives a daemon for the sake of honest messages.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin_life(self, life: DaemonStart) -> Deferred[EarlierLives | None]:
        """
        Record that we have started; ready with what was before, or None for the first life.
        """
        return self._database.run_on_driver(lambda driver: _begin_life(driver, life))

    def page_connected(self, project_id: str | None, at: float) -> Deferred[None]:
        """
        Count one page of a project; None is the pages that name none.
        """
        return self._database.run_on_driver(lambda driver: _count_page(driver, project_id or "", at))


def _begin_life(driver: Driver, life: DaemonStart) -> EarlierLives | None:
    """
    In text, as all that each start does.
    """
    (before,) = driver.execute("SELECT max(seq) FROM daemon_start").fetchone()
    driver.execute(
        "INSERT INTO daemon_start (at, version, pid) VALUES (?, ?, ?)", (life.at, life.version, life.pid)
    )
    driver.execute(
        "DELETE FROM daemon_start WHERE seq <= (SELECT max(seq) FROM daemon_start) - ?", (_STARTS_KEPT,)
    )
    return None if before is None else EarlierLives(life.at, _pages_seen(driver))


def _count_page(driver: Driver, project_id: str, at: float) -> None:
    counted = driver.execute(
        "UPDATE page_seen SET pages = pages + 1, last_at = ? WHERE project_id = ?", (at, project_id)
    )
    if counted.rowcount == 0:
        driver.execute(
            "INSERT INTO page_seen (project_id, pages, last_at) VALUES (?, 1, ?)", (project_id, at)
        )
        driver.execute(
            "DELETE FROM page_seen WHERE project_id NOT IN"
            " (SELECT project_id FROM page_seen ORDER BY last_at DESC LIMIT ?)",
            (_PROJECTS_KEPT,),
        )


def _pages_seen(driver: Driver) -> Mapping[str | None, int]:
    rows = driver.execute("SELECT project_id, pages FROM page_seen")
    return {project_id or None: pages for project_id, pages in rows}
