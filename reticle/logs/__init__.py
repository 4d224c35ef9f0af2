"""
The daemon's log: lines for people, for programs or for journald, bounded, and without secrets.

Nothing here is installed by importing it: an embedding app keeps its own observers.
``docs/operations/logs.md`` describes the fields.
"""

from __future__ import annotations

from reticle.logs.observers import make_observer
from reticle.logs.redaction import Redaction
from reticle.logs.start import start_logging, twistd_observer

__all__ = ["Redaction", "make_observer", "start_logging", "twistd_observer"]
