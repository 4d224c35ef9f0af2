"""
What the bench is known to miss: ``cases/known.toml`` names each entry with the reason; nothing else may.

An entry that is judged rightly now has to be taken out, so that it cannot be missed again unnoticed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from bench.regressions.choice import Planned
from bench.regressions.entries import EntryError
from bench.regressions.report import Case, Results

_FILE: Final = Path(__file__).parent / "cases/known.toml"


def known_misses(names: Collection[str]) -> Mapping[str, str]:
    """
    The reason of each miss by the name of its build.

    Raises ``EntryError`` for one that names no build.
    """
    with _FILE.open("rb") as file:
        listed = {one["id"]: str(one["why"]) for one in tomllib.load(file).get("miss", ())}
    for name in listed:
        if name not in names:
            raise EntryError(f"{_FILE.name}: there is no build {name!r}")
    return listed


def name_of(case: Case) -> str:
    """
    As ``Planned.name``.
    """
    return Planned(case.journey, case.variant, case.flipped).name


def is_wrong(case: Case, results: Results) -> bool:
    """
    Whether a build was judged wrongly: a false green, a false alarm, or a fault that was not caught.
    """
    if case.flipped:
        return case.graded.verified == "yes"
    if case.variant is None or case.variant.is_trap:
        return case.graded.verified != "yes"
    return not results.is_caught(case)


def surprises(results: Results, known: Mapping[str, str]) -> list[str]:
    """
    A sentence for each build that was judged wrongly and is not listed, or is listed and judged rightly.
    """
    told = []
    for case in results.cases:
        name, wrong = name_of(case), is_wrong(case, results)
        if wrong and name not in known:
            said = f"{case.graded.verified} ({case.graded.reason}) {case.graded.because[:200]}"
            told.append(f"{name} is judged wrongly: {said}")
        elif name in known and not wrong:
            told.append(f"{name} is judged rightly now: take it out of {_FILE.name}")
    return told
