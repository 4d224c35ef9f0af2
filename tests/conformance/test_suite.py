"""
The conformance suite of the protocol's authors, over the product's engine and transport.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conformance.suite import LEGS, Check, Leg, Report, complaints, listed_faults, read_checks, run_leg
from tests.conftest import TABLE

ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 10
TOLD_CHARS = 4_000
WANTED_BUG = "protocol_error_job"
"""The one tool that must break, by the suite's wish."""

LEG = Leg("a leg", (), scenarios=1, passes=2)


class Service(NamedTuple):
    """
    Where it serves, and what it logs.
    """

    url: str
    log: Path


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """
    A server with the fixtures that the suite looks for.
    """
    command = [sys.executable, "-m", "tests.conformance.service", "--port", "0"]
    log = tmp_path_factory.mktemp("service") / "log"
    with log.open("wb") as written:
        running = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=written, text=True
        )
    try:
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), log.read_text()
        yield Service(url, log)
    finally:
        running.terminate()
        try:
            running.communicate(timeout=STOP_SECONDS)
        finally:
            running.kill()
            running.wait()


@pytest.mark.parametrize("leg", LEGS, ids=lambda leg: leg.name.replace(" ", "-"))
def test_the_suite(
    service: Service, leg: Leg, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """
    Whoever implements a client by the specification meets no surprise: not one check fails.
    """
    report = run_leg(leg, service.url, tmp_path)
    record_property(f"{TABLE}conformance suite", report.line())
    logged = service.log.read_text()
    told = f"{report.printed[-TOLD_CHARS:]}\n{logged[-TOLD_CHARS:]}"
    assert complaints(report, listed_faults().get(leg.name, frozenset())) == [], told
    bugs = [line for line in logged.splitlines() if "#critical]" in line and WANTED_BUG not in line]
    assert bugs == []


def report_of(*checks: Check) -> Report:
    """
    What a leg of one scenario and two checks found.
    """
    return Report(LEG, checks, "")


PASSED = Check("ping", "ping", "SUCCESS", "")
BROKEN = Check("ping", "wire-schema-valid", "FAILURE", "no resultType")


def test_a_failed_check_is_told() -> None:
    """
    A single failed check fails the run, and so does a SHOULD that is not kept.
    """
    assert complaints(report_of(PASSED, PASSED)) == []
    told = complaints(report_of(PASSED, PASSED, BROKEN))
    assert told == ["FAILURE ping:wire-schema-valid: no resultType"]
    warned = Check("ping", "ping", "WARNING", "slow")
    assert complaints(report_of(PASSED, PASSED, warned)) == ["WARNING ping:ping: slow"]


def test_a_run_that_tested_too_little_is_told() -> None:
    """
    A suite that found no scenario, or made fewer checks than before, is no pass.
    """
    assert len(complaints(report_of())) == 2
    assert complaints(report_of(PASSED)) == ["1 checks passed, fewer than 2"]


def test_a_listed_fault_is_excused_until_it_passes() -> None:
    """
    What is the suite's own fault does not stop us, and the list cannot outlive the fault.
    """
    listed = frozenset({BROKEN.key})
    assert complaints(report_of(PASSED, BROKEN), listed) == []
    assert complaints(report_of(PASSED, PASSED), listed) == [
        "ping:wire-schema-valid is listed as a fault of the suite and passes: take it off the list"
    ]


def test_a_fault_without_proof_is_not_listed(tmp_path: Path) -> None:
    """
    Nobody can excuse a check without showing the bytes.
    """
    listing = tmp_path / "faults.toml"
    listing.write_text('[[fault]]\nleg = "a leg"\ncheck = "ping:ping"\nproof = "GET …"\n')
    assert listed_faults(listing) == {"a leg": frozenset({"ping:ping"})}
    listing.write_text('[[fault]]\nleg = "a leg"\ncheck = "ping:ping"\nproof = " "\n')
    with pytest.raises(AssertionError, match="has no proof"):
        listed_faults(listing)


def test_what_the_suite_wrote_is_read(tmp_path: Path) -> None:
    """
    A scenario's name is its folder's, without what the suite adds.
    """
    folder = tmp_path / "server-server-sse-polling-2026-11-30T03-43-19-697Z"
    folder.mkdir()
    (folder / "checks.json").write_text(
        '[{"id": "polling", "status": "FAILURE", "errorMessage": "no retry"}, {"id": "x", "status": "INFO"}]'
    )
    assert read_checks(tmp_path) == [
        Check("server-sse-polling", "polling", "FAILURE", "no retry"),
        Check("server-sse-polling", "x", "INFO", ""),
    ]
