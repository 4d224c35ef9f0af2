"""
Asking the client of a 2026-07-28 request: it ends as ``input_required`` and comes again with the answers.

Nothing of it is kept here in between: the client carries the answers, and our seal on those of earlier rounds
(MCP 2026-07-28 "Multi round-trip requests").
"""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger

from reticle.dispatch.asking import InputRequired, allows, cannot_ask
from reticle.errors import PeerFault
from reticle.mcp.client_answers import is_answer
from reticle.mcp.modern.params import Rounds
from reticle.mcp.modern.request_state import BoundTo, RequestStates
from reticle.mcp.modern.results import ResultType, stamped
from reticle.mcp.modern.tasks import input_requests, lacks_answer
from reticle.model.mcp import ClientCapabilities, Question
from reticle.ports import Clock


class RoundAsker:
    """
    An ``Asker`` for one round of one request.

    Args:
        client: What the request declared.
        answers: What the client answered until now, by names; it may be anything.
    """

    def __init__(self, client: ClientCapabilities, answers: Mapping[str, object]) -> None:
        self._client = client
        self._answers = answers
        self._used: dict[str, object] = {}
        self._open: dict[str, Question] = {}
        self._lacking: Question | None = None

    @property
    def open(self) -> Mapping[str, Question]:
        """
        What was asked and has no answer yet; the request then has to come again.
        """
        return self._open

    @property
    def used(self) -> Mapping[str, object]:
        """
        The answers that were asked for and had the right form: what the next round has to know.
        """
        return self._used

    @property
    def lacking(self) -> PeerFault | None:
        """
        The fault of a client that could not be asked, for a request that could not do without.
        """
        return None if self._lacking is None else lacks_answer(self._lacking)

    def can_ask(self, question: Question) -> bool:
        """
        Whether the request declared it.
        """
        return allows(self._client, question)

    def ask(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        """
        Give the answers, or end the call. An answer of another form than the question's is none.
        """
        for question in questions.values():
            if not self.can_ask(question):
                self._lacking = question
                return fail(cannot_ask(question))
        for name, question in questions.items():
            if is_answer(question, self._answers.get(name)):
                self._used[name] = self._answers[name]
            else:
                self._open[name] = question
        if self._open:
            return fail(InputRequired())
        return succeed({name: self._used[name] for name in questions})


class Round:
    """
    One round of a request: opens the state that it brought, and seals the one that it takes along.

    Args:
        states: Seals and opens.
        clock: Time, for how long a state is good.
        bound: Which request it is.
        brought: What the client sent with it.
        client: What the request declared.

    Raises:
        PeerFault: ``state_invalid``.
    """

    _log = Logger()

    def __init__(
        self, states: RequestStates, clock: Clock, bound: BoundTo, brought: Rounds, client: ClientCapabilities
    ) -> None:
        self._states = states
        self._clock = clock
        self._bound = bound
        earlier: Mapping[str, object] = {}
        if brought.state is not None:
            try:
                earlier = states.unseal(brought.state, bound, clock.now())
            except PeerFault as refused:
                why = "; ".join(refused.__notes__)
                self._log.info("a requestState of {who} is {why}", who=bound.principal, why=why)
                raise
        self.asker = RoundAsker(client, {**brought.responses, **earlier})

    def result(self) -> bytes:
        """
        The result of a round that has open questions.

        Raises:
            PeerFault: ``bad_params``; the answers are too long.
        """
        state = self._states.seal(self._bound, self.asker.used, self._clock.now())
        return stamped(
            {"inputRequests": input_requests(self.asker.open), "requestState": state},
            ResultType.INPUT_REQUIRED,
        )
