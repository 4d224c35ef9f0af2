"""
What the arguments of prompts and resource addresses may be, for a client that completes them.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.model.completes import Completes
from reticle.model.limits import COMPLETIONS
from reticle.ports import Pages, VerdictStore


async def values_of(completes: Completes | None, pages: Pages, verdicts: VerdictStore) -> Sequence[str]:
    """
    Everything that an argument may name now, the likeliest first; nothing for a free text.

    Raises:
        Refusal: ``storage_failed``.
    """
    match completes:
        case Completes.PAGE:
            return [page.identity.page_id for page in pages.all()]
        case Completes.URL:
            return list(dict.fromkeys(page.identity.url for page in pages.all()))
        case Completes.VERDICT:
            return await verdicts.newest(COMPLETIONS)
        case None:
            return []


def completion(values: Sequence[str], given: str) -> dict[str, object]:
    """
    The result of ``completion/complete``: what begins as given, then what only holds it, without regard to
    case.
    """
    wanted = given.casefold()
    first = [value for value in values if value.casefold().startswith(wanted)]
    later = [value for value in values if wanted in value.casefold() and value not in first]
    found = [*first, *later]
    return {
        "completion": {
            "values": found[:COMPLETIONS],
            "total": len(found),
            "hasMore": len(found) > COMPLETIONS,
        }
    }
