"""
How a page learns the places that elements are asked for by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.bridge.sources.page_places import PagePlaces
from reticle.bridge.sources.place_queries import asks_for_place, teach_places
from reticle.bridge.wire import CommandResult
from reticle.model.ids import CommandId, DocumentId, PageId
from reticle.model.page import PageIdentity
from reticle.model.source_limits import PLACE_ROUNDS
from tests.unit.bridge.sources.served import ORIGIN, Served, atlas_of
from tests.unit.bridge.sources.written_maps import inline, written_map

IDENTITY = PageIdentity(PageId("p1"), f"{ORIGIN}/", "Shop", own_script=True, document_id=DocumentId("d1"))
PLACE = {"file": "src/cart.ts", "line": 10}


def unknown(key: str, path: str) -> dict[str, object]:
    """
    A place that the page does not know, as it tells it.
    """
    return {"key": key, "source": f"{path}:1:1", "frames": [[ORIGIN + path, 1, 1]]}


def taught(*answers: object, ok: bool = True) -> list[Mapping[str, Any]]:
    """
    What a page is told that answers so, one after the other, then that it knows all.
    """
    served = Served()
    served.put("/app.js", f"f()\n{inline(written_map([[(0, (0, 9, 4))]], ['src/cart.ts']))}")
    places = PagePlaces(atlas_of(served, Clock()), lambda: IDENTITY)
    left, sent = list(answers), []

    async def send(name: str, args: Mapping[str, object], *, acts: bool = False) -> CommandResult:
        assert (name, acts) == ("places", False)
        sent.append(args)
        result = left.pop(0) if left else {"unknown": []}
        return CommandResult(CommandId("c1"), ok, result)

    done = Deferred.fromCoroutine(teach_places(send, places))
    assert done.called
    return sent


@pytest.mark.parametrize(
    "args",
    [
        {"source": PLACE}, {"target": {"source": PLACE, "role": "button"}}, {"query": {"source": PLACE}},
        {"target": {"role": "row"}, "args": {"target": {"source": PLACE}}},
    ],
)  # fmt: skip
def test_a_query_by_place_is_seen_wherever_it_stands(args: dict[str, object]) -> None:
    """
    In a query, a target, a question, the target of a drag.
    """
    assert asks_for_place(args)


@pytest.mark.parametrize(
    "args", [{}, {"source": "/app.js:1"}, {"args": {"source": {}}}, {"text": "source"}, None]
)
def test_other_commands_cost_nothing(args: object) -> None:
    """
    Nor does what only looks like it.
    """
    assert not asks_for_place(args)


def test_the_page_learns_what_its_places_were_built_from() -> None:
    """
    And of which nobody can tell, so that it does not ask again meanwhile.
    """
    told = taught({"unknown": [unknown("a", "/app.js"), unknown("b", "/gone.js")]})
    assert told == [{}, {"known": [("a", "src/cart.ts:10:5"), ("b", None)]}]


@pytest.mark.parametrize("answer", [{}, None, {"unknown": 5}, {"unknown": []}])
def test_a_page_that_knows_all_is_asked_once(answer: object) -> None:
    """
    As is one that says something else.
    """
    assert taught(answer) == [{}]


def test_a_script_without_the_command_is_left_alone() -> None:
    """
    An older one refuses it.
    """
    assert taught({"unknown": [unknown("a", "/app.js")]}, ok=False) == [{}]


def test_a_page_that_never_ends_is_given_up() -> None:
    """
    After as many rounds as the largest page needs.
    """
    endless = [{"unknown": [unknown("a", "/app.js"), "strange"]}] * (PLACE_ROUNDS * 2)
    assert len(taught(*endless)) == PLACE_ROUNDS
