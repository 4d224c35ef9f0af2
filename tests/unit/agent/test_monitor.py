"""
What the first process on an agent's terminal needs to know; what it does is in tests/system.
"""

from __future__ import annotations

import os
import subprocess
import sys
import termios

import pytest

from reticle.agent import monitor
from reticle.agent.outer_terminal import make_raw


def test_modes_survive_as_an_argument() -> None:
    """
    A terminal is given back as it was, in line mode and raw.
    """
    outer, inner = os.openpty()
    try:
        modes = termios.tcgetattr(inner)
        assert monitor.from_text(monitor.as_text(modes)) == modes
        make_raw(modes)
        termios.tcsetattr(inner, termios.TCSANOW, modes)
        raw = termios.tcgetattr(inner)
        assert not raw[3] & termios.ICANON
        assert monitor.from_text(monitor.as_text(raw)) == raw
    finally:
        os.close(outer)
        os.close(inner)


def test_modes_that_are_none_are_refused() -> None:
    """
    A terminal is left alone rather than set to nonsense.
    """
    with pytest.raises(ValueError, match="invalid literal"):
        monitor.from_text(monitor.NOBODY)


def test_it_starts_with_the_standard_library_alone() -> None:
    """
    An agent starts fast, and its monitor stays small: no package of ours or of others is loaded.
    """
    code = (
        "import runpy, sys; sys.argv = ['monitor']; before = set(sys.modules);"
        f"runpy.run_path({monitor.__file__!r}); print(sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    for heavy in ("twisted", "reticle", "json", "asyncio", "contextlib"):
        assert heavy not in loaded
