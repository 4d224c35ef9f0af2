"""
The agent loop for real (``make demo-work``): agents in three languages, a reviewer, a liar, one that dies.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.system, pytest.mark.full]


@pytest.mark.usefixtures("drives")
def test_work_is_done_with_its_proof_and_not_without() -> None:
    """
    Three bugs are mended and proved, no lie closes a job, and another agent finishes what a dead one held.
    """
    ran = subprocess.run(
        [sys.executable, ROOT / "examples" / "work" / "demo.py"],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert ran.stdout.count(": completed with verdict_") == 5
    assert ran.stdout.count(": accepted") == 3
    assert ran.stdout.count("LIE ") == 8
    assert ran.stdout.count("verdict_missing") == 8
    assert "killed with the packet in its hands" in ran.stdout
