"""
``workflow.validate`` and ``workflow.init``: authoring of workflows, which is for people at their shell. To
agents they are hidden, whatever their token may do (second seed, "Tool Calls"); nothing of them runs here.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.errors import LocalMisuse
from reticle.model.codes import Capability, Exposure, RepositoryScope, Toolset
from reticle.model.limits import PATH_CHARS, PEER_NAME_CHARS
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class WorkflowArguments(Arguments, frozen=True, kw_only=True):
    """
    A workflow of a repository.
    """

    repository_id: Annotated[
        Annotated[str, Meta(max_length=PEER_NAME_CHARS)], Meta(description="The repository.")
    ]
    path: Annotated[
        Annotated[str, Meta(max_length=PATH_CHARS)] | None, Meta(description="The workflow's file.")
    ] = None


async def never(_: CallContext, __: WorkflowArguments) -> ToolAnswer:
    """
    The gate refuses before this.

    Raises:
        LocalMisuse: Always.
    """
    raise LocalMisuse("a hidden method was run")


def _hidden(name: str, title: str, summary: str, capability: Capability) -> Tool:
    return Tool(
        name=f"workflow.{name}",
        title=title,
        summary=summary,
        arguments=WorkflowArguments,
        capability=capability,
        annotations=ToolAnnotations(read_only=capability is Capability.READ),
        run=never,
        example={"repository_id": "repo_0123456789abcdef"},
        scope=RepositoryScope.SINGLE_REPO,
        toolset=Toolset.WORK,
        exposure=Exposure.HIDDEN,
        mutates=capability is Capability.WRITE,
    )


TOOLS: tuple[Tool, ...] = (
    _hidden("validate", "Check a workflow", "Checks a workflow of a repository.", Capability.READ),
    _hidden("init", "Begin a workflow", "Writes a first workflow into a repository.", Capability.WRITE),
)
