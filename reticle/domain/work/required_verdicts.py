"""
What a plan may ask for: claims that something can show, of pages that can be opened.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.predicate import declared, leaves, parse
from reticle.domain.work.addresses import is_address
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work_plan import RequiredVerdict


def check_required(required: Sequence[RequiredVerdict], where: str) -> None:
    """
    Refuse a plan whose gate could never open.

    Raises:
        Refusal: ``bad_predicate`` for a claim that the grammar does not take, ``bad_arguments`` for one that
            claims nothing or an address that is none; nothing was prepared.
    """
    for number, one in enumerate(required):
        place = f"{where}[{number}]"
        claim = parse(one.claim)
        if not declared(claim):
            raise _bad(
                f"{place}.claim", "names no consequence: that a page is settled shows nothing of the work"
            )
        if any(getattr(leaf, "since", None) is not None for leaf in leaves(claim)):
            raise _bad(f"{place}.claim", "has since, a cursor of one page; leave it out")
        if not is_address(one.url):
            raise _bad(f"{place}.url", "is no address of a page, such as http://localhost:3000/cart")


def _bad(where: str, wrong: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{where} {wrong}. Nothing was prepared.",
        'For example {"claim": {"kind": "text", "contains": "Order placed"}, "url": "http://localhost:3000/"}.',
    )
