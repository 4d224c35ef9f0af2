"""
Which page a call means.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.bridge.targeting import Candidate, choose, unknown
from reticle.errors import Refusal
from reticle.model.ids import PageId
from reticle.model.page import PageHealth, PageIdentity


def candidate(
    name: str, active_at: float, *, project: str | None = None, hidden: bool = False, silent: float = 0.0
) -> Candidate:
    """
    A connected page.
    """
    identity = PageIdentity(
        PageId(name), f"http://localhost/{name}", name, own_script=True, project_id=project
    )
    health = PageHealth(silent, hidden=hidden, focused=not hidden, connected=True)
    return Candidate(identity, health, active_at)


@pytest.mark.parametrize(
    ("candidates", "project", "chosen"),
    [
        ([candidate("a", 0)], None, "a"),
        ([candidate("a", 10), candidate("b", 9)], None, "a"),
        ([candidate("a", 10, hidden=True), candidate("b", 1)], None, "b"),
        ([candidate("a", 10, silent=13), candidate("b", 1)], None, "b"),
        ([candidate("a", 10, hidden=True), candidate("b", 9.9, hidden=True)], None, "a"),
        ([candidate("a", 10, project="x"), candidate("b", 1, project="y")], "y", "b"),
    ],
)
def test_the_sensible_page_is_chosen(candidates: list[Candidate], project: str | None, chosen: str) -> None:
    """
    Scope first, then what is awake, then a clear lead; among sleeping ones the freshest.
    """
    assert choose(candidates, project) == chosen


@pytest.mark.parametrize(
    ("candidates", "project", "code"),
    [
        ([candidate("a", 10), candidate("b", 9.1)], None, "multiple_sessions"),
        ([candidate("a", 10, project="x"), candidate("b", 1)], None, "multiple_sessions"),
        ([candidate("a", 10, project="x")], "y", "scope_mismatch"),
    ],
)
def test_a_guess_is_refused(candidates: list[Candidate], project: str | None, code: str) -> None:
    """
    Without a clear lead, over several projects, or outside the scope the agent must say which.
    """
    with pytest.raises(Refusal) as refused:
        choose(candidates, project)
    assert refused.value.code == code
    assert len(refused.value.details["candidates"]) == len(candidates)  # type: ignore[arg-type]  # a list


def framed(name: str, active_at: float, ancestors: tuple[str, ...], project: str | None = None) -> Candidate:
    """
    A connected page in a frame.
    """
    inner = candidate(name, active_at, project=project)
    return attrs.evolve(inner, identity=attrs.evolve(inner.identity, frame_depth=1, ancestors=ancestors))


@pytest.mark.parametrize(
    ("candidates", "project", "chosen"),
    [
        ([framed("ad", 10, ("http://localhost",)), candidate("a", 10)], None, "a"),
        (
            [framed("ad", 99, ("http://localhost",), project="ads"), candidate("a", 1, project="shop")],
            None,
            "a",
        ),
        ([framed("ad", 10, ("http://localhost",), project="ads"), candidate("a", 10)], "ads", "ad"),
        ([framed("ad", 10, ("http://localhost:9",)), candidate("a", 1)], None, "ad"),
        ([framed("ad", 10, ("http://localhost",))], None, "ad"),
    ],
)
def test_a_frame_is_not_taken_for_the_page_around_it(
    candidates: list[Candidate], project: str | None, chosen: str
) -> None:
    """
    An embedded frame neither is acted on in place of its page nor makes the agent say which tab it means.
    """
    assert choose(candidates, project) == chosen


def test_many_candidates_are_cut() -> None:
    """
    A hundred tabs do not make an endless answer.
    """
    refusal = unknown(PageId("zz"), [candidate(f"p{number}", 0) for number in range(100)])
    assert len(refusal.details["candidates"]) == 10  # type: ignore[arg-type]  # a list
    assert refusal.message.endswith("and 90 more.")


def test_an_unknown_name_with_nobody_there_says_so() -> None:
    """
    There is nothing to choose from, so the next step is to open the app.
    """
    assert unknown(PageId("zz"), []).message == "No page is called 'zz', and no page is connected."
