"""
Python imports this when it starts: a daemon that a test started writes down what it says.

Nothing happens, and next to nothing is imported, before a process has loaded the gate's conversations.
"""

from __future__ import annotations

import os
import sys
from typing import Any


class WhenLoaded:
    """
    Finds one module as Python would, and begins to write once it is loaded.
    """

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """
        Every other module is somebody else's.
        """
        del target
        if name != "reticle.dispatch.conversations":
            return None
        sys.meta_path.remove(self)
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_begin(module: Any) -> None:
            load(module)
            from tests.schemas.record import begin

            begin()

        spec.loader.exec_module = load_and_begin  # type: ignore[method-assign]  # this one loader only
        return spec


if "MESSAGES_RECORDED_IN" in os.environ:
    sys.meta_path.insert(0, WhenLoaded())
