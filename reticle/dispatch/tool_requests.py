"""
``tools/call`` of 2026-07-28: answered with a result, with questions for the client, or with a task.

A task is made only for a client that knows them and a tool that may take long; a call that is over soon is
answered at once all the same.
"""

from __future__ import annotations

from functools import partial

from reticle.dispatch.asked import Asked, Work
from reticle.dispatch.call import Call
from reticle.dispatch.concluding import concluded
from reticle.dispatch.escalation import Escalation
from reticle.dispatch.gate import Gate
from reticle.dispatch.rounds import Round
from reticle.dispatch.running_tasks import RunningTasks
from reticle.mcp.modern.param_values import check_params
from reticle.mcp.modern.params import arguments_of, repository_of, rounds_of, text_of
from reticle.mcp.modern.request_state import BoundTo, RequestStates
from reticle.mcp.modern.tasks import lacks_tasks
from reticle.model.codes import TaskSupport
from reticle.ports import Clock


class ToolRequests:
    """
    Begins calls of tools.

    Args:
        gate: Runs them.
        clock: Time.
        states: Seals what goes from round to round.
        tasks: Keeps those that run on.
    """

    def __init__(self, *, gate: Gate, clock: Clock, states: RequestStates, tasks: RunningTasks) -> None:
        self._gate = gate
        self._clock = clock
        self._states = states
        self._tasks = tasks

    def begin(self, asked: Asked) -> Work:
        """
        The work of one call.

        Raises:
            PeerFault: It cannot begin, and there is no row of it.
        """
        admitted, principal = asked.admitted, asked.caller.principal
        params, client = admitted.params, admitted.envelope.client
        name, arguments = text_of(params.name, "name"), arguments_of(params)
        entry = self._gate.find(name)
        if entry is not None and entry.headers and asked.headers is not None:
            check_params(entry.headers, asked.headers.params, arguments)
        repository_id = repository_of(params)
        bound = BoundTo(principal.name, admitted.method, name, arguments)
        rounds = Round(self._states, self._clock, bound, rounds_of(params), client)
        support = TaskSupport.FORBIDDEN if entry is None else entry.tool.task_support
        if support is TaskSupport.REQUIRED and not client.tasks:
            raise lacks_tasks()
        if support is TaskSupport.FORBIDDEN or not client.tasks:
            progress = asked.progress(self._clock)
            call = asked.call(
                name, rounds.asker, arguments=arguments, repository_id=repository_id, progress=progress
            )
            return Work(call, partial(self._answer, rounds), progress)
        assert entry is not None
        if support is TaskSupport.REQUIRED:
            self._tasks.check_room(principal)
        progress = asked.progress(self._clock)
        escalation = Escalation(
            self._tasks, self._clock, rounds, entry.tool, principal=principal, client=client, told=progress
        )
        call = asked.call(
            name,
            escalation.asker,
            arguments=arguments,
            repository_id=repository_id,
            progress=escalation.progress,
        )
        return Work(call, partial(escalation.run, self._gate), progress)

    async def _answer(self, rounds: Round, call: Call) -> bytes:
        return concluded(await self._gate.call(call), rounds)
