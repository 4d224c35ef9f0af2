"""
Watches a Python web app from inside its process and tells the daemon what it did.

It uses the standard library alone and imports nothing else of reticle, so it works in any environment of the
app's. It is off unless asked for (``reticle.probe.guards``), never waits and never raises into the app; where
no daemon runs it does nothing.

    reticle.probe.start(framework="flask 3.1", project="/srv/shop")

``docs/protocol/ingest.md`` is the contract of its lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reticle.probe.emission import emit

if TYPE_CHECKING:
    from reticle.probe.answering import answered_by
    from reticle.probe.probing import Probe, start, stop

__all__ = ["Probe", "answered_by", "emit", "start", "stop"]


def __getattr__(name: str) -> Any:
    # Lazily: installed but off, an app pays for no more than the one call above.
    if name in {"Probe", "start", "stop"}:
        from reticle.probe import probing  # noqa: PLC0415 - see above

        return getattr(probing, name)
    if name == "answered_by":
        from reticle.probe.answering import answered_by  # noqa: PLC0415 - see above

        return answered_by
    raise AttributeError(f"module 'reticle.probe' has no attribute {name!r}")
