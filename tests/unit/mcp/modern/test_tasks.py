"""
Tasks in words.
"""

from __future__ import annotations

import pytest

from reticle.errors import PeerFault
from reticle.mcp.modern.task_life import Outcome, TaskStatus
from reticle.mcp.modern.tasks import TaskRecord, detailed_fields, lacks_answer, task_fields
from reticle.model.mcp import Question

QUESTION = Question("roots/list", {})


def record(outcome: Outcome) -> TaskRecord:
    """
    A task with an open question.
    """
    return TaskRecord("task_1", 0.0, 1.5, None, outcome, {"q": QUESTION})


def test_a_mention_says_only_where_it_is() -> None:
    """
    A client that made a task gets its id and when to look, and nothing that belongs to later.
    """
    fields = task_fields(record(Outcome(TaskStatus.COMPLETED, b"{}")))
    assert fields.keys() == {"taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"}
    assert (fields["createdAt"], fields["lastUpdatedAt"]) == (
        "1970-01-01T00:00:00.000Z",
        "1970-01-01T00:00:01.500Z",
    )


@pytest.mark.parametrize(
    ("outcome", "extra"),
    [
        (Outcome(), set()),
        (Outcome(TaskStatus.INPUT_REQUIRED), {"inputRequests"}),
        (Outcome(TaskStatus.COMPLETED, b'{"content":[]}'), {"result"}),
        (Outcome(TaskStatus.FAILED, None, PeerFault("internal_error", "broken", -32603)), {"error"}),
        (Outcome(TaskStatus.CANCELLED), set()),
    ],
)
def test_details_fit_the_status(outcome: Outcome, extra: set[str]) -> None:
    """
    A client finds questions, result or error exactly when the status promises them.
    """
    task = record(outcome)
    assert detailed_fields(task).keys() - task_fields(task).keys() == extra


@pytest.mark.parametrize(
    ("question", "needed"),
    [
        (Question("elicitation/create", {}), {"elicitation": {}}),
        (Question("elicitation/create", {"mode": "url"}), {"elicitation": {"url": {}}}),
        (Question("sampling/createMessage", {}), {"sampling": {}}),
        (QUESTION, {"roots": {}}),
    ],
)
def test_a_lack_is_named_as_a_client_declares_it(question: Question, needed: dict[str, object]) -> None:
    """
    A client reads what it would have to declare.
    """
    fault = lacks_answer(question)
    assert (fault.jsonrpc_code, fault.data) == (-32021, {"requiredCapabilities": needed})
