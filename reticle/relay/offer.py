"""
What the front says of the daemon without asking it: handshakes, ``server/discover`` and tool lists.

Two sources: what the daemon said last, kept in the state directory; else what came with this version
(``offline/*.json``, written by ``make reference``; a system test compares it with a daemon's own words).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from reticle._version import __version__
from reticle.model.relay_limits import KEPT_ANSWERS_BYTES
from reticle.relay.files import read_own, read_whole, write_own
from reticle.relay.messages import encode

MODERN: Final = "2026-07-28"
"""The revision without a handshake."""

_PACKAGED: Final = __file__.rpartition("/")[0] + "/offline/"


class Offer:
    """
    The daemon's own answers, from memory.

    Args:
        kept_in: The file of what the daemon said last; it is read when first needed and written as
            soon as something differs. None keeps nothing.
    """

    def __init__(self, kept_in: str | None) -> None:
        self._kept_in = kept_in
        self._kept: dict[str, Any] | None = None
        self._handshakes: dict[str, Any] | None = None
        self._lists: dict[str, Any] | None = None

    def negotiate(self, requested: object) -> str:
        """
        The revision that the daemon would answer an ``initialize`` with.
        """
        known = self._packaged_handshakes()["initialize"]
        return requested if isinstance(requested, str) and requested in known else max(known)

    def initialize(self, revision: str) -> Mapping[str, Any]:
        """
        The result of ``initialize`` in a negotiated revision.
        """
        kept = self._answers("initialize").get(revision)
        return _with_list_changed(kept or self._packaged_handshakes()["initialize"][revision])

    def discover(self) -> Mapping[str, Any] | None:
        """
        The result of ``server/discover``; None when the daemon does not know it.
        """
        found = self._answers("discover").get(MODERN) or self._packaged_handshakes()["discover"]
        return None if found is None else _with_list_changed(found)

    def tools(self, revision: str) -> Mapping[str, Any]:
        """
        The whole result of ``tools/list`` in a revision.
        """
        kept = self._answers("tools").get(revision)
        if isinstance(kept, dict):
            return kept
        packaged = self._packaged_lists()
        latest = max(name for name in packaged if name < MODERN)
        return dict(packaged.get(revision) or packaged[latest])

    def reading_tools(self, revision: str) -> frozenset[str]:
        """
        Names of the tools that only read, by ``readOnlyHint``; a revision without hints asks the newest one.
        """
        listed = self.tools(revision).get("tools", ())
        if not any("annotations" in tool for tool in listed):
            listed = self.tools(self.negotiate(None))["tools"]
        return frozenset(
            tool["name"] for tool in listed if (tool.get("annotations") or {}).get("readOnlyHint") is True
        )

    def learn(self, what: str, revision: str, result: Mapping[str, Any]) -> None:
        """
        Keep what the daemon said: ``initialize``, ``discover`` or ``tools``.
        """
        answers = self._answers(what)
        if answers.get(revision) == result:
            return
        answers[revision] = result
        if self._kept_in is not None:
            # Not written: the next process asks the packaged answers, as this one did.
            write_own(self._kept_in, encode(self._kept))

    def _answers(self, what: str) -> dict[str, Any]:
        if self._kept is None:
            self._kept = _read_kept(self._kept_in)
        answers = self._kept.setdefault(what, {})
        assert isinstance(answers, dict)
        return answers

    def _packaged_handshakes(self) -> dict[str, Any]:
        if self._handshakes is None:
            self._handshakes = _packaged("handshakes.json")
        return self._handshakes

    def _packaged_lists(self) -> dict[str, Any]:
        if self._lists is None:
            stored = _packaged("tools.json")
            self._lists = {name: stored["results"][at] for name, at in stored["revisions"].items()}
        return self._lists


def _read_kept(path: str | None) -> dict[str, Any]:
    """
    What is kept, if this very version kept it: after an upgrade the packaged answers are the newer ones.
    """
    fresh: dict[str, Any] = {"front": __version__}
    content = None if path is None else read_own(path, KEPT_ANSWERS_BYTES)
    if content is None:
        return fresh
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return fresh
    sound = (
        isinstance(found, dict)
        and found.get("front") == __version__
        and all(isinstance(each, dict) for name, each in found.items() if name != "front")
    )
    return found if sound else fresh


def _packaged(name: str) -> dict[str, Any]:
    content = read_whole(_PACKAGED + name, KEPT_ANSWERS_BYTES)
    assert content is not None, f"{name} is part of the package"
    found = json.loads(content)
    assert isinstance(found, dict)
    return found


def _with_list_changed(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    The front itself tells when the list changed, whatever the daemon does.
    """
    capabilities = result.get("capabilities", {})
    tools = {**capabilities.get("tools", {}), "listChanged": True}
    return {**result, "capabilities": {**capabilities, "tools": tools}}
