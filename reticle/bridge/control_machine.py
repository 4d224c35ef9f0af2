"""
Whether agents may act on a page, as a typed machine.

active ⇄ paused by a person; ``stopped`` when a person ended the session, ``finished`` when an agent did.
Only a person's buttons and an agent that was told so lift what a person decided; a finished session goes on
with the agent's next act. A new document keeps the state, and its panel is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import attrs
from automat import TypeMachineBuilder

from reticle.model.codes import ControlState


@attrs.define
class Facts:
    """
    What the machine decides, and how the panel is told.

    ``present`` shows a state with a text. ``by_person`` says who ended.
    """

    present: Callable[[ControlState, str], None]
    state: ControlState = ControlState.ACTIVE
    by_person: bool = False
    summary: str = ""

    def enter(self, state: ControlState, summary: str = "", *, by_person: bool = False) -> None:
        """
        The state is this from now on, and the panel shows it.
        """
        self.state, self.summary, self.by_person = state, summary, by_person
        self.present(state, summary)


class Inputs(Protocol):
    """
    What can happen.
    """

    def pause(self) -> None:
        """A person pressed Pause."""

    def unpause(self) -> None:
        """A person pressed Resume."""

    def end(self) -> None:
        """A person pressed End."""

    def resume(self) -> None:
        """An agent goes on, as it was told."""

    def finish(self, summary: str) -> None:
        """An agent is done."""

    def act(self) -> None:
        """An agent acts."""

    def renew(self) -> None:
        """Another document has loaded."""


_builder = TypeMachineBuilder(Inputs, Facts)
active = _builder.state("active")
paused = _builder.state("paused")
stopped = _builder.state("stopped")
finished = _builder.state("finished")


@active.upon(Inputs.pause).to(paused)
@finished.upon(Inputs.pause).to(paused)
def _paused(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.enter(ControlState.PAUSED)


@paused.upon(Inputs.unpause).to(active)
@paused.upon(Inputs.resume).to(active)
@stopped.upon(Inputs.resume).to(active)
@finished.upon(Inputs.resume).to(active)
@finished.upon(Inputs.act).to(active)
def _active(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.enter(ControlState.ACTIVE)


@active.upon(Inputs.end).to(stopped)
@paused.upon(Inputs.end).to(stopped)
@finished.upon(Inputs.end).to(stopped)
def _stopped(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.enter(ControlState.ENDED, by_person=True)


@active.upon(Inputs.finish).to(finished)
@finished.upon(Inputs.finish).loop()
def _finished(inputs: Inputs, facts: Facts, summary: str) -> None:
    del inputs
    facts.enter(ControlState.ENDED, summary)


@paused.upon(Inputs.renew).loop()
@stopped.upon(Inputs.renew).loop()
@finished.upon(Inputs.renew).loop()
def _shown_again(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.present(facts.state, facts.summary)


# What changes nothing where it comes. An agent that is done leaves a person's pause or end as it is.
active.upon(Inputs.unpause).loop().returns(None)
active.upon(Inputs.resume).loop().returns(None)
active.upon(Inputs.act).loop().returns(None)
active.upon(Inputs.renew).loop().returns(None)
paused.upon(Inputs.pause).loop().returns(None)
paused.upon(Inputs.finish).loop().returns(None)
paused.upon(Inputs.act).loop().returns(None)
stopped.upon(Inputs.pause).loop().returns(None)
stopped.upon(Inputs.unpause).loop().returns(None)
stopped.upon(Inputs.end).loop().returns(None)
stopped.upon(Inputs.finish).loop().returns(None)
stopped.upon(Inputs.act).loop().returns(None)
finished.upon(Inputs.unpause).loop().returns(None)

build_machine = _builder.build()
