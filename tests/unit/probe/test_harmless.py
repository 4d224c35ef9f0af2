"""
A fault of the probe stays the probe's.
"""

from __future__ import annotations

import pytest

from reticle.probe import harmless


def test_a_fault_is_kept_and_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The app goes on, and whoever looks finds what went wrong; of a thousand faults the first few.
    """
    monkeypatch.setattr(harmless, "faults", [])

    @harmless.harmless("instead")
    def broken() -> str:
        raise ValueError("oh")

    assert {broken() for _ in range(100)} == {"instead"}
    assert len(harmless.faults) == 20
    assert harmless.faults[0].endswith("broken: ValueError: oh")


def test_a_sound_function_is_itself() -> None:
    """
    Its value comes back, and what ends a process ends it.
    """

    @harmless.harmless(0)
    def leaving(*, leaves: bool) -> int:
        if leaves:
            raise SystemExit
        return 1

    assert leaving(leaves=False) == 1
    with pytest.raises(SystemExit):
        leaving(leaves=True)
