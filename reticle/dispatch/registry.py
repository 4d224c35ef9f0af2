"""
The table of tools: what can be called, by which name, and how its arguments are read.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final, Protocol

import attrs
import msgspec

from reticle.dispatch.brought_schema import BroughtDecoder
from reticle.dispatch.grants import Sight
from reticle.errors import LocalMisuse, Refusal
from reticle.mcp.param_headers import ParamHeader, param_headers
from reticle.mcp.schemas import input_schema
from reticle.model.codes import Exposure, RepositoryScope, Toolset
from reticle.model.limits import PEER_NAME_CHARS, TOOLS_ADVERTISED
from reticle.tools.spec import Tool

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class ArgumentsDecoder(Protocol):
    """
    Reads a tool's arguments.
    """

    def decode(self, raw: bytes, /) -> Any:
        """
        What the tool's ``run`` gets. Raises ``MsgspecError``, or ``Refusal`` ``bad_arguments``.
        """


@attrs.frozen(eq=False)
class Entry:
    """
    A tool with what is worked out once: its decoder, the names it declares, its full schema, the parameters
    that clients repeat in headers.
    """

    tool: Tool
    decoder: ArgumentsDecoder
    declared: Sequence[str]
    required: AbstractSet[str]
    schema: Mapping[str, object]
    headers: Sequence[ParamHeader] = ()


def make_entry(tool: Tool) -> Entry:
    """
    Work out a tool's entry.
    """
    if tool.brought_schema is not None:
        return _brought_entry(tool, tool.brought_schema)
    return Entry(tool, *_declared(tool.arguments))


@cache
def _declared(
    arguments: type[msgspec.Struct],
) -> tuple[ArgumentsDecoder, Sequence[str], AbstractSet[str], Mapping[str, object]]:
    """
    What a type of arguments says, worked out once: it is nearly all that a table of tools takes to make.
    """
    fields = msgspec.structs.fields(arguments)
    return (
        msgspec.json.Decoder(arguments),
        tuple(field.encode_name for field in fields),
        frozenset(field.encode_name for field in fields if field.required),
        input_schema(arguments, lean=False),
    )


def _brought_entry(tool: Tool, schema: Mapping[str, object]) -> Entry:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    assert isinstance(properties, Mapping)
    assert isinstance(required, Sequence)
    return Entry(
        tool,
        BroughtDecoder(schema, tool.example),
        tuple(properties),
        frozenset(required),
        schema,
        param_headers(schema),
    )


class Registry:
    """
    All tools, in the order in which they are listed.

    Args:
        tools: The tools.
        advertised: How many of the toolset ``verify`` may be listed (DESIGN §2).

    Raises:
        LocalMisuse: Two tools with one name, a name that clients refuse, more advertised tools than may be,
            an example that is not valid, a header annotation that is not, or a tool for one repository that
            takes none.
    """

    def __init__(self, tools: Iterable[Tool], advertised: int = TOOLS_ADVERTISED) -> None:
        self._entries: dict[str, Entry] = {}
        for tool in tools:
            if not _NAME.fullmatch(tool.name):
                raise LocalMisuse(f"{tool.name!r} is no tool name")
            if tool.name in self._entries:
                raise LocalMisuse(f"two tools are named {tool.name}")
            entry = make_entry(tool)
            _check_example(entry)
            if tool.scope is RepositoryScope.SINGLE_REPO and "repository_id" not in entry.declared:
                raise LocalMisuse(f"{tool.name} concerns one repository and takes no repository_id")
            self._entries[tool.name] = entry
        listed = sum(
            entry.tool.advertised and entry.tool.exposure is Exposure.LISTED
            for entry in self._entries.values()
            if entry.tool.toolset is Toolset.VERIFY
        )
        if listed > advertised:
            raise LocalMisuse(f"{listed} advertised tools, {advertised} are the most")
        self._aliases = {
            name.replace(".", "_"): entry for name, entry in self._entries.items() if "." in name
        }

    def find(self, name: str) -> Entry | None:
        """
        The tool of that name; a dotted name is also found with underscores (DESIGN §2).
        """
        return self._entries.get(name) or self._aliases.get(name)

    def tools(self) -> Sequence[Tool]:
        """
        All tools.
        """
        return [entry.tool for entry in self._entries.values()]

    def usable(self, sight: Sight) -> Sequence[Entry]:
        """
        The tools that can be found and called, advertised or not.
        """
        return [entry for entry in self._entries.values() if sight.shows(entry.tool)]


def _check_example(entry: Entry) -> None:
    tool = entry.tool
    if not tool.example and (entry.required or tool.brought_schema is not None):
        return
    try:
        entry.decoder.decode(msgspec.json.encode(tool.example))
    except (msgspec.ValidationError, Refusal) as failure:
        raise LocalMisuse(f"the example of {tool.name} is not valid: {failure}") from failure


def nearest(word: str, known: Iterable[str]) -> str | None:
    """
    The known word that was probably meant, or None when none is near.

    A first part that all words share, such as ``reticle_``, makes none of them near.
    """
    word = word[:PEER_NAME_CHARS].lower()
    lowered = {name.lower(): name for name in known}
    first = word[: word.find("_") + 1]
    start = len(first) if all(name.startswith(first) for name in lowered) else 0
    endings = {name[start:]: name for name in lowered}
    found = difflib.get_close_matches(word[start:], endings, n=1, cutoff=0.6)
    return lowered[endings[found[0]]] if found else None
