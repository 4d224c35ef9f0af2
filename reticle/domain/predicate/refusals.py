"""
How a predicate that is not understood is refused: what is wrong, where, the nearest right spelling.

A misread expectation would be a false verdict, so nothing is guessed and nothing has run.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode


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
    near = nearest(got, names) if got is not None else None
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
    folded = {name.lower().replace("_", "").lstrip("$"): name for name in names}
    close = difflib.get_close_matches(got.lower().replace("_", "").lstrip("$"), folded, 1, 0.6)
    return folded[close[0]] if close else None
