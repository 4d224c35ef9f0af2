"""
Watches a Python web app from inside its process and tells the daemon what it did.

It uses the standard library alone and imports nothing else of reticle, so it works in any environment of the
app's. It is off unless asked for (``reticle.probe.guards``), never waits and never raises into the app; where
no daemon runs it does nothing.

    reticle.probe.start(framework="flask 3.1", project="/srv/shop")

``docs/protocol/ingest.md`` is the contract of its lines.
"""

from __future__ import annotations

from reticle.probe.emission import emit

__all__ = ["emit"]
