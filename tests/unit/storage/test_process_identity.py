"""
A process is known by its number and its start.
"""

from __future__ import annotations

import os
import signal

from reticle.storage.process_identity import process_identity, signal_process


def test_a_living_process_keeps_its_identity() -> None:
    """
    Asking twice gives the same word, and another process another one.
    """
    ours = process_identity(os.getpid())
    assert ours is not None
    assert process_identity(os.getpid()) == ours
    assert process_identity(os.getppid()) != ours


def test_what_is_no_process_has_none() -> None:
    """
    The numbers that stand for groups of processes name none.
    """
    assert [process_identity(pid) for pid in (0, -1)] == [None, None]


def test_only_the_process_that_was_meant_is_signalled() -> None:
    """
    A number that another process has by now is let be.
    """
    ours = process_identity(os.getpid())
    assert ours is not None
    asked = signal.Signals(signal.SIGWINCH)  # ignored by default: only whether it is sent counts
    assert signal_process(os.getpid(), ours, asked) is True
    assert signal_process(os.getpid(), "boot:1", asked) is False
