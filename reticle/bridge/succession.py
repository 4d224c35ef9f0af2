"""
Where an agent's own act led a page of the published packages, which name each document anew.

A link or a form that an agent uses brings a document that dials in under another name (page-wire §4). It
continues the page that is just leaving, so that the consequence of an act is seen on the page where it was
done: the same site by the browser's own word (the Origin of both sockets), the same project, and no other
page that it could be.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.bridge.wire import Hello
from reticle.model.ids import PageId


@attrs.frozen
class Leaving:
    """
    A page whose document is going away while an agent acts on it. ``origin`` is that of its socket's upgrade.
    """

    page_id: PageId
    project_id: str | None
    origin: str


def led_to(leaving: Sequence[Leaving], hello: Hello, origin: str) -> PageId | None:
    """
    The page that this newcomer continues, or None where it is a page of its own or nobody can tell.

    Args:
        leaving: The pages that are going away right now.
        hello: How the newcomer introduced itself.
        origin: The Origin of its upgrade; an opaque one proves nothing.
    """
    if hello.own_script or origin in {"", "null"}:
        return None
    found = [page for page in leaving if page.origin == origin and page.project_id == hello.project_id]
    return found[0].page_id if len(found) == 1 else None
