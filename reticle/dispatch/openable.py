"""
Which addresses a principal may have opened: whoever drives for some repositories only, theirs (DESIGN §5).
"""

from __future__ import annotations

from reticle.dispatch.admission import refusal_of
from reticle.dispatch.grants import Rights
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId
from reticle.model.origins import origin_of
from reticle.ports import Pages, RepositoryStore


def place_to_open(
    url: str, rights: Rights, repositories: RepositoryStore, pages: Pages
) -> RepositoryId | None:
    """
    The repository whose app is at an address, for a principal that needs one; None for one that may open
    anything.

    An address belongs to a repository by its origin; else by the project id that a page says which is
    connected from there and dialled in itself. What an agent says of an address counts for nothing.

    Raises:
        Refusal: ``capability_scope_mismatch``; a retry makes sense once the operator has registered the
            origin.
    """
    if Capability.DRIVE in rights.everywhere:
        return None
    origin = origin_of(url)
    known = repositories.by_origin(origin)
    place = _said_there(origin, repositories, pages) if known is None else known.repository_id
    if place is not None and rights.denial(Capability.DRIVE, place) is None:
        return place
    refusal = refusal_of(RefusalCode.CAPABILITY_SCOPE_MISMATCH, origin, Capability.DRIVE, place)
    refusal.message = f"{origin[:200]} is of no repository that this token may drive for; nothing was opened"
    refusal.recovery = (
        "The operator says whose app is there: reticle repo add PATH --origin URL. "
        "A token for all repositories may open any address."
    )
    raise refusal


def _said_there(origin: str, repositories: RepositoryStore, pages: Pages) -> RepositoryId | None:
    said = {
        page.identity.project_id
        for page in pages.all()
        if page.identity.attested is None and origin_of(page.identity.url) == origin
    }
    places = [RepositoryId(project) for project in said if project is not None]
    known = [place for place in places if repositories.find(place) is not None]
    return known[0] if len(known) == 1 else None
