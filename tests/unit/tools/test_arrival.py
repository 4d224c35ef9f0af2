"""
Acting on a page that has only just come.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.testing.toolcalls import Scene, refusal_in, start_call
from reticle.tools.act import TOOLS
from reticle.tools.act_and_wait import TOOLS as JUDGING
from reticle.tools.spec import ToolAnswer

ACT, JUDGED = TOOLS[0], JUDGING[0]
CLICK = {"action": "click", "target": {"role": "button", "name": "Save"}}
MISSING = Refusal("no_match", "No element matches the target.", "Take a snapshot.", {})
DONE = {"ok": True, "effect": {}}


def answered(call: Deferred[ToolAnswer]) -> ToolAnswer:
    """
    What the call was answered with.
    """
    answer = call.result
    assert isinstance(answer, ToolAnswer)
    return answer


def run(scene: Scene, seconds: float) -> None:
    """
    Let time pass in the steps in which a wait looks.
    """
    for _ in range(round(seconds / 0.025)):
        scene.clock.reactor.advance(0.025)


def test_what_is_on_its_way_is_waited_for(scene: Scene) -> None:
    """
    A button that the page draws from its first answer is clicked once, though the act came before it.
    """
    scene.page.answer(CommandName.ACT, MISSING, times=1)
    scene.page.answer(CommandName.ACT, DONE)
    scene.page.record("net.pending", {"id": "n1", "method": "GET", "url": "/api/products"})
    call = start_call(ACT, scene.context, CLICK)
    run(scene, 0.5)
    assert not call.called
    scene.page.record("net.request", {"id": "n1", "method": "GET", "url": "/api/products", "status": 200})
    run(scene, 0.5)
    assert call.called
    assert [asked.command for asked in scene.page.asked] == [CommandName.ACT, CommandName.ACT]


def test_what_the_page_does_meanwhile_is_no_doing_of_the_act(scene: Scene) -> None:
    """
    A request that the page sends while it loads proves nothing about a click that came before its button, and
    what it shows then was there already.
    """
    came: list[bool] = []

    def reads(_: object) -> dict[str, object]:
        return {"matched": bool(came), "count": len(came)}

    scene.page.answer_reading("text", reads)
    scene.page.answer(CommandName.ACT, MISSING, times=1)
    scene.page.answer(CommandName.ACT, DONE)
    scene.page.record("net.pending", {"id": "n1", "method": "POST", "url": "/api/visits"})
    claim = {
        "kind": "anyOf",
        "predicates": [{"kind": "net", "method": "POST"}, {"kind": "text", "contains": "Welcome"}],
    }
    call = start_call(JUDGED, scene.context, {**CLICK, "until": claim, "timeout_ms": 1_000})
    run(scene, 0.3)
    came.append(True)
    told = {"id": "n1", "method": "POST", "url": "/api/visits", "status": 201, "ok": True}
    scene.page.record("net.request", told)
    run(scene, 4)
    assert answered(call).fields["verified"] == "unknown"


def test_a_control_that_is_disabled_while_the_page_loads_is_waited_for(scene: Scene) -> None:
    """
    Rows that can be ticked as soon as the session is known are ticked then.
    """
    disabled = Refusal("not_editable", "The checkbox is disabled.", "Choose another.", {})
    scene.page.answer(CommandName.ACT, disabled, times=1)
    scene.page.answer(CommandName.ACT, DONE)
    call = start_call(ACT, scene.context, {"action": "check", "ref": "e4"})
    run(scene, 0.6)
    assert call.called
    assert len(scene.page.asked) == 2


@pytest.mark.parametrize("rests", [True, False])
def test_what_never_comes_is_refused_in_bounded_time(scene: Scene, *, rests: bool) -> None:
    """
    A wrong name costs no more than the page takes to come to rest, two seconds at most.
    """
    scene.page.answer(CommandName.ACT, MISSING)
    if not rests:
        scene.page.record("net.pending", {"id": "n1", "method": "GET", "url": "/api/products"})
    call = start_call(ACT, scene.context, CLICK)
    run(scene, 0.4 if rests else 2.1)
    assert refusal_in(call).code == "no_match"


def test_a_ref_and_a_page_at_rest_are_refused_at_once(scene: Scene) -> None:
    """
    What cannot be on its way is not waited for, and nothing is asked twice.
    """
    scene.page.answer(CommandName.ACT, MISSING)
    assert refusal_in(start_call(ACT, scene.context, {"action": "click", "ref": "e9"})).code == "no_match"
    run(scene, 1)
    assert refusal_in(start_call(ACT, scene.context, CLICK)).code == "no_match"
    assert len(scene.page.asked) == 2


def test_any_other_refusal_is_not_tried_again(scene: Scene) -> None:
    """
    An element that is covered was found: the page's word stands.
    """
    scene.page.answer(CommandName.ACT, Refusal("occluded", "It is covered.", "Close the dialog.", {}))
    assert refusal_in(start_call(ACT, scene.context, CLICK)).code == "occluded"
    assert len(scene.page.asked) == 1


def test_what_was_so_before_is_read_when_the_target_is_there(scene: Scene) -> None:
    """
    A list that comes between the first look and the click is not what the click changed.
    """
    came: list[bool] = []

    def state(_: object) -> dict[str, object]:
        loaded = 10 if scene.page.asked else 11
        return {"found": True, "store": "tasks", "path": "open", "value": loaded if came else 0}

    scene.page.answer_reading("state", state)
    scene.page.answer_reading("match", lambda _: {"matched": bool(came), "count": len(came)})
    scene.page.answer(CommandName.ACT, DONE)
    scene.page.record("net.pending", {"id": "n1", "method": "GET", "url": "/api/tasks"})
    claim = {"kind": "state", "store": "tasks", "path": "open", "equals": {"$delta": -1}}
    call = start_call(JUDGED, scene.context, {**CLICK, "until": claim, "timeout_ms": 1_000})
    run(scene, 0.3)
    assert not scene.page.asked
    came.append(True)
    told = {"id": "n1", "method": "GET", "url": "/api/tasks", "status": 200, "ok": True}
    scene.page.record("net.request", told)
    run(scene, 4)
    assert answered(call).fields["verified"] == "yes"


HIDDEN = 'textbox "Name" cannot be seen: it is inside a part that is not displayed.'


def hidden(**details: object) -> Refusal:
    """
    What a page says of a field in a view that it has not shown yet.
    """
    return Refusal("not_visible", HIDDEN, "Do what shows it first, then act again.", dict(details))


@pytest.mark.parametrize("address", [{"target": {"testid": "name"}}, {"ref": "e4"}])
def test_a_view_that_is_shown_after_a_request_is_waited_for(scene: Scene, address: dict[str, object]) -> None:
    """
    A field of a form that is shown as soon as the session is known is filled then, and once.
    """
    scene.page.answer(CommandName.ACT, hidden(), times=1)
    scene.page.answer(CommandName.ACT, DONE)
    scene.page.record("net.pending", {"id": "n1", "method": "GET", "url": "/api/session"})
    call = start_call(ACT, scene.context, {"action": "fill", **address, "args": {"value": "Ada"}})
    run(scene, 0.5)
    assert not call.called
    scene.page.record("net.request", {"id": "n1", "method": "GET", "url": "/api/session", "status": 200})
    run(scene, 0.5)
    assert call.called
    assert len(scene.page.asked) == 2


def test_a_document_that_loads_is_waited_for_though_nothing_stirs(scene: Scene) -> None:
    """
    On a busy machine the app's script runs late: that nothing stirs until then is no rest.
    """
    run(scene, 1)
    scene.page.answer(CommandName.ACT, hidden(loading=True), times=5)
    scene.page.answer(CommandName.ACT, DONE)
    call = start_call(ACT, scene.context, CLICK)
    run(scene, 0.5)
    assert call.called
    assert isinstance(call.result, ToolAnswer)
    assert len(scene.page.asked) == 6


def test_what_stays_hidden_while_a_document_loads_is_refused_in_the_pages_words(scene: Scene) -> None:
    """
    A document that never becomes complete costs two seconds, and the answer is about the element alone.
    """
    scene.page.answer(CommandName.ACT, hidden(loading=True))
    call = start_call(ACT, scene.context, CLICK)
    run(scene, 1.8)
    assert not call.called
    run(scene, 0.4)
    refusal = refusal_in(call)
    assert (refusal.code, refusal.message, refusal.details) == ("not_visible", HIDDEN, {})


def test_what_is_hidden_in_a_page_at_rest_is_refused_at_once(scene: Scene) -> None:
    """
    A closed dialog is no matter of waiting.
    """
    run(scene, 1)
    scene.page.answer(CommandName.ACT, hidden())
    assert refusal_in(start_call(ACT, scene.context, CLICK)).code == "not_visible"
    assert len(scene.page.asked) == 1
