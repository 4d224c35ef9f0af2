"""
Runs one collector of the probe over facts that stay in the test.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager

from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.testing.kept_facts import KeptFacts, keeping_facts


@contextmanager
def collecting(*names: str) -> Iterator[KeptFacts]:
    """
    The named collectors (modules of ``reticle.probe``) are in while this runs, and out afterwards.
    """
    watch, patches = ImportWatch(), Patches()
    for name in names:
        importlib.import_module(f"reticle.probe.{name}").install(watch, patches)
    try:
        with keeping_facts() as kept:
            yield kept
    finally:
        watch.remove()
        patches.remove()
