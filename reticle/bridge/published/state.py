"""
The app's state as the published packages tell it.

They cut a store before they walk the path (page-wire §9.7, §14.2): 200 members of a list, 200 keys, 8 levels,
and 1,000 values in all, mostly without a mark. What they call "not found" may lie behind such a cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from reticle.bridge.dialect import Send
from reticle.bridge.published.elements import CUT
from reticle.bridge.published.refusals import published_refusal
from reticle.errors import Refusal
from reticle.model.codes import NOT_OBSERVED, RefusalCode

MEMBERS = 200
"""So many members of a list and keys of an object are sent; a full one may have been longer."""

REDACTED = "[REDACTED]"
"""Left out on purpose; the rest of the value came whole."""


@attrs.frozen
class _Held:
    """
    A value that stands somewhere; it may be None itself.
    """

    value: object


async def read_state(send: Send, args: Mapping[str, object]) -> dict[str, Any]:
    """
    The package's ``state_read``. Raises ``Refusal``.
    """
    result = await send("state_read", {name: value for name, value in args.items() if value is not None})
    if not result.ok:
        raise published_refusal(result)
    return dict(result.result) if isinstance(result.result, Mapping) else {}


async def whole_state(send: Send, store: str, path: object) -> dict[str, Any]:
    """
    What stands at a path, or that nothing does.

    Raises ``Refusal`` ``page_error`` where the cuts make either a guess; a retry needs a narrower path.
    """
    answer = await read_state(send, {"store": store, "path": path})
    if answer.get("found") is True:
        if is_cut(answer.get("value")):
            raise _cut(path)
        return answer
    steps = path.split(".") if isinstance(path, str) else []
    for length in range(len(steps) - 1, -1, -1):
        around = await _around(send, store, steps[:length])
        if around is not None:
            if is_cut(around.value, deep=False):
                raise _cut(path)
            break
    return answer


def is_cut(value: object, *, deep: bool = True) -> bool:
    """
    Whether something of a value, or of its own members alone, was visibly or possibly left out.
    """
    if isinstance(value, Mapping):
        return len(value) >= MEMBERS or "" in value or (deep and any(map(is_cut, value.values())))
    if isinstance(value, list):
        return len(value) >= MEMBERS or (deep and any(map(is_cut, value)))
    return isinstance(value, str) and (value in NOT_OBSERVED or value.endswith(CUT)) and value != REDACTED


async def _around(send: Send, store: str, steps: Sequence[str]) -> _Held | None:
    """
    What stands at a shorter path, the store itself where nothing is left of it; None where nothing is there.
    """
    if not steps:
        stores = (await read_state(send, {"store": store})).get("stores")
        return _Held(stores.get(store)) if isinstance(stores, Mapping) else None
    answer = await read_state(send, {"store": store, "path": ".".join(steps)})
    return _Held(answer.get("value")) if answer.get("found") is True else None


def _cut(path: object) -> Refusal:
    return Refusal(
        RefusalCode.PAGE_ERROR,
        f"The published @reticlehq package sends at most {MEMBERS} members of a list or an object and 8 "
        f"levels of a store: what stands at {path or 'the top'} did not come whole.",
        "Name a path to a smaller value, or use this daemon's own page script.",
    )
