"""
Questions of a daemon that may be gone before they are answered.
"""

from __future__ import annotations

import json

from reticle.model.relay_limits import PENDING_REQUESTS
from reticle.relay.questions import Questions


def test_an_answer_goes_to_the_daemon_that_asked_once() -> None:
    """
    A second answer, or one to a question that nobody asked, goes nowhere.
    """
    questions = Questions()
    questions.asked('"q"')
    assert [questions.answered(key) for key in ('"q"', '"q"', "1")] == [True, False, False]


def test_a_lost_daemons_questions_are_withdrawn() -> None:
    """
    A person is not left before a dialog whose answer helps nobody.
    """
    questions = Questions()
    questions.asked("7")
    (line,) = questions.withdraw()
    assert json.loads(line)["params"] == {"requestId": 7}
    assert not questions.answered("7")
    assert questions.withdraw() == []


def test_questions_without_end_cost_no_memory() -> None:
    """
    A daemon that asks and asks is forgotten from the oldest question on.
    """
    questions = Questions()
    for number in range(PENDING_REQUESTS + 2):
        questions.asked(str(number))
    assert [questions.answered(str(number)) for number in (0, 1, 2)] == [False, False, True]
