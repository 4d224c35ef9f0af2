"""
Drivers that the app connects by and whose statements nobody tells, over modules that look like them.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

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


def test_a_driver_that_sqlalchemy_connects_by_is_none(asyncpg: Any) -> None:
    """
    SQLAlchemy tells the statements itself.
    """
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

    module: Any = ModuleType("pymysql")
    module.connect = Connection
    monkeypatch.setitem(sys.modules, "pymysql", module)
    with collecting("sql_unseen"):
        made = module.connect("db")
        assert isinstance(made, module.connect)
        assert (made.host, drivers) == ("db", {"pymysql"})
