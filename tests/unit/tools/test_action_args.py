"""
What each action takes and needs.
"""

from __future__ import annotations

import json

import pytest

from reticle.errors import Refusal
from reticle.model.codes import ActionName
from reticle.tools.action_args import ACTION_ARGS, check_args, example


@pytest.mark.parametrize("action", ActionName)
def test_every_action_has_an_example_that_it_takes(action: ActionName) -> None:
    """
    A refusal never shows a call that would be refused as well.
    """
    call = json.loads(example(action))
    assert call["action"] == action
    check_args(action, call.get("args", {}))
    assert action in ACTION_ARGS


@pytest.mark.parametrize(
    ("action", "args", "part"),
    [
        ("fill", {}, "fill needs args.value, a string"),
        ("type", {"text": 4}, "type needs args.text, a string"),
        ("upload", {"name": "a.txt"}, "upload needs args.content, a string"),
        ("press", {}, "press needs args.key"),
        ("press", {"key": "Enter", "text": ""}, "press needs args.key"),
        ("drag", {}, "drag needs either args.toRef"),
        ("drag", {"toRef": "e1", "target": {"testid": "a"}}, "drag needs either args.toRef"),
        ("drag", {"toRef": "#a"}, "drag needs args.toRef as a ref"),
        ("drag", {"target": "a"}, "drag needs args.target as an element query object"),
        ("drag", {"target": {"tesstid": "a"}}, "did you mean `testid`"),
        ("click", {"hold_ms": 5}, "did you mean `holdMs`"),
        ("blur", {"force": True}, "args of blur does not take `force`"),
        ("hover", {"native": True}, "args of hover does not take `native`"),
    ],
)
def test_what_would_do_something_else_is_refused(action: str, args: dict[str, object], part: str) -> None:
    """
    Nothing reaches the page that would wipe a field, drop on itself, or ignore a confirmation.
    """
    with pytest.raises(Refusal) as caught:
        check_args(ActionName(action), args)
    assert caught.value.code == "bad_arguments"
    assert part in caught.value.message
    assert "Nothing ran." in caught.value.message
