"""
Invariants of a project: declared by a tool, in a file that people read, judged with each action.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from reticle.model.codes import CommandName, EventType
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import Scene, answer_of, refusal_of, start_call
from reticle.tools.act_and_wait import TOOLS as ACTING
from reticle.tools.assertion import TOOLS as ASSERTING
from reticle.tools.invariants import TOOLS

(TOOL,) = TOOLS
PATH = "/src/shop/.reticle/invariants.json"
SETTINGS = "/src/shop/reticle.toml"
QUIET = {"kind": "console", "level": "error", "absent": True}
ADD = {"action": "add", "name": "no-errors", "predicate": QUIET}


@pytest.fixture(name="shop")
def shop_fixture(scene: Scene) -> Scene:
    """
    A page of a registered project.
    """
    scene.context.repositories.keep(a_repository("shop", ["http://localhost:8000"]))
    return scene


def names(scene: Scene) -> list[tuple[object, object]]:
    listed = answer_of(TOOL, scene.context, {}).fields["invariants"]
    assert isinstance(listed, list)
    return [(one["name"], one["source"]) for one in listed]


def test_what_is_added_lies_in_the_project_until_it_is_removed(shop: Scene) -> None:
    """
    A person finds the file and reads it; the settings' own are listed beside it.
    """
    assert names(shop) == []
    shop.context.app_contracts.kept[SETTINGS] = (
        '[[invariant]]\nname = "at-home"\npredicate = {kind = "route", contains = "/"}\n'
    )
    fields = answer_of(TOOL, shop.context, ADD).fields
    assert fields["path"] == PATH
    assert json.loads(shop.context.app_contracts.kept[PATH]) == {
        "version": 1, "invariants": [{"name": "no-errors", "predicate": QUIET}],
    }  # fmt: skip
    assert names(shop) == [("at-home", "settings"), ("no-errors", "project")]
    answer_of(TOOL, shop.context, {"action": "remove", "name": "no-errors"})
    assert names(shop) == [("at-home", "settings")]


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"action": "add", "name": "x"}, "bad_arguments"),
    ({"action": "add", "predicate": QUIET}, "bad_arguments"),
    ({"action": "list", "name": "x"}, "bad_arguments"),
    ({"action": "remove", "name": "x", "predicate": QUIET}, "bad_arguments"),
    ({"action": "remove", "name": "x"}, "not_found"),
    ({"action": "add", "name": "x", "predicate": {"kind": "net"}}, "bad_predicate"),
    ({"action": "add", "name": "x", "predicate": {"kind": "consol"}}, "bad_predicate"),
]


@pytest.mark.parametrize(("arguments", "code"), REFUSED)
def test_a_half_or_wrong_call_writes_nothing(shop: Scene, arguments: dict[str, object], code: str) -> None:
    """
    The file is as it was.
    """
    assert refusal_of(TOOL, shop.context, arguments).code == code
    assert shop.context.app_contracts.kept == {}


def test_a_file_that_people_broke_is_told_and_left_alone(shop: Scene) -> None:
    """
    Nothing is written over what a person still has to mend.
    """
    shop.context.app_contracts.kept[PATH] = "{"
    listed = answer_of(TOOL, shop.context, {}).fields["invariants"]
    assert isinstance(listed, list)
    assert "cannot be read" in listed[0]["fault"]
    assert refusal_of(TOOL, shop.context, ADD).code == "conflict"
    odd = json.dumps({"version": 1, "invariants": [{"name": "a", "predicate": {}}]})
    shop.context.app_contracts.kept[PATH] = odd
    assert refusal_of(TOOL, shop.context, ADD).code == "conflict"
    assert shop.context.app_contracts.kept[PATH] == odd


def test_a_page_of_no_project_has_none_and_gets_none(scene: Scene) -> None:
    """
    There is no place for them.
    """
    assert names(scene) == []
    assert refusal_of(TOOL, scene.context, ADD).code == "repo_not_registered"


def acted(scene: Scene, *, error: bool) -> Mapping[str, object]:
    """
    The verdict on a click that sends an order, and may write an error to the console.
    """

    def act(_: Mapping[str, object]) -> object:
        order = {"id": "n1", "method": "POST", "url": "/api/orders", "initiator": "fetch"}
        scene.page.record(EventType.NET_PENDING, order)
        scene.page.record(EventType.NET_REQUEST, {**order, "status": 201, "ok": True, "responseBody": "{}"})
        scene.page.record(EventType.DOM_ADDED, {"role": "status", "name": "", "text": "Saved"}, ref="e9")
        if error:
            scene.page.record(EventType.CONSOLE_ERROR, {"message": "boom"})
        effect = {"dispatched": True, "domMutatedWithin": 1}
        return {"ok": True, "ref": "e5", "action": "click", "role": "button", "name": "Pay", "effect": effect}

    scene.page.answer(CommandName.ACT, act)
    until = {"kind": "net", "method": "POST", "ok": True}
    call = start_call(ACTING[0], scene.context, {"action": "click", "ref": "e5", "until": until})
    for _ in range(200):
        scene.clock.advance(0.05)
    answer = call.result
    assert not isinstance(answer, BaseException)
    fields: Mapping[str, object] = answer.fields  # type: ignore[attr-defined]  # a tool's answer
    return fields


def test_each_action_is_judged_by_them(shop: Scene) -> None:
    """
    The order was taken, and the console has an error that must never be there: no.
    """
    answer_of(TOOL, shop.context, ADD)
    assert acted(shop, error=False)["verified"] == "yes"
    fields = acted(shop, error=True)
    assert (fields["verified"], fields["verifiedReason"]) == ("no", "contradicted")
    assert "no-errors" in str(fields["because"])


@pytest.mark.parametrize("error", [False, True])
def test_a_claim_put_after_an_action_is_judged_by_them(shop: Scene, *, error: bool) -> None:
    """
    Whoever acts with one call and asserts with the next is told as well.
    """
    answer_of(TOOL, shop.context, ADD)
    action = shop.page.begin_action()
    shop.page.record(EventType.SIGNAL, {"name": "saved"})
    if error:
        shop.page.record(EventType.CONSOLE_ERROR, {"message": "boom"})
    shop.page.end_action(action)
    claim = {"predicate": {"kind": "signal", "name": "saved"}, "timeout_ms": 0}
    fields = answer_of(ASSERTING[0], shop.context, claim).fields
    assert fields["verified"] == ("no" if error else "yes")
    assert ("no-errors" in str(fields["because"])) is error


def test_what_the_app_declares_itself_is_judged_too(scene: Scene) -> None:
    """
    Also where the page is of no project; one that is no invariant is named.
    """
    said = (
        json.dumps({"name": "quiet", "predicate": QUIET}),
        json.dumps({"name": "odd", "predicate": {}}),
        "{",
    )
    scene.page.declare(*said)
    listed = answer_of(TOOL, scene.context, {}).fields["invariants"]
    assert isinstance(listed, list)
    assert [(one["name"], one["source"], "fault" in one) for one in listed] == [
        ("quiet", "app", False),
        ("odd", "app", True),
        ("?", "app", True),
    ]
    assert acted(scene, error=True)["verifiedReason"] == "contradicted"
