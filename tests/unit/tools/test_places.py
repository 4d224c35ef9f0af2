"""
Answers name the places that people wrote, by whatever the page's source maps say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
import pytest
from twisted.internet.defer import Deferred, succeed

from reticle.model.browser import BrowserWish
from reticle.model.codes import CommandName, EventType
from reticle.model.ids import PageId
from reticle.model.leases import Lease
from reticle.model.runs import Place, Routine, RunScript, Why
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Window
from reticle.testing.bridge import result_of
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools import act_and_wait, assertion, console, network, observe, wait_for
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


CODE = 'function add() {\n  send("/api/cart");\n}\n\nfunction other() {\n  return 1;\n}\n'
CLAIM = {"kind": "net", "method": "POST", "urlContains": "/api/cart", "status": 201}


def test_a_no_on_a_driven_page_names_the_function_that_the_claim_speaks_of() -> None:
    """
    It is the first place, with the reason; what is stored says the same, and so does the verdict judged anew.
    """
    scene = driven_scene()
    routines = [Routine("add", 0, 40, ran=True, before=0), Routine("other", 42, 72, ran=True, before=3)]
    scene.context.browser.scripts = [RunScript("http://127.0.0.1:8000/shop.js", CODE, routines)]
    asked = {"action": "click", "ref": "e4", "until": CLAIM, "timeout_ms": 0}
    fields = answer_of(act_and_wait.TOOLS[0], scene.context, asked).fields
    assert fields["verified"] == "no"
    assert fields["sources"] == [{"at": "/shop.js:1", "why": "ran during the action"}]
    assert fields["source"] == "/shop.js:1"
    (kept,) = scene.context.verdicts.kept.values()
    assert kept.decision.places == (Place("/shop.js:1", Why.RAN),)
    assert scene.context.browser.begun_runs == [scene.page.identity.page_id]


def test_the_code_may_know_an_element_by_another_name() -> None:
    """
    A claim says a test id, the app's code the id of the same element.
    """
    scene = driven_scene()
    code = "function one() {\n  byId('sum').textContent = 1;\n}\nfunction two() {\n  byId('x');\n}\n"
    routines = [Routine("one", 0, 49, ran=True, before=1), Routine("two", 50, 83, ran=True, before=1)]
    scene.context.browser.scripts = [RunScript("http://127.0.0.1:8000/shop.js", code, routines)]
    scene.page.answer(CommandName.QUERY, {"elements": [{"ref": "e1", "attrs": {"id": "sum"}}], "count": 1})
    claim = {"kind": "element", "testid": "cart-total", "text": "$7"}
    scene.page.answer_reading("match", {"matched": False, "count": 0, "candidates": 1, "elements": []})
    asked = {"action": "click", "ref": "e4", "until": claim, "timeout_ms": 0}
    fields = answer_of(act_and_wait.TOOLS[0], scene.context, asked).fields
    assert (fields["verified"], fields["source"]) == ("no", "/shop.js:1")


def test_where_the_element_is_written_that_a_failed_part_is_about_is_told() -> None:
    """
    Behind what ran; it is there, and says otherwise than claimed.
    """
    scene = driven_scene()
    routines = [Routine("add", 0, 40, ran=True, before=0)]
    scene.context.browser.scripts = [RunScript("http://127.0.0.1:8000/shop.js", CODE, routines)]
    element = {"ref": "e1", "attrs": {}, "source": "src/Cart.jsx:7:3"}
    scene.page.answer(CommandName.QUERY, {"elements": [element], "count": 1})
    claim = {"kind": "element", "testid": "add", "text": "$7"}
    scene.page.answer_reading("match", {"matched": False, "count": 0, "candidates": 1, "elements": []})
    asked = {"action": "click", "ref": "e4", "until": claim, "timeout_ms": 0}
    fields = answer_of(act_and_wait.TOOLS[0], scene.context, asked).fields
    assert fields["sources"] == [
        {"at": "/shop.js:1", "why": "ran during the action"},
        {"at": "src/Cart.jsx:7:3", "why": "the element is written here"},
    ]


@pytest.mark.parametrize(
    ("told", "named"),
    [("/shop.js:9:3", "/shop.js:9"), ("/other.js:9:3", "/other.js:9:3 (as served)")],
)
def test_an_element_that_was_told_before_the_map_was_read_is_looked_up_once_more(
    told: str, named: str
) -> None:
    """
    By what the map says now; one of a script that is not the app's stays as it was served.
    """
    scene = driven_scene()
    routines = [Routine("add", 0, 40, ran=True, before=0)]
    scene.context.browser.scripts = [RunScript("http://127.0.0.1:8000/shop.js", CODE, routines)]
    element = {"ref": "e1", "attrs": {}, "source": f"{told} (as served)"}
    scene.page.answer(CommandName.QUERY, {"elements": [element], "count": 1})
    claim = {"kind": "element", "testid": "add", "text": "$7"}
    scene.page.answer_reading("match", {"matched": False, "count": 0, "candidates": 1, "elements": []})
    asked = {"action": "click", "ref": "e4", "until": claim, "timeout_ms": 0}
    fields = answer_of(act_and_wait.TOOLS[0], scene.context, asked).fields
    assert f"{named}', 'why': 'the element is written here'" in str(fields["sources"])


def test_a_script_that_the_browser_has_no_text_of_is_read_where_it_is_served() -> None:
    """
    As after the action led to another document.
    """
    scene = driven_scene()
    address = "http://127.0.0.1:8000/shop.js"
    scene.page.served[address] = CODE
    routines = [Routine("add", 0, 40, ran=True, before=0)]
    scene.context.browser.scripts = [RunScript(address, "", routines)]
    asked = {"action": "click", "ref": "e4", "until": CLAIM, "timeout_ms": 0}
    assert answer_of(act_and_wait.TOOLS[0], scene.context, asked).fields["source"] == "/shop.js:1"


def test_the_rule_that_hides_an_element_comes_first(scene: Scene) -> None:
    """
    With its line in the sheet as it is served.
    """
    sheet = "http://127.0.0.1:8000/style.css"
    scene.page.served[sheet] = "body { margin: 0 }\n.problem { display: none }\n"
    rule = {"selector": ".problem", "property": "display", "sheet": sheet}
    found = {"matched": True, "count": 1, "candidates": 1, "elements": [], "perceivable": False}
    scene.page.answer_reading("match", {**found, "unseen": "is not displayed", "unseenBy": rule})
    claim = {"predicate": {"kind": "element", "testid": "problem"}, "since": 0, "timeout_ms": 0}
    fields = answer_of(assertion.TOOLS[0], scene.context, claim).fields
    told = fields["source"]
    assert isinstance(told, str)
    assert told.endswith("/style.css:2")
    assert "hides the element" in str(fields["sources"])


def test_a_yes_asks_for_nothing_that_ran() -> None:
    """
    Nothing is to be mended, so nothing is looked for.
    """
    scene = driven_scene()
    asked: list[PageId] = []

    def runs(page_id: PageId) -> Deferred[Sequence[RunScript]]:
        asked.append(page_id)
        return succeed(())

    scene.context.browser.runs = runs  # type: ignore[method-assign]  # the test is about the call
    scene.page.record(EventType.SIGNAL, {"name": "paid"})
    claim = {"predicate": {"kind": "signal", "name": "paid"}, "since": 0, "timeout_ms": 0}
    assert answer_of(assertion.TOOLS[0], scene.context, claim).fields["verified"] == "yes"
    assert asked == []


def test_a_no_on_another_page_names_where_its_requests_were_sent(scene: Scene) -> None:
    """
    The place itself and its caller.
    """
    frames = [["http://127.0.0.1:8000/lib.js", 14, 3], ["http://127.0.0.1:8000/shop.js", 52, 1]]
    request = {"id": "n1", "method": "POST", "url": "/api/cart", "status": 500, "ok": False, "frames": frames}
    scene.page.record(EventType.NET_REQUEST, {**request, "source": "/lib.js:14:3"})
    claim = {"predicate": CLAIM, "since": 0, "timeout_ms": 0}
    fields = answer_of(assertion.TOOLS[0], scene.context, claim).fields
    why = "request sent here"
    assert fields["sources"] == [{"at": "/lib.js:14", "why": why}, {"at": "/shop.js:52", "why": why}]


@pytest.mark.parametrize("is_driven", [True, False])
def test_a_browser_that_does_not_tell_what_ran_leaves_who_sent(scene: Scene, *, is_driven: bool) -> None:
    """
    On a busy machine it may tell too late; of a page that somebody else opened a request that is as claimed
    says too little.
    """
    here = driven_scene() if is_driven else scene
    frames = [["http://127.0.0.1:8000/shop.js", 52, 1]]
    request = {"id": "n1", "method": "POST", "url": "/api/cart", "status": 200, "ok": True, "frames": frames}
    here.page.record(EventType.NET_REQUEST, request)
    claim = {"predicate": {"kind": "signal", "name": "paid"}, "since": 0, "timeout_ms": 0}
    fields = answer_of(assertion.TOOLS[0], here.context, claim).fields
    assert fields["verified"] == "no"
    named = [{"at": "/shop.js:52", "why": "request sent here"}] if is_driven else None
    assert fields.get("sources") == named


def driven_scene() -> Scene:
    """
    A page that the daemon opened; it does what it is asked.
    """
    clock = FakeClock()
    context = FakeContext(FakePages(), clock=clock)
    lease = Lease("local", "you", "", clock.now(), clock.now() + 300)
    opened = result_of(context.browser.acquire(BrowserWish("http://127.0.0.1:8000/"), lease))
    page = context.browser.pages.resolve(opened.page_id)
    page.answer(CommandName.ACT, {"ok": True, "ref": "e4", "role": "button", "name": "Add", "settled": True})
    return Scene(clock, page, context)
