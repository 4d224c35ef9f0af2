"""
``kill -9`` at any moment, with agents at work over every carrier: what was answered is kept, what was not is
either whole or not there, and the audit log proves it (DESIGN §5).

A story is some lives of one daemon: ``make test`` runs one of eight, ``make full`` ten of twenty more.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import attrs
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from reticle.storage.audit_check import begin_check
from tests.system.mutations import (
    CAPABILITIES,
    NAME,
    Administrator,
    Ask,
    Gone,
    Remembered,
    over_http,
    over_socket,
    over_sse,
    over_stdio,
)
from tests.system.pages import HELLO
from tests.system.starting import StartDaemon
from tests.system.stdio import StdioClient
from tests.system.wire import eventually

STORIES = [
    pytest.param(0, 8, id="0"),
    *(pytest.param(number, 20, id=str(number), marks=pytest.mark.full) for number in range(1, 11)),
]
"""What happens by chance in it, and how many lives it has."""
LONGEST_LIFE_SECONDS = 0.5
CLAIM = {"predicate": {"kind": "console", "level": "error"}}


@attrs.define(eq=False)
class Story:
    """
    The lives of one daemon, and who works with it.
    """

    chance: random.Random
    remembered: Remembered
    front: StdioClient
    administrators: tuple[Administrator, Administrator]
    failures: list[BaseException] = attrs.field(factory=list)
    over: bool = False

    def work(self, daemon: Daemon, token: str) -> list[threading.Thread]:
        """
        Everybody begins; each ends when the daemon is gone.
        """
        by_http, by_socket = self.administrators
        doors: list[tuple[AbstractContextManager[Ask], Callable[[Ask], None]]] = [
            (over_http(daemon.port, token), by_http.step),
            (over_socket(daemon.runtime_dir / "daemon.sock", token), by_socket.step),
            (over_sse(daemon.port, token), self._look),
            (over_http(daemon.port, token), self._prove),
        ]
        threads = [threading.Thread(target=self._until_gone, args=door) for door in doors]
        for thread in threads:
            thread.start()
        return threads

    def _until_gone(self, door: AbstractContextManager[Ask], step: Callable[[Ask], None]) -> None:
        try:
            with contextlib.suppress(Gone), door as ask:
                while True:
                    step(ask)
        except BaseException as failure:  # noqa: BLE001 - handed to the test's own thread
            self.failures.append(failure)

    def work_over_stdio(self) -> None:
        """
        Until the front is closed: it outlives the daemons, and says of a call whether it was done.
        """
        ask = over_stdio(self.front)
        try:
            while not self.over:
                with contextlib.suppress(Gone):
                    self._look(ask)
        except BaseException as failure:  # noqa: BLE001 - as above
            self.failures.append(failure)

    def _look(self, ask: Ask) -> None:
        self.remembered.audit_ids.append(ask("reticle_tools", {})["audit_id"])

    def _prove(self, ask: Ask) -> None:
        verdict = ask("reticle_assert", CLAIM)
        self.remembered.audit_ids.append(verdict["audit_id"])
        self.remembered.verdict_ids.append(verdict["verdict_id"])


@contextlib.contextmanager
def connected_page(port: int) -> Iterator[None]:
    """
    A page that lets itself be judged.
    """
    with dial_page(f"ws://127.0.0.1:{port}/reticle") as page:
        page.send(json.dumps(HELLO))
        ended = threading.Thread(target=lambda: read_all(page))
        ended.start()
        yield
    ended.join()


def read_all(page: Any) -> None:
    """
    Take what the daemon says, until it is gone.
    """
    with contextlib.suppress(WebSocketException, OSError):
        for _ in page:
            pass


@pytest.mark.parametrize(("number", "lives"), STORIES)
def test_nothing_answered_is_lost_and_nothing_is_half_done(
    number: int, lives: int, start: StartDaemon, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """
    After each kill every answered call is in the log, the log is whole, and each change is there
    with its row or not at all; what an agent was given counts in the next life.
    """
    first = start()
    command = [sys.executable, "-m", "reticle", "serve", "--port", str(first.port)]
    front = StdioClient(
        tmp_path / "front",
        ["--no-start", "--url", first.url],
        {"RETICLE_RUNTIME_DIR": str(tmp_path / "daemon/runtime")},
    )
    request.addfinalizer(front.end)
    front.initialize()
    remembered = Remembered()
    chance = random.Random(number)
    administrators = (
        Administrator(remembered, tmp_path / "over-http", random.Random(number + 100)),
        Administrator(remembered, tmp_path / "over-socket", random.Random(number + 200)),
    )
    story = Story(chance, remembered, front, administrators)
    beside = threading.Thread(target=story.work_over_stdio)
    beside.start()
    database = first.state_dir / "reticle.sqlite3"
    daemon = first
    for life in range(lives):
        token = operator_token(daemon)
        ask_with_earlier_tokens(daemon, remembered)
        with connected_page(daemon.port):
            threads = story.work(daemon, token)
            answered = len(remembered.audit_ids)
            eventually(lambda seen=answered: len(remembered.audit_ids) > seen, "answers come", 60)
            time.sleep(chance.random() * LONGEST_LIFE_SECONDS)
            daemon.child.process.kill()
            assert daemon.child.wait_for_exit(5) == -signal.SIGKILL
            for thread in threads:
                thread.join(60)
        assert story.failures == [], f"life {life}: {daemon.child.printed()[-2000:]}"
        look_at(database, remembered)
        daemon = start(command)
    story.over = True
    beside.join(60)
    assert story.failures == []
    assert min(len(remembered.audit_ids), len(remembered.verdict_ids), len(remembered.tokens)) >= lives
    assert False in remembered.tokens.values()
    assert False in remembered.repositories.values()
    with over_http(daemon.port, operator_token(daemon)) as ask:
        found = ask("audit.verify", {})
    assert (found["whole"], found["fault"]) == (True, None)


def operator_token(daemon: Daemon) -> str:
    """
    The token of the runtime directory.
    """
    path = daemon.runtime_dir / "client-token"
    eventually(path.exists, "the operator's token is there", 30)
    return path.read_text().strip()


def ask_with_earlier_tokens(daemon: Daemon, remembered: Remembered) -> None:
    """
    One that counted before the kill counts after it, one that had ended does not.
    """
    for counts in (True, False):
        known = [name for name, good in remembered.tokens.items() if good is counts]
        if known:
            refused = (
                contextlib.nullcontext() if counts else pytest.raises(AssertionError, match="token_revoked")
            )
            with over_http(daemon.port, remembered.secrets[known[-1]]) as ask, refused:
                remembered.audit_ids.append(ask("reticle_tools", {})["audit_id"])


def look_at(path: Path, remembered: Remembered) -> None:
    """
    Hold the database of a killed daemon to what agents remember.
    """
    with contextlib.closing(sqlite3.connect(path)) as driver:
        assert driver.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        walk = begin_check(driver)
        while not walk.done and walk.fault is None:
            walk.step(driver, 1_000)
        assert walk.result().fault is None
        assert set(remembered.audit_ids) <= column(driver, "SELECT audit_id FROM audit")
        assert set(remembered.verdict_ids) <= column(driver, "SELECT verdict_id FROM verdict")
        verdicts_of_rows = column(driver, "SELECT verdict_id FROM audit WHERE verdict_id IS NOT NULL")
        assert verdicts_of_rows == column(driver, "SELECT verdict_id FROM verdict")
        tokens_are_whole(driver, remembered)
        repositories_are_whole(driver, remembered)


def tokens_are_whole(driver: sqlite3.Connection, remembered: Remembered) -> None:
    """
    As many tokens as rows that tell of one, each with all of its grants, or with all of them ended.
    """
    made, renewed = rows_of(driver, "daemon.token.create"), rows_of(driver, "daemon.token.rotate")
    ended = rows_of(driver, "daemon.token.revoke")
    mine = f"SELECT %s FROM token WHERE display_name = '{NAME}'"
    assert count(driver, mine % "count(*)") == made + renewed
    assert count(driver, mine % "count(*)" + " AND revoked_at IS NOT NULL") == renewed + ended
    grants = driver.execute(
        "SELECT token.revoked_at IS NULL, count(*), sum(token_grant.revoked_at IS NULL) FROM token"
        " LEFT JOIN token_grant USING (token_id) WHERE display_name = ? GROUP BY token_id",
        (NAME,),
    ).fetchall()
    assert {tuple(row) for row in grants} <= {
        (1, len(CAPABILITIES), len(CAPABILITIES)),
        (0, len(CAPABILITIES), 0),
    }
    live = column(driver, mine % "token_id" + " AND revoked_at IS NULL")
    everyone = column(driver, mine % "token_id")
    for name, counts in remembered.tokens.items():
        assert name in everyone
        assert (name in live) is counts


def repositories_are_whole(driver: sqlite3.Connection, remembered: Remembered) -> None:
    """
    As many repositories as rows that tell of one.
    """
    assert count(driver, "SELECT count(*) FROM repository") == rows_of(driver, "repo.add")
    removed = "SELECT count(*) FROM repository WHERE removed_at IS NOT NULL"
    assert count(driver, removed) == rows_of(driver, "repo.remove")
    live = column(driver, "SELECT repository_id FROM repository WHERE removed_at IS NULL")
    assert {name: name in live for name in remembered.repositories} == remembered.repositories


def rows_of(driver: sqlite3.Connection, tool: str) -> int:
    """
    Allowed calls of a tool, those of the daemon itself aside.
    """
    allowed = "decision = 'allowed' AND principal != 'daemon'"
    return count(driver, f"SELECT count(*) FROM audit WHERE tool = '{tool}' AND {allowed}")


def column(driver: sqlite3.Connection, query: str) -> set[str]:
    """
    The values of one column.
    """
    return {row[0] for row in driver.execute(query)}


def count(driver: sqlite3.Connection, query: str) -> int:
    """
    One number.
    """
    return int(driver.execute(query).fetchone()[0])
