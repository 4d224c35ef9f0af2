"""
Drivers that the app connects by and whose statements nobody tells, over modules that look like them.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import pytest

from reticle.probe.sender import Sender
from reticle.probe.sql_unseen import drivers
from reticle.testing.collecting import collecting


@pytest.fixture
def asyncpg(monkeypatch: pytest.MonkeyPatch) -> Any:
    """
    The module, whose connections are functions' work.
    """
    module: Any = ModuleType("asyncpg")
    module.connect = lambda dsn: f"connected to {dsn}"
    monkeypatch.setitem(sys.modules, "asyncpg", module)
    return module


def test_a_driver_is_named_once_the_app_connects_by_it(asyncpg: Any) -> None:
    """
    Merely imported it says nothing; each batch says it from then on.
    """
    with collecting("sql_unseen"):
        assert drivers == set()
        assert asyncpg.connect("shop") == "connected to shop"
        assert drivers == {"asyncpg"}
        hello = Sender("plain", "/srv/shop")._body([])
        assert b'"unseen":["asyncpg"]' in hello.replace(b": ", b":")
    with collecting("sql_unseen"):
        assert drivers == set()


def test_a_driver_that_sqlalchemy_connects_by_is_none(asyncpg: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    SQLAlchemy tells the statements itself.
    """
    monkeypatch.setitem(sys.modules, "sqlalchemy", ModuleType("sqlalchemy"))
    space = {"__name__": "sqlalchemy.dialects.postgresql.asyncpg", "module": asyncpg}
    exec("def connect():\n    return module.connect('shop')", space)
    connect: Any = space["connect"]
    with collecting("sql_unseen"):
        assert connect() == "connected to shop"
        assert drivers == set()


def test_a_driver_whose_connect_is_a_class_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    PyMySQL's is one, and the app asks whether something is an instance of it.
    """

    class Connection:
        def __init__(self, host: str) -> None:
            self.host = host

    module: Any = ModuleType("pymysql.connections")
    module.Connection = module.connect = Connection
    monkeypatch.setitem(sys.modules, "pymysql.connections", module)
    outer: Any = ModuleType("pymysql")
    outer.connect = module.connect
    monkeypatch.setitem(sys.modules, "pymysql", outer)
    with collecting("sql_unseen"):
        made = outer.connect("db")
        assert isinstance(made, outer.connect)
        assert (made.host, drivers) == ("db", {"pymysql"})


class Made:
    """
    A connection, by whatever it was made.
    """

    def __init__(self, *told: object) -> None:
        self.told = told


KNOWN = [
    ("aiomysql", "aiomysql", "create_pool"), ("aiopg", "aiopg", "connect"), ("asyncmy", "asyncmy", "connect"),
    ("asyncpg", "asyncpg", "create_pool"), ("duckdb", "duckdb", "sql"), ("mariadb", "mariadb", "connect"),
    ("mysql.connector", "mysql.connector.abstracts", "MySQLConnectionAbstract"),
    ("mysql.connector", "mysql.connector.aio", "connect"), ("MySQLdb", "MySQLdb.connections", "Connection"),
    ("oracledb", "oracledb", "connect_async"), ("pg8000", "pg8000.core", "CoreConnection"),
    ("pymongo", "pymongo", "MongoClient"), ("pymongo", "pymongo", "AsyncMongoClient"),
    ("pymssql", "pymssql", "connect"), ("pyodbc", "pyodbc", "connect"), ("pysqlite3", "pysqlite3", "connect"),
    ("sqlcipher3", "sqlcipher3.dbapi2", "connect"),
]  # fmt: skip


@pytest.mark.parametrize(("driver", "module", "maker"), KNOWN)
@pytest.mark.parametrize("is_class", [False, True])
def test_each_driver_is_told(
    driver: str,
    module: str,
    maker: str,
    is_class: bool,  # noqa: FBT001 - a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Whatever a driver's way to a connection is, an app that goes it has statements that nobody tells.
    """

    class Own(Made):
        def __init__(self, *told: object) -> None:
            super().__init__(*told)

    def connected(*told: object) -> Own:
        return Own(*told)

    there: Any = ModuleType(module)
    setattr(there, maker, Own if is_class else connected)
    monkeypatch.setitem(sys.modules, module, there)
    with collecting("sql_unseen"):
        assert drivers == set()
        assert getattr(there, maker)("shop").told == ("shop",)
        assert drivers == {driver}


def test_a_driver_that_calls_with_each_connection_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Classes of APSW cannot be changed; it calls those who ask to be.
    """
    apsw: Any = ModuleType("apsw")
    theirs: list[object] = []
    apsw.connection_hooks = [theirs.append]
    monkeypatch.setitem(sys.modules, "apsw", apsw)
    with collecting("sql_unseen"):
        assert drivers == set()
        for hook in apsw.connection_hooks:
            hook("a connection")
        assert drivers == {"apsw"}
    assert apsw.connection_hooks == [theirs.append]
    assert theirs == ["a connection"]


class WithoutBeginning:
    """
    As a class in Rust: what is given to it is its ``__new__``'s.
    """

    def __new__(cls, *_: object) -> Self:
        """
        With anything.
        """
        return super().__new__(cls)


@pytest.mark.parametrize("maker", [WithoutBeginning, type(iter([])), None])
def test_a_driver_that_cannot_be_watched_is_told_at_once(
    maker: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    That the app only imported it is no proof that it made no statement.
    """
    psqlpy: Any = ModuleType("psqlpy")
    psqlpy.ConnectionPool = maker
    monkeypatch.setitem(sys.modules, "psqlpy", psqlpy)
    with collecting("sql_unseen"):
        assert drivers == {"psqlpy"}
        assert psqlpy.ConnectionPool is maker


@pytest.mark.parametrize("driver", ["asyncpg", "sqlite3", "psycopg2"])
@pytest.mark.parametrize("is_kept", [False, True])
def test_a_function_that_the_app_took_by_its_name_before_is_told(
    driver: str,
    is_kept: bool,  # noqa: FBT001 - a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    An app that is switched on by its last line has imported its driver's ``connect`` by then.
    """
    there: Any = ModuleType(driver)
    there.connect = lambda dsn: f"connected to {dsn}"
    there.Connection = there.Cursor = Made
    app: Any = ModuleType("shop")
    app.driver = there
    if is_kept:
        app.connect = there.connect
    monkeypatch.setitem(sys.modules, driver, there)
    monkeypatch.setitem(sys.modules, "shop", app)
    with collecting("sql_sqlite", "sql_unseen"):
        assert drivers == ({driver} if is_kept else set())


@pytest.mark.usefixtures("asyncpg")
def test_a_module_that_loads_itself_late_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An app that puts off its imports begins as fast as without the probe, and runs nothing of them early.
    """
    (tmp_path / "put_off.py").write_text("raise ZeroDivisionError\n")
    spec = importlib.util.spec_from_file_location("put_off", tmp_path / "put_off.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "put_off", module)
    spec.loader.exec_module(module)
    with collecting("sql_unseen"):
        assert drivers == set()
    with pytest.raises(ZeroDivisionError):
        vars(module)
