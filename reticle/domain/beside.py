"""
What came beside what was counted: other requests of the same address, other writes of the same key.

"One GET to …?q=lamp" also holds where others of that address came. The count is right as it was claimed, so
the verdict stays; whoever reads it is told what else there was. Where the others were made with beginnings of
what was typed, ``findings.every_keystroke`` doubts it.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.channels import of_types
from reticle.domain.facts import text_of, url_parts
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate.kinds import Net, Predicate, Storage, leaves
from reticle.domain.predicate.network import fits_request
from reticle.model.codes import EventType
from reticle.model.window import Window

_NAMED = 3
"""So many addresses and keys are named."""


def beside(predicate: Predicate, window: Window) -> tuple[str, ...]:
    """
    A sentence for each address or key of which something was counted and something else came too.
    """
    counted = [leaf for leaf in leaves(predicate) if isinstance(leaf, Net | Storage) and leaf.count]
    told = [*_requests(counted, window), *_writes(counted, window)]
    return tuple(told[:_NAMED])


def _requests(counted: list[Net | Storage], window: Window) -> Iterator[str]:
    claims = [leaf for leaf in counted if isinstance(leaf, Net)]
    if not claims:
        return
    places: set[tuple[str, str]] = set()
    others: dict[tuple[str, str], list[str]] = {}
    for one in own_requests(window):
        if one.before:
            continue
        place = one.method, url_parts(one.url).path
        if any(fits_request(claim, one) for claim in claims):
            places.add(place)
        else:
            others.setdefault(place, []).append(str(one))
    for (method, path), told in others.items():
        if (method, path) in places:
            # with the answer, which is then told nowhere else, where all had the same
            asked = told[0] if len(set(told)) == 1 and "?" not in told[0] else f"{method} {path}"
            yield f"not counted: {len(told)} more {asked}"


def _writes(counted: list[Net | Storage], window: Window) -> Iterator[str]:
    claims = {(leaf.area, leaf.key, leaf.store): leaf for leaf in counted if isinstance(leaf, Storage)}
    for (area, key, store), claim in claims.items():
        if key is None or claim.count is None:
            continue
        writes = [
            event
            for event in of_types(window, EventType.STORAGE_CHANGE)
            if text_of(event.data, "key") == key
            and (area is None or event.data.get("area") == area)
            and (store is None or event.data.get("store") == store)
        ]
        if len(writes) > claim.count:
            more = len(writes) - claim.count
            yield f"not counted: {more} more of the {area or 'storage'} key {key}"
