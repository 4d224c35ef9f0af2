"""
What a tool is: its declaration, its arguments, its answer.

The gate (``reticle.dispatch.gate``) is the only caller of ``Tool.run``.
The published input schema is made from ``Tool.arguments``, so the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

import attrs
import msgspec

from reticle.model.codes import Capability, Exposure, RepositoryScope, TaskSupport, Toolset
from reticle.model.content import ContentBlock
from reticle.model.ids import VerdictId
from reticle.ports import CallContext, Pages


class Arguments(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    The base of every tool's arguments: unknown names are refused, not ignored.

    Fields carry ``msgspec.Meta(description=…)``; the first sentence is what agents read.
    Names are the wire's (``sessionId``, ``timeout_ms``).
    ``told_in_summary`` names fields that the tool's summary explains, so that the list need not.
    """

    told_in_summary: ClassVar[frozenset[str]] = frozenset()


class BroughtArguments(Arguments, frozen=True, kw_only=True):
    """
    Stands for the arguments of a tool that brings its own schema (``Tool.brought_schema``): its ``run`` gets
    them as a plain dictionary.
    """


@attrs.frozen
class ToolAnnotations:
    """
    Hints for clients (MCP 2025-03-26 and later).
    """

    read_only: bool
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


class ToolAnswer(msgspec.Struct, frozen=True):
    """
    What a tool gives back; see ``ports.Answer``.
    """

    fields: Mapping[str, object]
    text: str | None = None
    verdict_id: VerdictId | None = None
    actions: int = 0
    blocks: Sequence[ContentBlock] = ()


@attrs.frozen
class Tool:
    """
    One callable tool.

    ``summary`` is one sentence of at most 160 characters. ``example`` is a valid arguments object, shown
    when arguments are refused. ``advertised`` puts it into ``tools/list``; others are reached through
    ``reticle_run``. ``advertised_while`` lists it only while that is true of the connected pages;
    ``advertised_with`` also for whoever has that capability, because their work asks for it.
    ``output`` is a JSON schema of the answer's fields, or None.
    ``acts`` says that it acts on a page, which the gate refuses while a person has paused that page.
    ``brought_schema`` is a JSON schema that is not ours: it is published as it is, arguments are held to it,
    and ``arguments`` is ``BroughtArguments``.
    ``task_support`` says whether it may, or must, run as a task of the tasks extension (MCP 2026-07-28);
    with ``asks_first`` its questions come before the task and not inside it.
    ``ends_with_connection`` says that it waits for its client alone: once the connection is gone it is
    stopped, also where others go on.
    ``run`` gets an instance of ``arguments`` and raises ``Refusal`` for whatever it will not do.
    """

    name: str
    title: str
    summary: str
    arguments: type[Arguments]
    capability: Capability | None
    annotations: ToolAnnotations
    run: Callable[[CallContext, Any], Awaitable[ToolAnswer]]
    example: Mapping[str, object] = attrs.field(factory=dict)
    bears_verdict: bool = False
    advertised: bool = True
    acts: bool = False
    output: Mapping[str, object] | None = None
    advertised_while: Callable[[Pages], bool] | None = None
    advertised_with: Capability | None = None
    brought_schema: Mapping[str, object] | None = None
    task_support: TaskSupport = TaskSupport.FORBIDDEN
    asks_first: bool = False
    scope: RepositoryScope = RepositoryScope.PAGE
    toolset: Toolset = Toolset.VERIFY
    exposure: Exposure = Exposure.LISTED
    mutates: bool = False
    ends_with_connection: bool = False
