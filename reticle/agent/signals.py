"""
The signals that a supervisor hands on, taken over from the process for as long as it runs.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

TAKEN: Final = (
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP, signal.SIGCONT,
    signal.SIGWINCH, signal.SIGCHLD,
)  # fmt: skip
_MAY_BE_IGNORED: Final = frozenset({signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})
"""As ``nohup`` and a shell's ``&`` have them: then they stay so."""


class Signals:
    """
    Brings each signal onto the reactor, where it is dealt with like any other event.

    Args:
        reactor: ``IReactorThreads``; it runs, so its own way of noticing dead children stands beside.
        react: Takes the number.
    """

    def __init__(self, reactor: Any, react: Callable[[int], None]) -> None:
        self._reactor = reactor
        self._react = react
        self._before: dict[int, Any] = {}

    def take(self) -> None:
        """
        From now on. In the main thread only.
        """
        for number in TAKEN:
            ignored = signal.getsignal(number) is signal.SIG_IGN
            if ignored and number in _MAY_BE_IGNORED:
                continue
            self._before[number] = signal.signal(number, self._note)
            signal.siginterrupt(number, False)
        # A read from the background fails with it, instead of stopping us.
        self._before[signal.SIGTTIN] = signal.signal(signal.SIGTTIN, signal.SIG_IGN)

    def give_back(self) -> None:
        """
        As it was; may be called again.
        """
        while self._before:
            number, before = self._before.popitem()
            signal.signal(number, signal.SIG_DFL if before is None else before)

    def as_by_default(self, number: int, act: Callable[[], None]) -> None:
        """
        Run ``act`` while a signal does what it does to any process.
        """
        ours = signal.signal(number, signal.SIG_DFL)
        try:
            act()
        finally:
            signal.signal(number, ours)

    def _note(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._reactor.callFromThread(self._react, number)
