"""
Commands and their answers: none is lost, none is given to the wrong asker.
"""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock

from reticle.bridge.commands import BridgeIds, PendingCommands
from reticle.bridge.wire import CommandResult
from reticle.model.ids import CommandId


class Overdue(Exception):
    """
    What the test's commands fail with.
    """


def fired(answer: Deferred[CommandResult]) -> list[object]:
    """
    What an answer fired with: a result, or the kind of failure.
    """
    seen: list[object] = []
    answer.addCallbacks(seen.append, lambda failure: seen.append(failure.type))
    return seen


def result(command_id: str) -> CommandResult:
    """
    A page's answer.
    """
    return CommandResult(CommandId(command_id), ok=True)


def test_ids_are_never_used_twice_and_known_by_their_life() -> None:
    """
    An answer from before a restart is not taken for one of ours.
    """
    ids = BridgeIds("7")
    assert [ids.new_command(), ids.new_action(), ids.new_page()] == ["c7-1", "a7-2", "s7-3"]
    known = [ids.is_ours(CommandId(name)) for name in ("c7-1", "c7-99", "c70-1", "c8-1", "a7-2")]
    assert known == [True, True, False, False, False]


def test_an_answer_finds_its_command() -> None:
    """
    Answers may come in any order; each ends its own command and its timer.
    """
    clock = Clock()
    pending = PendingCommands(BridgeIds("1"), clock)
    (first_id, first), (second_id, second) = pending.open(5, Overdue), pending.open(5, Overdue)
    one, two = fired(first), fired(second)
    pending.settle(result(second_id))
    assert (one, two, len(pending)) == ([], [result(second_id)], 1)
    pending.settle(result(first_id))
    assert (one, len(pending), clock.getDelayedCalls()) == ([result(first_id)], 0, [])


def test_late_and_foreign_answers_are_counted_apart() -> None:
    """
    What comes after the deadline, or to no command of this life, disturbs nobody.
    """
    clock = Clock()
    pending = PendingCommands(BridgeIds("1"), clock)
    command_id, answer = pending.open(5, Overdue)
    seen = fired(answer)
    clock.advance(4.9)
    assert seen == []
    clock.advance(0.1)
    assert seen == [Overdue]
    pending.settle(result(command_id))
    pending.settle(result("c9-1"))
    pending.settle(result("c9-2"))
    assert (pending.late, pending.unknown, len(pending)) == (1, 2, 0)


def test_a_cancelled_command_is_given_up() -> None:
    """
    A client that cancels leaves no timer, and the page's answer is late.
    """
    clock = Clock()
    pending = PendingCommands(BridgeIds("1"), clock)
    command_id, answer = pending.open(5, Overdue)
    seen = fired(answer)
    answer.cancel()
    assert (seen, len(pending), clock.getDelayedCalls()) == ([CancelledError], 0, [])
    pending.settle(result(command_id))
    assert pending.late == 1


def test_a_lost_socket_fails_every_command_by_itself() -> None:
    """
    Each asker gets an exception of its own, and one that asks again in its answer is left alone.
    """
    clock = Clock()
    pending = PendingCommands(BridgeIds("1"), clock)
    first, second = pending.open(5, Overdue)[1], pending.open(5, Overdue)[1]
    failures: list[object] = []
    first.addErrback(lambda failure: failures.append(failure.value))
    first.addCallback(lambda _: pending.open(5, Overdue))
    second.addErrback(lambda failure: failures.append(failure.value))
    pending.fail_all(Overdue)
    assert [type(one) for one in failures] == [Overdue, Overdue]
    assert failures[0] is not failures[1]
    assert (len(pending), len(clock.getDelayedCalls())) == (1, 1)
