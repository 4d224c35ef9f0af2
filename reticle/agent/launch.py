"""
What to start for an agent, and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

GRACE_SECONDS: Final = 10.0
"""From a request to end until the whole group is killed, unless the operator says otherwise."""


@attrs.frozen
class Launch:
    """
    One start of an agent's program.

    ``environment`` is whole. ``prompt`` is typed when it is not empty.
    When the supervisor is killed, ``restored`` is a terminal to give back (its name, its modes, ours), and
    ``token_folder`` is removed.
    """

    program: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = attrs.field(repr=False)
    folder: Path
    prompt: str = ""
    grace_seconds: float = GRACE_SECONDS
    restored: tuple[str, str, str] | None = None
    token_folder: str = ""
