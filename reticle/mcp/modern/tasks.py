"""
Tasks as a client sees them: what is told of one when it is made, asked for, or changes (MCP tasks extension).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import attrs
import msgspec

from reticle.errors import PeerFault
from reticle.mcp.capabilities import TASKS_EXTENSION
from reticle.mcp.modern.task_life import Outcome, TaskStatus
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import TASK_POLL_MS, TASK_SECONDS
from reticle.model.mcp import Question

EXTENSION: Final[dict[str, object]] = {TASKS_EXTENSION: {}}
"""How either side says that it knows tasks, below ``capabilities.extensions``."""


@attrs.frozen
class TaskRecord:
    """
    One task at one moment. Times are seconds since the epoch; ``questions`` are those without an answer.
    """

    task_id: str
    created_at: float
    updated_at: float
    message: str | None
    outcome: Outcome
    questions: Mapping[str, Question]


def task_fields(task: TaskRecord) -> dict[str, object]:
    """
    What every mention of a task says, and all that its creation says.
    """
    fields: dict[str, object] = {
        "taskId": task.task_id,
        "status": task.outcome.status.value,
        "createdAt": _iso(task.created_at),
        "lastUpdatedAt": _iso(task.updated_at),
        "ttlMs": int(TASK_SECONDS * 1000),
        "pollIntervalMs": TASK_POLL_MS,
    }
    if task.message is not None:
        fields["statusMessage"] = task.message
    return fields


def detailed_fields(task: TaskRecord) -> dict[str, object]:
    """
    What ``tasks/get`` says: with the open questions, the result or the error.
    """
    fields, outcome = task_fields(task), task.outcome
    if outcome.status is TaskStatus.INPUT_REQUIRED:
        fields["inputRequests"] = input_requests(task.questions)
    elif outcome.result is not None:
        fields["result"] = msgspec.Raw(outcome.result)
    elif outcome.fault is not None:
        fault = outcome.fault
        fields["error"] = {
            "code": int(fault.jsonrpc_code),
            "message": fault.message,
            "data": {"code": str(fault.code), **fault.data},
        }
    return fields


def input_requests(questions: Mapping[str, Question]) -> dict[str, object]:
    """
    Questions as a result carries them.
    """
    return {
        name: {"method": question.method, "params": question.params} for name, question in questions.items()
    }


def unknown_task() -> PeerFault:
    """
    The fault of a task that never was, is over for long, or is another principal's.
    """
    return PeerFault(
        FaultCode.TASK_UNKNOWN,
        "there is no such task; it may have expired, or the daemon was started anew",
        JsonRpcCode.INVALID_PARAMS,
    )


def lacks(capabilities: Mapping[str, object]) -> PeerFault:
    """
    The fault of a request that its client has to be able to do more for; ``capabilities`` as it would declare
    them.
    """
    return PeerFault(
        FaultCode.CLIENT_CAPABILITY_MISSING,
        "this request needs a client that declares more capabilities",
        JsonRpcCode.MISSING_CLIENT_CAPABILITY,
        {"requiredCapabilities": capabilities},
    )


def lacks_tasks() -> PeerFault:
    """
    The fault of a client that does not know tasks and needs to.
    """
    return lacks({"extensions": EXTENSION})


def lacks_answer(question: Question) -> PeerFault:
    """
    The fault of a client that cannot be asked what a call cannot do without.
    """
    match question.method:
        case "elicitation/create":
            mode = question.params.get("mode", "form")
            return lacks({"elicitation": {"url": {}} if mode == "url" else {}})
        case "sampling/createMessage":
            return lacks({"sampling": {}})
        case "roots/list":
            return lacks({"roots": {}})


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
