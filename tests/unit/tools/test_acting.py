"""
One action, checked before and reported after.
"""

from __future__ import annotations

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import ActionName, CommandName
from reticle.model.ids import ActionId
from reticle.model.window import ActionRecord, Effect
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.acting import carry_out, effect_fields, parse_action
from reticle.tools.arguments import ActArguments


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("click", None),
        ("click", {"modifiers": ["Shift"], "confirmDangerous": True}),
        ("fill", {"value": ""}),
        ("press", {"key": "Enter"}),
        ("press", {"text": "a", "modifiers": ["Control"]}),
        ("select", {"value": "de"}),
        ("select", {"value": ["de", "it"]}),
        ("check", {}),
        ("submit", {"confirmDangerous": True}),
    ],
)
def test_a_sound_action_reaches_the_page_as_it_is(action: str, args: dict[str, object] | None) -> None:
    """
    Nothing is added to what the agent asked for; an empty fill is a fill with an empty text.
    """
    parsed = parse_action(ActArguments(action=ActionName(action), ref="e1", args=args))
    assert parsed.asked == {"ref": "e1", "action": action, **({"args": args} if args else {})}
    assert parsed.target == {"ref": "e1"}


def test_a_refusal_for_wrong_args_shows_right_ones() -> None:
    """
    The agent gets an example of the very action it tried.
    """
    with pytest.raises(Refusal) as caught:
        parse_action(ActArguments(action=ActionName.SELECT, ref="e1", args={"option": "de"}))
    assert caught.value.code == "bad_arguments"
    assert "option" in caught.value.message
    assert '"action":"select"' in caught.value.recovery


def test_a_record_keeps_what_was_done_and_no_typed_text() -> None:
    """
    What was typed is not kept beside a verdict: it may be a password.
    """
    page = FakePage()
    page.answer(CommandName.ACT, {"ok": True, "source": "a.html:1", "effect": {"valueChanged": True}})
    action = parse_action(ActArguments(action=ActionName.FILL, ref="e1", args={"value": "hunter2"}))
    context = FakeContext(FakePages(page))
    record = Deferred.fromCoroutine(carry_out(context, page, action, ActionId("a1"))).result
    assert isinstance(record, ActionRecord)
    assert (record.action, record.target, record.source) == ("fill", {"ref": "e1"}, "a.html:1")
    assert "hunter2" not in repr(record)


def test_a_report_of_another_shape_does_no_harm() -> None:
    """
    A page that answers nonsense has an effect that says nothing.
    """
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e1"}, Effect({"effect": "yes", "settled": "no"}))
    assert effect_fields(record) == {"effect": {}}
    assert effect_fields(ActionRecord(ActionId("a1"), "click", {"ref": "e1"})) == {}


def test_why_a_script_clicked_is_told_and_what_needs_no_mouse_is_not() -> None:
    """
    An agent reads why a real mouse was not used, and is not told so after filling a field.
    """
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e1"})
    reason = "real-input-not-configured-for-this-session"
    clicked = attrs.evolve(record, effect=Effect({"inputModeReason": reason, "effect": {}}))
    assert effect_fields(clicked)["inputModeReason"] == reason
    filled = attrs.evolve(record, effect=Effect({"inputModeReason": "not-a-pointer-action", "effect": {}}))
    assert "inputModeReason" not in effect_fields(filled)
