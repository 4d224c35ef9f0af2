"""
Lists a part at a time: everything once, in its order, whatever the clock does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reticle.model.ids import RepositoryId
from reticle.model.tokens import Repository
from tests.unit.tools.work.office import Office

ONE = {"id": "one"}


def parts_of(
    call: Callable[..., dict[str, Any]], of: str, name: str, **arguments: Any
) -> list[dict[str, Any]]:
    """
    What a list gives two at a time.
    """
    found: list[dict[str, Any]] = []
    after: dict[str, Any] = {}
    while True:
        told = call(name, limit=2, **arguments, **after)
        assert told["ok"], told
        assert len(told[of]) <= 2
        found += told[of]
        if "next_cursor" not in told:
            assert "truncated" not in told
            return found
        after = {"after": told["next_cursor"]}


def test_runs_and_jobs_come_whole_in_parts() -> None:
    """
    Of runs that were prepared in one moment none is left out and none comes twice.
    """
    office = Office(*({"id": f"j{number}"} for number in range(5)))
    jobs = parts_of(office.operator.call, "jobs", "list.jobs", run_id=office.run_id)
    assert [job["id"] for job in jobs] == [f"j{number}" for number in range(5)]
    for _ in range(4):
        office.prepare([ONE])
    whole = office.operator.call("list.runs")["runs"]
    assert parts_of(office.operator.call, "runs", "list.runs") == whole
    assert len(whole) == 5


def test_sessions_packets_and_escalations_come_whole_in_parts() -> None:
    """
    An operator reads all of a long list, the order of which is that of what happened.
    """
    office = Office(*({"id": f"j{number}"} for number in range(5)))
    agents = [office.agent() for _ in range(5)]
    of_run = {"run_id": office.run_id}
    sessions = parts_of(office.operator.call, "sessions", "list.sessions", **of_run)
    assert {each["session_id"] for each in sessions} == {agent.session_id for agent in agents}
    assert len(sessions) == 5
    asked = []
    for agent in agents:
        office.clock.advance(-10)
        assert agent.call("work.claim_next")["ok"]
        told = agent.call("session.report", report_kind="question", message="which?")
        asked.append(told["blocker_id"])
    packets = parts_of(office.operator.call, "packets", "work.packet_show", **of_run)
    assert len({each["packet_id"] for each in packets}) == len(packets) == 5
    escalations = parts_of(office.operator.call, "escalations", "escalation.list", **of_run)
    assert [each["escalation_id"] for each in escalations] == asked[::-1]


@pytest.mark.parametrize("name", ["list.runs", "list.sessions", "escalation.list", "work.packet_show"])
def test_a_cursor_that_names_nothing_is_refused(name: str) -> None:
    """
    A list does not begin anew, silently, where its cursor is gone.
    """
    office = Office(ONE)
    told = office.operator.call(
        name, after="run_gone", **({} if name == "list.runs" else {"run_id": office.run_id})
    )
    assert told["error"] == "bad_arguments"
    assert "begin again without after" in told["recovery"]


def test_a_cursor_of_another_repository_names_nothing() -> None:
    """
    Whoever may see one repository does not learn from a list what there is in another one.
    """
    office = Office(ONE)
    office.bench.repositories.keep(Repository(RepositoryId("other"), "/srv/other", "Other", (), 0.0))
    told = office.operator.call("list.runs", repository_id="other", after=office.run_id)
    gone = office.operator.call("list.runs", repository_id="other", after="run_gone")
    assert (told["error"], told["message"]) == ("bad_arguments", gone["message"])
