"""
Every known pitfall of the insertion is tested with every carrier, or it is said why it means nothing there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.unit.probe.pitfalls import CARRIERS, PITFALLS, Meaningless, Place, Shared
from tests.unit.probe.test_corpus import CASES

TESTS = Path(__file__).resolve().parents[1]
PITFALLS_KNOWN = 26


def places() -> Iterator[tuple[str, str, Place]]:
    """
    Each pitfall with each carrier and each of their tests.
    """
    for pitfall, carriers in PITFALLS.items():
        for carrier, found in carriers.items():
            for place in found:
                yield pitfall, carrier, place


def named(place: Place) -> str:
    """
    The test of an entry.
    """
    if isinstance(place, Shared):
        return place.test
    return place.instead if isinstance(place, Meaningless) else place


@cache
def functions(file: str) -> dict[str, ast.FunctionDef]:
    """
    The tests of a file.
    """
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def carriers_of(file: str, name: str) -> set[str]:
    """
    The carriers that a test drives: those that it is parametrised with, else those that it or its file is
    named after. ``SERVERS`` and the browser's ``site`` are all of them.
    """
    node = functions(file)[name]
    found: set[str] = set()
    for decorator in node.decorator_list:
        words = ast.unparse(decorator)
        if "parametrize('server'" in words:
            found |= set(CARRIERS) if "SERVERS" in words else {one for one in CARRIERS if one in words}
    if found:
        return found
    if "pitfalls_in_a_browser" in file and "tab" in {argument.arg for argument in node.args.args}:
        return set(CARRIERS)
    return {carrier for carrier in CARRIERS if carrier in f"{Path(file).stem} {name}"}


def test_every_pitfall_has_every_carrier() -> None:
    """
    Who adds a pitfall, or a carrier, writes down how it is tested.
    """
    assert len(PITFALLS) == PITFALLS_KNOWN
    lacking = [
        (pitfall, carrier)
        for pitfall, carriers in PITFALLS.items()
        for carrier in CARRIERS
        if not carriers.get(carrier)
    ]
    assert lacking == []


@pytest.mark.parametrize(("pitfall", "carrier", "place"), list(places()))
def test_a_pitfalls_test_is_there_and_drives_the_carrier(pitfall: str, carrier: str, place: Place) -> None:
    """
    A table that names what is gone, or what tests something else, is worse than none.
    """
    test, _, case = named(place).partition("[")
    file, _, name = test.partition("::")
    assert name in functions(file), f"{pitfall}: {test} is gone"
    if case:
        assert case.removesuffix("]") in CASES, f"{pitfall}: {case} is no case any more"
    if isinstance(place, Shared):
        assert place.why
    else:
        assert carrier in carriers_of(file, name), f"{pitfall}: {test} does not drive {carrier}"


def test_a_test_that_drives_no_carrier_is_noticed() -> None:
    """
    The check can fail: a test of WSGI's stands for no other carrier.
    """
    assert carriers_of("unit/probe/test_wsgi.py", "test_a_client_that_leaves_is_told") == {"wsgi"}
    assert carriers_of("unit/probe/test_corpus.py", "test_a_hundred_megabytes_are_not_kept") == {
        "wsgi",
        "asgi",
    }
    assert carriers_of("unit/probe/test_corpus.py", "test_head_says_what_get_would") == set(CARRIERS)
    assert carriers_of("unit/probe/test_context.py", "test_a_thread_of_the_app_is_ambient") == set()
