"""
The life of a supervised agent: idle, running, stopping, resting between two starts, over.

What is done in each state is the supervisor's; here is only which state follows which.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import automat

from reticle.errors import LocalMisuse


class AgentState(StrEnum):
    """
    Where an agent stands.
    """

    IDLE = "idle"
    RUNNING = "running"
    STOPPING = "stopping"
    RESTING = "resting"
    OVER = "over"


class _Inputs(Protocol):
    """
    What can happen to an agent, and what can be asked of it.
    """

    def start(self) -> None:
        """
        Its program runs.
        """

    def stop(self) -> None:
        """
        Somebody asked for an end.
        """

    def rest(self) -> None:
        """
        The program has ended and is to be started again.
        """

    def end(self) -> None:
        """
        The program has ended, for good.
        """

    def state(self) -> AgentState:
        """
        Where it stands.
        """


class _Nothing:
    """
    The machine keeps no facts besides its state.
    """


def _build_machine() -> Callable[[_Nothing], _Inputs]:
    builder = automat.TypeMachineBuilder(_Inputs, _Nothing)
    states = {each: builder.state(each.value) for each in AgentState}
    idle, running = states[AgentState.IDLE], states[AgentState.RUNNING]
    stopping, resting = states[AgentState.STOPPING], states[AgentState.RESTING]
    over = states[AgentState.OVER]

    idle.upon(_Inputs.start).to(running).returns(None)
    resting.upon(_Inputs.start).to(running).returns(None)
    running.upon(_Inputs.stop).to(stopping).returns(None)
    running.upon(_Inputs.rest).to(resting).returns(None)
    running.upon(_Inputs.end).to(over).returns(None)
    stopping.upon(_Inputs.end).to(over).returns(None)

    # Without a program there is nothing to wait for.
    idle.upon(_Inputs.stop).to(over).returns(None)
    resting.upon(_Inputs.stop).to(over).returns(None)
    # A new start that cannot be made, and a second signal, change nothing more.
    resting.upon(_Inputs.end).to(over).returns(None)
    stopping.upon(_Inputs.stop).loop().returns(None)
    over.upon(_Inputs.stop).loop().returns(None)

    for name, state in states.items():
        state.upon(_Inputs.state).loop().returns(name)
    return builder.build()


_machine = _build_machine()


class AgentLife:
    """
    One agent's state.

    An input that makes no sense where it arrives raises ``LocalMisuse`` and changes nothing.
    """

    def __init__(self) -> None:
        self._inputs = _machine(_Nothing())

    @property
    def state(self) -> AgentState:
        """
        Where the agent stands.
        """
        return self._inputs.state()

    def start(self) -> None:
        """
        Its program runs.
        """
        self._feed(self._inputs.start)

    def stop(self) -> None:
        """
        Somebody asked for an end. May be called again.
        """
        self._feed(self._inputs.stop)

    def rest(self) -> None:
        """
        The program has ended and is to be started again; not after a stop.
        """
        self._feed(self._inputs.rest)

    def end(self) -> None:
        """
        The program has ended, for good.
        """
        self._feed(self._inputs.end)

    def _feed(self, given: Callable[[], None]) -> None:
        try:
            given()
        except automat.NoTransition as error:
            raise LocalMisuse(f"an agent that is {self.state} cannot do that") from error
