"""
Where the places of a page's events and answers come from, and when they are waited for.
"""

from __future__ import annotations

from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.bridge.sources.page_places import PagePlaces
from reticle.model.ids import ActionId, DocumentId, PageId
from reticle.model.page import PageIdentity
from reticle.model.runs import Position
from reticle.model.window import ActionRecord, Effect, Question, Reading, Window
from reticle.testing.windows import WindowBuilder
from tests.unit.bridge.sources.served import ORIGIN, Served, atlas_of
from tests.unit.bridge.sources.written_maps import inline, written_map

AT: dict[str, Any] = {"source": "/app.js:1:1", "frames": [[f"{ORIGIN}/app.js", 1, 1]]}
PLACE = "src/cart.ts:10:5"
IDENTITY = PageIdentity(PageId("p1"), f"{ORIGIN}/", "Shop", own_script=True, document_id=DocumentId("d1"))


class Scene:
    """
    A page whose app's script has a map.
    """

    def __init__(self, *, waits: bool = False) -> None:
        self.clock, self.served = Clock(), Served()
        self.served.waits = waits
        self.served.put("/app.js", f"f()\n{inline(written_map([[(0, (0, 9, 4))]], ['src/cart.ts']))}")
        self.places = PagePlaces(atlas_of(self.served, self.clock), lambda: IDENTITY)

    def answer(self, told: object, wait_seconds: float = 0.25) -> Deferred[Any]:
        """
        An answer on its way.
        """
        return Deferred.fromCoroutine(self.places.answer(told, wait_seconds))

    def window(self, window: Window, wait_seconds: float = 0.25) -> Deferred[Window]:
        """
        A window on its way.
        """
        return Deferred.fromCoroutine(self.places.window(window, wait_seconds))


def test_an_answer_without_such_places_costs_nothing() -> None:
    """
    It is the same object, and nothing is asked.
    """
    scene = Scene()
    told = {"elements": [{"ref": "e1", "source": "src/a.ts:1"}]}
    assert scene.answer(told).result is told
    assert scene.served.asked == []


def test_an_answer_waits_a_moment_for_a_map_and_no_longer() -> None:
    """
    What is not there by then is told as it was served.
    """
    scene = Scene(waits=True)
    soon = scene.answer(dict(AT))
    scene.served.open[0].callback(None)
    assert soon.result == {"source": PLACE}
    scene = Scene(waits=True)
    late = scene.answer(dict(AT))
    assert not late.called
    scene.clock.advance(0.25)
    assert late.result == {"source": "/app.js:1:1 (as served)"}
    scene.served.open[0].callback(None)


def test_an_errors_map_is_read_when_it_arrives() -> None:
    """
    Long before anybody asks.
    """
    scene = Scene()
    scene.places.expect({"message": "no"}, DocumentId("d1"))
    assert scene.served.asked == []
    scene.places.expect(AT, DocumentId("d1"))
    assert scene.served.asked == [f"{ORIGIN}/app.js"]
    assert scene.answer(dict(AT), 0).result == {"source": PLACE}


def test_a_windows_events_readings_and_action_get_their_places() -> None:
    """
    So that a verdict, its evidence and what is stored of it name what is to be mended.
    """
    scene = Scene()
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e1"}, Effect({"ok": True, **AT}), AT["source"])

    reading = Reading(Question("match"), WindowBuilder().build().until, 0, {"elements": [dict(AT)]})
    failed = Reading(Question("match"), WindowBuilder().build().until, 0, error="gone")
    window = attrs.evolve(
        WindowBuilder()
        .event("error.uncaught", {"message": "no", **AT})
        .event("signal", {"name": "x"})
        .build(),
        action=record,
        after=[reading, failed],
    )
    told: Any = scene.window(window).result
    assert [event.data.get("source") for event in told.events] == [PLACE, None]
    assert told.action is not None
    assert told.action.source == PLACE
    assert told.after[0].answer == {"elements": [{"source": PLACE}]}
    assert told.after[1] is failed


def test_a_window_that_waits_for_nothing_asks_for_nothing() -> None:
    """
    As that of a claim that held: places that are known are told, others as they were served.
    """
    scene = Scene()
    window = WindowBuilder().event("net.request", AT).build()
    told: Any = scene.window(window, 0).result
    assert [event.data["source"] for event in told.events] == ["/app.js:1:1 (as served)"]
    assert scene.served.asked == []


def test_a_window_without_such_places_is_itself() -> None:
    """
    And costs nothing.
    """
    scene = Scene()
    window = WindowBuilder().event("signal", {"name": "x"}).build()
    assert scene.window(window).result is window


def test_positions_are_told_as_people_wrote_them() -> None:
    """
    A library's are none; what stands in the document is where it was written.
    """
    scene = Scene()
    scene.served.put("/plain.js", "f()\n")
    scene.served.put("/node_modules/lib/index.js", "f()\n")
    asked = [
        Position(f"{ORIGIN}/app.js", 1, 1),
        Position(f"{ORIGIN}/plain.js", 7, 2),
        Position(f"{ORIGIN}/node_modules/lib/index.js", 1, 1),
        Position(f"{ORIGIN}/cart", 12, 4, is_inline=True),
        Position(f"{ORIGIN}/gone.js", 3, 1),
    ]
    told = Deferred.fromCoroutine(scene.places.located(asked, 0.25)).result
    assert told == [PLACE, "/plain.js:7:2", None, "/cart:12:4", "/gone.js:3:1 (as served)"]
    assert f"{ORIGIN}/cart" not in scene.served.asked
