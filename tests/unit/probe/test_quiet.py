"""
The probe's own work is never the app's.
"""

from __future__ import annotations

import threading

import pytest

from reticle.probe import harmless, quiet


def test_own_work_is_marked_in_its_thread_alone() -> None:
    """
    While the probe works, other threads of the app are still watched.
    """
    seen: list[bool] = []
    with quiet.own_work():
        thread = threading.Thread(target=lambda: seen.append(quiet.is_own_work()))
        thread.start()
        thread.join()
        assert quiet.is_own_work()
    assert not quiet.is_own_work()
    assert seen == [False]


class Broken(Exception):
    """
    As an app may have one.
    """

    def __str__(self) -> str:
        raise self


def test_a_fault_of_ours_does_not_come_out_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app whose objects raise when they are looked at works as before; whoever looks for the fault finds it.
    """
    monkeypatch.setattr(harmless, "faults", [])

    def look() -> None:
        raise Broken

    quiet.safely(lambda: 1 / 0)
    quiet.safely(look)
    assert not quiet.is_own_work()
    assert [fault.rpartition(": ")[2] for fault in harmless.faults] == ["division by zero", "without a text"]


def test_a_thread_of_our_own_stays_ours() -> None:
    """
    Nothing that the sender does is ever a fact.
    """
    seen: list[bool] = []

    def run() -> None:
        quiet.own_thread()
        quiet.safely(lambda: None)
        seen.append(quiet.is_own_work())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [True]


def test_a_greenlet_of_our_own_does_not_silence_its_neighbours() -> None:
    """
    Under gevent the sender shares its thread with the app's requests, which are watched as before.
    """
    greenlet = pytest.importorskip("greenlet")
    here = greenlet.getcurrent()

    def run() -> None:
        quiet.own_thread()
        here.switch(quiet.is_own_work())

    assert greenlet.greenlet(run).switch() is True
    assert not quiet.is_own_work()
