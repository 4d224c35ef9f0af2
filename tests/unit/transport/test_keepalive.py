"""
The sweep over all silent streams.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twisted.internet.task import Clock

from reticle.transport.keepalive import KeepaliveSweep


class Stream:
    """
    Counts.
    """

    def __init__(self) -> None:
        self.kept_alive = 0

    def keep_alive(self) -> None:
        """
        Count.
        """
        self.kept_alive += 1


def pass_time(clock: Clock, seconds: float) -> None:
    """
    Let the time pass and the slices of a sweep run.
    """
    clock.advance(seconds)
    for _ in range(5):
        clock.advance(0.001)


def test_every_stream_is_kept_alive_once_per_sweep() -> None:
    """
    A proxy in front of any stream sees a byte in time; a stream that ended is left alone.
    """
    clock = Clock()
    sweep = KeepaliveSweep(clock, 15.0)
    streams = [Stream() for _ in range(5)]
    chores: list[str] = []

    def chore() -> Iterator[None]:
        for word in ("a", "b"):
            chores.append(word)
            yield

    sweep.also(chore)
    for stream in streams:
        sweep.add(stream)
    sweep.start()
    pass_time(clock, 14.9)
    assert [stream.kept_alive for stream in streams] == [0] * 5
    pass_time(clock, 0.2)
    sweep.discard(streams[0])
    sweep.discard(Stream())
    pass_time(clock, 15.0)
    assert [stream.kept_alive for stream in streams] == [1, 2, 2, 2, 2]
    assert chores == ["a", "b"] * 2


def test_a_bug_with_one_stream_does_not_silence_the_others(logged_failures: Any) -> None:
    """
    One stream that cannot be written to costs itself, not every stream for the rest of the daemon's life.
    """

    class Broken(Stream):
        def keep_alive(self) -> None:
            super().keep_alive()
            raise ZeroDivisionError

    def chore() -> Iterator[None]:
        yield
        raise ZeroDivisionError

    clock = Clock()
    sweep = KeepaliveSweep(clock, 15.0)
    broken, sound = Broken(), Stream()
    sweep.also(chore)
    sweep.add(broken)
    sweep.add(sound)
    sweep.start()
    for _ in range(3):
        pass_time(clock, 15.0)
    assert (broken.kept_alive, sound.kept_alive) == (1, 3)
    assert len(logged_failures.flush(ZeroDivisionError)) == 4


def test_a_stopped_sweep_leaves_no_timer() -> None:
    """
    A stopped daemon writes nothing more and holds nothing.
    """
    clock = Clock()
    sweep = KeepaliveSweep(clock, 15.0)
    stream = Stream()
    sweep.add(stream)
    sweep.start()
    clock.advance(15.0)
    sweep.stop()
    sweep.stop()
    pass_time(clock, 60.0)
    assert stream.kept_alive <= 1
    assert [call for call in clock.getDelayedCalls() if call.active()] == []
