"""
Coroutines driven by hand behave as those that Twisted drives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from reticle.dispatch.stepping import drive, rest_of


def test_work_goes_on_with_what_it_waited_for() -> None:
    """
    A call that waits for two rows goes on after each with its id, and is over after the second.
    """
    first, second = Deferred[int](), Deferred[int]()
    got: list[object] = []

    async def work() -> None:
        got.append(await first)
        got.append(await second)

    drive(work(), got.append)
    assert got == []
    first.callback(1)
    assert got == [1]
    second.callback(2)
    assert got == [1, 2]


def test_work_that_waits_for_nothing_is_done_at_once() -> None:
    """
    A request whose answer is known is answered in the same turn, by what has fired already too.
    """
    got: list[object] = []
    fired = Deferred[str]()
    fired.callback("there")

    async def work() -> None:
        got.append(await fired)

    drive(work(), got.append)
    assert got == ["there"]


@pytest.mark.parametrize("late", [False, True])
def test_a_failure_is_told(late: bool) -> None:  # noqa: FBT001 - a parameter of a test
    """
    Work that raises, at once or after it waited, is told with its exception, once.
    """
    waits = Deferred[None]()
    told: list[Failure] = []

    async def work() -> None:
        await waits

    if late:
        drive(work(), told.append)
        assert told == []
        waits.errback(OSError("full"))
    else:
        waits.errback(OSError("full"))
        drive(work(), told.append)
    assert [type(failure.value) for failure in told] == [OSError]


def test_what_was_waited_for_can_be_caught() -> None:
    """
    A failed row reaches the coroutine that awaits it as an exception, and the work goes on behind it.
    """
    waits = Deferred[None]()
    got: list[object] = []

    async def work() -> None:
        try:
            await waits
        except OSError as fault:
            got.append(str(fault))

    drive(work(), got.append)
    waits.errback(OSError("full"))
    assert got == ["full"]


def begun(work: Callable[[], Awaitable[object]]) -> Deferred[object]:
    """
    A coroutine that was sent None, gone on with.
    """
    coroutine = work()
    waits_for = coroutine.send(None)  # type: ignore[attr-defined]  # a coroutine

    async def rest() -> object:
        return await rest_of(coroutine, waits_for)  # type: ignore[arg-type]  # as above

    return Deferred.fromCoroutine(rest())


def test_the_rest_of_a_coroutine_gives_its_value() -> None:
    """
    A tool that waits gives its answer, however often it waits.
    """
    first, second = Deferred[int](), Deferred[int]()

    async def work() -> object:
        return await first + await second

    over: list[object] = []
    begun(work).addCallback(over.append)
    first.callback(1)
    second.callback(2)
    assert over == [3]


def test_the_rest_of_a_coroutine_can_be_stopped() -> None:
    """
    Stopping a call that waits stops what it waits for, and the tool can tidy up.
    """
    stopped: list[object] = []
    waits = Deferred[None](stopped.append)

    async def work() -> object:
        try:
            await waits
        except CancelledError:
            stopped.append("tidied")
            raise
        return None

    ended: list[Failure] = []
    running = begun(work)
    running.addErrback(ended.append)
    running.cancel()
    assert stopped == [waits, "tidied"]
    assert ended[0].check(CancelledError)


def test_the_rest_of_a_coroutine_is_closed_with_what_awaits_it() -> None:
    """
    A tool whose call is thrown away runs its last lines.
    """
    closed: list[str] = []

    async def work() -> object:
        try:
            await Deferred[None]()
        finally:
            closed.append("closed")
        return None

    coroutine = work()
    rest = rest_of(coroutine, coroutine.send(None))
    rest.send(None)
    rest.close()
    assert closed == ["closed"]
