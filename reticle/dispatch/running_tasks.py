"""
Calls that run on after their request was answered: tasks, by id and owner (MCP tasks extension).

They live in memory, as the calls do that they stand for: a task can be asked for from the moment its id is
told until it expires, and none outlives the daemon. Every one is bounded in time and their number is capped;
a task is never forgotten before the time that its client was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from twisted.internet.defer import CancelledError, Deferred, DeferredList, succeed
from twisted.logger import Logger

from reticle.dispatch.call import Call, daemon_stops
from reticle.dispatch.task import Task
from reticle.errors import PeerFault, Refusal
from reticle.mcp.modern.tasks import unknown_task
from reticle.model.codes import FaultCode
from reticle.model.limits import TASK_SECONDS, TASKS_KEPT, TASKS_OF_ONE
from reticle.model.trust import Principal, PrincipalKind
from reticle.ports import Clock

TaskListener = Callable[[Task], None]


class RunningTasks:
    """
    All tasks of a daemon.

    Args:
        clock: Time.
        new_id: A fresh, unguessable text each time.
    """

    _log = Logger()

    def __init__(self, *, clock: Clock, new_id: Callable[[], str]) -> None:
        self._clock = clock
        self._new_id = new_id
        self._tasks: dict[str, Task] = {}  # oldest first, and so the next to expire
        self._listeners: dict[object, TaskListener] = {}
        self._waking: Deferred[None] | None = None

    def check_room(self, principal: Principal) -> None:
        """
        Raises:
            PeerFault: ``too_many_calls``; a task more fits once others have expired.
        """
        self._expire()
        own = sum(task.owner == principal.name for task in self._tasks.values())
        if own >= TASKS_OF_ONE or len(self._tasks) >= TASKS_KEPT:
            raise PeerFault(FaultCode.TOO_MANY_CALLS, f"{own} tasks are kept for you; wait until some expire")

    def start(self, principal: Principal, call: Call) -> Task:
        """
        Keep a call that runs; ``check_room`` comes before. From now on it can be asked for.
        """
        task = Task(f"task_{self._new_id()}", principal.name, call, self._clock, self._tell)
        self._tasks[task.task_id] = task
        self._wake_for_oldest()
        return task

    def find(self, principal: Principal, task_id: str) -> Task:
        """
        A task of that principal.

        Raises:
            PeerFault: ``task_unknown``, also for a task of somebody else.
        """
        self._expire()
        task = self._tasks.get(task_id)
        if task is None or task.owner != principal.name:
            raise unknown_task()
        return task

    def owned(self, principal: Principal, task_ids: frozenset[str]) -> frozenset[str]:
        """
        Those of the ids that are tasks of that principal.
        """
        self._expire()
        return frozenset(
            task_id
            for task_id in task_ids
            if task_id in self._tasks and self._tasks[task_id].owner == principal.name
        )

    def subscribe(self, listener: TaskListener) -> Callable[[], None]:
        """
        Hear of every change of every task, until the function that this gives is called.
        """
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def token_ids(self) -> Iterator[str]:
        """
        The tokens that have tasks which run.
        """
        prefix = Principal(PrincipalKind.TOKEN, "").name
        owners = (task.owner for task in tuple(self._tasks.values()) if not task.ended)
        return (owner.removeprefix(prefix) for owner in owners if owner.startswith(prefix))

    def dismiss(self, principal: Principal, why: Refusal) -> None:
        """
        Stop every task of that principal, as ``why`` says.
        """
        for task in tuple(self._tasks.values()):
            if task.owner == principal.name and not task.ended:
                task.stop(why)

    def drain(self, reason: str) -> Deferred[None]:
        """
        Stop every task; ready when the rows of their calls are written.
        """
        waking, self._waking = self._waking, None
        if waking is not None:
            waking.cancel()
        running = [task for task in self._tasks.values() if not task.ended]
        for task in running:
            task.stop(daemon_stops(reason))
        if not running:
            return succeed(None)
        return DeferredList([task.when_ended() for task in running]).addCallback(lambda _: None)

    def _tell(self, task: Task) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(task)
            except Exception:  # noqa: BLE001 - a bug with one client must not keep a task from its end
                self._log.failure("a listener failed to take news of a task")

    def _expire(self) -> None:
        now = self._clock.monotonic()
        for task in tuple(self._tasks.values()):
            if now - task.started < TASK_SECONDS:
                return
            del self._tasks[task.task_id]
            task.cancel()

    def _wake_for_oldest(self) -> None:
        """
        See to it that a task that waits for an answer ends though nobody asks about any more.
        """
        if self._waking is None and self._tasks:
            oldest = next(iter(self._tasks.values()))
            self._waking = Deferred.fromCoroutine(self._wake(oldest.started + TASK_SECONDS))
            self._waking.addErrback(lambda failure: None if failure.check(CancelledError) else failure)

    async def _wake(self, at: float) -> None:
        await self._clock.sleep(max(0.0, at - self._clock.monotonic()))
        self._waking = None
        self._expire()
        self._wake_for_oldest()
