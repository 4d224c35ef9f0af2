"""
The doctor's look at a shared database.
"""

from __future__ import annotations

import json
import sys

import pytest

from reticle.cli import main
from reticle.cli.checks import Level
from reticle.cli.database_check import check_database
from reticle.settings import SecretText, Settings


def shared(url: str) -> Settings:
    """
    What a machine with a shared database has set.
    """
    return Settings(database_url=SecretText(url))


def test_a_file_of_ones_own_needs_no_look() -> None:
    """
    Without a shared database nothing is said about one.
    """
    assert check_database(Settings()) == []


def test_a_server_that_is_away_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Before the first start one sees that the server is not there, where it should be, and no password.
    """
    pytest.importorskip("psycopg")
    [row] = check_database(shared("postgresql://shop:hidden@127.0.0.1:1/orders"))
    assert (row.level, row.name) == (Level.FAULT, "database")
    assert row.text == "PostgreSQL at 127.0.0.1:1/orders cannot be reached"
    assert row.command.startswith("Start it")
    monkeypatch.setenv("RETICLE_DATABASE_URL", "postgresql://shop@127.0.0.1:1/orders")
    assert main.run(["doctor", "--port", "0"]) == 1


def test_a_missing_driver_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Before the first start one sees what is still to be installed.
    """
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv("RETICLE_DATABASE_URL", "postgresql://shop@127.0.0.1:1/orders")
    assert main.run(["doctor", "--port", "0", "--json"]) == 1
    [row] = [row for row in json.loads(capsys.readouterr().out)["rows"] if row["name"] == "database"]
    assert row["command"] == 'pip install "txreticle[postgres]"'
