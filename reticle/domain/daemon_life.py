"""
The life of a daemon: starting, serving, draining, stopped.

The port opens while the daemon is *starting*; storage and gate are attached later, and only then does
it accept MCP traffic (DESIGN §3: 503 until then and while draining).
What has to wait for a state is the service's; here is only which state follows which.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import automat

from reticle.errors import LocalMisuse


class LifeState(StrEnum):
    """
    Where a daemon stands; the ``state`` field of ``/status``.
    """

    STARTING = "starting"
    SERVING = "serving"
    DRAINING = "draining"
    STOPPED = "stopped"


_SERVING = LifeState.SERVING


class _Inputs(Protocol):
    """
    What can happen to a daemon, and what can be asked of it.
    """

    def attached(self) -> None:
        """
        Storage and gate are there.
        """

    def drain(self) -> None:
        """
        Someone asked it to stop.
        """

    def stopped(self) -> None:
        """
        Everything with a lifetime has ended.
        """

    def state(self) -> LifeState:
        """
        Where it stands.
        """


class _Nothing:
    """
    The machine keeps no facts besides its state.
    """


def _build_machine() -> Callable[[_Nothing], _Inputs]:
    builder = automat.TypeMachineBuilder(_Inputs, _Nothing)
    starting = builder.state("starting")
    serving = builder.state("serving")
    draining = builder.state("draining")
    stopped = builder.state("stopped")

    starting.upon(_Inputs.attached).to(serving).returns(None)
    starting.upon(_Inputs.drain).to(draining).returns(None)
    starting.upon(_Inputs.stopped).to(stopped).returns(None)
    serving.upon(_Inputs.drain).to(draining).returns(None)
    draining.upon(_Inputs.stopped).to(stopped).returns(None)

    # A store that opens while a stop is under way comes too late, which is no fault.
    draining.upon(_Inputs.attached).loop().returns(None)
    stopped.upon(_Inputs.attached).loop().returns(None)
    # A second SIGTERM finds the work begun.
    draining.upon(_Inputs.drain).loop().returns(None)
    stopped.upon(_Inputs.drain).loop().returns(None)
    stopped.upon(_Inputs.stopped).loop().returns(None)

    for state, name in (
        (starting, LifeState.STARTING),
        (serving, LifeState.SERVING),
        (draining, LifeState.DRAINING),
        (stopped, LifeState.STOPPED),
    ):
        state.upon(_Inputs.state).loop().returns(name)
    return builder.build()


_machine = _build_machine()


class DaemonLife:
    """
    One daemon's state and the four questions about it.

    An input that makes no sense where it arrives (attaching twice, ending without a drain) raises
    ``LocalMisuse`` and changes nothing.
    """

    def __init__(self) -> None:
        self._inputs = _machine(_Nothing())
        self._state = self._inputs.state()

    @property
    def state(self) -> LifeState:
        """
        Where the daemon stands; asked by every request, so the machine is only asked when it has moved.
        """
        return self._state

    @property
    def accepting(self) -> bool:
        """
        Whether MCP traffic is served; otherwise it gets 503.
        """
        return self._state is _SERVING

    @property
    def draining(self) -> bool:
        """
        Whether a stop has begun; stays True once it is over.
        """
        return self.state in (LifeState.DRAINING, LifeState.STOPPED)

    def attached(self) -> None:
        """
        Storage and gate are there. Does nothing once a stop has begun.
        """
        try:
            self._inputs.attached()
        except automat.NoTransition as error:
            raise LocalMisuse("the daemon is already attached") from error
        self._state = self._inputs.state()

    def drain(self) -> None:
        """
        Begin to stop: take nothing new. May be called again.
        """
        self._inputs.drain()
        self._state = self._inputs.state()

    def stopped(self) -> None:
        """
        Everything has ended. May be called again, but not while serving.
        """
        try:
            self._inputs.stopped()
        except automat.NoTransition as error:
            raise LocalMisuse("a serving daemon must drain before it is stopped") from error
        self._state = self._inputs.state()
