"""
Hints of what is there instead.
"""

from __future__ import annotations

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.testing.toolcalls import Scene, refusal_of
from reticle.tools.act import TOOLS
from reticle.tools.hints import brief_hint

HINT = {
    "route": "/cart",
    "presentRegions": [
        {"role": "main", "childCount": 60, "sample": ["heading[Cart]", "button[Pay]"]},
        *(
            {"role": "region", "name": f"Row {row}", "childCount": 3, "sample": ["x" * 90]}
            for row in range(6)
        ),
    ],
    "presentTestids": [f"row-{row}" for row in range(12)],
    "knownEmptyState": False,
}


def test_a_hint_names_a_few_places_and_counts_the_rest() -> None:
    """
    An agent whose target is not there reads some lines, not the page.
    """
    brief = brief_hint(HINT)
    regions = brief["presentRegions"]
    assert isinstance(regions, list)
    assert regions[0] == "main: heading[Cart], button[Pay]"
    assert regions[1] == f'region "Row 0": {"x" * 64}…(+26 chars)'
    assert (len(regions), regions[-1]) == (5, "3 more")
    assert brief["presentTestids"] == [*(f"row-{row}" for row in range(8)), "4 more"]
    assert (brief["route"], "knownEmptyState" in brief) == ("/cart", False)
    assert brief_hint({"route": "/cart", "knownEmptyState": True}) == {
        "route": "/cart",
        "knownEmptyState": True,
    }
    assert brief_hint("strange") == {}


def test_a_refused_act_carries_the_brief_hint(scene: Scene) -> None:
    """
    A refusal is as short as an answer.
    """

    def refuse(_: object) -> object:
        raise Refusal("no_match", "No element matches the target.", "Take a snapshot.", {"hint": HINT})

    scene.clock.reactor.advance(1)
    scene.page.answer(CommandName.ACT, refuse)
    refusal = refusal_of(TOOLS[0], scene.context, {"action": "click", "target": {"testid": "nope"}})
    assert refusal.details["hint"] == brief_hint(HINT)
