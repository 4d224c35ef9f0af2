"""
``reticle_tools`` and ``reticle_run``: find a tool that is not listed, and call it.

Both go through ``ports.CallContext``, so they show and run only what the principal may use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.ports import CallContext
from reticle.tools.fields import told
from reticle.tools.manual import NOTES, RETURNS
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

TOOLS_NAME = "reticle_tools"
RUN_NAME = "reticle_run"

NAMES_ASKED = 20
"""Tools described in one answer; all of them at once would fill an agent's context."""

_HOW_TO_GO_ON = (
    f"{TOOLS_NAME} with names describes tools in full; a tool that your list does not show is called "
    f"with {RUN_NAME}."
)
_SESSION = "sessionId"
_PREDICATE = "predicate"


class ToolsArguments(Arguments, frozen=True, kw_only=True):
    """
    Which tools to describe; none gives the list.
    """

    names: Annotated[
        Annotated[list[str], Meta(max_length=NAMES_ASKED)] | None,
        Meta(description="Tools to describe in full; without it every tool is listed."),
    ] = None


class RunArguments(Arguments, frozen=True, kw_only=True):
    """
    A call of another tool.
    """

    tool: Annotated[str, Meta(description="Name of the tool to call.")]
    args: Annotated[dict[str, object], Meta(description="Its arguments.")] = msgspec.field(
        default_factory=dict
    )
    sessionId: Annotated[str | None, Meta(description="Page to use, handed on where the tool takes one.")] = (
        None
    )


def meta_tools(predicate_grammar: Mapping[str, object] | str) -> Sequence[Tool]:
    """
    Both tools.

    Args:
        predicate_grammar: How predicates are written; shown with each tool that takes one.
    """

    async def describe(context: CallContext, arguments: ToolsArguments) -> ToolAnswer:
        """
        List or describe tools. Never refuses: an unknown name is said beside the known ones.
        """
        known = {str(shown["name"]): shown for shown in context.catalogue()}
        if not arguments.names:
            return _listed(known)
        described = [_described(known, name) for name in arguments.names]
        fields: dict[str, object] = {"tools": described}
        if any(_PREDICATE in _parameters(known[name]) for name in arguments.names if name in known):
            fields["predicateGrammar"] = predicate_grammar
        fields["next"] = _HOW_TO_GO_ON
        return ToolAnswer(fields)

    return (
        Tool(
            name=TOOLS_NAME,
            title="Describe tools",
            summary="Lists every tool, or describes the named ones in full with parameters and example.",
            arguments=ToolsArguments,
            capability=Capability.OBSERVE,
            annotations=ToolAnnotations(read_only=True, idempotent=True),
            run=describe,
            example={"names": ["reticle_assert"]},
        ),
        Tool(
            name=RUN_NAME,
            title="Run a tool by name",
            summary="Calls any tool by its name, also one that is not listed.",
            arguments=RunArguments,
            capability=Capability.OBSERVE,
            annotations=ToolAnnotations(read_only=False, destructive=True, open_world=True),
            run=run,
            example={"tool": "reticle_console", "args": {"limit": 5}},
        ),
    )


async def run(context: CallContext, arguments: RunArguments) -> ToolAnswer:
    """
    Call another tool and give its answer as it is; that call has an audit row of its own.

    Raises:
        Refusal: Whatever the tool or the gate raises; ``bad_arguments`` for ``reticle_run`` itself.
    """
    if arguments.tool == RUN_NAME:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{RUN_NAME} does not run itself. Nothing ran.",
            "Name the tool that you mean.",
        )
    args = dict(arguments.args)
    if arguments.sessionId is not None and _SESSION not in args:
        target = next((shown for shown in context.catalogue() if shown["name"] == arguments.tool), None)
        if target is not None and _SESSION in _parameters(target):
            args[_SESSION] = arguments.sessionId
    answer = await context.call(arguments.tool, args)
    return ToolAnswer(answer.fields, answer.text, answer.verdict_id)


def _listed(known: Mapping[str, Mapping[str, object]]) -> ToolAnswer:
    tools = [{"name": name, "summary": shown["summary"]} for name, shown in known.items()]
    lines = [f"{len(tools)} tools", *(f"{tool['name']}: {tool['summary']}" for tool in tools), _HOW_TO_GO_ON]
    return ToolAnswer({"total": len(tools), "tools": tools, "next": _HOW_TO_GO_ON}, text="\n".join(lines))


def _described(known: Mapping[str, Mapping[str, object]], name: str) -> dict[str, object]:
    shown = known.get(name)
    if shown is None:
        return {"name": name, "error": "there is no such tool"}
    described: dict[str, object] = {
        "name": name,
        "title": shown["title"],
        "description": shown["summary"],
        "advertised": shown["advertised"],
        "params": _described_parameters(shown),
        "example": shown["example"],
        **told(returns=RETURNS.get(name), notes=NOTES.get(name)),
    }
    if shown["outputSchema"] is not None:
        described["outputSchema"] = shown["outputSchema"]
    return described


def _described_parameters(shown: Mapping[str, object]) -> list[dict[str, object]]:
    schema = shown["inputSchema"]
    assert isinstance(schema, Mapping)
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "required": name in required,
            "description": parameter.get("description", ""),
            "schema": {key: item for key, item in parameter.items() if key != "description"},
        }
        for name, parameter in _parameters(shown).items()
    ]


def _parameters(shown: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    schema = shown["inputSchema"]
    assert isinstance(schema, Mapping)
    properties = schema["properties"]
    assert isinstance(properties, Mapping)
    return properties
