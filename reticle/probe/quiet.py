"""
Marks what the probe itself does in the user's process, so that it is never observed as the app's doing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final


class _Own(threading.local):
    working = False


_own: Final = _Own()


def is_own_work() -> bool:
    """
    Whether the running thread is busy with the probe's own work.
    """
    return _own.working


def own_thread() -> None:
    """
    All that this thread does from now on is the probe's.
    """
    _own.working = True


@contextmanager
def own_work() -> Iterator[None]:
    """
    What runs inside is the probe's.
    """
    before, _own.working = _own.working, True
    try:
        yield
    finally:
        _own.working = before


def safely(call: Callable[..., object], *arguments: Any) -> None:
    """
    Do a part of our work inside the app's: nothing of it is observed, and nothing comes out of it.
    """
    before, _own.working = _own.working, True
    try:
        call(*arguments)
    except Exception:  # noqa: BLE001, S110 - the app must not notice that it is watched
        pass
    finally:
        _own.working = before
