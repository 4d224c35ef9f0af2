"""
Planted faults, traps and flipped claims (``bench/regressions``): a tenth at every commit, all in `make full`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.regressions.choice import everything, tenth
from bench.regressions.entries import Entries, load
from bench.regressions.known import known_misses, surprises
from bench.regressions.report import Results, lines
from bench.regressions.run import run

AT_A_TIME = 4


@pytest.fixture(scope="module")
def entries() -> Entries:
    """
    Every journey, fault and trap.
    """
    return load()


@pytest.mark.usefixtures("drives")
@pytest.mark.parametrize("share", ["tenth", pytest.param("all", marks=pytest.mark.full)])
def test_each_build_is_judged_as_it_is(
    share: str,
    entries: Entries,
    tool: Callable[[str], str],
    record_property: Callable[[str, object], None],
) -> None:
    """
    No broken build is said to work and no sound one is accused, but for the known ones.
    """
    tool("node")
    known = known_misses([one.name for one in everything(entries)])
    planned = tenth(entries) if share == "tenth" else everything(entries)
    results = Results(run(planned, jobs=AT_A_TIME))
    record_property(f"table: planted faults and traps ({share})", "\n".join(lines(results)))
    told = surprises(results, known)
    assert not told, "\n".join(told)


def test_the_tenth_has_something_of_each_kind(entries: Entries) -> None:
    """
    Every category of faults that there is, all three apps and some traps are in what each commit runs.
    """
    planned = tenth(entries)
    variants = [one.variant for one in planned if one.variant is not None]
    faults = [one for one in variants if not one.is_trap]
    assert {one.category for one in faults} == {one.category for one in entries.faults}
    assert {one.app for one in faults} == {one.app for one in entries.faults}
    assert len(variants) - len(faults) >= len(entries.traps) // 10
    assert planned == tenth(load())
