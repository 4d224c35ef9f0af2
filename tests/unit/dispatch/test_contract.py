"""
The contract that is made from the table of tools.
"""

from __future__ import annotations

import attrs

from reticle.dispatch.contract import contract_of
from reticle.model.codes import Capability, Exposure
from reticle.testing.gate import scripted_tool


def test_a_method_is_told_with_all_that_a_client_decides_by() -> None:
    """
    Whoever reads the contract knows what a method needs and where it is for, without a call.
    """
    old = attrs.evolve(scripted_tool("b.old", None), capability=None, exposure=Exposure.DEPRECATED)
    contract = contract_of([old, scripted_tool("a", None, capability=Capability.DRIVE)])
    assert contract["schema_version"] == 1
    assert contract["methods"] == [
        {
            "method": "a",
            "required_capability": "drive",
            "repository_scope_mode": "page",
            "toolset": "verify",
            "exposure": "listed",
            "advertised": True,
            "mutates": False,
            "params_schema_version": 1,
            "audit_class": "metadata",
            "min_envelope": 1,
            "deprecated": False,
        },
        {
            "method": "b.old",
            "required_capability": None,
            "repository_scope_mode": "page",
            "toolset": "verify",
            "exposure": "deprecated",
            "advertised": True,
            "mutates": False,
            "params_schema_version": 1,
            "audit_class": "metadata",
            "min_envelope": 1,
            "deprecated": True,
        },
    ]


def test_the_tag_changes_with_any_method() -> None:
    """
    A client that kept the tag notices another surface, and not another order of it.
    """
    one, two = scripted_tool("a", None), scripted_tool("b", None)
    tag = contract_of([one, two])["methods_etag"]
    assert contract_of([two, one])["methods_etag"] == tag
    assert contract_of([one, attrs.evolve(two, mutates=True)])["methods_etag"] != tag
