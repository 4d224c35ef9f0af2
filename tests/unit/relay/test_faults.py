"""
What an agent reads when the daemon did not answer.
"""

from __future__ import annotations

import json

import pytest

from reticle.relay.faults import left, outcome_unknown, refused, unreachable
from reticle.relay.ledger import Pending
from reticle.relay.messages import Kind, Message
from reticle.relay.trouble import Cause, Trouble


@pytest.mark.parametrize(("repeatable", "words"), [(True, "repeat it"), (False, "may have happened")])
def test_a_lost_request_says_what_to_do(*, repeatable: bool, words: str) -> None:
    """
    After a lost read the agent repeats, after a lost act it looks first.
    """
    pending = Pending(Message(Kind.REQUEST, '"a"', "tools/call", {}, b""), repeatable=repeatable, since=0.0)
    answer = json.loads(outcome_unknown(pending, "the link was lost", "reticle doctor"))
    assert answer["id"] == "a"
    assert answer["error"]["data"] == {"code": "outcome_unknown", "recovery": "reticle doctor"}
    assert words in answer["error"]["message"]


def test_what_was_not_sent_says_so() -> None:
    """
    The agent may repeat it without looking.
    """
    pending = Pending(Message(Kind.REQUEST, "1", "tools/call", {}, b""), repeatable=False, since=0.0)
    error = json.loads(unreachable(pending, Trouble(Cause.SILENT, "port 4400 is silent")))["error"]
    assert error["message"] == "port 4400 is silent; nothing was sent"
    assert error["data"] == {"code": "daemon_unreachable"}


def test_what_was_open_when_input_ended_says_whether_it_was_sent() -> None:
    """
    The next process of the agent has to know whether it may have happened.
    """
    pending = Pending(Message(Kind.REQUEST, "1", "tools/call", {}, b""), repeatable=False, since=0.0)
    for found in (None, pending):
        error = json.loads(left("1", found))["error"]
        assert error["message"] == "standard input ended before the answer came; nothing was sent"
    pending.handed_over = True
    error = json.loads(left("1", pending))["error"]
    assert (error["data"]["code"], "may have happened" in error["message"]) == ("outcome_unknown", True)


def test_a_refusal_keeps_the_daemons_words() -> None:
    """
    Status and reason reach the agent.
    """
    error = json.loads(refused("1", 413, "request body too large"))["error"]
    assert (error["code"], error["data"]["code"]) == (-31005, "daemon_refused")
    assert "413: request body too large" in error["message"]
