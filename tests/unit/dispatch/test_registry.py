"""
The table of tools.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.dispatch.grants import Sight
from reticle.dispatch.registry import Registry, nearest
from reticle.errors import LocalMisuse
from reticle.model.codes import Capability
from reticle.testing.gate import EchoArguments, scripted_tool

OBSERVER = Sight.of({Capability.OBSERVE})


def test_names_are_found_also_with_underscores() -> None:
    """
    A host that rewrites dots reaches the same tool.
    """
    registry = Registry([scripted_tool("work.claim", None), scripted_tool("reticle_act", None)])
    dotted = registry.find("work.claim")
    assert dotted is not None
    assert registry.find("work_claim") is dotted
    assert registry.find("reticle_act") is not dotted
    assert registry.find("reticle.act") is None
    assert registry.find("") is None


def test_what_cannot_be_a_table_is_refused_at_start() -> None:
    """
    Two tools of one name, bad names, too many listed ones and wrong examples never reach a client.
    """
    one = scripted_tool("a", None)
    with pytest.raises(LocalMisuse):
        Registry([one, one])
    with pytest.raises(LocalMisuse):
        Registry([scripted_tool("a b", None)])
    with pytest.raises(LocalMisuse):
        Registry([attrs.evolve(scripted_tool("a", None, EchoArguments), example={"text": 7})])
    twenty = [scripted_tool(f"t{number}", None) for number in range(20)]
    with pytest.raises(LocalMisuse):
        Registry([*twenty, one])
    assert len(Registry([*twenty, one], advertised=21).usable(OBSERVER)) == 21
    hidden = scripted_tool("a", None, advertised=False)
    assert len(Registry([*twenty, hidden]).usable(OBSERVER)) == 21


def test_only_what_is_granted_is_usable() -> None:
    """
    A principal without a capability does not see its tools.
    """
    registry = Registry([scripted_tool("a", None), scripted_tool("b", None, capability=Capability.DRIVE)])
    assert [entry.tool.name for entry in registry.usable(Sight.of({Capability.DRIVE}))] == ["b"]
    assert registry.usable(Sight.of(frozenset())) == []


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("reticle_nope", None),
        ("reticle_asert", "reticle_assert"),
        ("RETICLE_ACT", "reticle_act"),
        ("zzz", None),
        ("x" * 10_000, None),
    ],
)
def test_spelling(word: str, near: str | None) -> None:
    """
    A misspelt name finds the one that was meant, nonsense finds none.
    """
    assert nearest(word, ["reticle_assert", "reticle_act"]) == near
