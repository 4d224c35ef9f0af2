"""
The stores of an app.
"""

from __future__ import annotations

import pytest

from reticle.model.codes import CommandName
from reticle.model.limits import ANSWER_CHARS
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.state import TOOLS

STATE = TOOLS[0]


def test_all_stores_are_given(scene: Scene) -> None:
    """
    Without a path the answer holds every store and its name.
    """
    scene.page.answer(CommandName.STATE_READ, {"stores": {"cart": {"total": 0}}, "storeNames": ["cart"]})
    answer = answer_of(STATE, scene.context, {"depth": 2})
    assert answer.fields == {"stores": {"cart": {"total": 0}}, "storeNames": ["cart"]}
    assert scene.page.asked == [Asked(CommandName.STATE_READ, {"depth": 2})]


def test_a_value_is_given_as_it_is(scene: Scene) -> None:
    """
    0, false, null and an empty list are values, not missing ones.
    """
    values: tuple[object, ...] = (0, False, None, [], "")
    for value in values:
        scene.page.answer(
            CommandName.STATE_READ, {"found": True, "value": value, "store": "cart", "path": "n"}
        )
        fields = answer_of(STATE, scene.context, {"store": "cart", "path": "n"}).fields
        assert fields == {"found": True, "value": value, "store": "cart", "path": "n"}


def test_a_miss_names_what_is_there(scene: Scene) -> None:
    """
    A wrong path comes back with the keys that exist.
    """
    scene.page.answer(
        CommandName.STATE_READ,
        {"found": False, "store": "cart", "path": "totl", "availableKeys": ["total"], "totalKeys": 1,
         "storeNames": ["cart"]},
    )  # fmt: skip
    fields = answer_of(STATE, scene.context, {"path": "totl"}).fields
    assert fields == {
        "found": False, "store": "cart", "path": "totl", "availableKeys": ["total"], "totalKeys": 1,
        "storeNames": ["cart"],
    }  # fmt: skip


def test_an_app_without_stores_is_told_how_to_register_one(scene: Scene) -> None:
    """
    Nothing to read is explained, with the call that changes it.
    """
    scene.page.answer(CommandName.STATE_READ, {"stores": {}, "storeNames": []})
    assert "registerStore" in str(answer_of(STATE, scene.context, {}).fields["note"])
    scene.page.answer(CommandName.STATE_READ, {"found": False, "storeNames": []})
    assert "registerStore" in str(answer_of(STATE, scene.context, {"store": "x"}).fields["note"])


def test_a_value_that_is_too_large_is_replaced_by_its_keys(scene: Scene) -> None:
    """
    A huge store does not flood the agent: it learns the keys to ask for.
    """
    large = {"items": ["x" * 100] * (ANSWER_CHARS // 100), "total": 1}
    scene.page.answer(CommandName.STATE_READ, {"found": True, "value": large, "store": "cart"})
    fields = answer_of(STATE, scene.context, {"store": "cart"}).fields
    assert "value" not in fields
    assert (fields["truncated"], fields["availableKeys"], fields["totalKeys"]) == (
        True,
        ["items", "total"],
        2,
    )
    assert "with path" in str(fields["note"])


def test_a_path_in_several_stores_is_ambiguous(scene: Scene) -> None:
    """
    Where two stores have the path, both are named instead of one being guessed.
    """
    scene.page.answer(
        CommandName.STATE_READ, {"found": False, "ambiguous": ["a", "b"], "storeNames": ["a", "b"]}
    )
    fields = answer_of(STATE, scene.context, {"path": "total"}).fields
    assert (fields["found"], fields["ambiguous"]) == (False, ["a", "b"])


def test_a_component_s_own_state_is_read_by_ref(scene: Scene) -> None:
    """
    What a component keeps for itself is given with its hooks; one that keeps nothing says why.
    """
    hooks = [{"kind": "state", "value": 3}]
    scene.page.answer(
        CommandName.STATE_READ,
        {"component": {"ok": True, "component": "Counter", "hooks": hooks}, "storeNames": ["cart"]},
    )
    fields = answer_of(STATE, scene.context, {"ref": "e4"}).fields
    assert fields == {
        "found": True, "component": {"component": "Counter", "hooks": hooks}, "storeNames": ["cart"],
    }  # fmt: skip
    assert scene.page.asked == [Asked(CommandName.STATE_READ, {"ref": "e4"})]
    reason = "component-state-unavailable"
    scene.page.answer(
        CommandName.STATE_READ, {"component": {"ok": False, "reason": reason}, "storeNames": []}
    )
    assert answer_of(STATE, scene.context, {"ref": "e4"}).fields == {"found": False, "reason": reason}


@pytest.mark.parametrize("more", [{"store": "cart"}, {"path": "a"}, {"depth": 1}, {"ref": "#a"}])
def test_a_ref_goes_with_nothing_else(scene: Scene, more: dict[str, object]) -> None:
    """
    A call that could mean two things, or a selector in the place of a ref, is refused.
    """
    assert refusal_of(STATE, scene.context, {"ref": "e4", **more}).code == "bad_arguments"
    assert scene.page.asked == []


def test_a_store_that_nobody_registered_is_marked(scene: Scene) -> None:
    """
    What was found without the app's help is told as such, as a whole and by path.
    """
    scene.page.answer(
        CommandName.STATE_READ, {"stores": {"redux": {}}, "storeNames": ["redux"], "discovered": ["redux"]}
    )
    assert answer_of(STATE, scene.context, {}).fields["discovered"] == ["redux"]
    scene.page.answer(
        CommandName.STATE_READ, {"found": True, "value": 1, "store": "redux", "path": "n", "discovered": True}
    )
    assert answer_of(STATE, scene.context, {"path": "n"}).fields["discovered"] is True


def test_a_component_out_of_reach_says_why(scene: Scene) -> None:
    """
    A framework that shows its state to nobody is named, not passed off as an empty component.
    """
    component = {"ok": False, "reason": "component-state-unavailable", "note": "Svelte keeps it"}
    scene.page.answer(CommandName.STATE_READ, {"component": component, "storeNames": []})
    fields = answer_of(STATE, scene.context, {"ref": "e1"}).fields
    assert fields == {"found": False, "reason": "component-state-unavailable", "note": "Svelte keeps it"}
