"""
How a predicate that is not understood is refused: what is wrong, where, the nearest right spelling.

A misread expectation would be a false verdict, so nothing is guessed and nothing has run.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

_SAYS_THE_SAME: Final = {
    "regex": "matches",
    "regexp": "matches",
    "pattern": "matches",
    "size": "length",
    "includes": "contains",
    "min": "gte",
    "max": "lte",
    "and": "allof",
    "all": "allof",
    "every": "allof",
    "or": "anyof",
    "any": "anyof",
    "some": "anyof",
    "request": "net",
    "network": "net",
    "fetch": "net",
    "url": "route",
    "navigation": "route",
    "event": "signal",
    "store": "state",
    "cookie": "storage",
    "websocket": "stream",
    "alert": "dialog",
    "order": "sequence",
    "then": "sequence",
    "idle": "settled",
    "equal": "same",
}
"""Words of other grammars, by the one that is written otherwise here."""


def bad_predicate(
    where: str,
    wrong: str,
    *,
    accepted: Iterable[str] = (),
    got: str | None = None,
    example: Mapping[str, object] | None = None,
) -> Refusal:
    """
    The refusal for a fault at ``where`` (a path such as ``predicate.predicates[1]``).

    Args:
        where: The place of the fault.
        wrong: What is wrong, as the end of the sentence that begins with ``where``.
        accepted: The right spellings; the one nearest to ``got`` is named first.
        got: What stood there instead.
        example: A valid predicate to start again from.
    """
    names = list(accepted)
    near = (_otherwise(got, names) or nearest(got, names)) if got is not None else None
    hint = f"; did you mean {near!r}?" if near else "."
    listed = f" Accepted: {', '.join(names)}." if names else ""
    details: dict[str, object] = {"path": where, "accepted": names}
    if near:
        details["nearest"] = near
    if example is not None:
        details["example"] = dict(example)
    shown = f" Valid, for example: {json.dumps(example, ensure_ascii=False)}" if example is not None else ""
    return Refusal(
        RefusalCode.BAD_PREDICATE,
        f"{where}: {wrong}{hint}{listed} Nothing ran.",
        f"Correct the predicate and call again.{shown}",
        details,
    )


def nearest(got: str, names: Iterable[str]) -> str | None:
    """
    The name that ``got`` most likely stands for, or None when none is near.
    """
    folded = {_plain(name): name for name in names}
    close = difflib.get_close_matches(_plain(got), folded, 1, 0.6)
    return folded[close[0]] if close else None


def _otherwise(got: str, names: Iterable[str]) -> str | None:
    """
    The name that says here what another grammar calls by the word that was given.
    """
    meant = _SAYS_THE_SAME.get(_plain(got))
    return next((name for name in names if _plain(name) == meant), None)


def _plain(name: str) -> str:
    return name.lower().replace("_", "").lstrip("$")
