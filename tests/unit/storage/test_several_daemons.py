"""
Several daemons on one PostgreSQL, as one store each.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.domain.lease import take
from reticle.errors import ConfigurationFault
from reticle.model.codes import Capability
from reticle.model.ids import PageId
from reticle.model.trust import Secret
from reticle.storage.audit_chain import append
from reticle.storage.database import Database
from reticle.storage.dialect import lock
from reticle.storage.driver import Driver
from reticle.storage.place import Place
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.connection import OpenPostgres, PostgresPlace
from reticle.storage.schema import HEAD
from reticle.storage.store import Store
from reticle.testing.drafts import a_draft
from reticle.testing.threads import ThreadCalls
from reticle.testing.tokens import a_grant, a_repository, a_token

Stores = Callable[[str], Store]
P1 = PageId("p1")


async def awaited(awaitable: Any) -> Any:
    """
    A coroutine of whatever a store gives.
    """
    return await awaitable


@pytest.fixture
def wait(calls: ThreadCalls) -> Callable[[Any], Any]:
    """
    Waits for whatever a store gives.
    """
    return lambda awaitable: calls.result_of(Deferred.fromCoroutine(awaited(awaitable)))


@pytest.fixture
def start(tmp_path: Path, postgres: PostgresPlace, calls: ThreadCalls) -> Iterator[Stores]:
    """
    Starts daemons by name, on one database.
    """
    started: list[Store] = []

    def one(name: str) -> Store:
        folder = tmp_path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        store = Store(folder, calls, now=lambda: 100.0, postgres=postgres.address, journal=(1, 1))
        store.startService()
        started.append(store)
        calls.result_of(store.whenOpen())
        return store

    yield one
    for store in started:
        calls.result_of(store.stopService())


def test_a_token_that_one_daemon_revokes_is_over_at_the_other(
    start: Stores, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    A token of one counts at the other, and so does its end, without anybody's call.
    """
    first, second = start("first"), start("second")
    sealed = a_token(a_grant(Capability.READ))
    token_id = sealed.token.token_id
    heard: list[int] = []
    second.tokens.on_change(lambda: heard.append(1))
    wait(first.tokens.create(sealed, a_draft()))
    while second.tokens.find(token_id) is None:
        calls.run_one()
    wait(first.tokens.revoke(token_id, 5.0, "lost", a_draft()))
    while (found := second.tokens.find(token_id)) is None or found.token.revoked_at is None:
        calls.run_one()
    assert found.token.revoked_at == 5.0
    assert heard


def test_a_repository_of_one_daemon_is_one_of_the_other(
    start: Stores, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    What is registered anywhere is registered everywhere.
    """
    first, second = start("first"), start("second")
    wait(first.repositories.add(a_repository("r1"), a_draft()))
    while second.repositories.find(a_repository("r1").repository_id) is None:
        calls.run_one()
    with pytest.raises(Exception, match="is registered already"):
        wait(second.repositories.add(a_repository("r1"), a_draft()))


def test_pages_of_the_same_name_are_held_apart(
    start: Stores, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    A page is connected to one daemon; a start of another daemon ends nobody's hold, and one of the same
    daemon finds its own again.
    """
    first, second = start("first"), start("second")
    wait(first.holds.change(P1, take("token:a", "A", "pay", 60, 100.0), 100.0, a_draft()))
    wait(second.holds.change(P1, take("token:b", "B", "look", 60, 100.0), 100.0, a_draft()))
    calls.result_of(second.stopService())
    third = start("third")
    again = start("second")
    held = [store.holds.of(P1) for store in (first, again, third)]
    assert [lease and lease.holder for lease in held] == ["token:a", "token:b", None]


def test_the_rows_of_all_daemons_are_one_chain(
    start: Stores, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    However their calls fall together, the log is whole and holds each row once.
    """
    stores = [start(name) for name in ("first", "second", "third")]
    pending = [store.audit.record(a_draft(f"t{turn}")) for turn in range(40) for store in stores]
    ids = [calls.result_of(one) for one in pending]
    check = wait(stores[0].audit.check())
    assert (check.fault, check.rows, len(set(ids))) == (None, 120, 120)


def test_a_text_with_nul_costs_nobody_a_row(
    start: Stores, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    What an agent calls a tool cannot be a text that PostgreSQL refuses, and the row is as it was hashed.
    """
    store = start("first")
    calls.result_of(store.audit.record(a_draft("reticle\0act\ud83d")))
    assert calls.result_of(store.audit.newest(1))[0]["tool"] == "reticle?act?"
    assert wait(store.audit.check()).fault is None


def test_what_is_a_daemons_own_stays_with_it(
    start: Stores, tmp_path: Path, postgres: PostgresPlace, calls: ThreadCalls
) -> None:
    """
    Earlier lives, MCP sessions and the journal are of one daemon: nothing of them is in the shared database.
    """
    first = start("first")
    first.remember_page("shop")
    calls.result_of(first.stopService())
    again, other = start("first"), start("other")
    assert again.earlier_lives is not None
    assert again.earlier_lives.pages == {"shop": 1}
    assert other.earlier_lives is None
    opened = postgres.open(full_sync=False)
    own = ("daemon_start", "page_seen", "mcp_session", "journal_chunk")
    rows = [opened.driver.execute(f"SELECT count(*) FROM {table}").fetchone() for table in own]
    opened.close()
    assert rows == [(0,)] * 4
    assert again.daemon_id != other.daemon_id
    assert (tmp_path / "first" / "daemon-id").stat().st_mode & 0o777 == 0o600


def opened_at_once(postgres: PostgresPlace, number: int) -> list[object]:
    """
    What came of so many openings at the same moment.
    """
    outcomes: list[object] = []
    ready = threading.Barrier(number)

    def run() -> None:
        ready.wait()
        try:
            opened = postgres.open(full_sync=False)
            outcomes.append(opened.driver.execute("SELECT version_num FROM alembic_version").fetchall())
            opened.close()
        except BaseException as fault:  # noqa: BLE001 - compared below
            outcomes.append(fault)

    threads = [threading.Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_daemons_that_start_at_once_make_the_tables_once(postgres: PostgresPlace) -> None:
    """
    One makes them, the others wait for it and find them.
    """
    assert opened_at_once(postgres, 5) == [[(HEAD,)]] * 5
    opened = postgres.open(full_sync=False)
    assert opened.driver.execute("SELECT count(*) FROM audit_head").fetchall() == [(1,)]
    opened.close()


def test_a_database_of_a_newer_version_is_refused_untouched(
    postgres: PostgresPlace, calls: ThreadCalls, open_databases: Callable[[Place], Database]
) -> None:
    """
    A daemon that was not upgraded with the others does not write into what it does not understand.
    """
    opened = postgres.open(full_sync=False)
    opened.driver.execute("UPDATE alembic_version SET version_num = '9999'")
    opened.close()
    with pytest.raises(ConfigurationFault) as caught:
        calls.result_of(open_databases(postgres).open())
    assert caught.value.message == (
        f"the database {postgres.shown} is of a newer reticle (revision 9999; this one knows {HEAD})"
    )


def test_tables_and_their_revision_come_together(
    postgres: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A start that is killed half-way leaves an empty database, and the next one makes it whole.
    """

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reticle.storage.postgres.schema.begin_chain", fail)
    with pytest.raises(KeyboardInterrupt):
        postgres.open(full_sync=False)
    monkeypatch.undo()
    postgres.open(full_sync=False).close()


def test_daemons_that_append_at_once_make_one_chain(postgres: PostgresPlace) -> None:
    """
    The head of the chain is one daemon's at a time, also when each thinks that it knows where it is.
    """
    postgres.open(full_sync=False).close()
    faults: list[BaseException] = []

    def write(name: str) -> None:
        opened: OpenPostgres = postgres.open(full_sync=False)
        head = None
        try:
            for number in range(60):
                values = (f"audit_{name}{number}", number, "local", "mcp", "sse", "t", None, "allowed", "",
                          "0" * 64, 5, None)  # fmt: skip
                guess = head

                def work(driver: Driver, values: Any = values, guess: Any = guess) -> Any:
                    return append(driver, [values], guess)

                head = opened.transact_on_driver(work)
        except BaseException as fault:  # noqa: BLE001 - compared below
            faults.append(fault)
        finally:
            opened.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    opened = postgres.open(full_sync=False)
    numbers = opened.driver.execute("SELECT seq FROM audit ORDER BY seq").fetchall()
    assert [number for (number,) in numbers] == [*range(1, 181)]
    opened.close()


def test_a_schema_of_ones_own_is_a_database_of_ones_own(
    postgres: PostgresPlace,
) -> None:
    """
    Two teams may share one database, each in a schema: neither sees the other's rows or waits for its locks.
    """
    plain = postgres.open(full_sync=False)
    plain.driver.execute("CREATE SCHEMA other")
    url = f"{postgres.address.url.reveal()}&options=-csearch_path%3Dother"
    other = PostgresPlace(PostgresAddress(Secret(url)), "other").open(full_sync=False)

    def both(driver: Driver) -> None:
        lock(driver, "grants")
        other.transact_on_driver(lambda inner: lock(inner, "grants"))

    plain.transact_on_driver(both)
    assert (plain.driver.schema, other.driver.schema) == ("public", "other")
    assert other.driver.execute("SELECT count(*) FROM audit_head").fetchone() == (1,)
    other.close()
    plain.close()
