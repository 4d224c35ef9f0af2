"""
The composition root: builds every part, wires them, and owns their lifetime.

``composition`` is the only module that names everybody; it holds no rule.
``daemon`` starts and stops the parts in their order, ``loading`` says what is imported when, ``listeners``
takes the port, ``announcement`` tells others where we are, ``run`` owns the reactor for the entry points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reticle.service.composition import Parts, compose
    from reticle.service.daemon import Daemon, make_service

__all__ = ["Daemon", "Parts", "compose", "make_service"]


def __getattr__(name: str) -> Any:
    # Lazily, so that a part can be imported without all others.
    if name in {"Daemon", "make_service"}:
        from reticle.service import daemon  # noqa: PLC0415 - see above

        return getattr(daemon, name)
    if name in {"Parts", "compose"}:
        from reticle.service import composition  # noqa: PLC0415 - see above

        return getattr(composition, name)
    raise AttributeError(f"module 'reticle.service' has no attribute {name!r}")
