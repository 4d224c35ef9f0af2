"""
Warnings that Python shows, as facts with their line; those that an app turns into log records come as such.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from reticle.probe import emission
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import text
from reticle.probe.words import FactKind


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear what is shown; ``catch_warnings`` and ``captureWarnings`` work as before.
    """
    del watch
    # The inner function: with ``showwarning`` replaced, Python would no longer show where an object was made.
    patches.replace(warnings, "_showwarnmsg_impl", _hearing)


def _hearing(original: Any) -> Any:
    def _showwarnmsg_impl(message: Any) -> Any:
        if emission.sink is not None and not is_own_work():
            safely(_tell, message)
        return original(message)

    return _showwarnmsg_impl


def _tell(message: Any) -> None:
    emission.emit(
        FactKind.WARNING,
        category=message.category.__name__,
        message=text(message.message),
        file=os.path.abspath(message.filename),  # noqa: PTH100 - a call per fact
        line=message.lineno,
    )
