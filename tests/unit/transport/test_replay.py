"""
What a client can still get after it lost its stream, and every bound of it.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from reticle.model.limits import REPLAY_BYTES, REPLAY_EVENTS, REPLAY_SECONDS
from reticle.transport.replay import Replay, ReplayBudget


def kept(replay: Replay, stream: int, numbers: range, size: int = 1) -> None:
    """
    Keep events of one stream.
    """
    for number in numbers:
        replay.keep(stream, number, b"x" * size)


def test_a_stream_is_replayed_behind_an_event() -> None:
    """
    Only that stream, only what came later, in order.
    """
    replay = Replay(ReplayBudget(), Clock().seconds)
    replay.keep(0, 1, b"a")
    replay.keep(1, 1, b"other")
    replay.keep(0, 2, b"b")
    replay.keep(0, 4, b"c")
    assert replay.after(0, 0) == [b"a", b"b", b"c"]
    assert replay.after(0, 2) == [b"c"]
    assert replay.after(0, 4) == []
    assert replay.after(7, 0) == []
    assert replay.has_all_after(0, 0)
    assert replay.has_all_after(7, 0)


def test_too_many_events_lose_the_oldest() -> None:
    """
    The client that comes back too late is told so; one that has seen the lost ones is served.
    """
    replay = Replay(ReplayBudget(), Clock().seconds)
    kept(replay, 0, range(1, REPLAY_EVENTS + 11))
    assert not replay.has_all_after(0, 9)
    assert replay.has_all_after(0, 10)
    assert len(replay.after(0, 0)) == REPLAY_EVENTS


def test_too_many_bytes_lose_the_oldest() -> None:
    """
    A session's large answers push out its older ones, of whichever stream.
    """
    budget = ReplayBudget()
    replay = Replay(budget, Clock().seconds)
    replay.keep(1, 1, b"x" * 100)
    kept(replay, 0, range(1, 3), REPLAY_BYTES // 2)
    assert not replay.has_all_after(1, 0)
    assert not replay.keeps(1)
    assert len(replay.after(0, 0)) == 2
    replay.keep(0, 3, b"x" * (REPLAY_BYTES + 1))
    assert replay.after(0, 2) == []
    assert not replay.has_all_after(0, 2)
    assert budget.used_bytes == 0


def test_old_events_are_dropped() -> None:
    """
    Nothing is kept for a client that does not come back.
    """
    clock = Clock()
    budget = ReplayBudget()
    replay = Replay(budget, clock.seconds)
    kept(replay, 0, range(1, 3))
    clock.advance(REPLAY_SECONDS)
    replay.expire()
    assert replay.has_all_after(0, 0)
    clock.advance(0.001)
    replay.expire()
    assert not replay.has_all_after(0, 1)
    assert budget.used_bytes == 0


def test_all_sessions_share_one_budget() -> None:
    """
    Many sessions together stay within the daemon's memory, and what one piled up costs the other no answer.
    """
    budget = ReplayBudget(max_bytes=100)
    greedy, modest = (Replay(budget, Clock().seconds) for _ in range(2))
    kept(greedy, 0, range(1, 10), 10)
    modest.keep(0, 1, b"y" * 5)
    modest.keep(0, 2, b"z" * 10)
    assert modest.after(0, 0) == [b"y" * 5, b"z" * 10]
    assert not greedy.has_all_after(0, 1)
    assert greedy.has_all_after(0, 2)
    assert budget.used_bytes == 85
    kept(greedy, 0, range(10, 30), 10)
    assert modest.has_all_after(0, 0)
    assert len(greedy.after(0, 0)) >= 5
    assert budget.used_bytes <= 100
    greedy.forget()
    assert budget.used_bytes == 15
    modest.forget()
    assert (budget.used_bytes, len(budget._keepers)) == (0, 0)


def test_one_event_that_is_more_than_all_may_keep_is_lost_and_said_to_be() -> None:
    """
    An answer beyond the whole budget leaves the daemon within its memory, and its client is told of the gap.
    """
    budget = ReplayBudget(max_bytes=100)
    replay = Replay(budget, Clock().seconds)
    replay.keep(0, 1, b"x" * 101)
    assert not replay.has_all_after(0, 0)
    assert (budget.used_bytes, len(budget._keepers)) == (0, 0)


def test_an_ended_stream_is_forgotten_with_its_last_event() -> None:
    """
    Thousands of answered calls leave nothing behind.
    """
    clock = Clock()
    replay = Replay(ReplayBudget(), clock.seconds)
    replay.keep(1, 1, b"answer")
    replay.ended(1)
    replay.ended(2)
    assert replay.keeps(1)
    clock.advance(REPLAY_SECONDS + 1)
    replay.expire()
    assert not replay.keeps(1)
    assert replay._streams == {}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 60), st.integers(0, 200)), max_size=60))
def test_what_is_kept_is_whole_or_said_to_be_lost(events: list[tuple[int, int, int]]) -> None:
    """
    Whatever comes: the bytes add up, and a history without a hole is a history without a hole.
    """
    clock = Clock()
    budget = ReplayBudget(max_bytes=300)
    replay = Replay(budget, clock.seconds)
    sent: dict[int, list[bytes]] = {}
    for stream, size, seconds in events:
        clock.advance(seconds)
        frames = sent.setdefault(stream, [])
        frames.append(b"%d" % len(frames) + b"." * size)
        replay.keep(stream, len(frames), frames[-1])
    assert budget.used_bytes == sum(len(frame) for stream in sent for frame in replay.after(stream, 0))
    assert budget.used_bytes <= 300
    for stream, frames in sent.items():
        for number in range(len(frames) + 1):
            if replay.has_all_after(stream, number):
                assert replay.after(stream, number) == frames[number:]
