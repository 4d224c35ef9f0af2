"""
The probe lives in other people's environments: it needs nothing but Python, and nothing of the daemon's.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FRAMEWORKS = {"django", "flask", "klein", "twisted", "twisted_headers", "twisted_relay"}
"""Adapters that import their framework; whoever imports them has it."""

FOLDER = ROOT / "reticle/probe"
MODULES = sorted(
    ".".join(("reticle", *path.relative_to(ROOT / "reticle").with_suffix("").parts)).removesuffix(".__init__")
    for path in FOLDER.rglob("*.py")
    if path.relative_to(FOLDER).with_suffix("").parts[0] not in {*FRAMEWORKS, "startup"}
)

BLOCKING = """
import sys

allowed = set(sys.stdlib_module_names)

class Blocking:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        ours = name in {"reticle", "reticle._version", "reticle.probe"} or name.startswith("reticle.probe.")
        if top not in allowed and not ours:
            raise ImportError(f"{name} is not there")
        return None

sys.meta_path.insert(0, Blocking())
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(name)
print(len(sys.argv) - 2)
"""


def imported(*modules: str) -> subprocess.CompletedProcess[str]:
    """
    Import modules where no package is installed and nothing else of reticle can be found.
    """
    command = [sys.executable, "-I", "-S", "-c", BLOCKING, str(ROOT), *modules]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_every_part_needs_only_python() -> None:
    """
    All of it is imported with a finder that knows neither packages nor the rest of reticle.
    """
    assert len(MODULES) > 30
    done = imported(*MODULES)
    assert (done.stderr, done.stdout.strip()) == ("", str(len(MODULES)))


@pytest.mark.parametrize("module", ["reticle.settings", "reticle.probe.flask", "attrs"])
def test_the_finder_really_blocks(module: str) -> None:
    """
    What the probe must not need is not found there.
    """
    assert "is not there" in imported(module).stderr
