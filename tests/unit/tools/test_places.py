"""
Answers name the places that people wrote, by whatever the page's source maps say.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from reticle.model.codes import EventType
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Window
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools import assertion, console, network, observe, wait_for
from reticle.tools.spec import Tool

BUILT, WRITTEN = "/app.js:1:400", "src/till.ts:7:9"


def through_maps(scene: Scene) -> list[float]:
    """
    Let the page's maps be there; gives how long each answer would have waited for them.
    """
    waits: list[float] = []

    def written(window: Window, wait_seconds: float) -> Window:
        waits.append(wait_seconds)
        return attrs.evolve(
            window,
            events=[attrs.evolve(event, data=_written(event.data)) for event in window.events],
        )

    scene.page.written = written
    return waits


def _written(data: Mapping[str, object]) -> Mapping[str, object]:
    return {**data, "source": WRITTEN} if "source" in data else data


@pytest.mark.parametrize("tool", [console.TOOLS[0], network.TOOLS[0], observe.TOOLS[0]])
def test_lists_tell_places_that_people_wrote(scene: Scene, tool: Tool) -> None:
    """
    And wait a moment for the maps.
    """
    waits = through_maps(scene)
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "bad luck", "source": BUILT})
    request = {"id": "n1", "method": "GET", "url": "/api", "status": 200, "ok": True, "source": BUILT}
    scene.page.record(EventType.NET_REQUEST, request)
    told = str(answer_of(tool, scene.context, {}).fields)
    assert WRITTEN in told
    assert BUILT not in told
    assert waits == [SOURCE_WAIT_SECONDS]


def test_a_verdict_of_no_names_the_place_that_a_person_wrote(scene: Scene) -> None:
    """
    That of the error that decided it; what is stored of it says the same.
    """
    waits = through_maps(scene)
    scene.page.record(EventType.ERROR_UNCAUGHT, {"message": "no card", "kind": "error", "source": BUILT})
    claim = {"predicate": {"kind": "signal", "name": "paid"}, "timeout_ms": 0}
    fields = answer_of(assertion.TOOLS[0], scene.context, claim).fields
    (kept,) = scene.context.verdicts.kept.values()
    assert [fields["verified"], fields["source"], kept.decision.source] == ["no", WRITTEN, WRITTEN]
    assert BUILT not in str(fields)
    assert waits == [SOURCE_WAIT_SECONDS]


def test_a_claim_that_held_waits_for_no_map(scene: Scene) -> None:
    """
    There is nothing to mend; its evidence is told by the maps that are there.
    """
    waits = through_maps(scene)
    scene.page.record(EventType.CONSOLE_LOG, {"message": "paid", "source": BUILT})
    claim = {"predicate": {"kind": "console", "textContains": "paid"}, "since": 0}
    told = answer_of(wait_for.TOOLS[0], scene.context, claim)
    assert told.fields["pass"] is True
    assert BUILT not in str(told.fields)
    assert waits == [0.0]
