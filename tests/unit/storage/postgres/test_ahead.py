"""
What is asked ahead for pieces of work that share a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from reticle.storage.place import AsksAhead, Step
from reticle.storage.postgres.ahead import Ahead


class Asking:
    """
    Provides ``place.AsksAhead``.
    """

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def gather(self, driver: object, questions: Sequence[Any], /) -> None:
        """
        Note them.
        """
        del driver
        self.asked.append(list(questions))

    def forget(self) -> None:
        """
        Note it.
        """
        self.asked.append(None)


class Swift:
    """
    A connection of which nothing else is wanted.
    """

    swift = True
    may_wait = True


def a_step(asking: AsksAhead | None, question: str = "") -> Step:
    """
    A piece of work that begins so.
    """
    return Step(needs_core=False, work=lambda _: None, ahead=None if asking is None else (asking, question))


@pytest.mark.parametrize(
    ("swift", "asked"),
    [(True, [["a", "b"], None, ["d", "e", "f"]]), (False, [None])],
    ids=["at first", "when each answers for itself"],
)
def test_a_row_of_like_ones_is_asked_at_once(*, swift: bool, asked: list[Any]) -> None:
    """
    What another kind of work comes between is asked anew behind it, and a lone one asks for itself.
    """
    it, other = Asking(), Asking()
    kinds = [(it, "a"), (it, "b"), (None, ""), (other, "c"), (it, "d"), (it, "e"), (it, "f")]
    steps = [a_step(*kind) for kind in kinds]
    driver: Any = Swift()
    driver.swift = swift
    ahead = Ahead(driver, steps)
    for at in range(len(steps)):
        ahead.before(at)
    assert (it.asked, other.asked) == (asked, [None])


@pytest.mark.parametrize(("count", "may_wait"), [(1, True), (2, False)], ids=["one", "two"])
def test_who_has_what_several_begin_with_waits_for_nobody(*, count: int, may_wait: bool) -> None:
    """
    Two daemons that each read claims of several runs at once never wait for one another's.
    """
    it = Asking()
    driver: Any = Swift()
    Ahead(driver, [a_step(it, str(each)) for each in range(count)]).before(0)
    assert driver.may_wait is may_wait
