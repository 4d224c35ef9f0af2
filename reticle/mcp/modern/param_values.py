"""
Whether ``Mcp-Param-*`` headers repeat the arguments of a tool that wants it (``mcp.param_headers``).

Header and argument are both there and equal, or both absent; null is absent (MCP 2026-07-28 "Custom headers
from tool parameters").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from reticle.mcp.modern.header_values import header_text
from reticle.mcp.modern.routing import mismatch
from reticle.mcp.param_headers import ParamHeader

_NUMBER: Final = re.compile(r"-?\d{1,40}(\.\d{1,40})?", re.ASCII)
_TREE: Final = msgspec.json.Decoder()


def check_params(
    annotated: Sequence[ParamHeader], headers: Mapping[str, tuple[str, ...]], arguments: bytes
) -> None:
    """
    Raises:
        PeerFault: ``header_mismatch``. Arguments that cannot be read have no values to repeat.
    """
    tree = _tree(arguments) if annotated else None
    for param in annotated:
        values = headers.get(param.header, ())
        value = _value_at(tree, param.path)
        name = f"Mcp-Param-{param.header}"
        if len(values) > 1:
            raise mismatch(f"{name} came {len(values)} times")
        if value is None and values:
            raise mismatch(f"{name} came without its argument {'.'.join(param.path)}")
        if value is not None and not values:
            raise mismatch(f"the argument {'.'.join(param.path)} came without its header {name}")
        if values and not _says(header_text(values[0]), value):
            raise mismatch(f"{name} does not say what the argument {'.'.join(param.path)} says")


def _tree(arguments: bytes) -> object:
    """
    None where a number fits no float: the gate refuses such arguments.
    """
    try:
        return _TREE.decode(arguments)
    except (msgspec.MsgspecError, ValueError):
        return None


def _value_at(tree: object, path: Sequence[str]) -> Any:
    for step in path:
        tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


def _says(text: str | None, value: object) -> bool:
    """
    Compares by what the argument is, not by what the schema wants it to be: that is the gate's to check.
    """
    if text is None:
        return False
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int | float):
        return _NUMBER.fullmatch(text) is not None and Decimal(text) == Decimal(value)
    return text == value
