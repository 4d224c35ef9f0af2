"""
A call and its stopping.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from reticle.dispatch.call import Call, Caller, cancelled_by_client
from reticle.errors import Refusal
from reticle.model.codes import Carrier
from reticle.model.trust import LOCAL


def make_call() -> Call:
    """
    Any call.
    """
    return Call(Caller(LOCAL, Carrier.HTTP, "c"), "t")


def test_stopping_before_and_after_the_work_does_nothing() -> None:
    """
    Only running work can be stopped.
    """
    call = make_call()
    call.stop(cancelled_by_client())
    work: Deferred[str] = Deferred()
    done: list[str] = []
    Deferred.fromCoroutine(call.run(work)).addCallback(done.append)
    work.callback("x")
    call.stop(cancelled_by_client())
    assert (done, call.stopped) == (["x"], None)


def test_stopping_ends_the_work_with_the_first_reason() -> None:
    """
    The reason that ended the work is the one that counts.
    """
    call = make_call()
    work: Deferred[None] = Deferred()
    running = Deferred.fromCoroutine(call.run(work))
    first = Refusal("a", "first")
    call.stop(first)
    call.stop(Refusal("b", "second"))
    failures: list[Failure] = []
    running.addErrback(failures.append)
    assert ([failure.type for failure in failures], call.stopped) == ([CancelledError], first)


def test_a_second_stop_does_not_disturb_the_tidying_up() -> None:
    """
    Work that was stopped may finish what it has to, however often it is stopped.
    """
    tidying: Deferred[None] = Deferred()
    done: list[str] = []

    async def work() -> None:
        try:
            await Deferred()
        finally:
            await tidying
            done.append("tidy")

    call = make_call()
    failures: list[Failure] = []
    Deferred.fromCoroutine(call.run(work())).addErrback(failures.append)
    call.stop(cancelled_by_client())
    call.stop(cancelled_by_client())
    assert done == []
    tidying.callback(None)
    assert (done, [failure.type for failure in failures]) == (["tidy"], [CancelledError])


def test_work_that_fails_at_once_fails_the_call() -> None:
    """
    A tool that raises before it waits is seen as one that raises.
    """

    async def broken() -> None:
        raise KeyError("x")

    failures: list[object] = []
    Deferred.fromCoroutine(make_call().run(broken())).addErrback(
        lambda failure: failures.append(failure.type)
    )
    assert failures == [KeyError]


@pytest.mark.parametrize("code", ["cancelled"])
def test_the_reason_of_a_client(code: str) -> None:
    """
    A call that its client cancelled is recorded as such.
    """
    assert cancelled_by_client().code == code


def test_work_whose_change_did_not_come_about_can_be_stopped_again() -> None:
    """
    A wait that looks again and again ends with its client, also when that went in the middle of a look.
    """
    call = make_call()
    call.hold()
    call.stop(cancelled_by_client())
    assert call.stopped is None
    with pytest.raises(CancelledError):
        call.let_go()
    assert call.stopped is not None
    other = make_call()
    other.hold()
    other.let_go()
    assert not other.given_up


def test_what_was_done_for_a_peer_is_undone_once() -> None:
    """
    An answer that reaches nobody leaves nothing behind that only its reader could use.
    """
    call = make_call()
    undone: list[str] = []
    call.unheard.append(lambda: undone.append("x"))
    call.was_unheard()
    call.was_unheard()
    assert undone == ["x"]
