"""
Keeps one agent running on a terminal of its own, from its first start to its last end.

It hands keys, output, signals and the window's size through, types the prompt, and starts the program again
where the operator wants that. It never asks the daemon for anything, and concludes nothing from what is
printed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IPushProducer
from twisted.python.failure import Failure
from zope.interface import implementer

from reticle.agent.launch import Launch
from reticle.agent.life import AgentLife, AgentState
from reticle.agent.outer_terminal import OuterTerminal
from reticle.agent.pty_program import PtyProgram
from reticle.agent.restart import Ending, Restarting
from reticle.agent.scrollback import OutputLog, Scrollback
from reticle.agent.signals import Signals
from reticle.agent.streams import Keyboard, Screen
from reticle.agent.typist import Ask, Typing, Typist
from reticle.errors import ReticleError

_LOOK_SECONDS: Final = 0.5
"""Between two looks whether a person has brought us into the foreground, which no signal tells."""

_FAREWELL_SECONDS: Final = 2.0
"""For the rest of the output once we were asked to end; without that, as long as its reader needs."""


@attrs.frozen
class Plan:
    """
    What to supervise, and how.

    ``launch`` is asked before each start, so that an address that has changed is told; what it raises ends a
    first start, and makes a later one a failed one. ``say`` tells a person something, one line.
    ``has_called`` asks whether the agent has called a tool.
    """

    launch: Callable[[], Launch]
    say: Callable[[str], None]
    typing: Typing = attrs.field(factory=Typing)
    restarting: Restarting = attrs.field(factory=Restarting)
    log: OutputLog | None = None
    has_called: Ask | None = None


class Supervisor:
    """
    One agent.

    Args:
        reactor: Running, with signals.
        plan: What to supervise.
        terminal: What stands behind standard input and output.
        standard: The two descriptors.
    """

    def __init__(self, reactor: Any, plan: Plan, terminal: OuterTerminal, standard: tuple[int, int]) -> None:
        self._reactor = reactor
        self._plan = plan
        self._terminal = terminal
        self._life = AgentLife()
        self._restarting = plan.restarting
        self._over: Deferred[Ending] = Deferred()
        self._program: PtyProgram | None = None
        self._typist: Typist | None = None
        self._timer: Any = None
        self._looking: Any = None
        self._asked_to_end: int | None = None
        self._last = Ending()
        self.scrollback = Scrollback()
        self._signals = Signals(reactor, self._signalled)
        self._screen = Screen(reactor, standard[1], self._unread)
        self._screen_producer = _Holding(self)
        self._keyboard = Keyboard(reactor, standard[0], self._typed) if terminal.has_keys else None

    def run(self) -> Deferred[Ending]:
        """
        Start; how the last program ended, once its output is out and the terminal is as it was.

        Fails as ``Plan.launch`` did when there was no first start.
        """
        self._signals.take()
        self._screen.registerProducer(self._screen_producer, True)
        try:
            self._start()
        except BaseException:
            self._leave()
            raise
        return self._over

    # One start.

    def _start(self) -> None:
        launch = attrs.evolve(self._plan.launch(), restored=self._terminal.to_restore)
        program = PtyProgram(
            self._reactor, launch, self._terminal.size(), answers=not self._terminal.answers,
            shown=self._printed, keys=self._hold_keys, ended=self._ended,
        )  # fmt: skip
        program.spawn(self._reactor, self._terminal.modes)
        self._program = program
        self._life.start()
        self._look()
        if launch.prompt:
            self._typist = Typist(
                self._reactor, program, launch.prompt, self._plan.typing,
                has_called=self._plan.has_called, say=self._warn,
            )  # fmt: skip
            self._typist.begin()

    def _start_again(self) -> None:
        self._timer = None
        try:
            self._start()
        except (ReticleError, OSError) as fault:
            self._plan.say(f"the agent could not be started again: {fault}")
            self._rest_or_end(Ending(1), 0.0)
        except Exception:  # noqa: BLE001 - told to whoever waits for the end, instead of waiting for ever
            self._fail()

    def _fail(self) -> None:
        """
        A bug of ours: whoever waits is told, the terminal is as it was.
        """
        failure = Failure()
        if not self._over.called:
            self._cancel_timer()
            self._leave()
            self._over.errback(failure)

    def _ended(self, ending: Ending) -> None:
        try:
            self._go_on_after(ending)
        except Exception:  # noqa: BLE001 - as in _start_again
            self._fail()

    def _go_on_after(self, ending: Ending) -> None:
        program, self._program = self._program, None
        assert program is not None
        if self._typist is not None:
            self._typist.stop()
            self._typist = None
        self._hold_keys(True)
        self._look_no_more()
        if self._terminal.answers:
            self._screen.write(program.undo())
        self._terminal.give_back()
        lasted = self._reactor.seconds() - program.started_at
        if self._life.state is AgentState.STOPPING:
            self._end(ending)
        else:
            self._rest_or_end(ending, lasted)

    def _rest_or_end(self, ending: Ending, lasted_seconds: float) -> None:
        again = self._restarting.after(ending, lasted_seconds)
        if again is None:
            self._end(ending)
            return
        self._restarting = again
        if self._life.state is AgentState.RUNNING:
            self._life.rest()
        self._plan.say(
            f"the agent ended with {ending}; start {again.in_a_row} of {again.most} again "
            f"in {again.pause_seconds:g} s"
        )
        self._timer = self._reactor.callLater(again.pause_seconds, self._start_again)

    def _end(self, ending: Ending) -> None:
        self._life.end()
        self._finish(ending)

    def _finish(self, ending: Ending) -> None:
        """
        The last output, then everything as it was.
        """
        self._look_no_more()
        self._last = ending
        self._timer = None
        if self._asked_to_end is not None:
            self._timer = self._reactor.callLater(_FAREWELL_SECONDS, self._settle, ending)
        self._screen.when_drained(lambda: self._settle(ending))

    def _settle(self, ending: Ending) -> None:
        if self._over.called:
            return
        self._cancel_timer()
        self._leave()
        self._over.callback(ending)

    def _leave(self) -> None:
        self._look_no_more()
        self._terminal.give_back()
        self._screen.close()
        if self._keyboard is not None:
            self._keyboard.close()
        self._signals.give_back()

    # What goes through.

    def _printed(self, output: bytes) -> None:
        self.scrollback.add(output)
        if self._plan.log is not None:
            self._plan.log.write(output)
        self._screen.write(output)

    def _warn(self, text: str) -> None:
        """
        Tell a person something while the program runs; not into its screen.
        """
        if not self._terminal.answers:
            self._plan.say(text)

    def _typed(self, keys: bytes) -> None:
        if self._program is not None:
            self._program.type(keys)

    def _hold_keys(self, held: bool) -> None:  # noqa: FBT001 - the one argument of a callback
        if self._keyboard is None:
            return
        if held or not self._terminal.is_taken:
            self._keyboard.stop()
        else:
            self._keyboard.start()

    def hold_output(self, held: bool) -> None:  # noqa: FBT001 - the one argument of a callback
        """
        Whether the program's output has to wait for its reader.
        """
        if self._program is None:
            return
        if held:
            self._program.hold()
        else:
            self._program.go_on()

    def _unread(self) -> None:
        """
        Nobody reads the output any more: as for any program in a pipe, that is the end.
        """
        if self._life.state in (AgentState.RUNNING, AgentState.RESTING):
            self._stop(signal.SIGHUP)

    # The terminal that a person sits at.

    def _look(self) -> None:
        """
        Take the terminal as soon as it is ours to take.
        """
        self._looking = None
        if not self._terminal.has_keys or self._program is None:
            return
        if self._terminal.take():
            self._program.resize(self._terminal.size())
            self._hold_keys(False)
        elif self._terminal.is_gone():
            self._stop(signal.SIGHUP)
        else:
            self._looking = self._reactor.callLater(_LOOK_SECONDS, self._look)

    def _look_no_more(self) -> None:
        looking, self._looking = self._looking, None
        if looking is not None and looking.active():
            looking.cancel()

    def _suspend(self) -> None:
        """
        The program was stopped: stop as well, together with whatever we were started with, and go on with it.
        """
        if not self._terminal.has_keys or self._program is None:
            return
        self._hold_keys(True)
        self._terminal.give_back()
        self._signals.as_by_default(signal.SIGTSTP, lambda: os.killpg(os.getpgrp(), signal.SIGTSTP))
        self._go_on()

    def _go_on(self) -> None:
        if self._program is None:
            return
        self._look_no_more()
        self._look()
        self._program.signal(signal.SIGCONT)

    # Signals.

    def _signalled(self, number: int) -> None:
        program = self._program
        match number:
            case signal.SIGTERM | signal.SIGHUP:
                self._stop(number)
            case signal.SIGINT | signal.SIGQUIT:
                if program is None:
                    self._stop(number)
                else:
                    program.signal(number)
            case _ if program is None:
                return
            case signal.SIGTSTP:
                program.signal(number)
            case signal.SIGCONT:
                self._go_on()
            case signal.SIGWINCH:
                program.resize(self._terminal.size())
            case signal.SIGCHLD:
                if program.is_stopped():
                    # What it said before comes first.
                    program.take_rest()
                    self._screen.when_drained(self._suspend)

    def _stop(self, number: int) -> None:
        before = self._life.state
        self._life.stop()
        if self._asked_to_end is None:
            self._asked_to_end = number
        if self._program is not None:
            self._program.stop(number)
        elif before is not AgentState.OVER:
            self._cancel_timer()
            self._finish(Ending(signal=number))
        elif self._timer is None:
            self._timer = self._reactor.callLater(_FAREWELL_SECONDS, self._settle, self._last)

    def _cancel_timer(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None and timer.active():
            timer.cancel()


@implementer(IPushProducer)
class _Holding:
    """
    The producer that the screen holds back: whichever program runs.
    """

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def pauseProducing(self) -> None:
        self._supervisor.hold_output(True)

    def resumeProducing(self) -> None:
        self._supervisor.hold_output(False)

    def stopProducing(self) -> None:
        self._supervisor.hold_output(False)
