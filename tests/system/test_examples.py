"""
The example servers (``examples/servers``): clean they pass, and no fault behind their screens does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.regressions.choice import everything
from bench.regressions.entries import load
from bench.regressions.report import Results, lines
from bench.regressions.run import run

SERVERS = Path(__file__).resolve().parents[2] / "examples" / "servers"
AT_A_TIME = 3
ONE = "flask"
"""At every commit; all of them in `make full`."""
OTHERS = ("django", "fastapi", "klein", "wsgi")


@pytest.mark.usefixtures("drives")
@pytest.mark.parametrize("app", [ONE, *(pytest.param(app, marks=pytest.mark.full) for app in OTHERS)])
def test_faults_of_the_server_do_not_pass(app: str, record_property: Callable[[str, object], None]) -> None:
    """
    What only the server knows decides: every planted fault is caught, and its Python line is named.
    """
    entries = load([app], SERVERS)
    results = Results(run(everything(entries), jobs=AT_A_TIME))
    record_property(f"table: example server {app}", "\n".join(lines(results)))
    assert [case.journey.id for case in results.false_alarms()] == []
    assert [case.variant and case.variant.id for case in results.false_greens()] == []
    faults = results.faults()
    assert len(faults) >= 12
    assert [case.variant and case.variant.id for case in faults if not results.is_caught(case)] == []
    assert [case.variant and case.variant.id for case in faults if not results.is_placed(case)] == []
