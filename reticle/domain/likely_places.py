"""
The order in which likely places are named: those of the side first that the claim speaks against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from reticle.domain.whose_fault import Lean
from reticle.model.runs import Place, Why


@attrs.frozen
class FoundPlaces:
    """
    What was found: functions of the ``page`` (with rules of style sheets) and of the ``server``, each the
    likeliest first; where elements are ``written`` that failed parts are about, the ``control`` that was
    used, the templates that were ``rendered``.
    """

    page: Sequence[Place] = ()
    written: Sequence[Place] = ()
    control: Sequence[Place] = ()
    server: Sequence[Place] = ()
    rendered: Sequence[Place] = ()


def likely_places(
    lean: Lean, found: FoundPlaces, *, too_often: bool, by_attribute: bool = False
) -> Sequence[Place]:
    """
    All of them, each once.

    Args:
        lean: Against whom the claim speaks.
        found: The places.
        too_often: More was sent than was claimed, so who sent it comes first, then what was used.
        by_attribute: All that fails is what an element's own attributes say; of a page that the server made,
            where it is written comes first.
    """
    named: dict[str, Place] = {}
    for place in _ordered(lean, found, too_often=too_often, by_attribute=by_attribute):
        named.setdefault(place.where, place)
    return tuple(named.values())


def _ordered(lean: Lean, found: FoundPlaces, *, too_often: bool, by_attribute: bool) -> Iterator[Place]:
    page, server = found.page, found.server
    views = [one for one in server if one.why is Why.HANDLED]
    others = [one for one in server if one.why is not Why.HANDLED]
    shown = (*found.written[:1], *found.control)
    yield from (one for one in page if one.why is Why.HIDES)
    if too_often:
        yield from [one for one in page if one.why is Why.SENT][:1]
        yield from (*found.control, *page, *server)
    elif lean is Lean.MADE:
        yield from found.written[:1] if by_attribute else ()
        # the view of a redirect is followed by that of the page which was shown, and the control was left
        yield from (*views[:2], *others[:1])
        yield from (*found.control, *found.written[:1], *found.rendered[:1], *others[1:], *page)
    elif lean is Lean.SERVER:
        yield from (*views[:2], *others[:2], *page[:1], *shown, *others[2:], *page[1:])
    elif lean is Lean.PAGE:
        before = 1 if by_attribute else 3
        yield from (*page[:before], *shown, *page[before:], *server)
    else:
        yield from (*page[:1], *server[:1], *page[1:2], *shown, *server[1:], *page[2:])
