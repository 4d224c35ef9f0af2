"""
``reticle_snapshot``: the page as a reader hears it, whole or as the difference to this agent's last look.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal

import attrs
import msgspec
from msgspec import Meta

from reticle.domain.outline import condense
from reticle.model.codes import Capability, CommandName
from reticle.model.ids import DocumentId
from reticle.model.limits import ANSWER_CHARS, DELTA_LINES, SNAPSHOTS_KEPT
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.delta import Delta, compare
from reticle.tools.fields import lines_that_fit, list_of, object_of, one_line, quoted, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import refs_of_scope

UNREAD_SHOWN = 50
"""Refs of branches that did not fit; the page names no more."""

SnapshotMode = Literal["full", "interactive", "status"]


class SnapshotArguments(PageArguments, frozen=True, kw_only=True):
    """
    What to read of the page.
    """

    scope: Annotated[Name | None, Meta(description="Ref or CSS selector.")] = None
    mode: Annotated[
        SnapshotMode, Meta(description="interactive: controls, messages; status: route, dialogs.")
    ] = "full"
    diff: Annotated[bool, Meta(description="Only what changed since your last one.")] = False


@attrs.frozen
class Remembered:
    """
    A tree that an agent has seen, and where the page was then.
    """

    document_id: DocumentId | None
    route: str
    tree: str


@attrs.frozen
class SnapshotKey:
    """
    Whose look at what; another agent's look is not a base for this one's difference.
    """

    conversation_id: str
    page_id: str
    scope: str | None
    mode: str


class SnapshotMemory:
    """
    The last trees, the least recently used forgotten first.
    """

    def __init__(self, kept: int = SNAPSHOTS_KEPT) -> None:
        self._kept = kept
        self._trees: OrderedDict[SnapshotKey, Remembered] = OrderedDict()

    def swap(self, key: SnapshotKey, seen: Remembered) -> Remembered | None:
        """
        Remember what is seen now and give back what was seen before, if that is still known.
        """
        before = self._trees.pop(key, None)
        self._trees[key] = seen
        if len(self._trees) > self._kept:
            self._trees.popitem(last=False)
        return before


async def take_snapshot(
    memory: SnapshotMemory, context: CallContext, arguments: SnapshotArguments
) -> ToolAnswer:
    """
    Read the page, and compare where a difference was asked for.

    Raises:
        Refusal: what the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId, refs_of_scope(arguments.scope))
    asked = told(scope=arguments.scope, mode=arguments.mode)
    result = object_of(await page.ask(CommandName.SNAPSHOT, asked))
    status = object_of(result.get("status"))
    if arguments.mode == "status":
        return _answer(page, result, {}, "", status)
    tree = text_of(result.get("tree"))
    key = SnapshotKey(context.conversation_id, page.identity.page_id, arguments.scope or None, arguments.mode)
    seen = Remembered(page.identity.document_id, text_of(status.get("route")), tree)
    before = None if result.get("scopeMissing") else memory.swap(key, seen)
    # a page of the published packages says of no cell whether it takes clicks
    outline = condense(tree, marks_clicks=page.identity.script_version is not None)
    if not arguments.diff or result.get("scopeMissing"):
        return _answer(page, result, _whole(outline), outline, status)
    reason = _why_whole(before, seen)
    if before is None or reason is not None:
        return _answer(page, result, {"mode": "full", "reason": reason, **_whole(outline)}, outline, status)
    delta = compare(before.tree, tree)
    if not delta:
        return _answer(page, result, {"mode": "unchanged"}, "unchanged", status)
    if delta.lines() > DELTA_LINES or delta.lines() >= tree.count("\n") + 1:
        fields = {"mode": "full", "reason": "most of it changed", **_whole(outline)}
        return _answer(page, result, fields, outline, status)
    return _answer(page, result, _delta_fields(delta), _delta_text(delta), status)


def _why_whole(before: Remembered | None, seen: Remembered) -> str | None:
    if before is None:
        return "first look"
    if before.document_id != seen.document_id:
        return "the page was loaded anew"
    return "the route changed" if before.route != seen.route else None


def _whole(tree: str) -> dict[str, object]:
    lines, left = lines_that_fit(tree.split("\n"))
    fields: dict[str, object] = {"tree": "\n".join(lines)}
    if left:
        fields["truncated"] = True
        fields["note"] = f"{left} more lines do not fit: read a part with scope, or mode interactive."
    return fields


def _delta_fields(delta: Delta) -> dict[str, object]:
    fields: dict[str, object] = {
        "mode": "delta",
        "delta": told(added=list(delta.added), removed=list(delta.removed)),
        **told(
            changed=[{"from": change.before, "to": change.after} for change in delta.changed],
            renewedRefs=dict(delta.renewed),
        ),
    }
    if delta.focus is not None:
        fields["focusChanged"] = {"from": delta.focus[0], "to": delta.focus[1]}
    return fields


def _delta_text(delta: Delta) -> str:
    lines = [f"+ {line}" for line in delta.added]
    lines += [f"- {line}" for line in delta.removed]
    lines += [f"~ {change.before}  =>  {change.after}" for change in delta.changed]
    if delta.renewed:
        pairs = ", ".join(f"{old} is now {new}" for old, new in delta.renewed.items())
        lines.append(f"rendered anew: {pairs}")
    if delta.focus is not None:
        lines.append(f"focus: {delta.focus[0] or 'none'} -> {delta.focus[1] or 'none'}")
    return "\n".join(lines)


def _answer(
    page: Page,
    result: Mapping[str, object],
    fields: Mapping[str, object],
    body: str,
    status: Mapping[str, object],
) -> ToolAnswer:
    truncated = fields.get("truncated") is True or result.get("truncated") is True
    unread = [str(ref) for ref in list_of(result.get("unread"))][:UNREAD_SHOWN]
    notes = [text_of(fields.get("note")), text_of(result.get("note"))]
    if result.get("scopeMissing"):
        notes.append("Nothing matches scope: no part of the page was read.")
    if unread:
        notes.append(f"Not everything was read: pass one of {', '.join(unread)} as scope for the rest.")
    told_fields: dict[str, object] = {
        **{name: value for name, value in fields.items() if name not in {"note", "truncated"}},
        "status": status,
        **told(
            nodes=result.get("nodes"),
            truncated=truncated,
            unread=unread,
            scopeMissing=result.get("scopeMissing"),
            note=" ".join(filter(None, notes)),
        ),
        **session_note(page),
    }
    text = _text(told_fields, body)
    return ToolAnswer({**told_fields, **cost_fields(text)}, text=text)


def _text(fields: Mapping[str, object], body: str) -> str:
    lines, _ = lines_that_fit(body.split("\n") if body else [], ANSWER_CHARS)
    status = object_of(fields["status"])
    parts = [f"route {one_line(text_of(status.get('route'))) or '?'}"]
    if status.get("title"):
        parts.append(f"title {quoted(status['title'])}")
    if status.get("visibleDialogs"):
        parts.append(f"dialogs {msgspec.json.encode(status['visibleDialogs']).decode()}")
    if status.get("overlayHidingPage"):
        parts.append("an overlay hides the page")
    parts.extend(f"{name} {fields[name]}" for name in ("mode", "reason") if fields.get(name) is not None)
    lines.append(" · ".join(parts))
    lines.extend(f"note: {fields['note']}" for _ in range("note" in fields))
    if "session" in fields:
        lines.append(f"page: {object_of(fields['session']).get('recommendation')}")
    return "\n".join(lines)


def snapshot_tool(memory: SnapshotMemory) -> Tool:
    """
    The tool over one memory; the process has one, a test makes its own.
    """
    return Tool(
        name="reticle_snapshot",
        title="Read the page",
        summary="Reads the page as an outline of roles, names, states and refs; diff: only what changed.",
        arguments=SnapshotArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=partial(take_snapshot, memory),
        example={"mode": "interactive"},
    )


TOOLS: tuple[Tool, ...] = (snapshot_tool(SnapshotMemory()),)
