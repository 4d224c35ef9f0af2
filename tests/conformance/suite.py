"""
Runs the conformance suite of the protocol's authors against a server, and reads what it wrote of each check.

The suite's own exit code looks only at the scenarios that it scores; here every check counts.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from tests.programs.environments import bin_of, npm_packages, recent_node

HERE: Final = Path(__file__).parent
LISTED_FAULTS: Final = HERE / "suite_faults.toml"
LEG_SECONDS: Final = 300
FAILED: Final = frozenset({"FAILURE", "WARNING"})
"""Statuses that count against the server; a WARNING is a SHOULD that it does not keep."""


@attrs.frozen
class Leg:
    """
    One run: its name, the suite's options, how many scenarios it has and how many checks pass at least.

    The numbers keep a run that tested nothing, or less than it used to, from passing.
    """

    name: str
    options: Sequence[str]
    scenarios: int
    passes: int


LEGS: Final = (
    Leg("requirements 2025-11-25", ("--requirements", "2025-11-25"), 33, 83),
    # One of these 50, tasks-status-notifications, is skipped by the suite itself.
    Leg("requirements 2026-07-28", ("--requirements", "2026-07-28"), 50, 196),
    Leg("all 2025-03-26", ("--suite", "all", "--spec-version", "2025-03-26"), 1, 3),
    Leg("all 2025-06-18", ("--suite", "all", "--spec-version", "2025-06-18"), 27, 56),
)
"""What issue 4 asks for; tasks scenarios belong to the second."""


@attrs.frozen
class Check:
    """
    What the suite wrote about one check. One check of a scenario may be made several times.
    """

    scenario: str
    check: str
    status: str
    message: str

    @property
    def failed(self) -> bool:
        """
        Whether it counts against the server.
        """
        return self.status in FAILED

    @property
    def key(self) -> str:
        """
        How the list of faults names it.
        """
        return f"{self.scenario}:{self.check}"


@attrs.frozen
class Report:
    """
    Everything that one leg found, and what the suite itself printed.
    """

    leg: Leg
    checks: Sequence[Check]
    printed: str

    @property
    def scenarios(self) -> int:
        """
        How many scenarios left a result.
        """
        return len({check.scenario for check in self.checks})

    def line(self) -> str:
        """
        One line for people.
        """
        counted = Counter(check.status.lower() for check in self.checks)
        told = ", ".join(f"{count} {status}" for status, count in sorted(counted.items()))
        return f"{self.leg.name}: {self.scenarios} scenarios, {len(self.checks)} checks: {told}"


def run_leg(leg: Leg, url: str, folder: Path) -> Report:
    """
    Run one leg; its files go to ``folder``. Raises ``NotInstalledError``, ``TimeoutExpired``.
    """
    packages = npm_packages(HERE / "npm")
    script = bin_of(packages, "@modelcontextprotocol/conformance", "conformance")
    command = [recent_node(), str(script), "server", "--url", url, "--output-dir", str(folder), *leg.options]
    done = subprocess.run(
        command, cwd=HERE, capture_output=True, text=True, timeout=LEG_SECONDS, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return Report(leg, read_checks(folder), done.stdout + done.stderr)


def read_checks(folder: Path) -> list[Check]:
    """
    Every check in the suite's output folder, scenario by scenario.
    """
    found = []
    for path in sorted(folder.glob("*/checks.json")):
        scenario = re.sub(r"^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$", r"\1", path.parent.name)
        for check in json.loads(path.read_text()):
            message = check.get("errorMessage") or ""
            found.append(Check(scenario, check["id"], check["status"], message))
    return found


def listed_faults(path: Path = LISTED_FAULTS) -> Mapping[str, frozenset[str]]:
    """
    By leg, the checks that fail through the suite's own fault; each entry must carry its proof.
    """
    faults: dict[str, set[str]] = {}
    for entry in tomllib.loads(path.read_text()).get("fault", []):
        assert entry["proof"].strip(), f"{entry['check']} has no proof"
        faults.setdefault(entry["leg"], set()).add(entry["check"])
    return {leg: frozenset(checks) for leg, checks in faults.items()}


def complaints(report: Report, faults: frozenset[str] = frozenset()) -> list[str]:
    """
    Why the leg does not pass; empty when it does.

    A listed fault that no longer shows is a complaint too: the list would hide the next one.
    """
    failed = [check for check in report.checks if check.failed]
    told = [f"{check.status} {check.key}: {check.message}" for check in failed if check.key not in faults]
    stale = sorted(faults - {check.key for check in failed})
    told += [f"{key} is listed as a fault of the suite and passes: take it off the list" for key in stale]
    if report.scenarios != report.leg.scenarios:
        told.append(f"{report.scenarios} scenarios left a result, not {report.leg.scenarios}")
    passed = sum(check.status == "SUCCESS" for check in report.checks)
    if passed + len(faults) < report.leg.passes:
        told.append(f"{passed} checks passed, fewer than {report.leg.passes}")
    return told
