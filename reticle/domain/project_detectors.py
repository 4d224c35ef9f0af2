"""
Asking a project's own detectors, whose code may be wrong: what they find is kept in the window.

So a verdict stays a function of its window alone: judged again, also where the project is not installed, it
is the same (DESIGN §6). One that raises, or answers what is no finding, is passed over and named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import attrs

from reticle.model.finding_limits import PROJECT_FINDINGS
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Scrutiny, Window
from reticle.ports.detectors import IDetector

OnFailure = Callable[[str, Exception], None]
"""Told of a detector that failed, by its kind, and with what; once for each."""


class Detectors:
    """
    Provides ``ports.Detection``.

    Args:
        off: Kinds of finding that nobody is to look for.
        own: The project's detectors.
        on_failure: Told when one of them first fails.
    """

    def __init__(
        self, *, off: Iterable[str] = (), own: Sequence[IDetector] = (), on_failure: OnFailure
    ) -> None:
        self._scrutiny = Scrutiny(off=tuple(sorted(off)))
        self._own = tuple(detector for detector in own if detector.kind not in self._scrutiny.off)
        self._on_failure = on_failure
        self._told: set[str] = set()

    @property
    def scrutiny(self) -> Scrutiny:
        """
        What is switched off.
        """
        return self._scrutiny

    def consult(self, window: Window, claim: Mapping[str, object]) -> Window:
        """
        The window with what the project's detectors say of it.
        """
        if not self._own:
            return window
        found: list[Finding] = []
        failed: list[str] = []
        for detector in self._own:
            try:
                found += _findings(detector, window, claim)
            except Exception as error:  # noqa: BLE001 - not our code: the verdict names it, and goes on
                failed.append(detector.kind)
                self._tell(detector.kind, error)
        scrutiny = attrs.evolve(self._scrutiny, failed=tuple(failed), found=tuple(found))
        return attrs.evolve(window, scrutiny=scrutiny)

    def _tell(self, kind: str, error: Exception) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._on_failure(kind, error)


EVERY_DETECTOR: Final = Detectors(on_failure=lambda _kind, _error: None)
"""All of reticle's own, and none beside them."""


def _findings(detector: IDetector, window: Window, claim: Mapping[str, object]) -> list[Finding]:
    """
    What one detector found, in plain values.

    Raises:
        ValueError: An answer that is no finding of its kind, or too many of them.
        TypeError: A detail that is no JSON.
    """
    found: list[Finding] = []
    answers: Iterable[object] = detector.find(window, claim)
    for finding in answers:
        if not isinstance(finding, Finding) or finding.kind != detector.kind:
            raise ValueError(f"it gave {finding!r}, which is no Finding of kind {detector.kind}")
        if len(found) == PROJECT_FINDINGS:
            raise ValueError(f"it found more than {PROJECT_FINDINGS}")
        detail = json.loads(json.dumps(dict(finding.detail), allow_nan=False))
        found.append(
            attrs.evolve(
                finding,
                tier=FindingTier(finding.tier),
                claim=str(finding.claim),
                counter=str(finding.counter),
                source=None if finding.source is None else str(finding.source),
                detail=detail,
            )
        )
    return found


def unlooked(scrutiny: Scrutiny) -> Sequence[str]:
    """
    What was not looked for, and why, in words for a verdict; empty where every detector looked.
    """
    said = []
    if scrutiny.off:
        said.append(f"not looked for, switched off: {', '.join(scrutiny.off)}")
    if scrutiny.failed:
        said.append(f"not looked for, the project's detector failed: {', '.join(scrutiny.failed)}")
    return said
