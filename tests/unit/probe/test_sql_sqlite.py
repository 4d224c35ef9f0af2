"""
Statements and transactions of sqlite3 used directly.
"""

from __future__ import annotations

import contextlib
import gc
import linecache
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from reticle.probe import quiet, sql_sqlite
from reticle.probe.context import begin
from reticle.probe.limits import KEPT_KINDS
from reticle.probe.sql_unseen import drivers
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    with collecting("sql_sqlite") as sink:
        yield sink


@pytest.fixture
def connection(kept: KeptFacts) -> Iterator[sqlite3.Connection]:
    """
    A database with a table.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:
        opened.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, total)")
        kept.facts.clear()
        yield opened


def short(kept: KeptFacts) -> list[tuple[Any, ...]]:
    """
    Facts without what a test does not compare.
    """
    return [
        ("sql", fields["verb"], fields["rows"]) if kind == "sql" else (kind, fields["outcome"])
        for kind, fields in kept.facts
    ]


def test_a_statement_names_its_line_and_rows(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    The agent reads what was written, how much, and where in the app.
    """
    connection.execute("INSERT INTO orders (total) VALUES (?)", (4,))
    (fields,) = kept.of("sql")
    assert (fields["statement"], fields["verb"], fields["tables"], fields["rows"]) == (
        "INSERT INTO orders (total) VALUES (?)", "INSERT", ["orders"], 1,
    )  # fmt: skip
    assert fields["file"] == __file__
    assert linecache.getline(__file__, fields["line"]).strip().startswith('connection.execute("INSERT')
    assert fields["tx"] is not None
    assert isinstance(fields["ms"], float)


def test_a_shared_function_leads_to_who_called_it(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    A helper that runs all statements does not hide the view behind it.
    """

    def rows() -> None:
        connection.execute("SELECT * FROM orders")

    def view() -> None:
        rows()

    view()
    (fields,) = kept.of("sql")
    first = rows.__code__.co_firstlineno
    assert (fields["file"], fields["line"]) == (__file__, first + 1)
    assert [place["line"] - first for place in fields["via"][:2]] == [4, 6]
    assert len(fields["via"]) <= 3


def test_a_commit_and_a_rollback_are_told(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    Implicit transactions end as the app ends them.
    """
    connection.execute("INSERT INTO orders (total) VALUES (1)")
    connection.commit()
    connection.cursor().executemany("INSERT INTO orders (total) VALUES (?)", [(1,), (2,)])
    connection.rollback()
    with connection:
        connection.execute("UPDATE orders SET total = 2")
    with contextlib.suppress(ZeroDivisionError), connection:
        connection.execute("DELETE FROM orders")
        raise ZeroDivisionError
    assert short(kept) == [
        ("sql", "INSERT", 1), ("transaction", "committed"),
        ("sql", "INSERT", 2), ("transaction", "rolled_back"),
        ("sql", "UPDATE", 1), ("transaction", "committed"),
        ("sql", "DELETE", 1), ("transaction", "rolled_back"),
    ]  # fmt: skip


def test_a_missing_commit_is_seen(kept: KeptFacts, tmp_path: Path) -> None:
    """
    A view that forgets to commit loses its write, whether it closes the connection or drops it.
    """
    for close in (True, False):
        opened = sqlite3.connect(tmp_path / "shop.db")
        opened.execute("CREATE TABLE IF NOT EXISTS orders (total)")
        opened.execute("INSERT INTO orders VALUES (1)")
        if close:
            opened.close()
        del opened
        gc.collect()
        outcomes = [fields["outcome"] for fields in kept.of("transaction")]
        assert outcomes[-1:] == ["rolled_back"]
        assert kept.of("transaction")[-1]["file"] == __file__
        kept.facts.clear()


def test_the_end_of_a_dropped_connection_sets_no_context_variable(
    kept: KeptFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Garbage that is collected while another context variable is set does not bring the app's process down.
    """
    opened = sqlite3.connect(":memory:")
    opened.execute("CREATE TABLE orders (total)")
    opened.execute("INSERT INTO orders VALUES (1)")
    touched: list[object] = []
    monkeypatch.setattr("reticle.probe.sql_sqlite.safely", lambda *given: touched.append(given))
    monkeypatch.setattr("reticle.probe.quiet.working", None)
    del opened
    gc.collect()
    assert (touched, kept.of("transaction")[-1]["outcome"]) == ([], "rolled_back")


def test_a_write_that_is_still_open_when_its_request_ends_is_told(
    kept: KeptFacts, connection: sqlite3.Connection
) -> None:
    """
    A connection that lives on, in a thread or a global, does not hide a forgotten commit.
    """
    request = begin("POST", "/orders")
    connection.execute("INSERT INTO orders (total) VALUES (1)")
    request.end(201)
    (fields,) = kept.of("transaction")
    assert (fields["outcome"], fields["rid"], fields["file"]) == ("open", request.rid, __file__)


def test_what_the_database_rolled_back_by_itself_is_not_committed_later(
    kept: KeptFacts, connection: sqlite3.Connection
) -> None:
    """
    A conflict that ends the transaction takes the writes before it along, whatever is committed next.
    """
    connection.execute("INSERT INTO orders (id) VALUES (1)")
    with contextlib.suppress(sqlite3.IntegrityError):
        connection.execute("INSERT OR ROLLBACK INTO orders (id) VALUES (1)")
    connection.execute("INSERT INTO orders (id) VALUES (2)")
    connection.commit()
    assert [fields["outcome"] for fields in kept.of("transaction")] == ["rolled_back", "committed"]


def test_a_transaction_that_ends_without_a_call_of_commit(kept: KeptFacts) -> None:
    """
    The release of an outermost savepoint, and a change of the isolation level, commit.
    """
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        opened.execute("SAVEPOINT one")
        opened.execute("INSERT INTO orders VALUES (1)")
        opened.execute("RELEASE one")
        opened.isolation_level = "DEFERRED"
        opened.execute("INSERT INTO orders VALUES (2)")
        opened.isolation_level = None
    assert [fields["outcome"] for fields in kept.of("transaction")] == ["committed", "committed"]


def test_every_statement_of_a_script_is_told(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    A write in the midst of a script, of one that brings its own transaction too, is no secret.
    """
    connection.executescript(
        "BEGIN; INSERT INTO orders (total) VALUES ('a;b'); UPDATE orders SET total = 2; COMMIT;"
        "CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM orders; END; -- the end;"
    )
    assert [fact[1] for fact in short(kept)] == ["INSERT", "UPDATE", "committed", "CREATE"]
    kept.facts.clear()
    with contextlib.suppress(sqlite3.OperationalError):
        connection.executescript("INSERT INTO orders (total) VALUES (1); INSERT INTO nowhere VALUES (1)")
    assert ("sql", "INSERT", None) in short(kept)


def test_a_write_without_a_transaction_is_committed_by_itself(kept: KeptFacts) -> None:
    """
    An app in autocommit mode is told as what it is.
    """
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.execute("CREATE TABLE t (a)")
        opened.execute("INSERT INTO t VALUES (1)")
        opened.execute("SELECT * FROM t").fetchall()
        assert short(kept) == [
            ("sql", "CREATE", None),
            ("sql", "INSERT", 1), ("transaction", "committed"),
            ("sql", "SELECT", None),
        ]  # fmt: skip
        kept.facts.clear()
        opened.execute("BEGIN")
        opened.execute("DELETE FROM t")
        opened.execute("ROLLBACK")
        assert short(kept) == [("sql", "DELETE", 1), ("transaction", "rolled_back")]


def test_a_statement_that_fails_is_told_with_its_error(
    kept: KeptFacts, connection: sqlite3.Connection
) -> None:
    """
    The app gets its exception, the agent the statement.
    """
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        connection.execute("SELECT * FROM nowhere")
    (fields,) = kept.of("sql")
    assert (fields["failed"], fields["tables"]) == ("OperationalError", ["nowhere"])


def test_the_app_gets_what_it_would_get(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    Classes, rows, factories and scripts of the app work as before.
    """

    class Mine(sqlite3.Cursor):
        shout = True

    class MyConnection(sqlite3.Connection):
        mine = True

    assert isinstance(connection, sqlite3.Connection)
    assert type(connection).__name__ == "Connection"
    assert isinstance(connection.cursor(), sqlite3.Cursor)
    assert connection.cursor(Mine).execute("SELECT 1").fetchone() == (1,)
    assert connection.cursor(Mine).shout
    connection.row_factory = sqlite3.Row
    assert connection.execute("SELECT 1 AS a").fetchone()["a"] == 1
    connection.executescript("INSERT INTO orders (total) VALUES (1); INSERT INTO orders (total) VALUES (2);")
    assert len(list(connection.execute("SELECT * FROM orders"))) == 2
    with contextlib.closing(sqlite3.connect(":memory:", factory=MyConnection)) as other:
        assert isinstance(other, MyConnection)
        assert other.mine
        assert other.execute("SELECT 2").fetchone() == (2,)
    assert kept.of("sql")


@pytest.mark.parametrize("library", ["django.db.backends.sqlite3.base", "sqlalchemy.pool.base"])
def test_a_connection_of_a_library_above_is_told_by_it(kept: KeptFacts, library: str) -> None:
    """
    A statement of Django's or SQLAlchemy's is one fact, not two.
    """
    assert sys.modules["sqlalchemy"] is sqlalchemy
    space = {"__name__": library, "sqlite3": sqlite3}
    exec("def connect():\n    return sqlite3.connect(':memory:')", space)
    connect: Any = space["connect"]
    with contextlib.closing(connect()) as opened:
        assert type(opened) is sqlite3.Connection
        opened.execute("SELECT 1")
    assert kept.facts == []


@pytest.mark.parametrize(
    ("library", "caller"),
    [
        ("django.core.handlers.base", "_get_response"),
        ("django.db.backends.base.base", "run_and_clear_commit_hooks"),
        ("sqlalchemy.event.attr", "__call__"),
        ("peewee", "connect"),
    ],
)
def test_a_connection_that_the_app_opens_is_told_whoever_calls_the_app(
    kept: KeptFacts, library: str, caller: str
) -> None:
    """
    A view of Django's that writes by ``sqlite3`` itself has written, and so has a library nobody tells of.
    """
    space = {"__name__": library, "view": lambda: sqlite3.connect(":memory:")}
    exec(f"def {caller}():\n    return view()", space)
    called: Any = space[caller]
    with contextlib.closing(called()) as opened:
        opened.execute("SELECT 1")
    assert len(kept.of("sql")) == 1


def test_nothing_of_ours_and_nothing_after_removal_is_told() -> None:
    """
    The probe's own work is no fact, and with the probe off the library is what it was.
    """
    before = sqlite3.connect
    with collecting("sql_sqlite") as kept:
        with contextlib.closing(sqlite3.connect(":memory:")) as opened, quiet.own_work():
            opened.execute("SELECT 1")
        assert kept.facts == []
    assert sqlite3.connect is before
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:
        assert type(opened) is sqlite3.Connection


def test_a_connection_that_only_read_tells_how_its_first_write_ended(
    kept: KeptFacts, connection: sqlite3.Connection
) -> None:
    """
    Reads outside of a transaction are told without one, and a write behind them is said to be rolled back.
    """
    connection.execute("SELECT total FROM orders").fetchall()
    connection.execute("INSERT INTO orders (total) VALUES (1)")
    connection.execute("SELECT total FROM orders").fetchall()
    connection.rollback()
    read, wrote, inside = kept.of("sql")
    [ended] = kept.of("transaction")
    assert read["tx"] is None
    assert wrote["tx"] == inside["tx"] == ended["tx"] is not None
    assert ended["outcome"] == "rolled_back"


def test_a_write_that_is_committed_by_itself_is_told_on_a_connection_without_transactions(
    kept: KeptFacts,
) -> None:
    """
    With ``isolation_level=None`` SQLite commits each statement, and a part of it where the app says BEGIN.
    """
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE orders (total)")
        kept.facts.clear()
        connection.execute("INSERT INTO orders VALUES (1)")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO orders VALUES (2)")
        connection.execute("ROLLBACK")
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("INSERT INTO nowhere VALUES (3)")
    assert [fields["outcome"] for fields in kept.of("transaction")] == ["committed", "rolled_back"]
    alone, begun, failed = kept.of("sql")
    assert alone["tx"] != begun["tx"]
    assert failed["failed"] == "OperationalError"


class OwnCursor(sqlite3.Cursor):
    """
    One of the app's, with an argument of its own.
    """

    def execute(self, statement: str, values: Any = (), *, note: str = "") -> Any:
        """
        Say what for.
        """
        return super().execute(f"{statement} -- {note}", values)


class OwnConnection(sqlite3.Connection):
    """
    Likewise; it keeps what it ran.
    """

    ran: tuple[str, ...] = ()

    def execute(self, statement: str, values: Any = (), *, note: str = "") -> Any:
        """
        Run it by a cursor of the app's.
        """
        self.ran += (note,)
        return self.cursor(OwnCursor).execute(statement, values, note=note)

    def executescript(self, script: str, note: str = "") -> Any:
        """
        Run it.
        """
        self.ran += (note,)
        return super().executescript(script)


def test_methods_of_an_apps_own_connection_are_called_and_told_once(kept: KeptFacts) -> None:
    """
    A class of the app's that adds to ``execute`` works as without us.
    """
    with contextlib.closing(sqlite3.connect(":memory:", factory=OwnConnection)) as connection:
        connection.executescript("CREATE TABLE orders (total);", note="made")
        connection.execute("INSERT INTO orders VALUES (?)", (4,), note="written")
        connection.commit()
        assert connection.execute("SELECT total FROM orders", note="read").fetchall() == [(4,)]
        assert connection.ran == ("made", "written", "read")
    assert short(kept) == [("sql", "CREATE", None), ("sql", "INSERT", 1), ("transaction", "committed"),
                           ("sql", "SELECT", None)]  # fmt: skip
    assert {fields["file"] for _, fields in kept.facts} == {__file__}


def test_an_apps_own_cursor_takes_its_own_arguments(kept: KeptFacts, connection: sqlite3.Connection) -> None:
    """
    Whatever it is called with reaches it.
    """
    cursor = connection.cursor(OwnCursor)
    assert cursor.execute("SELECT 1", note="why").fetchall() == [(1,)]
    assert [fields["verb"] for fields in kept.of("sql")] == ["SELECT"]


def test_cursors_that_an_apps_own_connection_makes_are_said_to_be_unseen(kept: KeptFacts) -> None:
    """
    That a statement is missing must mean nothing then; statements of the connection itself are told.
    """

    class Opening(sqlite3.Connection):
        def cursor(self) -> sqlite3.Cursor:  # type: ignore[override]  # as apps write it
            return super().cursor()

    drivers.clear()
    with contextlib.closing(sqlite3.connect(":memory:", factory=Opening)) as connection:
        connection.execute("SELECT 1")
        assert drivers == set()
        connection.cursor().execute("SELECT 2")
    assert drivers == {"sqlite3"}
    drivers.clear()
    assert len(kept.of("sql")) == 1


@pytest.mark.parametrize("is_named", [True, False])
def test_a_connection_that_the_app_makes_by_its_own_function_is_not_seen(*, is_named: bool) -> None:
    """
    Whatever such a function returns is called as it is, and that no statement was told of it says nothing.
    """

    def own(place: str, *_: Any, **__: Any) -> sqlite3.Connection:
        return sqlite3.Connection(place)

    with collecting("sql_unseen", "sql_sqlite"):
        assert drivers == set()
        connect: Any = sqlite3.connect
        named: dict[str, Any] = {"factory": own} if is_named else {}
        made = connect(":memory:", 5.0, 0, None, True, *([] if is_named else [sqlite3.Connection]), **named)
        made.close()
        assert drivers == {"sqlite3"}


@pytest.mark.usefixtures("kept")
def test_an_app_that_makes_a_class_for_each_connection() -> None:
    """
    Such an app's memory does not grow by all of them.
    """
    for _ in range(KEPT_KINDS):

        class Own(sqlite3.Connection):
            pass

        with contextlib.closing(sqlite3.connect(":memory:", factory=Own)) as opened:
            assert isinstance(opened, Own)
    assert len(sql_sqlite._kinds) <= KEPT_KINDS
