"""
The detectors of one daemon, as its settings name them; a project's own are imported here and nowhere else.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from twisted.logger import Logger

from reticle.errors import ConfigurationFault
from reticle.ports import Detection
from reticle.settings import Settings

if TYPE_CHECKING:
    from reticle.ports.detectors import IDetector

_log = Logger()

_KIND: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def detection_of(settings: Settings) -> Callable[[], Detection]:
    """
    What gives the detectors. With the settings' defaults it loads no rule before it is called.

    Raises:
        ConfigurationFault: A detector that cannot be imported or is none, or a kind that there is not.
    """
    if settings.detectors or settings.disabled_detectors:
        made = _made(settings)
        return lambda: made
    return _every


def _every() -> Detection:
    from reticle.domain.project_detectors import EVERY_DETECTOR  # noqa: PLC0415 - when first used

    return EVERY_DETECTOR


def _made(settings: Settings) -> Detection:
    from reticle.domain.findings import DETECTORS  # noqa: PLC0415 - only where the settings ask for it
    from reticle.domain.project_detectors import Detectors  # noqa: PLC0415 - as above

    own = [_imported(name) for name in settings.detectors]
    known = [*DETECTORS, *(detector.kind for detector in own)]
    for kind in known:
        if known.count(kind) > 1:
            raise ConfigurationFault(
                f"detectors has a second one of the kind {kind}", "give each detector a kind of its own"
            )
    for kind in sorted(settings.disabled_detectors):
        if kind not in known:
            raise ConfigurationFault(
                f"disabled_detectors names {kind!r}, which is no kind of finding{_nearest(kind, known)}",
                "docs/reference/verdicts.md lists them",
            )
    return Detectors(off=settings.disabled_detectors, own=own, on_failure=_failed)


def _imported(name: str) -> IDetector:
    from zope.interface.exceptions import Invalid  # noqa: PLC0415 - as above
    from zope.interface.verify import verifyObject  # noqa: PLC0415 - as above

    from reticle.ports.detectors import IDetector  # noqa: PLC0415 - as above

    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        raise ConfigurationFault(
            f"the detector {name} cannot be imported: {type(error).__name__}: {error}",
            "install its package into the environment that reticle runs in, or take it out of detectors",
        ) from error
    try:
        verifyObject(IDetector, found)
    except Invalid as wrong:
        said = " ".join(str(wrong).split())
        raise ConfigurationFault(
            f"{name} is no detector: {said}",
            "give an object (not its class) that provides reticle.ports.detectors.IDetector",
        ) from wrong
    kind = found.kind
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise ConfigurationFault(
            f"the detector {name} has the kind {kind!r}", "use lower-case words with hyphens, as total-wrong"
        )
    detector: IDetector = found
    return detector


def _nearest(word: str, known: Iterable[str]) -> str:
    match = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {match[0]}?" if match else ""


def _failed(kind: str, error: Exception) -> None:
    """
    Once for each detector: verdicts say that it did not look, the log says why.
    """
    _log.warn(
        "The project's detector {kind} failed and is passed over: {error_type}: {error}",
        kind=kind,
        error_type=type(error).__name__,
        error=str(error),
    )
