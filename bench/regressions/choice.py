"""
Which builds a run judges: everything, what was named, or a tenth that has something of each category.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bench.regressions.entries import CATEGORIES, Entries, Journey, Variant


class Planned(NamedTuple):
    """
    One build to be judged.
    """

    journey: Journey
    variant: Variant | None = None
    flipped: bool = False

    @property
    def name(self) -> str:
        """What it is called in messages."""
        if self.variant is not None:
            return self.variant.id
        return f"{self.journey.id}.{'flipped' if self.flipped else 'clean'}"


def everything(entries: Entries) -> list[Planned]:
    """
    Every clean build, fault, trap and flipped claim, the clean builds first.
    """
    return _planned(list(entries.journeys.values()), [*entries.faults, *entries.traps], flip=True)


def named(entries: Entries, ids: Collection[str], category: str | None, only: str | None) -> list[Planned]:
    """
    Faults and traps by id or category, with the clean builds that they need, and journeys by id.

    Args:
        entries: What there is.
        ids: Of faults, traps and journeys; empty for all.
        category: Of faults; None for all.
        only: ``faults``, ``traps`` or ``mutants`` (flipped claims); None for all three.
    """
    faults = [
        one for one in entries.faults if category in {None, one.category} and (not ids or one.id in ids)
    ]
    traps = [one for one in entries.traps if not ids or one.id in ids]
    variants = [*(faults if only in {None, "faults"} else ()), *(traps if only in {None, "traps"} else ())]
    needed = {one.journey for one in variants} | set(ids)
    if not ids and category is None:
        needed |= set(entries.journeys)
    journeys = [one for one in entries.journeys.values() if one.id in needed]
    return _planned(journeys, variants, flip=only in {None, "mutants"})


def tenth(entries: Entries) -> list[Planned]:
    """
    Always the same: a fault of each category, every tenth trap, and each third of their journeys flipped.

    Faults that share a journey share its clean build, so they are preferred; then those of the app that has
    fewest so far.
    """
    chosen: list[Variant] = []
    for category in CATEGORIES:
        journeys = {one.journey for one in chosen}
        apps = [one.app for one in chosen]
        of = [one for one in entries.faults if one.category == category]
        if of:
            chosen.append(min(of, key=lambda one: (one.journey not in journeys, apps.count(one.app))))
    variants = [*chosen, *entries.traps[::10]]
    names = {one.journey for one in variants}
    journeys = [one for one in entries.journeys.values() if one.id in names]
    planned = _planned(journeys, variants, flip=False)
    return [*planned, *(Planned(one, flipped=True) for one in journeys[::3])]


def _planned(journeys: Sequence[Journey], variants: Sequence[Variant], *, flip: bool) -> list[Planned]:
    of = {one.id: one for one in journeys}
    planned = [Planned(one) for one in journeys]
    planned += [Planned(of[one.journey], one) for one in variants]
    return planned + ([Planned(one, flipped=True) for one in journeys] if flip else [])
