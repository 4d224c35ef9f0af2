"""
What each side of a handshake can do: the client's declaration read, ours written.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from reticle.mcp.versions import Revision
from reticle.model.mcp import ClientCapabilities

TASKS_EXTENSION = "io.modelcontextprotocol/tasks"


@attrs.frozen
class Offered:
    """
    What this server has, beside tools. ``…_changes``: it tells when that list changes.
    """

    tools_changes: bool = False
    resources: bool = False
    resources_changes: bool = False
    prompts: bool = False
    prompts_changes: bool = False
    completions: bool = False
    logging: bool = False


def client_capabilities(capabilities: object) -> ClientCapabilities:
    """
    What a client says that it can do, from ``capabilities`` of ``initialize`` or of a request's ``_meta``.

    A declaration of another form declares nothing. An elicitation without modes means forms
    (MCP 2025-11-25 "Elicitation", which keeps 2025-06-18's empty object).
    """
    told = capabilities if isinstance(capabilities, Mapping) else {}
    elicitation = told.get("elicitation")
    modes = elicitation if isinstance(elicitation, Mapping) else {}
    extensions = told.get("extensions")
    return ClientCapabilities(
        elicitation_form=isinstance(elicitation, Mapping) and ("form" in modes or "url" not in modes),
        elicitation_url="url" in modes,
        sampling=isinstance(told.get("sampling"), Mapping),
        roots=isinstance(told.get("roots"), Mapping),
        tasks=isinstance(extensions, Mapping) and TASKS_EXTENSION in extensions,
    )


def server_capabilities(offered: Offered, revision: Revision) -> dict[str, object]:
    """
    The ``capabilities`` of our answer, as the revision knows them.
    """
    told: dict[str, object] = {"tools": {"listChanged": offered.tools_changes}}
    if offered.resources:
        told["resources"] = {"subscribe": True, "listChanged": offered.resources_changes}
    if offered.prompts:
        told["prompts"] = {"listChanged": offered.prompts_changes}
    if offered.completions and revision.completions:
        told["completions"] = {}
    if offered.logging:
        told["logging"] = {}
    return told
