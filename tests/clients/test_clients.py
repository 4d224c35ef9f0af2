"""
Every client of the matrix, installed from its registry, against a running daemon with a real page.
"""

from __future__ import annotations

import sys

import pytest

from tests.clients.matrix import MODERN, ROWS, Row
from tests.clients.outcome import Called, Outcome, parse_outcome
from tests.clients.stage import Stage
from tests.system.wire import eventually

STRUCTURED_SINCE = "2025-06-18"


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.name, marks=[pytest.mark.full] if row.full else []) for row in ROWS]
)
def test_client(stage: Stage, row: Row) -> None:
    """
    The client gets its revision, tools, a verdict on the page and a refusal that it can read, and leaves.
    """
    if row.old and sys.version_info >= (3, 14):
        pytest.skip("its pydantic has no wheels for this Python")
    command = row.starts(stage)
    before = stage.mcp_sessions()
    outcome = parse_outcome(stage.run(command))
    assert (outcome.revision, outcome.server) == (row.revision, "reticle" if row.is_told else None)
    assert outcome.pinged is (None if row.revision == MODERN else True)
    assert outcome.cancelled is row.cancels
    check_lists(outcome, is_told=row.is_told)
    check_progress(outcome, expected=row.progress)
    check_results(outcome)
    if row.leaves:
        eventually(lambda: stage.mcp_sessions() <= before, "the daemon has let the client go")


def check_lists(outcome: Outcome, *, is_told: bool) -> None:
    """
    What there is: tools for every client, prompts and resources for those that are told of them.
    """
    assert {"reticle_sessions", "reticle_assert", "reticle_act_and_wait"} <= set(outcome.tools)
    assert len(outcome.tools) <= 20
    if is_told:
        assert {"verify", "debug"} <= set(outcome.prompts or ())
        assert "reticle://sessions" in (outcome.resources or ())


def check_progress(outcome: Outcome, *, expected: bool) -> None:
    """
    Progress comes where it was asked for, and grows within the one call that tells some.
    """
    if expected:
        assert outcome.progress
    assert list(outcome.progress) == sorted(set(outcome.progress))


def check_results(outcome: Outcome) -> None:
    """
    Each call's answer, in the words of the revision.
    """
    results = outcome.results
    for name, called in results.items():
        assert called.is_error is (name == "refused"), called.text
        assert (called.structured is not None) is (outcome.revision >= STRUCTURED_SINCE), called.wire
    assert '"Bench"' in results["sessions"].text
    assert verified(results["asserted"]) == "yes", results["asserted"].text
    assert verified(results["acted"]) == "yes", results["acted"].text
    assert results["refused"].text.startswith("refused (unknown_session)")
    refused = results["refused"].structured
    assert refused is None or (refused["ok"], refused["error"]) == (False, "unknown_session")


def verified(called: Called) -> str:
    """
    The verdict, by its field or, for clients before 2025-06-18, by its text.
    """
    if called.structured is not None:
        return str(called.structured["verified"])
    return called.text.removeprefix("verified: ").split(" ", 1)[0]
