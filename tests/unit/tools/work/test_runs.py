"""
Runs are prepared, started, given up and looked at.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.tools.work.office import Office

JOBS: list[dict[str, Any]] = [
    {"id": "fix", "role": "maker", "title": "Mend the cart", "prompt": "Make it count."},
    {"id": "judge", "role": "judge", "type": "review", "depends_on": ["fix"]},
]

ARTIFACT = {"logical_name": "report", "kind": "report"}
VERDICT = {"claim": {"kind": "text", "contains": "Cart"}, "url": "http://localhost:3000/"}


def test_nothing_happens_before_the_start() -> None:
    """
    A prepared run waits for its operator; started twice it is started once.
    """
    office = Office()
    made = office.operator.call("run.prepare", jobs=JOBS, title="Cart")
    assert (made["state"], made["jobs"]) == ("ready", 2)
    assert made["roles"]["judge"]["reviewer"] is True
    run = {"run_id": made["run_id"]}
    assert office.operator.call("run.detail", **run)["jobs_by_state"] == {"blocked": 2}
    started = office.operator.call("run.start", **run)
    assert (started["state"], started["already_started"]) == ("running", False)
    assert started["jobs"] == {"blocked": 1, "queued": 1}
    assert office.operator.call("run.start", **run)["already_started"] is True


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "bad_arguments"),
        ({"jobs": JOBS, "workflow": "plan.toml"}, "bad_arguments"),
        ({"jobs": []}, "workflow_error"),
        ({"jobs": [{"id": "a", "role": "x", "depends_on": ["b"]}]}, "workflow_error"),
        ({"jobs": [{"id": "a", "role": "x", "lease": 1}]}, "bad_arguments"),
        ({"jobs": [{"id": "a", "role": "x", "max_attempts": 0}]}, "bad_arguments"),
        ({"jobs": [{"id": "a", "role": "x", "write_scope": {"forbiden_paths": ["k"]}}]}, "bad_arguments"),
        (
            {"jobs": [{"id": "a", "role": "x", "expected_artifacts": [{**ARTIFACT, "requird": False}]}]},
            "bad_arguments",
        ),
        (
            {"jobs": [{"id": "a", "role": "x", "requires_verdict": [{**VERDICT, "server_reload": True}]}]},
            "bad_arguments",
        ),
        (
            {"jobs": [{"id": "a", "role": "x", "requires_verdict": [{"claim": {"kind": "?"}, "url": "x"}]}]},
            "workflow_error",
        ),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused(arguments: dict[str, Any], error: str) -> None:
    """
    A fault of a plan is found before anybody works by it, and nothing is written down.
    """
    office = Office()
    assert office.operator.call("run.prepare", **arguments)["error"] == error
    assert office.operator.call("list.runs")["runs"] == []


def test_a_canceled_run_is_canceled_once() -> None:
    """
    A run that was given up stays so, and its agents are sent home.
    """
    office = Office(*JOBS)
    told = office.operator.call("run.cancel", run_id=office.run_id, reason="wrong plan")
    assert (told["state"], told["reason"], told["already_canceled"]) == ("canceled", "wrong plan", False)
    assert office.operator.call("run.cancel", run_id=office.run_id)["already_canceled"] is True
    assert office.operator.call("run.start", run_id=office.run_id)["error"] == "invalid_transition"


def test_jobs_are_listed_a_part_at_a_time() -> None:
    """
    A long run is read in parts, by state and by role, and each part says how to go on.
    """
    office = Office(*({"id": f"j{place}", "role": "ab"[place % 2]} for place in range(5)))
    first = office.operator.call("list.jobs", run_id=office.run_id, limit=2)
    assert [each["id"] for each in first["jobs"]] == ["j0", "j1"]
    second = office.operator.call("list.jobs", run_id=office.run_id, **first["next"])
    assert [each["id"] for each in second["jobs"]] == ["j2", "j3"]
    last = office.operator.call("list.jobs", run_id=office.run_id, **second["next"])
    assert [each["id"] for each in last["jobs"]] == ["j4"]
    assert "next" not in last
    of_role = office.operator.call("list.jobs", run_id=office.run_id, role="b", state="queued")
    assert [each["id"] for each in of_role["jobs"]] == ["j1", "j3"]


def test_a_run_of_another_repository_is_not_there() -> None:
    """
    Nobody learns of a run by its id alone.
    """
    office = Office(*JOBS)
    assert office.operator.call("run.detail", run_id="run_x")["error"] == "not_found"
    assert office.operator.call("run.start", run_id="run_x")["error"] == "not_found"
    assert office.operator.call("list.jobs", run_id="run_x")["error"] == "not_found"
    assert office.operator.call("session.register", run_id="run_x", role="maker")["error"] == "not_found"
