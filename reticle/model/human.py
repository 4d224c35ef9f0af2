"""
What a person said in a page's panel: messages for the agent, and elements that were flagged.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.model.page import App


@attrs.frozen
class Guidance:
    """
    Messages that had not been delivered yet, oldest first, and how many older ones were lost to the cap.
    """

    messages: Sequence[str] = ()
    dropped: int = 0

    def __bool__(self) -> bool:
        return bool(self.messages or self.dropped)


@attrs.frozen
class Mark:
    """
    An element that a person flagged, and what is wrong with it.

    ``anchor`` finds the element again, the way that ``strategy`` says (page-wire, ``human.mark``);
    ``source`` is its ``file:line`` where the page knows it. ``resolution`` is set once it is resolved.
    ``app`` is whose app it is in; None where that is not known.
    """

    mark_id: str
    note: str
    label: str
    anchor: str
    strategy: str
    route: str
    source: str | None = None
    resolution: str | None = None
    app: App | None = None

    @property
    def pending(self) -> bool:
        """
        Whether nobody has resolved it yet.
        """
        return self.resolution is None
