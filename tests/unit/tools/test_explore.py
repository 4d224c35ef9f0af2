"""
What can be operated on a page that the agent does not know.
"""

from __future__ import annotations

from reticle.model.codes import Capability, CommandName, EventType
from reticle.model.ids import PageId
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.explore import NO_SCOPE, NOTHING, TOOLS, TRY

EXPLORE = TOOLS[0]
SAVE = {"ref": "e4", "desc": 'button "Save" [disabled]'}
DELETE = {"ref": "e5", "desc": 'link "Delete account"', "dangerous": True}


def test_controls_are_listed_with_what_they_are(scene: Scene) -> None:
    """
    Each line has the ref that the next call needs, and says what would be asked about.
    """
    scene.page.answer(CommandName.EXPLORE, {"interactive": [SAVE, DELETE], "count": 2})
    answer = answer_of(EXPLORE, scene.context, {"scope": "main"})
    assert answer.fields == {"interactive": [SAVE, DELETE], "count": 2, "consoleErrors": [], "hint": TRY}
    assert answer.text == (
        '- e4 button "Save" [disabled]\n- e5 link "Delete account" [asks before it acts]\n'
        f"count 2\nhint: {TRY}"
    )
    assert scene.page.asked == [Asked(CommandName.EXPLORE, {"scope": "main"})]


def test_the_newest_errors_of_the_console_stand_beside_them(scene: Scene) -> None:
    """
    Who comes to an unknown page sees at once that it is broken.
    """
    for number in range(7):
        scene.page.record(EventType.CONSOLE_ERROR, {"message": f"failure {number}"})
    scene.page.record(EventType.ERROR_UNCAUGHT, {"message": "TypeError: x\nis null"})
    scene.page.record(EventType.CONSOLE_WARN, {"message": "old"})
    scene.page.answer(CommandName.EXPLORE, {"interactive": [SAVE], "count": 1})
    fields = answer_of(EXPLORE, scene.context, {}).fields
    assert fields["consoleErrors"] == [
        "failure 3",
        "failure 4",
        "failure 5",
        "failure 6",
        "TypeError: x is null",
    ]
    assert fields["consoleErrorsTotal"] == 8


def test_errors_of_the_document_before_are_none_of_this_one(scene: Scene) -> None:
    """
    A page that was loaded anew begins without errors.
    """
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "before"})
    scene.page.load_document("doc00002")
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "now"})
    scene.page.answer(CommandName.EXPLORE, {"interactive": [SAVE], "count": 1})
    assert answer_of(EXPLORE, scene.context, {}).fields["consoleErrors"] == ["now"]


def test_errors_that_were_lost_are_not_called_none(scene: Scene) -> None:
    """
    An empty list of errors beside a loss proves nothing, and says so.
    """
    scene.page.lose("console")
    scene.page.answer(CommandName.EXPLORE, {"interactive": [SAVE], "count": 1})
    fields = answer_of(EXPLORE, scene.context, {}).fields
    assert (fields["consoleErrors"], "losses" in fields) == ([], True)


def test_many_are_counted_and_said_to_be_cut(scene: Scene) -> None:
    """
    The count is the page's own; how to see the rest is said.
    """
    scene.page.answer(CommandName.EXPLORE, {"interactive": [SAVE], "count": 300, "truncated": True})
    fields = answer_of(EXPLORE, scene.context, {}).fields
    assert (fields["count"], fields["truncated"]) == (300, True)
    assert "299 more" in str(fields["hint"])


def test_nothing_to_operate_says_what_else_may_be(scene: Scene) -> None:
    """
    A page without controls is not called empty, and a scope that is not there is no page.
    """
    scene.page.answer(CommandName.EXPLORE, {"interactive": [], "count": 0})
    assert answer_of(EXPLORE, scene.context, {}).fields["hint"] == NOTHING
    scene.page.answer(CommandName.EXPLORE, {"interactive": [], "count": 0, "scopeMissing": True})
    fields = answer_of(EXPLORE, scene.context, {"scope": "#x"}).fields
    assert (fields["scopeMissing"], fields["hint"]) == (True, NO_SCOPE)


def test_a_scope_of_another_page_is_refused(scene: Scene) -> None:
    """
    A ref that was shown elsewhere does not list a stranger's controls.
    """
    scene.context.shown["e5"] = [PageId("p9")]
    assert refusal_of(EXPLORE, scene.context, {"scope": "e5"}).code == "ref_of_another_page"


def test_it_only_looks() -> None:
    """
    Who may observe may ask for it.
    """
    assert (EXPLORE.capability, EXPLORE.acts, EXPLORE.advertised) == (Capability.OBSERVE, False, False)
