"""
Acting through the published packages without their traps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.published import BUTTON, PublishedPage

REPORT = {
    "ok": True, "ref": "e5", "action": "click", "dispatched": True, "settled": True, "settleReason": None,
    "effect": {"dispatched": True, "domMutatedWithin": 3, "valueChanged": False}, "testid": "save",
}  # fmt: skip


def act(published: PublishedPage, **args: Any) -> Mapping[str, Any]:
    """
    The report of an act that succeeds.
    """
    report = result_of(published.page.ask(CommandName.ACT, args))
    assert isinstance(report, dict)
    return report


def refused(published: PublishedPage, **args: Any) -> Refusal:
    """
    The refusal of an act.
    """
    return refusal_of(published.page.ask(CommandName.ACT, args))


def test_a_click_is_looked_at_first_and_reported(published: PublishedPage) -> None:
    """
    The report names the element; the packages' own overlay does not count as a change.
    """
    published.on("inspect", BUTTON)
    published.on("act", REPORT)
    report = act(published, ref="e5", action="click")
    assert published.asked == [
        ("inspect", {"ref": "e5"}),
        ("act", {"ref": "e5", "action": "click", "args": {}}),
    ]
    assert (report["role"], report["name"], report["testid"]) == ("button", "Save", "save")
    assert report["effect"]["domMutatedWithin"] == 0


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("fill", {}),
        ("fill", {"value": 5}),
        ("select", {}),
        ("press", {}),
        ("press", {"text": "hello"}),
        ("press", {"key": "a", "modifiers": ["Shift"]}),
        ("click", {"modifiers": ["Shift"]}),
        ("webmcp", {}),
    ],
)
def test_bad_arguments_never_reach_the_page(
    published: PublishedPage, action: str, args: Mapping[str, object]
) -> None:
    """
    A fill without a value does not wipe the field; what the packages cannot do is said.
    """
    refusal = refused(published, ref="e5", action=action, args=args)
    assert (refusal.code, published.asked) == ("bad_arguments", [])
    assert refusal.message.endswith("Nothing ran.")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"states": ["present", "hidden", "enabled"], "visible": False}, "not_visible"),
        ({"states": ["present", "visible", "disabled"]}, "not_editable"),
        ({"occluded": True}, "occluded"),
        ({"error": "ref 'e5' no longer resolves"}, "stale_ref"),
    ],
)
def test_what_a_user_could_not_do_is_refused(
    published: PublishedPage, change: Mapping[str, object], code: str
) -> None:
    """
    Hidden, disabled, covered and vanished elements are not acted on.
    """
    published.on("inspect", {**BUTTON, **change})
    assert refused(published, ref="e5", action="click").code == code
    assert published.names() == ["inspect"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("ref 'e5' no longer resolves to an element", "stale_ref"),
        ("ref 'e5' is not an HTMLElement", "unsupported_surface"),
        (
            "potentially destructive action blocked; retry with args.confirmDangerous=true",
            "confirm_dangerous",
        ),
        ("cannot fill a <button>", "wrong_target"),
        ("cannot (un)check a <button>", "wrong_target"),
        ("no form to submit", "wrong_target"),
        ("unknown action 'x'", "bad_arguments"),
        ("something else", "page_error"),
    ],
)
def test_error_texts_become_codes(published: PublishedPage, error: str, code: str) -> None:
    """
    The agent gets the same codes as from our own page script.
    """

    def fail(_: Mapping[str, object]) -> object:
        raise LookupError(error)

    published.on("inspect", BUTTON)
    published.on("act", fail)
    refusal = refused(published, ref="e5", action="click")
    assert (refusal.code, refusal.message) == (code, error)
    assert refusal.recovery


def test_a_checkbox_is_clicked_because_react_hears_only_that(published: PublishedPage) -> None:
    """
    ``check`` is a click where the box is empty.
    """
    published.on("inspect", {**BUTTON, "role": "checkbox"})
    published.on("act", REPORT)
    assert act(published, ref="e5", action="check")["action"] == "check"
    assert published.asked[-1] == ("act", {"ref": "e5", "action": "click", "args": {}})


def test_a_checked_box_is_left_alone(published: PublishedPage) -> None:
    """
    Nothing is dispatched, and the report says so.
    """
    published.on("inspect", {**BUTTON, "states": ["present", "visible", "enabled", "checked"]})
    report = act(published, ref="e5", action="check")
    assert (report["effect"]["alreadyAtValue"], report["effect"]["dispatched"]) == (True, False)
    assert published.names() == ["inspect"]


def test_a_missing_option_is_noticed(published: PublishedPage) -> None:
    """
    The packages empty the field for an unknown option; the agent hears it, and that it happened.
    """
    values = iter(["a", ""])
    published.on("inspect", lambda _: {**BUTTON, "role": "combobox", "value": next(values)})
    published.on("act", REPORT)
    refusal = refused(published, ref="e5", action="select", args={"value": "z"})
    assert (refusal.code, refusal.details) == ("no_such_option", {"may_have_happened": True})


def test_a_page_that_leaves_after_a_select_may_have_acted(published: PublishedPage) -> None:
    """
    A choice that sends its form off ends the page before it can be looked at: the act was done all the same.
    """

    def look(_: Mapping[str, Any]) -> object:
        if published.names() != ["inspect"]:
            published.end.lose()
        return BUTTON

    published.on("inspect", look)
    published.on("act", REPORT)
    asked = published.page.ask(CommandName.ACT, {"ref": "e5", "action": "select", "args": {"value": "a"}})
    published.bridge.clock.advance(60)
    refusal = refusal_of(asked)
    assert (refusal.code, refusal.details) == ("session_gone", {"may_have_happened": True})


def test_a_target_must_be_one_visible_element(published: PublishedPage) -> None:
    """
    A query with one visible match acts on it.
    """
    hidden = {**BUTTON, "ref": "e6", "states": ["present", "hidden"], "visible": False}
    published.on("match", {"matched": True, "count": 2, "elements": [hidden, BUTTON]})
    published.on("inspect", BUTTON)
    published.on("act", REPORT)
    act(published, target={"role": "button", "name": "Save"}, action="click")
    assert published.asked[0] == ("match", {"query": {"role": "button", "name": "Save"}})
    assert published.asked[-1][1]["ref"] == "e5"


@pytest.mark.parametrize(
    ("count", "elements", "code"),
    [
        (0, [], "no_match"),
        (2, [BUTTON, {**BUTTON, "ref": "e6"}], "ambiguous_target"),
        (300, [BUTTON, "[TRUNCATED]"], "ambiguous_target"),
    ],
)
def test_no_or_several_targets_are_refused(
    published: PublishedPage, count: int, elements: list[object], code: str
) -> None:
    """
    The candidates are named and nothing is done.
    """
    published.on("match", {"matched": count > 0, "count": count, "elements": elements})
    refusal = refused(published, target={"testid": "save"}, action="click")
    assert refusal.code == code
    assert refusal.details["candidates"] == [each for each in elements if isinstance(each, dict)]
    assert published.names() == ["match"]


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("dblclick", {"confirmDangerous": True}), ("hover", {"holdMs": 10}), ("type", {"text": "a"}),
        ("clear", {}), ("focus", {}), ("blur", {}), ("scrollIntoView", {}),
        ("upload", {"content": "a", "name": "a.txt"}),
    ],
)  # fmt: skip
def test_every_action_that_the_packages_know_reaches_them(
    published: PublishedPage, action: str, args: Mapping[str, object]
) -> None:
    """
    An agent may use the whole list of actions with a page of the published packages too.
    """
    published.on("inspect", {**BUTTON, "tag": "input"})
    published.on("act", {**REPORT, "action": action})
    assert act(published, ref="e5", action=action, args=args)["action"] == action
    assert published.asked[-1] == ("act", {"ref": "e5", "action": action, "args": args})


def test_unchecking_is_a_click_where_it_is_checked(published: PublishedPage) -> None:
    """
    A box is unchecked by one click that the app hears; an unchecked one is left alone, a radio refused.
    """
    checked = {**BUTTON, "role": "checkbox", "states": ["present", "visible", "checked"]}
    published.on("inspect", checked)
    published.on("act", REPORT)
    assert act(published, ref="e5", action="uncheck")["action"] == "uncheck"
    assert published.asked[-1] == ("act", {"ref": "e5", "action": "click", "args": {}})
    published.on("inspect", {**BUTTON, "role": "checkbox"})
    assert act(published, ref="e5", action="uncheck")["effect"]["alreadyAtValue"] is True
    published.on("inspect", {**checked, "role": "radio"})
    assert refused(published, ref="e5", action="uncheck").code == "wrong_target"
    assert published.names().count("act") == 1


def test_a_drag_needs_a_place_to_go(published: PublishedPage) -> None:
    """
    The packages would drop an element on itself where the destination is gone.
    """
    published.on(
        "inspect", lambda args: BUTTON if args["ref"] == "e5" else {"error": "ref 'e9' no longer resolves"}
    )
    published.on("act", REPORT)
    assert refused(published, ref="e5", action="drag", args={"toRef": "e9"}).code == "stale_ref"
    assert refused(published, ref="e5", action="drag").code == "bad_arguments"
    assert "act" not in published.names()
    published.on("inspect", BUTTON)
    act(published, ref="e5", action="drag", args={"toRef": "e9"})
    assert published.asked[-1] == ("act", {"ref": "e5", "action": "drag", "args": {"toRef": "e9"}})


def test_typing_into_what_is_no_field_is_refused(published: PublishedPage) -> None:
    """
    The packages report success for a clear that did nothing.
    """
    published.on("inspect", {**BUTTON, "tag": "button"})
    assert refused(published, ref="e5", action="clear").code == "wrong_target"
    assert published.names() == ["inspect"]
