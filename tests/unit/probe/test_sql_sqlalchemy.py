"""
Statements and transactions of SQLAlchemy.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Engine, Integer, MetaData, Table, create_engine, insert, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collectors are in, that of the driver below too.
    """
    with collecting("sql_sqlalchemy", "sql_sqlite") as sink:
        yield sink


@pytest.fixture
def engine(kept: KeptFacts) -> Iterator[Engine]:
    """
    A database with a table.
    """
    made = create_engine("sqlite://", poolclass=StaticPool)
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE orders (id INTEGER PRIMARY KEY, total)"))
    kept.facts.clear()
    yield made
    made.dispose()


def short(kept: KeptFacts) -> list[tuple[object, ...]]:
    """
    Facts without what a test does not compare.
    """
    return [
        ("sql", fields["verb"], fields["rows"]) if kind == "sql" else (kind, fields["outcome"])
        for kind, fields in kept.facts
    ]


def test_a_statement_is_told_once_with_the_apps_line(kept: KeptFacts, engine: Engine) -> None:
    """
    SQLAlchemy and the driver below make one fact, and it leads to the app.
    """
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO orders (total) VALUES (:total)"), {"total": 7})
    assert short(kept) == [("sql", "INSERT", 1), ("transaction", "committed")]
    fields = kept.of("sql")[0]
    assert (fields["statement"], fields["tables"], fields["file"]) == (
        "INSERT INTO orders (total) VALUES (?)", ["orders"], __file__,
    )  # fmt: skip
    assert fields["tx"] == kept.of("transaction")[0]["tx"]


def test_a_session_that_is_not_committed_rolled_back(kept: KeptFacts, engine: Engine) -> None:
    """
    A forgotten commit behind a healthy answer is seen.
    """
    with Session(engine) as session:
        session.execute(text("INSERT INTO orders (total) VALUES (1)"))
        session.flush()
    assert short(kept) == [("sql", "INSERT", 1), ("transaction", "rolled_back")]


def test_a_session_that_is_only_dropped_rolled_back(kept: KeptFacts, tmp_path: Path) -> None:
    """
    Nobody closed it: its connection goes back to the pool, and a later commit on it is another's.
    """
    engine = create_engine(f"sqlite:///{tmp_path}/shop.db", pool_size=1)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE orders (id INTEGER PRIMARY KEY, total)"))
    kept.facts.clear()
    session = Session(engine)
    session.execute(text("INSERT INTO orders (total) VALUES (1)"))
    del session
    gc.collect()
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO orders (total) VALUES (2)"))
        assert connection.execute(text("SELECT count(*) FROM orders")).scalar() == 1
    assert [fields["outcome"] for fields in kept.of("transaction")] == ["rolled_back", "committed"]
    engine.dispose()


def test_a_commit_that_fails_is_none(kept: KeptFacts, engine: Engine) -> None:
    """
    What a deferred constraint refuses at the commit is not in the database, whoever swallows the exception.
    """
    with engine.begin() as connection:
        connection.execute(text("PRAGMA foreign_keys = ON"))
        connection.execute(
            text("CREATE TABLE lines (parent REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED)")
        )
    with engine.connect() as connection:
        connection.execute(text("PRAGMA foreign_keys = ON"))
        connection.commit()
        kept.facts.clear()
        connection.execute(text("INSERT INTO lines VALUES (99)"))
        with contextlib.suppress(IntegrityError):
            connection.commit()
    (tx,) = {fields["tx"] for fields in kept.of("transaction")}
    assert tx == kept.of("sql")[0]["tx"]
    assert kept.of("transaction")[-1]["outcome"] == "rolled_back"


def test_a_commit_that_fails_was_never_told_as_one(kept: KeptFacts, engine: Engine) -> None:
    """
    Nobody reads "committed" of what the database refused, not even for a moment.
    """
    with engine.connect() as connection:
        connection.execute(text("PRAGMA foreign_keys = ON"))
        connection.execute(
            text("CREATE TABLE parts (of REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED)")
        )
        connection.commit()
        connection.execute(text("PRAGMA foreign_keys = ON"))
        connection.commit()
        kept.facts.clear()
        connection.execute(text("INSERT INTO parts VALUES (99)"))
        with pytest.raises(IntegrityError):
            connection.commit()
    assert [fields["outcome"] for fields in kept.of("transaction")] == ["rolled_back"]


def test_an_engine_that_was_there_before_is_watched(tmp_path: Path) -> None:
    """
    The probe may be switched on in an app that runs; what SQLAlchemy asks by itself is nobody's statement.
    """
    engine = create_engine(f"sqlite:///{tmp_path}/shop.db")
    with collecting("sql_sqlalchemy") as kept, engine.begin() as connection:
        connection.execute(text("CREATE TABLE orders (total)"))
    with engine.begin() as connection:
        connection.execute(text("SELECT * FROM orders"))
    assert [fields["verb"] for fields in kept.of("sql")] == ["CREATE"]
    engine.dispose()


def test_an_own_kind_of_dialect_is_told_once(kept: KeptFacts, tmp_path: Path) -> None:
    """
    One that adds to how its base executes makes one fact of a statement, not two.
    """

    class Shouting(SQLiteDialect_pysqlite):
        supports_statement_cache = True

        def do_execute(self, cursor: Any, statement: Any, parameters: Any, context: Any = None) -> None:
            super().do_execute(cursor, f"{statement} -- !", parameters, context)  # type: ignore[no-untyped-call]  # it has no types

    registry.register("shouting", __name__, "found_dialect")
    globals()["found_dialect"] = Shouting
    plain, loud = create_engine(f"sqlite:///{tmp_path}/a.db"), create_engine(f"shouting:///{tmp_path}/b.db")
    for engine in (plain, loud):
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
        engine.dispose()
    assert [fields["statement"] for fields in kept.of("sql")] == ["SELECT ?", "SELECT ?"]


def test_each_batch_of_many_rows_is_told(kept: KeptFacts, engine: Engine) -> None:
    """
    An insert of many rows that SQLAlchemy parts into several statements is as many facts.
    """
    orders = Table("orders", MetaData(), Column("id", Integer, primary_key=True), Column("total", Integer))
    with engine.connect().execution_options(insertmanyvalues_page_size=2) as connection, connection.begin():
        many = insert(orders).returning(orders.c.id)
        connection.execute(many, [{"total": number} for number in range(3)])
    assert short(kept) == [("sql", "INSERT", 2), ("sql", "INSERT", 1), ("transaction", "committed")]


def test_reading_has_no_outcome(kept: KeptFacts, engine: Engine) -> None:
    """
    A session that only reads is closed without a word.
    """
    with Session(engine) as session:
        session.execute(text("SELECT * FROM orders")).all()
    assert [row[:2] for row in short(kept)] == [("sql", "SELECT")]


def test_a_nested_block_is_rolled_back_alone(kept: KeptFacts, engine: Engine) -> None:
    """
    begin_nested that fails loses its write and nothing else.
    """
    with Session(engine) as session:
        session.execute(text("INSERT INTO orders (total) VALUES (1)"))
        nested = session.begin_nested()
        session.execute(text("UPDATE orders SET total = 2"))
        nested.rollback()
        session.commit()
    inserted, updated = kept.of("sql")
    outcomes = {fields["tx"]: fields["outcome"] for fields in kept.of("transaction")}
    assert outcomes == {inserted["tx"]: "committed", updated["tx"]: "rolled_back"}


def test_autocommit_is_known(kept: KeptFacts, engine: Engine) -> None:
    """
    A write in autocommit mode is committed by itself.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("INSERT INTO orders (total) VALUES (1)"))
    assert short(kept) == [("sql", "INSERT", 1), ("transaction", "committed")]


def test_a_statement_that_fails_is_told(kept: KeptFacts, engine: Engine) -> None:
    """
    The app gets its exception, the agent the statement.
    """
    with pytest.raises(OperationalError), engine.connect() as connection:
        connection.execute(text("SELECT * FROM nowhere"))
    (fields,) = kept.of("sql")
    assert (fields["failed"], fields["tables"]) == ("OperationalError", ["nowhere"])


class Looping(SQLiteDialect_pysqlite):
    """
    A dialect of somebody else's, one of whose methods runs statements by another.
    """

    supports_statement_cache = True

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """
        Without parameters by the method for that.
        """
        if parameters:
            cursor.execute(statement, parameters)
        else:
            self.do_execute_no_params(cursor, statement, context)

    def do_execute_no_params(self, cursor: Any, statement: str, context: Any = None) -> None:
        """
        As it stands.
        """
        del context
        cursor.execute(statement)

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """
        One by one.
        """
        for each in parameters:
            self.do_execute(cursor, statement, each, context)


def test_a_dialect_whose_methods_call_each_other(kept: KeptFacts) -> None:
    """
    A write is told once, and a click that writes once is not said to have written twice.
    """
    registry.impls["sqlite.looping"] = lambda: Looping
    made = create_engine("sqlite+looping://", poolclass=StaticPool)
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE orders (id INTEGER PRIMARY KEY, total)"))
        kept.facts.clear()
        connection.execute(text("INSERT INTO orders (total) VALUES (:total)"), [{"total": 1}, {"total": 2}])
        connection.execute(text("INSERT INTO orders (total) VALUES (3)"))
        alone = connection.execution_options(no_parameters=True)
        alone.exec_driver_sql("INSERT INTO orders (total) VALUES (4)")
    made.dispose()
    del registry.impls["sqlite.looping"]
    assert [fields["verb"] for fields in kept.of("sql")] == ["INSERT"] * 3
    assert [fields["file"] for fields in kept.of("sql")] == [__file__] * 3
    assert len(kept.of("transaction")) == 1
