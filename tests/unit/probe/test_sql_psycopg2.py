"""
Statements and transactions of psycopg 2, over a module that looks like it: the real one needs a server.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import pytest

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


class Cursor:
    """
    As psycopg2's own: statements touch two rows, or fail.
    """

    rowcount = 2

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def execute(self, query: str, params: Any = None) -> None:
        """
        Run one.
        """
        del params
        if "nowhere" in query:
            raise LookupError

    def executemany(self, query: str, params: Any) -> None:
        """
        Run it for each; psycopg2.extras do so by ``execute``.
        """
        self.execute(query, params)

    def copy_from(self, file: object, table: str, sep: str = ",") -> None:
        """
        Rows into a table.
        """
        del file, sep
        self.execute(table)

    copy_to = copy_from

    def copy_expert(self, sql: str, file: object) -> None:
        """
        As the statement says.
        """
        del file
        self.execute(sql)

    def callproc(self, procname: str, parameters: Any = None) -> Any:
        """
        Call a function of the database's.
        """
        self.execute(procname)
        return parameters


class Connection:
    """
    As psycopg2's own, always within a transaction.
    """

    closed = 0
    cursor_factory: Any = None
    is_refusing = False

    def get_transaction_status(self) -> int:
        """
        In one.
        """
        return 2

    def cursor(self, name: str | None = None, cursor_factory: Any = None) -> Any:
        """
        A new one.
        """
        del name
        return (cursor_factory or self.cursor_factory or Cursor)(self)

    def commit(self) -> None:
        """
        Keep, or refuse.
        """
        if self.is_refusing:
            raise LookupError

    def rollback(self) -> None:
        """
        Lose.
        """

    def close(self) -> None:
        """
        End.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def psycopg2(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """
    The module.
    """
    module = ModuleType("psycopg2")

    def connect(dsn: str = "", connection_factory: Any = None, **_: Any) -> Any:
        del dsn
        return (connection_factory or Connection)()

    found: Any = module
    found.connect, found.extensions = connect, SimpleNamespace(connection=Connection, cursor=Cursor)
    monkeypatch.setitem(sys.modules, "psycopg2", module)
    return module


@pytest.fixture
def facts(psycopg2: ModuleType) -> Iterator[KeptFacts]:
    """
    What the collector tells.
    """
    assert psycopg2.__name__ == "psycopg2"
    with collecting("sql_psycopg2") as sink:
        yield sink


def ends(facts: KeptFacts) -> list[str]:
    """
    How transactions ended.
    """
    return [str(each["outcome"]) for each in facts.of("transaction")]


def test_a_statement_has_its_rows_and_its_caller(psycopg2: Any, facts: KeptFacts) -> None:
    """
    Once each, also where it runs through a loop of the library's own, and by whoever made the cursor.
    """
    connection = psycopg2.connect("")
    connection.cursor().execute("INSERT INTO cart VALUES (%s)", (1,))
    connection.cursor("named").executemany("DELETE FROM cart", [(1,)])
    told = facts.of("sql")
    assert [(each["verb"], each["rows"]) for each in told] == [("INSERT", 2), ("DELETE", 2)]
    assert {str(each["file"]).rpartition("/")[2] for each in told} == {"test_sql_psycopg2.py"}
    assert type(connection).__name__ == "Connection"
    assert isinstance(connection, Connection)


def test_copies_and_calls_are_statements_too(psycopg2: Any, facts: KeptFacts) -> None:
    """
    Rows that come by ``COPY`` are written, and lost without a commit, as others are; each is told once.
    """
    connection = psycopg2.connect("")
    cursor = connection.cursor()
    cursor.copy_from(None, "cart", sep=";")
    cursor.copy_to(None, "cart")
    cursor.copy_expert("COPY orders FROM STDIN", None)
    assert cursor.callproc("pay", [1]) == [1]
    with pytest.raises(LookupError):
        cursor.copy_from(None, "nowhere")
    told = [(each["verb"], each["tables"], each.get("failed")) for each in facts.of("sql")]
    assert told == [
        ("COPY", ["cart"], None),
        ("COPY", ["cart"], None),
        ("COPY", ["orders"], None),
        ("SELECT", [], None),
        ("COPY", ["nowhere"], "LookupError"),
    ]
    assert facts.of("sql")[3]["statement"] == "SELECT * FROM pay()"
    connection.rollback()
    assert ends(facts) == ["rolled_back"]


@pytest.mark.parametrize(
    ("end", "expected"),
    [("commit", "committed"), ("rollback", "rolled_back"), ("close", "rolled_back")],
)
def test_how_a_transaction_ended_is_told(psycopg2: Any, facts: KeptFacts, end: str, expected: str) -> None:
    """
    What nobody committed is not there.
    """
    connection = psycopg2.connect("")
    connection.cursor().execute("INSERT INTO cart VALUES (1)")
    getattr(connection, end)()
    assert ends(facts) == [expected]


def test_a_block_ends_by_itself(psycopg2: Any, facts: KeptFacts) -> None:
    """
    ``with connection`` commits; where a statement failed, the database keeps nothing of it.
    """
    with psycopg2.connect("") as connection:
        connection.cursor().execute("INSERT INTO cart VALUES (1)")
    with psycopg2.connect("") as connection:
        connection.cursor().execute("INSERT INTO cart VALUES (1)")
        with pytest.raises(LookupError):
            connection.cursor().execute("SELECT nowhere")
    assert ends(facts) == ["committed", "rolled_back"]
    assert [each.get("failed") for each in facts.of("sql")] == [None, None, "LookupError"]


def test_a_commit_that_was_refused_is_none(psycopg2: Any, facts: KeptFacts) -> None:
    """
    A deferred constraint fails at the end; the app gets its exception.
    """
    connection = psycopg2.connect("")
    connection.cursor().execute("INSERT INTO cart VALUES (1)")
    connection.is_refusing = True
    with pytest.raises(LookupError):
        connection.commit()
    assert "committed" not in ends(facts)


def test_a_connection_without_a_name_is_dropped(psycopg2: Any, facts: KeptFacts) -> None:
    """
    One that nobody holds any more took its rows with it.
    """
    psycopg2.connect("").cursor().execute("INSERT INTO cart VALUES (1)")
    assert ends(facts) == ["rolled_back"]


def test_the_apps_own_kinds_stay_what_they_are(psycopg2: Any, facts: KeptFacts) -> None:
    """
    A factory of the app's, or of psycopg2.extras, chooses as ever; a connection for callbacks is let be.
    """

    class Named(Cursor):
        pass

    class Choosing(Connection):
        def cursor(self, *arguments: Any, **named: Any) -> Any:
            named.setdefault("cursor_factory", Named)
            return super().cursor(*arguments, **named)

    cursor = psycopg2.connect("", connection_factory=Choosing).cursor()
    assert isinstance(cursor, Named)
    cursor.execute("DELETE FROM cart")
    assert isinstance(psycopg2.connect("").cursor(cursor_factory=Named), Named)
    assert type(psycopg2.connect("", async_=1)) is Connection
    psycopg2.connect("", Choosing).cursor().execute("DELETE FROM cart")
    assert len(facts.of("sql")) == 2
