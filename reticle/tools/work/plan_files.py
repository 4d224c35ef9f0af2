"""
A plan from a file of the repository: TOML or JSON, read within its root and no link followed.
"""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.ports import CallContext


async def read_plan(context: CallContext, root: str, path: str, most_bytes: int) -> tuple[Any, bytes]:
    """
    What a file says, and its bytes.

    Raises:
        Refusal: ``workflow_error`` for a file that is neither, or cannot be read.
    """
    name = path.lower()
    if not name.endswith((".toml", ".json")):
        raise _bad(path, "it is neither .toml nor .json")
    try:
        text = (await context.worktrees.read(root, path, most_bytes)).content
    except Refusal as refused:
        raise _bad(path, refused.message.partition(". Nothing was ")[0]) from None
    try:
        if name.endswith(".json"):
            return msgspec.json.decode(text), text
        return tomllib.loads(text.decode("utf-8")), text
    except (msgspec.DecodeError, ValueError, RecursionError) as fault:
        raise _bad(path, str(fault)) from None


def _bad(path: str, why: str) -> Refusal:
    return Refusal(
        RefusalCode.WORKFLOW_ERROR,
        f"{path[:200]} is no plan: {why}. Nothing was prepared.",
        "A plan has title, roles and jobs; docs/howto/runs.md shows one.",
    )
