"""
What a person wants on one page, as somebody hears it who may look at some repositories only: provides
``ports.Steering``. What was written and flagged on another's app is that one's.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.model.codes import ControlState
from reticle.model.human import Guidance, Mark
from reticle.model.page import App
from reticle.ports import Steering
from reticle.ports.pages import Whose, anybodys


class PermittedSteering:
    """
    Args:
        steering: The page's.
        may_see: Which apps are the caller's.
        is_there: Whether the page shows one of these now; a pause holds on every app that it shows.
    """

    def __init__(self, steering: Steering, may_see: Whose, *, is_there: bool) -> None:
        self._steering = steering
        self._may_see = may_see
        self._is_there = is_there

    @property
    def state(self) -> ControlState:
        """
        See ``ports.Steering``.
        """
        return self._steering.state if self._is_there else ControlState.ACTIVE

    @property
    def ended_by_person(self) -> bool:
        """
        See ``ports.Steering``.
        """
        return self._is_there and self._steering.ended_by_person

    def acts(self) -> None:
        """
        See ``ports.Steering``.
        """
        if self._is_there:
            self._steering.acts()

    def resume(self) -> bool:
        """
        See ``ports.Steering``.
        """
        return self._is_there and self._steering.resume()

    def finish(self, summary: str) -> None:
        """
        See ``ports.Steering``.
        """
        if self._is_there:
            self._steering.finish(summary)

    def take_guidance(self, whose: Whose = anybodys) -> Guidance:
        """
        See ``ports.Steering``.
        """
        return self._steering.take_guidance(self._also(whose))

    def waiting(self, whose: Whose = anybodys) -> int:
        """
        See ``ports.Steering``.
        """
        return self._steering.waiting(self._also(whose))

    def marks(self) -> Sequence[Mark]:
        """
        See ``ports.Steering``.
        """
        return [mark for mark in self._steering.marks() if self._may_see(mark.app)]

    def marks_lost(self) -> int:
        """
        See ``ports.Steering``.
        """
        return self._steering.marks_lost()

    def resolve(self, mark_id: str, resolution: str) -> Mark | None:
        """
        See ``ports.Steering``; None for another's.
        """
        if all(mark.mark_id != mark_id for mark in self.marks()):
            return None
        return self._steering.resolve(mark_id, resolution)

    def _also(self, whose: Whose) -> Whose:
        def ours(app: App | None) -> bool:
            return self._may_see(app) and whose(app)

        return ours
