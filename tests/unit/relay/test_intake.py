"""
Lines taken apart, and what is answered at once.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.model import limits, relay_limits
from reticle.relay.intake import Intake
from reticle.relay.memory import Memory
from reticle.relay.replies import Replies


def take(line: bytes, revision: str = "2025-03-26") -> tuple[list[str], list[Any]]:
    """
    The ids and methods that are to be taken, and what was said at once.
    """
    said: list[bytes] = []
    replies = Replies(said.append)
    taken = Intake(replies, Memory("t", revision)).take(line)
    for message in taken.messages:
        if message.key:
            replies.withdraw(message.key)
    if taken.batch is not None:
        replies.settle(taken.batch)
    return [message.key or message.method for message in taken.messages], [json.loads(each) for each in said]


@pytest.mark.parametrize(
    ("line", "taken", "errors"),
    [
        (b'{"id":1,"method":"a"}', ["1"], []),
        (b'[{"id":1,"method":"a"},{"method":"told"},{"id":"1","method":"b"}]', ["1", "told", '"1"'], []),
        (b'[{"id":1,"method":"a"},7,{"id":2}]', ["1"], [[None, 2]]),
        (b"[1,2,3]", [], [[None, None, None]]),
        (b'[{"id":1,"method":"a"},{"id":1,"method":"b"}]', ["1"], [[1]]),
        (b'[{"id":5,"method":"initialize","params":{}},{"id":6,"method":"ping"}]', ["6"], [[5]]),
        (b"[]", [], [None]),
        (b"[1,", [], [None]),
    ],
)
def test_each_entry_of_a_batch(line: bytes, taken: list[str], errors: list[Any]) -> None:
    """
    What is no message, or must not stand in a batch, has its own error in the array; what is no array of
    anything has one error for all (JSON-RPC 2.0).
    """
    found, said = take(line)
    ids = [[one["id"] for one in each] if isinstance(each, list) else each["id"] for each in said]
    assert (found, ids) == (taken, errors)


def test_a_revision_without_batches() -> None:
    """
    The client hears that it has to send its messages one by one.
    """
    found, [error] = take(b'[{"id":1,"method":"a"}]', "2025-06-18")
    assert (found, error["id"], error["error"]["data"]["code"]) == ([], None, "batch_unsupported")


def test_too_long_a_batch() -> None:
    """
    It is refused as a whole, as the daemon refuses it.
    """
    assert relay_limits.BATCH_MESSAGES == limits.BATCH_MESSAGES
    body = json.dumps([{"id": number, "method": "a"} for number in range(limits.BATCH_MESSAGES + 1)])
    found, [error] = take(body.encode())
    assert (found, error["error"]["data"]["code"]) == ([], "invalid_request")
    just_right = json.dumps([{"id": number, "method": "a"} for number in range(limits.BATCH_MESSAGES)])
    assert len(take(just_right.encode())[0]) == limits.BATCH_MESSAGES
