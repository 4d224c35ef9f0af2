"""
A call that is answered by its result if it is over soon, and by a task that goes on with it if not.

It becomes a task at once where the tool wants that, when it asks its client something, or when it has run for
``TASK_GRACE_SECONDS``. Where no task more fits, it is an ordinary call.
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import CancelledError, Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call
from reticle.dispatch.concluding import concluded, result_line
from reticle.dispatch.gate import Gate
from reticle.dispatch.progress import ToldProgress
from reticle.dispatch.rounds import Round
from reticle.dispatch.running_tasks import RunningTasks
from reticle.dispatch.task import Task, TaskAsker
from reticle.errors import PeerFault
from reticle.mcp.modern.results import ResultType, stamped
from reticle.mcp.modern.tasks import task_fields
from reticle.model.codes import FaultCode, JsonRpcCode, RefusalCode, TaskSupport
from reticle.model.limits import TASK_GRACE_SECONDS
from reticle.model.mcp import ClientCapabilities, Question
from reticle.model.trust import Principal
from reticle.ports import Clock
from reticle.tools.spec import Tool


class Escalation:
    """
    One such call.

    Args:
        tasks: Where it goes on.
        clock: Time.
        rounds: Where its questions go while it is no task.
        tool: What it calls.
        principal: Whose task it becomes.
        client: What the request declared.
        told: Where it reports while it is no task.
    """

    _log = Logger()

    def __init__(
        self,
        tasks: RunningTasks,
        clock: Clock,
        rounds: Round,
        tool: Tool,
        *,
        principal: Principal,
        client: ClientCapabilities,
        told: ToldProgress | None,
    ) -> None:
        self._tasks = tasks
        self._clock = clock
        self._rounds = rounds
        self._tool = tool
        self._principal = principal
        self._told = told
        self._call: Call | None = None
        self._answer: Deferred[bytes] = Deferred()
        self._grace: Deferred[None] | None = None
        self.asker = TaskAsker(client, self._ask_before)

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """
        Provides ``ports.Progress``: to the client of the request, then in the task's status.
        """
        if self._told is not None:
            self._told(progress, total, message)
        if self.asker.task is not None and message is not None:
            self.asker.task.note(message)

    async def run(self, gate: Gate, call: Call) -> bytes:
        """
        Do the work until there is something to answer: a result, questions, or a task.

        Raises:
            PeerFault: As of ``concluded``.
        """
        self._call = call
        running = Deferred.fromCoroutine(gate.call(call))
        running.addCallback(self._over).addErrback(self._broken)
        if not self._answer.called:
            self._wait()
        return await self._answer

    def _wait(self) -> None:
        if self._tool.task_support is TaskSupport.REQUIRED:
            if not self._rounds.asker.open:
                self._become_task()
            return
        self._grace = Deferred.fromCoroutine(self._run_out())
        self._grace.addErrback(lambda failure: None if failure.check(CancelledError) else failure)

    async def _run_out(self) -> None:
        await self._clock.sleep(TASK_GRACE_SECONDS)
        self._grace = None
        if not self._rounds.asker.open:
            self._become_task()

    def _become_task(self) -> Task | None:
        """
        Answer with a task that goes on with the call; None where none fits any more.
        """
        assert self._call is not None
        try:
            self._tasks.check_room(self._principal)
        except PeerFault:
            return None
        task = self.asker.task = self._tasks.start(self._principal, self._call)
        self._answer_with(stamped(task_fields(task.record()), ResultType.TASK))
        return task

    def _ask_before(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        askable = all(self.asker.can_ask(question) for question in questions.values())
        task = None if self._tool.asks_first or not askable else self._become_task()
        return self._rounds.asker.ask(questions) if task is None else task.ask(questions)

    def _over(self, result: CallResult) -> None:
        task = self.asker.task
        if task is None:
            line = concluded(result, self._rounds)
            must = self._tool.task_support is TaskSupport.REQUIRED and not self._rounds.asker.open
            task = self._become_task() if must else None
            if task is None:
                self._answer_with(line)
                return
        if result.structured.get("error") == RefusalCode.INTERNAL_ERROR:
            task.fail(_internal(str(result.structured["message"])))
        else:
            task.complete(result_line(result))

    def _broken(self, failure: Failure) -> None:
        """
        A fault for the client, or one of ours between the gate and the wire.
        """
        task = self.asker.task
        if task is None:
            self._stop_waiting()
            self._answer.errback(failure)
        else:
            self._log.failure("the result of a task could not be made", failure)
            task.fail(_internal("reticle failed to answer"))

    def _answer_with(self, result: bytes) -> None:
        self._stop_waiting()
        self._answer.callback(result)

    def _stop_waiting(self) -> None:
        grace, self._grace = self._grace, None
        if grace is not None:
            grace.cancel()


def _internal(message: str) -> PeerFault:
    return PeerFault(FaultCode.INTERNAL_ERROR, message, JsonRpcCode.INTERNAL_ERROR)
