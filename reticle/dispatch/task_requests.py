"""
``tasks/get``, ``tasks/update`` and ``tasks/cancel``: for whose task it is, and a client that knows tasks.
"""

from __future__ import annotations

from reticle.dispatch.asked import Asked
from reticle.dispatch.running_tasks import RunningTasks
from reticle.dispatch.task import Task
from reticle.mcp.modern.params import responses_of, text_of
from reticle.mcp.modern.results import stamped
from reticle.mcp.modern.tasks import detailed_fields, lacks_tasks


class TaskRequests:
    """
    Answers what is asked about tasks. Every method raises ``PeerFault`` for what cannot be answered.

    Args:
        tasks: All tasks.
    """

    def __init__(self, tasks: RunningTasks) -> None:
        self._tasks = tasks

    def get(self, asked: Asked) -> bytes:
        """
        How far it is, what it asks, what came of it.
        """
        return stamped(detailed_fields(self._of(asked).record()))

    def update(self, asked: Asked) -> bytes:
        """
        Take answers to its questions; those of no question are ignored.
        """
        task = self._of(asked)
        task.hear(responses_of(asked.admitted.params))
        return stamped({})

    def cancel(self, asked: Asked) -> bytes:
        """
        Stop it; one that has ended stays as it is.
        """
        self._of(asked).cancel()
        return stamped({})

    def _of(self, asked: Asked) -> Task:
        if not asked.admitted.envelope.client.tasks:
            raise lacks_tasks()
        task_id = text_of(asked.admitted.params.task_id, "taskId")
        return self._tasks.find(asked.caller.principal, task_id)
