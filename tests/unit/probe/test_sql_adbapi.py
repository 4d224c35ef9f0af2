"""
Requests and lines of the app in the threads of Twisted's database pools.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import Context, ContextVar
from typing import Any

import pytest
from twisted.enterprise import adbapi
from twisted.internet import threads
from twisted.internet.defer import Deferred

from reticle.probe.context import begin, current
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class StartLater:
    """
    A reactor that does not run yet.
    """

    def callWhenRunning(self, call: Any) -> None:
        """
        Never.
        """


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collectors are in.
    """
    with collecting("sql_adbapi", "sql_sqlite") as sink:
        yield sink


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """
    Calls into the pool's threads, for the test to run: without the caller's context, as there.
    """
    calls: list[Any] = []

    def put_off(_reactor: object, _pool: object, call: Any, *arguments: Any, **named: Any) -> Deferred[Any]:
        calls.append(lambda: call(*arguments, **named))
        return Deferred()

    monkeypatch.setattr(threads, "deferToThreadPool", put_off)
    return calls


def test_a_query_belongs_to_the_request_that_asked(kept: KeptFacts, later: list[Any]) -> None:
    """
    A statement in the pool's thread is told with the request and the app's line that sent it there.
    """
    pool = adbapi.ConnectionPool("sqlite3", ":memory:", check_same_thread=False, cp_reactor=StartLater())
    request = begin("POST", "/pay")
    pool.runQuery("SELECT 1")
    pool.runOperation("CREATE TABLE t (a)")
    pool.runInteraction(lambda cursor: cursor.execute("INSERT INTO t VALUES (1)"))
    request.end(200)
    for run in later:
        run()
    told = [(kind, fields["rid"], fields["file"]) for kind, fields in kept.facts if "tx" in fields]
    for connection in pool.connections.values():
        connection.close()
    assert told == [(kind, request.rid, __file__) for kind in ("sql", "sql", "sql", "transaction")]


def test_nothing_else_travels(kept: KeptFacts, later: list[Any]) -> None:
    """
    A variable of the app's own is in the pool's thread what it is without the probe, and no request is left.
    """
    own: ContextVar[str] = ContextVar("own", default="none")
    pool = adbapi.ConnectionPool("sqlite3", ":memory:", check_same_thread=False, cp_reactor=StartLater())
    request = begin("POST", "/pay")
    own.set("request's")
    pool.runInteraction(lambda _: (own.get(), current()))
    request.end(200)
    (run,) = later
    seen = Context().run(lambda: [run(), current()])
    for connection in pool.connections.values():
        connection.close()
    assert seen == [("none", request), None]
    assert kept.of("request.handled")


def test_a_pool_of_the_apps_own_runs_what_it_is_given(kept: KeptFacts, later: list[Any]) -> None:
    """
    One that opens its transactions in its own way calls what the app gave it, as without us.
    """

    class Own(adbapi.ConnectionPool):
        def _runInteraction(self, interaction: Any, *arguments: Any) -> Any:
            return interaction(interaction.__name__, *arguments)

    def ask(name: str, given: int) -> Any:
        return name, given, current()

    pool = Own("sqlite3", ":memory:", check_same_thread=False, cp_reactor=StartLater())  # type: ignore[no-untyped-call]  # Twisted gives it no type
    request = begin("GET", "/", None, "none")
    pool.runInteraction(ask, 7)  # type: ignore[no-untyped-call]  # as above
    (run,) = later
    request.leave()
    assert Context().run(run) == ("ask", 7, request)
    assert not kept.of("sql")
