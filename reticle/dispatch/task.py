"""
One call that runs on after its request was answered, and the questions that it has for its client meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import attrs
from twisted.internet.defer import Deferred, fail, succeed

from reticle.dispatch.asking import allows, cannot_ask
from reticle.dispatch.call import Call, cancelled_by_client
from reticle.errors import PeerFault, Refusal
from reticle.mcp.client_answers import is_answer
from reticle.mcp.modern.task_life import Outcome, TaskStatus, build_task_life
from reticle.mcp.modern.tasks import TaskRecord
from reticle.mcp.strict_json import shorten
from reticle.model.limits import ERROR_TEXT_CHARS, PROGRESS_SECONDS
from reticle.model.mcp import ClientCapabilities, Question
from reticle.ports import Clock

_LIVE: Final = frozenset({TaskStatus.WORKING, TaskStatus.INPUT_REQUIRED})


@attrs.frozen(eq=False)
class _Asked:
    """
    Questions that were asked together, and their answers as far as they are there.
    """

    questions: Mapping[str, Question]
    told: Deferred[Mapping[str, object]]
    answers: dict[str, object] = attrs.field(factory=dict)


class Task:
    """
    A running or ended task. ``owner`` is its principal's name, ``started`` monotonic seconds.

    Args:
        task_id: Unguessable.
        owner: Who alone may see it.
        call: What it does.
        clock: Time.
        tell: Called with the task after each change.
    """

    def __init__(
        self, task_id: str, owner: str, call: Call, clock: Clock, tell: Callable[[Task], None]
    ) -> None:
        self.task_id = task_id
        self.owner = owner
        self._call: Call | None = call
        self.started = clock.monotonic()
        self._clock = clock
        self._tell = tell
        self._created_at = self._updated_at = clock.now()
        self._outcome = Outcome()
        self._life = build_task_life(self._outcome)
        self._message: str | None = None
        self._noted_at = -math.inf
        self._asked: list[_Asked] = []
        self._over = False
        self._waiters: list[Deferred[None]] = []

    @property
    def ended(self) -> bool:
        """
        Whether its work is over and its row written.
        """
        return self._over

    def record(self) -> TaskRecord:
        """
        What its client may know of it now.
        """
        return TaskRecord(
            self.task_id, self._created_at, self._updated_at, self._message, self._outcome, self._questions()
        )

    def note(self, message: str) -> None:
        """
        Its work says how far it is; told at most every ``PROGRESS_SECONDS``.
        """
        if self._outcome.status not in _LIVE:
            return
        self._message = shorten(message, ERROR_TEXT_CHARS)
        now = self._clock.monotonic()
        if now - self._noted_at >= PROGRESS_SECONDS:
            self._noted_at = now
            self._changed()

    def ask(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        """
        Its work has questions; ready when all are answered. Waits as long as the task is kept.
        """

        def forget(_: Deferred[Mapping[str, object]]) -> None:
            self._asked.remove(asked)

        asked = _Asked(questions, Deferred(forget))
        self._asked.append(asked)
        if self._life.ask():
            self._changed()
        return asked.told

    def hear(self, responses: Mapping[str, object]) -> None:
        """
        Its client answers. Names that were not asked, and answers of another form, are left out.
        """
        for asked in tuple(self._asked):
            if asked not in self._asked:
                continue  # the answers before ended the work that asked this
            for name, question in asked.questions.items():
                if name not in asked.answers and is_answer(question, responses.get(name)):
                    asked.answers[name] = responses[name]
            if asked.answers.keys() == asked.questions.keys():
                self._asked.remove(asked)
                if not self._asked and self._life.hear():
                    self._changed()
                asked.told.callback(asked.answers)

    def complete(self, result: bytes) -> None:
        """
        Its work is over, with a result.
        """
        if self._life.complete(result):
            self._changed()
        self._end()

    def fail(self, fault: PeerFault) -> None:
        """
        Its work is over, with an error.
        """
        if self._life.fail(fault):
            self._changed()
        self._end()

    def cancel(self) -> None:
        """
        Nobody wants it any more: stop its work. Does nothing to one that has ended.
        """
        if self._life.cancel():
            self._changed()
            self.stop(cancelled_by_client())

    def stop(self, why: Refusal) -> None:
        """
        Stop its work, which then ends by itself. Does nothing once that is over.
        """
        if self._call is not None:
            self._call.stop(why)

    def when_ended(self) -> Deferred[None]:
        """
        Ready when its work is over.
        """
        if self._over:
            return succeed(None)
        waiter: Deferred[None] = Deferred()
        self._waiters.append(waiter)
        return waiter

    def _questions(self) -> Mapping[str, Question]:
        return {
            name: question
            for asked in self._asked
            for name, question in asked.questions.items()
            if name not in asked.answers
        }

    def _changed(self) -> None:
        self._updated_at = self._clock.now()
        self._tell(self)

    def _end(self) -> None:
        self._over = True
        self._call = None  # its arguments may be long, and only what came of it is asked for now
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.callback(None)


class TaskAsker:
    """
    An ``Asker`` for work that may become a task: first ``before`` asks, once there is a task it does.

    Args:
        client: What the request declared.
        before: Asks while there is no task.
    """

    def __init__(
        self,
        client: ClientCapabilities,
        before: Callable[[Mapping[str, Question]], Deferred[Mapping[str, object]]],
    ) -> None:
        self._client = client
        self._before = before
        self.task: Task | None = None

    def can_ask(self, question: Question) -> bool:
        """
        Whether the request declared it.
        """
        return allows(self._client, question)

    def ask(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        """
        Ask as long as the task waits, or as a request does.
        """
        if self.task is None:
            return self._before(questions)
        for question in questions.values():
            if not self.can_ask(question):
                return fail(cannot_ask(question))
        return self.task.ask(questions)
