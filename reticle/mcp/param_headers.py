"""
Which parameters of a tool a client repeats in ``Mcp-Param-*`` headers, read from the tool's schema.

Only a string, integer or boolean that is reached from the root through ``properties`` alone may carry
``x-mcp-header`` (MCP 2026-07-28 "Custom headers from tool parameters").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.errors import LocalMisuse

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_KINDS: Final = frozenset({"string", "integer", "boolean"})


@attrs.frozen
class ParamHeader:
    """
    One annotated parameter: ``header`` is what follows ``Mcp-Param-`` in lower case, ``path`` leads to the
    value inside the arguments, ``kind`` is its JSON schema type.
    """

    header: str
    path: Sequence[str]
    kind: str


def param_headers(schema: Mapping[str, object]) -> Sequence[ParamHeader]:
    """
    The annotated parameters of a tool's schema, in the order of the schema.

    Raises:
        LocalMisuse: An annotation that makes clients drop the tool: no token, twice the same name without
            regard to case, or a value that no header can carry.
    """
    found = list(_annotated(schema, ()))
    names = [each.header for each in found]
    for name in names:
        if names.count(name) > 1:
            raise LocalMisuse(f"two parameters are annotated with the header {name}")
    return tuple(found)


def _annotated(schema: Mapping[str, object], path: tuple[str, ...]) -> Iterator[ParamHeader]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return
    for name, part in properties.items():
        if not isinstance(part, Mapping):
            continue
        here = (*path, str(name))
        if "x-mcp-header" in part:
            header, kind = part["x-mcp-header"], part.get("type")
            if not isinstance(header, str) or not _TOKEN.fullmatch(header) or kind not in _KINDS:
                raise LocalMisuse(f"{'.'.join(here)} cannot be repeated in a header")
            yield ParamHeader(header.lower(), here, str(kind))
        yield from _annotated(part, here)
