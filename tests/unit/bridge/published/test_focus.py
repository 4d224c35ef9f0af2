"""
Fields that are left, or are not, on a page of the packages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.model.codes import CommandName
from reticle.testing.published import BUTTON, PublishedPage, ask

FIELD = {**BUTTON, "role": "textbox", "name": "Email", "tag": "input", "value": "a"}


def report(moved: str | None, action: str = "click") -> dict[str, Any]:
    """
    An act report in which the focus moved so.
    """
    return {
        "ok": True,
        "action": action,
        "settled": True,
        "effect": {"dispatched": True, "focusMoved": moved},
    }


def act(published: PublishedPage, action: str, /, ref: Any = "e5", **args: object) -> Mapping[str, Any]:
    """
    The report of an act that succeeds.
    """
    return ask(published, CommandName.ACT, ref=ref, action=action, args=args)


@pytest.mark.parametrize(
    ("action", "args"), [("select", {"value": "a"}), ("clear", {}), ("press", {"key": "Enter"})]
)
def test_the_field_before_hears_that_it_was_left(
    published: PublishedPage, action: str, args: Mapping[str, object]
) -> None:
    """
    A list is chosen from, a field emptied and a key pressed with the focus, as by a person.
    """
    published.on("inspect", FIELD)
    published.on("act", report("e1->e5", action))
    act(published, action, **args)
    asked = [args["action"] for name, args in published.asked if name == "act"]
    assert asked == ["focus", action]
    published.on("inspect", {**FIELD, "states": ["present", "visible", "enabled", "focused"]})
    act(published, action, **args)
    assert [args["action"] for name, args in published.asked if name == "act"] == ["focus", action, action]


def test_a_click_that_leaves_the_focus_in_a_field_says_so(published: PublishedPage) -> None:
    """
    A browser takes the focus out of the field; the packages do not, and the field checks nothing.
    """
    published.on("inspect", FIELD)
    published.on("act", report("null->e5", "fill"))
    assert "warning" not in act(published, "fill", value="a")
    published.on("inspect", {**BUTTON, "role": "generic"})
    published.on("act", report(None))
    assert "The focus stayed in e5" in act(published, "click", ref="e9")["warning"]
    published.on("act", report("e5->e9"))
    assert "warning" not in act(published, "click", ref="e9")
    published.on("act", report(None))
    assert "warning" not in act(published, "click", ref="e9")


def test_nothing_is_known_of_the_focus_in_a_new_document(published: PublishedPage) -> None:
    """
    Refs begin anew there: e5 is something else.
    """
    published.on("inspect", FIELD)
    published.on("act", report("null->e5", "fill"))
    act(published, "fill", value="a")
    for _ in range(2):
        published.end.event("page.health", {"reason": "initial"})
    published.gives("e9")
    published.on("act", report(None))
    assert "warning" not in act(published, "click", ref="e9")


@pytest.mark.parametrize("action", ["focus", "blur"])
def test_what_the_app_hears_twice_is_told(published: PublishedPage, action: str) -> None:
    """
    A request that is sent on blur is sent twice, and that is not the app's fault.
    """
    published.on("inspect", FIELD)
    published.on("act", report("e5->null", action))
    assert "twice" in act(published, action)["warning"]


def test_the_packages_own_warning_comes_first(published: PublishedPage) -> None:
    """
    What they warn of is passed on.
    """
    published.on("inspect", FIELD)
    published.on("act", {**report(None), "warning": "covered"})
    assert act(published, "click")["warning"] == "covered"
