"""
Warnings that Python shows as facts.
"""

from __future__ import annotations

import warnings

import pytest

from reticle.testing.collecting import collecting


def test_a_warning_names_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The agent reads the deprecation, and Python shows it as before.
    """
    shown: list[object] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "_showwarnmsg_impl", shown.append)
        with collecting("python_warnings") as kept:
            warnings.warn("old way", DeprecationWarning, stacklevel=1)
        warnings.warn("after", DeprecationWarning, stacklevel=1)
        monkeypatch.undo()
    (fields,) = kept.of("warning")
    assert (fields["category"], fields["message"], fields["file"]) == (
        "DeprecationWarning",
        "old way",
        __file__,
    )
    assert len(shown) == 2


def test_a_warning_that_the_app_catches_is_the_apps() -> None:
    """
    What an app records itself is not shown, and not told.
    """
    with collecting("python_warnings") as kept, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("old way", DeprecationWarning, stacklevel=1)
    assert (len(caught), kept.facts) == (1, [])
