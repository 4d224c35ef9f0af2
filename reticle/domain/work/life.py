"""
A life whose present state is a word in a row: an Automat machine that begins where the row says, takes one
step, and is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Generic, TypeVar

from automat import TypeMachineBuilder

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

S = TypeVar("S", bound=StrEnum)

Step = tuple[S, Callable[[Any], None], S]
"""From which state, what happens, to which state."""


class _Nothing:
    """
    No facts beside the state: they are in the row.
    """


class Life(Generic[S]):
    """
    The lives of one kind of thing.

    Args:
        what: What it is called in a refusal.
        inputs: The Protocol whose methods are what may happen to it.
        states: Its states.
        steps: Every step there is; what is not among them is refused and changes nothing.
    """

    def __init__(self, what: str, inputs: type[Any], states: type[S], steps: Iterable[Step[S]]) -> None:
        self.what = what
        self.steps = tuple(steps)
        builder: TypeMachineBuilder[Any, _Nothing] = TypeMachineBuilder(inputs, _Nothing)
        self._states = {state: builder.state(state.value) for state in states}
        for before, happening, after in self.steps:
            self._states[before].upon(happening).to(self._states[after]).returns(None)
        self._build = builder.build()
        self._walked: set[tuple[S, str]] = set()
        self._known = {(before, happening.__name__): after for before, happening, after in self.steps}

    def after(self, state: S, happening: Callable[[Any], None]) -> S:
        """
        The state that follows.

        Raises:
            Refusal: ``invalid_transition``; a retry makes sense once it is in another state.
        """
        after = self._known.get((state, happening.__name__))
        if after is None:
            raise Refusal(
                RefusalCode.INVALID_TRANSITION,
                f"{happening.__name__} is nothing for a {self.what} that is {state.value}",
                "status shows what is in which state.",
            )
        if (state, happening.__name__) not in self._walked:
            # A machine always comes to the same: once is enough for each step.
            machine = self._build(_Nothing(), self._states[state])
            getattr(machine, happening.__name__)()
            self._walked.add((state, happening.__name__))
        return after

    def may(self, state: S, happening: Callable[[Any], None]) -> bool:
        """
        Whether that can happen to it now.
        """
        return (state, happening.__name__) in self._known
