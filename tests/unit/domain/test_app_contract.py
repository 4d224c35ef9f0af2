"""
An app's contract: its file, and what is different later.
"""

from __future__ import annotations

import json

import attrs
import pytest

from reticle.domain.app_contract import (
    contract_of,
    contract_text,
    difference,
    joined,
    parse_contract,
)

SAID = {
    "testids": ["save", "cancel", "save", 7], "signals": ["order.placed"], "stores": [],
    "flows": [{"name": "pay", "steps": ["card"]}, {"name": "login", "steps": []}, "odd", {"steps": []}],
    "governance": {"owner": "shop"},
}  # fmt: skip


def test_the_file_is_sorted_and_read_back_as_it_was() -> None:
    """
    Two saves of one app give one text, whatever the order in which it told its names.
    """
    contract = attrs.evolve(contract_of(SAID), generated_at="2026-01-02T03:04:05Z")
    text = contract_text(contract)
    assert parse_contract(text) == contract
    assert contract_text(contract_of({**SAID, "testids": ["cancel", "save"]}, contract.generated_at)) == text
    fields = json.loads(text)
    assert list(fields) == ["capabilities", "generatedAt", "version"]
    assert fields["capabilities"]["testids"] == ["cancel", "save"]
    assert [flow["name"] for flow in fields["capabilities"]["flows"]] == ["login", "pay"]
    assert "governance" not in contract_of({}).capabilities


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 2, "capabilities": {}}', '{"version": 1}',
     '{"version": 1, "capabilities": {"testids": "save"}}', '{"version": 1, "capabilities": {"flows": {}}}'],
)  # fmt: skip
def test_a_file_of_another_kind_is_no_contract(text: str) -> None:
    """
    Nothing is called missing because a file could not be read.
    """
    assert parse_contract(text) is None


def test_what_went_and_what_came_is_told_by_kind() -> None:
    """
    A renamed test id is one that is missing and one that is new; a flow with other steps is changed.
    """
    flows = [{"name": "pay", "steps": ["cash"]}]
    now = contract_of({**SAID, "testids": ["store", "cancel"], "flows": flows, "governance": {}})
    found = difference(contract_of(SAID), now)
    assert found.missing == {"testids": ["save"], "signals": [], "stores": [], "flows": ["login"]}
    assert found.added == {"testids": ["store"], "signals": [], "stores": [], "flows": []}
    assert (found.changed, found.governance) == (["pay"], True)
    same = difference(now, now)
    assert not any([*same.missing.values(), *same.added.values(), same.changed, same.governance])


def test_routes_add_up() -> None:
    """
    What another route brought stays, and the newer word on a flow counts.
    """
    newer = {"testids": ["pay"], "flows": [{"name": "pay", "steps": []}]}
    both = joined(contract_of(SAID), contract_of(newer))
    assert both.names["testids"] == ["cancel", "pay", "save"]
    assert both.flows == [{"name": "login", "steps": []}, {"name": "pay", "steps": []}]
    assert both.governance == {"owner": "shop"}
