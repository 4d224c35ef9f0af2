"""
A plan from a file of the repository.
"""

from __future__ import annotations

import json

import pytest

from reticle.testing.toolcalls import answer_of
from tests.unit.tools.work.shop import ROOT, SHOP, TOOLS, Shop, refused

TOML = """
title = "Cart"

[roles.maker]
slots = 3

[[jobs]]
id = "fix"
role = "maker"
prompt = "Make it count."
"""
PLAN = {"title": "Cart", "roles": {"maker": {"slots": 3}}, "jobs": [{"id": "fix", "role": "maker"}]}


def prepare(shop: Shop, path: str) -> dict[str, object]:
    """
    What the call is answered.
    """
    asked = {"repository_id": SHOP, "workflow": path}
    return dict(answer_of(TOOLS["run.prepare"], shop.operator, asked).fields)


@pytest.mark.parametrize(("name", "text"), [("plan.toml", TOML), ("plan.JSON", json.dumps(PLAN))])
def test_a_plan_may_be_a_file(name: str, text: str) -> None:
    """
    A plan that people review in the repository is run as it stands there.
    """
    shop = Shop()
    shop.trees.write(ROOT, name, text)
    made = prepare(shop, name)
    assert (made["jobs"], made["roles"]) == (1, {"maker": {"slots": 3, "reviewer": False}})
    asked = {"repository_id": SHOP, "run_id": made["run_id"]}
    shown = answer_of(TOOLS["run.detail"], shop.operator, asked).fields
    assert (shown["title"], shown["source"]) == ("Cart", name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plan.yaml", "jobs: []"),
        ("plan.toml", "jobs = ["),
        ("plan.json", "{"),
        ("plan.json", "[" * 100_000),
        ("plan.toml", "jobs = " + "[" * 100_000),
        ("plan.toml", '[[jobs]]\nid = "a"\nrole = "x"\nwrite_scope = { forbiden_paths = ["k"] }'),
        ("plan.json", '{"jobs": [{"id": 1, "role": "x"}]}'),
        ("plan.json", '{"steps": []}'),
    ],
)
def test_a_file_that_is_no_plan_is_refused(name: str, text: str) -> None:
    """
    A broken plan says what is wrong with it and by which file.
    """
    shop = Shop()
    shop.trees.write(ROOT, name, text)
    refusal = refused(prepare, shop, name)
    assert refusal.code == "workflow_error"
    assert name in refusal.message


def test_a_file_that_is_not_there_is_refused() -> None:
    """
    A plan's name that leads nowhere prepares nothing.
    """
    for name in ("plan.toml", "../plan.toml"):
        refusal = refused(prepare, Shop(), name)
        assert (refusal.code, name in refusal.message) == ("workflow_error", True)
