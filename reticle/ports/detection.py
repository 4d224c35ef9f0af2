"""
Which detectors look at the windows of a daemon; provided by ``reticle.domain.project_detectors``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.window import Scrutiny, Window


class Detection(Protocol):
    """
    Which detectors look at the windows of this daemon.
    """

    @property
    def scrutiny(self) -> Scrutiny:
        """
        What is said of every window before a project's detectors have looked.
        """

    def consult(self, window: Window, claim: Mapping[str, object]) -> Window:
        """
        The window with what the project's own detectors say of it; the same one where there are none.
        """
