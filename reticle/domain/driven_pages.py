"""
Which pages a call means because of browser leases: those that an agent drives are its own, and those of
another agent are never mistaken for them. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import attrs

from reticle.domain.browser_lease import Asker, keeps_away
from reticle.errors import Refusal
from reticle.model.browser import BrowserLease
from reticle.model.codes import RefusalCode
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.page import PageIdentity

SHOWN_CANDIDATES: Final = 10
SHOWN_URL_CHARS: Final = 80
"""How many pages a refusal names, and how much of their addresses."""

_HOW_TO_GET_ONE: Final = (
    'Open one of your own with reticle_lease {"action": "acquire", "url": "..."}, '
    "or pass the sessionId of one of these to look at it."
)


@attrs.frozen
class Reach:
    """
    The pages under browser leases from where one agent stands: its own, each with its lease, and those that
    another one has to itself. A page in neither is for everybody, as one that dialled in.
    """

    own: Mapping[PageId, BrowserLeaseId] = attrs.field(factory=dict)
    others: AbstractSet[PageId] = frozenset()


@attrs.frozen
class Meant:
    """
    What a call without a page means: ``page_id``, or where that is None whichever of ``among`` the directory
    chooses. ``own`` says that these are the agent's own driven pages.
    """

    page_id: PageId | None
    among: AbstractSet[PageId]
    own: bool = False


def reach(leases: Iterable[BrowserLease], asker: Asker) -> Reach:
    """
    Sort the pages of all leases.
    """
    own: dict[PageId, BrowserLeaseId] = {}
    others: set[PageId] = set()
    for each in leases:
        if each.lease.holder == asker.agent:
            own.update((page_id, each.lease_id) for page_id in each.pages)
        elif keeps_away(each, asker) is not None:
            others.update(each.pages)
    return Reach(own, frozenset(others))


def meant(
    connected: Sequence[PageIdentity], last: PageId | None, where: Reach, *, remembers: bool = True
) -> Meant:
    """
    Which of the connected pages a call without a name can mean.

    An agent that drives pages means one of them, the one it used last if that is one. Everybody else goes on
    with the page used last, and else means one that no other agent has to itself.

    Args:
        connected: All that the agent may use.
        last: The page of its last call, if it is known.
        where: Which of them are driven, and for whom.
        remembers: Whether anything is known of its last call. Of an agent of which nothing is, several may
            stand behind one name: which of its pages is meant is then never guessed.

    Raises:
        Refusal: ``multiple_sessions`` when it drives several contexts and used none of them last;
            ``no_session`` when other agents have all pages to themselves. A retry makes sense with a
            ``sessionId``.
    """
    own = [page for page in connected if page.page_id in where.own]
    names = frozenset(page.page_id for page in own)
    if last in names:
        return Meant(last, names, own=True)
    if own:
        leases = {where.own[page_id] for page_id in names}
        if len(leases) > 1 or (len(own) > 1 and not remembers):
            raise Refusal(
                RefusalCode.MULTIPLE_SESSIONS,
                f"You drive several pages: {_named(own)}. Nothing was done.",
                "Pass the sessionId of the one you mean.",
                _shown(own),
            )
        return Meant(None, names, own=True)
    if any(page.page_id == last for page in connected):
        return Meant(last, frozenset(page.page_id for page in connected))
    free = frozenset(page.page_id for page in connected if page.page_id not in where.others)
    if connected and not free:
        raise Refusal(
            RefusalCode.NO_SESSION,
            f"No page is connected for you; other agents drive {_named(connected)}. Nothing was done.",
            _HOW_TO_GET_ONE,
            _shown(connected),
        )
    return Meant(None, free)


def _named(pages: Sequence[PageIdentity]) -> str:
    more = len(pages) - SHOWN_CANDIDATES
    names = ", ".join(f"{page.page_id} ({page.url[:SHOWN_URL_CHARS]})" for page in pages[:SHOWN_CANDIDATES])
    return names + (f" and {more} more" if more > 0 else "")


def _shown(pages: Sequence[PageIdentity]) -> dict[str, object]:
    return {
        "candidates": [
            {"sessionId": page.page_id, "url": page.url[:SHOWN_URL_CHARS], "projectId": page.project_id}
            for page in pages[:SHOWN_CANDIDATES]
        ]
    }
