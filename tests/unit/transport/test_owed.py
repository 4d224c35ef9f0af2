"""
Which requests of a batch still need an answer.
"""

from __future__ import annotations

import pytest

from reticle.transport.owed import is_batch, owed_ids

BATCH = b"""[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"told"},
 {"jsonrpc":"2.0","id":"1","method":"b"},{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","id":2,"method":"c"}]"""


@pytest.mark.parametrize(
    ("answers", "owed"),
    [
        ([], [1, "1", 2]),
        ([b'{"id":1,"result":{}}'], ["1", 2]),
        ([b'{"id":"1","error":{}}', b'{"id":2,"result":{"id":1}}'], [1]),
        ([b'{"id":null,"error":{}}', b'{"id":1}', b'{"id":"1"}', b'{"id":2}'], []),
    ],
)
def test_what_a_batch_is_owed(answers: list[bytes], owed: list[object]) -> None:
    """
    Each request without an answer, by its id as it was written; notifications and responses are owed nothing.
    """
    assert owed_ids(BATCH, answers) == owed


def test_an_id_that_stands_there_twice() -> None:
    """
    Two requests of one id are owed two answers.
    """
    twice = b'[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"method":"a"}]'
    assert owed_ids(twice, [b'{"id":1}']) == [1]


@pytest.mark.parametrize("body", [b"[", b"[]", b'{"jsonrpc":"2.0","id":1,"method":"a"}'])
def test_what_is_no_batch_is_owed_nothing_here(body: bytes) -> None:
    """
    It is answered as a whole.
    """
    assert owed_ids(body, []) == []


def test_arrays_are_told_by_their_first_character() -> None:
    """
    Whitespace before it does not count.
    """
    assert is_batch(b" \n[1]")
    assert not is_batch(b'{"a":[]}')
