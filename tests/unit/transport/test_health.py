"""
Liveness and readiness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Serve = Callable[..., Any]


def test_alive_is_not_ready(serve: Serve) -> None:
    """
    A daemon is alive from the moment its port opens, and ready exactly while it serves (DL-03).
    """
    served = serve(serving=False)
    seen = []
    for step in (lambda: None, served.life.attached, served.life.drain):
        step()
        alive, ready = (served.ask("GET", path).response() for path in ("/healthz", "/readyz"))
        seen.append((alive.status, alive.text, ready.status, ready.text, ready.headers.get("retry-after")))
    assert seen == [
        (200, "ok", 503, "not ready", "1"),
        (200, "ok", 200, "ready", None),
        (200, "ok", 503, "not ready", "1"),
    ]
