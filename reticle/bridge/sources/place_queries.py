"""
Before a page searches elements by their place in the code: it learns which places its own, in running
scripts, were built from. The command is ``places`` of ``docs/protocol/page-wire.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reticle.bridge.dialect import Send
from reticle.bridge.sources.page_places import PagePlaces
from reticle.model.codes import CommandName
from reticle.model.runs import AS_SERVED
from reticle.model.source_limits import PLACE_ROUNDS, SOURCE_WAIT_SECONDS

_DEPTH: Final = 4
"""How deep in a command's arguments a query stands: the target of a drag is the deepest."""


def asks_for_place(args: object, depth: int = _DEPTH) -> bool:
    """
    Whether a command's arguments or a question's fields have a query by place in them.
    """
    if not isinstance(args, Mapping) or depth == 0:
        return False
    source = args.get("source")
    if isinstance(source, Mapping) and "file" in source:
        return True
    return any(asks_for_place(value, depth - 1) for value in args.values())


async def teach_places(send: Send, places: PagePlaces) -> None:
    """
    Let the page know the places of its elements, as far as maps are there within a moment; a page that knows
    all of them costs one question. A script that has no such command is left alone.

    Raises:
        Refusal: ``session_gone``, ``command_timeout``; nothing was done.
    """
    args: dict[str, object] = {}
    for _ in range(PLACE_ROUNDS):
        result = await send(CommandName.PLACES.value, args)
        unknown = result.result.get("unknown") if result.ok and isinstance(result.result, Mapping) else None
        if not isinstance(unknown, list) or not unknown:
            return
        told = await places.answer({"elements": unknown}, SOURCE_WAIT_SECONDS)
        args = {"known": [_pair(each) for each in told["elements"] if isinstance(each, Mapping)]}


def _pair(told: Mapping[str, object]) -> tuple[object, object]:
    source = told.get("source")
    lost = not isinstance(source, str) or source.endswith(AS_SERVED)
    return told.get("key"), None if lost else source
