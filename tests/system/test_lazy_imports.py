"""
What is loaded when: quick commands stay quick, and the port opens before the heavy libraries are read.

Each program runs in an interpreter of its own, where nothing has been imported yet.
"""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system
RELEASED = Path(__file__).parents[1] / "unit/storage/released"


def printed(program: str, *arguments: str, folder: Path) -> str:
    """
    The last line that a program prints.
    """
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.splitlines()[-1]


def test_reading_settings_needs_the_standard_library_only(tmp_path: Path) -> None:
    """
    The quick commands stay quick: settings load nothing that has to be installed.
    """
    program = (
        "import sys, reticle.settings;"
        "print([m for m in ('twisted','attrs','attr','msgspec','click','platformdirs','sqlalchemy')"
        " if m in sys.modules])"
    )
    assert printed(program, folder=tmp_path) == "[]"


@pytest.mark.parametrize("arguments", [["--version"], ["status"], ["stop"], ["serve", "--help"]])
def test_quick_commands_load_neither_twisted_nor_the_database(arguments: list[str], tmp_path: Path) -> None:
    """
    Asking for the version or the status does not wait for imports that only the daemon needs.
    """
    program = (
        "import sys; from reticle.cli.main import run; run(sys.argv[1:]);"
        "print([m for m in ('twisted', 'zope', 'sqlalchemy', 'websockets') if m in sys.modules])"
    )
    assert printed(program, *arguments, folder=tmp_path) == "[]"


def test_the_store_loads_the_database_library_late(tmp_path: Path) -> None:
    """
    The port opens before SQLAlchemy is loaded: making a store does not import it.
    """
    program = (
        "import sys; from pathlib import Path; from reticle.storage.store import Store;"
        "from reticle.testing.threads import ThreadCalls;"
        "Store(Path(sys.argv[1]), ThreadCalls(), now=lambda: 1.0); print('sqlalchemy' in sys.modules)"
    )
    assert printed(program, str(tmp_path), folder=tmp_path) == "False"


def test_alembic_is_loaded_only_to_migrate(tmp_path: Path) -> None:
    """
    Every start but that after an upgrade is spared Alembic's import, the very first too.
    """
    program = (
        "import sys; from pathlib import Path; from reticle.storage.connection import open_database;"
        "open_database(Path(sys.argv[1])).close(); print('alembic' in sys.modules)"
    )
    database = str(tmp_path / "x.sqlite3")
    assert [printed(program, database, folder=tmp_path) for _ in range(2)] == ["False", "False"]
    old = tmp_path / "old.sqlite3"
    with contextlib.closing(sqlite3.connect(old)) as driver:
        driver.executescript((RELEASED / "0002.sql").read_text("utf-8"))
    old.chmod(0o600)
    assert [printed(program, str(old), folder=tmp_path) for _ in range(2)] == ["True", "False"]


def test_nothing_is_imported_before_the_first_scrape(tmp_path: Path) -> None:
    """
    A daemon that nobody scrapes does not load the client library, and an application's own default
    registry stays untouched.
    """
    program = (
        "import sys\n"
        "from reticle.transport.metrics import Metrics\n"
        "metrics = Metrics(mcp_sessions=lambda: 0, pages=lambda: 0)\n"
        "metrics.call_ended('x', 'ok')\n"
        "before = 'prometheus_client' in sys.modules\n"
        "metrics.exposition()\n"
        "from prometheus_client import REGISTRY, generate_latest\n"
        "print(before, b'reticle' in generate_latest(REGISTRY))\n"
    )
    assert printed(program, folder=tmp_path) == "False False"
