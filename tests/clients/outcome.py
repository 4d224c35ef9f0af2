"""
What a driver found, read from the one line of JSON that it prints.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs


@attrs.frozen
class Called:
    """
    One result of ``tools/call``, as it stood on the wire.
    """

    wire: Mapping[str, Any]

    @property
    def is_error(self) -> bool:
        """
        Whether it is a refusal; absent means no.
        """
        return bool(self.wire.get("isError", False))

    @property
    def structured(self) -> Mapping[str, Any] | None:
        """
        The JSON beside the text, since 2025-06-18.
        """
        found = self.wire.get("structuredContent")
        assert found is None or isinstance(found, dict)
        return found

    @property
    def text(self) -> str:
        """
        The text.
        """
        return "".join(block["text"] for block in self.wire["content"] if block["type"] == "text")


@attrs.frozen
class Outcome:
    """
    What a client saw of the daemon.

    ``server``, ``prompts`` and ``resources`` are None when the client was not told of them, ``pinged`` where
    the revision has no ping, ``cancelled`` where the client cannot cancel. ``progress`` holds every number.
    """

    revision: str
    server: str | None
    tools: Sequence[str]
    results: Mapping[str, Called]
    progress: Sequence[float]
    pinged: bool | None
    prompts: Sequence[str] | None
    resources: Sequence[str] | None
    cancelled: bool | None = None


def parse_outcome(printed: str) -> Outcome:
    """
    The last line that a driver printed.
    """
    found = json.loads(printed.strip().splitlines()[-1])
    results = {key: Called(wire) for key, wire in found.pop("results").items()}
    return Outcome(results=results, **found)
