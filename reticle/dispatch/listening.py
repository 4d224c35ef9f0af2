"""
``subscriptions/listen``: one client that hears of changes until it hangs up or we stop.

Nothing is replayed: who listens anew fetches anew. The transport bounds what a slow reader leaves behind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reticle.dispatch.asked import Asked
from reticle.dispatch.notices import Notices
from reticle.dispatch.outstanding import Outstanding
from reticle.dispatch.running_tasks import RunningTasks
from reticle.dispatch.task import Task
from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import result_message
from reticle.mcp.modern.subscriptions import Honoured, acknowledged, finished, notice_message, task_message
from reticle.mcp.modern.tasks import detailed_fields
from reticle.model.codes import FaultCode
from reticle.model.limits import LISTENERS
from reticle.model.mcp import Notice


class Listening:
    """
    One subscription.

    Args:
        asked: Its request.
        body: Where it goes; the request is expected there.
        over: Called once when it has ended, however that was.
    """

    def __init__(self, asked: Asked, body: Outstanding, over: Callable[[], None]) -> None:
        self._request_id = asked.admitted.request_id
        self._asked = asked
        self._body = body
        self._over: Callable[[], None] | None = over
        self._unsubscribe: list[Callable[[], None]] = []

    def begin(
        self, wishes: Honoured, notices: Notices, tasks: RunningTasks, may_hear: Callable[[Notice], bool]
    ) -> None:
        """
        Acknowledge, then tell. It is subscribed before the client knows, so that nothing is lost between.

        Args:
            wishes: What is told.
            notices: Where changes are heard of.
            tasks: Where those of tasks are.
            may_hear: Whether the client may be told of a change when it comes.
        """

        def hear(notice: Notice) -> None:
            message = notice_message(self._request_id, wishes, notice)
            if message is not None and may_hear(notice):
                self._body.tell(message)

        def hear_task(task: Task) -> None:
            if task.task_id in wishes.task_ids:
                self._body.tell(task_message(self._request_id, detailed_fields(task.record())))

        self._unsubscribe.append(notices.subscribe(hear))
        for uri in wishes.uris:
            notices.watch(uri, hear)
            self._unsubscribe.append(partial(notices.unwatch, uri, hear))
        if wishes.task_ids:
            self._unsubscribe.append(tasks.subscribe(hear_task))
        self._body.tell(acknowledged(self._request_id, wishes))

    def finish(self) -> None:
        """
        We stop: tell its client so.
        """
        if self._stop():
            self._body.answer(result_message(self._request_id, finished(self._request_id)))

    def drop(self) -> None:
        """
        Its client no longer listens. Nothing is sent.
        """
        if self._stop():
            self._body.settle()

    def _stop(self) -> bool:
        over, self._over = self._over, None
        if over is None:
            return False
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        over()
        return True


class Listeners:
    """
    Counts the subscriptions of a daemon.
    """

    def __init__(self) -> None:
        self._count = 0

    def admit(self) -> None:
        """
        Raises:
            PeerFault: ``too_many_calls``; listening makes sense again when others have hung up.
        """
        if self._count >= LISTENERS:
            raise PeerFault(FaultCode.TOO_MANY_CALLS, f"{LISTENERS} clients are listening already")
        self._count += 1

    def leave(self) -> None:
        """
        One has ended.
        """
        self._count -= 1
