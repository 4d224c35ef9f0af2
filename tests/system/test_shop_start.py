"""
The example shop starts as its guide says.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from examples.journeys.children import ROOT
from examples.shop.variants import FAULTS, TRAPS

pytestmark = pytest.mark.system


@pytest.mark.parametrize(
    ("start", "inside"),
    [(("-m", "examples.shop"), True), ((str(ROOT / "examples/shop"),), False), (("examples/shop",), True)],
)
def test_folder_and_module_are_the_same_program(
    tmp_path: Path, start: tuple[str, ...], *, inside: bool
) -> None:
    """
    ``python examples/shop`` works from any folder, ``python -m examples.shop`` from the repository's own.
    """
    done = subprocess.run(
        [sys.executable, *start, "--help"],
        cwd=ROOT if inside else tmp_path, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    assert [name for name in FAULTS | TRAPS if name not in done.stdout] == []
