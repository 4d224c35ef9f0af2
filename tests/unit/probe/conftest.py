"""
A probe that is on, and whose script is there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reticle.probe import harmless, script
from reticle.testing.kept_facts import KeptFacts, keeping_facts
from reticle.testing.probed_apps import SCRIPT, FixedScript


@pytest.fixture
def facts(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    What the probe tells; no fault of its own may be swallowed meanwhile.
    """
    monkeypatch.setattr(script, "copy", FixedScript(SCRIPT))
    monkeypatch.setattr(harmless, "faults", [])
    with keeping_facts() as kept:
        yield kept
    assert harmless.faults == []
