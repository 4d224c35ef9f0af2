"""
Marks what the probe itself does in the user's process, so that it is never observed as the app's doing.

The mark is a context variable and no thread's local: under gevent the sender is a greenlet in a thread of the
app's, and its mark must not be that of its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from reticle.probe.harmless import note

working: Final[ContextVar[bool]] = ContextVar("reticle_own_work", default=False)
"""The mark itself, for those who ask at every statement."""


def is_own_work() -> bool:
    """
    Whether the running thread is busy with the probe's own work.
    """
    return working.get()


def own_thread() -> None:
    """
    All that this thread does from now on is the probe's.
    """
    working.set(True)


@contextmanager
def own_work() -> Iterator[None]:
    """
    What runs inside is the probe's.
    """
    mark = working.set(True)
    try:
        yield
    finally:
        working.reset(mark)


def safely(call: Callable[..., object], *arguments: Any) -> None:
    """
    Do a part of our work inside the app's: nothing of it is observed, and nothing comes out of it.
    """
    mark = working.set(True)
    try:
        call(*arguments)
    except Exception as fault:  # noqa: BLE001 - the app must not notice that it is watched
        note(getattr(call, "__qualname__", repr(type(call))), fault)
    finally:
        working.reset(mark)


def kept_in(call: Callable[..., object], *arguments: Any) -> None:
    """
    As ``safely``, for what runs no code but our own: no mark need be set, which is half of the cost.
    """
    try:
        call(*arguments)
    except Exception as fault:  # noqa: BLE001 - as above
        note(getattr(call, "__qualname__", repr(type(call))), fault)
