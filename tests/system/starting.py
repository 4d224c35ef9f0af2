"""
What the ``start`` fixture is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from examples.journeys.children import Daemon


class StartDaemon(Protocol):
    """
    Starts a daemon that ends with the test; daemons in one ``folder`` share their directories.
    """

    def __call__(
        self,
        command: Sequence[str | Path] | None = None,
        extra: Mapping[str, str] | None = None,
        folder: str = "daemon",
    ) -> Daemon:
        """
        Gives the daemon once it is ready. Raises ``ChildFailedError``.
        """
