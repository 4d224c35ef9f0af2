"""
The acting matrix by real input: every action on every kind of element in every framework's app, in a browser
that the daemon drives (``tests/page/matrix``).
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from examples.journeys.children import ROOT, Daemon

TABLE_SECONDS = 300

pytestmark = [pytest.mark.usefixtures("drives"), pytest.mark.full]


@pytest.mark.parametrize("app", [pytest.param("React 19", id="one"), pytest.param("", id="all")])
def test_hands_do_to_each_app_what_its_own_state_tells(
    app: str, daemon: Daemon, tool: Callable[[str], str], record_property: Callable[[str, object], None]
) -> None:
    """
    A real mouse and real keys do exactly what was asked, once, or are refused with the reason.
    """
    script = ROOT / "tests" / "page" / "matrix" / "driven.mjs"
    command = [tool("node"), str(script), daemon.url, *([app] if app else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TABLE_SECONDS, check=False)
    record_property("table: acting by real input", done.stdout)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
