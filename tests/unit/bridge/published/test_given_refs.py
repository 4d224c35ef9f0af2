"""
Refs of an earlier document.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.bridge.published.given_refs import GivenRefs
from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.model.limits import GIVEN_REFS
from reticle.testing.bridge import refusal_of
from reticle.testing.published import BUTTON, PublishedPage, ask

REPORT = {"ok": True, "action": "click", "effect": {"dispatched": True}}


def load_another_document(published: PublishedPage) -> None:
    """
    The page navigates; its refs begin at e1 again.
    """
    for _ in range(2):
        published.end.event("page.health", {"reason": "initial"})


@pytest.mark.parametrize(
    ("command", "args"),
    [
        (CommandName.ACT, {"ref": "e5", "action": "click"}),
        (CommandName.ACT, {"target": {"role": "button", "scope": "e5"}, "action": "click"}),
        (CommandName.INSPECT, {"ref": "e5"}),
        (CommandName.SNAPSHOT, {"scope": "e5"}),
        (CommandName.QUERY, {"role": "button", "scope": "e5"}),
        (CommandName.MATCH, {"query": {"role": "button", "scope": "e5"}}),
        (CommandName.SCROLL, {"ref": "e5"}),
    ],
)
def test_an_old_ref_is_not_another_element(
    published: PublishedPage, command: CommandName, args: Mapping[str, object]
) -> None:
    """
    Delete was e5 before the page was loaded anew, and Pay may be e5 now: nothing is asked of the page.
    """
    load_another_document(published)
    refusal = refusal_of(published.page.ask(command, args))
    assert (refusal.code, published.asked) == ("stale_ref", [])


def test_a_drag_onto_an_old_ref_is_refused(published: PublishedPage) -> None:
    """
    The place where something is dropped is no other element either.
    """
    load_another_document(published)
    published.gives("e5")
    drag = {"ref": "e5", "action": "drag", "args": {"toRef": "e6"}}
    assert refusal_of(published.page.ask(CommandName.ACT, drag)).code == "stale_ref"


def test_whatever_names_an_element_gives_its_ref_out(published: PublishedPage) -> None:
    """
    A tree, a query and an event: an agent may act on what it was shown.
    """
    load_another_document(published)
    published.on("inspect", {**BUTTON, "ref": "e70"})
    published.on("act", REPORT)
    published.on("match", {"count": 1, "elements": [{**BUTTON, "ref": "e70"}]})
    ask(published, CommandName.QUERY, testid="save")
    ask(published, CommandName.ACT, ref="e70", action="click")
    published.end.event("dom.added", {"role": "button", "name": "Late"}, ref="e71")
    ask(published, CommandName.ACT, ref="e71", action="click")


def test_a_page_with_too_many_elements_is_believed() -> None:
    """
    What cannot be remembered any more is not refused either.
    """
    refs = GivenRefs()
    refs.note(f"e{number}" for number in range(GIVEN_REFS - 1))
    with pytest.raises(Refusal):
        refs.check("x1")
    refs.note(["e999999"])
    refs.check("x1")
