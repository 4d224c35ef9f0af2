"""
How a page was, and what is different now.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from reticle.model.codes import Capability, CommandName, EventType
from reticle.testing.pages import Asked
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.baseline import PARTIAL, TOOLS

BASELINE = TOOLS[0]
TREE = '- main\n  - button "Save" (ref=e4) [focused]\n  - textbox "Name" (ref=e5) [value="Ada"]'
PATH = "/state/baselines/localhost_8000/cart.json"


def show(scene: Scene, tree: str = TREE, route: str = "/cart", **more: object) -> None:
    """
    Let the page be so.
    """
    scene.page.answer(CommandName.SNAPSHOT, {"tree": tree, "status": {"route": route}, **more})


def save(scene: Scene, name: str = "cart", **more: object) -> None:
    """
    Keep how it is.
    """
    answer_of(BASELINE, scene.context, {"action": "save", "name": name, **more})


def test_a_baseline_is_a_file_of_readable_lines(scene: Scene) -> None:
    """
    Without refs and focus, which are of one document and moment only.
    """
    show(scene)
    fields = answer_of(BASELINE, scene.context, {"action": "save", "name": "cart"}).fields
    assert fields == {"baseline": "cart", "lineCount": 3, "path": PATH}
    kept = json.loads(scene.context.baselines.kept[PATH])
    assert kept["lines"] == ["- main", '  - button "Save"', '  - textbox "Name" [value="Ada"]']
    assert scene.page.asked == [Asked(CommandName.SNAPSHOT, {"mode": "full"})]


def test_a_page_that_is_the_same_says_so(scene: Scene) -> None:
    """
    Other refs and another focus are no difference.
    """
    show(scene)
    save(scene)
    show(scene, TREE.replace("e4", "e400").replace(" [focused]", ""))
    answer = answer_of(BASELINE, scene.context, {"action": "diff", "baseline": "cart"})
    assert answer.fields == {
        "baseline": "cart", "same": True, "removed": [], "added": [], "consoleErrors": [],
        "routeChanged": False,
    }  # fmt: skip
    assert answer.text == "no line is different"


def test_what_is_new_and_gone_is_listed(scene: Scene) -> None:
    """
    Lines, the route and errors that were not there before; new lines have the ref for the next act.
    """
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "known"})
    show(scene)
    save(scene)
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "new"})
    show(scene, TREE.replace('button "Save" (ref=e4) [focused]', 'alert "Failed" (ref=e9)'), "/error")
    answer = answer_of(BASELINE, scene.context, {"action": "diff", "name": "cart"})
    assert answer.fields == {
        "baseline": "cart", "same": False, "removed": ['- button "Save"'],
        "added": ['- alert "Failed" (ref=e9)'], "consoleErrors": ["new"], "routeChanged": True,
        "route": {"from": "/cart", "to": "/error"},
    }  # fmt: skip
    assert answer.text is not None
    assert "route /cart -> /error" in answer.text


@pytest.mark.parametrize("when", ["then", "now"])
def test_a_page_that_was_not_read_whole_is_never_the_same(scene: Scene, when: str) -> None:
    """
    What was not read may be different.
    """
    show(scene, truncated=when == "then")
    save(scene)
    show(scene, truncated=when == "now")
    fields = answer_of(BASELINE, scene.context, {"action": "diff", "name": "cart"}).fields
    assert (fields["same"], fields["note"]) == (False, PARTIAL)


def test_the_saved_scope_is_looked_at_again(scene: Scene) -> None:
    """
    A part is compared with the same part; one that is gone is said to be.
    """
    show(scene)
    save(scene, scope="#cart")
    assert answer_of(BASELINE, scene.context, {"action": "diff", "name": "cart"}).fields["same"] is True
    assert scene.page.asked[-1] == Asked(CommandName.SNAPSHOT, {"scope": "#cart", "mode": "full"})
    show(scene, "", scopeMissing=True)
    assert refusal_of(BASELINE, scene.context, {"action": "diff", "name": "cart"}).code == "no_match"


def test_a_missing_baseline_names_those_that_are_there(scene: Scene) -> None:
    """
    A misspelt name is seen.
    """
    show(scene)
    save(scene)
    save(scene, "login")
    refusal = refusal_of(BASELINE, scene.context, {"action": "diff", "name": "card"})
    assert (refusal.code, refusal.details) == ("not_found", {"baselines": ["cart", "login"]})
    listed = answer_of(BASELINE, scene.context, {"action": "list"})
    assert (listed.fields, listed.text) == ({"baselines": ["cart", "login"]}, "cart\nlogin")


def test_a_registered_app_s_baseline_lies_in_its_project(scene: Scene) -> None:
    """
    Beside the code, where a person reviews it.
    """
    show(scene)
    scene.context.repositories.keep(a_repository("shop", ["http://localhost:8000"]))
    save(scene)
    assert list(scene.context.baselines.kept) == ["/src/shop/.reticle/baselines/cart.json"]


@pytest.mark.parametrize(
    "text", ["no json", "[]", '{"version": 9, "lines": []}', '{"version": 1, "lines": [7]}']
)
def test_a_damaged_baseline_is_not_compared(scene: Scene, text: str) -> None:
    """
    A file that was edited badly is no page without lines.
    """
    show(scene)
    scene.context.baselines.kept[PATH] = text
    assert refusal_of(BASELINE, scene.context, {"action": "diff", "name": "cart"}).code == "conflict"


@pytest.mark.parametrize("name", ["../cart", ".cart", "a/b", "", "x" * 101, "a\x00b"])
def test_a_name_is_no_path(name: str) -> None:
    """
    No name leads out of the folder of baselines.
    """
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"action": "save", "name": name}, BASELINE.arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "save"}, {"action": "diff"}, {"action": "list", "name": "cart"},
        {"action": "diff", "name": "a", "baseline": "b"}, {"action": "diff", "name": "a", "scope": "#x"},
        {"action": "save", "name": "a", "scope": "e5"},
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(scene: Scene, arguments: dict[str, object]) -> None:
    """
    Nothing is asked of the page, and nothing written.
    """
    assert refusal_of(BASELINE, scene.context, arguments).code == "bad_arguments"
    assert (scene.page.asked, scene.context.baselines.kept) == ([], {})


def test_a_page_that_is_too_large_is_saved_in_parts(scene: Scene) -> None:
    """
    It is refused with what to do.
    """
    show(scene, '- text "x"\n' * 200_000)
    refusal = refusal_of(BASELINE, scene.context, {"action": "save", "name": "cart"})
    assert (refusal.code, "scope" in str(refusal.recovery)) == ("bad_arguments", True)


def test_it_writes_a_file_and_acts_on_nothing() -> None:
    """
    Who may observe may keep what was observed.
    """
    assert (BASELINE.capability, BASELINE.acts, BASELINE.annotations.read_only) == (
        Capability.OBSERVE,
        False,
        False,
    )
