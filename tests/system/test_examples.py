"""
The example servers (``examples/servers``): clean they pass, and no fault behind their screens does.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.regressions.choice import everything
from bench.regressions.entries import load
from bench.regressions.report import Results, lines
from bench.regressions.run import run
from bench.regressions.versions import told, version_lines

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
    record_property(
        f"table: example server {app}", "\n".join([*lines(results), *version_lines(SERVERS, [app])])
    )
    assert [case.journey.id for case in results.false_alarms()] == []
    assert [case.variant and case.variant.id for case in results.false_greens()] == []
    faults = results.faults()
    assert len(faults) >= 12
    assert [case.variant and case.variant.id for case in faults if not results.is_caught(case)] == []
    assert [case.variant and case.variant.id for case in faults if not results.is_placed(case)] == []


def test_a_version_that_was_not_run_is_named() -> None:
    """
    Whoever reads the table of Django knows which Django it is, and why the other is not in it.
    """
    [line] = version_lines(SERVERS, ["django", "flask"])
    assert line.startswith("django: Django ")
    both = {"5": "3.10", "6": "3.12"}
    here = platform.python_version()
    assert told("django", "Django", both, (3, 11), "5.2.19") == (
        f"django: Django 5.2.19 run; Django 6 not run: it needs Python 3.12, and this is {here}"
    )
    assert told("django", "Django", both, (3, 12), "6.0") == (
        "django: Django 6.0 run; Django 5 not run: another is installed"
    )
