"""
What an app declares, written into its project and compared later.
"""

from __future__ import annotations

import json

import attrs
import pytest

from reticle.model.codes import CommandName
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.app_contract import OTHER_PLACES, PART_OF_PAGE, TOOLS

SAVE, CHECK = TOOLS
PATH = "/src/shop/.reticle/contract.json"


def declare(scene: Scene, *testids: str, **more: object) -> None:
    """
    Let the app say so.
    """
    said = {"testids": list(testids), "signals": ["order.placed"], "stores": ["cart"], "flows": []}
    scene.page.answer(CommandName.CAPABILITIES, {**said, **more})


@pytest.fixture(name="shop")
def shop_fixture(scene: Scene) -> Scene:
    """
    A page of a registered project.
    """
    scene.context.repositories.keep(a_repository("shop", ["http://localhost:8000"]))
    declare(scene, "save", "cancel")
    return scene


def test_a_contract_is_written_into_the_project_of_the_page(shop: Scene) -> None:
    """
    With a count of each kind; saved again it stays as it was, with its time.
    """
    fields = answer_of(SAVE, shop.context, {}).fields
    assert {name: fields[name] for name in ("saved", "path", "testidCount", "signalCount")} == {
        "saved": True, "path": PATH, "testidCount": 2, "signalCount": 1,
    }  # fmt: skip
    kept = json.loads(shop.context.app_contracts.kept[PATH])
    assert (kept["version"], kept["capabilities"]["testids"]) == (1, ["cancel", "save"])
    assert kept["generatedAt"] == fields["generatedAt"]
    before = shop.context.app_contracts.kept[PATH]
    shop.clock.advance(60)
    assert answer_of(SAVE, shop.context, {}).fields["unchanged"] is True
    assert shop.context.app_contracts.kept[PATH] == before


def test_what_is_missing_or_new_is_named(shop: Scene) -> None:
    """
    A test id that the app lost, and one that it got.
    """
    answer_of(SAVE, shop.context, {})
    same = answer_of(CHECK, shop.context, {}).fields
    assert (same["same"], same["missing"], same["added"], "note" in same) == (True, {}, {}, False)
    declare(shop, "cancel", "store", flows=[{"name": "pay", "steps": []}], governance={"owner": "x"})
    fields = answer_of(CHECK, shop.context, {}).fields
    assert (fields["same"], fields["missing"]) == (False, {"testids": ["save"]})
    assert fields["added"] == {"testids": ["store"], "flows": ["pay"]}
    assert (fields["governanceChanged"], fields["note"]) == (True, OTHER_PLACES)


def test_another_route_adds_to_it_when_asked(shop: Scene) -> None:
    """
    Without merge the newer page alone is written.
    """
    answer_of(SAVE, shop.context, {})
    declare(shop, "pay")
    assert answer_of(SAVE, shop.context, {"merge": True}).fields["testidCount"] == 3
    assert answer_of(SAVE, shop.context, {}).fields["testidCount"] == 1


def test_a_page_that_told_a_part_is_never_the_same(shop: Scene) -> None:
    """
    What was not told may be missing.
    """
    declare(shop, "save", truncated=True)
    assert answer_of(SAVE, shop.context, {}).fields["note"] == PART_OF_PAGE
    fields = answer_of(CHECK, shop.context, {}).fields
    assert (fields["same"], fields["note"]) == (False, PART_OF_PAGE)


def test_long_lists_are_counted(shop: Scene) -> None:
    """
    A hundred names are shown of more.
    """
    declare(shop, *[f"row-{n}" for n in range(120)])
    answer_of(SAVE, shop.context, {})
    declare(shop)
    fields = answer_of(CHECK, shop.context, {}).fields
    assert fields["totals"] == {"missing.testids": 120}


def test_a_page_of_no_project_writes_nothing(scene: Scene) -> None:
    """
    Not into the folder that the daemon runs in either.
    """
    declare(scene, "save")
    refusals = [refusal_of(tool, scene.context, {}) for tool in TOOLS]
    assert [refusal.code for refusal in refusals] == ["repo_not_registered"] * 2
    assert scene.context.app_contracts.kept == {}
    assert "--origin http://localhost:8000" in refusals[0].recovery


def test_a_page_that_did_not_load_has_no_folder_to_register(scene: Scene) -> None:
    """
    Where the app did not answer, the advice is to load it, and not to register an address that is none.
    """
    scene.page._identity = attrs.evolve(scene.page.identity, url="chrome-error://chromewebdata/")
    refusal = refusal_of(SAVE, scene.context, {})
    assert (refusal.code, "null" in refusal.message) == ("repo_not_registered", False)
    assert "load the page again" in refusal.recovery


@pytest.mark.parametrize("named", ["other", "unknown"])
def test_a_page_of_two_projects_writes_neither_s(shop: Scene, named: str) -> None:
    """
    One that names a project at the address of another, be it registered or not.
    """
    shop.context.repositories.keep(a_repository("other"))
    shop.page._identity = attrs.evolve(shop.page.identity, project_id=named)
    refusal = refusal_of(SAVE, shop.context, {})
    assert refusal.code == "conflict"
    assert "'shop'" in refusal.message
    assert shop.context.app_contracts.kept == {}


def test_without_a_readable_contract_there_is_nothing_to_compare(shop: Scene) -> None:
    """
    A missing file and a damaged one are told apart, and merging does not throw the damaged one away.
    """
    assert refusal_of(CHECK, shop.context, {}).code == "not_found"
    shop.context.app_contracts.kept[PATH] = "{"
    assert refusal_of(CHECK, shop.context, {}).code == "conflict"
    assert refusal_of(SAVE, shop.context, {"merge": True}).code == "conflict"
    assert answer_of(SAVE, shop.context, {}).fields["saved"] is True
