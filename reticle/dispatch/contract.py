"""
Every method as the contract file has it: ``contracts/daemon_methods.json`` is written from this, and
``daemon.describe`` answers it (second seed, "Tool Calls").
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from reticle.mcp.strict_json import encode
from reticle.tools.spec import Tool

CONTRACT_VERSION: Final = 1
"""Of the file's form and of each method's parameters; a change that breaks a client of them makes it 2."""

AUDIT_CLASS: Final = "metadata"
"""What a row keeps of the arguments of any method: a hash, never the arguments."""


def contract_of(tools: Sequence[Tool]) -> Mapping[str, object]:
    """
    The whole contract: methods by name, and a tag that changes with any of them.
    """
    methods = [_method(tool) for tool in sorted(tools, key=lambda tool: tool.name)]
    tag = hashlib.sha256(encode(methods)).hexdigest()
    return {"schema_version": CONTRACT_VERSION, "methods_etag": f"sha256:{tag}", "methods": methods}


def _method(tool: Tool) -> Mapping[str, object]:
    return {
        "method": tool.name,
        "required_capability": None if tool.capability is None else tool.capability.value,
        "repository_scope_mode": tool.scope.value,
        "toolset": tool.toolset.value,
        "exposure": tool.exposure.value,
        "advertised": tool.advertised,
        "mutates": tool.mutates,
        "params_schema_version": CONTRACT_VERSION,
        "audit_class": AUDIT_CLASS,
        "min_envelope": CONTRACT_VERSION,
        "deprecated": tool.exposure.value == "deprecated",
    }
