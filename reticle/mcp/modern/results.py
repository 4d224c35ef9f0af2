"""
What every result of 2026-07-28 carries beside its own fields: its kind, its sender, how long it holds.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final

import attrs

from reticle._version import __version__
from reticle.mcp.instructions import INSTRUCTIONS
from reticle.mcp.modern import words
from reticle.mcp.strict_json import encode
from reticle.model.limits import DISCOVERY_FRESH_MS, LIST_FRESH_MS

_META: Final = {words.SERVER_KEY: {"name": "reticle", "version": __version__}}


class ResultType(enum.StrEnum):
    """How a client goes on from a result."""

    COMPLETE = "complete"
    INPUT_REQUIRED = "input_required"
    TASK = "task"


@attrs.frozen
class Freshness:
    """
    How long a result may be taken for the present one, and by whom.
    """

    ttl_ms: int
    scope: str


DISCOVERED: Final = Freshness(DISCOVERY_FRESH_MS, "public")
LISTED: Final = Freshness(LIST_FRESH_MS, "private")
"""Lists differ by credential, so no cache that others share may keep one."""
READ: Final = Freshness(0, "private")
"""A page changes at any time, and what it shows is for who asked."""


def stamped(
    fields: Mapping[str, object],
    kind: ResultType = ResultType.COMPLETE,
    freshness: Freshness | None = None,
    meta: Mapping[str, object] | None = None,
) -> bytes:
    """
    A result as one line of JSON; ``meta`` goes beside what we say of ourselves.
    """
    own = fields.get("_meta")
    told = {**(own if isinstance(own, Mapping) else {}), **(meta or {}), **_META}
    hints = {} if freshness is None else {"ttlMs": freshness.ttl_ms, "cacheScope": freshness.scope}
    return encode({**fields, **hints, "resultType": kind.value, "_meta": told})


_COMPLETE: Final = b',"resultType":"complete","_meta":%b}' % encode(_META)


def stamped_line(line: bytes, freshness: Freshness | None = None) -> bytes:
    """
    The same for a complete result that is a line of JSON already: a non-empty object without ``_meta``.
    """
    if freshness is None:
        return line[:-1] + _COMPLETE
    hints = b',"ttlMs":%d,"cacheScope":%b' % (freshness.ttl_ms, encode(freshness.scope))
    return line[:-1] + hints + _COMPLETE


def discovered(capabilities: Mapping[str, object]) -> bytes:
    """
    The result of ``server/discover``.
    """
    return stamped(
        {
            "supportedVersions": list(words.SUPPORTED),
            "capabilities": capabilities,
            "instructions": INSTRUCTIONS,
        },
        freshness=DISCOVERED,
    )
