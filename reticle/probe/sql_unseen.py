"""
Which drivers the app connects by itself whose statements nobody here tells: the daemon then knows that a
statement which was not told may have been made all the same.

A connection that Django or SQLAlchemy opens is told by those.
"""

from __future__ import annotations

import contextlib
import sys
from types import ModuleType
from typing import Any, Final

from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work
from reticle.probe.sql_above import is_called_from_above

drivers: Final[set[str]] = set()
"""Those that the app has connected by."""

_DRIVERS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "adbc_driver_manager": {"adbc_driver_manager.dbapi": ("Connection",)},
    "aiomysql": {"aiomysql": ("connect", "create_pool")},
    "aiopg": {"aiopg": ("connect", "create_pool")},
    "asyncmy": {"asyncmy": ("connect", "create_pool")},
    "asyncpg": {"asyncpg": ("connect", "create_pool")},
    "cx_Oracle": {"cx_Oracle": ("connect", "SessionPool")},
    "clickhouse_connect": {"clickhouse_connect": ("get_client", "get_async_client", "create_client")},
    "clickhouse_driver": {"clickhouse_driver.client": ("Client",)},
    "duckdb": {"duckdb": ("connect", "execute", "executemany", "sql", "query", "default_connection")},
    "firebird.driver": {"firebird.driver": ("connect",)},
    "ibm_db": {"ibm_db_dbi": ("connect", "pconnect"), "ibm_db": ("connect", "pconnect")},
    "libsql": {"libsql": ("connect",), "libsql_experimental": ("connect",)},
    "mariadb": {"mariadb": ("connect", "asyncConnect", "ConnectionPool")},
    "mysql.connector": {
        "mysql.connector.abstracts": ("MySQLConnectionAbstract",),
        "mysql.connector.aio": ("connect",),
    },
    "MySQLdb": {"MySQLdb.connections": ("Connection",)},
    "oracledb": {"oracledb": ("connect", "connect_async", "create_pool", "create_pool_async")},
    "pg8000": {"pg8000.core": ("CoreConnection",)},
    "psqlpy": {"psqlpy": ("connect", "ConnectionPool", "ConnectionPoolBuilder")},
    "pymongo": {"pymongo": ("MongoClient", "AsyncMongoClient")},
    "pymssql": {"pymssql": ("connect",)},
    "pymysql": {"pymysql.connections": ("Connection",)},
    "pyodbc": {"pyodbc": ("connect",)},
    "pysqlite3": {"pysqlite3": ("connect",), "pysqlite3.dbapi2": ("connect",)},
    "snowflake.connector": {"snowflake.connector": ("connect",)},
    "sqlcipher3": {"sqlcipher3": ("connect",), "sqlcipher3.dbapi2": ("connect",)},
}
"""
Drivers, and what of which of their modules makes a connection: of one that is asynchronous its functions,
since who calls for a connection is not on the stack any more when one is made.

MongoDB has no SQL, but an app that keeps its orders there has written none where nothing says so. Redis is a
cache and a queue beside a database in most apps, and no claim about a table is about it.
"""

_BY_CONNECT: Final = ("sqlite3", "psycopg2")
"""Drivers whose statements are told, where the app connects by the function that stands in their module."""

_IMMUTABLE_TYPE: Final = 1 << 8
_HEAP_TYPE: Final = 1 << 9
"""``Py_TPFLAGS_IMMUTABLETYPE`` and ``Py_TPFLAGS_HEAPTYPE`` of Python's C API."""

_HOOKS: Final = "apsw"
"""A driver whose classes cannot be changed, and which calls who asks with each new connection."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch the drivers that the app imports.
    """
    drivers.clear()
    for driver, modules in _DRIVERS.items():
        for name, makers in modules.items():
            if name in sys.modules:
                _note_kept(driver, sys.modules[name], makers)
            watch.when_imported(name, _wrapping(driver, makers, patches))
    for driver in _BY_CONNECT:
        if driver in sys.modules:
            _note_kept(driver, sys.modules[driver], ("connect",))
    watch.when_imported(_HOOKS, lambda module: _hooking(module, patches))


def _note_kept(driver: str, module: ModuleType, makers: tuple[str, ...]) -> None:
    """
    Of a driver that was imported before us: an app that has taken one of its functions by name then calls it
    by that name, and nobody sees it.
    """
    functions = [getattr(module, name, None) for name in makers]
    kept = {id(getattr(each, "__wrapped__", each)) for each in functions if not isinstance(each, type)}
    kept.discard(id(None))
    package = driver.partition(".")[0]
    for name, other in list(sys.modules.items()):
        if name.partition(".")[0].lstrip("_") == package or not issubclass(type(other), ModuleType):
            continue
        # by object's own way: a module that loads itself late would do so when it is asked for anything
        names = object.__getattribute__(other, "__dict__")
        if not kept.isdisjoint(map(id, list(names.values()))):
            drivers.add(driver)
            return


def _wrapping(driver: str, makers: tuple[str, ...], patches: Patches) -> Any:
    def wrap(module: ModuleType) -> None:
        known = [found for found in (getattr(module, name, None) for name in makers) if found is not None]
        if not known or not all(_can_be_watched(found) for found in known):
            drivers.add(driver)  # nobody will see the app connect
            return
        for name in makers:
            found = getattr(module, name, None)
            if isinstance(found, type):  # it stays one, for who asks what something is an instance of
                patches.replace(found, "__init__", _noting(driver))
            else:
                patches.replace(module, name, _noting(driver))

    return wrap


def _can_be_watched(maker: object) -> bool:
    """
    Whether one of our own may stand for it, or for its beginning where it is a class: some of those that are
    not written in Python have none, or do not let it be changed.
    """
    if not isinstance(maker, type):
        return True
    is_fixed = not maker.__flags__ & _HEAP_TYPE or maker.__flags__ & _IMMUTABLE_TYPE
    return not is_fixed and maker.__init__ is not object.__init__  # type: ignore[misc]  # of this very class


def _hooking(module: Any, patches: Patches) -> None:
    """
    Ask to be called with each new connection.
    """
    hooks = getattr(module, "connection_hooks", None)
    if not isinstance(hooks, list):
        drivers.add(_HOOKS)
        return

    def connected(_connection: Any) -> None:
        with contextlib.suppress(Exception):
            if not is_own_work() and not is_called_from_above():
                drivers.add(_HOOKS)

    hooks.append(connected)
    patches.on_removal(lambda: hooks.remove(connected) if connected in hooks else None)


def _noting(driver: str) -> Any:
    def make(original: Any) -> Any:
        def connect(*arguments: Any, **named: Any) -> Any:
            with contextlib.suppress(Exception):
                if driver not in drivers and not is_own_work() and not is_called_from_above():
                    drivers.add(driver)
            return original(*arguments, **named)

        return connect

    return make
