"""
How tools are shown: the bytes of ``tools/list`` by revision, and the catalogue for ``reticle_tools``.

The list is what every turn of an agent pays for, so it is lean: one sentence and an example for a tool,
one sentence for a parameter. The catalogue has the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs
import msgspec

from reticle.dispatch.grants import Sight
from reticle.dispatch.registry import Entry, Registry
from reticle.mcp.down_convert import tool_entry
from reticle.mcp.paging import part_of
from reticle.mcp.schemas import input_schema
from reticle.mcp.strict_json import encode
from reticle.mcp.versions import Revision
from reticle.model.limits import LISTINGS_KEPT
from reticle.ports import Pages
from reticle.tools.spec import Tool, ToolAnnotations

_ASSUMED: Final = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
"""What a client assumes of a hint that is not sent."""

BRIEF_OUTPUT: Final = ("verified",)
"""The fields of an answer that its listed schema names."""


@attrs.frozen
class _View:
    """
    What a list depends on; ``now`` names the tools that are listed only at present.
    """

    revision: str
    sight: Sight
    now: frozenset[str]


class Listing:
    """
    What a principal sees; made once for each revision, kind of rights and state of the pages.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._sometimes = [
            (tool.name, tool.advertised_while)
            for tool in registry.tools()
            if tool.advertised and tool.advertised_while is not None
        ]
        self._lists: dict[_View, tuple[dict[str, object], bytes]] = {}
        self._catalogues: dict[Sight, Sequence[Mapping[str, object]]] = {}

    def tools_list(self, sight: Sight, revision: Revision, pages: Pages | None = None) -> bytes:
        """
        The result of ``tools/list`` without a cursor, one line of JSON. Without ``pages`` none is connected.
        """
        return self._first(self._view(sight, revision, pages), revision)[1]

    def tools(
        self,
        sight: Sight,
        revision: Revision,
        pages: Pages | None = None,
        cursor: str | None = None,
    ) -> dict[str, object]:
        """
        The fields of the result of ``tools/list``; the tools themselves are JSON text already.

        Raises:
            PeerFault: ``bad_params`` for a cursor that is not one of ours.
        """
        view = self._view(sight, revision, pages)
        if cursor is None:
            return self._first(view, revision)[0]
        return self._part(view, revision, cursor)

    def listed_now(self, pages: Pages) -> frozenset[str]:
        """
        Which tools that are not always listed are listed at present; when it changes, so does the list.
        """
        return frozenset(name for name, condition in self._sometimes if condition(pages))

    def _view(self, sight: Sight, revision: Revision, pages: Pages | None) -> _View:
        now = self.listed_now(pages) if pages is not None and self._sometimes else frozenset[str]()
        return _View(revision.name, sight, now)

    def _first(self, view: _View, revision: Revision) -> tuple[dict[str, object], bytes]:
        made = self._lists.get(view)
        if made is None:
            fields = self._part(view, revision, None)
            if len(self._lists) >= LISTINGS_KEPT:
                self._lists.clear()
            made = self._lists[view] = (fields, encode(fields))
        return made

    def _part(self, view: _View, revision: Revision, cursor: str | None) -> dict[str, object]:
        usable = [entry.tool for entry in self._registry.usable(view.sight)]
        shown = [tool for tool in usable if _is_shown(tool, view)]
        part = part_of(shown, cursor, scope="tools", key=lambda tool: tool.name)
        entries = encode([tool_entry(_listed(tool), revision) for tool in part.entries])
        return part.result("tools", msgspec.Raw(entries))

    def catalogue(self, sight: Sight) -> Sequence[Mapping[str, object]]:
        """
        Every usable tool in full; see ``ports.CallContext.catalogue``.
        """
        made = self._catalogues.get(sight)
        if made is None:
            if len(self._catalogues) >= LISTINGS_KEPT:
                self._catalogues.clear()
            made = self._catalogues[sight] = [_catalogued(entry) for entry in self._registry.usable(sight)]
        return made


def _is_shown(tool: Tool, view: _View) -> bool:
    if tool.advertised:
        return tool.advertised_while is None or tool.name in view.now
    return tool.advertised_with is not None and tool.advertised_with in view.sight.somewhere


def output_schema(tool: Tool) -> dict[str, object] | None:
    """
    The schema of a tool's flat result, or None when it declares none.

    It accepts an answer and a refusal, since clients validate errors too (DESIGN §4).
    """
    if tool.output is None:
        return None
    own = tool.output.get("properties", {})
    required = tool.output.get("required", ())
    assert isinstance(own, Mapping)
    assert isinstance(required, Sequence)
    text: dict[str, object] = {"type": "string"}
    rest = {key: item for key, item in tool.output.items() if key not in {"type", "properties", "required"}}
    return {
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "method": text,
            "audit_id": {"type": ["string", "null"]},
            "error": text,
            "message": text,
            "recovery": text,
            **own,
        },
        "required": ["ok", "method"],
        "anyOf": [
            {"properties": {"ok": {"const": True}}, "required": list(required)},
            {"properties": {"ok": {"const": False}}, "required": ["error", "message"]},
        ],
        **{key: item for key, item in rest.items() if key == "$defs"},
    }


def _listed(tool: Tool) -> dict[str, object]:
    """
    One entry of ``tools/list`` in the words of the newest revision.
    """
    example = f" e.g. {encode(tool.example).decode()}" if _tells_more(tool.example) else ""
    entry: dict[str, object] = {
        "name": tool.name,
        "title": tool.title,
        "description": f"{tool.summary}{example}",
        "inputSchema": tool.brought_schema or input_schema(tool.arguments, lean=True),
        "annotations": _hints(tool.annotations),
    }
    if tool.bears_verdict and tool.output is not None:
        entry["outputSchema"] = _brief_output(tool.output)
    return {key: item for key, item in entry.items() if item != {}}


def _tells_more(example: Mapping[str, object]) -> bool:
    """
    Whether an example shows what the schema does not: what stands inside an object.
    """
    parts = [item for value in example.values() for item in (value if isinstance(value, list) else [value])]
    return any(isinstance(part, Mapping) for part in parts)


def _hints(annotations: ToolAnnotations) -> dict[str, bool]:
    """
    The hints that are not what a client assumes anyway (MCP 2025-11-25, ``ToolAnnotations``). Whether a tool
    that only reads is destructive or idempotent means nothing there.
    """
    hints = {
        "readOnlyHint": annotations.read_only,
        "destructiveHint": annotations.destructive or annotations.read_only,
        "idempotentHint": annotations.idempotent and not annotations.read_only,
        "openWorldHint": annotations.open_world,
    }
    return {name: value for name, value in hints.items() if value is not _ASSUMED[name]}


def _brief_output(output: Mapping[str, object]) -> dict[str, object]:
    """
    What tells an answer from a refusal, in as few words as validate both; the catalogue has the rest.
    """
    properties = output.get("properties", {})
    assert isinstance(properties, Mapping)
    named = {name: item for name, item in properties.items() if name in BRIEF_OUTPUT}
    return {
        "type": "object",
        "properties": {**named, "error": {"type": "string"}},
        "anyOf": [{"required": list(named)}, {"required": ["error"]}],
    }


def _catalogued(entry: Entry) -> dict[str, object]:
    tool = entry.tool
    return {
        "name": tool.name,
        "title": tool.title,
        "summary": tool.summary,
        "inputSchema": entry.schema,
        "outputSchema": output_schema(tool),
        "example": tool.example,
        "advertised": tool.advertised,
    }
