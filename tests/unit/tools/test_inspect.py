"""
One element, closely.
"""

from __future__ import annotations

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.model.ids import PageId
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.inspect import TOOLS

INSPECT = TOOLS[0]
DESCRIBED = {
    "ref": "e5", "tag": "button", "role": "button", "name": "Save", "states": ["present", "visible"],
    "description": "Keeps your work",
    "visible": True, "inViewport": True, "occluded": False, "occludedBy": None, "attrs": {},
    "box": {"x": 1, "y": 2, "width": 30, "height": 10}, "styles": {"color": "rgb(0, 0, 0)"},
    "sourceUnavailable": "no framework component", "extra": 1,
}  # fmt: skip


def test_an_element_is_described_without_what_says_nothing(scene: Scene) -> None:
    """
    Place, cover, looks and source are told; empty fields and fields that nobody knows are not.
    """
    scene.page.answer(CommandName.INSPECT, DESCRIBED)
    answer = answer_of(INSPECT, scene.context, {"ref": "e5"})
    left_out = {"occludedBy", "attrs", "extra"}
    assert answer.fields == {name: part for name, part in DESCRIBED.items() if name not in left_out}
    assert scene.page.asked == [Asked(CommandName.INSPECT, {"ref": "e5"})]


def test_cover_that_nobody_can_tell_is_not_called_free(scene: Scene) -> None:
    """
    An element outside of the window is neither covered nor free.
    """
    scene.page.answer(CommandName.INSPECT, {**DESCRIBED, "visible": False, "occluded": None})
    fields = answer_of(INSPECT, scene.context, {"ref": "e5"}).fields
    assert (fields["occluded"], fields["visible"]) == (None, False)
    scene.page.answer(CommandName.INSPECT, {**DESCRIBED, "occluded": True, "occludedBy": {"ref": "e9"}})
    assert answer_of(INSPECT, scene.context, {"ref": "e5"}).fields["occludedBy"] == {"ref": "e9"}


def test_what_is_no_ref_or_no_longer_there_is_refused(scene: Scene) -> None:
    """
    A selector is refused before the page is asked, a dead ref by the page.
    """
    assert refusal_of(INSPECT, scene.context, {"ref": "#save"}).code == "bad_arguments"
    assert scene.page.asked == []
    scene.page.answer(CommandName.INSPECT, Refusal("stale_ref", "gone", "Take a new snapshot."))
    assert refusal_of(INSPECT, scene.context, {"ref": "e5"}).code == "stale_ref"


def test_a_ref_of_another_page_is_refused(scene: Scene) -> None:
    """
    A ref that the agent was shown on another page does not describe a stranger here.
    """
    scene.context.shown["e5"] = [PageId("p9")]
    refusal = refusal_of(INSPECT, scene.context, {"ref": "e5"})
    assert refusal.code == "ref_of_another_page"
    assert "p9" in refusal.message
    assert "p1" in refusal.message
    assert scene.page.asked == []
