"""
Asking a client of the handshake revisions while its call runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from reticle.dispatch.live_questions import LiveQuestions
from reticle.errors import Refusal
from reticle.mcp.versions import by_name
from reticle.model.codes import RefusalCode
from reticle.model.limits import QUESTION_SECONDS, QUESTIONS_PENDING
from reticle.model.mcp import ClientCapabilities, Question
from reticle.testing.clock import FakeClock

FORM = Question("elicitation/create", {"mode": "form", "message": "Really?", "requestedSchema": {}})
MODEL = Question("sampling/createMessage", {"maxTokens": 10})
BOTH = ClientCapabilities(elicitation_form=True, sampling=True)


class Bench:
    """
    One conversation's questions and what its client saw.
    """

    def __init__(
        self, revision: str = "2025-11-25", client: ClientCapabilities = BOTH, name: str = "first"
    ) -> None:
        self.clock = FakeClock()
        self.questions = LiveQuestions(self.clock, name)
        self.seen: list[dict[str, Any]] = []
        known = by_name(revision)
        assert known is not None
        self.asker = self.questions.asker(client, known, lambda sent: self.seen.append(json.loads(sent)))

    def ask(self, **questions: Question) -> list[Any]:
        """
        Ask; the outcome is appended to what this gives.
        """
        outcome: list[Any] = []
        asking: Deferred[Mapping[str, object]] = self.asker.ask(questions)
        self.asking = asking
        asking.addBoth(outcome.append)
        return outcome

    def answer(self, result: object, of: int = -1) -> None:
        """
        The client answers a question that it saw.
        """
        self.questions.answered(self.seen[of]["id"], None if result is None else json.dumps(result).encode())


def code(outcome: list[Any]) -> str:
    """
    The code of the one refusal.
    """
    [failure] = outcome
    assert isinstance(failure, Failure)
    assert isinstance(failure.value, Refusal)
    return failure.value.code


def test_questions_go_out_one_after_the_other() -> None:
    """
    A person is asked one thing at a time, and the tool gets both answers by its own names.
    """
    bench = Bench()
    outcome = bench.ask(sure=FORM, text=MODEL)
    assert [message["method"] for message in bench.seen] == ["elicitation/create"]
    bench.answer({"action": "accept"})
    assert [message["method"] for message in bench.seen] == ["elicitation/create", "sampling/createMessage"]
    assert outcome == []
    said = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "hi"}}
    bench.answer(said)
    assert outcome == [{"sure": {"action": "accept"}, "text": said}]
    assert bench.clock.pending() == 0


@pytest.mark.parametrize(("revision", "told"), [("2025-06-18", False), ("2025-11-25", True)])
def test_a_form_says_so_where_there_is_another_kind(revision: str, told: bool) -> None:  # noqa: FBT001 - a table
    """
    A client of 2025-06-18 gets no field that its schema refuses.
    """
    bench = Bench(revision)
    bench.ask(sure=FORM)
    assert ("mode" in bench.seen[0]["params"]) is told
    bench.answer({"action": "cancel"})


@pytest.mark.parametrize(
    "answer", [b"{}", b"[1]", b'{"action":"yes"}', b'{"action":"accept","content":1e999}']
)
def test_an_answer_of_another_form_is_none(answer: bytes) -> None:
    """
    A tool never acts on an answer that is none, and a broken one harms nobody else.
    """
    bench = Bench()
    outcome = bench.ask(sure=FORM)
    bench.questions.answered(bench.seen[0]["id"], answer)
    assert code(outcome) == RefusalCode.NOT_ANSWERED
    assert bench.clock.pending() == 0


def test_a_client_that_cannot_is_not_asked() -> None:
    """
    Nothing is sent to a client that declared nothing, and none of the questions where it can only some.
    """
    bench = Bench(client=ClientCapabilities(sampling=True))
    assert code(bench.ask(text=MODEL, sure=FORM)) == RefusalCode.CANNOT_ASK
    assert bench.seen == []
    assert bench.asker.can_ask(MODEL)
    assert not bench.asker.can_ask(FORM)


@pytest.mark.parametrize("result", [None, [1], "yes"])
def test_an_answer_that_is_none(result: object) -> None:
    """
    An error or nonsense in place of an answer ends the question as not answered.
    """
    bench = Bench()
    outcome = bench.ask(sure=FORM)
    bench.answer(result)
    assert code(outcome) == RefusalCode.NOT_ANSWERED
    assert bench.clock.pending() == 0


def test_a_client_that_never_answers() -> None:
    """
    The call goes on after the limit, and the client hears that the question is withdrawn; a late answer is
    dropped.
    """
    bench = Bench()
    outcome = bench.ask(sure=FORM)
    bench.clock.advance(QUESTION_SECONDS - 1)
    assert outcome == []
    bench.clock.advance(1)
    assert code(outcome) == RefusalCode.NOT_ANSWERED
    assert bench.seen[1]["method"] == "notifications/cancelled"
    assert bench.seen[1]["params"] == {"requestId": bench.seen[0]["id"]}
    bench.answer({"action": "accept"}, of=0)


def test_a_call_that_is_stopped_withdraws_its_question() -> None:
    """
    When the agent cancels the call, the person is no longer asked.
    """
    bench = Bench()
    outcome = bench.ask(sure=FORM)
    bench.asking.cancel()
    assert isinstance(outcome[0], Failure)
    assert outcome[0].check(CancelledError)
    assert bench.seen[1]["params"] == {"requestId": bench.seen[0]["id"]}
    assert bench.clock.pending() == 0
    bench.answer({"action": "accept"}, of=0)


def test_too_many_questions() -> None:
    """
    Calls that ask without end are refused, and the questions on show stay.
    """
    bench = Bench()
    outcomes = [bench.ask(sure=FORM) for _ in range(QUESTIONS_PENDING)]
    assert code(bench.ask(sure=FORM)) == RefusalCode.NOT_ANSWERED
    assert all(outcome == [] for outcome in outcomes)
    for number in range(QUESTIONS_PENDING):
        bench.answer({"action": "decline"}, of=number)
    assert all(outcome == [{"sure": {"action": "decline"}}] for outcome in outcomes)


def test_a_late_answer_confirms_no_question_of_a_later_stay() -> None:
    """
    A person who answers a form that was shown before the daemon was restarted has not agreed to what is
    asked since.
    """
    before, after = Bench(name="first"), Bench(name="second")
    before.ask(sure=FORM)
    outcome = after.ask(sure=FORM)
    after.questions.answered(before.seen[0]["id"], b'{"action":"accept"}')
    assert outcome == []
    after.answer({"action": "decline"})
    assert outcome == [{"sure": {"action": "decline"}}]


def test_an_answer_to_nothing_is_dropped() -> None:
    """
    A response with an id that nobody asked under disturbs nothing.
    """
    bench = Bench()
    bench.questions.answered("reticle-first-1", b"{}")
    bench.questions.answered(7, None)
    assert bench.clock.pending() == 0
