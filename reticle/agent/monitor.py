"""
The first process on the agent's terminal: starts the program in a group of its own and ends as it ends.

A program that is started straight away would be alone in its session, where the system ignores Ctrl-Z
(an orphaned process group, POSIX 3.264). So this process stands between, as a shell does: it sees the program
stop and go on, ends everything that was started when it is told to, and outlives a supervisor that was
killed just long enough to clean up. When it ends, the system takes the terminal from whoever still holds it.

Run as ``python -I -S monitor.py GRACE STOPS TERMINAL MODES RAW FOLDER PROGRAM ARGUMENT...``; the standard
library alone, because each start pays for it.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
import time
from collections.abc import Iterator
from types import FrameType

NOBODY = "-"
"""In place of a terminal, its modes or a folder where there is none."""

CANNOT_RUN, NOT_FOUND = 126, 127
"""The exit codes of a shell for a program that cannot be executed, and for one that is not there."""

_LOOK_AGAIN_SECONDS = 0.05
_PROC = "/proc"


class Monitor:
    """
    One program, from its start to its end.

    Args:
        grace_seconds: From a request to end until what still runs is killed.
        stops: Whether the supervisor stops as well when the program does, and brings both back.
    """

    def __init__(self, grace_seconds: float, *, stops: bool) -> None:
        self._grace_seconds = grace_seconds
        self._stops = stops
        self._program = 0
        self._ending = False

    def start(self, program: str, arguments: list[str]) -> None:
        """
        Start the program in the foreground of the terminal, its signals as after a login.
        """
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._end)
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
            signal.signal(number, self._pass_on)
        signal.signal(signal.SIGALRM, self._kill)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self._program = os.fork()
        if self._program == 0:
            _become(program, arguments)
        _ignore_gone(os.setpgid, self._program, self._program)

    def wait(self) -> int:
        """
        How the program ended, as ``waitpid`` says it.
        """
        while True:
            _, status = os.waitpid(self._program, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            self._stopped(os.WSTOPSIG(status))
        while self._ending and any(_session_members()):
            time.sleep(_LOOK_AGAIN_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return status

    def _stopped(self, number: int) -> None:
        """
        Stop as well, which the supervisor sees; with nobody who could bring it back, a Ctrl-Z has no effect.
        """
        asks_for_terminal = number in (signal.SIGTTIN, signal.SIGTTOU)
        if not asks_for_terminal:
            if self._stops:
                os.kill(os.getpid(), signal.SIGSTOP)
            elif number == signal.SIGSTOP:
                return  # somebody holds it on purpose, and will let it go on
        _ignore_gone(os.tcsetpgrp, 0, self._program)
        _ignore_gone(os.killpg, self._program, signal.SIGCONT)

    def _end(self, number: int, frame: FrameType | None) -> None:
        del frame
        _ignore_gone(os.killpg, self._program, number)
        _ignore_gone(os.killpg, self._program, signal.SIGCONT)
        if not self._ending:
            self._ending = True
            signal.setitimer(signal.ITIMER_REAL, max(self._grace_seconds, _LOOK_AGAIN_SECONDS))

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        """
        As if the key had been pressed: to whatever is in the foreground.
        """
        del frame
        try:
            foreground = os.tcgetpgrp(0)
        except OSError:
            foreground = self._program
        _ignore_gone(os.killpg, foreground if foreground != os.getpgrp() else self._program, number)

    def _kill(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        _ignore_gone(os.killpg, self._program, signal.SIGKILL)
        for member in _session_members():
            _ignore_gone(os.kill, member, signal.SIGKILL)


def _become(program: str, arguments: list[str]) -> None:
    """
    The rest of the forked process's life: the program, or a line that says why not.
    """
    code = CANNOT_RUN
    try:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpgrp())
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            if signal.getsignal(number) not in (signal.SIG_DFL, None):
                signal.signal(number, signal.SIG_DFL)
        os.execv(program, arguments)  # noqa: S606 - that is what this process is for
    except OSError as fault:
        code = NOT_FOUND if isinstance(fault, FileNotFoundError) else CANNOT_RUN
        os.write(2, f"{program} cannot be run: {fault.strerror}\r\n".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _session_members() -> Iterator[int]:
    """
    The other living processes of this session, by proc(5); none where there is no such folder.
    """
    mine = os.getpid()
    try:
        names = os.listdir(_PROC)  # noqa: PTH208 - pathlib would double the time of a start
    except OSError:
        return
    for name in names:
        if not name.isdigit() or int(name) == mine:
            continue
        try:
            with open(f"{_PROC}/{name}/stat", "rb") as file:  # noqa: PTH123 - as above
                state, _, _, session = file.read().rpartition(b")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(session) == mine and state != b"Z":
            yield int(name)


def _ignore_gone(call: object, *arguments: int) -> None:
    """
    A group that has ended in between, or a terminal that is gone, asks for nothing more.
    """
    assert callable(call)
    try:
        call(*arguments)
    except OSError:
        return


def _is_hung_up() -> bool:
    """
    Whether our terminal is gone, which is so once its other end, the supervisor, is.

    The parent's number would tell it too late: the system closes a killed process's files first.
    """
    try:
        termios.tcgetattr(0)
    except termios.error:
        return True
    return False


def clean_up(terminal: str, modes: str, raw: str, folder: str) -> None:
    """
    What a supervisor that was killed could not do: take the token away, give the terminal its modes back.

    Args:
        terminal: The terminal that it had.
        modes: How that was before.
        raw: How the supervisor had made it; somebody else's doing since is left as it is.
        folder: With the token in it.
    """
    if folder != NOBODY:
        for name in os.listdir(folder):  # noqa: PTH208 - see above
            os.unlink(f"{folder}/{name}")  # noqa: PTH108 - see above
        os.rmdir(folder)  # noqa: PTH106 - see above
    if NOBODY not in (terminal, modes):
        descriptor = os.open(terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        if as_text(termios.tcgetattr(descriptor)) == raw:
            termios.tcsetattr(descriptor, termios.TCSANOW, from_text(modes))


def as_text(modes: list[int | list[bytes | int]]) -> str:
    """
    A terminal's modes (``termios.tcgetattr``) as one argument.
    """
    *numbers, keys = modes
    assert isinstance(keys, list)
    codes = [each[0] if isinstance(each, bytes) else each for each in keys]
    return ",".join(str(each) for each in [*numbers, *codes])


def from_text(text: str) -> list[int | list[bytes | int]]:
    """
    The reverse of ``as_text``. Raises ``ValueError``.
    """
    numbers = [int(each) for each in text.split(",")]
    keys: list[bytes | int] = [bytes([each]) for each in numbers[6:]]
    local = numbers[3]
    if not local & termios.ICANON:
        # tcgetattr gives these two as numbers where lines are not edited, and tcsetattr wants them so.
        keys[termios.VMIN], keys[termios.VTIME] = numbers[6 + termios.VMIN], numbers[6 + termios.VTIME]
    return [*numbers[:6], keys]


def end_like(status: int) -> None:
    """
    End this process as another one ended, without a second core file.
    """
    if os.WIFSIGNALED(status):
        import resource  # noqa: PLC0415 - rarely needed, and a start pays for it

        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(128 + number)
    os._exit(os.WEXITSTATUS(status))


def main(arguments: list[str]) -> None:
    """
    Run as the module says.
    """
    grace, stops, terminal, modes, raw, folder, program, *rest = arguments
    monitor = Monitor(float(grace), stops=stops != NOBODY)
    monitor.start(program, rest)
    status = monitor.wait()
    if _is_hung_up():
        # Nobody is left to tell of a failure. contextlib would double the time of a start.
        try:  # noqa: SIM105 - as said
            clean_up(terminal, modes, raw, folder)
        except (OSError, ValueError, termios.error):
            pass
    end_like(status)


if __name__ == "__main__":
    main(sys.argv[1:])
