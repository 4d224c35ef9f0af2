"""
What is loaded when: quick commands stay quick, and the port opens before the heavy libraries are read.

Each program runs in an interpreter of its own, where nothing has been imported yet.
"""

from __future__ import annotations

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
    Making a store does not import SQLAlchemy.
    """
    program = (
        "import sys; from pathlib import Path; from reticle.storage.store import Store;"
        "from reticle.testing.threads import ThreadCalls;"
        "Store(Path(sys.argv[1]), ThreadCalls(), now=lambda: 1.0); print('sqlalchemy' in sys.modules)"
    )
    assert printed(program, str(tmp_path), folder=tmp_path) == "False"


def test_a_start_is_spared_sqlalchemy_and_alembic(tmp_path: Path) -> None:
    """
    Neither the first start, which makes a database and a token, nor a later one waits for these imports.
    """
    program = (
        "import os, sys; from pathlib import Path; from twisted.internet.defer import Deferred;"
        "from reticle.service.bootstrap import ensure_client_token;"
        "from reticle.storage.store import Store; from reticle.testing.threads import ThreadCalls;"
        "folder, calls = Path(sys.argv[1]), ThreadCalls(); store = Store(folder, calls, now=lambda: 1.0);"
        "store.startService(); calls.result_of(store.whenOpen());"
        "token = ensure_client_token(folder / 'token', store.tokens, now=lambda: 1.0, random=os.urandom);"
        "calls.result_of(Deferred.fromCoroutine(token)); calls.result_of(store.stopService());"
        "print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    )
    assert [printed(program, str(tmp_path), folder=tmp_path) for _ in range(2)] == ["[]", "[]"]


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


def test_the_browser_is_loaded_with_the_first_lease(tmp_path: Path) -> None:
    """
    A daemon that drives nothing does not carry what drives.
    """
    program = (
        "import sys, reticle.service.daemon;"
        "print(sorted(m for m in sys.modules if m.startswith('reticle.browser.')))"
    )
    assert printed(program, folder=tmp_path) == "['reticle.browser.failures', 'reticle.browser.late']"
