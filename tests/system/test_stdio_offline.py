"""
What the stdio front says while no daemon is there is what a daemon of this version says.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

from examples.journeys.children import Daemon

ROOT = Path(__file__).resolve().parents[2]


def generator() -> ModuleType:
    """
    ``development/offline_answers.py``, which is no package.
    """
    spec = importlib.util.spec_from_file_location("offline", ROOT / "development/offline_answers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_packaged_answers_are_the_daemons(daemon: Daemon) -> None:
    """
    SP-07: instructions, capabilities and tools are the same before a daemon runs; `make reference` writes
    them anew.
    """
    offline = ROOT / "reticle" / "relay" / "offline"
    for name, content in generator().collect(daemon.mcp_url).items():
        assert json.loads((offline / name).read_text("utf-8")) == content, "write it anew: make reference"
