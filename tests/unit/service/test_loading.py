"""
What is loaded once the daemon serves.
"""

from __future__ import annotations

import importlib

import pytest
from twisted.internet.task import Clock

from reticle.model.limits import LOAD_SECONDS
from reticle.service.loading import PIECES, Loading


@pytest.mark.parametrize("name", PIECES)
def test_every_piece_is_a_module(name: str) -> None:
    """
    A module that was renamed would end the loading, and the first call would wait for all of it.
    """
    assert importlib.import_module(name).__name__ == name


def test_whoever_dials_at_once_is_answered_first() -> None:
    """
    Loading begins a moment after the start, and each piece has a turn of the loop.
    """
    timer, made = Clock(), list[str]()
    loading = Loading(timer, [lambda: made.append("gate"), lambda: made.append("bridge")])
    done = loading.when_done()
    loading.start()
    timer.advance(LOAD_SECONDS / 2)
    assert (made, len(timer.getDelayedCalls())) == ([], 1)
    timer.advance(LOAD_SECONDS)
    assert made == ["gate", "bridge"]
    assert done.called
    assert timer.getDelayedCalls() == []


def test_a_piece_that_fails_does_not_keep_the_others_away() -> None:
    """
    A bug in one part is told when that part is asked for; the rest is there.
    """
    timer, made = Clock(), list[str]()

    def fail() -> None:
        raise RuntimeError("a bug")

    loading = Loading(timer, [fail, lambda: made.append("bridge")])
    loading.start()
    with pytest.raises(RuntimeError):
        timer.advance(LOAD_SECONDS)
    timer.advance(0)
    assert made == ["bridge"]


def test_a_stop_ends_it() -> None:
    """
    A daemon that is stopped soon after its start leaves nothing behind in its application's loop.
    """
    timer = Clock()

    def stop() -> None:
        loading.stop()

    loading = Loading(timer, [stop, lambda: pytest.fail("made")])
    loading.stop()
    loading.start()
    timer.advance(LOAD_SECONDS)
    loading.stop()
    assert timer.getDelayedCalls() == []
