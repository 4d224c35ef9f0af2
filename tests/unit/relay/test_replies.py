"""
One answer for each request, one array for each batch.
"""

from __future__ import annotations

import pytest

from reticle.relay.replies import Batch, Replies


def test_a_request_gets_one_answer() -> None:
    """
    The first answer is shown; another one, or one to nobody's request, is not.
    """
    said: list[bytes] = []
    replies = Replies(said.append)
    replies.expect("1", None)
    replies.answer("1", b"a")
    replies.answer("1", b"b")
    replies.answer("2", b"c")
    assert said == [b"a"]
    assert replies.owed == ()


def test_what_is_noted_is_of_one_line() -> None:
    """
    An id that was answered may be used again: the guard must not take the new request for the old one.
    """
    replies = Replies(lambda _: None)
    replies.begin()
    replies.expect("1", None)
    replies.answer("1", b"a")
    assert replies.noted == {"1"}
    replies.begin()
    assert replies.noted == set()


def test_a_cancelled_request_gets_none() -> None:
    """
    Who gave a request up hears nothing of it.
    """
    said: list[bytes] = []
    replies = Replies(said.append)
    replies.expect("1", None)
    replies.withdraw("1")
    replies.answer("1", b"a")
    assert said == []


def test_a_batch_is_answered_when_it_is_whole() -> None:
    """
    One array, in the order in which the answers came, and nothing before the last one.
    """
    said: list[bytes] = []
    replies, batch = Replies(said.append), Batch()
    for key in ("1", "2", "3"):
        replies.expect(key, batch)
    replies.beside("", b'"bad"', batch)
    replies.settle(batch)
    replies.answer("3", b"3")
    replies.withdraw("2")
    assert said == []
    replies.answer("1", b"1")
    assert said == [b'["bad",3,1]']


def test_what_could_not_be_said_is_owed_still() -> None:
    """
    An answer that found no way out is not taken for given.
    """
    fails = [True]

    def say(line: bytes) -> None:
        if fails.pop():
            raise OSError(line)

    replies = Replies(say)
    replies.expect("1", None)
    with pytest.raises(OSError, match="a"):
        replies.answer("1", b"a")
    assert replies.owed == ("1",)


def test_an_empty_array_is_never_said() -> None:
    """
    A batch of notifications, or of requests that were all cancelled, has no answer.
    """
    said: list[bytes] = []
    replies, batch = Replies(said.append), Batch()
    replies.expect("1", batch)
    replies.settle(batch)
    replies.withdraw("1")
    replies.settle(Batch())
    assert said == []
