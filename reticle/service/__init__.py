"""
The composition root: builds every part, wires them, and owns their lifetime.

``composition`` is the only module that names everybody; it holds no rule.
``daemon`` starts and stops the parts in their order, ``listeners`` takes the port,
``announcement`` tells others where we are, ``run`` owns the reactor for the entry points.
"""

from __future__ import annotations

from reticle.service.composition import Parts, compose
from reticle.service.daemon import Daemon, make_service
from reticle.service.run import serve

__all__ = ["Daemon", "Parts", "compose", "make_service", "serve"]
