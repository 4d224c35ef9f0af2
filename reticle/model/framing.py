"""
Which page a framed page belongs to.

A frame of another origin that carries the page script connects by itself, as its own page. It is a part of
the page around it: an agent that names no page means the page that a person sees in the tab.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reticle.model.origins import origin_of
from reticle.model.page import PageIdentity

UNKNOWN_ORIGIN = ""
"""An ancestor of which the browser tells nothing; any page may be it."""


def hosts(frame: PageIdentity, pages: Iterable[PageIdentity]) -> Sequence[PageIdentity]:
    """
    The pages that may be the one around a frame; empty for a page that is in no frame.

    A page further out than the frame, and of an origin that the frame named as one around it: two tabs of
    one origin are both given. Two frames never host each other.
    """
    around = frozenset(frame.ancestors)
    further_out = [page for page in pages if page.frame_depth < frame.frame_depth]
    if UNKNOWN_ORIGIN in around:
        return further_out
    return [page for page in further_out if origin_of(page.url) in around]
