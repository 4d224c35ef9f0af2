"""
Which drivers the app connects by itself whose statements nobody here tells: the daemon then knows that a
statement which was not told may have been made all the same.

A connection that Django or SQLAlchemy opens is told by those.
"""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Any, Final

from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work
from reticle.probe.sql_above import is_called_from_above

drivers: Final[set[str]] = set()
"""Those that the app has connected by."""

_DRIVERS: Final[dict[str, tuple[str, ...]]] = {
    "aiomysql": ("connect", "create_pool"),
    "aiopg": ("connect", "create_pool"),
    "asyncpg": ("connect", "create_pool"),
    "duckdb": ("connect",),
    "mariadb": ("connect", "ConnectionPool"),
    "mysql.connector": ("connect",),
    "MySQLdb": ("connect",),
    "oracledb": ("connect", "connect_async", "create_pool", "create_pool_async"),
    "pymssql": ("connect",),
    "pymysql": ("connect",),
    "pyodbc": ("connect",),
}
"""Modules, and what of them makes a connection."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch the drivers that the app imports.
    """
    drivers.clear()
    for name, functions in _DRIVERS.items():
        watch.when_imported(name, _wrapping(functions, patches))


def _wrapping(functions: tuple[str, ...], patches: Patches) -> Any:
    def wrap(module: ModuleType) -> None:
        for name in functions:
            found = getattr(module, name, None)
            if isinstance(found, type):  # it stays one, for who asks what something is an instance of
                patches.replace(found, "__init__", _noting(module.__name__))
            else:
                patches.replace(module, name, _noting(module.__name__))

    return wrap


def _noting(driver: str) -> Any:
    def make(original: Any) -> Any:
        def connect(*arguments: Any, **named: Any) -> Any:
            with contextlib.suppress(Exception):
                if driver not in drivers and not is_own_work() and not is_called_from_above():
                    drivers.add(driver)
            return original(*arguments, **named)

        return connect

    return make
