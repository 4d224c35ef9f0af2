"""
What one body is still owed.
"""

from __future__ import annotations

from reticle.dispatch.outstanding import Outstanding, ToSink
from reticle.errors import PeerFault
from reticle.testing.replies import RecordedReplies
from reticle.testing.sinks import RecordedSink

FAULT = PeerFault("bad_params", "no")


def test_a_body_without_requests_is_done_when_it_was_read() -> None:
    """
    A notification is accepted at once, without an answer.
    """
    replies = RecordedReplies()
    Outstanding(replies).settle()
    assert replies.log == ["done"]


def test_done_comes_once_and_after_the_last_answer() -> None:
    """
    A batch of three gets its three answers, whichever comes first, and its stream ends behind them.
    """
    replies = RecordedReplies()
    body = Outstanding(replies)
    body.expect()
    body.answer(b"early")
    body.expect()
    body.answer_now(b"refused", FAULT)
    body.settle()
    assert replies.log == [b"early", (b"refused", FAULT)]
    body.tell(b"progress")
    body.answer(b"late")
    assert replies.log[2:] == [("told", b"progress"), b"late", "done"]


def test_a_request_that_gets_no_answer_does_not_keep_the_others_waiting() -> None:
    """
    After a cancellation the stream ends with the answers of the other requests.
    """
    replies = RecordedReplies()
    body = Outstanding(replies)
    body.expect()
    body.expect()
    body.settle()
    body.answer(b"kept")
    body.settle()
    assert replies.log == [b"kept", "done"]


def test_nothing_is_told_behind_the_last_answer() -> None:
    """
    A call that goes on as a task, and logs, neither speaks behind its request's answer nor piles up there.
    """
    replies = RecordedReplies()
    body = Outstanding(replies)
    body.expect()
    body.settle()
    body.answer(b"a task")
    body.tell(b"log")
    assert replies.log == [b"a task", "done"]


def test_nothing_is_told_where_nobody_reads() -> None:
    """
    Work that is stopped because its client left withdraws its question from nobody.
    """
    replies = RecordedReplies()
    body = Outstanding(replies)
    body.expect()
    body.silence()
    body.tell(b"withdrawn")
    body.settle()
    body.settle()
    assert replies.log == ["done"]


def test_on_one_road_everything_goes_along_it() -> None:
    """
    On the old event stream and on stdio, answers and notifications come on the one stream in their order.
    """
    sink = RecordedSink()
    body = Outstanding(ToSink(sink))
    body.tell(b"1")
    body.answer_now(b"2", FAULT)
    body.settle()
    assert sink.sent == [b"1", b"2"]
