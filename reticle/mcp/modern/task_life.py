"""
The life of a task: working and asking in turns, then completed, failed or cancelled for good.

A tool that says no has *completed*; *failed* is for what a plain call would answer with a JSON-RPC error
(MCP tasks extension).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import attrs
from automat import TypeMachineBuilder

from reticle.errors import PeerFault


class TaskStatus(StrEnum):
    """Where a task is; the words travel."""

    WORKING = "working"
    INPUT_REQUIRED = "input_required"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class TaskLife(Protocol):
    """
    What happens to a task. Each input says whether it changed anything.
    """

    def ask(self) -> bool:
        """
        Its work waits for the client.
        """

    def hear(self) -> bool:
        """
        The client has answered everything.
        """

    def complete(self, result: bytes) -> bool:
        """
        Its work ended with a result, one line of JSON.
        """

    def fail(self, fault: PeerFault) -> bool:
        """
        Its work ended with an error.
        """

    def cancel(self) -> bool:
        """
        Nobody wants it any more.
        """


@attrs.define
class Outcome:
    """
    Where a task is and what came of it.
    """

    status: TaskStatus = TaskStatus.WORKING
    result: bytes | None = None
    fault: PeerFault | None = None


_builder = TypeMachineBuilder(TaskLife, Outcome)
WORKING = _builder.state("working")
ASKING = _builder.state("asking")
ENDED = _builder.state("ended")

_NOTHING = {
    WORKING: (TaskLife.hear,),
    ASKING: (TaskLife.ask,),
    ENDED: (TaskLife.ask, TaskLife.hear, TaskLife.complete, TaskLife.fail, TaskLife.cancel),
}
for _state, _inputs in _NOTHING.items():
    for _input in _inputs:
        _state.upon(_input).loop().returns(False)


@WORKING.upon(TaskLife.ask).to(ASKING)
def _ask(_: TaskLife, outcome: Outcome) -> bool:
    outcome.status = TaskStatus.INPUT_REQUIRED
    return True


@ASKING.upon(TaskLife.hear).to(WORKING)
def _hear(_: TaskLife, outcome: Outcome) -> bool:
    outcome.status = TaskStatus.WORKING
    return True


def _complete(_: TaskLife, outcome: Outcome, result: bytes) -> bool:
    outcome.status, outcome.result = TaskStatus.COMPLETED, result
    return True


def _fail(_: TaskLife, outcome: Outcome, fault: PeerFault) -> bool:
    outcome.status, outcome.fault = TaskStatus.FAILED, fault
    return True


def _cancel(_: TaskLife, outcome: Outcome) -> bool:
    outcome.status = TaskStatus.CANCELLED
    return True


for _state in (WORKING, ASKING):
    _state.upon(TaskLife.complete).to(ENDED)(_complete)
    _state.upon(TaskLife.fail).to(ENDED)(_fail)
    _state.upon(TaskLife.cancel).to(ENDED)(_cancel)

build_task_life = _builder.build()
"""A new life from its ``Outcome``; a test may name the state to begin in."""
