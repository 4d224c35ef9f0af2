"""
``reticle storage copy`` says what is in the way, and loses nothing then.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from reticle.cli.exits import ExitCode
from reticle.cli.main import run
from reticle.storage.lock import DirectoryLock, LockHolder
from reticle.storage.store import DATABASE_FILE
from reticle.testing.postgresql import PostgresServer

NOWHERE = "postgresql://nobody@127.0.0.1:1/none"
RELEASED = Path(__file__).parents[1] / "storage" / "released" / "0008.sql"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """
    The state directory of a daemon that was stopped.
    """
    path = tmp_path / DATABASE_FILE
    driver = sqlite3.connect(path)
    driver.executescript(RELEASED.read_text("utf-8"))
    driver.close()
    path.chmod(0o600)
    tmp_path.chmod(0o700)
    return tmp_path


def copy(state: Path, *more: str) -> int:
    """
    The command.
    """
    return run(["storage", "copy", "--state-dir", str(state), *more])


def test_says_what_is_in_the_way(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    No address, no file, a daemon that runs, a server that is not there: each in a line with a next step.
    """
    monkeypatch.delenv("RETICLE_DATABASE_URL", raising=False)
    assert copy(state) == ExitCode.USAGE
    assert "nothing says where to" in capsys.readouterr().err
    assert copy(state / "none", "--database-url", NOWHERE) == ExitCode.CONFIGURATION
    assert "so there is nothing to copy" in capsys.readouterr().err
    lock = DirectoryLock(state)
    lock.acquire(LockHolder(1, 4400, 0.0))
    assert copy(state, "--database-url", NOWHERE) == ExitCode.FAILED
    assert "another reticle daemon" in capsys.readouterr().err
    lock.release()
    assert copy(state, "--database-url", NOWHERE) == ExitCode.FAILED
    assert "cannot be reached" in capsys.readouterr().err


def test_copies_and_says_what(
    state: Path, capsys: pytest.CaptureFixture[str], postgres_server: PostgresServer
) -> None:
    """
    An operator gets the head of the log to compare, as lines or as one JSON object.
    """
    url = postgres_server.url(postgres_server.fresh_database())
    assert copy(state, "--database-url", url, "--json") == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["seq"], told["rows"]["token"]) == (3, 1)
    assert copy(state, "--database-url", url) == ExitCode.CONFIGURATION
    assert "is not empty" in capsys.readouterr().err
    url = postgres_server.url(postgres_server.fresh_database())
    assert copy(state, "--database-url", url) == ExitCode.OK
    assert f"head: {told['head']} (row 3)" in capsys.readouterr().out


def test_a_file_of_an_older_release_is_kept_as_it_was(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An operator who has to go back to the older release finds its file, as the help said.
    """
    path = state / DATABASE_FILE
    before = path.read_bytes()
    assert run(["storage", "copy", "--help"]) == ExitCode.OK
    assert "as it was" in " ".join(capsys.readouterr().out.split())
    assert copy(state, "--database-url", NOWHERE) == ExitCode.FAILED
    [kept] = state.glob(f"{DATABASE_FILE}.backup-*")
    assert path.read_bytes() != before
    with sqlite3.connect(kept) as now, sqlite3.connect(":memory:") as then:
        then.executescript(RELEASED.read_text("utf-8"))
        assert [*now.iterdump()] == [*then.iterdump()]
    now.close()
    then.close()
