"""
One start of an agent's program: its terminal, what goes in and out of it, and its end.

Back pressure goes both ways. Output is read only while whoever shows it keeps up, so a program that floods is
slowed by its terminal; keys are taken only while the program reads them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import termios
from collections.abc import Callable
from typing import Any, Final

from twisted.internet.error import ConnectionAborted, ProcessTerminated
from twisted.internet.interfaces import IPushProducer
from twisted.internet.protocol import ProcessProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from reticle.agent import monitor
from reticle.agent.launch import Launch
from reticle.agent.outer_terminal import Size, set_size
from reticle.agent.readiness import Signs
from reticle.agent.restart import Ending
from reticle.agent.terminal_queries import QueryScanner

OVERDUE_SECONDS: Final = 3.0
"""Beyond the grace: then the monitor itself does not answer, and is killed."""

_LEFT_SECONDS: Final = 1.0
"""Without output once the program has ended: where the system keeps the terminal open, it is closed."""


_HAS_WAITID: Final = hasattr(os, "waitid")
"""Not on macOS before Python 3.13: there Ctrl-Z has no effect on an agent."""

_REST_READS: Final = 64
"""More than a terminal keeps (64 KiB on Linux)."""


def _stops(launch: Launch) -> str:
    """
    Whether we stop with the program (Ctrl-Z): a person could bring us back, and the system tells of it.
    """
    return "stops" if launch.restored and _HAS_WAITID else monitor.NOBODY


@implementer(IPushProducer)
class KeySource:
    """
    Everything that is typed to a program, held back while it does not read.

    Args:
        hold: Called with whether the one who types is to wait.
    """

    def __init__(self, hold: Callable[[bool], None]) -> None:
        self._hold = hold
        self.is_held = False

    def pauseProducing(self) -> None:
        """
        Called by the terminal when too much waits.
        """
        self.is_held = True
        self._hold(True)

    def resumeProducing(self) -> None:
        """
        Called when the program has read it.
        """
        self.is_held = False
        self._hold(False)

    def stopProducing(self) -> None:
        """
        Called when the terminal is gone.
        """
        self.pauseProducing()


class PtyProgram(ProcessProtocol):
    """
    A running program.

    Args:
        clock: ``IReactorTime``.
        launch: What it is.
        size: Of its terminal.
        answers: Whether nobody but us answers what it asks of its terminal.
        shown: Takes its output.
        keys: Told when a person's keys are to wait.
        ended: Called once, when it has ended and all of its output was taken.
    """

    def __init__(
        self,
        clock: Any,
        launch: Launch,
        size: Size,
        *,
        answers: bool,
        shown: Callable[[bytes], None],
        keys: Callable[[bool], None],
        ended: Callable[[Ending], None],
    ) -> None:
        self._clock = clock
        self._launch = launch
        self._size = size
        self._answers = answers
        self._shown = shown
        self._ended = ended
        self._source = KeySource(keys)
        self._scanner = QueryScanner(size.rows, size.columns)
        self.started_at = clock.seconds()
        self._last_output_at: float | None = None
        self._taken_bytes = 0
        self._is_held = False
        self._asked_to_end = False
        self._timer: Any = None
        self._pty: Any = None

    def spawn(self, reactor: Any, modes: Any) -> None:
        """
        Start it.

        Args:
            reactor: ``IReactorProcess``.
            modes: Of its terminal, as ``termios.tcgetattr`` gives them; None leaves the system's.

        Raises:
            OSError: There is no terminal or no process to be had.
        """
        launch = self._launch
        command = [
            sys.executable, "-I", "-S", monitor.__file__, str(launch.grace_seconds), _stops(launch),
            *(launch.restored or (monitor.NOBODY,) * 3), launch.token_folder or monitor.NOBODY,
            launch.program, *launch.arguments,
        ]  # fmt: skip
        outer, inner = os.openpty()
        try:
            # Before the start: the first look at the size is already right.
            set_size(inner, self._size)
            if modes is not None:
                termios.tcsetattr(inner, termios.TCSANOW, modes)
            reactor.spawnProcess(
                self, os.fsencode(sys.executable), [os.fsencode(each) for each in command],
                {os.fsencode(name): os.fsencode(value) for name, value in launch.environment.items()},
                os.fsencode(launch.folder), usePTY=(outer, inner, os.ttyname(inner)),
            )  # fmt: skip
        except BaseException:
            for descriptor in (outer, inner):
                with contextlib.suppress(OSError):
                    os.close(descriptor)
            raise

    def connectionMade(self) -> None:
        """
        Called by Twisted once it is started.
        """
        self._pty = self.transport
        self._pty.registerProducer(self._source, True)

    def childDataReceived(self, childFD: int, data: bytes) -> None:  # noqa: N803 - Twisted's
        """
        Called by Twisted with output.
        """
        del childFD
        self._last_output_at = self._clock.seconds()
        self._taken_bytes += len(data)
        answer = self._scanner.feed(data)
        # A program that asks and never reads is not answered without end.
        if answer and self._answers and not self._source.is_held:
            self.type(answer)
        self._shown(data)

    def processExited(self, reason: Failure) -> None:
        """
        Called by Twisted when it has ended; output may still come.
        """
        del reason
        self._cancel()
        self._timer = self._clock.callLater(_LEFT_SECONDS, self._close_left_open)

    def processEnded(self, reason: Failure) -> None:
        """
        Called by Twisted when it has ended and its terminal is closed.
        """
        self._cancel()
        fault = reason.value
        if isinstance(fault, ProcessTerminated):
            self._ended(Ending(fault.exitCode or 0, fault.signal))
        else:
            self._ended(Ending())

    def _close_left_open(self) -> None:
        """
        A process that was left behind may hold the terminal for ever; what comes of it no longer counts.
        """
        quiet = self._clock.seconds() - (self._last_output_at or 0.0)
        if not self._asked_to_end and (self._is_held or quiet < _LEFT_SECONDS):
            self._timer = self._clock.callLater(_LEFT_SECONDS, self._close_left_open)
        else:
            self._timer = None
            self._pty.connectionLost(Failure(ConnectionAborted()))

    def signs(self) -> Signs:
        """
        What has been seen of it: for the prompt, and for nothing else.
        """
        return Signs(self.started_at, self._last_output_at, self._reads_keys())

    def _reads_keys(self) -> bool:
        try:
            return not termios.tcgetattr(self._pty.fileno())[3] & termios.ICANON
        except (termios.error, OSError, ValueError):
            return False

    @property
    def bracketed_paste(self) -> bool:
        """
        Whether it has asked to be told where a paste begins and ends.
        """
        return self._scanner.modes.bracketed_paste

    def type(self, keys: bytes) -> None:
        """
        Type to it.
        """
        self._pty.write(keys)

    def undo(self) -> bytes:
        """
        What brings the terminal behind back from the modes that the program has left on.
        """
        return self._scanner.modes.undo()

    def hold(self) -> None:
        """
        Read no output for now.
        """
        self._is_held = True
        self._pty.pauseProducing()

    def go_on(self) -> None:
        """
        Read output again.
        """
        self._is_held = False
        self._pty.resumeProducing()

    def resize(self, size: Size) -> None:
        """
        Its terminal has another size now.
        """
        self._scanner.size = (size.rows, size.columns)
        with contextlib.suppress(OSError, ValueError):
            set_size(self._pty.fileno(), size)

    def signal(self, number: int) -> None:
        """
        Hand a signal to it, by way of its monitor; nothing when it has ended.
        """
        if self._pty.pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self._pty.pid, number)

    def is_stopped(self) -> bool:
        """
        Whether it was stopped since this was last asked (Ctrl-Z).
        """
        pid = self._pty.pid
        if pid is None or not _HAS_WAITID:
            return False
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG) is not None
        return False

    def take_rest(self) -> None:
        """
        Take the output that is there already, which is little: the program has stopped.
        """
        for _ in range(_REST_READS):
            before = self._taken_bytes
            if self._is_held or self._pty.doRead() is not None or before == self._taken_bytes:
                return

    def stop(self, number: int) -> None:
        """
        Ask it to end; after its grace, the monitor kills all that was started.
        """
        self._asked_to_end = True
        self.signal(number)
        self.signal(signal.SIGCONT)
        if self._timer is None:
            overdue = self._launch.grace_seconds + OVERDUE_SECONDS
            self._timer = self._clock.callLater(overdue, self._kill)

    def _kill(self) -> None:
        """
        The monitor does not answer: end it, and what is in the foreground; the system hangs up on the rest.
        """
        self._timer = None
        with contextlib.suppress(OSError, ValueError):
            os.killpg(os.tcgetpgrp(self._pty.fileno()), signal.SIGKILL)
        self.signal(signal.SIGKILL)

    def _cancel(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None and timer.active():
            timer.cancel()
