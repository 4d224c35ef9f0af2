"""
The names of the pages in one tab: the tab's own, and one for each frame in it.

A frame's script proposes where it stands (``page/driven.js``); the browser knows which frame it is. So no
frame speaks for the page around it, nor for its neighbour.
"""

from __future__ import annotations

import re
from itertools import count
from typing import Final

from reticle.model.ids import PageId

_PLACE: Final = re.compile(r"(?:\.\d{1,9}){1,60}", re.ASCII)
_NAME_CHARS: Final = 100


class TabNames:
    """
    Who is called how in one tab.

    Args:
        page_id: The tab's name.
        tab_frame: The browser's name for the tab's own document.
    """

    def __init__(self, page_id: PageId, tab_frame: str) -> None:
        self._page_id = page_id
        self._tab_frame = tab_frame
        self._holders: dict[PageId, list[str]] = {}

    def is_frame(self, frame: str) -> bool:
        """
        Whether that is no document of the tab's own.
        """
        return frame != self._tab_frame

    def take(self, frame: str, claimed: str) -> PageId:
        """
        The name of a document in that frame: what it claims, if that is a frame's and no other frame's as
        long as it is there. Goes with ``give_back``; a document that follows in the frame may share it.
        """
        name = self._page_id if frame == self._tab_frame else self._for_frame(frame, claimed)
        self._holders.setdefault(name, []).append(frame)
        return name

    def give_back(self, frame: str, name: PageId) -> None:
        """
        The document is gone.
        """
        holders = self._holders[name]
        holders.remove(frame)
        if not holders:
            del self._holders[name]

    def _for_frame(self, frame: str, claimed: str) -> PageId:
        place = claimed.removeprefix(self._page_id)
        fits = len(place) <= _NAME_CHARS and _PLACE.fullmatch(place) is not None
        if fits and claimed != place and self._is_free(PageId(claimed), frame):
            return PageId(claimed)
        return next(
            name
            for name in (PageId(f"{self._page_id}.x{number}") for number in count(1))
            if self._is_free(name, frame)
        )

    def _is_free(self, name: PageId, frame: str) -> bool:
        return all(holder == frame for holder in self._holders.get(name, ()))
