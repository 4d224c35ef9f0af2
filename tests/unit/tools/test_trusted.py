"""
Acts by real input: who may have them, and what is said of what became of them.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.errors import Refusal
from reticle.model.browser import BrowserWish, Stroke
from reticle.model.codes import CommandName, EventType, RefusalCode
from reticle.model.leases import Lease
from reticle.testing.bridge import result_of
from reticle.testing.browser import FakeBrowser
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import Asked, FakePage, FakePages
from reticle.testing.toolcalls import Scene, answer_of, refusal_of, start_call
from reticle.tools.act import TOOLS
from reticle.tools.act_and_wait import TOOLS as JUDGED
from reticle.tools.act_sequence import TOOLS as SEQUENCES

ACT, JUDGE, SEQUENCE = TOOLS[0], JUDGED[0], SEQUENCES[0]
CLICK = {"action": "click", "ref": "e4", "trusted": True}
AIMED = {"aim": "a1", "ok": True, "ref": "e4", "role": "button", "name": "Save", "at": {"x": 10, "y": 20.5}}
LANDED = {"ok": True, "ref": "e4", "role": "button", "name": "Save", "inputMode": "trusted", "settled": True,
          "effect": {"dispatched": True, "focusMoved": "null->e4"}}  # fmt: skip


@attrs.frozen
class Driven:
    """
    A page of a browser lease, and the browser.
    """

    clock: FakeClock
    page: FakePage
    context: FakeContext
    browser: FakeBrowser


@pytest.fixture(name="driven")
def driven_fixture() -> Driven:
    """
    One page, opened by the daemon; it aims and lands.
    """
    clock = FakeClock()
    context = FakeContext(FakePages(), clock=clock)
    browser = context.browser
    lease = Lease("local", "you", "", clock.now(), clock.now() + 300)
    opened = result_of(browser.acquire(BrowserWish("http://127.0.0.1:8000/"), lease))
    page = browser.pages.resolve(opened.page_id)
    page.answer(CommandName.AIM, AIMED)
    page.answer(CommandName.LANDED, LANDED)
    return Driven(clock, page, context, browser)


def test_real_input_goes_where_the_page_says(driven: Driven) -> None:
    """
    The page aims, the browser clicks there, the page tells what came of it.
    """
    answer = answer_of(ACT, driven.context, CLICK)
    assert answer.fields["inputMode"] == "trusted"
    assert answer.fields["effect"] == {"focusMoved": "null->e4"}
    assert answer.fields["actionId"] == "a1"
    assert driven.page.asked == [
        Asked(CommandName.AIM, {"ref": "e4", "action": "click"}),
        Asked(CommandName.LANDED, {"aim": "a1"}),
    ]
    assert [stroke for _, stroke in driven.browser.strokes] == [
        Stroke(kind, x=10, y=20.5) for kind in ("move", "down", "up")
    ]


@pytest.mark.parametrize(
    ("args", "asked"),
    [
        ({"key": "Control+v"}, ["aim", "landed"]),
        ({"key": "C", "modifiers": ["Meta"]}, ["aim", "landed"]),
        ({"text": "Ctrl+Shift+x"}, ["aim", "landed"]),
        ({"key": "Control+k"}, ["act"]),
        ({"key": "Control+Alt+v"}, ["act"]),
        ({"key": "v"}, ["act"]),
    ],
)
def test_keys_of_the_clipboard_are_real_ones_where_the_page_has_them(
    args: dict[str, object], asked: list[str], driven: Driven
) -> None:
    """
    An agent that pastes need not know that no script can; other keys stay with the script.
    """
    driven.page.answer(CommandName.ACT, {"ok": True, "effect": {}, "inputMode": "synthetic"})
    driven.page.answer(CommandName.AIM, {"aim": "a1", "ok": True, "key": "v", "modifiers": ["Control"]})
    answer_of(ACT, driven.context, {"action": "press", "ref": "e4", "args": args})
    assert [one.command for one in driven.page.asked] == asked


def test_keys_of_the_clipboard_stay_with_the_script_of_a_page_that_dialled_in(scene: Scene) -> None:
    """
    Nothing is refused there: the page says itself that nothing was pasted.
    """
    scene.page.answer(CommandName.ACT, {"ok": True, "effect": {}, "warning": "Nothing was pasted"})
    call = {"action": "press", "ref": "e4", "args": {"key": "Control+v"}}
    assert answer_of(ACT, scene.context, call).fields["warning"] == "Nothing was pasted"


def test_a_page_that_dialled_in_gets_no_real_input_and_a_way_to_it(scene: Scene) -> None:
    """
    An agent learns how to get a page that can be acted on so, and nothing was done on this one.
    """
    refusal = refusal_of(ACT, scene.context, CLICK)
    assert refusal.code == RefusalCode.NOT_DRIVEN
    assert "reticle_lease" in refusal.recovery
    assert scene.page.asked == []


def test_what_the_page_refuses_is_refused_before_any_stroke(driven: Driven) -> None:
    """
    A dangerous or covered element is refused as for a script, and the mouse does not move.
    """
    driven.page.answer(CommandName.AIM, Refusal(RefusalCode.CONFIRM_DANGEROUS, 'it says "Delete"', "confirm"))
    refusal = refusal_of(ACT, driven.context, CLICK)
    assert refusal.code == RefusalCode.CONFIRM_DANGEROUS
    assert driven.browser.strokes == []


def test_nothing_to_do_is_reported_without_a_stroke(driven: Driven) -> None:
    """
    A box that is checked already is not clicked.
    """
    driven.page.answer(
        CommandName.AIM, {"done": {"inputMode": "trusted", "effect": {"alreadyAtValue": True}}}
    )
    answer = answer_of(ACT, driven.context, {**CLICK, "action": "check"})
    assert answer.fields["effect"] == {"alreadyAtValue": True}
    assert driven.browser.strokes == []


def test_what_hit_something_else_is_no_success(driven: Driven) -> None:
    """
    The page stopped a press that was not meant for what lay there: the call says so.
    """
    stopped = Refusal(RefusalCode.WRONG_TARGET, "B lay there; nothing was done", "Look again.")
    driven.page.answer(CommandName.LANDED, stopped)
    refusal = refusal_of(ACT, driven.context, CLICK)
    assert (refusal.code, "may_have_happened" in refusal.details) == (RefusalCode.WRONG_TARGET, False)


def test_what_nobody_answers_for_may_have_happened(driven: Driven) -> None:
    """
    The input was sent: that the page does not tell what came of it is no reason to simply try again.
    """
    driven.page.answer(CommandName.LANDED, Refusal(RefusalCode.COMMAND_TIMEOUT, "not in time", "Look again."))
    refusal = refusal_of(ACT, driven.context, CLICK)
    assert (refusal.code, refusal.details["may_have_happened"]) == (RefusalCode.COMMAND_TIMEOUT, True)


def test_a_browser_that_fails_under_the_act_may_have_done_it(driven: Driven) -> None:
    """
    An agent is not told to simply repeat what may have happened.
    """
    driven.browser.trouble = Refusal(RefusalCode.BROWSER_FAILED, "The browser ended by itself.")
    refusal = refusal_of(ACT, driven.context, CLICK)
    assert (refusal.code, refusal.details["may_have_happened"]) == (RefusalCode.BROWSER_FAILED, True)
    assert driven.page.asked[-1].command == CommandName.LANDED


@pytest.mark.parametrize("code", [RefusalCode.OCCLUDED, RefusalCode.UNSUPPORTED_SURFACE])
def test_what_the_browser_refuses_before_its_first_stroke_has_not_happened(
    driven: Driven, code: RefusalCode
) -> None:
    """
    An agent that was told that something lies above a frame may simply try again.
    """
    driven.browser.trouble = Refusal(code, "B lies above it; nothing was done.", "Close B.")
    refusal = refusal_of(ACT, driven.context, CLICK)
    assert (refusal.code, "may_have_happened" in refusal.details) == (code, False)


@pytest.mark.parametrize("tool", [ACT, JUDGE], ids=lambda tool: tool.name)
def test_a_page_that_leaves_under_the_act_is_no_failure(driven: Driven, tool: object) -> None:
    """
    A form that is sent by a real click takes the document with it, and what was clicked is still known.
    """

    def leave(_: object) -> object:
        driven.page.load_document("doc00002")
        raise Refusal(RefusalCode.PAGE_ERROR, "This document waits for no such input.")

    driven.page.answer(CommandName.LANDED, leave)
    call = start_call(ACT if tool is ACT else JUDGE, driven.context, CLICK)
    for _ in range(100):
        driven.clock.advance(0.1)
    fields = result_of(call).fields
    assert "error" not in fields
    if tool is ACT:
        assert (fields["name"], fields["settled"], fields["settleReason"]) == ("Save", False, "navigated")
    else:
        assert fields["acted"] == 'click button "Save" (ref=e4)'


def test_a_held_mouse_is_held_by_the_daemon(driven: Driven) -> None:
    """
    A long press lasts as long as asked.
    """
    call = start_call(ACT, driven.context, {**CLICK, "args": {"holdMs": 700}})
    assert [stroke.kind for _, stroke in driven.browser.strokes] == ["move", "down"]
    driven.clock.advance(0.7)
    assert [stroke.kind for _, stroke in driven.browser.strokes] == ["move", "down", "up"]
    assert result_of(call).fields["inputMode"] == "trusted"


def test_an_answer_that_makes_no_sense_moves_no_mouse(driven: Driven) -> None:
    """
    A page that lies about places cannot make the browser click at them.
    """
    driven.page.answer(CommandName.AIM, {"aim": "a1", "at": {"x": "left", "y": 1e300}})
    assert refusal_of(ACT, driven.context, CLICK).code == RefusalCode.PAGE_ERROR
    assert driven.browser.strokes == []


def test_steps_of_a_sequence_may_be_real_too(driven: Driven) -> None:
    """
    One step by hand, the next by script.
    """
    driven.page.answer(CommandName.ACT, LANDED)
    answer = answer_of(SEQUENCE, driven.context, {"steps": [CLICK, {"action": "click", "ref": "e5"}]})
    assert answer.fields["completed"] == 2
    assert [asked.command for asked in driven.page.asked] == ["aim", "landed", "act"]


def test_a_tab_that_was_opened_is_named(driven: Driven) -> None:
    """
    Whoever clicked a link to a new tab reads the name of the page to go on with, and the click had an effect.
    """
    tab = {"sessionId": "b2", "url": "http://127.0.0.1:8000/help"}

    def open_tab(_: object) -> object:
        driven.page.record(EventType.PAGE_OPENED, tab)
        return LANDED

    driven.page.answer(CommandName.LANDED, open_tab)
    assert answer_of(ACT, driven.context, CLICK).fields["opened"] == [tab]
    steps = answer_of(SEQUENCE, driven.context, {"steps": [CLICK]}).fields["steps"]
    assert isinstance(steps, list)
    assert steps[0]["opened"] == [tab]
    call = start_call(JUDGE, driven.context, CLICK)
    for _ in range(100):
        driven.clock.advance(0.1)
    fields = result_of(call).fields
    assert (fields["opened"], "contradictions" in fields) == ([tab], False)


def test_refusal_in_a_sequence_names_the_step(scene: Scene) -> None:
    """
    A sequence on a page that is not driven stops at the step that asked for real input.
    """
    answer = answer_of(SEQUENCE, scene.context, {"steps": [CLICK]})
    steps = answer.fields["steps"]
    assert isinstance(steps, list)
    assert steps[0]["error"] == RefusalCode.NOT_DRIVEN
