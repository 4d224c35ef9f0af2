"""
Detectors as the settings name them: what is loaded, and what stops the start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import cast

import attrs
import pytest
from twisted.logger import ILogObserver, LogEvent, globalLogPublisher
from zope.interface import implementer

from reticle.errors import ConfigurationFault
from reticle.model.verdict import Finding
from reticle.model.window import Window
from reticle.ports.detectors import IDetector
from reticle.service.detecting import detection_of
from reticle.settings import Settings
from reticle.testing.windows import WindowBuilder

PAGE = (Path(__file__).resolve().parents[3] / "docs/howto/detectors.md").read_text("utf-8")


@implementer(IDetector)
@attrs.frozen
class Failing:
    """
    A detector that cannot look.
    """

    kind: object = "oversold"

    def find(self, window: Window, claim: Mapping[str, object]) -> Iterable[Finding]:  # noqa: ARG002 -- it never looks
        """
        Nothing; it raises.
        """
        raise KeyError("stock")


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """
    A module of a project.
    """
    module = ModuleType("shop_checks")
    monkeypatch.setitem(sys.modules, "shop_checks", module)
    module.__dict__.update(
        oversold=Failing(), shouting=Failing("LOUD"), number=7, uncaught=Failing("uncaught-error")
    )
    return module


def test_without_settings_all_of_reticles_own_look() -> None:
    """
    Nothing is switched off, nothing imported.
    """
    assert detection_of(Settings())().scrutiny.off == ()


def test_kinds_that_are_switched_off_are_those_of_every_window() -> None:
    """
    In one order, whatever the settings' is.
    """
    settings = Settings(disabled_detectors=frozenset({"uncaught-error", "duplicate-request"}))
    assert detection_of(settings)().scrutiny.off == ("duplicate-request", "uncaught-error")


@pytest.mark.usefixtures("checks")
def test_a_detector_that_fails_is_logged_once() -> None:
    """
    Whoever reads the log learns which detector it is and what went wrong.
    """
    said: list[LogEvent] = []
    detection = detection_of(Settings(detectors=("shop_checks:oversold",)))()
    observer = cast("ILogObserver", said.append)
    globalLogPublisher.addObserver(observer)
    try:
        for _ in range(2):
            window = detection.consult(WindowBuilder().build(), {})
    finally:
        globalLogPublisher.removeObserver(observer)
    assert window.scrutiny.failed == ("oversold",)
    ours = [event for event in said if event.get("kind") == "oversold"]
    assert [(event["error_type"], event["error"]) for event in ours] == [("KeyError", "'stock'")]


@pytest.mark.usefixtures("checks")
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(detectors=("shop_checks:missing",)), "cannot be imported: AttributeError"),
        (Settings(detectors=("no_such_module:it",)), "cannot be imported: ModuleNotFoundError"),
        (Settings(detectors=("shop_checks:number",)), "is no detector"),
        (Settings(detectors=("shop_checks:shouting",)), "has the kind 'LOUD'"),
        (Settings(detectors=("shop_checks:uncaught",)), "second one of the kind uncaught-error"),
        (
            Settings(disabled_detectors=frozenset({"duplicate-requests"})),
            "'duplicate-requests', which is no kind of finding; did you mean duplicate-request?",
        ),
    ],
)
def test_what_cannot_look_stops_the_start(settings: Settings, told: str) -> None:
    """
    A verdict that silently lacks a detector that was asked for would be worse than no daemon.
    """
    with pytest.raises(ConfigurationFault, match=told.replace("?", r"\?")):
        detection_of(settings)


@pytest.mark.usefixtures("checks")
def test_a_projects_own_kind_may_be_switched_off() -> None:
    """
    Both settings know it.
    """
    settings = Settings(detectors=("shop_checks:oversold",), disabled_detectors=frozenset({"oversold"}))
    assert detection_of(settings)().scrutiny.off == ("oversold",)


def test_the_example_of_the_page_about_detectors_works(checks: ModuleType) -> None:
    """
    Whoever copies it gets a detector that finds what the page says.
    """
    exec(PAGE.split("```python\n")[1].split("```")[0], checks.__dict__)
    detection = detection_of(Settings(detectors=("shop_checks:oversold",)))()
    window = detection.consult(WindowBuilder().state_change("items.0.stock", -1, 0).build(), {})
    assert [finding.counter for finding in window.scrutiny.found] == ["it is -1"]
    assert window.scrutiny.failed == ()
