"""
Requests of ours to a client of the handshake revisions, and their answers.

A question goes out beside the call that asks it, on that call's own road: elsewhere a client with no open
stream would never see it (MCP 2025-11-25 "Streamable HTTP").
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import attrs
import msgspec
from twisted.internet.defer import CancelledError, Deferred, fail

from reticle.dispatch.asking import allows, cannot_ask
from reticle.errors import Refusal
from reticle.mcp.client_answers import is_answer
from reticle.mcp.jsonrpc import RequestId, notification_message, request_message
from reticle.mcp.versions import Revision
from reticle.model.codes import RefusalCode
from reticle.model.limits import QUESTION_SECONDS, QUESTIONS_PENDING
from reticle.model.mcp import ClientCapabilities, Question
from reticle.ports import Clock

Tell = Callable[[bytes], None]


class Expired(Exception):
    """
    A client took too long; never leaves this module.
    """


@attrs.frozen(eq=False)
class _Pending:
    """
    A question that waits: whoever takes it out of the table settles it.
    """

    question: Question
    answer: Deferred[object]
    timer: Deferred[None]


class LiveQuestions:
    """
    What one conversation has asked its client and not heard yet.

    Args:
        clock: Time, for how long a client may take.
        name: No other conversation's, nor that of an earlier stay of the same session in memory: a late
            answer to a question of that one must not be taken for one to a question of this one.
    """

    def __init__(self, clock: Clock, name: str) -> None:
        self._clock = clock
        self._name = name
        self._numbers = itertools.count(1)
        self._pending: dict[RequestId, _Pending] = {}

    def answered(self, request_id: RequestId, result: bytes | None) -> None:
        """
        A response came. One that nobody waits for, or the second, is dropped.
        """
        pending = self._pending.pop(request_id, None)
        if pending is None:
            return
        pending.timer.cancel()
        if result is None:
            pending.answer.errback(_not_answered("the client answered with an error"))
            return
        try:
            answer = msgspec.json.decode(result)
        except (msgspec.MsgspecError, ValueError):  # a number that no float can hold
            answer = None
        if is_answer(pending.question, answer):
            pending.answer.callback(answer)
        else:
            pending.answer.errback(
                _not_answered("the client's answer does not have the form that was asked for")
            )

    def asker(self, client: ClientCapabilities, revision: Revision, tell: Tell) -> LiveAsker:
        """
        What one call asks with; ``tell`` is that call's own road to the client.
        """
        return LiveAsker(self, client, revision, tell)

    async def put(self, question: Question, revision: Revision, tell: Tell) -> object:
        """
        Ask one question and wait for its answer.

        Raises:
            Refusal: ``not_answered``; asking again may succeed.
        """
        if len(self._pending) >= QUESTIONS_PENDING:
            raise _not_answered(f"{QUESTIONS_PENDING} questions wait for this client already")
        request_id = f"reticle-{self._name}-{next(self._numbers)}"
        timer = Deferred.fromCoroutine(self._expire(request_id))
        timer.addErrback(lambda failure: None if failure.check(CancelledError) else failure)
        pending = self._pending[request_id] = _Pending(question, Deferred(), timer)
        tell(request_message(request_id, question.method, _in_words_of(revision, question)))
        try:
            return await pending.answer
        except Expired:
            tell(_withdrawn(request_id))
            raise _not_answered(f"the client did not answer within {QUESTION_SECONDS:.0f} s") from None
        except CancelledError:
            # The call was stopped while its client still shows the question.
            del self._pending[request_id]
            timer.cancel()
            tell(_withdrawn(request_id))
            raise

    async def _expire(self, request_id: RequestId) -> None:
        await self._clock.sleep(QUESTION_SECONDS)
        self._pending.pop(request_id).answer.errback(Expired())


class LiveAsker(msgspec.Struct, frozen=True, eq=False):
    """
    An ``Asker`` for one call.
    """

    _questions: LiveQuestions
    _client: ClientCapabilities
    _revision: Revision
    _tell: Tell

    def can_ask(self, question: Question) -> bool:
        """
        Whether the client declared it in its handshake.
        """
        return allows(self._client, question)

    def ask(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        """
        Put them one after the other: a person answers one at a time.
        """
        for question in questions.values():
            if not self.can_ask(question):
                return fail(cannot_ask(question))
        return Deferred.fromCoroutine(self._ask(questions))

    async def _ask(self, questions: Mapping[str, Question]) -> Mapping[str, object]:
        return {
            name: await self._questions.put(question, self._revision, self._tell)
            for name, question in questions.items()
        }


def _in_words_of(revision: Revision, question: Question) -> Mapping[str, object]:
    """
    A form has no ``mode`` before the revision that brought a second one (MCP 2025-11-25 changelog).
    """
    if revision.elicitation_modes or question.method != "elicitation/create":
        return question.params
    return {name: value for name, value in question.params.items() if name != "mode"}


def _withdrawn(request_id: RequestId) -> bytes:
    return notification_message("notifications/cancelled", {"requestId": request_id})


def _not_answered(message: str) -> Refusal:
    return Refusal(RefusalCode.NOT_ANSWERED, message, "Ask the person, or pass the argument yourself.")
