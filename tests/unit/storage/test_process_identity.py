"""
A process is known by its number and its start.
"""

from __future__ import annotations

import os

from reticle.storage.process_identity import process_identity


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
