"""
A Chromium as a child process, spoken with over two pipes: it reads commands from its descriptor 3 and writes
to its descriptor 4. When our end closes, also because we were killed, it ends by itself.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IProcessTransport
from twisted.internet.protocol import ProcessProtocol
from twisted.python.failure import Failure

from reticle.browser.framing import END, Oversized, Splitter
from reticle.model.limits import BROWSER_STOP_SECONDS

_STDERR: Final = 2
_COMMANDS: Final = 3
_MESSAGES: Final = 4

LAST_WORDS_BYTES: Final = 4_096
"""What is kept of its standard error, for the reason of a start that failed."""


class PipedBrowser(ProcessProtocol):
    """
    One browser process.

    Args:
        clock: For the time it has to end by itself.
    """

    transport: IProcessTransport | None = None

    def __init__(self, clock: Any) -> None:
        self._clock = clock
        self._on_message: Callable[[bytes | Oversized], object] = lambda _: None
        self._on_end: Callable[[str], object] | None = None
        self._is_over = False
        self._splitter = Splitter()
        self._last_words = b""
        self._deadline: IDelayedCall | None = None
        self._exited = False
        self._waiters: list[Deferred[None]] = []

    def listen(
        self, on_message: Callable[[bytes | Oversized], object], on_end: Callable[[str], object]
    ) -> None:
        """
        Set before it is started: who is told each whole message, and once, with the reason, that it can be
        talked with no more.
        """
        self._on_message, self._on_end = on_message, on_end

    # --- what the conversation needs ---------------------------------------------------------

    def send(self, message: bytes) -> None:
        """
        One command to the browser; nothing when it is gone.
        """
        if not self._is_over and self.transport is not None:
            self.transport.writeToChild(_COMMANDS, message + END)

    def close(self) -> Deferred[None]:
        """
        Have it end: by itself, and after ``BROWSER_STOP_SECONDS`` whether it will or not. Ready when the
        process is gone. May be called twice.
        """
        self._over("it was ended")
        gone: Deferred[None] = Deferred()
        if self._exited or self.transport is None:
            gone.callback(None)
            return gone
        self._waiters.append(gone)
        if self._deadline is None:
            self._deadline = self._clock.callLater(BROWSER_STOP_SECONDS, self.kill)
            with contextlib.suppress(KeyError):  # the other end has closed it already
                self.transport.closeChildFD(_COMMANDS)
        return gone

    def kill(self) -> None:
        """
        End it and its own children now.
        """
        pid = None if self.transport is None else self.transport.pid
        if pid is None or self.transport is None:
            return
        # the kernel has it now; who waits does not wait for a disk that hangs
        self._deadline = self._clock.callLater(BROWSER_STOP_SECONDS, self._give_up)
        with contextlib.suppress(OSError):
            # with ``setsid`` it leads a group of its own
            if os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(Exception):
            self.transport.signalProcess("KILL")

    @property
    def last_words(self) -> str:
        """
        The end of what it wrote to its standard error.
        """
        return self._last_words.decode("utf-8", "replace")

    # --- ProcessProtocol ---------------------------------------------------------------------

    def childDataReceived(self, descriptor: int, data: bytes) -> None:
        """
        Something came from it.
        """
        if descriptor == _STDERR:
            self._last_words = (self._last_words + data)[-LAST_WORDS_BYTES:]
            return
        for message in self._splitter.feed(data):
            self._on_message(message)

    def childConnectionLost(self, descriptor: int) -> None:
        """
        One of its descriptors is closed; without both pipes there is nothing to be said.
        """
        if descriptor in (_COMMANDS, _MESSAGES):
            self._over("its debugging pipe closed")
            self.close()

    def processExited(self, reason: Failure) -> None:
        """
        The process is gone, whoever still holds its descriptors.
        """
        self._exited = True
        self._over(_told(reason))
        self._give_up()

    def processEnded(self, reason: Failure) -> None:
        """
        And so are its descriptors.
        """
        if not self._exited:
            self.processExited(reason)

    def _give_up(self) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        waiters, self._waiters = self._waiters, []
        for gone in waiters:
            gone.callback(None)

    def _over(self, why: str) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._on_end is not None:
            self._on_end(why)


def spawn(
    reactor: Any, browser: PipedBrowser, command: Sequence[str], environment: Mapping[str, str], folder: str
) -> None:
    """
    Start it.

    Raises:
        OSError: It cannot be started.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        reactor.spawnProcess(
            browser,
            command[0],
            args=list(command),
            env=dict(environment),
            path=folder,
            childFDs={0: nothing, 1: nothing, _STDERR: "r", _COMMANDS: "w", _MESSAGES: "r"},
        )
    finally:
        os.close(nothing)


def _told(reason: Failure) -> str:
    ended = reason.value
    number = getattr(ended, "signal", None)
    if number is not None:
        return f"it was killed by signal {number}"
    return f"it ended with code {getattr(ended, 'exitCode', None)}"
