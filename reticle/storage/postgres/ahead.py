"""
Questions of pieces of work that share a transaction, asked for a row of them before the first is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from reticle.storage.place import AsksAhead, Step
from reticle.storage.postgres_driver import PostgresDriver


class Ahead:
    """
    What was asked ahead in one transaction, as long as it holds.
    """

    def __init__(self, driver: PostgresDriver, steps: Sequence[Step]) -> None:
        self._driver = driver
        self._steps = steps
        self._asking: AsksAhead | None = None

    def before(self, at: int) -> None:
        """
        A step is about to be done: ask for it and for those like it that follow, where it begins a row of
        them; forget what another kind of step may change.
        """
        asking = _asking_of(self._steps[at])
        if asking is self._asking:
            return
        self.forget()
        self._asking = asking
        if asking is None or not self._driver.swift:
            return
        row = takewhile(lambda step: _asking_of(step) is asking, self._steps[at:])
        questions: list[Any] = [step.ahead[1] for step in row if step.ahead is not None]
        if len(questions) > 1:
            asking.gather(self._driver, questions)
            # It has locks now, in no order: whoever is in the way may be waiting for one of them.
            self._driver.may_wait = False

    def forget(self) -> None:
        """
        What was asked may not hold any more.
        """
        if self._asking is not None:
            self._asking.forget()


def _asking_of(step: Step) -> AsksAhead | None:
    return None if step.ahead is None else step.ahead[0]
