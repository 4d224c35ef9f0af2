"""
A PostgreSQL that goes and comes back under a daemon.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from twisted.internet.defer import ensureDeferred
from twisted.python.failure import Failure

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.dialect import lock, lock_named, write
from reticle.storage.driver import Driver
from reticle.storage.place import InTheWay, Place, Step
from reticle.storage.postgres.connection import OpenPostgres, PostgresPlace
from reticle.testing.drafts import a_draft
from reticle.testing.postgresql import PostgresServer, missing, running_postgres
from reticle.testing.threads import ThreadCalls

Databases = Callable[[Place], Database]


@pytest.fixture(scope="module")
def own_postgres_server() -> Iterator[PostgresServer]:
    """
    A server that these tests may stop.
    """
    lack = missing()
    if lack is not None:
        pytest.skip(f"not on this machine: {lack}")
    with running_postgres() as server:
        yield server


@pytest.fixture
def name(own_postgres_server: PostgresServer) -> str:
    """
    The name of an empty database of it.
    """
    return own_postgres_server.fresh_database()


@pytest.fixture
def database(own_postgres_server: PostgresServer, name: str, open_databases: Databases) -> Database:
    """
    The same, open.
    """
    return open_databases(PostgresPlace(own_postgres_server.address(name), "test"))


def add(driver: Driver) -> None:
    """
    One row.
    """
    driver.execute("INSERT INTO page_seen VALUES (?, 1, 1.0)", (f"p{count(driver)}",))


def count(driver: Driver) -> int:
    """
    Rows that there are.
    """
    return int(driver.execute("SELECT count(*) FROM page_seen").fetchone()[0])


def refused(calls: ThreadCalls, pending: Any) -> Refusal:
    """
    Why it was refused.
    """
    with pytest.raises(Refusal) as caught:
        calls.result_of(pending)
    return caught.value


def test_a_connection_that_the_server_ended_costs_nothing(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    After a restart of the server that met no call, the next one works as if nothing had been.
    """
    calls.result_of(database.run_on_driver(add))
    assert own_postgres_server.end_connections(name) == 1
    calls.result_of(database.run_on_driver(add))
    assert own_postgres_server.end_connections(name) == 1
    written = "INSERT INTO page_seen VALUES ('core', 1, 1.0)"
    calls.result_of(database.run(lambda connection: connection.exec_driver_sql(written).close()))
    assert calls.result_of(database.run_on_driver(count)) == 3
    assert database.fault is None


def test_a_server_that_is_away_is_refused_until_it_is_back(
    own_postgres_server: PostgresServer, database: Database, calls: ThreadCalls
) -> None:
    """
    It is said what is away and what to do, and the daemon goes on by itself with every committed row.
    """
    audit = StoredAudit(database, now=lambda: 7.0)
    kept = [calls.result_of(audit.record(a_draft(f"t{number}"))) for number in range(3)]
    own_postgres_server.stop()
    fault = refused(calls, audit.record(a_draft("while it is away")))
    assert fault.code == "storage_failed"
    assert fault.message == f"{database.place.shown} cannot be reached"
    assert "Start it" in fault.recovery
    assert database.fault is fault
    own_postgres_server.start()
    kept.append(calls.result_of(audit.record(a_draft("t3"))))
    assert database.fault is None
    rows = calls.result_of(audit.read(0, 99))
    assert [row["audit_id"] for row in rows] == kept


@pytest.mark.usefixtures("own_postgres_server")
def test_a_crash_of_the_server_takes_no_committed_row(calls: ThreadCalls, open_databases: Databases) -> None:
    """
    By PostgreSQL's own defaults, what was said to be kept is there after the server was killed.
    """
    with running_postgres(durable=True) as server:
        name = server.fresh_database()
        database = open_databases(PostgresPlace(server.address(name), "test"))
        for _ in range(20):
            calls.result_of(database.run_on_driver(add))
        server.stop(signal.SIGQUIT)
        server.start()
        assert calls.result_of(database.run_on_driver(count)) == 20
        calls.result_of(database.stopService())


def test_a_commit_that_nobody_knows_about_says_so(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    The connection goes while the commit is under way: it is not called kept, nor lost, and not repeated.
    """
    runs: list[int] = []

    def work(opened: Any) -> None:
        assert isinstance(opened, OpenPostgres)
        command = opened.driver.command

        def cut(words: bytes) -> bytes:
            if words == b"COMMIT":
                # It reaches the server, and the answer does not reach us.
                opened.driver.connection.pgconn.send_query(b"COMMIT")
                own_postgres_server.end_connections(name)
            return command(words)

        opened.driver.command = cut  # type: ignore[method-assign]

        def once(driver: Driver) -> None:
            runs.append(1)
            add(driver)

        opened.transact_on_driver(once)

    fault = refused(calls, database._submit(work))
    assert fault.code == "storage_failed"
    assert fault.message.endswith("whether the change was kept is not known.")
    assert "Look" in fault.recovery
    assert fault.details == {"outcome": "unknown"}
    assert runs == [1]
    assert calls.result_of(database.run_on_driver(count)) in (0, 1)


def test_work_that_met_a_loss_is_done_again_from_its_start(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    The connection goes in the middle of a change: it is made whole, and once.
    """
    losses = iter([True, False])

    def work(driver: Driver) -> None:
        add(driver)
        if next(losses):
            own_postgres_server.end_connections(name)
        add(driver)

    calls.result_of(database.run_on_driver(work))
    assert calls.result_of(database.run_on_driver(count)) == 2


def test_a_connection_that_is_lost_each_time_is_a_refusal(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    A daemon does not try for ever: the caller is told, and nothing was kept.
    """

    def work(driver: Driver) -> None:
        add(driver)
        own_postgres_server.end_connections(name)
        add(driver)

    assert refused(calls, database.run_on_driver(work)).code == "storage_failed"
    assert calls.result_of(database.run_on_driver(count)) == 0


def test_no_word_of_the_server_reaches_the_caller(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    Deadlocks end in a stable code after a few tries, without any SQL in it.
    """
    import psycopg

    calls.result_of(database.run_on_driver(add))
    tries: list[int] = []
    with psycopg.connect(own_postgres_server.url(name), autocommit=True) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM page_seen FOR UPDATE")

        def work(driver: Driver) -> None:
            tries.append(1)
            driver.execute("SET LOCAL lock_timeout = '20ms'")
            driver.execute("UPDATE page_seen SET pages = 2")

        fault = refused(calls, database.run_on_driver(work))
        other.execute("ROLLBACK")
    assert fault.code == "daemon_under_load"
    assert "UPDATE" not in fault.message + fault.recovery
    assert len(tries) == 4
    assert database.fault is None
    calls.result_of(database.run_on_driver(add))


@pytest.fixture
def busy(database: Database, calls: ThreadCalls) -> Iterator[threading.Event]:
    """
    A writer thread that is held up until the event is set, so that what is asked meanwhile comes together.
    """
    calls.result_of(database.open())
    gate = threading.Event()
    held = database.run_beside(lambda: gate.wait(20))
    yield gate
    gate.set()
    assert held is not None


def transaction(driver: Driver) -> str:
    """
    The number of the transaction that this is in, which writes a row.
    """
    add(driver)
    return str(driver.execute("SELECT pg_current_xact_id()::text").fetchone()[0])


def test_what_is_asked_at_once_is_committed_at_once(
    database: Database, calls: ThreadCalls, busy: threading.Event
) -> None:
    """
    Many agents do not wait for the disk one after the other; what is asked at either level comes together.
    """
    pending = [database.run_on_driver(transaction) for _ in range(3)]
    count_all = "SELECT count(*) FROM page_seen"
    seen = database.run(lambda connection: connection.exec_driver_sql(count_all).scalar_one())
    pending += [database.run_on_driver(transaction) for _ in range(3)]
    busy.set()
    numbers = {calls.result_of(each) for each in pending}
    assert (len(numbers), calls.result_of(seen)) == (1, 3)
    assert calls.result_of(database.run_on_driver(count)) == 6


def test_one_that_fails_is_undone_alone(
    database: Database, calls: ThreadCalls, busy: threading.Event
) -> None:
    """
    Whoever shares a transaction with a fault, or with a broken constraint, does not notice.
    """

    def fault(driver: Driver) -> None:
        add(driver)
        raise ZeroDivisionError("half-way")

    def clash(driver: Driver) -> None:
        driver.execute("INSERT INTO page_seen VALUES ('p0', 1, 1.0)")

    pending: list[Any] = [database.run_on_driver(work) for work in (add, fault, clash, add)]
    busy.set()
    calls.result_of(pending[0])
    with pytest.raises(ZeroDivisionError):
        calls.result_of(pending[1])
    with pytest.raises(Exception, match="pk_page_seen"):
        calls.result_of(pending[2])
    calls.result_of(pending[3])
    assert calls.result_of(database.run_on_driver(count)) == 2
    assert database.fault is None


def test_a_write_that_met_other_rows_is_its_own_fault(
    database: Database, calls: ThreadCalls, busy: threading.Event
) -> None:
    """
    Writes are sent late, and whoever wrote is told: not the one behind it, nor in the server's words.
    """

    def expecting(rows: int, driver: Driver) -> None:
        add(driver)
        write(
            driver, "UPDATE page_seen SET pages = 2 WHERE project_id = ?", [("never",)], raced, expected=rows
        )

    def doubled(driver: Driver) -> None:
        write(driver, "INSERT INTO page_seen VALUES (?, 1, 1.0)", [("same",), ("same",)], raced)

    works = (add, partial(expecting, 1), doubled, partial(expecting, 0), add)
    pending = [database.run_on_driver(work) for work in works]
    busy.set()
    outcomes = []
    for each in pending:
        try:
            calls.result_of(each)
            outcomes.append("kept")
        except Refusal as refusal:
            outcomes.append(refusal.code)
    assert outcomes == ["kept", "conflict", "conflict", "kept", "kept"]
    assert calls.result_of(database.run_on_driver(count)) == 3
    assert refused(calls, database.run_on_driver(partial(expecting, 1))).code == "conflict"
    assert refused(calls, database.run_on_driver(doubled)).code == "conflict"


def raced() -> Refusal:
    """
    What a write says of rows that are not as it expected.
    """
    return Refusal("conflict", "raced")


def test_one_that_would_wait_holds_up_nobody_before_it(
    own_postgres_server: PostgresServer,
    name: str,
    database: Database,
    calls: ThreadCalls,
    busy: threading.Event,
) -> None:
    """
    A change whose run another daemon has locked is made by itself, behind those before it and before those
    behind it.
    """
    done: list[str] = []

    def note(word: str, driver: Driver) -> None:
        add(driver)
        done.append(word)

    def locked(driver: Driver) -> None:
        lock(driver, "run_1")
        note("locked", driver)

    other = PostgresPlace(own_postgres_server.address(name), "other").open(full_sync=False)
    other.driver.command(b"BEGIN")
    other.driver.lock("run_1")
    other.driver.flush()
    first = database.run_on_driver(partial(note, "first"))
    pending = [database.run_on_driver(locked), database.run_on_driver(partial(note, "last"))]
    busy.set()
    calls.result_of(first)
    assert done == ["first"]
    other.driver.command(b"COMMIT")
    other.close()
    for each in pending:
        calls.result_of(each)
    assert done == ["first", "locked", "last"]
    assert calls.result_of(database.run_on_driver(count)) == 3


def test_a_connection_that_is_lost_costs_none_of_those_that_came_together(
    own_postgres_server: PostgresServer,
    name: str,
    database: Database,
    calls: ThreadCalls,
    busy: threading.Event,
) -> None:
    """
    They are made again over a new connection, each once.
    """
    losses = iter([True])

    def work(driver: Driver) -> None:
        add(driver)
        if next(losses, False):
            own_postgres_server.end_connections(name)

    pending = [database.run_on_driver(each) for each in (add, work, add)]
    busy.set()
    for each in pending:
        calls.result_of(each)
    assert calls.result_of(database.run_on_driver(count)) == 3


def test_a_change_that_is_refused_at_once_takes_no_other_with_it(
    database: Database, calls: ThreadCalls
) -> None:
    """
    Of changes that share a transaction the refused ones are undone alone, whether or not they had come to the
    server; those before and behind them stay.
    """

    def refuse(_: Any) -> None:
        raise Refusal(RefusalCode.CONFLICT, "no", "none")

    def add_and_refuse(opened: Any) -> None:
        add(opened.driver)
        refuse(opened)

    def work(opened: Any) -> list[Any]:
        steps = [refuse, lambda it: add(it.driver), refuse, add_and_refuse, refuse, lambda it: add(it.driver)]
        return list(opened.together([Step(needs_core=False, work=step) for step in steps]))

    outcomes = calls.result_of(database._submit(work))
    assert [isinstance(outcome, Failure) for outcome in outcomes] == [True, False, True, True, True, False]
    assert calls.result_of(database.run_on_driver(count)) == 2


def test_a_lock_by_a_name_that_is_looked_up_is_the_same_lock(
    own_postgres_server: PostgresServer, name: str, database: Database, calls: ThreadCalls
) -> None:
    """
    Who names a run and who names a session of it keep out of each other's way.
    """
    other = PostgresPlace(own_postgres_server.address(name), "other").open(full_sync=False)

    def meet(driver: Driver) -> int:
        other.driver.begin()
        lock(other.driver, "run_é")
        other.driver.flush()
        driver.may_wait = False  # type: ignore[attr-defined]
        lock_named(driver, "SELECT CAST(? AS TEXT)", ("run_é",))
        try:
            return count(driver)
        finally:
            driver.may_wait = True  # type: ignore[attr-defined]
            other.driver.command(b"ROLLBACK")

    with pytest.raises(InTheWay):
        calls.result_of(database.run_on_driver(meet))
    other.close()


def test_what_met_no_row_is_told_though_it_went_with_the_commit(
    database: Database, calls: ThreadCalls
) -> None:
    """
    A change that goes with its commit in one way is undone where another call was before it, and tried again
    with a look at everything: once it is refused, once it is made.
    """
    tries: list[int] = []

    def rename(before: str, driver: Driver) -> None:
        tries.append(count(driver))
        text = "UPDATE page_seen SET project_id = ? WHERE project_id = ?"
        write(driver, "INSERT INTO daemon_start VALUES (?, 1.0, 'v', 1)", [(len(tries),)], None)
        write(driver, text, [("renamed", before)], raced, expected=1)

    calls.result_of(database.run_on_driver(add))
    assert refused(calls, database.run_on_driver(partial(rename, "never"))).code == "conflict"
    assert tries == [1, 1]
    calls.result_of(database.run_on_driver(partial(rename, "p0")))
    assert tries == [1, 1, 1]


def test_two_daemons_add_to_one_chain(
    own_postgres_server: PostgresServer, name: str, calls: ThreadCalls, open_databases: Databases
) -> None:
    """
    Whoever wrote last, each daemon goes on where the chain ends, though it looks only after it was wrong.
    """
    places = [PostgresPlace(own_postgres_server.address(name), origin) for origin in ("a", "b")]
    audits = [StoredAudit(open_databases(place), now=lambda: 7.0) for place in places]
    for at in (0, 0, 1, 0, 1, 1, 1, 0, 0, 0):
        calls.result_of(audits[at].record(a_draft(f"by {at}")))
    check = calls.result_of(ensureDeferred(audits[0].check()))
    assert (check.fault, check.rows) == (None, 10)


def test_what_cannot_be_sent_takes_nothing_with_it(
    database: Database, calls: ThreadCalls, busy: threading.Event
) -> None:
    """
    A change with a text that the server cannot keep is undone alone, though those before it were settled.
    """

    def adds(name: str, driver: Driver) -> None:
        write(driver, "INSERT INTO page_seen VALUES (?, 1, 1.0)", [(name,)], None)

    pending = [database.run_on_driver(work) for work in (add, partial(adds, "b"), partial(adds, "a\0"), add)]
    busy.set()
    for each in (*pending[:2], pending[3]):
        calls.result_of(each)
    with pytest.raises(Exception, match="NUL"):
        calls.result_of(pending[2])
    assert calls.result_of(database.run_on_driver(count)) == 3
